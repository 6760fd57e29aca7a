"""Caravans: formed, moved along routes for salt and tolls, and their deliveries (E-40, E-46 to E-48)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import ClassVar

from kontor_games.domain.game import Refusal
from kontor_games.domain.games.europe.data.components import SALT, Cards
from kontor_games.domain.games.europe.facts.caravans import CaravanFormed, CaravanMoved, StepsLapsed
from kontor_games.domain.games.europe.facts.delivery import GoodDelivered
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
from kontor_games.domain.games.europe.rules.base import EuropeRule, PurchaseRule, Situation, lacks_gold
from kontor_games.domain.games.europe.rules.conditions import new_piece, no_such_place, wrong_piece
from kontor_games.domain.games.europe.rules.journeys import (
    EVERYBODY,
    Stops,
    Trip,
    far_moves,
    may_stay,
    past_full,
    price_of,
    salt_in_hand,
    trip_of,
    ways_past_full,
)
from kontor_games.domain.games.europe.rules.steps import EuropeLedger
from kontor_games.domain.games.europe.state import NOBODY, EuropeState
from kontor_games.domain.games.europe.state.board_tables import few_numbers
from kontor_games.domain.games.europe.state.phases import ACTION, GO_ON, ROLL

MAX_TOLL_OWNERS = 3
"""The most players who can be owed a toll on one way."""
_caravan_moved = lru_cache(maxsize=1 << 11)(CaravanMoved)
"""Equal facts are created once, because single steps recur often."""
_steps_lapsed = cache(StepsLapsed)


class FormCaravanRule(PurchaseRule[FormCaravan]):
    """Place a new caravan, or move one, onto your route next to your post, if it is not full (E-40)."""

    phases: ClassVar = (ACTION,)
    price: ClassVar = Cards(ore=1, lumber=1, salt=1)
    to_same_route: ClassVar = True
    """Whether a caravan that is moved may come to the route where it stands."""

    def sites(self, state: EuropeState, seat: int) -> int:
        """Return the player's routes beside posts of their own, as bits."""
        return state.index.own_paths[seat] & state.index.routes_of[seat]

    def blocked(self, state: EuropeState, seat: int, move: FormCaravan) -> Refusal | None:
        path = state.tables.board.path_index.get(move.path)
        if path is None:
            return no_such_place("path", move.path)
        if not self.sites(state, seat) >> path & 1:
            return NotBesideError(
                "Form caravans on a route of your own beside a post of your own.", rule="E-40"
            )
        if path in state.index.full:
            return PlaceOccupiedError("Two caravans stand there already.", rule="E-40")
        if refusal := wrong_piece(state.caravans_of(seat), move.moved, "caravan") or self.unpaid(state, seat):
            return refusal
        if self.to_same_route or move.moved is None or state.caravan(seat, move.moved) != path:
            return None
        return PlaceOccupiedError("That caravan stands there already: move it to another route.", rule="E-40")

    def facts(self, ledger: EuropeLedger, seat: int, move: FormCaravan) -> None:
        caravan = new_piece(ledger.state.caravans_of(seat), move.moved)
        ledger.emit(CaravanFormed(seat, caravan, move.path, self.price))

    def fast_listing(self, state: EuropeState, seat: int) -> list[FormCaravan]:
        index, ready, pieces = state.index, state.tables.form_caravan, state.caravans_of(seat)
        sites = [path for path in few_numbers(self.sites(state, seat)) if path not in index.full]
        if NOBODY in pieces:
            return [ready[path][None] for path in sites]
        same = self.to_same_route
        return [ready[path][i] for path in sites for i, at in enumerate(pieces) if same or at != path]


class FormCaravanElsewhereRule(FormCaravanRule):
    """Version 2: with both caravans on the board, the one that is moved comes to another route (E-40)."""

    to_same_route: ClassVar = False


