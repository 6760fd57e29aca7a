"""The steps of loading: S-19."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import combinations, combinations_with_replacement
from typing import Any, ClassVar

from kontor_games.domain.game import Fact, Move, Refusal
from kontor_games.domain.games.speicherstadt import moves as m
from kontor_games.domain.games.speicherstadt import refusals
from kontor_games.domain.games.speicherstadt.data.cards import CONTRACTS, GOODS, Good
from kontor_games.domain.games.speicherstadt.facts import loading as facts
from kontor_games.domain.games.speicherstadt.rules.loading import LoadingRule
from kontor_games.domain.games.speicherstadt.rules.turn import M
from kontor_games.domain.games.speicherstadt.state import PLACES, Place, Table
from kontor_games.domain.games.speicherstadt.state import cubes as c
from kontor_games.domain.toolkit.sentences import join_words


def _by_goods(make: Callable[[Good], M]) -> dict[int, tuple[M, ...]]:
    """For each set of goods, the moves with one cube of them."""
    moves = {c.MARK[good]: make(good) for good in GOODS}
    sets = [marks for number in range(len(moves) + 1) for marks in combinations(moves, number)]
    return {sum(marks): tuple(moves[mark] for mark in marks) for marks in sets}


def _missing_cube(state: Table, seat: int, move: Any) -> Refusal | None:
    """The refusal if the cube of a move is not where it should come from."""
    if state.heaps(move.origin)[seat] & c.FIELD[move.good]:
        return None
    where = move.origin.replace("_", " ")
    return refusals.CubeNotThereError(f"You have no {move.good} in your {where}.", rule="S-19")


class PutOnContractRule(LoadingRule[m.PutOnContract]):
    """A cube is put on a contract, where it stays."""

    def __init__(self) -> None:
        """Make all moves of this kind."""
        keys = [(card, place) for card in CONTRACTS for place in PLACES]
        self._moves = {key: _by_goods(partial(m.PutOnContract, key[0], origin=key[1])) for key in keys}
        self.every_move = [move for moves in self._moves.values() for move in moves[c.EVERY_GOOD]]

    def objection(self, state: Table, seat: int, move: m.PutOnContract) -> Refusal | None:
        """The contract must be the seat's own and need the good, and the cube must be there."""
        if move.contract not in state.contracts[seat]:
            return refusals.NotYourContractError(f"You do not own the contract {move.contract}.", rule="S-19")
        if not c.kinds(state.open_places[move.contract]) & c.MARK[move.good]:
            return refusals.NoOpenPlaceError(f"Your contract has no open place for {move.good}.", rule="S-19")
        return _missing_cube(state, seat, move)

    def fact(self, state: Table, seat: int, move: m.PutOnContract) -> Fact:
        return facts.cube_delivered(seat, move.contract, move.good, move.origin)

    def fast_listing(self, state: Table, seat: int, place: Place, goods: int) -> Sequence[m.PutOnContract]:
        """Contract by contract, the goods in one place that it needs."""
        found: list[m.PutOnContract] = []
        for contract in state.contracts[seat]:
            if fitting := goods & c.kinds(state.open_places[contract]):
                found += self._moves[contract, place][fitting]
        return found


class ShiftRule(LoadingRule[M]):
    """A cube goes where some goods are accepted."""

    kind: ClassVar[Any]
    origins: ClassVar[tuple[Place, ...]] = PLACES
    fact_of: ClassVar[Callable[[int, Good, Any], Fact]]

    def __init__(self) -> None:
        """Make all moves of this kind."""
        self._fact = type(self).fact_of
        self.moves = {place: _by_goods(partial(self.kind, origin=place)) for place in self.origins}
        self.every_move = [move for moves in self.moves.values() for move in moves[c.EVERY_GOOD]]

    def accepted(self, state: Table, seat: int) -> int:
        """The set of goods that are accepted now."""
        return c.EVERY_GOOD

    def not_accepted(self, state: Table, seat: int, move: M) -> Refusal:
        """Why the good of this move is not accepted."""
        raise LookupError(f"{self} accepts every good")

    def objection(self, state: Table, seat: int, move: Any) -> Refusal | None:
        """The good must be accepted, and the cube must be there."""
        if not self.accepted(state, seat) & c.MARK[move.good]:
            return self.not_accepted(state, seat, move)
        return _missing_cube(state, seat, move)

    def fact(self, state: Table, seat: int, move: Any) -> Fact:
        return self._fact(seat, move.good, move.origin)


