"""The rows by which matches are listed, written in the transaction of the facts that change them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.house_bots import is_searched
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import SeatTaken
from kontor_games.domain.stream import Entry
from kontor_games.service.cursor import read_row_cursor
from kontor_games.service.errors import NotFoundError
from kontor_games.service.people.tokens import Caller
from kontor_games.service.ratings.projection import rated_rows
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.store.match_cache import CachedMatch

_RATED = "*rated"
"""Stored as a tag of rated matches; creators can't choose a tag with an asterisk."""
_TAKES_PART = "EXISTS (SELECT 1 FROM match_players p WHERE p.match_id = m.id AND p.player = ?)"
_IS_RATED = "EXISTS (SELECT 1 FROM match_tags t WHERE t.match_id = m.id AND t.tag = ?)"
_TAGGED = "m.id IN (SELECT t.match_id FROM match_tags t WHERE t.tag = ?)"
"""Unlike EXISTS, this lets SQLite begin with the few matches of a tag."""
_IN_TOURNAMENT = "m.id IN (SELECT t.match_id FROM tournament_matches t WHERE t.tournament = ?)"


def listing_rows(cached: CachedMatch, before: Match, after: Match, entry: Entry) -> Sequence[Statement]:
    """The statements that keep the rows of a match up to date when its status or its seats have changed."""
    if before.version and _listed_as(before) == _listed_as(after):
        return ()
    text, at, statements = cached.name, entry.at, list[Statement]()
    if not before.version:
        created = after.created
        clock = int(created.sealed or created.clock != ClockSettings())
        flags = [int(created.private), created.creator, _bots(after), clock]
        values = [text, created.game, after.status, *flags, at, at]
        statements.append(("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values))
        statements += _expiry_row(text, after)
        tags = [*created.tags, _RATED] if created.rated else created.tags
        statements += [("INSERT INTO match_tags VALUES (?, ?)", [tag, text]) for tag in tags]
    elif before.status != after.status:
        update = "UPDATE matches SET status = ?, changed_at = ? WHERE id = ?"
        statements.append((update, [after.status, at, text]))
        statements += [("DELETE FROM match_expiries WHERE match_id = ?", [text]), *_expiry_row(text, after)]
    if before.version and _bots(before) != _bots(after):
        statements.append(("UPDATE matches SET bots = ? WHERE id = ?", [_bots(after), text]))
    statements += rated_rows(text, before, after, at)
    players_before, players_after = _players(before) if before.version else set(), _players(after)
    insert = "INSERT INTO match_players VALUES (?, ?)"
    delete = "DELETE FROM match_players WHERE player = ? AND match_id = ?"
    statements += [(insert, [player, text]) for player in sorted(players_after - players_before)]
    return statements + [(delete, [player, text]) for player in sorted(players_before - players_after)]


def _listed_as(match: Match) -> tuple[str, list[SeatTaken | None], tuple[int, ...]]:
    """The parts of a match on which its rows in lists depend."""
    return match.status, match.seats, match.declined


def _bots(match: Match) -> int:
    """0 for a match without house bots, 2 for one in which a bot searches."""
    return 2 if is_searched(match) else int(any(taken and taken.house for taken in match.seats))


def _expiry_row(match_id: str, match: Match) -> list[Statement]:
    insert = "INSERT INTO match_expiries VALUES (?, ?)"
    return [] if match.expiry is None else [(insert, [match_id, match.expiry])]


def _players(match: Match) -> set[str]:
    """The players in whose lists the match appears."""
    seats = range(len(match.seats)) if match.status == "open" else ()
    invited = {player for seat in seats if (player := match.reserved_for(seat))}
    seated = {taken.player for taken in match.seats if taken and taken.house is None}
    return {match.created.creator} | invited | seated


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """The filters of a list of matches; None: all."""

    game: str | None = None
    status: str | None = None
    player: str | None = None
    creator: str | None = None
    tournament: str | None = None
    tag: str | None = None
    rated: bool | None = None

    def conditions(self) -> list[tuple[str, Any]]:
        rated = _IS_RATED if self.rated else f"NOT {_IS_RATED}"
        found = [
            ("m.game = ?", self.game),
            ("m.status = ?", self.status),
            (_TAKES_PART, self.player),
            ("m.creator = ?", self.creator),
            (_IN_TOURNAMENT, self.tournament),
            (_TAGGED, self.tag),
            (rated, None if self.rated is None else _RATED),
        ]
        return [(condition, value) for condition, value in found if value is not None]


def listing_filters(
    caller: Caller | None, filters: MatchFilter, cursor: str | None
) -> tuple[list[str], list[Any]]:
    """The conditions for the rows that the caller may see and asks for."""
    where = [f"(m.private = 0 OR {_TAKES_PART})"]
    values: list[Any] = [caller.player if caller else ""]
    for condition, value in filters.conditions():
        where.append(condition)
        values.append(value)
    if cursor is not None:
        where.append("(m.created_at, m.id) < (?, ?)")
        values += read_row_cursor(cursor)
    return where, values


def require_listed(database: Database, caller: Caller | None, match_id: str) -> None:
    """Raise NotFoundError if a damaged match, whose facts can't be read, is not listed for the caller."""
    where, values = listing_filters(caller, MatchFilter(), None)
    sql = f"SELECT 1 AS found FROM matches m WHERE m.id = ? AND {where[0]}"  # noqa: S608
    if not database.read(sql, [match_id, *values]):
        raise NotFoundError("There is no such match.")
