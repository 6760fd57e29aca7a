"""Reading the new entries of many matches looks each match up in the index, however many rows there are."""

from uuid import UUID, uuid4

import psycopg
import pytest

from kontor_games.service.store.postgres_recorder import _SELECT_MANY

MATCHES, ENTRIES = 300, 60
_FILL = """INSERT INTO kontor_events (originator_id, originator_version, topic, state)
    SELECT match, version, 'match.play', 'x'
    FROM unnest(%s) AS matches (match), generate_series(1, %s) AS version"""


@pytest.mark.parametrize("read", [1, 16, 64])
def test_no_plan_scans_the_table(migrated_database_url: str, read: int) -> None:
    matches = [uuid4() for _ in range(MATCHES)]
    with psycopg.connect(migrated_database_url) as connection:
        connection.execute(_FILL, (matches, ENTRIES))
        connection.execute("ANALYZE kontor_events")
        wanted = (matches[:read], [ENTRIES - 2] * read)
        plan = "\n".join(line for (line,) in connection.execute(f"EXPLAIN {_SELECT_MANY}", wanted))
        found = connection.execute(_SELECT_MANY, wanted).fetchall()
        connection.rollback()
    assert "Seq Scan" not in plan
    assert _versions(found) == {match: [ENTRIES - 1, ENTRIES] for match in matches[:read]}


def _versions(rows: list[tuple[UUID, int, str, bytes]]) -> dict[UUID, list[int]]:
    versions: dict[UUID, list[int]] = {}
    for match, version, *_ in rows:
        versions.setdefault(match, []).append(version)
    return versions
