"""The pairing benchmark with few entrants: counts the computations instead of measuring time."""

from collections.abc import Callable, Sequence

import pytest

from kontor_games.domain.tournaments.pairing import formats, tables
from kontor_games.domain.tournaments.pairing.entrants import History
from tests.bench.pairing import FIELDS, Field, paired_rounds, quality_of, started

SIZES = (200, 800)


@pytest.fixture
def computed_costs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that grows by one item for each table whose cost is computed."""
    counted: list[int] = []

    def counting(cost: Callable[[History, Sequence[int]], int]) -> Callable[[History, Sequence[int]], int]:
        def counted_cost(history: History, entrants: Sequence[int]) -> int:
            counted.append(1)
            return cost(history, entrants)

        return counted_cost

    monkeypatch.setattr(tables.improve, "__defaults__", (counting(tables.table_cost),))
    monkeypatch.setattr(formats, "meeting_cost", counting(tables.meeting_cost))
    monkeypatch.setattr(formats, "_forbidden_only", counting(formats._forbidden_only))
    return counted


@pytest.mark.parametrize(
    "field", [field for field in FIELDS if field.most > SIZES[-1]], ids=lambda field: field.name
)
def test_the_work_grows_no_faster_than_the_field_and_the_rounds_are_good(
    field: Field, computed_costs: list[int]
) -> None:
    work = []
    for entrants in SIZES:
        computed_costs.clear()
        tournament = started(field, entrants)
        list(paired_rounds(tournament, 4))
        work.append(len(computed_costs))
    assert work[1] <= 6 * work[0], "four times the entrants"
    found = quality_of(tournament)
    if field.terms["format"] != "knockout":
        assert found.repeats <= found.meetings // 100
        assert found.seat_imbalance <= 1.5


def test_in_a_round_robin_nobody_meets_twice() -> None:
    field = FIELDS[-1]
    tournament = started(field, field.most)
    assert len(list(paired_rounds(tournament, 8))) == 8
    assert quality_of(tournament).repeats == 0