class MoveCaravanRule(EuropeRule[MoveCaravan]):
    """A caravan moves along routes, for salt and tolls, to a route where it may stay (E-46, E-47)."""

    phases: ClassVar = (ACTION, GO_ON, ROLL)
    listed_in_full: ClassVar = False
    steps_per_salt: ClassVar = 3
    lists_ways_past_full: ClassVar = False
    """Whether all ways past full routes are listed, not only the best one."""

    def blocked(self, state: EuropeState, seat: int, move: MoveCaravan) -> Refusal | None:
        if state.caravan(seat, move.caravan) == NOBODY:
            return PieceNotThereError("That caravan is not on the board.", rule="E-46")
        if state.phase == GO_ON and move.caravan != state.moving:
            return PlaceOccupiedError("Your other caravan must move on first.", rule="E-46")
        trip = trip_of(state, seat, move.caravan, self.steps_per_salt)
        if state.phase == ROLL and not trip.bribed:
            return OutOfReachError("Before the roll, a caravan can move only by a bribe.", rule="E-20")
        if refusal := self._wrong_way(state, trip.at, move.path) or self._wrong_price(
            state, seat, trip, move
        ):
            return refusal
        if not self.may_end(state, trip, move.path):
            return PlaceOccupiedError("The move can't end there.", rule="E-46")
        return None

    def may_end(self, state: EuropeState, trip: Trip, path: tuple[str, ...]) -> bool:
        """Return whether a move may end there: where the caravan may stay, but not at its start."""
        return state.tables.board.path_index[path[-1]] != trip.at and may_stay(state, trip, path)

    def _wrong_way(self, state: EuropeState, at: int, path: tuple[str, ...]) -> Refusal | None:
        """Check that each step leads to a route that shares a crossroads with the one before (E-46)."""
        index, beside, owners = state.tables.board.path_index, state.tables.board.beside, state.route
        for name in path:
            step = index.get(name)
            if step is None:
                return no_such_place("path", name)
            if owners[step] == NOBODY:
                return OutOfReachError("Caravans can move only along routes.", rule="E-46")
            if step not in beside[at]:
                return NotBesideError(f"{name} is not beside the route before it.", rule="E-46")
            at = step
        return None

    def _wrong_price(self, state: EuropeState, seat: int, trip: Trip, move: MoveCaravan) -> Refusal | None:
        """Check that salt and tolls can be paid, and match the price in the move."""
        salt, owners = price_of(state, trip, move.path)
        toll = len(owners)
        if salt > salt_in_hand(state, trip):
            if trip.bribed:
                return OutOfReachError(f"The bribe reaches only {trip.left} routes further.", rule="E-63")
            return CannotPayError(f"This costs {salt} salt.", rule="E-46")
        if refusal := lacks_gold(state, seat, toll, "E-47"):
            return refusal
        if move.salt not in (None, salt) or move.toll not in (None, toll):
            return PriceDiffersError(f"This costs {salt} salt and {toll} gold toll.", rule="E-47")
        return None

    def facts(self, ledger: EuropeLedger, seat: int, move: MoveCaravan) -> None:
        """Pay and move; unused steps are kept until another action."""
        state = ledger.state
        trip = trip_of(state, seat, move.caravan, self.steps_per_salt)
        salt, tolls = price_of(state, trip, move.path)
        left = trip.steps_left(salt, len(move.path))
        ledger.emit(_caravan_moved(seat, move.caravan, move.path, salt, tolls, left, trip.bribed))

    def fits(self, now: Situation) -> bool:
        return now.steps or now.phase == GO_ON or (now.phase == ACTION and now.hand[SALT] > 0)

    def counts(self) -> tuple[int, ...]:
        return (1,)

    def fast_listing(self, state: EuropeState, seat: int) -> Sequence[MoveCaravan]:
        """Return single steps, and the best move to every farther route where a good can be delivered."""
        salt = state.hands[seat * 5 + SALT] if state.rolled else 0
        found: list[MoveCaravan] = []
        stuck: list[int] = []
        for caravan in (0, 1) if state.phase != GO_ON else (state.moving,):
            steps, at = state.steps if caravan == state.moving else 0, state.caravans[seat * 2 + caravan]
            if at >= 0 and (salt or steps):
                found += journeys(state, seat, caravan, at, salt, steps, self.steps_per_salt)
                if state.index.beside_full >> at & 1:
                    stuck.append(caravan)
        if stuck and self.lists_ways_past_full:
            found += self._other_ways_past_full(state, seat, stuck, found)
        return found

    def _other_ways_past_full(
        self, state: EuropeState, seat: int, stuck: list[int], found: list[MoveCaravan]
    ) -> Sequence[MoveCaravan]:
        """Return the cheapest way over full routes to each route that `found` does not reach that way."""
        index, full = state.tables.board.path_index, state.index.full
        listed = {
            (move.caravan, move.path[-1])
            for move in found
            if all(index[path] in full for path in move.path[:-1])
        }
        past: dict[tuple[int, str], MoveCaravan] = {}
        for caravan in stuck:
            for move in sorted(self._ways_past_full(state, seat, caravan), key=_fare):
                if (caravan, move.path[-1]) not in listed and not self.blocked(state, seat, move):
                    past.setdefault((caravan, move.path[-1]), move)
        return list(past.values())

    def _ways_past_full(self, state: EuropeState, seat: int, caravan: int) -> Iterator[MoveCaravan]:
        """Return every way over full routes only, with its price."""
        trip = trip_of(state, seat, caravan, self.steps_per_salt)
        for path in ways_past_full(state, trip.at):
            salt, tolls = price_of(state, trip, path)
            yield MoveCaravan(caravan, path, salt, len(tolls))

    def keeps_steps(self, state: EuropeState, move: MoveCaravan) -> bool:
        return move.caravan == state.moving


