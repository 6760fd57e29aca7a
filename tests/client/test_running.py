"""Loops that end and report: `run`, and turns `until` matches are over, alone and among other bots."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from kontor_client import Kontor, Match, RefusedError
from tests.client.service import ROOT, Service, run_program
from tests.client.tables import GAMES, create_bot_match

GAME = GAMES[-1]
SEATS = 3
SHORT = {"europe": {"turn_limit": 60}}


def any_move(turn: Match) -> Any:
    return random.choice(turn.legal_moves)


@pytest.fixture
def strangers(service: Service, tmp_path: Path) -> Iterator[list[Kontor]]:
    """Bots that sign, each on a machine of its own."""
    with ExitStack() as stack:
        bots = [
            stack.enter_context(Kontor(service.url, folder=tmp_path / str(seat))) for seat in range(SEATS)
        ]
        for seat, bot in enumerate(bots):
            bot.sign_in(f"Stranger {seat}")
        yield bots


@pytest.mark.parametrize("game", GAMES)
def test_a_match_among_strangers_without_a_clock_is_run_to_its_end_by_each(
    game: str, strangers: list[Kontor]
) -> None:
    host, *guests = strangers
    seats = [{"type": "me"}, *[{"type": "open"}] * len(guests)]
    match = host.create_match(game, seats, options=SHORT.get(game, {})).id
    for guest in guests:
        guest.join(match)
    with ThreadPoolExecutor(SEATS) as pool:
        ended = list(pool.map(lambda bot: bot.run(any_move, [match])[match], strangers))
    assert [one.status for one in ended] == ["finished"] * SEATS
    assert ended[0].result == ended[1].result == ended[2].result
    assert ended[0].result is not None
    assert ended[0].result["reason"] == "played"


def test_a_turn_in_which_somebody_else_acts_first_is_chosen_again(service: Service, ada: Kontor) -> None:
    asked: list[int] = []
    with Kontor(service.url, ada.connection.token) as quicker:

        def choose(turn: Match) -> Any:
            asked.append(turn.version)
            if len(asked) == 1:
                quicker.play(turn.id, turn.legal_moves[0], turn.version)
            return turn.legal_moves[0]

        match = create_bot_match(ada, GAME).id
        assert ada.run(choose, [match])[match].status == "finished"
    assert asked == sorted(set(asked)), "it is asked once for each version"


def test_a_move_that_the_rules_forbid_is_an_error(ada: Kontor) -> None:
    match = create_bot_match(ada, "speicherstadt").id
    with pytest.raises(RefusedError) as refused:
        ada.run(lambda _: {"type": "finish_loading"}, [match])
    assert refused.value.rule


def test_several_matches_are_run_together_and_returned_with_their_results(ada: Kontor) -> None:
    matches = [create_bot_match(ada, GAME).id for _ in range(3)]
    ended = ada.run(any_move, matches)
    assert list(ended) == matches
    assert all(one.result and one.result["reason"] == "played" for one in ended.values())
    assert ada.run(any_move, matches).keys() == ended.keys(), "they are over already"


def test_batches_end_with_the_matches_that_they_were_created_for(ada: Kontor) -> None:
    seats = [{"type": "me"}, {"type": "bot", "bot": "random"}]
    answers = ada.create_matches([{"game": "speicherstadt", "seats": seats} for _ in range(4)])
    ids = [answer["answer"]["id"] for answer in answers]
    for turns in ada.turn_batches(until=ids):
        ada.play_many(((turn, any_move(turn)) for turn in turns), brief=True)
    assert {ada.ended[match].status for match in ids} == {"finished"}
    assert list(ada.turn_batches(until=ids)) == []


def test_turns_tell_what_others_did_since_the_last_one(ada: Kontor) -> None:
    match, news, own = create_bot_match(ada, GAME).id, list[str](), 0
    for turn in ada.turns(match, tell="en"):
        assert len(turn.data["labels"]) == len(turn.data["legal_moves"])
        news += turn.news
        answer = ada.play(match, any_move(turn), turn.version, tell="en")
        own += len(answer.data["texts"])
        assert len(answer.data["texts"]) == len(answer.data["facts"])
    assert any("random" in sentence for sentence in news), "the house bot has done something"
    assert len(news) + own <= ada.match(match).version, "what she did is told once, in her answers"
    assert "scene" in ada.match(match, tell="de").data


def test_make_serve_installs_the_client_for_programs_in_other_folders(tmp_path: Path) -> None:
    commands = run_program("make", "--dry-run", "--always-make", ".venv/.serving", cwd=ROOT)
    assert "--editable . --editable ./kontor_client" in commands
    (tmp_path / "bot.py").write_text("from kontor_client import Kontor\nprint(Kontor.run.__name__)\n")
    assert run_program(ROOT / ".venv/bin/python", "bot.py", cwd=tmp_path) == "run\n"
