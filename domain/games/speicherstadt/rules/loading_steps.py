"""The steps of loading: S-19."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Any, ClassVar

from domain.game import Fact, Refusal
from domain.games.speicherstadt import refusals
from domain.games.speicherstadt.data.cards import CONTRACTS, GOODS, Good
from domain.games.speicherstadt.facts import loading as facts
from domain.games.speicherstadt.moves import (
    Convert,
    KeepCube,
    PutOnContract,
    SellToMerchant,
    SellTwo,
    StoreCube,
    TakeOut,
)
from domain.games.speicherstadt.rules.loading import LoadingRule
from domain.games.speicherstadt.rules.turn import M
from domain.games.speicherstadt.state import PLACES, Place, Table
from domain.games.speicherstadt.state.cubes import (
    EVERY_GOOD,
    FIELD,
    MARK,
    UNIT,
    holds,
    kinds,
    kinds_up_to_three,
    pack,
    size,
)
from domain.toolkit.sentences import listed

# --- one cube --------------------------------------------------------------------------------------------------------


class OneCubeRule(LoadingRule[M]):
    """A step with one cube."""

    origins: ClassVar[tuple[Place, ...]] = PLACES
    """Where the cube may come from."""

    @abstractmethod
    def choices_from(self, state: Table, seat: int, place: Place, goods: int) -> Sequence[M]:
        """The choices with a cube from this place, where the seat has these goods."""

    def choices(self, state: Table, seat: int) -> Sequence[M]:
        """Place by place."""
        heaps = [(place, state.heaps(place)[seat]) for place in self.origins]
        return [move for place, heap in heaps for move in self.choices_from(state, seat, place, kinds(heap))]


def _by_goods(make: Callable[[Good], M]) -> dict[int, tuple[M, ...]]:
    """For each set of goods, the moves with one cube of them."""
    moves = {MARK[good]: make(good) for good in GOODS}
    sets = [marks for number in range(len(moves) + 1) for marks in combinations(moves, number)]
    return {sum(marks): tuple(moves[mark] for mark in marks) for marks in sets}


def _not_there(state: Table, seat: int, good: Good, place: Place) -> Refusal | None:
    if state.heaps(place)[seat] & FIELD[good]:
        return None
    return refusals.CubeNotThereError(f"You have no {good} in your {place.replace('_', ' ')}.", rule="S-19")


class PutOnContractRule(OneCubeRule[PutOnContract]):
    """A cube is put on a contract, where it stays."""

    def __init__(self) -> None:
        """Make all moves of this kind."""

        def moves(card: str, place: Place) -> dict[int, tuple[PutOnContract, ...]]:
            return _by_goods(lambda good: PutOnContract(card, good, place))

        self._moves = {(card, place): moves(card, place) for card in CONTRACTS for place in PLACES}

    def objection(self, state: Table, seat: int, move: PutOnContract) -> Refusal | None:
        """The contract must be the seat's own and need the good, and the cube must be there."""
        if move.contract not in state.contracts[seat]:
            return refusals.NotYourContractError(f"You do not own the contract {move.contract}.", rule="S-19")
        if not kinds(state.open_places[move.contract]) & MARK[move.good]:
            return refusals.NoOpenPlaceError(f"Your contract has no open place for {move.good}.", rule="S-19")
        return _not_there(state, seat, move.good, move.origin)

    def fact(self, state: Table, seat: int, move: PutOnContract) -> Fact:
        """The cube is on the contract."""
        return facts.cube_delivered(seat, move.contract, move.good, move.origin)

    def choices_from(self, state: Table, seat: int, place: Place, goods: int) -> Sequence[PutOnContract]:
        """The goods that each contract of the seat needs."""
        found: list[PutOnContract] = []
        for contract in state.contracts[seat]:
            found += self._moves[contract, place][goods & kinds(state.open_places[contract])]
        return found


class ShiftRule(OneCubeRule[M]):
    """A cube goes to a place or a merchant that accepts some goods."""

    kind: ClassVar[Any]
    fact_of: ClassVar[Any]

    def __init__(self) -> None:
        """Make all moves of this kind."""
        self._moves = {place: self._moves_from(place) for place in self.origins}

    def _moves_from(self, place: Place) -> dict[int, tuple[M, ...]]:
        return _by_goods(lambda good: self.kind(good, place))

    def accepted(self, state: Table, seat: int) -> int:
        """The set of goods that are accepted now."""
        return EVERY_GOOD

    def not_accepted(self, state: Table, seat: int, good: Good) -> Refusal:
        """Why this good is not accepted."""
        raise LookupError(f"{self} accepts every good")

    def objection(self, state: Table, seat: int, move: Any) -> Refusal | None:
        """The good must be accepted, and the cube must be there."""
        if not self.accepted(state, seat) & MARK[move.good]:
            return self.not_accepted(state, seat, move.good)
        return _not_there(state, seat, move.good, move.origin)

    def fact(self, state: Table, seat: int, move: Any) -> Fact:
        """The cube is where it was put."""
        fact: Fact = self.fact_of(seat, move.good, move.origin)
        return fact

    def choices_from(self, state: Table, seat: int, place: Place, goods: int) -> Sequence[M]:
        """The goods that are accepted."""
        return self._moves[place][goods & self.accepted(state, seat)]


class SellToMerchantRule(ShiftRule[SellToMerchant]):
    """A merchant buys a cube for 1 coin."""

    kind = SellToMerchant
    fact_of = staticmethod(facts.cube_sold)

    def accepted(self, state: Table, seat: int) -> int:
        """The goods that the seat's merchants buy."""
        return state.trades[seat]

    def not_accepted(self, state: Table, seat: int, good: Good) -> Refusal:
        """There is no merchant for this good."""
        return refusals.NoSuchMerchantError(f"You own no merchant who buys {good}.", rule="S-19")