class MoveCaravanPastFullRule(MoveCaravanRule):
    """Version 2: a caravan may return to its start, and all ways past full routes are listed (E-46)."""

    lists_ways_past_full: ClassVar = True

    def may_end(self, state: EuropeState, trip: Trip, path: tuple[str, ...]) -> bool:
        """Return whether a move may end there; it may end at its start."""
        return may_stay(state, trip, path)


def _fare(move: MoveCaravan) -> tuple[int | None, int | None, int]:
    """The cost of a move: salt, then gold, then steps."""
    return move.salt, move.toll, len(move.path)


class HaltRule(EuropeRule[Halt]):
    """The steps that a caravan has left can be given up (E-46)."""

    phases: ClassVar = (ACTION, ROLL)
    steps_stay: ClassVar = True
    ready: ClassVar = (Halt(),)

    def blocked(self, state: EuropeState, seat: int, move: Halt) -> Refusal | None:
        return None if state.steps else NothingLeftError("None of your caravans has steps left.", rule="E-46")

    def facts(self, ledger: EuropeLedger, seat: int, move: Halt) -> None:
        ledger.steps.lapse_steps(ledger, seat)

    def fits(self, now: Situation) -> bool:
        return now.steps


class DeliverRule(EuropeRule[Deliver]):
    """A free good goes to a post beside a caravan, if the post takes it (E-48)."""

    phases: ClassVar = (ACTION, GO_ON, ROLL)
    steps_stay: ClassVar = True

    def deliverers(self, state: EuropeState, seat: int) -> Sequence[int]:
        """Return the routes from which goods can be delivered; before the roll only the bribed caravan's."""
        if state.rolled:
            return state.caravans[seat * 2 : seat * 2 + 2]
        return (state.caravan(seat, state.moving),) if state.bribed else ()

    def blocked(self, state: EuropeState, seat: int, move: Deliver) -> Refusal | None:
        city = state.tables.board.city_index.get(move.city)
        if city is None:
            return no_such_place("city", move.city)
        routes = [route for route in self.deliverers(state, seat) if route >= 0]
        if not any(city in state.tables.cities_of[route] for route in routes):
            return NotBesideError(
                "None of your caravans that can deliver now stands beside that city.", rule="E-48"
            )
        if not state.index.takes_good(state, seat, city):
            return CannotDeliverError("Goods go to posts of others that have none yet.", rule="E-48")
        if not state.free_goods[seat]:
            return NothingToDeliverError("None of your goods is free: found another post first.", rule="E-48")
        return None

    def facts(self, ledger: EuropeLedger, seat: int, move: Deliver) -> None:
        """Deliver the good; the last one wins at once (E-70)."""
        ledger.emit(GoodDelivered(seat, move.city))
        ledger.steps.end_if_delivered(ledger, seat)

    def fits(self, now: Situation) -> bool:
        return now.delivers

    def fast_listing(self, state: EuropeState, seat: int) -> Sequence[Deliver]:
        customers = state.index.customers[seat] if state.free_goods[seat] else 0
        routes = [at for at in self.deliverers(state, seat) if at >= 0 and customers >> at & 1]
        if not routes:
            return ()
        takes_good, tables = state.index.takes_good, state.tables
        beside = {city for route in routes for city in tables.cities_of[route]}
        return [tables.deliver[city] for city in sorted(beside) if takes_good(state, seat, city)]


