"""Routes: where they can be built, connection gold and double arrows (E-40 to E-42, E-60)."""

from collections.abc import Sequence
from typing import ClassVar

from kontor_games.domain.game import Refusal
from kontor_games.domain.games.europe.data.components import NOTHING, Cards
from kontor_games.domain.games.europe.facts.routes import (
    ChainsTied,
    ConnectionPaid,
    RouteBuilt,
    RouteForgone,
    Source,
)
from kontor_games.domain.games.europe.moves import BuildRoute, ChooseChain, ForgoRoute
from kontor_games.domain.games.europe.refusals import (
    NoPieceLeftError,
    NoSuchChoiceError,
    NotBesideError,
    PathTakenError,
)
from kontor_games.domain.games.europe.rules.base import EuropeRule, PurchaseRule
from kontor_games.domain.games.europe.rules.conditions import no_such_place
from kontor_games.domain.games.europe.rules.steps import EuropeLedger
from kontor_games.domain.games.europe.state import NOBODY, EuropeState
from kontor_games.domain.games.europe.state.phases import ACTION, BONUS_ROUTE, CHAIN, FREE_ROUTE

SOURCES: dict[int, Source] = {ACTION: "paid", BONUS_ROUTE: "double_arrow", FREE_ROUTE: "safe_conduct"}
"""What pays for a route, by the phase in which it is built."""

_Payouts = dict[tuple[int, ...], tuple[int, ...]]
"""By the gold that each seat gets, the first chain found that pays it."""


class BuildRouteRule(PurchaseRule[BuildRoute]):
    """A route lies on a free path beside one's own post or route, a bonus route beside its double arrow.

    See E-40 and E-42.
    """

    phases: ClassVar = (ACTION, BONUS_ROUTE, FREE_ROUTE)
    price: ClassVar = Cards(ore=1, lumber=1)

    def sites(self, state: EuropeState, seat: int) -> int:
        """Return the free paths where the player's next route may lie, as bits."""
        index = state.index
        beside = (
            state.tables.beside_bits[state.bonus] if state.phase == BONUS_ROUTE else index.beside_own[seat]
        )
        return beside & ~index.taken

    def blocked(self, state: EuropeState, seat: int, move: BuildRoute) -> Refusal | None:
        path = state.tables.board.path_index.get(move.path)
        if path is None:
            return no_such_place("path", move.path)
        if state.route[path] != NOBODY:
            return PathTakenError("A route lies there already.", rule="E-40")
        if not self.sites(state, seat) >> path & 1:
            if state.phase == BONUS_ROUTE:
                return NotBesideError("The path must lie beside the one with the double arrow.", rule="E-42")
            return NotBesideError("The path must lie beside a post or route of your own.", rule="E-40")
        if not state.routes_left[seat]:
            return NoPieceLeftError("You have no route left.", rule="E-40")
        return self.unpaid(state, seat) if state.phase == ACTION else None

    def facts(self, ledger: EuropeLedger, seat: int, move: BuildRoute) -> None:
        """Build it; connection gold comes first, then the double arrow, then the next route (E-41)."""
        state = ledger.state
        path = state.tables.board.path_index[move.path]
        source = SOURCES[state.phase]
        cities = ended_isolations(state, path)
        bonus = source != "double_arrow" and brings_bonus(state, seat, path)
        ledger.emit(RouteBuilt(seat, move.path, source, self.price if source == "paid" else NOTHING, bonus))
        if cities:
            ledger.steps.connect(ledger, seat, cities)
        ledger.steps.lapse_routes(ledger, seat)

    def fast_listing(self, state: EuropeState, seat: int) -> Sequence[BuildRoute]:
        return state.tables.build_on(self.sites(state, seat)) if state.routes_left[seat] else ()


class ForgoRouteRule(EuropeRule[ForgoRoute]):
    """A free route need not be built (E-42, E-60)."""

    phases: ClassVar = (BONUS_ROUTE, FREE_ROUTE)
    quiet: ClassVar = True
    ready: ClassVar = (ForgoRoute(),)

    def facts(self, ledger: EuropeLedger, seat: int, move: ForgoRoute) -> None:
        """Give the route up; after a double arrow's, those of a safe conduct may still be due."""
        ledger.emit(RouteForgone(seat, SOURCES[ledger.state.phase]))
        ledger.steps.lapse_routes(ledger, seat)


