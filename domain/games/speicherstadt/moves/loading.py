"""Moves of loading: what a player does with cubes (S-19), and the word that it is done (S-20)."""

from functools import lru_cache
from typing import ClassVar, Literal

from kontor_games.domain.game import Fact, Refusal, record
from kontor_games.domain.games.speicherstadt.cubes import FIELD, GOODS, MARK, holds, pack, size
from kontor_games.domain.games.speicherstadt.facts.loading import (
    cube_delivered,
    cube_kept,
    cube_sold,
    cube_stored,
    cube_taken_out,
    cubes_converted,
    loading_finished,
    two_cubes_sold,
)
from kontor_games.domain.games.speicherstadt.moves.action import Action
from kontor_games.domain.games.speicherstadt.refusals import (
    CubeNotThereError,
    MarketHallFullError,
    NoOpenPlaceError,
    NoSuchMerchantError,
    NotInStockError,
    NotYourContractError,
    NoWarehouseError,
    WarehouseFullError,
)
from kontor_games.domain.games.speicherstadt.state import Good, Phase, Place, Table

WAREHOUSE_ROOM = 4
"""Cubes that the warehouse can hold (S-19)."""
PLACES: tuple[Place, ...] = ("quay", "market_hall", "warehouse")
"""Where cubes can come from; a step with several cubes takes them in this order (ruling under S-19)."""


class Step(Action):
    """A step of loading."""

    __slots__ = ()
    phase: ClassVar[Phase] = "loading"
    rule: ClassVar[str] = "S-19"


def _missing(state: Table, seat: int, good: str, place: Place) -> Refusal | None:
    """The refusal where a seat has no such cube there."""
    if state.heaps(place)[seat] & FIELD[good]:
        return None
    return CubeNotThereError(f"you have no {good} in your {place.replace('_', ' ')}", rule="S-19")


@record
class PutOnContract(Step):
    """Put a cube on an open place of a contract of one's own (S-19)."""

    contract: str
    good: Good
    origin: Place

    def check(self, state: Table, seat: int) -> Refusal | None:
        """The contract must be one's own and still wait for that good."""
        if self.contract not in state.contracts[seat]:
            return NotYourContractError(f"you own no contract {self.contract}", rule="S-19")
        if not state.open_places[self.contract] & FIELD[self.good]:
            return NoOpenPlaceError(f"that contract has no open place for {self.good}", rule="S-19")
        return _missing(state, seat, self.good, self.origin)

    def outcome(self, state: Table, seat: int) -> Fact:
        """The cube lies on the contract for good."""
        return cube_delivered(seat, self.contract, self.good, self.origin)


@record
class SellToMerchant(Step):
    """Sell a cube for 1 coin to a merchant of one's own who trades in that good (S-19)."""

    good: Good
    origin: Place

    def check(self, state: Table, seat: int) -> Refusal | None:
        """It takes the merchant and the cube."""
        if not state.trades[seat] & MARK[self.good]:
            return NoSuchMerchantError(f"you own no merchant who trades in {self.good}", rule="S-19")
        return _missing(state, seat, self.good, self.origin)

    def outcome(self, state: Table, seat: int) -> Fact:
        """The cube goes to the stock."""
        return cube_sold(seat, self.good, self.origin)


@record
class StoreCube(Step):
    """Put a cube into one's warehouse (S-19)."""

    good: Good
    origin: Literal["quay", "market_hall"]

    def check(self, state: Table, seat: int) -> Refusal | None:
        """Never more than four cubes at any moment."""
        if state.warehouse_owner != seat:
            return NoWarehouseError("you do not own the warehouse", rule="S-19")
        if size(state.warehouse[seat]) >= WAREHOUSE_ROOM:
            return WarehouseFullError(f"your warehouse holds {WAREHOUSE_ROOM} cubes already", rule="S-19")
        return _missing(state, seat, self.good, self.origin)

    def outcome(self, state: Table, seat: int) -> Fact:
        """The cube is stored."""
        return cube_stored(seat, self.good, self.origin)


