"""Demand: S-13."""

from kontor_games.domain.games.speicherstadt.facts.demand import WorkerPlaced
from kontor_games.domain.games.speicherstadt.facts.purchase import BuyerPassedOver, CardOffered
from kontor_games.domain.games.speicherstadt.moves import PlaceWorker
from kontor_games.domain.games.speicherstadt.refusals import LineFullError
from tests.domain.games.speicherstadt.scenario import Scenario, refusal_of


def three_players() -> Scenario:
    return Scenario(3, first=1).row("bank", "port", "warehouse", "fireman_a1")


def test_from_the_first_player_clockwise_each_puts_one_worker_three_times_round() -> None:
    """S-13."""
    scenario = three_players()
    asked = []
    for _ in range(9):
        (seat,) = scenario.rules.to_act(scenario.state)
        asked.append(seat)
        scenario.when(seat, PlaceWorker("bank" if len(asked) < 5 else "port"))
    assert asked == [1, 2, 0] * 3


def test_a_worker_joins_the_end_of_the_line() -> None:
    """S-13."""
    scenario = three_players()
    assert scenario.when(1, PlaceWorker("port")) == [WorkerPlaced(1, "port")]
    assert scenario.when(2, PlaceWorker("port")) == [WorkerPlaced(2, "port")]
    assert scenario.state.lines == [(), (1, 2), (), ()]


def test_a_player_may_stand_several_times_in_one_line() -> None:
    """S-13."""
    scenario = three_players()
    for seat in (1, 2, 0, 1):
        scenario.when(seat, PlaceWorker("bank"))
    assert scenario.state.lines[0] == (1, 2, 0, 1)


def test_nobody_can_pass() -> None:
    """S-13: every legal move is a worker on a card of the row."""
    scenario = three_players()
    assert scenario.legal(1) == [
        PlaceWorker("bank"),
        PlaceWorker("port"),
        PlaceWorker("warehouse"),
        PlaceWorker("fireman_a1"),
    ]
    assert scenario.legal(0) == scenario.legal(2) == []


def test_the_last_worker_opens_the_purchase() -> None:
    """S-13, S-14: with five coins, the first three of eight in line can't pay."""
    scenario = three_players()
    for seat in (1, 2, 0) * 2 + (1, 2):
        scenario.when(seat, PlaceWorker("bank"))
    assert scenario.when(0, PlaceWorker("port")) == [
        WorkerPlaced(0, "port"),
        BuyerPassedOver(1, "bank", 8),
        BuyerPassedOver(2, "bank", 7),
        BuyerPassedOver(0, "bank", 6),
        CardOffered(1, "bank", 5),
    ]


def test_a_ninth_worker_finds_no_room() -> None:
    """S-13."""
    scenario = three_players()
    for seat in (1, 2, 0) * 2 + (1, 2):
        scenario.when(seat, PlaceWorker("bank"))
    assert PlaceWorker("bank") not in scenario.legal(0)
    assert len(scenario.legal(0)) == 3
    refused = refusal_of(scenario, 0, PlaceWorker("bank"))
    assert (type(refused), refused.rule) == (LineFullError, "S-13")
