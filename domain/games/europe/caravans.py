"""Caravans: formed, moved along routes for salt and tolls, and what they deliver (E-40, E-46 to E-50)."""

from collections.abc import Sequence
from functools import lru_cache

from kontor_games.domain.game import Ledger, Move
from kontor_games.domain.games.europe.atlas import STEPS_PER_CARD
from kontor_games.domain.games.europe.checks import afford, afford_gold, on_turn, place
from kontor_games.domain.games.europe.ending import end_if_delivered
from kontor_games.domain.games.europe.facts_build import CaravanFormed
from kontor_games.domain.games.europe.facts_travel import CaravanMoved, GoodDelivered, StepsLapsed
from kontor_games.domain.games.europe.journeys import (
    Trip,
    list_journeys,
    may_end,
    price_of,
    salt_in_hand,
    trip_of,
)
from kontor_games.domain.games.europe.merchants import check_moved, new_piece, variants
from kontor_games.domain.games.europe.moves import Deliver, FormCaravan, Halt, MoveCaravan
from kontor_games.domain.games.europe.refusals import (
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
from kontor_games.domain.games.europe.resources import CARAVAN_COST, SALT, counts_of
from kontor_games.domain.games.europe.state import ACTION, GO_ON, NOBODY, ROLL, EuropeState

HALT = Halt()
_caravan_moved = lru_cache(maxsize=1 << 14)(CaravanMoved)
"""Single steps happen again and again: such a fact is found rather than made."""
_PRICE = counts_of(CARAVAN_COST)


def verify_form(state: EuropeState, seat: int, wanted: FormCaravan) -> None:
    """On a route of one's own beside a post of one's own, where fewer than two stand (E-40)."""
    on_turn(state, seat, ACTION)
    path = place(state.atlas.board.path_index, wanted.path, "path")
    if path not in state.stations[seat]:
        raise NotBesideError(
            "Caravans are formed on a route of your own beside a post of your own.", rule="E-40"
        )
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
    return [
        ready[path][variant] for path in state.stations[seat] if path not in state.full for variant in which
    ]


def caravan_moves(state: EuropeState, seat: int, found: list[Move]) -> None:
    """The best move to every route that a caravan can end on (E-46)."""
    salt = state.hands[seat * 5 + SALT] if state.rolled else 0
    if salt or state.steps:
        for caravan in (0, 1) if state.phase != GO_ON else (state.moving,):
            on_the_way = state.steps and caravan == state.moving
            if state.caravans[seat * 2 + caravan] >= 0 and (salt or on_the_way):
                list_journeys(state, seat, caravan, 0 if on_the_way and state.bribed else salt, found)
    if state.steps and state.phase != GO_ON:
        found.append(HALT)


def verify_move(state: EuropeState, seat: int, wanted: MoveCaravan) -> None:
    """Along routes, for salt and tolls, to a route where it may stay (E-46, E-47)."""
    on_turn(state, seat, ACTION, GO_ON, ROLL)
    if state.caravans[seat * 2 + wanted.caravan] == NOBODY:
        raise PieceNotThereError("That caravan is not on the board.", rule="E-46")
    if state.phase == GO_ON and wanted.caravan != state.moving:
        raise PlaceOccupiedError("The other caravan has to go on first.", rule="E-46")
    trip = trip_of(state, seat, wanted.caravan)
    if state.phase == ROLL and not trip.bribed:
        raise OutOfReachError("Before the roll a caravan moves by a bribe only.", rule="E-20")
    check_way(state, trip.at, wanted.path)
    check_price(state, trip, wanted)
    if not may_end(state, trip, wanted.path):
        raise PlaceOccupiedError("The move can't end there.", rule="E-46")


def check_way(state: EuropeState, at: int, path: tuple[str, ...]) -> None:
    """Each step to a route that shares a crossroads with the one before (E-46)."""
    index, beside, owners = state.atlas.board.path_index, state.atlas.board.beside, state.route
    for name in path:
        step = index[name] if name in index else place(index, name, "path")
        if owners[step] == NOBODY:
            raise OutOfReachError("Caravans move along routes only.", rule="E-46")
        if step not in beside[at]:
            raise NotBesideError(f"{name} is not beside the route before it.", rule="E-46")
        at = step


def check_price(state: EuropeState, trip: Trip, wanted: MoveCaravan) -> None:
    """The salt and the tolls can be paid, and are what the move says."""
    salt, tolls = price_of(state, trip, wanted.path)
    if salt > salt_in_hand(state, trip):
        if trip.bribed:
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
    ledger.emit(_caravan_moved(seat, wanted.caravan, wanted.path, salt, tolls, left, trip.bribed))


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
        targets = state.targets[seat]
        routes = [route for route in deliverers(state, seat) if route >= 0 and targets >> route & 1]
        if routes:
            cities = {
                city
                for route in routes
                for city in state.atlas.cities_of[route]
                if state.takes_good(seat, city)
            }
            found += [state.atlas.deliver[city] for city in sorted(cities)]


def verify_deliver(state: EuropeState, seat: int, wanted: Deliver) -> None:
    """A free good, a caravan beside the post, and a post that takes it (E-48)."""
    on_turn(state, seat, ACTION, GO_ON, ROLL)
    city = place(state.atlas.board.city_index, wanted.city, "city")
    if city not in served(state, seat):
        raise NotBesideError("No caravan of yours that may deliver now stands beside that city.", rule="E-48")
    if not state.takes_good(seat, city):
        raise CannotDeliverError("Goods go to posts of others that have none yet.", rule="E-48")
    if not state.free_goods[seat]:
        raise NothingToDeliverError("None of your goods is free: found another post.", rule="E-48")


def decide_deliver(ledger: Ledger[EuropeState], seat: int, wanted: Deliver) -> None:
    """The last one wins at once (E-70)."""
    ledger.emit(GoodDelivered(seat, wanted.city))
    end_if_delivered(ledger, seat)
