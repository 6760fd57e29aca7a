"""A match before its start, on both stores: how it is created, seats are taken and left, and it starts."""

from dataclasses import replace
from typing import Any

import pytest

from kontor_games.domain.codec import SPECTATOR, MalformedError
from kontor_games.domain.commands import Leave, Start
from kontor_games.domain.match_facts import MatchStarted, SeatLeft, SeatTaken
from kontor_games.domain.match_refusals import (
    AlreadySeatedError,
    BotsNotWelcomeError,
    MatchNotOpenError,
    NotCreatorError,
    NotSeatedError,
    SeatNotFreeError,
    SeatsMissingError,
)
from kontor_games.service.matches.match_spec import SeatSpec
from tests.service.tables import (
    ME,
    OPEN,
    LocalPlayer,
    bot,
    fair_spec,
    new_caller,
    start_match,
)

NOBODY = "aaaaaaaa-0000-4000-8000-00000000000a"


def test_a_match_is_announced_and_waits_for_players(one: LocalPlayer) -> None:
    answer = one.make(fair_spec(OPEN, OPEN))
    assert [fact.type for fact in answer.facts] == ["match_created"]
    assert (answer.match.status, answer.match.version, answer.first, answer.viewer) == (
        "open",
        1,
        1,
        SPECTATOR,
    )


def test_a_seat_of_type_me_is_taken_immediately(one: LocalPlayer) -> None:
    answer = one.make(fair_spec(OPEN, ME))
    assert answer.facts[1] == SeatTaken(1, one.id, bot=False, house=None, contribution="")
    assert answer.viewer == 1


def test_a_match_begins_when_the_last_seat_is_taken(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = one.create(ME, OPEN)
    answer = other.join(match_id)
    assert answer.facts[:2] == (
        SeatTaken(1, other.id, bot=False, house=None, contribution=""),
        MatchStarted((one.id, other.id)),
    )
    assert answer.match.status == "running"


def test_a_match_against_house_bots_starts_immediately(one: LocalPlayer) -> None:
    match = one.read_match(one.create(ME, bot("random"))).match
    assert match.status == "running"
    assert match.seats[1] == SeatTaken(1, "house", bot=True, house="random", contribution="", house_version=1)


@pytest.mark.parametrize(
    ("wish", "pointer"),
    [
        ({"options": {"rounds": 9}}, "/options/rounds"),
        ({"options": {"cards": "none"}}, "/options/cards"),
        ({"clock": {"kind": "bank"}}, "/clock/ms"),
        ({"seats": (OPEN,)}, "/seats"),
        ({"seats": (ME, ME)}, "/seats"),
        ({"seats": (OPEN, bot("nobody"))}, "/seats/1/bot"),
        ({"seats": (OPEN, SeatSpec("invited", player=NOBODY))}, "/seats/1/player"),
    ],
)
def test_an_impossible_request_is_refused_with_the_faulty_field(
    one: LocalPlayer, wish: dict[str, Any], pointer: str
) -> None:
    seats, more = wish.get("seats", ()), {name: value for name, value in wish.items() if name != "seats"}
    with pytest.raises(MalformedError) as refused:
        one.create(*seats, **more)
    assert [fault.pointer for fault in refused.value.faults] == [pointer]


def test_an_unknown_game_is_named(one: LocalPlayer) -> None:
    spec = fair_spec()
    with pytest.raises(MalformedError, match="/game"):
        one.make(type(spec)("chess", spec.seats, {}, {}))


def test_the_seat_of_an_invited_player_is_reserved(one: LocalPlayer) -> None:
    ada = one.kontor.players.register("Ada", bot=False, key=None, body="")
    player = LocalPlayer(one.kontor, one.kontor.tokens.authenticate(ada.token))
    match_id = one.create(ME, SeatSpec("invited", player=player.id))
    with pytest.raises(SeatNotFreeError):
        LocalPlayer(one.kontor).join(match_id)
    assert player.join(match_id).viewer == 1


def test_a_player_cannot_take_two_seats(one: LocalPlayer) -> None:
    match_id = one.create(ME, OPEN)
    with pytest.raises(AlreadySeatedError):
        one.join(match_id)


def test_a_taken_seat_is_not_free(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = one.create(ME, OPEN, OPEN)
    with pytest.raises(SeatNotFreeError):
        other.join(match_id, seat=0)
    assert other.join(match_id, seat=2).viewer == 2


def test_programs_cannot_join_a_match_for_people(one: LocalPlayer) -> None:
    match_id = one.create(ME, OPEN, meet_bots=False)
    robot = LocalPlayer(one.kontor, replace(new_caller(), bot=True))
    with pytest.raises(BotsNotWelcomeError):
        robot.join(match_id)


def test_a_seat_can_be_left_before_the_start(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = one.create(ME, OPEN, OPEN)
    other.join(match_id)
    answer = other.do(match_id, Leave())
    assert answer.facts == (SeatLeft(1, other.id),)
    with pytest.raises(NotSeatedError):
        other.do(match_id, Leave())


def test_a_seat_cannot_be_left_after_the_start(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = start_match(one, other)
    with pytest.raises(MatchNotOpenError):
        other.do(match_id, Leave())


def test_the_creator_starts_a_match_without_autostart(one: LocalPlayer, other: LocalPlayer) -> None:
    match_id = one.create(ME, OPEN, autostart=False)
    with pytest.raises(SeatsMissingError):
        one.do(match_id, Start())
    other.join(match_id)
    with pytest.raises(NotCreatorError):
        other.do(match_id, Start())
    answer = one.do(match_id, Start())
    assert answer.facts[0] == MatchStarted((one.id, other.id))
