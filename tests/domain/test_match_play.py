"""The running match: moves, lists of moves, resignation, absence, places, aborting by consent."""

from collections.abc import Callable

import pytest

from kontor_games.domain.game import NotYourTurnError
from kontor_games.domain.match import _places
from kontor_games.domain.match_facts import AbortWanted, MatchAborted, MatchFinished, SeatResigned
from kontor_games.domain.match_refusals import (
    AlreadyAgreedError,
    MatchNotRunningError,
    NotSeatedError,
    SeatGivenUpError,
)
from tests.domain.fair_matches import (
    ANN,
    BEN,
    BOT,
    CID,
    DOT,
    OPEN,
    SECRET,
    Table,
    announcement,
    snapshot,
    table_of,
    the_fair_is_installed,
)
from tests.domain.toy.games.fair.facts.rounds import CardLaid
from tests.domain.toy.games.fair.facts.trade import OfferMade
from tests.domain.toy.games.fair.moves import CloseFair, LayCard, OfferCard, TakeOffer
from tests.domain.toy.games.fair.refusals import NotYourCardError, TooManyOffersError

__all__ = ["the_fair_is_installed"]


def holder_of(table: Table) -> int:
    """Let everybody lay a card; return the seat that then holds the fair."""
    while (holder := table.state.holder) is None:
        table.play_on(1)
    return holder


def test_a_move_returns_its_facts() -> None:
    table = table_of(ANN, BEN)
    card = table.state.hands[0][0]
    before = table.match.version
    assert table.play(ANN, LayCard(card)) == [CardLaid(0, card)]
    assert (table.match.version, table.match.moved) == (before + 1, True)
    assert list(table.match.to_act) == [1]


def test_a_refused_move_changes_nothing() -> None:
    table = table_of(ANN, BEN)
    before = snapshot(table.match)
    with pytest.raises(NotYourCardError) as refused:
        table.play(ANN, LayCard(999))
    assert (refused.value.index, refused.value.rule) == (0, "T-3")
    assert snapshot(table.match) == before


def test_a_list_of_moves_is_one_entry() -> None:
    table = table_of(ANN, BEN)
    holder = holder_of(table)
    player, card = (ANN, BEN)[holder], table.state.hands[holder][0]
    facts = table.play(player, OfferCard(card, 9), OfferCard(card, 8))
    assert facts == [OfferMade(holder, 9, card), OfferMade(holder, 8, card)]
    assert table.entries[-1].last == table.match.version


def test_a_list_of_moves_is_refused_as_a_whole_with_the_index_of_the_refused_move() -> None:
    table = table_of(ANN, BEN)
    holder = holder_of(table)
    card = table.state.hands[holder][0]
    before = snapshot(table.match)
    with pytest.raises(TooManyOffersError) as refused:
        table.play((ANN, BEN)[holder], *(OfferCard(card, price) for price in range(4)))
    assert refused.value.index == 3
    assert snapshot(table.match) == before


def test_a_list_without_moves_is_an_error() -> None:
    table = table_of(ANN, BEN)
    with pytest.raises(ValueError, match="without a move"):
        table.play(ANN)


def test_a_seat_may_answer_out_of_turn() -> None:
    table = table_of(ANN, BEN)
    holder = holder_of(table)
    table.play_seat(holder, OfferCard(table.state.hands[holder][0], 1))
    assert (list(table.match.to_act), list(table.match.may_act)) == ([holder], [0, 1])
    table.play((ANN, BEN)[1 - holder], TakeOffer())
    assert table.state.coins[holder] == 6


def test_a_match_ends_with_its_result_and_the_secret_of_the_server() -> None:
    table = table_of(ANN, BEN)
    table.play_on()
    result = table.match.rules.result(table.match.state)
    assert result is not None
    finished = table.entries[-1].facts[-1]
    assert finished == MatchFinished(result.places, list(map(dict, result.scores)), "played", SECRET)
    assert (table.match.outcome, table.match.status, table.match.over) == (finished, "finished", True)
    assert (list(table.match.to_act), list(table.match.may_act)) == ([], [])


