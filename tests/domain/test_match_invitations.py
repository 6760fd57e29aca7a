"""Invitations: a seat is reserved for a player until they decline."""

import pytest

from kontor_games.domain.commands import SeatBot
from kontor_games.domain.match_facts import InvitationDeclined, SeatTaken
from kontor_games.domain.match_refusals import (
    AlreadySeatedError,
    MatchNotOpenError,
    NotCreatorError,
    NotInvitedError,
    OtherLadderError,
    SeatNotFreeError,
)
from tests.domain.fair_matches import (
    ANN,
    BEN,
    CID,
    OPEN,
    Table,
    announcement,
    invited,
    the_fair_is_installed,
)

__all__ = ["the_fair_is_installed"]


def test_a_declined_seat_is_open_to_everyone() -> None:
    table = Table(announcement(OPEN, invited(BEN)))
    table.join(ANN)
    with pytest.raises(SeatNotFreeError):
        table.join(CID)
    assert table.decline(BEN) == [InvitationDeclined(1, BEN)]
    assert (table.match.reserved_for(1), table.match.is_invited(BEN)) == (None, False)
    table.join(CID)
    assert table.match.status == "running"


def test_all_seats_reserved_for_a_player_are_declined_together() -> None:
    table = Table(announcement(invited(BEN), invited(BEN)))
    assert table.decline(BEN) == [InvitationDeclined(0, BEN), InvitationDeclined(1, BEN)]


def test_a_player_who_declined_can_still_join_while_the_seat_is_free() -> None:
    table = Table(announcement(invited(BEN), OPEN))
    table.decline(BEN)
    table.join(BEN)
    assert table.match.seat_of(BEN) == 0


def test_an_invitation_is_declined_once_and_by_the_invited_alone() -> None:
    table = Table(announcement(OPEN, invited(BEN)))
    with pytest.raises(NotInvitedError):
        table.decline(CID)
    table.decline(BEN)
    with pytest.raises(NotInvitedError):
        table.decline(BEN)


def test_a_taken_seat_is_left_and_not_declined() -> None:
    table = Table(announcement(OPEN, invited(BEN)))
    table.join(BEN)
    with pytest.raises(AlreadySeatedError):
        table.decline(BEN)
    table.leave(BEN)
    table.decline(BEN)


def test_nothing_is_declined_after_the_start() -> None:
    table = Table(announcement(OPEN, invited(BEN)))
    table.join(ANN)
    table.join(BEN)
    with pytest.raises(MatchNotOpenError):
        table.decline(BEN)


def test_the_creator_gives_a_free_seat_to_a_house_bot_and_the_match_starts() -> None:
    table = Table(announcement(OPEN, invited(BEN)))
    with pytest.raises(NotCreatorError):
        table.do(BEN, SeatBot(1, "random", 1))
    table.join(ANN)
    for taken in (0, 2):
        with pytest.raises(SeatNotFreeError):
            table.do(ANN, SeatBot(taken, "random", 1))
    facts = table.do(ANN, SeatBot(1, "random", 1))
    assert facts[0] == SeatTaken(1, "house", bot=True, house="random", contribution="", house_version=1)
    assert (table.match.status, table.match.is_house(1)) == ("running", True)
    with pytest.raises(MatchNotOpenError):
        table.do(ANN, SeatBot(1, "random", 1))


def test_a_rated_match_gets_no_house_bot() -> None:
    table = Table(announcement(OPEN, OPEN, open_seed=None, practice=False, rated=True))
    with pytest.raises(OtherLadderError):
        table.do(ANN, SeatBot(0, "random", 1))
