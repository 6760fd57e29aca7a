"""A bot that makes the most valuable move by heuristics, without looking ahead."""

from collections.abc import Callable, Sequence
from math import fsum
from typing import Any

from kontor_games.domain.chance import Draws
from kontor_games.domain.game import Move, Rules, View
from kontor_games.domain.games.speicherstadt.bots.loading import best_step
from kontor_games.domain.games.speicherstadt.bots.worth import Appraiser
from kontor_games.domain.games.speicherstadt.moves import BUY, DECLINE, PlaceWorker

_LETS_GO = 0.75
"""How likely it is that a player ahead in line declines a card that they can pay for."""
_CANNOT_PAY = 0.95
"""The same for a player who can't pay now; they may get coins, or the line may get shorter."""
_SPITE = 0.1
"""The value of making a rival pay one coin more, as a share of the card's value to the rival."""


class GreedyBot:
    """Compares the value of each card with its price, and loads cubes where they are worth most."""

    version = 1

    def __init__(self, rules: Rules[Any]) -> None:
        """Takes the rules and the printed cards, which every player knows."""
        self._rules: Any = rules

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        """Return the best move by its heuristics; the first one of equals."""
        current = view()
        if current["phase"] == "demand":
            return self._placement(current, seat, legal)
        if current["phase"] == "purchase":
            return BUY if self._wants(current, seat) else DECLINE
        return best_step(self._rules, current, seat, legal)

    def _placement(self, view: View, seat: int, legal: Sequence[Move]) -> Move:
        appraiser, everybody = Appraiser(self._rules, view), range(len(view["seats"]))
        offers = {offer["card"]: offer for offer in view["row"]}
        worths_by_card = {
            card: [appraiser.worth(offer, who) for who in everybody] for card, offer in offers.items()
        }
        crowd, coin = self._expected_workers(view, worths_by_card), appraiser.coin(seat)

        def appeal(move: Move) -> float:
            card = move.card if isinstance(move, PlaceWorker) else ""
            return self._appeal(view, seat, offers[card], worths_by_card[card], crowd[card], coin)

        return max(legal, key=appeal)

    def _expected_workers(self, view: View, worths_by_card: dict[str, list[float]]) -> dict[str, float]:
        """Expected number of further workers in the line of each card, by its value."""
        to_come = sum(own["workers"] for own in view["seats"]) - 1
        pull = {card: max(0.5, fsum(worths)) for card, worths in worths_by_card.items()}
        total = fsum(pull.values())
        return {card: to_come * part / total for card, part in pull.items()}

    def _appeal(
        self, view: View, seat: int, offer: View, worths: list[float], crowd: float, coin: float
    ) -> float:
        """The expected gain from a worker at the end of this line."""
        line = offer["line"]
        if seat in line:
            return -coin
        price = 1 + crowd
        coins: int = view["seats"][seat]["coins"]
        affordable = min(1.0, (coins + 0.5) / price)
        gain = max(0.0, worths[seat] - price * coin) * affordable
        for place, other in enumerate(line):
            can_pay = view["seats"][other]["coins"] >= self._rules.steps.price([*line[place:], seat])
            gain *= _LETS_GO if can_pay else _CANNOT_PAY
        return gain + (_SPITE * worths[line[0]] if line else 0.0)

    def _wants(self, view: View, seat: int) -> bool:
        """Whether the card is worth its price, will not get cheaper, and no better card needs the coins."""
        appraiser = Appraiser(self._rules, view)
        offer, me = view["row"][0], view["seats"][seat]
        coin = appraiser.coin(seat)
        gain = appraiser.worth(offer, seat) - offer["price"] * coin - (0.0 if me["bought"] else coin)
        if gain <= 0 or self._comes_cheaper(view, seat, offer):
            return False
        return not any(
            later["line"][:1] == [seat]
            and later["price"] <= me["coins"] < later["price"] + offer["price"]
            and appraiser.worth(later, seat) - later["price"] * coin > gain + coin
            for later in view["row"][1:]
        )

    def _comes_cheaper(self, view: View, seat: int, offer: View) -> bool:
        """Whether another worker of this seat is in line, with nobody in between who can pay."""
        line = offer["line"]
        for place, other in enumerate(line[1:], start=1):
            if other == seat:
                return True
            if view["seats"][other]["coins"] >= self._rules.steps.price(line[place:]):
                return False
        return False
