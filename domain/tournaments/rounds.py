"""The tables of the next round, by the announced format."""

from collections.abc import Sequence

from kontor_games.domain.chance import Draws, Seeded
from kontor_games.domain.toolkit.ranking import places
from kontor_games.domain.tournaments.facts import RoundPaired
from kontor_games.domain.tournaments.pairing.formats import (
    advancing,
    arena,
    balanced,
    complete_rounds,
    knockout,
    swiss,
)
from kontor_games.domain.tournaments.pairing.tables import Pairing, described, pairing_of
from kontor_games.domain.tournaments.refusals import NoRoundLeftError, WrongTablesError
from kontor_games.domain.tournaments.tournament import Tournament


def next_round(tournament: Tournament) -> RoundPaired:
    """Pair the next round: a function of terms, entrants, results and the seed alone."""
    if tournament.chance is None:
        raise LookupError("a round is paired before the start")
    number = len(tournament.rounds) + 1
    pairing = _pair(tournament, number, tournament.chance)
    return RoundPaired(number, pairing.tables, pairing.byes, uploaded=False)


def is_last(tournament: Tournament) -> bool:
    """Return whether the last round has been paired."""
    match tournament.terms.format:
        case "complete":
            return len(tournament.rounds) >= len(_complete(tournament))
        case "knockout":
            last = tournament.rounds[-1:]
            return bool(last) and len(last[0].tables) == 1 and not last[0].byes
        case "arena":
            return False  # the announced time ends it
    return len(tournament.rounds) >= tournament.terms.rounds


def _pair(tournament: Tournament, number: int, chance: Seeded) -> Pairing:
    draws, version = chance.draws("pairing", number), tournament.terms.pairing_version
    size, history = tournament.size, tournament.history
    match tournament.terms.format:
        case "swiss":
            return swiss(tournament.active, size, history, draws, version)
        case "balanced":
            return balanced(tournament.active, size, history, draws, version)
        case "complete":
            return _complete_round(tournament, number, draws)
        case "knockout":
            return knockout(_remaining(tournament, chance), size, history, draws, version)
        case "arena":
            return arena(_free(tournament), size, history, draws, version)
        case "own":
            raise WrongTablesError("The organiser uploads the tables of this tournament.")


def _complete(tournament: Tournament) -> list[list[tuple[int, ...]]]:
    return complete_rounds(len(tournament.entrants), tournament.terms.seats)


def _complete_round(tournament: Tournament, number: int, draws: Draws) -> Pairing:
    """One round of all combinations, without tables of withdrawn entrants."""
    active = set(tournament.active)
    combinations = _complete(tournament)[number - 1]
    tables = [table for table in combinations if active.issuperset(table)]
    playing = {entrant for table in tables for entrant in table}
    return pairing_of(tables, sorted(active - playing), tournament.history, draws)


def _remaining(tournament: Tournament, chance: Seeded) -> list[int]:
    """The remaining entrants, best seeded first: by lot at first, then by their result in the round before.

    If they are too few for a table, the best of those who were eliminated stay in, too.
    """
    active = set(tournament.active)
    if not tournament.rounds:
        return chance.draws("seeding", 0).shuffled(sorted(active))
    last = tournament.rounds[-1]
    finishes = _table_finishes(tournament, last.round)
    going = [*last.byes, *advancing(finishes, tournament.terms.advance)]
    remaining = [entrant for entrant in going if entrant in active]
    out = active.difference(going)
    others = [entrant for entrant in advancing(finishes, tournament.terms.seats) if entrant in out]
    return remaining + others[: max(0, tournament.terms.least_seats - len(remaining))]


def _table_finishes(
    tournament: Tournament, number: int
) -> list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]:
    """The result of each table of a round; the matches of a block are added up."""
    found = []
    for index, table in enumerate(tournament.rounds[number - 1].tables):
        points = dict.fromkeys(table.entrants, 0)
        scores = dict.fromkeys(table.entrants, 0)
        for finish in tournament.finishes_of((number, index)):
            for seat, entrant in enumerate(finish.entrants):
                points[entrant] -= finish.places[seat]
                scores[entrant] += finish.scores[seat]
        found.append((tuple(points), places(list(points.values())), tuple(scores.values())))
    return found


def _free(tournament: Tournament) -> list[int]:
    """The active entrants who are not at a table."""
    busy = {entrant for planned in tournament.unfinished for entrant in planned.entrants}
    return [entrant for entrant in tournament.active if entrant not in busy]


def uploaded_round(tournament: Tournament, tables: Sequence[Sequence[int]]) -> RoundPaired:
    """The organiser's own tables as the next round, if they fit the terms."""
    number, history = len(tournament.rounds) + 1, tournament.history
    if is_last(tournament):
        raise NoRoundLeftError(f"All {tournament.terms.rounds} announced rounds have been paired.")
    active, seen = set(tournament.active), set[int]()
    for index, table in enumerate(tables):
        if not tournament.size.least <= len(table) <= tournament.size.seats:
            raise WrongTablesError(f"Table {index} has {len(table)} entrants, which the terms do not allow.")
        if unknown := [entrant for entrant in table if entrant not in active]:
            raise WrongTablesError(f"Table {index} names {unknown[0]}, who is not an active entrant.")
        if len(set(table)) < len(table) or not seen.isdisjoint(table):
            raise WrongTablesError(f"Table {index} names an entrant who already has a seat in this round.")
        if met := history.forbidden_at(table):
            raise WrongTablesError(
                f"Entrants {met[0][0]} and {met[0][1]} must not meet, but do at table {index}."
            )
        seen |= set(table)
    described_tables = tuple(described(table, history) for table in tables)
    return RoundPaired(number, described_tables, tuple(sorted(active - seen)), uploaded=True)
