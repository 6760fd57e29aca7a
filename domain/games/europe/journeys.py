"""How far a caravan gets: ways along routes, their salt and their tolls (E-46, E-47)."""

from typing import NamedTuple

from domain.game import Move
from domain.games.europe.atlas import STEPS_PER_CARD, Way
from domain.games.europe.moves import MoveCaravan
from domain.games.europe.resources import SALT
from domain.games.europe.state import EuropeState

CARAVANS_ON_A_ROUTE = 2

_EVERYBODY = 15
_COUNT = tuple(owners.bit_count() for owners in range(16))
_TOLLS = tuple(tuple(2 * _COUNT[owners & ~paid] for owners in range(16)) for paid in range(16))
"""Owners paid before, and now, to twice the number of those new."""
_SUPERSETS = tuple(sum(1 << other for other in range(16) if other & owners == owners) for owners in range(16))
"""A set of owners to all sets that hold it."""

Visit = tuple[int, int, Way]
"""A route with its far end (as 2 p + e), the owners who need not be paid (any more), and the way that led there."""
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
        return max(0, -(-(steps - self.left) // STEPS_PER_CARD))


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

    __slots__ = ("levels", "seen", "trip", "waves")

    def __init__(self, state: EuropeState, trip: Trip) -> None:
        """Nothing is reached yet."""
        self.trip = trip
        self.seen = [0] * len(state.route)
        """Route to the sets of paid owners with which it need not be reached again, as bits of bits."""
        self.seen[trip.at] = _SUPERSETS[trip.paid]
        self.waves: list[list[Visit]] = [[(2 * trip.at + end, trip.paid, state.atlas.ways) for end in (0, 1)]]
        self.levels: list[Stops] = []

    def within(self, state: EuropeState, salt: int) -> Stops:
        """Every route within reach of so much salt."""
        levels, waves = self.levels, self.waves
        while len(levels) <= salt:
            best = levels[-1].copy() if levels else {}
            for _ in range(STEPS_PER_CARD if levels else self.trip.left):
                if waves[-1]:
                    waves.append(self._further(state, best))
            levels.append(best)
        return levels[salt]

    def _further(self, state: EuropeState, best: Stops) -> list[Visit]:
        """One step on from everywhere, where the toll can be paid; to a route seen before only if fewer owners were paid on the way."""
        found: list[Visit] = []
        seen, onward, tolls, gold = self.seen, state.onward, _TOLLS[self.trip.paid], self.trip.gold * 2
        price = (self.trip.piece & 1) + 8 * len(self.levels)
        for at, paid, way in self.waves[-1]:
            for path, end, owner in onward[at]:
                paying = paid | owner
                known = seen[path]
                if known >> paying & 1 or (toll := tolls[paying]) > gold:
                    continue
                longer = way[path]
                found.append((end, paying, longer))
                seen[path] = known | _SUPERSETS[paying]
                cost = price + toll
                if not known or cost < price_tag(best[path]):
                    best[path] = longer.moves[cost]
        return found


def price_tag(move: MoveCaravan) -> int:
    """A number that grows with the salt, then with the toll of a listed move."""
    return move.caravan + 2 * (move.toll or 0) + 8 * (move.salt or 0)


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
        wanted = state.targets[seat] & state.atlas.around(at, steps)
        if wanted and not wanted <= stops.keys():
            found += far_moves(state, trip_of(state, seat, caravan), salt, sorted(wanted - stops.keys()))


def next_stops(state: EuropeState, seat: int, caravan: int, at: int) -> Stops:
    """One step in every direction."""
    left = state.steps and state.moving == caravan
    paid = _EVERYBODY if left and state.bribed else state.tolls[caravan] | 1 << seat
    price, asked, ways = caravan if left else caravan + 8, state.gold[seat] > 0, state.atlas.ways
    stops = {}
    for path, _, owner in state.onward[2 * at] + state.onward[2 * at + 1]:
        if owner & paid:
            stops[path] = ways[path].moves[price]
        elif asked:
            stops[path] = ways[path].moves[price + 2]
    return stops


def past_full(state: EuropeState, trip: Trip, salt: int, stops: Stops) -> Stops:
    """A full route is no stop: instead those behind it are."""
    full, index = state.full, state.atlas.board.path_index
    reached = search(state, trip).within(state, salt)
    behind = [route for route, move in reached.items() if all(index[path] in full for path in move.path[:-1])]
    return {route: reached[route] for route in (*stops, *behind) if route not in full}


def far_moves(state: EuropeState, trip: Trip, salt: int, wanted: list[int]) -> list[MoveCaravan]:
    """To the wanted routes as far as they can be reached; to full ones to stop over."""
    root, ends = state.root, state.atlas.ends
    home = root[ends[trip.at]]
    if all(root[ends[route]] != home for route in wanted):
        return []
    found = search(state, trip)
    reached = found.within(state, salt)
    far = {route: reached[route] for route in wanted if route in reached}
    for route in [route for route in state.full if route in far]:
        del far[route]
        far |= stop_over(state, trip, route, found, salt)
    return list(far.values())


def stop_over(state: EuropeState, trip: Trip, route: int, found: Search, salt: int) -> Stops:
    """The cheapest way to a full route that leaves enough to go on."""
    visits = [(steps, paid, way) for steps, wave in enumerate(found.waves) for at, paid, way in wave if at >> 1 == route]
    moves = [MoveCaravan(trip.piece & 1, way.along, trip.salt_for(steps), _COUNT[paid & ~trip.paid]) for steps, paid, way in visits]
    moves = [move for move in moves if (move.salt or 0) <= salt and may_end(state, trip, move.path)]
    return {route: min(moves, key=price_tag)} if moves else {}


def others_on(state: EuropeState, piece: int, route: int) -> int:
    """How many caravans but this one stand on a route."""
    return state.caravans.count(route) - (state.caravans[piece] == route)


def may_end(state: EuropeState, trip: Trip, path: tuple[str, ...]) -> bool:
    """Not where it began; and where two others stand, it may only stop over to deliver, and must be able to go on (E-46, E-48)."""
    route = state.atlas.board.path_index[path[-1]]
    if route == trip.at or others_on(state, trip.piece, route) < CARAVANS_ON_A_ROUTE:
        return route != trip.at
    if not can_leave_good(state, trip, route):
        return False
    rest, salt = rest_of(state, trip, path)
    return any(others_on(state, trip.piece, end) < CARAVANS_ON_A_ROUTE for end in Search(state, rest).within(state, salt))


def rest_of(state: EuropeState, trip: Trip, path: tuple[str, ...]) -> tuple[Trip, int]:
    """What the caravan has left after going along a path, and the salt left."""
    salt, tolls = price_of(state, trip, path)
    left = trip.left + STEPS_PER_CARD * salt - len(path)
    paid = trip.paid | sum(1 << owner for owner in tolls)
    rest = Trip(trip.piece, state.atlas.board.path_index[path[-1]], left, trip.gold - len(tolls), paid, trip.bribed)
    return rest, salt_in_hand(state, trip) - salt


def price_of(state: EuropeState, trip: Trip, path: tuple[str, ...]) -> tuple[int, tuple[int, ...]]:
    """The salt, and the owners to whom a toll is due, in the order of the way (E-47)."""
    index, paid, tolls = state.atlas.board.path_index, trip.paid, list[int]()
    for step in path:
        owner = state.route[index[step]]
        if not paid >> owner & 1:
            paid |= 1 << owner
            tolls.append(owner)
    return trip.salt_for(len(path)), tuple(tolls)


def can_leave_good(state: EuropeState, trip: Trip, route: int) -> bool:
    """Whether a good is free, and a post beside the route takes it (E-48)."""
    seat = trip.piece // 2
    return state.free_goods[seat] > 0 and route in state.targets[seat]
