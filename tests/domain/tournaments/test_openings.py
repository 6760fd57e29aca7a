"""Sealed contributions to the seed of a tournament: nobody contributes who can know the outcome."""

from dataclasses import replace
from hashlib import sha256

from kontor_games.domain.match_refusals import (
    ContributionMismatchError,
    NotDueError,
    NotSealedError,
    SignatureRequiredError,
    TimeIsUpError,
)
from kontor_games.domain.seed import seed_of
from kontor_games.domain.stream import HOUSE
from kontor_games.domain.tournaments import commands, facts, refusals
from tests.domain.tournaments.tournaments import SECRET, Played, chain_of, refused

MINUTE = 60_000


def sealed_cup(count: int, **terms: object) -> Played:
    """A tournament with sealed contributions, in which players have entered."""
    return Played(**{"seed_version": 2, "least_entrants": 3, **terms}).entered(count)


def due_cup(count: int, **terms: object) -> Played:
    """The same, asked to open."""
    played = sealed_cup(count, **terms)
    [due] = played.act(commands.StartTournament())
    assert isinstance(due, facts.ContributionsDue)
    assert (due.opening, due.entrants) == (1, tuple(range(count)))
    return played


def close(played: Played) -> list[facts.TournamentFact]:
    """Let the deadline pass."""
    assert played.tournament.due is not None
    played.at = played.tournament.due.deadline
    return played.act(commands.CloseOpening(), HOUSE)


def test_the_tournament_starts_when_the_last_contribution_is_opened() -> None:
    played = due_cup(3)
    assert played.open_contribution(1) == [facts.ContributionOpened(1, chain_of(1)[1])]
    played.open_contribution(0)
    opened, started = played.open_contribution(2)
    assert started == facts.TournamentStarted((0, 1, 2), None)
    assert played.tournament.chance is not None
    expected = seed_of(SECRET, [chain_of(number)[1] for number in range(3)])
    assert played.tournament.chance.seed == expected
    assert opened == facts.ContributionOpened(2, chain_of(2)[1])


def test_only_those_who_take_part_count() -> None:
    """A puppet that enters last with a chosen value and withdraws has no influence."""
    played = sealed_cup(4)
    played.act(commands.Withdraw(), "p3")
    played.act(commands.StartTournament())
    for number in range(3):
        played.open_contribution(number)
    assert played.tournament.chance is not None
    assert played.tournament.chance.seed == seed_of(SECRET, [chain_of(number)[1] for number in range(3)])


def test_nothing_can_change_while_contributions_are_being_opened() -> None:
    played = due_cup(4, late_entry=True)
    refused(played, replace(played.entry(9)), "p9", refusals.EntryClosedError)
    refused(played, commands.Withdraw(), "p1", refusals.WrongStageError)
    refused(played, commands.Withdraw(2, "asleep"), "olga", refusals.WrongStageError)
    refused(played, commands.StartTournament(), "olga", refusals.WrongStageError)


def test_an_opening_must_be_the_sealed_value_for_the_recorded_entries_in_time() -> None:
    played = due_cup(3)
    due = played.tournament.due
    assert due is not None
    value = chain_of(0)[1]
    refused(played, commands.OpenContribution(chain_of(0)[2], due.digest), "p0", ContributionMismatchError)
    refused(played, commands.OpenContribution(chain_of(1)[1], due.digest), "p0", ContributionMismatchError)
    refused(played, commands.OpenContribution(value, "0" * 64), "p0", NotDueError)
    refused(played, commands.OpenContribution(value, due.digest), "stranger", refusals.NotEntrantError)
    played.open_contribution(0)
    refused(played, commands.OpenContribution(value, due.digest), "p0", NotDueError)
    played.at = due.deadline
    refused(played, commands.OpenContribution(chain_of(1)[1], due.digest), "p1", TimeIsUpError)


def test_who_withholds_is_removed_and_the_others_open_another_value() -> None:
    played = due_cup(5)
    for number in (0, 1, 3, 4):
        played.open_contribution(number)
    withheld, due = close(played)
    assert withheld == facts.ContributionWithheld(2)
    assert isinstance(due, facts.ContributionsDue)
    assert (due.opening, due.entrants) == (2, (0, 1, 3, 4))
    for number in (0, 1, 3):
        played.open_contribution(number, opening=2)
    *_, started = played.open_contribution(4, opening=2)
    assert started == facts.TournamentStarted((0, 1, 3, 4), None)
    chance = played.tournament.chance
    assert chance is not None
    assert chance.seed == seed_of(SECRET, [chain_of(number)[2] for number in (0, 1, 3, 4)])
    counted_at_first = [chain_of(number)[1] for number in (0, 1, 3, 4)]
    assert chance.seed != seed_of(SECRET, counted_at_first), "what was known when entrant 2 withheld"


def test_who_withheld_cannot_come_back_before_the_start() -> None:
    played = due_cup(4)
    for number in range(3):
        played.open_contribution(number)
    close(played)
    refused(played, commands.StartTournament(), "olga", refusals.WrongStageError)
    for number in range(2):
        played.open_contribution(number, opening=2)
    assert close(played) == [facts.ContributionWithheld(2)], "two are too few, so entries are accepted again"
    entry = commands.Enter(bot=False, contribution="", sealed=sha256(b"new").hexdigest())
    refused(played, entry, "p3", refusals.NotAdmittedError)
    refused(played, entry, "p2", refusals.NotAdmittedError)
    assert played.act(entry, "p9") == [facts.EntrantEntered(4, "p9", False, "", sealed=entry.sealed)]
    [due] = played.act(commands.StartTournament())
    assert (due.opening, due.entrants) == (3, (0, 1, 4))


def test_the_time_for_opening_is_that_of_a_no_show_and_at_least_a_minute() -> None:
    for no_show, expected in ((0, MINUTE), (5 * MINUTE, 5 * MINUTE)):
        played = due_cup(3, no_show_ms=no_show)
        assert played.tournament.due is not None
        assert played.tournament.due.deadline == played.at + expected
        refused(played, commands.CloseOpening(), HOUSE, NotDueError)


def test_a_sealed_contribution_is_a_hash_that_nobody_sent_before() -> None:
    played = sealed_cup(3)
    first = chain_of(0)[0]
    for entry in (
        commands.Enter(False, "", sealed="no hash"),
        commands.Enter(False, "", sealed=first),
        commands.Enter(False, "0" * 64),
        commands.Enter(False, "", key="A" * 44),
    ):
        refused(played, entry, "p9", NotSealedError)
    old = Played().entered(3)
    refused(old, commands.Enter(False, "", sealed=sha256(b"new").hexdigest()), "p9", NotSealedError)
    played.act(commands.Withdraw(), "p0")
    refused(played, commands.Enter(False, "", sealed=first), "p0", NotSealedError)


def test_where_everybody_signs_nobody_enters_without_a_key() -> None:
    entry = commands.Enter(False, "", sealed=sha256(b"new").hexdigest())
    refused(sealed_cup(0, signed=True), entry, "p9", SignatureRequiredError)


def test_without_any_contribution_the_tournament_starts_at_once() -> None:
    played = sealed_cup(0)
    for number in range(3):
        played.act(commands.Enter(bot=False, contribution=""), f"p{number}")
    assert played.act(commands.StartTournament()) == [facts.TournamentStarted((0, 1, 2), None)]
