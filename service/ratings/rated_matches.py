"""The rows of rated matches that have ended, written in the transaction of their last fact."""

import json

from kontor_games.domain.ladders import RatedResult, rated_result
from kontor_games.domain.match import Match
from kontor_games.service.store.database import Statement

RATING_TABLES = (
    """CREATE TABLE IF NOT EXISTS rated_matches (
        match_id TEXT PRIMARY KEY, game TEXT NOT NULL, kind TEXT NOT NULL, ended_at BIGINT NOT NULL,
        players TEXT NOT NULL, places TEXT NOT NULL, counted INTEGER NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS rated_matches_by_order ON rated_matches"
    " (counted, game, kind, ended_at, match_id)",
    """CREATE TABLE IF NOT EXISTS rating_points (
        game TEXT NOT NULL, kind TEXT NOT NULL, player TEXT NOT NULL, ended_at BIGINT NOT NULL,
        match_id TEXT NOT NULL, place INTEGER NOT NULL, mean DOUBLE PRECISION NOT NULL,
        deviation DOUBLE PRECISION NOT NULL, matches BIGINT NOT NULL,
        PRIMARY KEY (player, game, kind, ended_at, match_id))""",
    "CREATE INDEX IF NOT EXISTS rating_points_by_order ON rating_points (game, kind, ended_at, match_id)",
    """CREATE TABLE IF NOT EXISTS ratings (
        game TEXT NOT NULL, kind TEXT NOT NULL, player TEXT NOT NULL, mean DOUBLE PRECISION NOT NULL,
        deviation DOUBLE PRECISION NOT NULL, conservative DOUBLE PRECISION NOT NULL, matches BIGINT NOT NULL,
        ended_at BIGINT NOT NULL, PRIMARY KEY (player, game, kind))""",
    "CREATE INDEX IF NOT EXISTS ratings_by_rank ON ratings (game, kind, conservative, player)",
)


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
