"""The index by which players are searched for and sorted by name."""

import unicodedata

from kontor_games.service.store.database import Statement

NAME_TABLES = (
    "CREATE TABLE IF NOT EXISTS player_names (player TEXT PRIMARY KEY, folded TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS player_names_by_name ON player_names (folded, player)",
)


def folded(name: str) -> str:
    """The sort key of a name: case-folded, and in hex, so that every database sorts it in the same way."""
    return unicodedata.normalize("NFKC", name).casefold().encode().hex()


def name_row(player: str, name: str) -> Statement:
    """The statement that adds a player to the name index."""
    return (
        "INSERT INTO player_names VALUES (?, ?) ON CONFLICT (player) DO UPDATE SET folded = excluded.folded",
        (player, folded(name)),
    )
