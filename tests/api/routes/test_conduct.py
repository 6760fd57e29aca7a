"""Phrases, blocked players and reports."""

from collections.abc import Callable
from typing import Any

import pytest

from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.phrases import KEPT, MOST, PHRASES, WITHIN_MS
from kontor_games.service.people.reports import MAX_PER_DAY
from tests.api.conftest import ApiUser, Clock

ME = {"type": "me"}
Register = Callable[..., ApiUser]


def table(ada: ApiUser, ben: ApiUser, **fields: Any) -> str:
    match = f"/v1/matches/{ada.match(ME, {'type': 'invited', 'player': ben.id}, **fields)['id']}"
    ben.post(f"{match}/seats")
    return match


def heard(who: ApiUser, match: str, after: int = 0) -> list[str]:
    found = who.get(f"{match}/phrases?after={after}").json["phrases"]
    return [f"{one['number']} {one['seat']} {one['phrase']}" for one in found]


def test_players_say_phrases_that_everybody_hears_and_the_record_does_not_have(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser
) -> None:
    match = table(ada, ben)
    before = ada.get(match).json
    assert ada.post(f"{match}/phrases", {"phrase": "hello"}).json["number"] == 1
    ben.post(f"{match}/phrases", {"phrase": "good_luck"})
    assert heard(anonymous, match) == heard(ada, match) == ["1 0 hello", "2 1 good_luck"]
    assert heard(ada, match, after=1) == ["2 1 good_luck"]
    assert ada.get(match).json == before
    assert "good_luck" not in ada.get(f"{match}/export").text


def test_nobody_else_and_nothing_else_is_heard(ada: ApiUser, ben: ApiUser, register: Register) -> None:
    match = table(ada, ben)
    refused = register("Eve").post(f"{match}/phrases", {"phrase": "hello"})
    assert (refused.status_code, refused.json["code"]) == (403, "not_seated")
    assert ada.post(f"{match}/phrases", {"phrase": "you fool"}).status_code == 422
    assert heard(ada, match) == []


def test_the_same_key_says_it_once(ada: ApiUser, ben: ApiUser) -> None:
    match = table(ada, ben)
    for _ in range(2):
        said = ada.post(f"{match}/phrases", {"phrase": "hello"}, headers={"Idempotency-Key": "a"})
        assert (said.status_code, said.json["number"]) == (201, 1)
    assert len(heard(ada, match)) == 1


def test_players_say_a_few_phrases_at_a_time_and_the_last_ones_are_kept(
    ada: ApiUser, ben: ApiUser, clock: Clock
) -> None:
    match = table(ada, ben)
    for number in range(KEPT + MOST):
        if number % MOST == 0:
            clock.now += WITHIN_MS
        assert ada.post(f"{match}/phrases", {"phrase": PHRASES[0]}).status_code == 201
    refused = ada.post(f"{match}/phrases", {"phrase": "hello"})
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, str(WITHIN_MS // 1000))
    assert ben.post(f"{match}/phrases", {"phrase": "thanks"}).status_code == 201
    numbers = [one.split()[0] for one in heard(ada, match)]
    assert (len(numbers), numbers[-1]) == (KEPT, str(KEPT + MOST + 1))


def test_spectators_of_a_delayed_match_hear_what_they_see(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser, clock: Clock
) -> None:
    match = table(ada, ben, spectator_delay=60)
    clock.now += 1000
    ada.post(f"{match}/phrases", {"phrase": "oops"})
    assert (len(heard(ben, match)), len(heard(anonymous, match))) == (1, 0)
    clock.now += 60_000
    assert len(heard(anonymous, match)) == 1


def test_phrases_in_private_matches_are_private_and_erased_with_the_account(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser, kontor: Kontor
) -> None:
    match = table(ada, ben, private=True)
    ben.post(f"{match}/phrases", {"phrase": "hello"})
    assert anonymous.get(f"{match}/phrases").status_code == 404
    ben.delete("/v1/me")
    assert heard(ada, match) == []
    assert kontor.database.read("SELECT * FROM phrases", ()) == []


def test_a_blocked_player_is_not_heard_can_not_invite_and_is_not_told(
    ada: ApiUser, ben: ApiUser, kontor: Kontor
) -> None:
    match = table(ada, ben)
    ben.post(f"{match}/phrases", {"phrase": "hello"})
    for _ in range(2):
        assert ada.send("PUT", f"/v1/me/blocks/{ben.id}").status_code == 204
    assert [one["id"] for one in ada.get("/v1/me/blocks").json["players"]] == [ben.id]
    assert (heard(ada, match), len(heard(ben, match))) == ([], 1)
    body = {"game": "fair", "seats": [ME, {"type": "invited", "player": ada.id}]}
    refused = ben.post("/v1/matches", body)
    assert (refused.status_code, refused.json["code"]) == (409, "invitation_not_welcome")
    assert refused.json["detail"] == f"The player {ada.id} accepts no invitations."
    for who in (ada, ben):
        who.post("/v1/seeks", {"game": "fair", "seats": 2})
    kontor.presence.write()
    kontor.matchmaker().step()
    assert {one["status"] for one in ada.get("/v1/seeks?mine=true").json["seeks"]} == {"waiting"}
    ada.delete(f"/v1/me/blocks/{ben.id}")
    assert ben.post("/v1/matches", body).status_code == 201


def test_a_report_reaches_the_administrators_who_can_ban(ada: ApiUser, ben: ApiUser, kontor: Kontor) -> None:
    match = table(ada, ben).rpartition("/")[2]
    path = f"/v1/players/{ben.id}/reports"
    for _ in range(2):
        body = {"reason": "stalling", "text": "an hour", "match": match}
        assert ada.post(path, body, headers={"Idempotency-Key": "a"}).status_code == 204
    admin = ApiUser(ada.client, kontor.tokens.issue_admin(ada.id, "admin", None).text, ada.id)
    [report] = admin.get("/v1/reports").json["reports"]
    assert (report["reporter"]["id"], report["reported"]["id"], report["match"]) == (ada.id, ben.id, match)
    assert (report["reason"], report["text"], report["outcome"]) == ("stalling", "an hour", None)
    outcome = f"/v1/reports/{report['id']}/outcome"
    assert admin.put(outcome, {"outcome": "banned"}).status_code == 204
    assert admin.get("/v1/reports").json["reports"] == []
    assert [one["outcome"] for one in admin.get("/v1/reports?closed=true").json["reports"]] == ["banned"]
    assert [one.id for one in kontor.bans.accounts("", banned=True, limit=9)] == [ben.id]


@pytest.mark.parametrize("days", [0, 1])
def test_reports_of_a_player_are_limited_each_day_and_erased_with_the_account(
    ada: ApiUser, ben: ApiUser, clock: Clock, kontor: Kontor, days: int
) -> None:
    path = f"/v1/players/{ben.id}/reports"
    for _ in range(MAX_PER_DAY):
        assert ada.post(path, {"reason": "name"}).status_code == 204
    clock.now += days * 24 * 3600 * 1000
    assert ada.post(path, {"reason": "name"}).status_code == (204 if days else 429)
    ada.delete("/v1/me")
    assert kontor.reports.list(100) == []
