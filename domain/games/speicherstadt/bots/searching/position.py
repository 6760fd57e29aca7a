"""The value of a position of The Speicherstadt, in points, from a state and the weights."""

from collections.abc import Sequence
from functools import lru_cache

from kontor_games.domain.games.speicherstadt.bots.searching.cargo import Contracts, Depot, Prices, best_worth
from kontor_games.domain.games.speicherstadt.bots.searching.outlook import Outlook
from kontor_games.domain.games.speicherstadt.data.cards import (
    CHURCHES,
    CONTRACT_POINTS,
    KIND,
    MERCHANTS,
    OFFICE_POINTS,
)
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state import cubes as c
from kontor_games.domain.toolkit.searching import Weights


class Valuer:
    """Values what each seat may own at the end of the round, when all cards of the row are sold."""

    def __init__(self, state: Table, weights: Weights) -> None:
        """Read the parts of the state that stay the same until the next supply."""
        self._state, self._weights = state, weights
        self.outlook = outlook = Outlook(state, weights)
        to_come = outlook.ships / 15
        self.prices = Prices(
            reach=outlook.reach,
            waiting=weights["waiting"],
            coin=outlook.coin,
            stored=1 + weights["stored"] * to_come,
            kept=weights["kept"] * to_come,
        )
        self._room = state.numbers.warehouse
        self.stock = c.kinds(state.stock)
        self._firemen = [state.firemen(seat) for seat in range(state.seats)]

    def worth(self, seat: int, bought: tuple[str, ...], cargo: int) -> float:
        """The value of a seat that also buys these cards, without its coins and the fires to come."""
        cards = self._state.cards[seat] + bought
        loaded = best_worth(self.depot(seat, bought, cargo), self.stock, self.prices)
        return self._state.points[seat] + self._cards(cards) + loaded

    def _cards(self, cards: tuple[str, ...]) -> float:
        """The value of cards apart from contracts and firemen."""
        weights, outlook = self._weights, self.outlook
        offices, merchants, ships, churches = _kinds(cards)
        to_come = outlook.ships / 15
        value = OFFICE_POINTS[offices] + churches + merchants * (1 + weights["merchant"] * to_come)
        if offices < 4 and outlook.offices:
            value += weights["next_office"] * (OFFICE_POINTS[offices + 1] - OFFICE_POINTS[offices])
        if "warehouse" in cards:
            value += weights["warehouse"] * to_come
        if "bank" in cards:
            value += outlook.coin * weights["bank"] * outlook.rounds_left
        if "port" in cards:
            value += ships + weights["port"] * outlook.ships
        if "chamber_of_commerce" in cards:
            value += weights["chamber"] * outlook.rounds_left
        return value

    def depot(self, seat: int, bought: tuple[str, ...] = (), cargo: int = 0) -> Depot:
        """The cubes of a seat and where they can go, if it also buys these cards."""
        state = self._state
        contracts: Contracts = tuple(
            [
                (CONTRACT_POINTS[len(state.deck.goods[card])], state.open_places[card])
                for card in state.contracts[seat] + bought
                if card in state.open_places
            ]
        )
        trades = state.trades[seat]
        for card in bought:
            trades |= c.MARK[MERCHANTS[card]] if card in MERCHANTS else 0
        owns = state.warehouse_owner == seat or "warehouse" in bought
        return Depot(state.held(seat) + cargo, contracts, trades, self._room if owns else 0)

    def coins(self, seat: int, coins: int, bought: tuple[str, ...]) -> float:
        """The value of the coins of a seat after the income (S-22), if it also buys these cards."""
        idle = not (bought or self._state.has_bought(seat))
        coins += 1 + idle + (self._state.bank_owner == seat or "bank" in bought)
        if "chamber_of_commerce" in bought or "chamber_of_commerce" in self._state.cards[seat]:
            return coins * max(1.0, self.outlook.coin) + 0.01 * coins
        return self.outlook.coins(coins)

    def fires(self, bought: Sequence[tuple[str, ...]]) -> tuple[float, ...]:
        """The value of the fires to come for each seat, if the seats also buy these cards."""
        value = self._state.deck.value
        sums = [
            own + sum([value.get(card, 0) for card in cards])
            for own, cards in zip(self._firemen, bought, strict=True)
        ]
        return self.outlook.fire_values(sums)


@lru_cache(8192)
def _kinds(cards: tuple[str, ...]) -> tuple[int, int, int, int]:
    """The numbers of counting offices, merchants and ships, and the points of churches."""
    kinds = [KIND[card] for card in cards]
    merchants = sum([kind in MERCHANTS for kind in kinds])
    churches = sum([CHURCHES.get(kind, 0) for kind in kinds])
    return kinds.count("counting_office"), merchants, kinds.count("ship"), churches