@record
class KeepCube(Step):
    """Put a cube into one's market hall to keep it (S-19)."""

    good: Good
    origin: Literal["quay", "warehouse"]

    def check(self, state: Table, seat: int) -> Refusal | None:
        """Never more than one cube."""
        if state.market_hall[seat]:
            return MarketHallFullError("your market hall holds a cube already", rule="S-19")
        return _missing(state, seat, self.good, self.origin)

    def outcome(self, state: Table, seat: int) -> Fact:
        """The cube is kept."""
        return cube_kept(seat, self.good, self.origin)


@record
class TakeOut(Step):
    """Take a cube out of one's market hall or warehouse, back to the quay (S-19)."""

    good: Good
    origin: Literal["market_hall", "warehouse"]

    def check(self, state: Table, seat: int) -> Refusal | None:
        """It takes the cube."""
        return _missing(state, seat, self.good, self.origin)

    def outcome(self, state: Table, seat: int) -> Fact:
        """The cube lies on the quay."""
        return cube_taken_out(seat, self.good, self.origin)


@record
class Convert(Step):
    """Give three cubes to the stock for another that lies there: quay first, then market hall, then warehouse (S-19)."""

    give: tuple[Good, Good, Good]
    take: Good

    def __post_init__(self) -> None:
        # In which order the cubes are named makes no difference, so they are always kept in one.
        object.__setattr__(self, "give", tuple(sorted(self.give, key=GOODS.index)))

    def check(self, state: Table, seat: int) -> Refusal | None:
        """One must have the three, and the stock must have held the other before (ruling under S-19)."""
        if not holds(state.held(seat), pack(self.give)):
            return CubeNotThereError(f"you do not have {', '.join(self.give)}", rule="S-19")
        if not state.stock & FIELD[self.take]:
            return NotInStockError(f"there is no {self.take} in the stock", rule="S-19")
        return None

    def outcome(self, state: Table, seat: int) -> Fact:
        """The new cube lies on the quay."""
        return cubes_converted(seat, self.give, _origins(state, seat, self.give), self.take)


@record
class SellTwo(Step):
    """Sell any two cubes for 1 coin: quay first, then market hall, then warehouse (S-19)."""

    goods: tuple[Good, Good]

    def __post_init__(self) -> None:
        # As in Convert.
        object.__setattr__(self, "goods", tuple(sorted(self.goods, key=GOODS.index)))

    def check(self, state: Table, seat: int) -> Refusal | None:
        """One must have the two."""
        if not holds(state.held(seat), pack(self.goods)):
            return CubeNotThereError(f"you do not have {', '.join(self.goods)}", rule="S-19")
        return None

    def outcome(self, state: Table, seat: int) -> Fact:
        """The cubes go to the stock."""
        return two_cubes_sold(seat, self.goods, _origins(state, seat, self.goods))


def _origins(state: Table, seat: int, goods: tuple[Good, ...]) -> tuple[Place, ...]:
    """Where each of several cubes is taken from."""
    return _sources(state.quay[seat], state.market_hall[seat], goods)


@lru_cache(8192)
def _sources(quay: int, market_hall: int, goods: tuple[Good, ...]) -> tuple[Place, ...]:
    origins: list[Place] = []
    for good in goods:
        unit = pack((good,))
        if quay & FIELD[good]:
            quay -= unit
            origins.append("quay")
        elif market_hall & FIELD[good]:
            market_hall -= unit
            origins.append("market_hall")
        else:
            origins.append("warehouse")
    return tuple(origins)


@record
class FinishLoading(Step):
    """Say that one is done; cubes left on the quay are lost (S-20)."""

    rule: ClassVar[str] = "S-20"

    def outcome(self, state: Table, seat: int) -> Fact:
        """The seat can't resume in this round."""
        return loading_finished(seat, "done")


FINISH_LOADING = FinishLoading()
