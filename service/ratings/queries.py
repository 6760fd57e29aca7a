"""Reads the ladders: pages by rank, and the ratings of a player with their history."""

import struct
from itertools import pairwise
from typing import Any
from uuid import UUID

from msgspec import Struct

from kontor_games.domain.games import installed_games
from kontor_games.domain.ladders import Kind, Ladder
from kontor_games.service.answer_fields import Id, Inline, Moment
from kontor_games.service.cursor import read_cursor, write_cursor
from kontor_games.service.errors import NotFoundError
from kontor_games.service.people.players import Player, Players
from kontor_games.service.ratings.model import Rating
from kontor_games.service.store.database import Database

HISTORY = 200
"""Number of points in the history of a player, the newest ones."""
_CURSOR = struct.Struct(">d16s")
_LISTED = (
    "FROM ratings r JOIN players p ON p.id = r.player AND p.name IS NOT NULL WHERE r.game = ? AND r.kind = ?"
)


class RatingPoint(Struct, frozen=True):
    """The rating of a player after a match."""

    match: Id
    """Id of the match."""
    at: Moment
    """Time at which the match ended."""
    place: int
    """Place of the player in the match; 1 is best."""
    mean: float
    """Estimated strength after the match."""
    deviation: float
    """Standard deviation of the estimate."""


class LadderFigures(Struct, frozen=True):
    """The position of a player in a ladder (docs/ratings.md)."""

    rank: int
    """Rank by `conservative`, from 1; players with equal values share a rank."""
    mean: float
    """Estimated strength; 25 for a new player."""
    deviation: float
    """Standard deviation of the estimate."""
    conservative: float
    """The rating: `mean` minus three times `deviation`."""
    matches: int
    """Number of rated matches."""
    at: Moment
    """Time at which the last rated match ended."""


class LadderEntry(Struct, frozen=True):
    """One line of a ladder."""

    player: Player
    standing: Inline[LadderFigures]


class LadderPage(Struct, frozen=True):
    """One page of a ladder, the strongest first."""

    game: str
    """The game."""
    kind: str
    """The ladder: people or programs."""
    ratings: tuple[LadderEntry, ...]
    """The players."""
    next: str | None
    """Cursor of the next page; null on the last page."""


class PlayerRating(Struct, frozen=True):
    """A player in one ladder."""

    game: str
    """The game."""
    kind: str
    """The ladder: people or programs."""
    standing: Inline[LadderFigures]
    history: tuple[RatingPoint, ...]
    """The last 200 rated matches, oldest first."""


class RatingQueries:
    """Reads ratings. Players whose accounts were deleted are not listed."""

    def __init__(self, database: Database, players: Players) -> None:
        self._database = database
        self._players = players

    def page(self, game: str, kind: Kind, cursor: str | None, limit: int) -> LadderPage:
        """One page of a ladder, the strongest first; players with the same figure share a rank."""
        if game not in installed_games():
            raise NotFoundError("There is no such game. There are " + ", ".join(installed_games()) + ".")
        ladder = Ladder(game, kind)
        where, values = "", list[Any](ladder)
        if cursor is not None:
            figure, player = read_cursor(cursor, _CURSOR.unpack)
            where = " AND (r.conservative < ? OR (r.conservative = ? AND r.player > ?))"
            values += [figure, figure, str(UUID(bytes=player))]
        rows = self._database.read(
            f"SELECT r.* {_LISTED}{where} ORDER BY r.conservative DESC, r.player LIMIT ?",
            [*values, limit + 1],
        )
        shown = rows[:limit]
        known = self._players.get_many(row["player"] for row in shown)
        ranks = self._ranks(ladder, shown)
        entries = tuple(
            LadderEntry(known[row["player"]], _standing(row, rank))
            for row, rank in zip(shown, ranks, strict=True)
            if row["player"] in known
        )
        last = shown[-1] if len(rows) > limit else None
        packed = last and _CURSOR.pack(last["conservative"], UUID(last["player"]).bytes)
        return LadderPage(game, kind, entries, write_cursor(packed) if packed else None)

    def _ranks(self, ladder: Ladder, rows: list[dict[str, Any]]) -> list[int]:
        """The ranks of consecutive rows of a ladder."""
        if not rows:
            return []
        first = self._rank(ladder, rows[0]["conservative"])
        before = self._database.read(
            f"SELECT COUNT(*) AS count {_LISTED} AND r.conservative = ? AND r.player < ?",
            [*ladder, rows[0]["conservative"], rows[0]["player"]],
        )[0]["count"]
        ranks, place = [first], first + before
        for above, row in pairwise(rows):
            place += 1
            ranks.append(ranks[-1] if row["conservative"] == above["conservative"] else place)
        return ranks

    def _rank(self, ladder: Ladder, figure: float) -> int:
        sql = f"SELECT COUNT(*) AS above {_LISTED} AND r.conservative > ?"
        return int(self._database.read(sql, [*ladder, figure])[0]["above"]) + 1

    def of_player(self, player: str) -> tuple[PlayerRating, ...]:
        """The ratings of a player in all ladders, with their history."""
        query = "SELECT * FROM ratings WHERE player = ? ORDER BY game, kind"
        return tuple(self._player_rating(player, row) for row in self._database.read(query, [player]))

    def _player_rating(self, player: str, row: dict[str, Any]) -> PlayerRating:
        ladder = Ladder(row["game"], row["kind"])
        points = self._database.read(
            "SELECT match_id, ended_at, place, mean, deviation FROM rating_points"
            " WHERE player = ? AND game = ? AND kind = ? ORDER BY ended_at DESC, match_id DESC LIMIT ?",
            [player, *ladder, HISTORY],
        )
        history = tuple(
            RatingPoint(one["match_id"], Moment(one["ended_at"]), one["place"], one["mean"], one["deviation"])
            for one in reversed(points)
        )
        return PlayerRating(*ladder, _standing(row, self._rank(ladder, row["conservative"])), history)

    def rating(self, ladder: Ladder, player: str) -> Rating:
        """The rating of a player in a ladder; the initial rating if they have none."""
        query = "SELECT mean, deviation, matches FROM ratings WHERE player = ? AND game = ? AND kind = ?"
        rows = self._database.read(query, [player, *ladder])
        return Rating(rows[0]["mean"], rows[0]["deviation"], rows[0]["matches"]) if rows else Rating()


def _standing(row: dict[str, Any], rank: int) -> LadderFigures:
    at = Moment(row["ended_at"])
    return LadderFigures(rank, row["mean"], row["deviation"], row["conservative"], row["matches"], at)
