"""Both verifiers check returned time, expiries and invitations: matches pass, forgeries do not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.commands import Decline, Expire, Resign, ReturnTime, SeatBot
from kontor_games.domain.match_facts import SeatPlan
from kontor_games.service.trust.verifier import verify
from tests.domain.installed_fair import the_fair_is_installed
from tests.domain.toy.games.fair.moves import LayCard
from tests.support.exports import refusal
from tests.support.forging import Lines, find, forge
from tests.support.node import refused
from tests.support.recording import OPEN, Recording, announcement, house_bot, table_of

__all__ = ["the_fair_is_installed"]

DAY = 24 * 3600 * 1000
CLOCK = ClockSettings("per_move", 5000)


def lay(recording: Recording, seat: int, after: int = 1000) -> None:
    recording.play(seat, LayCard(recording.match.state.hands[seat][0]), after=after)  # type: ignore[attr-defined]


def declined() -> Recording:
    """Return a match in which Ben declines an invitation, and Cid takes the seat."""
    recording = Recording(announcement("fair", OPEN, SeatPlan("invited", player="ben")))
    recording.join("ann")
    recording.do("ben", Decline())
    recording.join("cid")
    return recording.play_on()


def returned() -> Recording:
    """Return a match with an outage of seven seconds, longer than the time for a move."""
    seats = (OPEN, OPEN, house_bot("greedy"))
    recording = Recording(announcement("fair", *seats, clock=CLOCK, house_untimed=True, max_returned_ms=9000))
    for player in ("ann", "ben"):
        recording.join(player)
    away = recording.at + 500
    recording.do("house", ReturnTime(away, away + 9000), after=7500)
    for seat in (0, 1, 2):
        lay(recording, seat, after=1500)
    return recording.play_with_bots()


def aborted() -> Recording:
    """Return a match that expires because nobody joins."""
    recording = Recording(announcement("fair", OPEN, OPEN, open_for_ms=DAY))
    recording.do("house", Expire(), after=DAY)
    return recording


def forfeited() -> Recording:
    """Return a match in which two of four players forfeit by expiry, and a third resigns."""
    recording = table_of("fair", 4, idle_ms=DAY)
    for seat in (0, 1):
        lay(recording, seat)
    recording.do("house", Expire(), after=DAY)
    recording.do("ann", Resign())
    return recording


def with_a_bot() -> Recording:
    """Return a match in which the creator gives the seat of an invited player to a house bot."""
    recording = Recording(announcement("fair", OPEN, SeatPlan("invited", player="ben")))
    recording.join("ann")
    recording.do("ann", SeatBot(1, "greedy", 1))
    return recording.play_with_bots()


HONEST = (declined, returned, aborted, forfeited, with_a_bot)


def test_declined_invitations_returned_time_and_expiries_verify() -> None:
    for made in HONEST:
        verify(made().export(), None, [])


@pytest.mark.e2e
def test_the_second_verifier_accepts_them_too(tmp_path: Path) -> None:
    files = {made.__name__: made().export() for made in HONEST}
    assert refused(tmp_path, files) == dict.fromkeys(files)


def changed(kind: str, **values: Any) -> Callable[[Lines], None]:
    """Return a change of values in a fact, and of the same values in its command."""

    def change(facts: Lines) -> None:
        line = find(facts, kind)
        line["fact"].update(values)
        line["command"].update({name: one for name, one in values.items() if name in line["command"]})

    return change


def sooner(kind: str, ms: int) -> Callable[[Lines], None]:
    """Return a change that shifts a command and all later ones to an earlier time."""

    def change(facts: Lines) -> None:
        for line in facts[facts.index(find(facts, kind)) :]:
            line["at"] -= ms

    return change


def dropped_promise(**values: Any) -> Callable[[Lines], None]:
    return lambda facts: find(facts, "match_created")["fact"].update(values)


def forgeries_of_time() -> dict[str, bytes]:
    """Forged invitations, returned time and expiries, by what is wrong with them."""
    since = next(entry.command.since for entry in returned().entries if isinstance(entry.command, ReturnTime))
    forgeries: dict[str, tuple[Recording, Callable[[Lines], None]]] = {
        "time from before the last command": (returned(), changed("time_returned", since=since - 501)),
        "time that is not over yet": (returned(), changed("time_returned", until=since + 9001)),
        "more time than agreed": (returned(), dropped_promise(max_returned_ms=8999)),
        "time in a match that accepts none": (returned(), dropped_promise(max_returned_ms=0)),
        "no time at all": (returned(), changed("time_returned", until=since)),
        "an invitation of somebody else": (declined(), changed("invitation_declined", player="ann")),
        "a seat that was not reserved": (declined(), changed("invitation_declined", seat=0)),
        "too early an end of an open match": (aborted(), sooner("match_aborted", 1)),
        "an open match that never expires": (aborted(), dropped_promise(open_for_ms=0)),
        "too early a forfeit": (forfeited(), sooner("seat_timed_out", 1)),
        "a forfeit in a match that never expires": (forfeited(), dropped_promise(idle_ms=0)),
        "another reason": (aborted(), changed("match_aborted", reason="creator")),
    }
    return {name: forge(made.export(), change) for name, (made, change) in forgeries.items()}


def test_forged_invitations_returned_time_and_expiries_are_refused() -> None:
    assert all(map(refusal, forgeries_of_time().values()))


@pytest.mark.e2e
def test_the_second_verifier_refuses_them_too(tmp_path: Path) -> None:
    found = refused(tmp_path, forgeries_of_time())
    assert [name for name, problem in found.items() if problem is None] == []


def test_without_the_returned_time_a_late_move_is_refused() -> None:
    def drop(facts: Lines) -> None:
        facts.remove(find(facts, "time_returned"))

    assert "Your time ran out before this move arrived" in refusal(forge(returned().export(), drop))
