"""The rest of a round as a small game of its own: lines, purchases, and the value at its end."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

from kontor_games.domain.games.speicherstadt.bots.searching.position import Valuer
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.toolkit.searching import Weights

Lines = tuple[tuple[int, ...], ...]
Values = tuple[float, ...]
"""What each seat wants to be as large as possible."""

_SOLVED_SEATS = 2
"""With more seats, complete demands are valued by a policy of purchase, because solving it takes too long."""


class Sale(NamedTuple):
    """A moment of the purchase: the card on sale with its line, what was bought before it, and the coins."""

    place: int
    line: tuple[int, ...]
    bought: tuple[int, ...]
    """For each seat a bit for each card of the row."""
    coins: tuple[int, ...]


class RoundGame:
    """The rest of a round, from a position in its demand or purchase on."""

    def __init__(self, price: Callable[[Sequence[int]], int], state: Table, weights: Weights) -> None:
        """Every value is computed once, when it is needed."""
        self.valuer = Valuer(state, weights)
        self.seats, self.row, self.coins = state.seats, state.row, tuple(state.coins)
        self._price, self._cargo, self._weights = price, state.cargo, weights
        self._worths: dict[tuple[int, int], tuple[tuple[str, ...], float]] = {}
        self._coin_worths: dict[tuple[int, int, int], float] = {}
        self._gained: dict[tuple[int, int, int, int, int], float] = {}
        self._ends: dict[tuple[tuple[int, ...], tuple[int, ...]], Values] = {}
        self._sales: dict[tuple[Lines, Sale], Values] = {}

    # --- the value at the end of the round ----------------------------------------------------------------

    def _worth(self, seat: int, mask: int) -> tuple[tuple[str, ...], float]:
        """The cards of these bits, and what the cards and cubes of the seat are worth with them."""
        found = self._worths.get((seat, mask))
        if found is None:
            places = [place for place in range(len(self.row)) if mask >> place & 1]
            cards = tuple([self.row[place] for place in places])
            cargo = sum([self._cargo[place] for place in places])
            found = self._worths[seat, mask] = cards, self.valuer.worth(seat, cards, cargo)
        return found

    def _coin_worth(self, seat: int, coins: int, mask: int) -> float:
        key = seat, coins, mask
        found = self._coin_worths.get(key)
        if found is None:
            found = self._coin_worths[key] = self.valuer.coins(seat, coins, self._worth(seat, mask)[0])
        return found

    def _end(self, bought: tuple[int, ...], coins: tuple[int, ...]) -> Values:
        """The values if the round ends like this: the lead of each seat."""
        found = self._ends.get((bought, coins))
        if found is None:
            owned = [self._worth(seat, mask) for seat, mask in enumerate(bought)]
            fires = self.valuer.fires([cards for cards, _ in owned])
            totals = [
                worth + fires[seat] + self._coin_worth(seat, coins[seat], bought[seat])
                for seat, (_, worth) in enumerate(owned)
            ]
            found = self._ends[bought, coins] = self._leads(totals)
        return found

    def leads_now(self) -> Values:
        """The values if nobody bought any more."""
        return self._end((0,) * self.seats, self.coins)

    def _leads(self, totals: Sequence[float]) -> Values:
        """What each seat is ahead of the best other seat, and of the mean of the others."""
        best_counts = self._weights["best_rival"]
        leads = []
        for seat, own in enumerate(totals):
            others = [*totals[:seat], *totals[seat + 1 :]]
            mean = 0.0
            for other in others:
                mean += other / len(others)
            leads.append(own - best_counts * max(others) - (1 - best_counts) * mean)
        return tuple(leads)

    # --- the purchase -------------------------------------------------------------------------------------

    def sold(self, lines: Lines) -> Values:
        """The values when all workers stand in these lines."""
        sale = Sale(0, lines[0], (0,) * self.seats, self.coins)
        return self.solved(lines, sale) if self.seats <= _SOLVED_SEATS else self._by_policy(lines, sale)

    def solved(self, lines: Lines, sale: Sale) -> Values:
        """The values of a purchase in which every asked seat makes the better choice for itself."""
        asked = self._asked(lines, sale)
        if asked is None:
            return self._end(sale.bought, sale.coins)
        key = lines[asked.place + 1 :], asked
        found = self._sales.get(key)
        if found is None:
            seat = asked.line[0]
            found = self.solved(lines, self.declined(asked))
            if self._gain(asked) > 0:
                taken = self.solved(lines, self.bought(lines, asked))
                found = taken if taken[seat] > found[seat] else found
            self._sales[key] = found
        return found

    def _by_policy(self, lines: Lines, sale: Sale) -> Values:
        """The values if every asked seat buys what brings it something and will not get cheaper."""
        while asked := self._asked(lines, sale):
            buys = self._gain(asked) > 0 and not self._gets_cheaper(asked)
            sale = self.bought(lines, asked) if buys else self.declined(asked)
        return self._end(sale.bought, sale.coins)

    def _asked(self, lines: Lines, sale: Sale) -> Sale | None:
        """The next moment at which a seat can buy (S-14 to S-16); None when all cards are sold."""
        place, line, coins = sale.place, sale.line, sale.coins
        while place < len(lines):
            while line and coins[line[0]] < self._price(line):
                line = line[1:]
            if line:
                return Sale(place, line, sale.bought, coins)
            place += 1
            line = lines[place] if place < len(lines) else ()
        return None

    def bought(self, lines: Lines, asked: Sale) -> Sale:
        """The moment after the asked seat has bought."""
        seat, following = asked.line[0], asked.place + 1
        bought, coins = list(asked.bought), list(asked.coins)
        bought[seat] |= 1 << asked.place
        coins[seat] -= self._price(asked.line)
        line = lines[following] if following < len(lines) else ()
        return Sale(following, line, tuple(bought), tuple(coins))

    def declined(self, asked: Sale) -> Sale:
        """The moment after the asked seat has declined."""
        return Sale(asked.place, asked.line[1:], asked.bought, asked.coins)

    def _gain(self, asked: Sale) -> float:
        """What the card on sale would bring to the asked seat, less its price."""
        seat, place, price = asked.line[0], asked.place, self._price(asked.line)
        mask, coins = asked.bought[seat], asked.coins[seat]
        key = seat, mask, coins, place, price
        found = self._gained.get(key)
        if found is None:
            more = mask | 1 << place
            found = self._gained[key] = (
                self._worth(seat, more)[1]
                - self._worth(seat, mask)[1]
                + self._fire_gains[seat][place]
                + self._coin_worth(seat, coins - price, more)
                - self._coin_worth(seat, coins, mask)
            )
        return found

    def _gets_cheaper(self, asked: Sale) -> bool:
        """Whether the same seat is asked again for this card, with nobody in between who can pay."""
        line = asked.line
        for place in range(1, len(line)):
            if line[place] == line[0]:
                return True
            if asked.coins[line[place]] >= self._price(line[place:]):
                return False
        return False

    # --- the policy of the demand -------------------------------------------------------------------------

    @cached_property
    def _fire_gains(self) -> list[list[float]]:
        """What each card of the row would change for each seat in the fires to come."""
        nothing: list[tuple[str, ...]] = [()] * self.seats
        before = self.valuer.fires(nothing)
        return [
            [
                self.valuer.fires([*nothing[:seat], (card,), *nothing[seat + 1 :]])[seat] - before[seat]
                for card in self.row
            ]
            for seat in range(self.seats)
        ]

    @cached_property
    def _gains(self) -> list[list[float]]:
        """What each card of the row would add to each seat, without its price."""
        return [
            [
                self._worth(seat, 1 << place)[1] - self._worth(seat, 0)[1] + self._fire_gains[seat][place]
                for place in range(len(self.row))
            ]
            for seat in range(self.seats)
        ]

    @cached_property
    def _pull(self) -> list[float]:
        """The share of further workers that each card attracts."""
        pulls, total = [], 0.0
        for place in range(len(self.row)):
            pull = 0.0
            for gains in self._gains:
                pull += gains[place]
            pulls.append(max(0.5, pull))
            total += pulls[-1]
        return [pull / total for pull in pulls]

    def appeals(self, lines: Lines, seat: int, to_come: int) -> list[float]:
        """The expected gain from a worker at the end of each line, with so many workers after it."""
        weights, coin, own = self._weights, self.valuer.outlook.coin, self.coins[seat]
        appeals = []
        for place, line in enumerate(lines):
            if seat in line:
                appeals.append(-coin)
                continue
            price = 1 + to_come * self._pull[place]
            gain = max(0.0, self._gains[seat][place] - price * coin)
            if own < price:
                gain *= (own + 0.5) / (price + 0.5)
            for before, other in enumerate(line):
                can_pay = self.coins[other] >= self._price((*line[before:], seat))
                gain *= weights["lets_go"] if can_pay else weights["cannot_pay"]
            if line:
                gain += weights["spite"] * self._gains[line[0]][place]
            appeals.append(gain)
        return appeals
