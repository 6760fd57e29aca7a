"""Delivery: caravans leave goods at the posts of others (E-48)."""

from collections.abc import Sequence
from typing import ClassVar

from kontor_games.domain.game import Refusal
from kontor_games.domain.games.europe.facts.delivery import GoodDelivered
from kontor_games.domain.games.europe.moves import Deliver
from kontor_games.domain.games.europe.refusals import (
    CannotDeliverError,
    NotBesideError,
    NothingToDeliverError,
)
from kontor_games.domain.games.europe.rules.conditions import EuropeRule, Situation, no_such_place
from kontor_games.domain.games.europe.rules.steps import EuropeLedger
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.games.europe.state.phases import ACTION, GO_ON, ROLL


class DeliverRule(EuropeRule[Deliver]):
    """A free good goes to a post beside a caravan, if the post takes it (E-48)."""

    phases: ClassVar = (ACTION, GO_ON, ROLL)

    def deliverers(self, state: EuropeState, seat: int) -> Sequence[int]:
        """Return the routes from which goods can be delivered: before the roll only that of the bribed caravan."""
        if state.rolled:
            return state.caravans[seat * 2 : seat * 2 + 2]
        return (state.caravan(seat, state.moving),) if state.bribed else ()

    def blocked(self, state: EuropeState, seat: int, move: Deliver) -> Refusal | None:
        """Return why no good can be delivered there, or None."""
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
        """Return also whether a caravan is under way before the roll."""
        return super().fits(now) and (now.moving or now.phase != ROLL)

    def choices(self, state: EuropeState, seat: int) -> Sequence[Deliver]:
        """Return a move for each post that takes a good now."""
        customers = state.index.customers[seat] if state.free_goods[seat] else 0
        if not customers:
            return ()
        routes = [route for route in self.deliverers(state, seat) if route >= 0 and customers >> route & 1]
        if not routes:
            return ()
        takes_good, tables = state.index.takes_good, state.tables
        cities = {
            city for route in routes for city in tables.cities_of[route] if takes_good(state, seat, city)
        }
        return [tables.deliver[city] for city in sorted(cities)]

    def keeps_steps(self, state: EuropeState, move: Deliver) -> bool:
        """A caravan delivers in passing."""
        return True
