"""How far a caravan gets: ways along routes, their salt and their tolls (E-46, E-47)."""

from functools import lru_cache
from typing import Any, NamedTuple

from kontor_games.domain.game import Move
from kontor_games.domain.games.europe.atlas import STEPS_PER_CARD, few_numbers
from kontor_games.domain.games.europe.moves import MoveCaravan
from kontor_games.domain.games.europe.resources import SALT
from kontor_games.domain.games.europe.state import EuropeState

CARAVANS_ON_A_ROUTE = 2

_EVERYBODY = 15
_COUNT = tuple(owners.bit_count() for owners in range(16))
_TOLLS = tuple(tuple(_COUNT[owners & ~paid] for owners in range(16)) for paid in range(16))
"""Owners paid before, and now, to the number of those new."""
_SUPERSETS = tuple(sum(1 << other for other in range(16) if other & owners == owners) for owners in range(16))
"""A set of owners to all sets that hold it."""

_journey = lru_cache(maxsize=1 << 14)(MoveCaravan)
"""A move that was made before is found rather than made again."""

Visit = tuple[int, int, Any]
"""A route with its far end (as 2 p + e), the owners who need not be paid (any more), and the visit before."""
Stops = dict[int, MoveCaravan]
"""Routes within reach, each with the best move that ends there."""