class ChooseChainRule(EuropeRule[ChooseChain]):
    """The builder chooses one of several equally short chains that pay differently (E-41)."""

    phases: ClassVar = (CHAIN,)

    def blocked(self, state: EuropeState, seat: int, move: ChooseChain) -> Refusal | None:
        if move.chain not in state.chains:
            return NoSuchChoiceError("This is not one of the chains you can choose from.", rule="E-41")
        return None

    def facts(self, ledger: EuropeLedger, seat: int, move: ChooseChain) -> None:
        state, index = ledger.state, ledger.state.tables.board.path_index
        owners = [state.route[index[path]] for path in move.chain]
        gold = tuple(owners.count(owner) for owner in range(state.seats))
        ledger.emit(ConnectionPaid(state.joined, move.chain, gold))
        ledger.steps.lapse_routes(ledger, seat)

    def candidates(self, state: EuropeState, seat: int) -> list[ChooseChain]:
        return [ChooseChain(chain) for chain in state.chains]


def can_build_free(state: EuropeState, seat: int) -> bool:
    """Return whether the player has a route left and a place for it."""
    return bool(state.routes_left[seat] and state.index.beside_own[seat] & ~state.index.taken)


def lapse_routes(ledger: EuropeLedger, seat: int) -> None:
    """Give up the routes of a safe conduct that can't be built (E-60)."""
    if ledger.state.phase == FREE_ROUTE and not can_build_free(ledger.state, seat):
        ledger.emit(RouteForgone(seat, "safe_conduct"))


def brings_bonus(state: EuropeState, seat: int, path: int) -> bool:
    """Return whether a route there brings another: double arrow, free path beside it, a route left (E-42)."""
    free = state.tables.beside_bits[path] & ~state.index.taken
    return state.tables.board.paths[path].double and state.routes_left[seat] > 1 and bool(free)


def joins_cities(state: EuropeState, path: int) -> bool:
    """Return whether a route there would join cities that were not joined before."""
    along, index = state.tables.board.paths[path], state.index
    a, b = index.root[along.a], index.root[along.b]
    return a != b and index.cities_in[a] > 0 and index.cities_in[b] > 0


def ended_isolations(state: EuropeState, path: int) -> tuple[int, ...]:
    """Return the cities that a route there would join to another one for the first time (E-41)."""
    if not joins_cities(state, path):
        return ()
    along, index, city_at = state.tables.board.paths[path], state.index, state.tables.board.city_at
    lonely = [root for root in (index.root[along.a], index.root[along.b]) if index.cities_in[root] == 1]
    return tuple(
        sorted([city_at[at] for root in lonely for at in index.crossroads_in[root] if city_at[at] >= 0])
    )


def connect(ledger: EuropeLedger, seat: int, cities: tuple[int, ...]) -> None:
    """Pay for the shortest chain; the builder chooses one of several that pay differently (E-41)."""
    state, tables = ledger.state, ledger.state.tables
    payouts = shortest_chains(state, cities[0])
    names = tuple(tables.city_ids[city] for city in cities)
    chains = tuple(tuple(tables.path_ids[path] for path in chain) for chain in payouts.values())
    if len(chains) > 1:
        ledger.emit(ChainsTied(seat, names, chains))
    else:
        ledger.emit(ConnectionPaid(names, chains[0], next(iter(payouts))))


def shortest_chains(state: EuropeState, city: int) -> _Payouts:
    """Return the shortest chains from a city to another one, one for each way to pay."""
    board = state.tables.board
    start = board.cities[city].crossroads
    wave: dict[int, _Payouts] = {start: {(0,) * state.seats: ()}}
    seen = {start}
    while True:
        wave = _next_wave(state, wave, seen)
        seen.update(wave)
        arrived: _Payouts = {}
        for at in [at for at in wave if board.city_at[at] >= 0]:
            arrived = wave[at] | arrived
        if arrived:
            return arrived


def _next_wave(state: EuropeState, wave: dict[int, _Payouts], seen: set[int]) -> dict[int, _Payouts]:
    """Go one route further, to crossroads not seen before."""
    found: dict[int, _Payouts] = {}
    for at, payouts in wave.items():
        for other, path in state.tables.board.neighbours[at]:
            owner = state.route[path]
            if owner != NOBODY and other not in seen:
                reached = found.setdefault(other, {})
                for paid, chain in payouts.items():
                    reached.setdefault((*paid[:owner], paid[owner] + 1, *paid[owner + 1 :]), (*chain, path))
    return found
