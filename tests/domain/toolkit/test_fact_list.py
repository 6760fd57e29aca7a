"""The facts of a game are collected from the modules of its chapters."""

from kontor_games.domain.games.speicherstadt.facts import demand, loading
from kontor_games.domain.toolkit.fact_list import facts_in


def test_facts_are_listed_in_the_order_of_their_definition_without_base_classes_and_imports() -> None:
    assert facts_in(demand, loading) == (
        demand.WorkerPlaced,
        loading.LoadingBegun,
        loading.CubeDelivered,
        loading.CubeSold,
        loading.CubeStored,
        loading.CubeKept,
        loading.CubeTakenOut,
        loading.CubesConverted,
        loading.TwoCubesSold,
        loading.LoadingFinished,
        loading.CubesLost,
    )