class SellToMerchantRule(ShiftRule[m.SellToMerchant]):
    """A merchant buys a cube for 1 coin."""

    kind = m.SellToMerchant
    fact_of = staticmethod(facts.cube_sold)

    def accepted(self, state: Table, seat: int) -> int:
        """The goods that the seat's merchants buy."""
        return state.trades[seat]

    def not_accepted(self, state: Table, seat: int, move: m.SellToMerchant) -> Refusal:
        """There is no merchant for this good."""
        return refusals.NoSuchMerchantError(f"You own no merchant who buys {move.good}.", rule="S-19")


class StoreCubeRule(ShiftRule[m.StoreCube]):
    """A cube is put into the warehouse."""

    reversible = True
    kind = m.StoreCube
    origins = ("quay", "market_hall")
    fact_of = staticmethod(facts.cube_stored)

    def accepted(self, state: Table, seat: int) -> int:
        """Every good, while the seat's warehouse has room."""
        has_room = (
            state.warehouse_owner == seat and len(c.unpack(state.warehouse[seat])) < state.numbers.warehouse
        )
        return c.EVERY_GOOD if has_room else 0

    def not_accepted(self, state: Table, seat: int, move: m.StoreCube) -> Refusal:
        """There is no warehouse, or it is full."""
        if state.warehouse_owner != seat:
            return refusals.NoWarehouseError("You do not own the warehouse.", rule="S-19")
        return refusals.WarehouseFullError(f"You already store {state.numbers.warehouse} cubes.", rule="S-19")


class KeepCubeRule(ShiftRule[m.KeepCube]):
    """A cube is put into the market hall."""

    reversible = True
    kind = m.KeepCube
    origins = ("quay", "warehouse")
    fact_of = staticmethod(facts.cube_kept)

    def accepted(self, state: Table, seat: int) -> int:
        """Every good, while the market hall is empty."""
        return 0 if state.market_hall[seat] else c.EVERY_GOOD

    def not_accepted(self, state: Table, seat: int, move: m.KeepCube) -> Refusal:
        """There is a cube in the market hall."""
        return refusals.MarketHallFullError("Your market hall already holds a cube.", rule="S-19")


class TakeOutRule(ShiftRule[m.TakeOut]):
    """A cube is taken back to the quay."""

    reversible = True
    kind = m.TakeOut
    origins = ("market_hall", "warehouse")
    fact_of = staticmethod(facts.cube_taken_out)


_PAIRS = tuple(map(m.SellTwo, combinations_with_replacement(GOODS, 2)))
_TRIPLES = tuple(combinations_with_replacement(GOODS, 3))
_CONVERT: dict[Any, m.Convert] = {(give, take): m.Convert(give, take) for take in GOODS for give in _TRIPLES}


@cache
def _triples(held: int) -> Sequence[tuple[Good, ...]]:
    return [goods for goods in _TRIPLES if c.holds(held, c.pack(goods))]


@lru_cache(2048)
def _origins(quay: int, market_hall: int, goods: tuple[Good, ...]) -> tuple[Place, ...]:
    """Where each of several cubes comes from: the quay, then the market hall, then the warehouse (S-19)."""
    origins: list[Place] = []
    for good in goods:
        if quay & c.FIELD[good]:
            quay -= c.UNIT[good]
            origins.append("quay")
        elif market_hall & c.FIELD[good]:
            market_hall -= c.UNIT[good]
            origins.append("market_hall")
        else:
            origins.append("warehouse")
    return tuple(origins)


def _lacking(state: Table, seat: int, goods: tuple[Good, ...]) -> Refusal | None:
    """The refusal if the seat does not have all these cubes, wherever they are."""
    if c.holds(state.held(seat), c.pack(goods)):
        return None
    return refusals.CubeNotThereError(f"You do not have {join_words(goods)}.", rule="S-19")