def test_after_the_end_nobody_can_move_resign_or_abort() -> None:
    table = table_of(ANN, BEN)
    table.play_on()
    attempts: tuple[Callable[[], object], ...] = (
        lambda: table.play(ANN, CloseFair()),
        lambda: table.resign(ANN),
        lambda: table.abort(ANN),
        lambda: table.time_out(0, 0),
    )
    for late in attempts:
        with pytest.raises(MatchNotRunningError, match=r"The match is (already )?finished"):
            late()


# --- resignation and absence --------------------------------------------------------------------------------


def test_when_one_of_two_players_resigns_the_other_wins() -> None:
    table = table_of(ANN, BEN)
    assert table.resign(ANN) == [SeatResigned(0), MatchFinished((2, 1), None, "forfeit", SECRET)]
    assert table.match.status == "finished"


def test_when_one_of_three_resigns_the_others_play_on() -> None:
    table = table_of(ANN, BEN, CID)
    facts = table.resign(BEN)
    assert facts[0] == SeatResigned(1)
    assert isinstance(facts[1], CardLaid)
    assert (table.match.status, table.match.absent) == ("running", (1,))
    assert list(table.match.to_act) == [0, 2]


def test_the_move_for_an_absent_seat_is_drawn_from_the_quiet_moves() -> None:
    table = table_of(ANN, BEN, CID)
    before = table.match.copy()
    facts = table.resign(BEN)
    quiet = before.rules.quiet_moves(before.state, 1)
    drawn = quiet[before.chance.draws("absent", before.version + 1).below(len(quiet))]
    assert isinstance(drawn, LayCard)
    assert facts[1] == CardLaid(1, drawn.card)


def test_moves_are_made_for_an_absent_seat_to_the_end_and_it_ranks_last() -> None:
    table = table_of(ANN, BEN, CID)
    table.resign(BEN)
    table.play_on()
    outcome = table.match.outcome
    assert outcome is not None
    assert outcome.reason == "played"
    assert outcome.places[1] == 3
    assert sorted(outcome.places)[0] == 1


def test_a_player_who_left_cannot_move_not_even_out_of_turn() -> None:
    table = table_of(ANN, BEN, CID)
    holder = holder_of(table)
    left = (holder + 1) % 3
    table.resign((ANN, BEN, CID)[left])
    table.play_seat(holder, OfferCard(table.state.hands[holder][0], 0))
    assert left in table.match.rules.may_act(table.match.state)
    assert left not in table.match.may_act
    assert [table.match.has_move(seat) for seat in range(-1, 3)] == [
        seat in table.match.may_act for seat in range(-1, 3)
    ]
    with pytest.raises(SeatGivenUpError):
        table.play((ANN, BEN, CID)[left], TakeOffer())


def test_a_player_cannot_resign_twice() -> None:
    table = table_of(ANN, BEN, CID)
    table.resign(BEN)
    with pytest.raises(SeatGivenUpError):
        table.resign(BEN)


def test_when_all_but_one_have_left_the_last_one_wins_and_the_first_to_leave_is_last() -> None:
    table = table_of(ANN, BEN, CID)
    table.resign(CID)
    assert table.resign(ANN)[-1] == MatchFinished((2, 1, 3), None, "forfeit", SECRET)


def test_a_move_for_an_absent_seat_whose_turn_it_is_belongs_to_the_same_entry() -> None:
    table = table_of(ANN, BEN, CID)
    holder = holder_of(table)
    facts = table.resign((ANN, BEN, CID)[holder])
    assert facts[0] == SeatResigned(holder)
    assert [fact.type for fact in facts[1:3]] == ["fair_closed", "round_begun"]
    assert holder not in table.match.to_act


