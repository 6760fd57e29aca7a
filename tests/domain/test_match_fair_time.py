"""Credited outages, house bots without a clock, and matches that expire."""

from hashlib import sha256

import pytest

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.commands import RETRY_MS
from kontor_games.domain.match_facts import MatchAborted, MatchFinished, SeatPlan, SeatTimedOut, TimeReturned
from kontor_games.domain.match_refusals import (
    NotExpiredError,
    NotFlaggedError,
    NotReturnableError,
    TimeIsUpError,
)
from kontor_games.domain.seed import OPENING_MS
from kontor_games.domain.stream import HOUSE
from tests.domain.fair_matches import (
    ANN,
    BEN,
    CID,
    OPEN,
    SECRET,
    Table,
    announcement,
    table_of,
    the_fair_is_installed,
)
from tests.domain.toy.games.fair.moves import LayCard

__all__ = ["the_fair_is_installed"]

PER_MOVE = ClockSettings("per_move", 5000)
BANK = ClockSettings("bank", 5000, 100)
BOT = SeatPlan("bot", bot="random", bot_version=1)


def deadlines(table: Table) -> list[int | None]:
    return [table.match.clock.deadline(seat) for seat in range(len(table.match.seats))]


def first_card(table: Table, seat: int) -> LayCard:
    return LayCard(table.state.hands[seat][0])


# --- credited outages ---------------------------------------------------------------------------------------


def test_an_outage_moves_every_running_clock_by_its_length() -> None:
    table = table_of(ANN, BEN, clock=BANK)
    table.play(ANN, first_card(table, 0), at=1000)
    assert table.return_time(2000, 9000, at=9000) == [TimeReturned(2000, 9000)]
    assert deadlines(table) == [None, 12_000]
    with pytest.raises(NotFlaggedError):
        table.time_out(1, at=11_999)
    table.play(BEN, first_card(table, 1), at=11_000)
    assert table.match.clock.remaining == [4100, 1100]


def test_a_match_gets_back_no_more_time_in_all_than_was_agreed() -> None:
    table = table_of(ANN, BEN, clock=BANK, max_returned_ms=3000)
    table.return_time(1000, 3000, at=3000)
    with pytest.raises(NotReturnableError, match="accepts no more time back"):
        table.return_time(4000, 5001, at=6000)
    table.return_time(4000, 5000, at=6000)
    assert (table.match.returned_ms, table.match.returnable_ms) == (3000, 0)


def test_a_match_can_refuse_returned_time_and_an_older_one_has_no_limit() -> None:
    with pytest.raises(NotReturnableError, match="accepts no more time back"):
        table_of(ANN, BEN, clock=BANK, max_returned_ms=0).return_time(1000, 1001, at=3000)
    older = table_of(ANN, BEN, clock=BANK)
    assert older.match.created.max_returned_ms is None
    older.return_time(1000, 10**9, at=10**9)


def test_time_in_which_clients_are_asked_to_wait_is_credited_too() -> None:
    table = table_of(ANN, BEN, clock=BANK)
    table.return_time(4900, 12_000 + RETRY_MS, at=12_000)
    assert deadlines(table) == [5000 + 7100 + RETRY_MS] * 2
    table.play(ANN, first_card(table, 0), at=13_000)
    assert table.match.clock.remaining[0] == 5000 - 3900 + 100, (
        "the clock stands still until clients come back"
    )


@pytest.mark.parametrize(
    ("since", "until", "at"),
    [
        (999, 3000, 4000),  # a command was accepted at 1000
        (2000, 2000, 4000),  # no time at all
        (3000, 2000, 4000),
        (2000, 4001 + RETRY_MS, 4000),  # not over yet
    ],
)
def test_only_time_since_the_last_command_is_credited(since: int, until: int, at: int) -> None:
    table = table_of(ANN, BEN, clock=PER_MOVE)
    table.play(ANN, first_card(table, 0), at=1000)
    with pytest.raises(NotReturnableError):
        table.return_time(since, until, at)