def lapse_steps(ledger: EuropeLedger, seat: int) -> None:
    """Give up the remaining steps of a caravan (E-46)."""
    ledger.emit(_steps_lapsed(seat, ledger.state.moving, ledger.state.steps))


def journeys(
    state: EuropeState, seat: int, caravan: int, at: int, salt: int, steps: int, steps_per_salt: int
) -> Iterable[MoveCaravan]:
    """Return the moves worth listing; longer ones are cached.

    They are single steps (several where the next route is full), and the best move to every other route
    within reach where a good can be delivered.
    """
    index, tables, paid, gold = state.index, state.tables, state.tolls[caravan] | 1 << seat, state.gold[seat]
    if steps and state.bribed:  # A bribe can't be lengthened with salt (E-63).
        paid, salt = EVERYBODY, 0
    beside_full = index.beside_full >> at & 1
    goals = index.customers[seat] if state.free_goods[seat] else 0
    if goals:
        goals &= index.routes_in[index.root[tables.ends[at]]]
        goals &= (tables.within if beside_full else tables.beyond)(at, salt * steps_per_salt + steps)
        if not gold:
            goals &= sum([routes for owner, routes in enumerate(index.routes_of) if paid >> owner & 1])
    stops = next_stops(state, caravan if steps else caravan + 4, paid, at, gold)
    if not goals and not beside_full:
        return stops.values()
    # More gold than there are other players is of no use.
    key = (seat, caravan, at, salt, steps, paid, gold if gold < MAX_TOLL_OWNERS else MAX_TOLL_OWNERS, goals)
    found: list[MoveCaravan] | None = index.caravan_moves.get(key)
    if found is None:
        trip = trip_of(state, seat, caravan, steps_per_salt)
        if not stops.keys().isdisjoint(index.full):
            stops = past_full(state, trip, salt, stops)
        found = index.caravan_moves[key] = list(stops.values())
        if targets := [route for route in few_numbers(goals) if route not in stops]:
            found += far_moves(state, trip, salt, targets)
    return found


def next_stops(state: EuropeState, fare: int, paid: int, at: int, gold: int) -> Stops:
    """Return one step in every direction; `fare` says which of the ready moves, if no toll is due."""
    onward, ready, stops = state.index.next_routes, state.tables.step_caravan, {}
    for path, _, owner in onward[2 * at] + onward[2 * at + 1]:
        if owner & paid:
            stops[path] = ready[path][fare]
        elif gold:
            stops[path] = ready[path][fare + 2]
    return stops
