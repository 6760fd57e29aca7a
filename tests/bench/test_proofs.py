"""The benchmark of proofs with a small log: counts the rows read instead of measuring time."""

from collections.abc import Iterator

import pytest

from kontor_games.domain.merkle import is_consistent
from kontor_games.service.store.database import Database
from tests.bench.proofs import BigLog, big_log

SIZE = 70_000


@pytest.fixture(scope="module")
def log() -> Iterator[BigLog]:
    with big_log(SIZE, 30) as made:
        yield made


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of rows of each query."""
    counted: list[int] = []
    read = Database.read

    def counting(self: Database, sql: str, values: tuple[object, ...] = ()) -> list[dict[str, object]]:
        rows = read(self, sql, values)
        counted.append(len(rows))
        return rows

    monkeypatch.setattr(Database, "read", counting)
    return counted


def test_an_inclusion_proof_reads_a_few_tiles(log: BigLog, reads: list[int]) -> None:
    for place in log.places:
        reads.clear()
        assert len(log.inclusion(place)) <= 17
        assert len(reads) <= 2 + 2 * 3 + 2, "checkpoint and leaf, at most two tiles a level, the last leaves"
        assert sum(reads) <= 10 + 256


def test_a_consistency_proof_reads_a_few_tiles(log: BigLog, reads: list[int]) -> None:
    for place in log.places:
        reads.clear()
        proof = log.consistency(place + 1)
        assert len(reads) <= 1 + 2 * 3 + 2
        assert log.is_grown_from(place + 1, proof)
    assert not is_consistent(1, "0" * 64, SIZE, log.root, log.consistency(1))


def test_an_append_reads_the_right_edge_only(log: BigLog, reads: list[int]) -> None:
    for leaves in (1, 100, 1000):
        reads.clear()
        log.append(leaves)
        assert len(reads) <= 12
        assert sum(reads) <= 12 + 3 * 256
