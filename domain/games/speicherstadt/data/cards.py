"""The 54 trade cards: what all data sets share (S-4), and the values that one data set prints (S-8)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from kontor_games.domain.codec import Plain

Good = Literal["coffee", "tea", "saffron", "rubber", "carpet"]
GOODS: tuple[Good, ...] = get_args(Good)

SEASONS = ("winter", "spring", "summer", "autumn", "end")
"""A, B, C, D and E; the last holds only the fourth fire."""

MERCHANTS: dict[str, Good] = {
    "coffee_roaster": "coffee",
    "tea_taster": "tea",
    "spice_trader": "saffron",
    "vulcanizer": "rubber",
    "carpet_trader": "carpet",
}
"""Each merchant with the good it buys."""

CHURCHES = {"boatsmen_church": 3, "st_michaelis": 4}
"""Points of each church (S-4)."""
CONTRACT_POINTS = {2: 5, 3: 8, 4: 11}
"""Points of a complete contract by its number of goods (S-4)."""
OFFICE_POINTS = (0, 2, 5, 9, 14)
"""Points for 0 to 4 counting offices (S-4)."""

COUNTS: dict[str, tuple[int, int, int, int, int]] = {
    "contract": (3, 3, 4, 0, 0),
    "fireman": (2, 3, 2, 3, 0),
    "counting_office": (1, 1, 0, 2, 0),
    **dict.fromkeys(MERCHANTS, (1, 0, 0, 0, 0)),
    "warehouse": (1, 0, 0, 0, 0),
    "ship": (0, 5, 5, 5, 0),
    "bank": (0, 0, 1, 0, 0),
    "fire": (0, 1, 1, 1, 1),
    "chamber_of_commerce": (0, 0, 0, 1, 0),
    "boatsmen_church": (0, 0, 0, 1, 0),
    "st_michaelis": (0, 0, 0, 1, 0),
    "port": (0, 0, 0, 1, 0),
}
"""Number of cards of each kind in each season (S-4)."""


@dataclass(frozen=True, slots=True)
class Card:
    """One of the 54 trade cards; the same in every data set except for its printed values."""

    id: str
    kind: str
    season: str


def _card_id(kind: str, season: int, number: int) -> str:
    if kind == "fire":
        return f"fire_{season}"
    return kind if sum(COUNTS[kind]) == 1 else f"{kind}_{'abcd'[season]}{number}"


CARDS = tuple(
    Card(_card_id(kind, place, number), kind, season)
    for place, season in enumerate(SEASONS)
    for kind, counts in COUNTS.items()
    for number in range(1, counts[place] + 1)
)
CARD = {card.id: card for card in CARDS}
KIND = {card.id: card.kind for card in CARDS}
CONTRACTS = tuple(card.id for card in CARDS if card.kind == "contract")


@lru_cache(128)
def by_season(cards: tuple[str, ...]) -> dict[str, list[str]]:
    """Cards by season, in the order of CARDS. Cached, because the pile stays the same for many moves."""
    wanted, found = set(cards), {season: list[str]() for season in SEASONS}
    for card in CARDS:
        if card.id in wanted:
            found[card.season].append(card.id)
    return found


class Deck:
    """The printed values of the cards of one data set."""

    def __init__(self, document: Mapping[str, Plain]) -> None:
        """Match printed cards to ids: within a kind and a season, in the order of the document."""
        printed = {card.id: _nth(document[card.season], card) for card in CARDS}
        self.goods: dict[str, tuple[Good, ...]] = {card: tuple(printed[card]["goods"]) for card in CONTRACTS}
        self.value: dict[str, int] = {i: p["value"] for i, p in printed.items() if KIND[i] == "fireman"}
        self.points: dict[str, int] = {i: p["points"] for i, p in printed.items() if KIND[i] == "fire"}
        self.spare_fireman = next(i for i, v in self.value.items() if v == 3 and CARD[i].season == "autumn")
        """The fireman that stays in the box (S-5); the first if there are several (S-8)."""

    def shown(self, card: str) -> dict[str, Plain]:
        """A card as plain data, with the printed values of a contract or a fireman."""
        plain = {"kind": CARD[card].kind, "season": CARD[card].season}
        if card in self.goods:
            goods = self.goods[card]
            return {**plain, "goods": list(goods), "points": CONTRACT_POINTS[len(goods)]}
        return {**plain, "value": self.value[card]} if card in self.value else plain

    def removed(self, seats: int) -> tuple[str, ...]:
        """The autumn cards that stay in the box (S-5)."""
        if seats == 4:
            return ()
        return ("port" if seats == 2 else "boatsmen_church", self.spare_fireman)


def _nth(printed: list[dict[str, Plain]], card: Card) -> dict[str, Plain]:
    alike = [other.id for other in CARDS if (other.kind, other.season) == (card.kind, card.season)]
    return [p for p in printed if p["kind"] == card.kind][alike.index(card.id)]
