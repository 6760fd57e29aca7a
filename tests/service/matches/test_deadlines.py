"""A clock runs out at its deadline, to the millisecond, whoever sends the next command."""

import pytest

from kontor_games.domain.commands import Resign
from kontor_games.domain.match_refusals import MatchNotRunningError, TimeIsUpError
from kontor_games.service.kontor import Kontor
from tests.service.conftest import SettableClock
from tests.service.tables import LocalPlayer, logged_facts, start_match

BANK = {"kind": "bank", "ms": 60_000, "increment_ms": 0}


@pytest.fixture
def match(ann: LocalPlayer, ben: LocalPlayer) -> str:
    return start_match(ann, ben, clock=BANK)


def deadline(player: LocalPlayer, match: str) -> int:
    found = player.read_match(match).match.next_deadline
    assert found is not None
    return found


def kinds(service: Kontor, match: str) -> list[str]:
    return [one.fact.type for one in logged_facts(service, match)]


def test_a_move_in_the_last_millisecond_is_made(ann: LocalPlayer, match: str, clock: SettableClock) -> None:
    clock.now = deadline(ann, match) - 1
    ann.play(match)


def test_a_move_at_the_deadline_is_too_late(
    service: Kontor, ann: LocalPlayer, match: str, clock: SettableClock
) -> None:
    clock.now = deadline(ann, match)
    with pytest.raises(TimeIsUpError):
        ann.play(match, *ann.legal(match)[:1])
    assert "seat_timed_out" in kinds(service, match)


def test_a_deadline_is_recorded_before_any_other_command(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, match: str, clock: SettableClock
) -> None:
    """The player whose time is up has lost, so there is nothing left to resign."""
    clock.now = deadline(ann, match)
    with pytest.raises(MatchNotRunningError):
        ben.do(match, Resign())
    assert "seat_timed_out" in kinds(service, match)
