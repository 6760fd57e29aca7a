"""Migrates the log of an older database to the current tables; the leaves keep their order.

Older services kept leaves in `checkpoint_leaves`, without tiles and without keys. After the old leaves come
the signing keys, and then the newest leaf of each match once more, so that every match has a leaf after the
keys.
"""

from kontor_games.domain.tiles import WIDTH, grown_tiles
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.trust.log_store import LogStore, hashed, tile_row

_BATCH = 256 * WIDTH
_MOVE = (
    """INSERT INTO log_leaves SELECT place, match_id, version,
        '{"head":"' || head || '","match":"' || match_id || '","version":' || version || '}'
        FROM checkpoint_leaves""",
    """INSERT INTO log_leaves SELECT
        (SELECT COUNT(*) FROM checkpoint_leaves) + ROW_NUMBER() OVER (ORDER BY created_at, id) - 1, id, NULL,
        '{"key":"' || id || '","public_key":"' || public_key || '","valid_from":' || created_at || '}'
        FROM signing_keys""",
    """INSERT INTO log_leaves SELECT
        (SELECT COUNT(*) FROM checkpoint_leaves) + (SELECT COUNT(*) FROM signing_keys)
        + ROW_NUMBER() OVER (ORDER BY place) - 1, match_id, version,
        '{"head":"' || head || '","match":"' || match_id || '","version":' || version || '}'
        FROM checkpoint_leaves a
        WHERE place = (SELECT MAX(place) FROM checkpoint_leaves b WHERE b.match_id = a.match_id)""",
    "DROP TABLE checkpoint_leaves",
)


def _has_table(database: Database, name: str) -> bool:
    sql = (
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?"
        if database.is_postgres
        else "SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?"
    )
    return bool(database.read(sql, [name]))


def copy_old_leaves(database: Database) -> list[Statement]:
    """Return the statements that move the leaves of an older database; none if it has no such leaves."""
    return [(sql, ()) for sql in _MOVE] if _has_table(database, "checkpoint_leaves") else []


def build_tiles(database: Database, log: LogStore) -> None:
    """Store the tiles that are missing."""
    [row] = database.read("SELECT MAX(place) AS last FROM log_tiles WHERE level = 0")
    size = 0 if row["last"] is None else (int(row["last"]) + 1) * WIDTH
    end = log.size() // WIDTH * WIDTH
    while size < end:
        contents = log.contents(size, min(end, size + _BATCH))
        tiles = grown_tiles(log.tile, size, hashed(contents))
        database.write(*(tile_row(*tile) for tile in tiles))
        size += len(contents)


def old_position(database: Database) -> int | None:
    """Return the last stored event that an old checkpoint covers; None if there are no old checkpoints."""
    if not _has_table(database, "checkpoints"):
        return None
    [row] = database.read("SELECT MAX(seen) AS seen FROM checkpoints")
    return int(row["seen"] or 0)