class Trip(NamedTuple):
    """What a caravan has for a move besides salt."""

    piece: int
    at: int
    left: int
    """Steps left over."""
    gold: int
    """As far as owners around could ask for it."""
    paid: int
    """The owners that need not be paid, as bits."""
    bribed: bool

    def salt_for(self, steps: int) -> int:
        """What so many steps cost (E-46)."""
        return -(-(steps - self.left) // STEPS_PER_CARD) if steps > self.left else 0


def trip_of(state: EuropeState, seat: int, caravan: int) -> Trip:
    """What this caravan has for its next move: the rest of a bribe alone, or the steps left over, and gold."""
    piece = seat * 2 + caravan
    at = state.caravans[piece]
    left = state.steps if state.moving == caravan else 0
    if left and state.bribed:
        return Trip(piece, at, left, 0, _EVERYBODY, True)
    owners = state.owners_in[state.root[state.atlas.ends[at]]]
    paid = (state.tolls[caravan] | 1 << seat) & owners
    gold, most = state.gold[seat], _COUNT[owners & ~paid]
    return Trip(piece, at, left, gold if gold < most else most, paid, False)


def salt_in_hand(state: EuropeState, trip: Trip) -> int:
    """What the owner could pay for the trip: nothing before the roll, nothing for a bribe (E-63)."""
    return state.hands[trip.piece // 2 * 5 + SALT] if state.rolled and not trip.bribed else 0


class Search:
    """Breadth first from where a caravan stands, one salt after the other.

    Of all ways to a route the one with the least salt counts, then toll, then length.
    """

    __slots__ = ("levels", "moves", "seen", "trip", "waves")

    def __init__(self, state: EuropeState, trip: Trip) -> None:
        """Nothing is reached yet."""
        self.trip = trip
        self.seen = [0] * len(state.route)
        """Route to the sets of paid owners with which it need not be reached again, as bits of bits."""
        self.seen[trip.at] = _SUPERSETS[trip.paid]
        self.waves: list[list[Visit]] = [[(2 * trip.at, trip.paid, None), (2 * trip.at + 1, trip.paid, None)]]
        self.levels: list[dict[int, Visit]] = []
        """By salt: every route within reach, with the last visit of the best way there."""
        self.moves: Stops = {}

    def within(self, state: EuropeState, salt: int) -> dict[int, Visit]:
        """Every route within reach of so much salt."""
        levels, waves = self.levels, self.waves
        while len(levels) <= salt:
            fresh: dict[int, Visit] = {}
            for _ in range(STEPS_PER_CARD if levels else self.trip.left):
                if waves[-1]:
                    waves.append(self._further(state, fresh))
            levels.append(fresh | levels[-1] if levels else fresh)
        return levels[salt]

    def _further(self, state: EuropeState, fresh: dict[int, Visit]) -> list[Visit]:
        """One step on from everywhere, where the toll can be paid; to a route seen before only if fewer owners were paid on the way."""
        found: list[Visit] = []
        seen, onward, tolls, gold = self.seen, state.onward, _TOLLS[self.trip.paid], self.trip.gold
        for visit in self.waves[-1]:
            for path, end, owner in onward[visit[0]]:
                paying = visit[1] | owner
                known = seen[path]
                if known >> paying & 1 or tolls[paying] > gold:
                    continue
                seen[path] = known | _SUPERSETS[paying]
                here = (end, paying, visit)
                found.append(here)
                if path not in fresh or tolls[paying] < tolls[fresh[path][1]]:
                    fresh[path] = here
        return found

    def level_of(self, state: EuropeState, wanted: list[int], salt: int) -> int:
        """The salt that reaches all wanted routes, or all there is."""
        for level in range(salt):
            reached = self.within(state, level)
            if all(route in reached for route in wanted):
                return level
        self.within(state, salt)
        return salt

    def move(self, state: EuropeState, route: int, salt: int) -> MoveCaravan:
        """The best move to a route within reach of so much salt."""
        if route not in self.moves:
            self.moves[route] = self.move_along(state, self.levels[salt][route])
        return self.moves[route]

    def move_along(self, state: EuropeState, visit: Visit) -> MoveCaravan:
        """The move that ends with a visit."""
        path, paid = list[str](), visit[1]
        while visit[2]:
            path.append(state.atlas.path_ids[visit[0] >> 1])
            visit = visit[2]
        return _journey(
            self.trip.piece & 1,
            tuple(path[::-1]),
            self.trip.salt_for(len(path)),
            _TOLLS[self.trip.paid][paid],
        )


def search(state: EuropeState, trip: Trip) -> Search:
    """The search from there, kept until a route is laid that is joined to it."""
    there = state.reach.setdefault(state.root[state.atlas.ends[trip.at]], {})
    known: Search | None = there.get(trip)
    if known is None:
        known = there[trip] = Search(state, trip)
    return known


def list_journeys(state: EuropeState, seat: int, caravan: int, salt: int, found: list[Move]) -> None:
    """The moves of one step, past full routes of more; and the best move to every other route within reach where a good can be left."""
    at = state.caravans[seat * 2 + caravan]
    stops = next_stops(state, seat, caravan, at)
    if state.full and not stops.keys().isdisjoint(state.full):
        stops = past_full(state, trip_of(state, seat, caravan), salt, stops)
    found += stops.values()
    if state.free_goods[seat]:
        steps = salt * STEPS_PER_CARD + (state.steps if caravan == state.moving else 0)
        near = state.targets[seat] & state.atlas.around(at, steps)
        if not near:
            return
        root, ends = state.root, state.atlas.ends
        home = root[ends[at]]
        wanted = [route for route in few_numbers(near) if root[ends[route]] == home and route not in stops]
        if wanted:
            found += far_moves(state, trip_of(state, seat, caravan), salt, wanted)


def next_stops(state: EuropeState, seat: int, caravan: int, at: int) -> Stops:
    """One step in every direction."""
    left = state.steps and state.moving == caravan
    paid = _EVERYBODY if left and state.bribed else state.tolls[caravan] | 1 << seat
    price, asked, ready = caravan if left else caravan + 4, state.gold[seat] > 0, state.atlas.step_caravan
    stops = {}
    for path, _, owner in state.onward[2 * at] + state.onward[2 * at + 1]:
        if owner & paid:
            stops[path] = ready[path][price]
        elif asked:
            stops[path] = ready[path][price + 2]
    return stops


def past_full(state: EuropeState, trip: Trip, salt: int, stops: Stops) -> Stops:
    """A full route is no stop: instead those behind it are."""
    full, index, found = state.full, state.atlas.board.path_index, search(state, trip)
    far = [found.move(state, route, salt) for route in found.within(state, salt) if route not in full]
    behind = {
        index[move.path[-1]]: move for move in far if all(index[path] in full for path in move.path[:-1])
    }
    return {route: move for route, move in stops.items() if route not in full} | behind


def far_moves(state: EuropeState, trip: Trip, salt: int, wanted: list[int]) -> list[MoveCaravan]:
    """To the wanted routes as far as they can be reached; to full ones to stop over."""
    found = search(state, trip)
    level = found.level_of(state, wanted, salt)
    moves = [
        found.move(state, route, level)
        for route in wanted
        if route in found.levels[level] and route not in state.full
    ]
    return moves + [
        move for route in state.full if route in wanted for move in stop_over(state, trip, route, found, salt)
    ]


def stop_over(state: EuropeState, trip: Trip, route: int, found: Search, salt: int) -> list[MoveCaravan]:
    """The cheapest way to a full route that leaves enough to go on."""
    found.within(state, salt)
    moves = [
        found.move_along(state, visit) for wave in found.waves[1:] for visit in wave if visit[0] >> 1 == route
    ]
    moves = [move for move in moves if (move.salt or 0) <= salt and may_end(state, trip, move.path)]
    return sorted(moves, key=lambda move: (move.salt, move.toll))[:1]


def others_on(state: EuropeState, piece: int, route: int) -> int:
    """How many caravans but this one stand on a route."""
    return state.caravans.count(route) - (state.caravans[piece] == route)


def may_end(state: EuropeState, trip: Trip, path: tuple[str, ...]) -> bool:
    """Not where it began; and where two others stand, it may only stop over to deliver, and must be able to go on (E-46, E-48)."""
    route = state.atlas.board.path_index[path[-1]]
    if route == trip.at or route not in state.full:
        return route != trip.at
    if not can_leave_good(state, trip, route):
        return False
    rest, salt = rest_of(state, trip, path)
    return any(
        others_on(state, trip.piece, end) < CARAVANS_ON_A_ROUTE
        for end in Search(state, rest).within(state, salt)
    )


def rest_of(state: EuropeState, trip: Trip, path: tuple[str, ...]) -> tuple[Trip, int]:
    """What the caravan has left after going along a path, and the salt left."""
    salt, tolls = price_of(state, trip, path)
    left = trip.left + STEPS_PER_CARD * salt - len(path)
    paid = trip.paid | sum(1 << owner for owner in tolls)
    rest = Trip(
        trip.piece, state.atlas.board.path_index[path[-1]], left, trip.gold - len(tolls), paid, trip.bribed
    )
    return rest, salt_in_hand(state, trip) - salt


def price_of(state: EuropeState, trip: Trip, path: tuple[str, ...]) -> tuple[int, tuple[int, ...]]:
    """The salt, and the owners to whom a toll is due, in the order of the way (E-47)."""
    index, route, paid = state.atlas.board.path_index, state.route, trip.paid
    tolls: tuple[int, ...] = ()
    for step in path:
        owner = route[index[step]]
        if not paid >> owner & 1:
            paid |= 1 << owner
            tolls += (owner,)
    return trip.salt_for(len(path)), tolls


def can_leave_good(state: EuropeState, trip: Trip, route: int) -> bool:
    """Whether a good is free, and a post beside the route takes it (E-48)."""
    seat = trip.piece // 2
    return state.free_goods[seat] > 0 and bool(state.targets[seat] >> route & 1)
