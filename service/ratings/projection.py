"""The ladders as a projection of facts: it can be dropped and rebuilt with identical figures.

Matches count in the order in which they ended, by (time of the last fact, id). The row of a rated match is
written in the transaction of its last fact. If a match becomes known after later ones were counted, those are
rolled back and counted again, so that the figures never depend on when the projection ran.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from eventsourcing.persistence import IntegrityError

from kontor_games.domain.ladders import Ladder, RatedResult, rated_result
from kontor_games.domain.match import Match
from kontor_games.service.ratings.model import Rating, rate
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.store.match_cache import MatchCache


def rated_rows(match_id: str, before: Match, after: Match, at: int) -> list[Statement]:
    """The statement that stores the end of a rated match, for the transaction of its last fact."""
    ended = after.status == "finished" and (not before.version or before.status != "finished")
    result = rated_result(after) if ended else None
    return [] if result is None else [insert_rated(match_id, at, result)]


def insert_rated(match_id: str, ended_at: int, result: RatedResult) -> Statement:
    """The statement that stores a rated match; it is counted soon after."""
    values = [match_id, *result.ladder, ended_at, json.dumps(result.players), json.dumps(result.places)]
    return (
        "INSERT INTO rated_matches VALUES (?, ?, ?, ?, ?, ?, 0) ON CONFLICT (match_id) DO UPDATE SET"
        " game = excluded.game, kind = excluded.kind, ended_at = excluded.ended_at,"
        " players = excluded.players, places = excluded.places, counted = 0",
        values,
    )


_BATCH = 100
_PAGE = 200
_AFTER = "(ended_at, match_id) > (?, ?)"


class _RatedMatch(NamedTuple):
    """A rated match that is to be counted."""

    match_id: str
    ended_at: int
    result: RatedResult


class RatingProjection:
    """Counts rated matches that have ended."""

    def __init__(self, database: Database, cache: MatchCache, clock: Callable[[], int]) -> None:
        self._database = database
        self._cache = cache
        self._clock = clock

    def count_new(self) -> int:
        """Count a batch of the matches that have not been counted yet; return their number."""
        query = "SELECT DISTINCT game, kind FROM rated_matches WHERE counted = 0"
        ladders = [Ladder(row["game"], row["kind"]) for row in self._database.read(query)]
        try:
            return sum(map(self._count_ladder, ladders))
        except IntegrityError:  # another process has counted the same matches
            return 1

    def _count_ladder(self, ladder: Ladder) -> int:
        self._roll_back_after_late(ladder)
        rows = self._database.read(
            "SELECT * FROM rated_matches WHERE counted = 0 AND game = ? AND kind = ?"
            " ORDER BY ended_at, match_id LIMIT ?",
            [*ladder, _BATCH],
        )
        self._count([_counted(row) for row in rows], ladder)
        return len(rows)

    def _roll_back_after_late(self, ladder: Ladder) -> None:
        """Roll back the matches that were counted after a match that became known late."""
        first = self._database.read(
            "SELECT ended_at, match_id FROM rated_matches WHERE counted = 0 AND game = ? AND kind = ?"
            " ORDER BY ended_at, match_id LIMIT 1",
            ladder,
        )
        if not first:
            return
        at, match_id = first[0]["ended_at"], first[0]["match_id"]
        later = self._database.read(
            f"SELECT DISTINCT player FROM rating_points WHERE game = ? AND kind = ? AND {_AFTER}",  # noqa: S608
            [*ladder, at, match_id],
        )
        if later:
            self._database.write(*self._rollback(ladder, at, match_id, [row["player"] for row in later]))

    def _rollback(
        self, ladder: Ladder, at: int, match_id: str, players: Sequence[str]
    ) -> Iterable[Statement]:
        """The statements that restore the ratings of players after the last match before another."""
        after = [*ladder, at, match_id]
        yield f"DELETE FROM rating_points WHERE game = ? AND kind = ? AND {_AFTER}", after  # noqa: S608
        yield f"UPDATE rated_matches SET counted = 0 WHERE game = ? AND kind = ? AND {_AFTER}", after  # noqa: S608
        for player in sorted(players):
            yield "DELETE FROM ratings WHERE player = ? AND game = ? AND kind = ?", [player, *ladder]
            newest_before = self._database.read(
                "SELECT * FROM rating_points WHERE player = ? AND game = ? AND kind = ?"
                " AND (ended_at, match_id) < (?, ?) ORDER BY ended_at DESC, match_id DESC LIMIT 1",
                [player, *ladder, at, match_id],
            )
            for row in newest_before:
                yield _rating_row(ladder, player, _rating_of(row), row["ended_at"])

    def _count(self, matches: Sequence[_RatedMatch], ladder: Ladder) -> None:
        ratings = self._ratings(ladder, {player for one in matches for player in one.result.players})
        ended: dict[str, int] = {}
        statements: list[Statement] = []
        for one in matches:
            players, places = one.result.players, one.result.places
            before = [ratings.get(player, Rating()) for player in players]
            for player, place, after in zip(players, places, rate(ladder.kind, before, places), strict=True):
                ratings[player], ended[player] = after, one.ended_at
                values = [*ladder, player, one.ended_at, one.match_id, place, *after]
                statements.append(("INSERT INTO rating_points VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values))
            statements.append(("UPDATE rated_matches SET counted = 1 WHERE match_id = ?", [one.match_id]))
        statements += [_rating_row(ladder, player, ratings[player], at) for player, at in ended.items()]
        if statements:
            self._database.write(*statements)

    def _ratings(self, ladder: Ladder, players: Iterable[str]) -> dict[str, Rating]:
        rows = self._database.read_many("SELECT * FROM ratings WHERE player IN ({})", sorted(players))
        return {row["player"]: _rating_of(row) for row in rows if (row["game"], row["kind"]) == ladder}

    def rebuild(self) -> int:
        """Recompute all ratings from the facts of all matches; return the number of rated matches."""
        started, found = self._clock(), list(self._from_facts())
        ids = {match_id for match_id, _, _ in found}
        known = self._database.read("SELECT match_id FROM rated_matches WHERE ended_at < ?", [started])
        self._database.write(
            ("DELETE FROM rating_points", ()),
            ("DELETE FROM ratings", ()),
            *(
                ("DELETE FROM rated_matches WHERE match_id = ?", [row["match_id"]])
                for row in known
                if row["match_id"] not in ids
            ),
            *(insert_rated(match_id, ended_at, result) for match_id, ended_at, result in found),
        )
        while self.count_new():
            pass
        return len(found)

    def _from_facts(self) -> Iterable[_RatedMatch]:
        rows = self._database.read("SELECT id FROM matches WHERE status = 'finished' ORDER BY id")
        ids = [UUID(row["id"]) for row in rows]
        for start in range(0, len(ids), _PAGE):
            for cached in self._cache.load_many(ids[start : start + _PAGE]):
                result = rated_result(cached.state)
                if result is not None:
                    yield _RatedMatch(cached.name, cached.state.at, result)


def _counted(row: dict[str, Any]) -> _RatedMatch:
    ladder = Ladder(row["game"], row["kind"])
    result = RatedResult(ladder, tuple(json.loads(row["players"])), tuple(json.loads(row["places"])))
    return _RatedMatch(row["match_id"], row["ended_at"], result)


def _rating_of(row: dict[str, Any]) -> Rating:
    return Rating(row["mean"], row["deviation"], row["matches"])


def _rating_row(ladder: Ladder, player: str, rating: Rating, ended_at: int) -> Statement:
    values = [*ladder, player, rating.mean, rating.deviation, rating.conservative, rating.matches, ended_at]
    return (
        "INSERT INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (player, game, kind) DO UPDATE SET"
        " mean = excluded.mean, deviation = excluded.deviation, conservative = excluded.conservative,"
        " matches = excluded.matches, ended_at = excluded.ended_at",
        values,
    )
