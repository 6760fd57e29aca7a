"""How far a caravan can go: ways along routes, their salt and their tolls (E-46, E-47)."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from kontor_games.domain.games.europe.data.components import SALT
from kontor_games.domain.games.europe.moves import MoveCaravan
from kontor_games.domain.games.europe.state import NOBODY, EuropeState

# A set of owners is a bit mask. These tables are indexed by all 16 sets:
EVERYBODY = 15
_COUNT = tuple(owners.bit_count() for owners in range(16))
_TOLLS = tuple(tuple(_COUNT[owners & ~paid] for owners in range(16)) for paid in range(16))
"""`_TOLLS[paid][owners]`: the number of owners who are not yet paid."""
_TOO_DEAR = tuple(
    tuple(sum(1 << owners for owners in range(16) if tolls[owners] > gold) for gold in range(5))
    for tolls in _TOLLS
)
"""`_TOO_DEAR[paid][gold]`: the sets of owners, as a bit mask of sets, who charge more than this gold."""
_SUPERSETS = tuple(sum(1 << other for other in range(16) if other & owners == owners) for owners in range(16))
"""For each set of owners, all sets that contain it."""

Visit = tuple[int, int, Any]
"""The end of a route (2 p + e), the owners who are owed nothing from there on, and the visit before."""
Stops = dict[int, MoveCaravan]
"""Routes within reach, each with the best move that ends there."""


class Trip(NamedTuple):
    """The means of a caravan for a move, besides salt."""

    seat: int
    caravan: int
    at: int
    left: int
    """Steps left over."""
    gold: int
    """At most as much as the owners of connected routes can charge."""
    paid: int
    """The owners that need not be paid, as bits."""
    bribed: bool
    steps_per_salt: int

    def salt_for(self, steps: int) -> int:
        """Return the salt that a number of steps costs (E-46)."""
        return max(-(-(steps - self.left) // self.steps_per_salt), 0)

    def steps_left(self, salt: int, steps: int) -> int:
        """Return the steps left after a move of some steps for some salt."""
        return self.left + self.steps_per_salt * salt - steps


def trip_of(state: EuropeState, seat: int, caravan: int, steps_per_salt: int) -> Trip:
    """Return what a caravan has for its next move: the rest of a bribe alone, or left-over steps and gold."""
    at = state.caravans[seat * 2 + caravan]
    left = state.steps if state.moving == caravan else 0
    if left and state.bribed:
        return Trip(seat, caravan, at, left, 0, EVERYBODY, True, steps_per_salt)
    index = state.index
    owners = index.owners_in[index.root[state.tables.ends[at]]]
    paid = (state.tolls[caravan] | 1 << seat) & owners
    gold, most = state.gold[seat], _COUNT[owners & ~paid]
    return Trip(seat, caravan, at, left, gold if gold < most else most, paid, False, steps_per_salt)


def salt_in_hand(state: EuropeState, trip: Trip) -> int:
    """Return the salt that can be paid for the trip: none before the roll, none for a bribe (E-63)."""
    return state.held(trip.seat, SALT) if state.rolled and not trip.bribed else 0


class Search:
    """A breadth-first search from the position of a caravan, one salt at a time.

    The best way to a route is the one with the least salt, then the least toll, then the fewest steps.
    """

    __slots__ = ("reached", "salt", "seen", "trip", "waves")

    def __init__(self, state: EuropeState, trip: Trip) -> None:
        self.trip = trip
        self.seen = [_TOO_DEAR[trip.paid][trip.gold]] * len(state.route)
        """For each route, the sets of paid owners with which another visit is useless, as a mask of sets."""
        self.seen[trip.at] = _SUPERSETS[trip.paid]
        self.waves: list[list[Visit]] = [[(2 * trip.at, trip.paid, None), (2 * trip.at + 1, trip.paid, None)]]
        self.salt = -1
        """The salt with which the search has been made."""
        self.reached: dict[int, Visit] = {}
        """Every route within reach of it, with the last visit of the best way there."""

    def reachable(self, state: EuropeState, salt: int) -> dict[int, Visit]:
        """Return every route within reach of this much salt, or of more if more was asked for before."""
        waves = self.waves
        while self.salt < salt:
            fresh: dict[int, Visit] = {}
            for _ in range(self.trip.steps_per_salt if self.salt >= 0 else self.trip.left):
                if waves[-1]:
                    waves.append(self._further(state, fresh))
            if fresh:
                self.reached = fresh | self.reached
            self.salt += 1
        return self.reached

    def _further(self, state: EuropeState, fresh: dict[int, Visit]) -> list[Visit]:
        """Go one step further from every end, if the toll can be paid.

        A route seen before is visited again only if fewer owners were paid on the way.
        """
        found: list[Visit] = []
        seen, onward, tolls = self.seen, state.index.next_routes, _TOLLS[self.trip.paid]
        for visit in self.waves[-1]:
            at, paid, _ = visit
            for path, end, owner in onward[at]:
                paying = paid | owner
                known = seen[path]
                if not known >> paying & 1:
                    seen[path] = known | _SUPERSETS[paying]
                    here = (end, paying, visit)
                    found.append(here)
                    if path not in fresh or tolls[paying] < tolls[fresh[path][1]]:
                        fresh[path] = here
        return found

    def reach_all(self, state: EuropeState, targets: set[int], salt: int) -> dict[int, Visit]:
        """Return every route within reach of the least salt that reaches all targets, or of all salt."""
        for level in range(salt):
            if self.reachable(state, level).keys() >= targets:
                return self.reached
        return self.reachable(state, salt)

    def move_along(self, state: EuropeState, visit: Visit) -> MoveCaravan:
        """Return the move that ends with a visit."""
        path: list[str] = []
        ids, trip = state.tables.path_ids, self.trip
        toll = _TOLLS[trip.paid][visit[1]]
        at, _, before = visit
        while before:
            path.append(ids[at >> 1])
            at, _, before = before
        return MoveCaravan(trip.caravan, tuple(path[::-1]), trip.salt_for(len(path)), toll)


def past_full(state: EuropeState, trip: Trip, salt: int, stops: Stops) -> Stops:
    """Return the stops with each full route replaced by the routes behind it."""
    full, index, search = state.index.full, state.tables.board.path_index, Search(state, trip)
    reached = search.reachable(state, salt)
    far = [search.move_along(state, visit) for route, visit in reached.items() if route not in full]
    behind = {
        index[move.path[-1]]: move for move in far if all(index[path] in full for path in move.path[:-1])
    }
    return {route: move for route, move in stops.items() if route not in full} | behind


def far_moves(state: EuropeState, trip: Trip, salt: int, targets: list[int]) -> list[MoveCaravan]:
    """Return moves to the target routes within reach; on full ones, only stopovers."""
    search, full = Search(state, trip), state.index.full
    reached = search.reach_all(state, set(targets), salt)
    moves = [
        search.move_along(state, reached[route])
        for route in targets
        if route in reached and route not in full
    ]
    return moves + [
        move for route in full if route in targets for move in stop_over(state, trip, route, search, salt)
    ]


def stop_over(state: EuropeState, trip: Trip, route: int, search: Search, salt: int) -> list[MoveCaravan]:
    """Return the cheapest move to a full route that leaves enough to move on, if there is one."""
    search.reachable(state, salt)
    moves = [
        search.move_along(state, visit)
        for wave in search.waves[1:]
        for visit in wave
        if visit[0] >> 1 == route
    ]
    moves = [move for move in moves if (move.salt or 0) <= salt and may_stay(state, trip, move.path)]
    return sorted(moves, key=lambda move: (move.salt, move.toll))[:1]


def ways_past_full(state: EuropeState, at: int, passed: tuple[int, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Return the ways of two or more steps from a route, all steps but the last on full routes."""
    ids, start = state.tables.path_ids, passed[0] if passed else at
    for path in state.tables.board.beside[at]:
        if state.route[path] == NOBODY or path in passed[1:]:
            continue
        if passed:
            yield tuple([ids[route] for route in (*passed[1:], at, path)])
        if path in state.index.full and path != start:
            yield from ways_past_full(state, path, (*passed, at))


