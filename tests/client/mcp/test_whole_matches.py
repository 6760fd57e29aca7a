"""Whole matches by scripted models, over both transports and in both eras of the protocol."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.client.mcp.models import Model, ToolRefusedError, hosted, local
from tests.client.service import Service
from tests.client.tables import GAMES, fewest_seats
from tests.support.coroutines import run_coroutine

TOOLS = ["find_match", "take_seat", "my_matches", "wait_for_turn", "play", "rules", "resign"]


@asynccontextmanager
async def model_of(form: str, service: Service, folder: Path, mode: str = "auto") -> AsyncIterator[Model]:
    if form == "hosted":
        with service.player("Hosted model") as player:
            token = player.connection.token or ""
        async with hosted(service.url, token, mode) as model:
            yield model
    else:
        async with local(service.url, folder, mode=mode) as model:
            yield model


@pytest.mark.parametrize(("form", "game"), [("hosted", GAMES[-1]), ("local", GAMES[0])])
def test_a_model_plays_a_whole_match(service: Service, tmp_path: Path, form: str, game: str) -> None:
    async def play() -> None:
        async with model_of(form, service, tmp_path) as model:
            assert model.client.session.protocol_version == "2026-07-28"
            assert [tool.name for tool in (await model.client.list_tools()).tools] == TOOLS
            found = await model.data("find_match", game=game, bot="random")
            ended = await model.play_to_the_end(found["match"])
            assert ended["status"] == "finished"
            assert len(ended["result"]["places"]) == fewest_seats(game)
            assert all("stale_version" in refusal for refusal in model.refused)

    run_coroutine(play())


@pytest.mark.parametrize("form", ["hosted", "local"])
def test_a_client_of_an_earlier_revision_begins_with_a_handshake(
    service: Service, tmp_path: Path, form: str
) -> None:
    async def play() -> None:
        async with model_of(form, service, tmp_path, "legacy") as model:
            assert model.client.session.protocol_version == "2025-11-25"
            assert "numbers" in (model.client.instructions or "")
            found = await model.data("find_match", game=GAMES[-1], bot="random")
            await model.data("resign", match=found["match"])

    run_coroutine(play())


def test_several_models_of_both_forms_play_one_match_with_the_seats_of_their_own(
    service: Service, tmp_path: Path
) -> None:
    game = GAMES[-1]

    async def play() -> None:
        async with (
            model_of("hosted", service, tmp_path) as first,
            local(service.url, tmp_path / "second", "Second model") as second,
            local(service.url, tmp_path / "third", "Third model") as third,
        ):
            made = await first.data("find_match", game=game, against="anyone", players=3, private=True)
            match, key = made["match"], made["link_key"]
            assert "not started" in (await first.call("my_matches"))[0]
            for model in (second, third):
                with pytest.raises(ToolRefusedError, match="not_found"):
                    await model.call("take_seat", match=match)
                await model.data("take_seat", match=match, link_key=key)
            ends = await asyncio.gather(*(one.play_to_the_end(match) for one in (first, second, third)))
            assert [end["you"] for end in ends] == [0, 1, 2]
            assert {tuple(end["result"]["places"]) for end in ends} == {tuple(ends[0]["result"]["places"])}

    run_coroutine(play())