class StoreCubeRule(ShiftRule[StoreCube]):
    """A cube is put into the warehouse."""

    reversible = True
    kind = StoreCube
    fact_of = staticmethod(facts.cube_stored)
    origins = ("quay", "market_hall")

    def accepted(self, state: Table, seat: int) -> int:
        """Every good, while the seat's warehouse has room."""
        has_room = state.warehouse_owner == seat and size(state.warehouse[seat]) < state.numbers.warehouse
        return EVERY_GOOD if has_room else 0

    def not_accepted(self, state: Table, seat: int, good: Good) -> Refusal:
        """There is no warehouse, or it is full."""
        if state.warehouse_owner != seat:
            return refusals.NoWarehouseError("You do not own the warehouse.", rule="S-19")
        most = state.numbers.warehouse
        return refusals.WarehouseFullError(f"Your warehouse is full with {most} cubes.", rule="S-19")


class KeepCubeRule(ShiftRule[KeepCube]):
    """A cube is put into the market hall."""

    reversible = True
    kind = KeepCube
    fact_of = staticmethod(facts.cube_kept)
    origins = ("quay", "warehouse")

    def accepted(self, state: Table, seat: int) -> int:
        """Every good, while the market hall is empty."""
        return 0 if state.market_hall[seat] else EVERY_GOOD

    def not_accepted(self, state: Table, seat: int, good: Good) -> Refusal:
        """There is a cube in the market hall."""
        return refusals.MarketHallFullError("Your market hall already holds a cube.", rule="S-19")


class TakeOutRule(ShiftRule[TakeOut]):
    """A cube is taken back to the quay."""

    reversible = True
    kind = TakeOut
    fact_of = staticmethod(facts.cube_taken_out)
    origins = ("market_hall", "warehouse")


# --- several cubes ---------------------------------------------------------------------------------------------------

_PAIRS = tuple(map(SellTwo, combinations_with_replacement(GOODS, 2)))
_TRIPLES = tuple(combinations_with_replacement(GOODS, 3))
_CONVERT = {(give, take): Convert(give, take) for give in _TRIPLES for take in GOODS}


def _has(state: Table, seat: int, goods: tuple[Good, ...]) -> bool:
    """Whether the seat has all these cubes, wherever they are."""
    return holds(state.held(seat), pack(goods))


@lru_cache(8192)
def _origins(quay: int, market_hall: int, goods: tuple[Good, ...]) -> tuple[Place, ...]:
    """Where each of several cubes is taken from: the quay first, then the market hall, then the warehouse."""
    origins: list[Place] = []
    for good in goods:
        if quay & FIELD[good]:
            quay -= UNIT[good]
            origins.append("quay")
        elif market_hall & FIELD[good]:
            market_hall -= UNIT[good]
            origins.append("market_hall")
        else:
            origins.append("warehouse")
    return tuple(origins)


class SeveralCubesRule(LoadingRule[M]):
    """A step with several cubes. Its choices depend on few things, so they are found once for each combination."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: dict[tuple[int, int], Sequence[M]] = {}

    def choices(self, state: Table, seat: int) -> Sequence[M]:
        """By the cubes of the seat, up to three of each good, and by the goods in the stock."""
        situation = kinds_up_to_three(state.held(seat)), kinds(state.stock)
        found = self._known.get(situation)
        if found is None:
            found = self._known[situation] = self.found(state, seat)
        return found

    @abstractmethod
    def found(self, state: Table, seat: int) -> Sequence[M]:
        """The choices, one by one."""

    def lacking(self, goods: Sequence[Good]) -> Refusal:
        """The refusal for a seat that does not have these cubes."""
        return refusals.CubeNotThereError(f"You do not have {listed(goods)}.", rule="S-19")


class ConvertRule(SeveralCubesRule[Convert]):
    """Three cubes go to the stock, and one that was there before comes to the quay."""

    def objection(self, state: Table, seat: int, move: Convert) -> Refusal | None:
        """The seat must have the three cubes, and the stock must already have the other (ruling under S-19)."""
        if not _has(state, seat, move.give):
            return self.lacking(move.give)
        if not state.stock & FIELD[move.take]:
            return refusals.NotInStockError(f"There is no {move.take} in the stock.", rule="S-19")
        return None

    def fact(self, state: Table, seat: int, move: Convert) -> Fact:
        """The cubes are exchanged."""
        origins = _origins(state.quay[seat], state.market_hall[seat], move.give)
        return facts.cubes_converted(seat, move.give, origins, move.take)

    def found(self, state: Table, seat: int) -> Sequence[Convert]:
        """Good by good of the stock, all threes of the seat's cubes."""
        gives = [give for give in _TRIPLES if _has(state, seat, give)]
        return [_CONVERT[give, take] for take in GOODS if state.stock & FIELD[take] for give in gives]


class SellTwoRule(SeveralCubesRule[SellTwo]):
    """Two cubes go to the stock for 1 coin."""

    def objection(self, state: Table, seat: int, move: SellTwo) -> Refusal | None:
        """The seat must have the two cubes."""
        return None if _has(state, seat, move.goods) else self.lacking(move.goods)

    def fact(self, state: Table, seat: int, move: SellTwo) -> Fact:
        """The cubes are sold."""
        return facts.two_cubes_sold(
            seat, move.goods, _origins(state.quay[seat], state.market_hall[seat], move.goods)
        )

    def found(self, state: Table, seat: int) -> Sequence[SellTwo]:
        """All pairs of the seat's cubes."""
        return [move for move in _PAIRS if _has(state, seat, move.goods)]
