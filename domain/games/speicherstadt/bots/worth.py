"""What a card is worth to a player, in points, by rules of thumb."""

from typing import Any

from kontor_games.domain.game import View
from kontor_games.domain.games.speicherstadt.bots.loading import Hold, reach
from kontor_games.domain.games.speicherstadt.cards import CHURCHES, KIND, MERCHANTS, OFFICE_POINTS, Deck
from kontor_games.domain.games.speicherstadt.scoring import fire_points

Seat = dict[str, Any]


class Appraiser:
    """Looks at one view; everything it uses is public (S-9)."""

    def __init__(self, deck: Deck, shown: View) -> None:
        """Counts once what is still to come."""
        self._deck = deck
        self._seats: list[Seat] = shown["seats"]
        self._rounds_left: int = shown["rounds"] - shown["round"]
        unseen = [card for cards in shown["pile"].values() for card in cards]
        self._fires = [deck.points[card] for card in unseen if card in deck.points]
        self._ships_left = sum(KIND[card] == "ship" for card in unseen)
        self._offices_left = sum(KIND[card] == "counting_office" for card in unseen)
        self._reach = reach(shown)

    def coin(self, seat: int) -> float:
        """What a coin is worth: it buys points while there are cards to buy."""
        early = min(1.0, 0.2 + 0.2 * self._rounds_left)
        return 1.0 if "chamber_of_commerce" in self._seats[seat]["cards"] else early

    def worth(self, offer: View, seat: int) -> float:
        """What the card in the row would bring this seat."""
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
        """Cards of which there is one."""
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
        saved: int = self._seats[seat]["coins"]  # what is left is the chamber of commerce
        return float(saved - 1.0 + 0.5 * self._rounds_left)

    def _ship(self, offer: View, seat: int) -> float:
        """What its cubes bring beyond those that lie on the quay already."""
        hold = Hold(self._seats[seat], self._reach, self.coin(seat))
        loaded = hold.copy()
        loaded.quay += offer["cubes"]
        return loaded.settled() - hold.settled()

    def _contract(self, offer: View, own: Seat) -> float:
        """Its points, less likely the more goods are missing and the more contracts wait already."""
        waiting = sum(bool(contract["open"]) for contract in own["contracts"])
        at_hand = [*own["quay"], *own["market_hall"], *(own["warehouse"] or ())]
        missing = sum(good not in at_hand for good in offer["goods"])
        return float(offer["points"] * self._reach**missing * 0.85**waiting)

    def _fireman(self, value: int, seat: int) -> float:
        """The difference the fireman makes in the fires to come, as things stand, and something for the race that goes on."""
        sums = [own["firemen"] for own in self._seats]
        before = fire_points(tuple(sums), 1)[seat]
        sums[seat] += value
        gained = fire_points(tuple(sums), 1)[seat] - before
        to_come = sum(self._fires)
        return to_come * (0.5 * gained + 0.06 * value)
