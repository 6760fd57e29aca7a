"""Matches that nobody joins or plays end after the times that were set when they were created."""

from collections.abc import Callable

import pytest

from kontor_games.domain.match_facts import MatchAborted, MatchFinished, SeatTimedOut
from kontor_games.service.kontor import Kontor
from tests.service.conftest import NOON, SettableClock
from tests.service.tables import ME, OPEN, LocalPlayer, bot, logged_facts, start_match

HOUR = 3_600_000


@pytest.fixture
def kontor(new_process: Callable[..., Kontor]) -> Kontor:
    """A service whose open matches expire after one hour, and running ones after two."""
    made = new_process(open_match_hours=1, idle_match_hours=2)
    made.database.write(("DELETE FROM match_expiries", ()))
    return made


def due(kontor: Kontor) -> dict[str, int]:
    rows = kontor.database.read("SELECT match_id, due FROM match_expiries")
    return {row["match_id"]: row["due"] for row in rows}


def last_fact(kontor: Kontor, match_id: str) -> object:
    return logged_facts(kontor, match_id)[-1].fact


def test_an_expired_open_match_is_aborted(kontor: Kontor, clock: SettableClock) -> None:
    match_id = LocalPlayer(kontor).create(ME, OPEN)
    assert due(kontor) == {match_id: NOON + HOUR}
    clock.advance(HOUR - 1)
    assert kontor.house.end_expired() == 0
    clock.advance(1)
    assert kontor.house.end_expired() == 1
    assert last_fact(kontor, match_id) == MatchAborted("expired")
    assert (due(kontor), kontor.house.end_expired()) == ({}, 0)


def test_joining_extends_the_expiry_of_an_open_match(kontor: Kontor, clock: SettableClock) -> None:
    match_id = LocalPlayer(kontor).create(ME, OPEN, OPEN)
    clock.advance(HOUR // 2)
    LocalPlayer(kontor).join(match_id)
    clock.advance(HOUR // 2)
    assert kontor.house.end_expired() == 1
    assert due(kontor) == {match_id: NOON + HOUR + HOUR // 2}
    assert last_fact(kontor, match_id) != MatchAborted("expired")


def test_a_seat_to_act_forfeits_in_an_expired_match_without_a_clock(
    kontor: Kontor, clock: SettableClock
) -> None:
    ann, ben = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(ann, ben)
    assert due(kontor) == {match_id: NOON + 2 * HOUR}
    clock.advance(HOUR)
    ann.play(match_id)
    clock.advance(HOUR)
    kontor.house.end_expired()
    assert due(kontor) == {match_id: NOON + 3 * HOUR}, "somebody has played since"
    clock.advance(HOUR)
    kontor.house.end_expired()
    *_, timed_out, finished = logged_facts(kontor, match_id)
    assert timed_out.fact == SeatTimedOut(1, "forfeit")
    assert isinstance(finished.fact, MatchFinished)
    assert finished.fact.places == (1, 2)
    assert due(kontor) == {}


def test_a_match_with_a_clock_expires_only_before_it_starts(kontor: Kontor) -> None:
    clock = {"kind": "per_move", "ms": 5000}
    waiting = LocalPlayer(kontor).create(ME, OPEN, clock=clock)
    start_match(LocalPlayer(kontor), LocalPlayer(kontor), clock=clock)
    assert due(kontor) == {waiting: NOON + HOUR}


def test_every_match_keeps_the_expiry_times_of_its_creation(
    new_process: Callable[..., Kontor], kontor: Kontor, clock: SettableClock
) -> None:
    match_id = LocalPlayer(kontor).create(ME, bot())
    changed = new_process(open_match_hours=0, idle_match_hours=0)
    created = LocalPlayer(changed).read_match(match_id).match.created
    assert (created.open_for_ms, created.idle_ms) == (HOUR, 2 * HOUR)
    for_ever = LocalPlayer(changed).read_match(LocalPlayer(changed).create(ME, OPEN)).match
    assert (for_ever.created.open_for_ms, for_ever.expiry) == (0, None)
    assert list(due(changed)) == [match_id]


def test_a_damaged_match_is_looked_at_again_later(
    new_process: Callable[..., Kontor], kontor: Kontor, clock: SettableClock
) -> None:
    match_id = LocalPlayer(kontor).create(ME, OPEN)
    shown = match_id if kontor.database.is_postgres else match_id.replace("-", "")
    kontor.database.write(("UPDATE kontor_events SET state = ? WHERE originator_id = ?", (b"{}", shown)))
    clock.advance(HOUR)
    other = new_process(open_match_hours=1, idle_match_hours=2)
    assert other.house.end_expired() == 1
    assert due(other)[match_id] > clock.now
    assert other.house.end_expired() == 0


def test_a_match_that_was_played_since_it_was_due_is_not_ended(kontor: Kontor, clock: SettableClock) -> None:
    ann, ben = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(ann, ben, clock={"kind": "bank", "ms": 4 * HOUR, "increment_ms": 0})
    kontor.database.write(("INSERT INTO match_expiries VALUES (?, ?)", (match_id, clock.now)))
    assert kontor.house.end_expired() == 1
    assert (due(kontor), ann.read_match(match_id).match.over) == ({}, False)
