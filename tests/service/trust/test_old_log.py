"""The log in a database of an older service: it is continued, and its tiles are built."""

from collections.abc import Callable

from kontor_games.domain.log_leaves import KeyLeaf, MatchLeaf
from kontor_games.domain.merkle import is_consistent
from kontor_games.service.kontor import Kontor
from tests.service.tables import LocalPlayer, start_match
from tests.service.trust.conftest import take_checkpoint
from tests.support.plain_tree import root_of

OLD_TABLES = (
    """CREATE TABLE checkpoint_leaves (
        place BIGINT PRIMARY KEY, match_id TEXT NOT NULL, version BIGINT NOT NULL, head TEXT NOT NULL)""",
    """CREATE TABLE checkpoints (
        size BIGINT PRIMARY KEY, root TEXT NOT NULL, taken_at BIGINT NOT NULL, signing_key TEXT NOT NULL,
        signature TEXT NOT NULL, seen BIGINT NOT NULL)""",
)


def downgrade_log(service: Kontor, leaves: list[MatchLeaf], seen: int) -> str:
    """Turn the tables of the log into those of an older service; return the root of its last checkpoint."""
    new = ("log_leaves", "log_tiles", "log_checkpoints", "log_cosignatures")
    root = root_of([leaf.hash for leaf in leaves])
    service.database.write(
        *((f"DROP TABLE {name}", ()) for name in new),
        *((sql, ()) for sql in OLD_TABLES),
        *(
            (
                "INSERT INTO checkpoint_leaves VALUES (?, ?, ?, ?)",
                [place, leaf.match, leaf.version, leaf.head],
            )
            for place, leaf in enumerate(leaves)
        ),
        ("INSERT INTO checkpoints VALUES (?, ?, 1, 'x', 'x', ?)", [len(leaves), root, seen]),
    )
    return root


def test_leaves_of_an_older_database_stay_where_they_were(
    service: Kontor, start: Callable[[], Kontor], one: LocalPlayer, other: LocalPlayer
) -> None:
    first, second = start_match(one, other), start_match(one, other)
    take_checkpoint(service)
    one.play(second)
    take_checkpoint(service)
    old = [leaf for leaf in service.checkpoints.leaves() if isinstance(leaf, MatchLeaf)]
    newest = service.database.read("SELECT MAX(seen) AS seen FROM log_checkpoints")[0]["seen"]
    root = downgrade_log(service, old, newest)
    upgraded = start()
    [key] = upgraded.signer.public_keys()
    assert list(upgraded.checkpoints.leaves()) == [*old, key.leaf, old[0], old[2]]
    latest = upgraded.checkpoints.latest()
    assert latest is not None
    assert latest.size == 6
    proof = upgraded.checkpoints.consistency(3, 6)
    assert is_consistent(3, root, 6, latest.root, proof)
    assert upgraded.checkpoints.take() is None, "nothing has changed since"
    upgraded.migrate()
    assert upgraded.checkpoints.latest() == latest
    one.play(first)
    assert take_checkpoint(upgraded).size == 7


def test_the_tiles_of_a_long_old_log_are_built(service: Kontor, start: Callable[[], Kontor]) -> None:
    old = [
        MatchLeaf(f"00000000-0000-4000-8000-{place % 500:012x}", place + 1, "a" * 64) for place in range(1200)
    ]
    root = downgrade_log(service, old, 0)
    upgraded = start()
    leaves = list(upgraded.checkpoints.leaves())
    assert leaves[:1200] == old
    assert isinstance(leaves[1200], KeyLeaf)
    assert len(leaves) == 1200 + 1 + 500
    latest = upgraded.checkpoints.latest()
    assert latest is not None
    assert latest.root == root_of([leaf.hash for leaf in leaves])
    proof = upgraded.checkpoints.consistency(1200, latest.size)
    assert is_consistent(1200, root, latest.size, latest.root, proof)
    tiles = upgraded.database.read("SELECT level, place, width FROM log_tiles ORDER BY level, place, width")
    assert [(row["level"], row["place"], row["width"]) for row in tiles] == [
        *((0, place, 256) for place in range(6)),
        (1, 0, 6),
    ]


def test_an_old_database_without_checkpoints_begins_with_its_key(
    service: Kontor, start: Callable[[], Kontor]
) -> None:
    downgrade_log(service, [], 0)
    service.database.write(("DELETE FROM checkpoints", ()))
    upgraded = start()
    [key] = upgraded.signer.public_keys()
    assert list(upgraded.checkpoints.leaves()) == [key.leaf]
    assert [one.size for one in upgraded.checkpoints.page(5)] == [1]
