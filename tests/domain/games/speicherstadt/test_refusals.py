"""Every refusal by name, with the number of its rule and the state untouched."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from kontor_games.domain.game import (
    MatchOverError,
    Move,
    NoSuchSeatError,
    NotYourTurnError,
    Refusal,
    UnknownMoveError,
    WrongPhaseError,
    record,
)
from kontor_games.domain.games.speicherstadt import refusals
from kontor_games.domain.games.speicherstadt.facts.ending import GameEnded
from kontor_games.domain.games.speicherstadt.moves import (
    Buy,
    Convert,
    Decline,
    FinishLoading,
    KeepCube,
    PlaceWorker,
    PutOnContract,
    SellToMerchant,
    SellTwo,
    StoreCube,
    TakeOut,
)
from kontor_games.domain.games.speicherstadt.refusals import (
    CardNotInRowError,
    CubeNotThereError,
    LineFullError,
    MarketHallFullError,
    NoOpenPlaceError,
    NoSuchMerchantError,
    NotInStockError,
    NotYourContractError,
    NoWarehouseError,
    WarehouseFullError,
)
from tests.domain.games.speicherstadt.scenario import Scenario, refusal_of


@record
class OfferTrade(Move):
    """A move of some other game."""

    seat: int


def demand() -> Scenario:
    return Scenario(3).row("bank", "port", "warehouse", "fireman_a1")


def purchase() -> Scenario:
    return Scenario(3).row("bank", "port").lines(bank=[1, 0]).offered()


def loading(**options: Any) -> Scenario:
    """Seat 0 loads tea, tea and coffee; it owns a contract for tea and carpet, and the spice trader."""
    scenario = (
        Scenario(3, **options)
        .stock(["saffron"], "ship_b2")
        .owns(0, "contract_b1", "spice_trader")
        .owns(1, "contract_a1")
    )
    return scenario.owns(0, "ship_b1", cubes=["tea", "tea", "coffee"]).kept(2, "tea", "ship_b3").loading(0, 2)


def full_warehouse() -> Scenario:
    scenario = Scenario(2).owns(0, "warehouse").stored(0, ["tea"] * 4, "ship_b1")
    return scenario.owns(0, "ship_b2", cubes=["tea", "coffee"]).loading(0)


def full_market_hall() -> Scenario:
    return Scenario(2).kept(0, "tea", "ship_b1").owns(0, "ship_b2", cubes=["coffee"]).loading(0)


def over() -> Scenario:
    return demand().given(GameEnded((), (), (1, 2, 3)))


def ninth_worker() -> Scenario:
    scenario = demand()
    for seat in (0, 1, 2) * 2 + (0, 1):
        scenario.when(seat, PlaceWorker("bank"))
    return scenario


CASES: list[tuple[type[Refusal], str, Callable[[], Scenario], int, Move]] = [
    # kind of refusal, rule, position, seat, move
    (UnknownMoveError, "S-13", demand, 0, OfferTrade(1)),
    (MatchOverError, "S-30", over, 0, PlaceWorker("bank")),
    (NoSuchSeatError, "S-1", demand, 3, PlaceWorker("bank")),
    (NoSuchSeatError, "S-1", demand, -1, PlaceWorker("bank")),
    (NotYourTurnError, "S-13", demand, 1, PlaceWorker("bank")),
    (NotYourTurnError, "S-14", purchase, 0, Buy()),
    (NotYourTurnError, "S-14", purchase, 2, Decline()),
    (NotYourTurnError, "S-18", loading, 2, FinishLoading()),
    (WrongPhaseError, "S-14", demand, 0, Buy()),
    (WrongPhaseError, "S-13", purchase, 1, PlaceWorker("port")),
    (WrongPhaseError, "S-19", purchase, 1, KeepCube("tea", "quay")),
    (WrongPhaseError, "S-20", demand, 0, FinishLoading()),
    (CardNotInRowError, "S-13", demand, 0, PlaceWorker("st_michaelis")),
    (CardNotInRowError, "S-13", demand, 0, PlaceWorker("no such card")),
    (LineFullError, "S-13", ninth_worker, 2, PlaceWorker("bank")),
    (CubeNotThereError, "S-19", loading, 0, KeepCube("carpet", "quay")),
    (CubeNotThereError, "S-19", loading, 0, KeepCube("tea", "warehouse")),
    (CubeNotThereError, "S-19", loading, 0, TakeOut("tea", "market_hall")),
    (CubeNotThereError, "S-19", loading, 0, TakeOut("tea", "warehouse")),
    (CubeNotThereError, "S-19", loading, 0, SellToMerchant("saffron", "quay")),
    (CubeNotThereError, "S-19", loading, 0, PutOnContract("contract_b1", "carpet", "quay")),
    (CubeNotThereError, "S-19", loading, 0, PutOnContract("contract_b1", "tea", "market_hall")),
    (CubeNotThereError, "S-19", loading, 0, SellTwo(("coffee", "coffee"))),
    (CubeNotThereError, "S-19", loading, 0, Convert(("tea", "tea", "tea"), "saffron")),
    (NotYourContractError, "S-19", loading, 0, PutOnContract("contract_a1", "coffee", "quay")),
    (NotYourContractError, "S-19", loading, 0, PutOnContract("no such card", "coffee", "quay")),
    (NoOpenPlaceError, "S-19", loading, 0, PutOnContract("contract_b1", "coffee", "quay")),
    (NoSuchMerchantError, "S-19", loading, 0, SellToMerchant("tea", "quay")),
    (NoWarehouseError, "S-19", loading, 0, StoreCube("tea", "quay")),
    (WarehouseFullError, "S-19", full_warehouse, 0, StoreCube("tea", "quay")),
    (MarketHallFullError, "S-19", full_market_hall, 0, KeepCube("coffee", "quay")),
    (NotInStockError, "S-19", loading, 0, Convert(("tea", "tea", "coffee"), "rubber")),
    (NotInStockError, "S-19", loading, 0, Convert(("tea", "tea", "coffee"), "tea")),
]


@pytest.mark.parametrize(
    ("kind", "rule", "position", "seat", "move"),
    CASES,
    ids=[f"{case[0].__name__}-{case[2].__name__}-{n}" for n, case in enumerate(CASES)],
)
def test_a_refusal_says_why_and_by_which_rule(
    kind: type[Refusal], rule: str, position: Callable[[], Scenario], seat: int, move: Move
) -> None:
    refused = refusal_of(position(), seat, move)
    assert (type(refused), refused.rule) == (kind, rule)
    assert re.fullmatch(r"[A-Z].*[^.]\.", refused.detail), "a sentence with a capital and a full stop"
    assert "_" not in refused.detail.replace(getattr(move, "card", "") or getattr(move, "contract", ""), "")


def test_a_player_who_has_finished_loading_cannot_resume() -> None:
    """S-18, option `simultaneous_loading`."""
    scenario = loading(simultaneous=True)
    scenario.when(0, FinishLoading())
    refused = refusal_of(scenario, 0, KeepCube("tea", "quay"))
    assert (type(refused), refused.rule) == (NotYourTurnError, "S-18")


def test_the_fifth_cube_goes_into_the_warehouse_once_another_is_out() -> None:
    """S-19."""
    scenario = full_warehouse()
    scenario.when(0, TakeOut("tea", "warehouse"))
    scenario.when(0, StoreCube("coffee", "quay"))
    assert refusal_of(scenario, 0, StoreCube("tea", "quay")).code == "warehouse_full"


def test_every_refusal_of_the_game_has_a_case_here() -> None:
    named = {
        cls
        for cls in vars(refusals).values()
        if isinstance(cls, type) and issubclass(cls, Refusal) and cls is not Refusal
    }
    assert named - {case[0] for case in CASES} == {refusals.SeatCountError}, "that one is in test_set_up.py"