def may_stay(state: EuropeState, trip: Trip, path: tuple[str, ...]) -> bool:
    """Return whether a caravan may stay at the end of a path: where fewer than two others stand.

    It may stop over on a full route if it can deliver there and then move on (E-46, E-48).
    """
    route = state.tables.board.path_index[path[-1]]
    if has_room(state, trip, route):
        return True
    if not state.free_goods[trip.seat] or not state.index.customers[trip.seat] >> route & 1:
        return False
    rest, salt = rest_of(state, trip, path)
    return any(has_room(state, trip, end) for end in Search(state, rest).reachable(state, salt))


def has_room(state: EuropeState, trip: Trip, route: int) -> bool:
    """Return whether there is room for another caravan on a route, not counting the one that moves."""
    others = state.caravans.count(route) - (trip.at == route)
    return others < state.index.CARAVANS_ON_A_ROUTE


def rest_of(state: EuropeState, trip: Trip, path: tuple[str, ...]) -> tuple[Trip, int]:
    """Return the means of the caravan after going along a path, and the salt left."""
    salt, tolls = price_of(state, trip, path)
    rest = trip._replace(
        at=state.tables.board.path_index[path[-1]],
        left=trip.steps_left(salt, len(path)),
        gold=trip.gold - len(tolls),
        paid=trip.paid | sum(1 << owner for owner in tolls),
    )
    return rest, salt_in_hand(state, trip) - salt


def price_of(state: EuropeState, trip: Trip, path: tuple[str, ...]) -> tuple[int, tuple[int, ...]]:
    """Return the salt, and the owners to whom a toll is due, in the order of the way (E-47)."""
    index, route, paid = state.tables.board.path_index, state.route, trip.paid
    tolls: tuple[int, ...] = ()
    for step in path:
        owner = route[index[step]]
        if not paid >> owner & 1:
            paid |= 1 << owner
            tolls += (owner,)
    return trip.salt_for(len(path)), tolls
