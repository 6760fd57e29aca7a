"""Matches played with time: deadlines, time-outs and their two consequences."""

import pytest

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.match_facts import MatchFinished, SeatTimedOut
from kontor_games.domain.match_refusals import NotFlaggedError, TimeIsUpError
from tests.domain.fair_matches import ANN, BEN, CID, SECRET, Table, table_of, the_fair_is_installed
from tests.domain.toy.games.fair.facts.rounds import CardLaid
from tests.domain.toy.games.fair.moves import LayCard, OfferCard, TakeOffer

__all__ = ["the_fair_is_installed"]

PER_MOVE = ClockSettings("per_move", 1000)
BANK = ClockSettings("bank", 1000, 100)


def deadlines(table: Table) -> list[int | None]:
    return [table.match.clock.deadline(seat) for seat in range(len(table.match.seats))]


def first_card(table: Table, seat: int) -> LayCard:
    return LayCard(table.state.hands[seat][0])


def test_time_runs_from_the_start_for_every_seat_waited_for() -> None:
    table = table_of(ANN, BEN, clock=PER_MOVE)
    assert deadlines(table) == [1000, 1000]


def test_an_open_match_has_no_deadline() -> None:
    table = table_of(ANN, BEN, clock=PER_MOVE, autostart=False)
    assert table.match.clock.next_deadline() is None
    table.start(ANN, at=300)
    assert deadlines(table) == [1300, 1300]


def test_a_move_stops_the_clock_of_its_seat_alone() -> None:
    table = table_of(ANN, BEN, clock=BANK)
    table.play(ANN, first_card(table, 0), at=400)
    assert deadlines(table) == [None, 1000]
    assert table.match.clock.remaining == [700, 1000]


def test_an_answer_out_of_turn_costs_and_gains_no_time() -> None:
    table = table_of(ANN, BEN, clock=BANK)
    table.play_on(2, at=100)
    holder = table.state.holder
    assert holder is not None
    table.play_seat(holder, OfferCard(table.state.hands[holder][0], 0), at=200)
    before = (table.match.clock.remaining[:], deadlines(table))
    table.play_seat(1 - holder, TakeOffer(), at=250)
    assert (table.match.clock.remaining, deadlines(table)) == before


def test_a_move_in_the_last_millisecond_is_in_time() -> None:
    table = table_of(ANN, BEN, clock=PER_MOVE)
    table.play(ANN, first_card(table, 0), at=999)
    assert deadlines(table) == [None, 1000]


def test_a_move_at_the_deadline_is_too_late() -> None:
    table = table_of(ANN, BEN, clock=PER_MOVE)
    with pytest.raises(TimeIsUpError):
        table.play(ANN, first_card(table, 0), at=1000)


def test_nobody_is_timed_out_before_the_deadline() -> None:
    table = table_of(ANN, BEN, clock=PER_MOVE)
    table.play(ANN, first_card(table, 0), at=10)
    for seat, at in ((1, 999), (0, 5000)):
        with pytest.raises(NotFlaggedError, match=f"Seat {seat} still has time"):
            table.time_out(seat, at)


def test_a_time_out_makes_a_quiet_move_for_the_seat() -> None:
    table = table_of(ANN, BEN, clock=PER_MOVE)
    before = table.match.copy()
    facts = table.time_out(0, 1000)
    quiet = before.rules.quiet_moves(before.state, 0)
    drawn = quiet[before.chance.draws("absent", before.version + 1).below(len(quiet))]
    assert isinstance(drawn, LayCard)
    assert facts == [SeatTimedOut(0, "bot"), CardLaid(0, drawn.card)]
    assert table.match.absent == ()
    assert table.match.moved


def test_after_a_time_out_the_player_can_move_as_before() -> None:
    table = table_of(ANN, BEN, clock=PER_MOVE)
    table.time_out(0, 1000)
    table.time_out(1, 1000)
    holder = table.state.holder
    assert holder is not None
    assert deadlines(table)[holder] == 2000
    table.play((ANN, BEN)[holder], table.quiet(holder), at=1999)


def test_an_empty_bank_leaves_only_the_increment() -> None:
    table = table_of(ANN, BEN, clock=BANK)
    table.time_out(0, 1000)
    assert table.match.clock.remaining[0] == 100


def test_an_empty_bank_without_increment_times_out_immediately() -> None:
    table = table_of(ANN, BEN, clock=ClockSettings("bank", 1000), options={"rounds": 3, "coins": 0})
    table.time_out(0, 1000)
    table.time_out(1, 1000)
    while table.match.to_act:
        table.time_out(table.match.clock.flagged(1000)[0], 1000)
    assert table.match.status == "finished"


def test_a_forfeit_of_one_of_two_ends_the_match() -> None:
    table = table_of(ANN, BEN, clock=PER_MOVE, on_timeout="forfeit")
    assert table.time_out(1, 1000) == [
        SeatTimedOut(1, "forfeit"),
        MatchFinished((1, 2), None, "forfeit", SECRET),
    ]
    assert table.match.clock.next_deadline() is None


def test_after_a_forfeit_of_one_of_three_the_seat_is_absent() -> None:
    table = table_of(ANN, BEN, CID, clock=PER_MOVE, on_timeout="forfeit")
    facts = table.time_out(2, 1000)
    assert [fact.type for fact in facts] == ["seat_timed_out", "card_laid"]
    assert (table.match.status, table.match.absent) == ("running", (2,))
    assert deadlines(table) == [1000, 1000, None]


def test_an_absent_seat_has_no_clock() -> None:
    table = table_of(ANN, BEN, CID, clock=PER_MOVE)
    table.resign(BEN, at=100)
    table.play_on(2, at=200)
    assert deadlines(table)[1] is None


def test_the_clocks_stop_when_the_match_is_aborted() -> None:
    table = table_of(ANN, BEN, clock=BANK)
    table.abort(ANN, at=300)
    assert deadlines(table) == [None, None]
    assert table.match.clock.remaining == [700, 700]


def test_a_request_to_abort_costs_no_time() -> None:
    table = table_of(ANN, BEN, clock=BANK)
    table.abort(BEN, at=300)
    assert deadlines(table) == [1000, 1000]
