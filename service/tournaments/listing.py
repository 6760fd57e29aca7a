"""The rows by which tournaments and their matches are found, written in the transaction of the facts."""

from typing import Any

from kontor_games.domain.stream import Entry
from kontor_games.domain.tournaments.facts import EntrantEntered, MatchOpened
from kontor_games.domain.tournaments.tournament import Tournament
from kontor_games.service.cursor import read_row_cursor
from kontor_games.service.store.database import Statement
from kontor_games.service.store.streams import CachedStream


def listing_rows(
    cached: CachedStream[Tournament], before: Tournament, after: Tournament, entry: Entry
) -> list[Statement]:
    """Return the statements that keep the rows of a tournament up to date after an entry."""
    tournament_id, statements = cached.name, list[Statement]()
    if not before.version:
        terms = after.terms
        values = [tournament_id, terms.game, after.status, terms.organiser, entry.at, entry.at]
        statements.append(("INSERT INTO tournaments VALUES (?, ?, ?, ?, ?, ?)", values))
    elif _stored_status(before) != _stored_status(after):
        update = "UPDATE tournaments SET status = ?, changed_at = ? WHERE id = ?"
        statements.append((update, [_stored_status(after), entry.at, tournament_id]))
    for fact in entry.facts:
        if isinstance(fact, EntrantEntered):
            insert = "INSERT INTO tournament_players VALUES (?, ?)"
            statements.append((insert, [fact.player, tournament_id]))
        elif isinstance(fact, MatchOpened):
            insert = "INSERT INTO tournament_matches VALUES (?, ?, ?)"
            statements.append((insert, [fact.match, tournament_id, entry.at]))
    return statements


def _stored_status(tournament: Tournament) -> str:
    """The status as stored for lists: open tournaments whose contributions are being opened are `opening`."""
    return "opening" if tournament.due is not None else tournament.status


def listing_filters(
    game: str | None, status: str | None, player: str | None, cursor: str | None
) -> tuple[str, list[Any]]:
    """Return the condition for the rows that are asked for, and its values."""
    takes_part = (
        "(t.organiser = ? OR EXISTS (SELECT 1 FROM tournament_players p"
        " WHERE p.tournament = t.id AND p.player = ?))"
    )
    stored = [status, "opening" if status == "open" else status]
    conditions = (("t.game = ?", [game]), ("t.status IN (?, ?)", stored), (takes_part, [player] * 2))
    where, values = ["1 = 1"], list[Any]()
    for condition, given in conditions:
        if given[0] is not None:
            where.append(condition)
            values += given
    if cursor is not None:
        created_at, tournament = read_row_cursor(cursor)
        where.append("(t.created_at < ? OR (t.created_at = ? AND t.id < ?))")
        values += [created_at, created_at, tournament]
    return " AND ".join(where), values
