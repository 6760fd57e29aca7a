"""Caravans: formed, moved along routes for salt and tolls, and what they deliver (E-40, E-46 to E-50)."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.game import Ledger, Move
from domain.games.europe.atlas import STEPS_PER_CARD, Way
from domain.games.europe.checks import afford, afford_gold, on_turn, place
from domain.games.europe.ending import end_if_delivered
from domain.games.europe.facts_build import CaravanFormed
from domain.games.europe.facts_travel import CaravanMoved, GoodDelivered, StepsLapsed
from domain.games.europe.merchants import check_moved, new_piece, variants
from domain.games.europe.moves import Deliver, FormCaravan, Halt, MoveCaravan
from domain.games.europe.refusals import (
    CannotDeliverError,
    CannotPayError,
    NotBesideError,
    NothingLeftError,
    NothingToDeliverError,
    OutOfReachError,
    PieceNotThereError,
    PlaceOccupiedError,
    PriceDiffersError,
)
from domain.games.europe.resources import CARAVAN_COST, LUMBER, ORE, SALT, counts_of
from domain.games.europe.state import ACTION, GO_ON, NOBODY, ROLL, EuropeState

HALT = Halt()
CARAVANS_ON_A_ROUTE = 2
_PRICE = counts_of(CARAVAN_COST)
_EVERYBODY = 15


class Trip(NamedTuple):
    """What a caravan has for a move: where it stands, steps left over, salt, gold, and the owners it need not pay, as bits."""

    piece: int
    at: int
    left: int
    salt: int
    gold: int
    paid: int

    @property
    def steps(self) -> int:
        """How far it can go at most."""
        return self.left + STEPS_PER_CARD * self.salt

    def salt_for(self, steps: int) -> int:
        """What so many steps cost (E-46)."""
        return max(0, -(-(steps - self.left) // STEPS_PER_CARD))


Stops = dict[int, MoveCaravan]
"""Routes within reach, each with the best move that ends there."""
Visit = tuple[int, int, Way]
"""A route, the owners that need not be paid (any more), and the way that led there."""

_BIT = (1, 2, 4, 8)
_COUNT = tuple(owners.bit_count() for owners in range(16))
_SUPERSETS = tuple(sum(1 << other for other in range(16) if other & owners == owners) for owners in range(16))
"""A set of owners to all sets that hold it."""


def can_pay_caravan(state: EuropeState, seat: int) -> bool:
    """Ore, lumber and salt (E-40)."""
    at, hands = seat * 5, state.hands
    return bool(hands[at + ORE] and hands[at + LUMBER] and hands[at + SALT])


def verify_form(state: EuropeState, seat: int, wanted: FormCaravan) -> None:
    """On a route of one's own beside a post of one's own, where fewer than two stand (E-40)."""
    on_turn(state, seat, ACTION)
    path = place(state.atlas.board.path_index, wanted.path, "path")
    if path not in state.stations[seat]:
        raise NotBesideError("Caravans are formed on a route of your own beside a post of your own.", rule="E-40")
    if path in state.full:
        raise PlaceOccupiedError("Two caravans stand there already.", rule="E-40")
    check_moved(state.caravans, seat, wanted.moved, "caravan")
    afford(state, seat, _PRICE, "E-40")


def decide_form(ledger: Ledger[EuropeState], seat: int, wanted: FormCaravan) -> None:
    """New, or moved there."""
    piece = new_piece(ledger.state.caravans, seat, wanted.moved)
    ledger.emit(CaravanFormed(seat, piece, wanted.path, CARAVAN_COST))


def form_moves(state: EuropeState, seat: int) -> list[Move]:
    """Every route where a caravan can be formed."""
    ready, which = state.atlas.form_caravan, variants(state.caravans, seat)
    return [ready[path][variant] for path in state.stations[seat] if path not in state.full for variant in which]


def trip_of(state: EuropeState, seat: int, caravan: int) -> Trip:
    """What this caravan has for its next move: the rest of a bribe alone, or the steps left over and all the salt."""
    piece = seat * 2 + caravan
    left = state.steps if state.moving == caravan else 0
    if left and state.bribed:
        return Trip(piece, state.caravans[piece], left, 0, 0, _EVERYBODY)
    salt = state.hands[seat * 5 + SALT] if state.rolled else 0
    gold = min(state.gold[seat], state.seats - 1)
    return Trip(piece, state.caravans[piece], left, salt, gold, state.tolls[caravan] | 1 << seat)


def caravan_moves(state: EuropeState, seat: int, found: list[Move]) -> None:
    """The best move to every route that a caravan can end on (E-46)."""
    salt = state.rolled and state.hands[seat * 5 + SALT]
    for caravan in (0, 1) if state.phase != GO_ON else (state.moving,):
        if state.caravans[seat * 2 + caravan] >= 0 and (salt or (state.steps and caravan == state.moving)):
            trip = trip_of(state, seat, caravan)
            if state.full:
                full = state.full
                found += [m for route, m in stops(state, trip).items() if route not in full or may_end(state, trip, route, m)]
            else:
                found += stops(state, trip).values()
    if state.steps and state.phase != GO_ON:
        found.append(HALT)


def stops(state: EuropeState, trip: Trip) -> Stops:
    """Every route within reach; kept until a route comes to the board."""
    there: dict[Trip, Stops] = state.reach.setdefault(state.root[state.atlas.board.paths[trip.at].a], {})
    known = there.get(trip)
    if known is None:
        known = there[trip] = explore(state, trip)
    return known


def explore(state: EuropeState, trip: Trip) -> Stops:
    """Breadth first. Of all ways to a route the one with the least salt counts, then toll, then length."""
    best: Stops = {}
    seen = [0] * len(state.links)
    seen[trip.at] = _SUPERSETS[trip.paid]
    wave: list[Visit] = [(trip.at, trip.paid, state.atlas.ways)]
    caravan = trip.piece & 1
    for steps in range(1, trip.steps + 1):
        wave = further(state, trip, wave, seen)
        if not wave:
            break
        salt = trip.salt_for(steps)
        for route, paid, way in wave:
            toll = _COUNT[paid & ~trip.paid]
            known = best.get(route)
            if known is None or (known.salt == salt and toll < known.toll):
                best[route] = way.moves.get((caravan, salt, toll)) or way.move(caravan, salt, toll)
    return best


def further(state: EuropeState, trip: Trip, wave: list[Visit], seen: list[int]) -> list[Visit]:
    """One step on from everywhere, where the toll can be paid; to a route seen before only if fewer owners were paid on the way."""
    found: list[Visit] = []
    owners, links = state.route, state.links
    free, gold = ~trip.paid, trip.gold
    for at, paid, way in wave:
        for path in links[at]:
            paying = paid | _BIT[owners[path]]
            if not seen[path] >> paying & 1 and _COUNT[paying & free] <= gold:
                seen[path] |= _SUPERSETS[paying]
                found.append((path, paying, way.next.get(path) or way.further(path)))
    return found


def others_on(state: EuropeState, piece: int, route: int) -> int:
    """How many caravans but this one stand on a route."""
    return state.caravans.count(route) - (state.caravans[piece] == route)


def may_end(state: EuropeState, trip: Trip, route: int, move: MoveCaravan) -> bool:
    """Not where it began; and where two others stand, it only stops over to deliver and can go on."""
    if route == trip.at:
        return False
    return route not in state.full or stops_over(state, trip, route, move)


def stops_over(state: EuropeState, trip: Trip, route: int, move: MoveCaravan) -> bool:
    """Passing a full route, a caravan may deliver there if it can then go on to one where it may stay (E-46, E-48)."""
    seat = trip.piece // 2
    if not (state.free_goods[seat] and any(takes_good(state, seat, city) for city in state.atlas.cities_of[route])):
        return False
    rest = rest_of(state, trip, move)
    return any(others_on(state, trip.piece, end) < CARAVANS_ON_A_ROUTE for end in explore(state, rest))


def rest_of(state: EuropeState, trip: Trip, move: MoveCaravan) -> Trip:
    """What the caravan has left after a move."""
    salt, tolls = price_of(state, trip, move.path)
    paid = trip.paid
    for owner in tolls:
        paid |= 1 << owner
    left = trip.left + STEPS_PER_CARD * salt - len(move.path)
    return Trip(trip.piece, state.atlas.board.path_index[move.path[-1]], left, trip.salt - salt, trip.gold - len(tolls), paid)


def price_of(state: EuropeState, trip: Trip, path: tuple[str, ...]) -> tuple[int, tuple[int, ...]]:
    """The salt, and the owners to whom a toll is due, in the order of the way (E-47)."""
    index, tolls = state.atlas.board.path_index, list[int]()
    for step in path:
        owner = state.route[index[step]]
        if not trip.paid >> owner & 1 and owner not in tolls:
            tolls.append(owner)
    return trip.salt_for(len(path)), tuple(tolls)


def verify_move(state: EuropeState, seat: int, wanted: MoveCaravan) -> None:
    """Along routes, for salt and tolls, to a route where it may stay (E-46, E-47)."""
    on_turn(state, seat, ACTION, GO_ON, ROLL)
    trip = trip_of(state, seat, wanted.caravan)
    if trip.at == NOBODY:
        raise PieceNotThereError("That caravan is not on the board.", rule="E-46")
    if state.phase == GO_ON and wanted.caravan != state.moving:
        raise PlaceOccupiedError("The other caravan has to go on first.", rule="E-46")
    if state.phase == ROLL and not trip.steps:
        raise OutOfReachError("Before the roll a caravan moves by a bribe only.", rule="E-20")
    check_way(state, trip, wanted.path)
    check_price(state, trip, wanted)
    end = state.atlas.board.path_index[wanted.path[-1]]
    if not may_end(state, trip, end, wanted):
        raise PlaceOccupiedError("The move can't end there.", rule="E-46")


def check_way(state: EuropeState, trip: Trip, path: tuple[str, ...]) -> None:
    """Each step to a route that shares a crossroads with the one before (E-46)."""
    at = trip.at
    for name in path:
        step = place(state.atlas.board.path_index, name, "path")
        if state.route[step] == NOBODY:
            raise OutOfReachError("Caravans move along routes only.", rule="E-46")
        if step not in state.atlas.board.beside[at]:
            raise NotBesideError(f"{name} is not beside the route before it.", rule="E-46")
        at = step


def check_price(state: EuropeState, trip: Trip, wanted: MoveCaravan) -> None:
    """The salt and the tolls can be paid, and are what the move says."""
    salt, tolls = price_of(state, trip, wanted.path)
    if salt > trip.salt:
        if trip.paid == _EVERYBODY:
            raise OutOfReachError(f"The bribe reaches {trip.left} routes further.", rule="E-63")
        raise CannotPayError(f"That takes {salt} salt.", rule="E-46")
    afford_gold(state, trip.piece // 2, len(tolls), "E-47")
    if wanted.salt not in (None, salt) or wanted.toll not in (None, len(tolls)):
        raise PriceDiffersError(f"That takes {salt} salt and {len(tolls)} gold toll.", rule="E-47")


def decide_move(ledger: Ledger[EuropeState], seat: int, wanted: MoveCaravan) -> None:
    """Tolls go to the owners; steps not used stay until something else is done."""
    state = ledger.state
    trip = trip_of(state, seat, wanted.caravan)
    salt, tolls = price_of(state, trip, wanted.path)
    left = trip.left + STEPS_PER_CARD * salt - len(wanted.path)
    ledger.emit(CaravanMoved(seat, wanted.caravan, wanted.path, salt, tolls, left, trip.paid == _EVERYBODY))


def verify_halt(state: EuropeState, seat: int, wanted: Halt) -> None:
    """There are steps to give up."""
    on_turn(state, seat, ACTION, ROLL)
    if state.moving < 0 or not state.steps:
        raise NothingLeftError("No caravan has steps left.", rule="E-46")


def decide_halt(ledger: Ledger[EuropeState], seat: int, wanted: Halt) -> None:
    """They are lost."""
    lapse_steps(ledger, seat)


def lapse_steps(ledger: Ledger[EuropeState], seat: int) -> None:
    """What was left of a caravan's move is lost (E-46)."""
    ledger.emit(StepsLapsed(seat, ledger.state.moving, ledger.state.steps))


