"""Routes: where they can be laid, which cities they join, and the chains that pay for it (E-40 to E-42)."""

from kontor_games.domain.game import Ledger, Move
from kontor_games.domain.games.europe.atlas import numbers
from kontor_games.domain.games.europe.checks import afford, on_turn, place
from kontor_games.domain.games.europe.facts_build import (
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
from kontor_games.domain.games.europe.resources import NOTHING, ROUTE_COST, counts_of
from kontor_games.domain.games.europe.state import ACTION, BONUS_ROUTE, CHAIN, FREE_ROUTE, NOBODY, EuropeState

FORGO_ROUTE = ForgoRoute()
_PRICE = counts_of(ROUTE_COST)
_SOURCES: dict[int, Source] = {ACTION: "paid", BONUS_ROUTE: "double_arrow", FREE_ROUTE: "safe_conduct"}

_Payouts = dict[tuple[int, ...], tuple[int, ...]]
"""Gold by seat to the first chain found that pays so."""


def site_bits(state: EuropeState, seat: int) -> int:
    """The free paths where this player's next route may lie."""
    if state.phase == BONUS_ROUTE:
        return state.atlas.beside_bits[state.bonus] & ~state.taken
    return state.fringe[seat] & ~state.taken


def route_moves(state: EuropeState, seat: int) -> list[Move]:
    """Every place for a paid route or one of a safe conduct; kept while they stay the same."""
    known = state.sites[seat]
    if known is None:
        ready = state.atlas.build_route
        known = state.sites[seat] = [ready[path] for path in state.free_sites[seat]]
    return known


def free_route_moves(state: EuropeState, seat: int) -> list[Move]:
    """A free route, or none."""
    if state.phase == FREE_ROUTE:
        return [*route_moves(state, seat), FORGO_ROUTE]
    ready = state.atlas.build_route
    return [*(ready[path] for path in numbers(site_bits(state, seat))), FORGO_ROUTE]


def verify_build(state: EuropeState, seat: int, wanted: BuildRoute) -> None:
    """On a free path beside a post or route of one's own; the bonus of a double arrow beside that path (E-40, E-42)."""
    on_turn(state, seat, ACTION, BONUS_ROUTE, FREE_ROUTE)
    path = place(state.atlas.board.path_index, wanted.path, "path")
    if state.route[path] != NOBODY:
        raise PathTakenError("A route lies there already.", rule="E-40")
    if not site_bits(state, seat) >> path & 1:
        if state.phase == BONUS_ROUTE:
            raise NotBesideError("That path is not beside the one with the double arrow.", rule="E-42")
        raise NotBesideError("That path is beside no post or route of yours.", rule="E-40")
    if not state.routes_left[seat]:
        raise NoPieceLeftError("You have no route left.", rule="E-40")
    if state.phase == ACTION:
        afford(state, seat, _PRICE, "E-40")


def decide_build(ledger: Ledger[EuropeState], seat: int, wanted: BuildRoute) -> None:
    """Connection gold first, then the double arrow, then the next route (E-41)."""
    state = ledger.state
    path = state.atlas.board.path_index[wanted.path]
    source = _SOURCES[state.phase]
    cities = ended_isolations(state, path)
    cost = ROUTE_COST if source == "paid" else NOTHING
    ledger.emit(
        RouteBuilt(
            seat, wanted.path, source, cost, source != "double_arrow" and opens_bonus(state, seat, path)
        )
    )
    if cities:
        connect(ledger, seat, cities)
    lapse(ledger, seat)


def opens_bonus(state: EuropeState, seat: int, path: int) -> bool:
    """A double arrow, a free path beside it, and a route left after this one (E-42)."""
    return (
        state.atlas.board.paths[path].double
        and state.routes_left[seat] > 1
        and bool(state.atlas.beside_bits[path] & ~state.taken)
    )


def ended_isolations(state: EuropeState, path: int) -> tuple[int, ...]:
    """The cities that a route here would join to another for the first time (E-41)."""
    along = state.atlas.board.paths[path]
    sides = (state.root[along.a], state.root[along.b])
    if sides[0] == sides[1] or not all(state.cities_in[side] for side in sides):
        return ()
    return tuple(
        sorted([city for side in sides if state.cities_in[side] == 1 for city in cities_under(state, side)])
    )


def cities_under(state: EuropeState, root: int) -> list[int]:
    """The cities joined under one root."""
    return [city for at in state.under[root] if (city := state.atlas.board.city_at[at]) >= 0]


def connect(ledger: Ledger[EuropeState], seat: int, cities: tuple[int, ...]) -> None:
    """The shortest chain pays; of several that pay differently the builder picks one (E-41)."""
    state, ids = ledger.state, ledger.state.atlas.city_ids
    payouts = shortest_chains(state, cities[0])
    names = tuple(ids[city] for city in cities)
    chains = tuple(tuple(state.atlas.path_ids[path] for path in chain) for chain in payouts.values())
    if len(chains) > 1:
        ledger.emit(ChainsTied(seat, names, chains))
    else:
        ledger.emit(ConnectionPaid(names, chains[0], next(iter(payouts))))


def shortest_chains(state: EuropeState, city: int) -> _Payouts:
    """The shortest chains from a city to another one, one for each way in which they pay."""
    board = state.atlas.board
    start = board.cities[city].crossroads
    wave: dict[int, _Payouts] = {start: {(0,) * state.seats: ()}}
    seen = {start}
    while True:
        wave = next_wave(state, wave, seen)
        seen.update(wave)
        arrived: _Payouts = {}
        for at in [at for at in wave if board.city_at[at] >= 0]:
            arrived = wave[at] | arrived
        if arrived:
            return arrived


def next_wave(state: EuropeState, wave: dict[int, _Payouts], seen: set[int]) -> dict[int, _Payouts]:
    """One route further, to crossroads not seen before."""
    found: dict[int, _Payouts] = {}
    for at, payouts in wave.items():
        for other, path in state.atlas.board.neighbours[at]:
            owner = state.route[path]
            if owner != NOBODY and other not in seen:
                reached = found.setdefault(other, {})
                for paid, chain in payouts.items():
                    reached.setdefault((*paid[:owner], paid[owner] + 1, *paid[owner + 1 :]), (*chain, path))
    return found


def verify_chain(state: EuropeState, seat: int, wanted: ChooseChain) -> None:
    """One of the equal chains."""
    on_turn(state, seat, CHAIN)
    if wanted.chain not in state.chains:
        raise NoSuchChoiceError("That is none of the chains to choose from.", rule="E-41")


def decide_chain(ledger: Ledger[EuropeState], seat: int, wanted: ChooseChain) -> None:
    """It pays its owners."""
    state, index = ledger.state, ledger.state.atlas.board.path_index
    owners = [state.route[index[path]] for path in wanted.chain]
    ledger.emit(
        ConnectionPaid(state.joined, wanted.chain, tuple(owners.count(owner) for owner in range(state.seats)))
    )
    lapse(ledger, seat)


def chain_moves(state: EuropeState) -> list[Move]:
    """One for each chain."""
    return [ChooseChain(chain) for chain in state.chains]


def verify_forgo(state: EuropeState, seat: int, wanted: ForgoRoute) -> None:
    """A free route is due."""
    on_turn(state, seat, BONUS_ROUTE, FREE_ROUTE)


def decide_forgo(ledger: Ledger[EuropeState], seat: int, wanted: ForgoRoute) -> None:
    """The double arrow's first: after it those of a safe conduct may still be due."""
    ledger.emit(RouteForgone(seat, _SOURCES[ledger.state.phase]))
    lapse(ledger, seat)


def lapse(ledger: Ledger[EuropeState], seat: int) -> None:
    """Routes of a safe conduct that can't be laid are not waited for (E-60)."""
    state = ledger.state
    if state.phase == FREE_ROUTE and not can_lay(state, seat):
        ledger.emit(RouteForgone(seat, "safe_conduct"))


def can_lay(state: EuropeState, seat: int) -> bool:
    """A route is left, and a place for it."""
    return bool(state.routes_left[seat] and state.free_sites[seat])
