"""Before the start: seats, invitations, house bots, the start itself, and aborting."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.game import Refusal
from kontor_games.domain.match_facts import MatchAborted, MatchStarted, SeatLeft, SeatTaken
from kontor_games.domain.match_refusals import (
    AlreadySeatedError,
    BotsNotWelcomeError,
    MatchNotOpenError,
    MatchNotRunningError,
    NotCreatorError,
    NotSeatedError,
    SeatNotFreeError,
    SeatsMissingError,
)
from kontor_games.domain.stream import HOUSE
from tests.domain.fair_matches import (
    ANN,
    BEN,
    BOT,
    CID,
    DOT,
    OPEN,
    Table,
    announcement,
    invited,
    table_of,
    the_fair_is_installed,
)
from tests.domain.toy.games.fair.facts.set_up import DeckShuffled
from tests.domain.toy.games.fair.moves import LayCard

__all__ = ["the_fair_is_installed"]


def test_an_announced_match_is_open_and_empty() -> None:
    created = announcement(OPEN, OPEN)
    table = Table(created, at=7)
    assert table.entries[0].facts == (created,)
    assert (table.match.status, table.match.version, table.match.at) == ("open", 1, 7)
    assert table.match.seats == [None, None]
    assert (list(table.match.to_act), list(table.match.may_act)) == ([], [])
    assert not table.match.over


def test_a_player_gets_the_first_free_seat() -> None:
    table = Table(announcement(OPEN, OPEN))
    assert table.join(BEN, contribution="luck") == [
        SeatTaken(0, BEN, bot=False, house=None, contribution="luck")
    ]
    assert (table.match.seat_of(BEN), table.match.seat_of(ANN)) == (0, SPECTATOR)


def test_a_player_may_choose_the_seat() -> None:
    table = Table(announcement(OPEN, OPEN))
    assert table.join(BEN, 1) == [SeatTaken(1, BEN, bot=False, house=None, contribution="")]


@pytest.mark.parametrize("seat", [0, 2, -1])
def test_a_seat_that_is_taken_or_unknown_is_not_free(seat: int) -> None:
    table = Table(announcement(OPEN, OPEN))
    table.join(ANN, 0)
    with pytest.raises(SeatNotFreeError, match=f"Seat {seat} is not free for you"):
        table.join(BEN, seat)


def test_a_player_cannot_take_two_seats() -> None:
    table = Table(announcement(OPEN, OPEN))
    table.join(ANN)
    with pytest.raises(AlreadySeatedError):
        table.join(ANN, 1)


def test_an_invitation_reserves_the_seat_for_its_player() -> None:
    table = Table(announcement(invited(CID), OPEN, autostart=False))
    with pytest.raises(SeatNotFreeError):
        table.join(BEN, 0)
    assert table.join(BEN) == [SeatTaken(1, BEN, bot=False, house=None, contribution="")]
    with pytest.raises(SeatNotFreeError, match="No seat is free for you"):
        table.join(DOT)
    assert table.join(CID) == [SeatTaken(0, CID, bot=False, house=None, contribution="")]


def test_an_invited_player_gets_their_own_seat_before_an_open_one() -> None:
    table = Table(announcement(OPEN, invited(CID), autostart=False))
    assert table.join(CID) == [SeatTaken(1, CID, bot=False, house=None, contribution="")]


def test_an_invited_player_may_prefer_an_open_seat() -> None:
    table = Table(announcement(OPEN, invited(CID)))
    assert table.join(CID, 0) == [SeatTaken(0, CID, bot=False, house=None, contribution="")]


def test_leaving_frees_the_seat() -> None:
    table = Table(announcement(OPEN, OPEN))
    table.join(BEN)
    assert table.leave(BEN) == [SeatLeft(0, BEN)]
    assert table.match.seats == [None, None]
    assert table.join(CID) == [SeatTaken(0, CID, bot=False, house=None, contribution="")]


def test_only_a_seated_player_can_leave() -> None:
    with pytest.raises(NotSeatedError):
        Table(announcement(OPEN, OPEN)).leave(ANN)


def test_programs_cannot_join_a_match_without_programs() -> None:
    table = Table(announcement(OPEN, OPEN, meet_bots=False))
    with pytest.raises(BotsNotWelcomeError):
        table.join(BEN, bot=True)
    assert table.join(BEN)[0] == SeatTaken(0, BEN, bot=False, house=None, contribution="")


def test_a_bot_is_marked_as_a_bot() -> None:
    table = Table(announcement(OPEN, OPEN))
    assert table.join(BEN, bot=True) == [SeatTaken(0, BEN, bot=True, house=None, contribution="")]


def test_house_bots_take_their_seats_when_the_match_is_created() -> None:
    created = announcement(OPEN, BOT)
    table = Table(created)
    assert table.entries[0].facts == (created, SeatTaken(1, HOUSE, bot=True, house="random", contribution=""))
    assert table.match.seat_of(HOUSE) == SPECTATOR


def test_the_last_player_to_join_starts_the_match_and_its_deal() -> None:
    table = Table(announcement(OPEN, OPEN))
    table.join(ANN)
    facts = table.join(BEN, at=50)
    assert facts[:2] == [SeatTaken(1, BEN, bot=False, house=None, contribution=""), MatchStarted((ANN, BEN))]
    assert isinstance(facts[2], DeckShuffled)
    assert (table.match.status, table.match.version) == ("running", 2 + len(facts))
    assert list(table.match.to_act) == [0, 1]


def test_a_match_of_house_bots_alone_starts_immediately() -> None:
    table = Table(announcement(BOT, BOT))
    assert table.entries[0].facts[3] == MatchStarted((HOUSE, HOUSE))
    assert table.match.status == "running"


def test_without_autostart_the_creator_starts_the_match() -> None:
    table = Table(announcement(OPEN, OPEN, autostart=False))
    table.join(BEN)
    with pytest.raises(SeatsMissingError):
        table.start(ANN)
    table.join(CID)
    assert table.match.status == "open"
    with pytest.raises(NotCreatorError):
        table.start(BEN)
    assert table.start(ANN)[0] == MatchStarted((BEN, CID))
    assert table.match.status == "running"


def test_after_the_start_nobody_can_join_leave_or_start() -> None:
    table = table_of(ANN, BEN)
    attempts: tuple[Callable[[], object], ...] = (
        lambda: table.join(CID),
        lambda: table.leave(BEN),
        lambda: table.start(ANN),
    )
    for late in attempts:
        with pytest.raises(MatchNotOpenError, match="The match is running"):
            late()


def test_before_the_start_nobody_can_move_or_resign() -> None:
    table = Table(announcement(OPEN, OPEN))
    table.join(BEN)
    attempts: tuple[Callable[[], object], ...] = (
        lambda: table.play(BEN, LayCard(0)),
        lambda: table.resign(BEN),
        lambda: table.time_out(0, 0),
    )
    for early in attempts:
        with pytest.raises(MatchNotRunningError, match="The match is open"):
            early()


def test_only_seated_players_can_move_or_resign() -> None:
    table = table_of(ANN, BEN)
    attempts: tuple[Callable[[], object], ...] = (
        lambda: table.play(CID, LayCard(0)),
        lambda: table.resign(CID),
        lambda: table.play(HOUSE, LayCard(0)),
    )
    for foreign in attempts:
        with pytest.raises(NotSeatedError):
            foreign()


def test_the_creator_can_abort_an_open_match() -> None:
    table = Table(announcement(OPEN, OPEN))
    assert table.abort(ANN) == [MatchAborted("creator")]
    assert (table.match.status, table.match.over) == ("aborted", True)


def test_before_the_start_a_player_can_leave_but_not_abort() -> None:
    table = Table(announcement(OPEN, OPEN))
    table.join(BEN)
    with pytest.raises(NotCreatorError, match="You can leave your seat"):
        table.abort(BEN)


def test_a_player_who_is_neither_seated_nor_the_creator_cannot_abort() -> None:
    for table in (Table(announcement(OPEN, OPEN)), table_of(ANN, BEN)):
        with pytest.raises(NotSeatedError):
            table.abort(DOT)


def test_refusals_of_the_match_itself_cite_no_rule() -> None:
    with pytest.raises(Refusal) as refused:
        table_of(ANN, BEN).join(CID)
    assert (refused.value.code, refused.value.rule, refused.value.index) == ("match_not_open", "", None)


def test_a_match_cannot_be_read_with_another_data_set() -> None:
    created = announcement(OPEN, OPEN)
    with pytest.raises(LookupError, match="is not the one this match was created with"):
        Table(replace(created, data_hash="0" * 64))