@pytest.mark.parametrize(
    ("places", "absent", "ranked"),
    [
        ((1, 2, 3), (), (1, 2, 3)),
        ((1, 2, 3), (0,), (3, 1, 2)),
        ((1, 1, 1), (), (1, 1, 1)),
        ((1, 1, 1), (2,), (1, 1, 3)),
        ((1, 2, 3, 4), (0, 1), (4, 3, 1, 2)),
        ((1, 2, 3, 4), (1, 0), (3, 4, 1, 2)),
        ((1, 1, 3, 3), (0,), (4, 1, 2, 2)),
    ],
)
def test_players_who_left_rank_behind_all_who_stayed(
    places: tuple[int, ...], absent: tuple[int, ...], ranked: tuple[int, ...]
) -> None:
    assert _places(places, absent) == ranked


# --- aborting -----------------------------------------------------------------------------------------------


def test_before_the_first_move_the_creator_can_abort_a_running_match() -> None:
    table = table_of(BEN, CID)
    assert table.abort(ANN) == [MatchAborted("creator")]
    assert (table.match.status, list(table.match.to_act)) == ("aborted", [])


def test_after_the_first_move_an_abort_needs_the_consent_of_all_players() -> None:
    table = table_of(ANN, BEN)
    table.play_on(1)
    assert table.abort(ANN) == [AbortWanted(0)]
    assert table.match.status == "running"
    assert table.abort(BEN) == [AbortWanted(1), MatchAborted("consent")]
    assert table.match.status == "aborted"


def test_a_creator_without_a_seat_cannot_abort_after_the_first_move() -> None:
    table = table_of(BEN, CID)
    table.play_on(1)
    with pytest.raises(NotSeatedError):
        table.abort(ANN)


def test_a_resignation_counts_as_a_first_move() -> None:
    table = table_of(BEN, CID, DOT)
    table.resign(BEN)
    with pytest.raises(NotSeatedError):
        table.abort(ANN)


def test_a_player_cannot_agree_twice() -> None:
    table = table_of(BEN, CID)
    table.abort(BEN)
    with pytest.raises(AlreadyAgreedError):
        table.abort(BEN)


def test_house_bots_need_not_agree_to_an_abort() -> None:
    table = Table(announcement(OPEN, BOT))
    table.join(BEN)
    assert table.abort(BEN) == [AbortWanted(0), MatchAborted("consent")]


def test_players_who_left_need_not_and_cannot_agree_to_an_abort() -> None:
    table = table_of(ANN, BEN, CID)
    table.resign(CID)
    table.abort(ANN)
    with pytest.raises(SeatGivenUpError):
        table.abort(CID)
    assert table.abort(BEN) == [AbortWanted(1), MatchAborted("consent")]


def test_a_match_of_bots_continues_after_its_only_player_resigned() -> None:
    table = Table(announcement(OPEN, BOT, BOT))
    table.join(BEN)
    table.resign(BEN)
    assert table.match.status == "running"
    with pytest.raises(SeatGivenUpError):
        table.abort(BEN)


def test_when_the_last_player_who_had_not_agreed_resigns_the_match_is_aborted() -> None:
    table = table_of(ANN, BEN, CID)
    table.play_on(1)
    table.abort(ANN)
    table.abort(BEN)
    facts = table.resign(CID)
    assert (facts[0], facts[-1]) == (SeatResigned(2), MatchAborted("consent"))
    assert table.match.status == "aborted"


def test_a_request_to_abort_does_not_stop_play() -> None:
    table = table_of(ANN, BEN)
    table.abort(BEN)
    table.play_on(1)
    assert (table.match.status, table.match.abort_wanted) == ("running", (1,))


def test_a_seat_that_is_not_waited_for_is_refused_by_the_game() -> None:
    table = table_of(ANN, BEN)
    card = table.state.hands[0]
    table.play(ANN, LayCard(card[0]))
    with pytest.raises(NotYourTurnError):
        table.play(ANN, LayCard(card[1]))
