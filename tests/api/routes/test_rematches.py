"""Rematches: the same settings, with everybody one seat further on."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.conftest import ApiUser

ME, OPEN = {"type": "me"}, {"type": "open"}


def played(ada: ApiUser, ben: ApiUser, **fields: Any) -> dict[str, Any]:
    """A match in which Ben has resigned."""
    seats = fields.pop("seats", [ME, OPEN])
    match = ada.match(*seats, **fields)
    key = {"Match-Key": match["link_key"]} if match["link_key"] else {}
    ben.post(f"/v1/matches/{match['id']}/seats", headers=key)
    ended: dict[str, Any] = ben.post(f"/v1/matches/{match['id']}/resignation").json
    assert ended["status"] == "finished"
    return ended


def seats_of(match: dict[str, Any]) -> list[Any]:
    return [seat["invited"]["id"] if seat["invited"] else seat["player"]["name"] for seat in match["seats"]]


def test_in_a_rematch_everybody_moves_on_by_one_seat(ada: ApiUser, ben: ApiUser) -> None:
    bots = {"type": "bot", "bot": "random"}
    match = ada.match(ME, OPEN, bots)
    ben.post(f"/v1/matches/{match['id']}/seats")
    for who in (ada, ben):
        who.post(f"/v1/matches/{match['id']}/resignation")
    answer = ada.post(f"/v1/matches/{match['id']}/rematch")
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/v1/matches/{answer.json['id']}")
    assert seats_of(answer.json) == ["random", ada.id, ben.id]
    assert (answer.json["status"], answer.json["creator"]) == ("open", ada.id)


def test_a_rematch_has_the_settings_of_the_match(ada: ApiUser, ben: ApiUser) -> None:
    fields = {
        "clock": {"kind": "bank", "ms": 60_000, "increment_ms": 1000},
        "on_timeout": "forfeit",
        "private": True,
        "practice": True,
        "seed": "open",
    }
    match = played(ada, ben, **fields)
    again = ben.post(f"/v1/matches/{match['id']}/rematch").json
    same = ("game", "ruleset", "options", "on_timeout", "private", "meet_bots", "practice", "signed")
    assert {name: again[name] for name in same} == {name: match[name] for name in same}
    assert {name: again["clock"][name] for name in ("kind", "ms", "increment_ms")} == fields["clock"]
    assert again["chance"]["open_seed"] is None
    assert again["chance"]["commitment"] != match["chance"]["commitment"]


def test_the_second_caller_gets_the_same_rematch(ada: ApiUser, ben: ApiUser) -> None:
    match = played(ada, ben)
    first, second, repeated = (
        who.post(f"/v1/matches/{match['id']}/rematch", headers={"Idempotency-Key": "again"})
        for who in (ada, ben, ada)
    )
    assert first.json["id"] == second.json["id"] == repeated.json["id"]
    assert second.headers["Idempotency-Replayed"] == "true"
    assert len(ada.get("/v1/matches?status=open").json["matches"]) == 1
    for who in (ben, ada):
        joined = who.post(f"/v1/matches/{first.json['id']}/seats").json
    assert joined["status"] == "running"
    assert ada.post(f"/v1/matches/{match['id']}/rematch").json["id"] == first.json["id"]


def test_only_players_of_a_finished_match_can_have_a_rematch(
    ada: ApiUser, ben: ApiUser, register: Callable[..., ApiUser]
) -> None:
    running = ada.match()["id"]
    refused = ada.post(f"/v1/matches/{running}/rematch")
    assert (refused.status_code, refused.json["code"]) == (409, "rematch_not_possible")
    match = played(ada, ben)["id"]
    stranger = register("Cem").post(f"/v1/matches/{match}/rematch")
    assert (stranger.status_code, stranger.json["code"]) == (403, "not_seated")
    never = ada.match(ME, OPEN)["id"]
    ada.post(f"/v1/matches/{never}/abort")
    assert ada.post(f"/v1/matches/{never}/rematch").json["code"] == "rematch_not_possible"


@pytest.mark.parametrize("reason", ["erased", "unwelcome"])
def test_players_who_cannot_be_invited_are_not_invited(ada: ApiUser, ben: ApiUser, reason: str) -> None:
    match = played(ada, ben)["id"]
    if reason == "erased":
        ben.delete("/v1/me")
    else:
        ben.put("/v1/me/invitations", {"invitations_from": "nobody"})
    refused = ada.post(f"/v1/matches/{match}/rematch")
    codes = {"erased": "rematch_not_possible", "unwelcome": "invitation_not_welcome"}
    assert (refused.status_code, refused.json["code"]) == (409, codes[reason])