def takes_good(state: EuropeState, seat: int, city: int) -> bool:
    """A foreign or neutral post without a good (E-48)."""
    return state.post[city] not in (seat, NOBODY) and state.good[city] == NOBODY


def deliverers(state: EuropeState, seat: int) -> Sequence[int]:
    """The routes from which one may deliver now: all caravans in the action phase, before it only the bribed one (E-48)."""
    if state.rolled:
        return state.caravans[seat * 2 : seat * 2 + 2]
    return (state.caravans[seat * 2 + state.moving],) if state.bribed else ()


def served(state: EuropeState, seat: int) -> list[int]:
    """The cities beside those caravans."""
    return [city for route in deliverers(state, seat) if route >= 0 for city in state.atlas.cities_of[route]]


def deliver_moves(state: EuropeState, seat: int, found: list[Move]) -> None:
    """Every post that takes a good now."""
    if state.free_goods[seat]:
        cities = [city for city in served(state, seat) if takes_good(state, seat, city)]
        if cities:
            found += [state.atlas.deliver[city] for city in sorted(set(cities))]


def verify_deliver(state: EuropeState, seat: int, wanted: Deliver) -> None:
    """A free good, a caravan beside the post, and a post that takes it (E-48)."""
    on_turn(state, seat, ACTION, GO_ON, ROLL)
    city = place(state.atlas.board.city_index, wanted.city, "city")
    if city not in served(state, seat):
        raise NotBesideError("No caravan of yours that may deliver now stands beside that city.", rule="E-48")
    if not takes_good(state, seat, city):
        raise CannotDeliverError("Goods go to posts of others that have none yet.", rule="E-48")
    if not state.free_goods[seat]:
        raise NothingToDeliverError("None of your goods is free: found another post.", rule="E-48")


def decide_deliver(ledger: Ledger[EuropeState], seat: int, wanted: Deliver) -> None:
    """The last one wins at once (E-70)."""
    ledger.emit(GoodDelivered(seat, wanted.city))
    end_if_delivered(ledger, seat)