def test_no_time_is_credited_twice() -> None:
    table = table_of(ANN, BEN, clock=PER_MOVE)
    table.return_time(1000, 3000 + RETRY_MS, at=3000)
    with pytest.raises(NotReturnableError):
        table.return_time(2000, 4000, at=6000)
    table.return_time(3000 + RETRY_MS, 6000, at=6000)
    assert deadlines(table) == [5000 + 2000 + RETRY_MS + 1000] * 2


def test_without_a_clock_no_time_is_credited() -> None:
    for table in (table_of(ANN, BEN), Table(announcement(OPEN, OPEN, clock=PER_MOVE))):
        with pytest.raises(NotReturnableError):
            table.return_time(1000, 2000, at=3000)


def test_an_outage_moves_the_deadline_for_opening_contributions() -> None:
    table = Table(announcement(OPEN, OPEN, sealed=True, open_seed=None))
    for player in (ANN, BEN):
        table.join(player, contribution=sha256(player.encode()).hexdigest())
    table.return_time(10_000, 70_000, at=70_000)
    assert table.match.due == OPENING_MS + 60_000
    table.open_contribution(ANN, ANN, at=100_000)


def test_a_player_cannot_credit_time() -> None:
    table = table_of(ANN, BEN, clock=PER_MOVE)
    table.return_time(1000, 2000, at=2000)
    command = table.entries[-1].command
    assert str(command.wrong_author(table.match, ANN)) == "only the service can record that time is up"
    assert command.wrong_author(table.match, HOUSE) is None


# --- house bots ---------------------------------------------------------------------------------------------


def test_the_clock_of_a_house_bot_never_runs() -> None:
    table = Table(announcement(OPEN, BOT, clock=BANK, house_untimed=True))
    table.join(ANN)
    assert deadlines(table) == [5000, None]
    table.play_seat(1, table.quiet(1), at=4000)
    assert (table.match.clock.remaining, deadlines(table)) == ([5000, 5000], [5000, None])


def test_in_older_matches_the_clock_of_a_house_bot_runs() -> None:
    table = Table(announcement(OPEN, BOT, clock=PER_MOVE))
    table.join(ANN)
    assert deadlines(table) == [5000, 5000]
    with pytest.raises(TimeIsUpError):
        table.play_seat(1, table.quiet(1), at=5000)


# --- matches that expire ------------------------------------------------------------------------------------


def test_an_open_match_expires_and_is_aborted() -> None:
    table = Table(announcement(OPEN, OPEN, open_for_ms=1000))
    table.join(ANN, at=600)
    with pytest.raises(NotExpiredError):
        table.expire(at=1599)
    assert table.expire(at=1600) == [MatchAborted("expired")]
    assert (table.match.status, table.match.expiry) == ("aborted", None)


def test_in_a_match_without_a_clock_the_seats_to_act_forfeit_when_it_expires() -> None:
    table = table_of(ANN, BEN, idle_ms=1000)
    table.play(ANN, first_card(table, 0), at=500)
    with pytest.raises(NotExpiredError):
        table.expire(at=1499)
    assert table.expire(at=1500) == [
        SeatTimedOut(1, "forfeit"),
        MatchFinished((1, 2), None, "forfeit", SECRET),
    ]


def test_the_others_play_on_after_one_has_forfeited() -> None:
    table = table_of(ANN, BEN, CID, idle_ms=1000)
    table.play(ANN, first_card(table, 0), at=500)
    table.play(BEN, first_card(table, 1), at=500)
    assert table.expire(at=1500)[0] == SeatTimedOut(2, "forfeit")
    assert (table.match.status, table.match.absent, table.match.expiry) == ("running", (2,), 2500)


def test_an_expired_match_without_a_move_is_aborted() -> None:
    table = table_of(ANN, BEN, idle_ms=1000)
    assert table.expire(at=1000) == [MatchAborted("expired")]


@pytest.mark.parametrize("settings", [{}, {"idle_ms": 1000, "clock": PER_MOVE}])
def test_matches_with_a_clock_and_older_matches_do_not_expire(settings: dict[str, object]) -> None:
    table = table_of(ANN, BEN, **settings)
    assert table.match.expiry is None
    with pytest.raises(NotExpiredError):
        table.expire(at=10**12)
