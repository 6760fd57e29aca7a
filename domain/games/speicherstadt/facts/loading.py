"""Facts of the loading. They are immutable, so equal facts are created once and cached."""

from functools import cache, lru_cache
from typing import Any, ClassVar, Literal

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.speicherstadt.data.cards import Good
from kontor_games.domain.games.speicherstadt.state import Place, Table
from kontor_games.domain.games.speicherstadt.state.cubes import UNIT, pack


@record
class LoadingBegun(Fact):
    """These seats have cubes to load, in this order (S-18)."""

    seats: tuple[int, ...]

    def fold(self, state: Table) -> None:
        """Wait for the first of them, or for all at once (option `simultaneous_loading`)."""
        state.phase = "loading"
        state.loaders = self.seats
        state.steps = [0] * state.seats


@record
class CubeDelivered(Fact):
    """A cube was put on a contract (S-19)."""

    seat: int
    contract: str
    good: Good
    origin: Place

    def fold(self, state: Table) -> None:
        unit = UNIT[self.good]
        state.heaps(self.origin)[self.seat] -= unit
        state.open_places[self.contract] -= unit
        state.steps[self.seat] += 1


@record
class CubeSold(Fact):
    """A merchant bought a cube for 1 coin (S-19)."""

    seat: int
    good: Good
    origin: Place

    def fold(self, state: Table) -> None:
        unit = UNIT[self.good]
        state.heaps(self.origin)[self.seat] -= unit
        state.stock += unit
        state.coins[self.seat] += 1
        state.steps[self.seat] += 1


class CubeMoved(Fact):
    """A cube went from one place of a seat to another (S-19)."""

    __slots__ = ()
    target: ClassVar[Place]

    def fold(self, state: Table) -> None:
        moved: Any = self
        unit = UNIT[moved.good]
        state.heaps(moved.origin)[moved.seat] -= unit
        state.heaps(self.target)[moved.seat] += unit
        state.steps[moved.seat] += 1


@record
class CubeStored(CubeMoved):
    """A cube was put into the warehouse (S-19)."""

    target: ClassVar[Place] = "warehouse"
    seat: int
    good: Good
    origin: Literal["quay", "market_hall"]


@record
class CubeKept(CubeMoved):
    """A cube was put into the market hall (S-19)."""

    target: ClassVar[Place] = "market_hall"
    seat: int
    good: Good
    origin: Literal["quay", "warehouse"]


@record
class CubeTakenOut(CubeMoved):
    """A cube came back to the quay from the warehouse or the market hall (S-19)."""

    target: ClassVar[Place] = "quay"
    seat: int
    good: Good
    origin: Literal["market_hall", "warehouse"]


@record
class CubesConverted(Fact):
    """Three cubes went to the stock, and one that lay there came to the quay (S-19)."""

    seat: int
    given: tuple[Good, Good, Good]
    origins: tuple[Place, Place, Place]
    taken: Good

    def fold(self, state: Table) -> None:
        for good, origin in zip(self.given, self.origins, strict=True):
            state.heaps(origin)[self.seat] -= UNIT[good]
        unit = UNIT[self.taken]
        state.stock += pack(self.given) - unit
        state.quay[self.seat] += unit
        state.steps[self.seat] += 1


@record
class TwoCubesSold(Fact):
    """Two cubes went to the stock for 1 coin (S-19)."""

    seat: int
    goods: tuple[Good, Good]
    origins: tuple[Place, Place]

    def fold(self, state: Table) -> None:
        for good, origin in zip(self.goods, self.origins, strict=True):
            state.heaps(origin)[self.seat] -= UNIT[good]
        state.stock += pack(self.goods)
        state.coins[self.seat] += 1
        state.steps[self.seat] += 1


@record
class LoadingFinished(Fact):
    """A seat finished loading: by choice, without a cube, or after the last step allowed (S-18, S-20)."""

    seat: int
    reason: Literal["done", "no_cubes", "step_limit"]

    def fold(self, state: Table) -> None:
        state.loaders = tuple(seat for seat in state.loaders if seat != self.seat)


@record
class CubesLost(Fact):
    """Cubes left on the quay went to the stock (S-20)."""

    seat: int
    cubes: tuple[Good, ...]

    def fold(self, state: Table) -> None:
        state.stock += state.quay[self.seat]
        state.quay[self.seat] = 0


loading_begun = cache(LoadingBegun)
cube_delivered = cache(CubeDelivered)
cube_sold = cache(CubeSold)
cube_stored = cache(CubeStored)
cube_kept = cache(CubeKept)
cube_taken_out = cache(CubeTakenOut)
cubes_converted = lru_cache(2048)(CubesConverted)
two_cubes_sold = cache(TwoCubesSold)
loading_finished = cache(LoadingFinished)
cubes_lost = lru_cache(1024)(CubesLost)
