"""The value of a card to a player, in points, by heuristics."""

from math import prod
from typing import Any

from kontor_games.domain.game import View
from kontor_games.domain.games.speicherstadt.bots.loading import Holdings, reach
from kontor_games.domain.games.speicherstadt.data.cards import CHURCHES, KIND, MERCHANTS, OFFICE_POINTS
from kontor_games.domain.games.speicherstadt.rules.supply import fire_points

Seat = dict[str, Any]


class Appraiser:
    """Appraises the cards of one view, where everything is public (S-9)."""

    def __init__(self, rules: Any, view: View) -> None:
        self._seats: list[Seat] = view["seats"]
        self._room: int = rules.steps.numbers(len(self._seats)).warehouse
        self._rounds_left: int = view["rounds"] - view["round"]
        unseen = [card for cards in view["pile"].values() for card in cards]
        self._fires = [rules.deck.points[card] for card in unseen if KIND[card] == "fire"]
        self._ships_left = sum(KIND[card] == "ship" for card in unseen)
        self._offices_left = sum(KIND[card] == "counting_office" for card in unseen)
        self._reach = reach(view)
        self._holds: dict[int, tuple[Holdings, float]] = {}
        """Cache of the seats' possessions and their value."""

    def coin(self, seat: int) -> float:
        """The value of a coin, which falls towards the end, when fewer cards are left to buy."""
        early = min(1.0, 0.2 + 0.2 * self._rounds_left)
        return 1.0 if "chamber_of_commerce" in self._seats[seat]["cards"] else early

    def worth(self, offer: View, seat: int) -> float:
        """The value of a card of the row to a seat."""
        kind, own = offer["kind"], self._seats[seat]
        kinds = [KIND[card] for card in own["cards"]]
        if kind == "ship":
            return self._ship(offer, seat) + ("port" in kinds)
        if kind == "contract":
            return self._contract(offer, own)
        if kind == "fireman":
            return self._fireman(offer["value"], seat)
        if kind == "counting_office":
            count = kinds.count("counting_office")
            return OFFICE_POINTS[count + 1] - OFFICE_POINTS[count] + 0.5 * self._offices_left
        return self._single(kind, kinds, seat)

    def _single(self, kind: str, kinds: list[str], seat: int) -> float:
        """The value of a unique card."""
        if kind in CHURCHES:
            return float(CHURCHES[kind])
        if kind in MERCHANTS:
            return 1.0 + min(2.5, 0.17 * self._ships_left)
        if kind == "warehouse":
            return 1.0 + min(3.0, 0.25 * self._ships_left)
        if kind == "bank":
            return float(self.coin(seat) * (1 + self._rounds_left))
        if kind == "port":
            return kinds.count("ship") + 0.25 * self._ships_left
        saved: int = self._seats[seat]["coins"]  # The only kind left is the chamber of commerce.
        return float(saved - 1.0 + 0.5 * self._rounds_left)

    def _ship(self, offer: View, seat: int) -> float:
        """The value that its cubes add to those already on the quay."""
        if seat not in self._holds:
            own = Holdings(self._seats[seat], self._room, self._reach, self.coin(seat))
            self._holds[seat] = own, own.copy().place_cubes()
        hold, before = self._holds[seat]
        loaded = hold.copy()
        loaded.quay += offer["cubes"]
        return loaded.place_cubes() - before

    def _contract(self, offer: View, player: Seat) -> float:
        """Its points, less if more goods are missing or more contracts are open already."""
        waiting = sum(bool(contract["open"]) for contract in player["contracts"])
        at_hand = [*player["quay"], *player["market_hall"], *(player["warehouse"] or ())]
        missing = sum(good not in at_hand for good in offer["goods"])
        return float(offer["points"] * self._reach[missing] * prod([0.85] * waiting))

    def _fireman(self, value: int, seat: int) -> float:
        """The effect of the fireman on future fires, and a share for later purchases of others."""
        sums = [own["firemen"] for own in self._seats]
        before = fire_points(tuple(sums), 1)[seat]
        sums[seat] += value
        gained = fire_points(tuple(sums), 1)[seat] - before
        to_come = sum(self._fires)
        return float(to_come * (0.5 * gained + 0.06 * value))
