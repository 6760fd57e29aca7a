"""The 54 trade cards: what every data set shares (S-4), what is printed on the cards (S-8), and the check of a data set."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kontor_games.domain.codec import Fault, MalformedError, Plain
from kontor_games.domain.data import read_json
from kontor_games.domain.game import DataSet
from kontor_games.domain.games.speicherstadt.cubes import GOODS

SEASONS = ("winter", "spring", "summer", "autumn", "end")
"""A, B, C, D, E; the last holds the fourth fire alone."""

MERCHANTS = {
    "coffee_roaster": "coffee",
    "tea_taster": "tea",
    "spice_trader": "saffron",
    "vulcanizer": "rubber",
    "carpet_trader": "carpet",
}
"""Each merchant with the good it buys."""

CHURCHES = {"boatsmen_church": 3, "st_michaelis": 4}
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
"""How many cards of each kind each season has (S-4)."""

_PRINTED = {"contract": "goods", "fireman": "value", "fire": "points"}
"""What a card of the kind carries besides its kind."""


@dataclass(frozen=True, slots=True)
class Card:
    """One of the 54 trade cards; the same in every data set but for what is printed on it."""

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


class Deck:
    """What is printed on the cards of one data set."""

    def __init__(self, document: Mapping[str, Plain]) -> None:
        """Gives the printed cards their ids: of one kind and season, in the order of the document."""
        printed = {card.id: _nth(document[card.season], card) for card in CARDS}
        self.goods: dict[str, tuple[str, ...]] = {
            i: tuple(p["goods"]) for i, p in printed.items() if KIND[i] == "contract"
        }
        self.value: dict[str, int] = {i: p["value"] for i, p in printed.items() if KIND[i] == "fireman"}
        self.points: dict[str, int] = {i: p["points"] for i, p in printed.items() if KIND[i] == "fire"}
        self.spare_fireman = next(i for i, v in self.value.items() if v == 3 and CARD[i].season == "autumn")
        """The fireman that stays in the box (S-5); of several, the first (S-8)."""

    def removed(self, seats: int) -> tuple[str, ...]:
        """The autumn cards that are not played with (S-5)."""
        if seats == 4:
            return ()
        return ("port" if seats == 2 else "boatsmen_church", self.spare_fireman)


def _nth(printed: list[dict[str, Plain]], card: Card) -> dict[str, Plain]:
    alike = [other.id for other in CARDS if (other.kind, other.season) == (card.kind, card.season)]
    return [p for p in printed if p["kind"] == card.kind][alike.index(card.id)]


def admit(name: str, document: Plain) -> DataSet:
    """A data set that keeps S-4 and S-8; raises MalformedError that names each violation."""
    faults = list(_faults(document))
    if faults:
        raise MalformedError(faults)
    return DataSet(name, document)


def _faults(document: Plain) -> Iterator[Fault]:
    if not isinstance(document, dict):
        yield Fault("", "must be an object with a list of cards for each season")
        return
    for name in document:
        if name not in SEASONS:
            yield Fault("/" + str(name).replace("~", "~0").replace("/", "~1"), "is no season")
    for place, season in enumerate(SEASONS):
        cards = document.get(season)
        if isinstance(cards, list):
            yield from _season_faults(cards, place)
        else:
            yield Fault(f"/{season}", "must be a list of cards" if season in document else "is missing")


def _season_faults(cards: list[Plain], place: int) -> Iterator[Fault]:
    at = f"/{SEASONS[place]}"
    for index, card in enumerate(cards):
        yield from _card_faults(card, f"{at}/{index}")
    kinds = [card.get("kind") for card in cards if isinstance(card, dict)]
    for kind, counts in COUNTS.items():
        if kinds.count(kind) != counts[place]:
            yield Fault(at, f"must hold {counts[place]} of kind {kind}, not {kinds.count(kind)} (S-4)")
    if SEASONS[place] == "autumn" and {"kind": "fireman", "value": 3} not in cards:
        yield Fault(at, "must hold a fireman of value 3, for the game of 2, 3 or 5 takes one out (S-8)")


def _card_faults(card: Plain, at: str) -> Iterator[Fault]:
    if not isinstance(card, dict):
        yield Fault(at, "must be an object")
        return
    kind = card.get("kind")
    if not isinstance(kind, str) or kind not in COUNTS:
        yield Fault(f"{at}/kind", "must be one of " + ", ".join(COUNTS))
        return
    wanted = _PRINTED.get(kind)
    for name in card:
        if name not in ("kind", wanted):
            yield Fault(f"{at}/" + str(name).replace("~", "~0").replace("/", "~1"), f"stands on no {kind}")
    if wanted == "goods":
        yield from _goods_faults(card.get("goods"), f"{at}/goods")
    elif wanted is not None:
        yield from _number_faults(card.get(wanted), 5 if wanted == "value" else 9, f"{at}/{wanted}")


def _goods_faults(goods: Plain, at: str) -> Iterator[Fault]:
    if not isinstance(goods, list) or len(goods) not in CONTRACT_POINTS:
        yield Fault(at, "must be a list of 2, 3 or 4 goods (S-4)")
        return
    for index, good in enumerate(goods):
        if good not in GOODS:
            yield Fault(f"{at}/{index}", "must be one of " + ", ".join(GOODS))


def _number_faults(number: Plain, most: int, at: str) -> Iterator[Fault]:
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= most:
        yield Fault(at, f"must be a whole number from 1 to {most} (S-8)")


STANDARD = admit("standard", read_json(__name__, "standard.json"))