class ConvertRule(LoadingRule[m.Convert]):
    """Three cubes go to the stock, and one that was there before comes to the quay."""

    every_move = tuple(_CONVERT.values())

    def objection(self, state: Table, seat: int, move: m.Convert) -> Refusal | None:
        """The seat must have the three cubes, and the stock the other one before (ruling under S-19)."""
        refusal = _lacking(state, seat, move.give)
        if refusal is None and not c.kinds(state.stock) & c.MARK[move.take]:
            return refusals.NotInStockError(f"There is no {move.take} in the stock.", rule="S-19")
        return refusal

    def fact(self, state: Table, seat: int, move: m.Convert) -> Fact:
        origins: Any = _origins(state.quay[seat], state.market_hall[seat], move.give)
        return facts.cubes_converted(seat, move.give, origins, move.take)

    def fast_listing(self, held: int, stock: int) -> Sequence[m.Convert]:
        """The moves with this heap, up to three cubes of each good, and with these goods in stock."""
        return [_CONVERT[give, take] for take in GOODS if stock & c.MARK[take] for give in _triples(held)]


class SellTwoRule(LoadingRule[m.SellTwo]):
    """Two cubes go to the stock for 1 coin."""

    every_move = _PAIRS

    def objection(self, state: Table, seat: int, move: m.SellTwo) -> Refusal | None:
        """The seat must have the two cubes."""
        return _lacking(state, seat, move.goods)

    def fact(self, state: Table, seat: int, move: m.SellTwo) -> Fact:
        origins: Any = _origins(state.quay[seat], state.market_hall[seat], move.goods)
        return facts.two_cubes_sold(seat, move.goods, origins)

    def fast_listing(self, held: int, stock: int) -> Sequence[m.SellTwo]:
        """The moves with this heap, up to three cubes of each good."""
        return [move for move in _PAIRS if c.holds(held, c.pack(move.goods))]


class FastLoadingList:
    """The fast listing of loading: steps with one cube by place, then those with several, then the end.

    The fifty candidates that a seat has here would make it the slowest of all lists.
    """

    def __init__(self, rules: Mapping[type[Move], Any]) -> None:
        """Takes the rules of one version; parts of the list are cached by what they depend on."""
        self._put = rules[m.PutOnContract].fast_listing
        shifting: list[ShiftRule[Any]] = [rule for rule in rules.values() if isinstance(rule, ShiftRule)]
        several = [rules[m.SellTwo], rules[m.Convert]]
        finish: Sequence[Move] = rules[m.FinishLoading].every_move
        choosy = [rule for rule in shifting if type(rule).accepted is not ShiftRule.accepted]
        self._accepts = [rule.accepted for rule in choosy]

        def shifts(place: Place, goods: int, accepted: tuple[int, ...]) -> list[Move]:
            marks = dict(zip(choosy, accepted, strict=True))
            rules = [rule for rule in shifting if place in rule.origins]
            return [move for rule in rules for move in rule.moves[place][goods & marks.get(rule, goods)]]

        def others(held: int, stock: int) -> list[Move]:
            return [*(move for rule in several for move in rule.fast_listing(held, stock)), *finish]

        self._shifts_from, self._others = cache(shifts), cache(others)

    def moves_of(self, state: Table, seat: int) -> list[Move]:
        """The moves of a seat whose turn it is."""
        quay, hall, warehouse = state.quay[seat], state.market_hall[seat], state.warehouse[seat]
        accepted = tuple([accepts(state, seat) for accepts in self._accepts])
        moves: list[Move] = []
        for place, heap in (("quay", quay), ("market_hall", hall), ("warehouse", warehouse)):
            if heap:
                goods = c.kinds(heap)
                if state.contracts[seat]:
                    moves += self._put(state, seat, place, goods)
                moves += self._shifts_from(place, goods, accepted)
        moves += self._others(c.at_most_three(quay + hall + warehouse), c.kinds(state.stock))
        return moves
