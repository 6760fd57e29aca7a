"""Other ways to start: sealed contributions, and positions of other matches."""

import hashlib

import pytest

from kontor_games.domain.chance import Seeded
from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import (
    ContributionOpened,
    ContributionsDue,
    ContributionWithheld,
    MatchAborted,
    MatchStarted,
    PositionSet,
    SeatTaken,
)
from kontor_games.domain.match_refusals import (
    ContributionMismatchError,
    MatchNotOpenError,
    NotDueError,
    NotSealedError,
    TimeIsUpError,
)
from kontor_games.domain.position import dump_position
from kontor_games.domain.seed import OPENING_MS, seed_of
from tests.domain.fair_matches import (
    ANN,
    BEN,
    BOT,
    CID,
    OPEN,
    SECRET,
    Table,
    announcement,
    snapshot,
    table_of,
    the_fair_is_installed,
)
from tests.domain.toy.games.fair.facts.set_up import DeckShuffled

__all__ = ["the_fair_is_installed"]


def sealed(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()


def sealed_table(**other: object) -> Table:
    """A match that Ann and Ben have joined with sealed contributions."""
    table = Table(announcement(OPEN, OPEN, sealed=True, open_seed=None, **other))
    table.join(ANN, contribution=sealed("of ann"), at=10)
    table.join(BEN, contribution=sealed("of ben"), at=20)
    return table


def fold_all(table: Table) -> list[tuple[object, ...]]:
    match, pictures = Match(), []
    for entry in table.entries:
        match.fold(entry)
        pictures.append(snapshot(match))
    return pictures


@pytest.mark.parametrize("contribution", ["", "luck", "A" * 64, "a" * 63, sealed("x") + "\n"])
def test_a_sealed_contribution_must_be_a_hash(contribution: str) -> None:
    table = Table(announcement(OPEN, OPEN, sealed=True))
    with pytest.raises(NotSealedError):
        table.join(ANN, contribution=contribution)


def test_contributions_are_due_when_all_seats_are_taken() -> None:
    table = sealed_table()
    assert table.entries[-1].facts == (
        SeatTaken(1, BEN, bot=False, house=None, contribution=sealed("of ben")),
        ContributionsDue(20 + OPENING_MS),
    )
    assert (table.match.status, table.match.next_deadline) == ("open", 20 + OPENING_MS)


def test_the_last_contribution_opened_starts_the_match() -> None:
    table = sealed_table()
    assert table.open_contribution(BEN, "of ben", at=30) == [ContributionOpened(1, "of ben")]
    facts = table.open_contribution(ANN, "of ann", at=40)
    assert facts[:2] == [ContributionOpened(0, "of ann"), MatchStarted((ANN, BEN))]
    assert (table.match.status, table.match.next_deadline) == ("running", None)
    assert fold_all(table) == table.pictures


def test_the_seed_is_computed_from_the_opened_contributions() -> None:
    table = sealed_table()
    table.open_contribution(ANN, "of ann")
    facts = table.open_contribution(BEN, "of ben")
    order = (
        Seeded(seed_of(SECRET, ["of ann", "of ben"]))
        .draws("deck", 0)
        .shuffled(range(len(table.rules.values)))
    )
    assert DeckShuffled(tuple(order)) in facts


def test_a_value_that_does_not_match_the_hash_is_refused() -> None:
    table = sealed_table()
    with pytest.raises(ContributionMismatchError):
        table.open_contribution(ANN, "of ben")


def test_a_contribution_is_opened_once_and_not_before_all_seats_are_taken() -> None:
    early = Table(announcement(OPEN, OPEN, sealed=True))
    early.join(ANN, contribution=sealed("of ann"))
    with pytest.raises(NotDueError):
        early.open_contribution(ANN, "of ann")
    table = sealed_table()
    table.open_contribution(ANN, "of ann")
    with pytest.raises(NotDueError):
        table.open_contribution(ANN, "of ann")


def test_while_contributions_are_opened_nobody_leaves_and_nothing_starts() -> None:
    table = sealed_table()
    with pytest.raises(MatchNotOpenError, match="You cannot leave while contributions are being opened"):
        table.leave(BEN)
    with pytest.raises(MatchNotOpenError, match="as soon as all contributions are opened"):
        table.start(ANN)


def test_a_match_without_autostart_waits_for_its_creator_before_anything_is_opened() -> None:
    table = sealed_table(autostart=False)
    assert table.match.next_deadline is None
    assert table.start(ANN, at=100) == [ContributionsDue(100 + OPENING_MS)]


def test_withholding_a_contribution_is_recorded_and_aborts_the_match() -> None:
    table = sealed_table()
    table.open_contribution(ANN, "of ann")
    with pytest.raises(NotDueError):
        table.give_up_waiting(19 + OPENING_MS)
    assert table.give_up_waiting(20 + OPENING_MS) == [ContributionWithheld(1), MatchAborted("withheld")]
    assert (table.match.status, table.match.next_deadline) == ("aborted", None)
    assert fold_all(table) == table.pictures


def test_a_creator_who_aborts_instead_of_opening_is_recorded_as_withholding() -> None:
    table = sealed_table(abort_withholds=True)
    table.open_contribution(BEN, "of ben")
    assert table.abort(ANN) == [ContributionWithheld(0), MatchAborted("creator")]
    assert (table.match.status, table.match.next_deadline) == ("aborted", None)
    assert fold_all(table) == table.pictures


def test_a_creator_who_has_opened_withholds_nothing_by_aborting() -> None:
    table = sealed_table(abort_withholds=True)
    table.open_contribution(ANN, "of ann")
    assert table.abort(ANN) == [MatchAborted("creator")]


def test_nothing_is_withheld_before_contributions_are_due() -> None:
    table = sealed_table(abort_withholds=True, autostart=False)
    assert table.abort(ANN) == [MatchAborted("creator")]


def test_in_older_matches_an_abort_is_recorded_as_it_was() -> None:
    assert sealed_table().abort(ANN) == [MatchAborted("creator")]


def test_a_contribution_opened_at_the_deadline_is_too_late() -> None:
    table = sealed_table()
    table.open_contribution(ANN, "of ann", at=19 + OPENING_MS)
    with pytest.raises(TimeIsUpError):
        table.open_contribution(BEN, "of ben", at=20 + OPENING_MS)


def test_waiting_cannot_be_given_up_while_no_contributions_are_due() -> None:
    with pytest.raises(NotDueError):
        table_of(ANN, BEN).give_up_waiting(10**12)


def test_house_bots_have_no_contribution_to_open() -> None:
    table = Table(announcement(BOT, BOT, sealed=True))
    assert table.match.status == "running"
    table = Table(announcement(OPEN, BOT, sealed=True))
    table.join(BEN, contribution=sealed("of ben"))
    assert table.open_contribution(BEN, "of ben")[1] == MatchStarted((BEN, "house"))


# --- positions ----------------------------------------------------------------------------------------------


def branch_of(source: Match) -> Table:
    position = PositionSet("a match", source.version, dump_position(source.state))
    return Table(announcement(OPEN, OPEN, branch=True), position=position)


def test_a_match_can_begin_in_a_position_of_another() -> None:
    source = table_of(BEN, CID)
    source.play_on(3)
    table = branch_of(source.match)
    table.join(ANN)
    assert table.join(BEN) == [
        SeatTaken(1, BEN, bot=False, house=None, contribution=""),
        MatchStarted((ANN, BEN)),
    ]
    assert table.match.state.digest() == source.match.state.digest()
    assert list(table.match.to_act) == list(source.match.to_act)
    table.play_on()
    assert table.match.status == "finished"
    assert fold_all(table) == table.pictures


def test_a_branch_does_not_change_its_source() -> None:
    source = table_of(BEN, CID)
    source.play_on(1)
    before = snapshot(source.match)
    table = branch_of(source.match)
    table.join(ANN)
    table.join(BEN)
    table.play_on()
    assert snapshot(source.match) == before


def test_a_position_is_hidden_while_the_match_runs() -> None:
    table = branch_of(table_of(BEN, CID).match)
    position = table.entries[0].facts[1]
    for viewer in (SPECTATOR, 0):
        shown = table.match.redacted(position, table.match.fact_viewer(viewer))
        assert (shown["hidden"], "position" in shown) == (["position"], False)


def test_a_position_that_cannot_be_encoded_is_refused() -> None:
    state = table_of(ANN, BEN).match.state
    state.holder = object()  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="a position cannot hold object"):
        dump_position(state)
