"""Data sets: the printed cards as documents, and the check of a document (FORMAT.md)."""

from collections.abc import Iterator

from kontor_games.domain.codec import Fault, MalformedError, Plain, pointer_step
from kontor_games.domain.data import read_json
from kontor_games.domain.game import DataSet
from kontor_games.domain.games.speicherstadt.data.cards import CONTRACT_POINTS, COUNTS, GOODS, SEASONS

_PRINTED = {"contract": "goods", "fireman": "value", "fire": "points"}
"""The printed value of a card of this kind, if any."""


def admit(name: str, document: Plain) -> DataSet:
    """Return a document as a data set; raise MalformedError with every fault against S-4 and S-8."""
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
            yield Fault(f"/{pointer_step(name)}", "is not a season")
    for place, season in enumerate(SEASONS):
        cards = document.get(season)
        if isinstance(cards, list):
            yield from _season_faults(cards, place)
        else:
            yield Fault(f"/{season}", "must be a list of cards" if season in document else "is missing")


def _season_faults(cards: list[Plain], place: int) -> Iterator[Fault]:
    pointer = f"/{SEASONS[place]}"
    for index, card in enumerate(cards):
        yield from _card_faults(card, f"{pointer}/{index}")
    kinds = [card.get("kind") for card in cards if isinstance(card, dict)]
    for kind, counts in COUNTS.items():
        if kinds.count(kind) != counts[place]:
            yield Fault(pointer, f"must hold {counts[place]} of kind {kind}, not {kinds.count(kind)} (S-4)")
    if SEASONS[place] == "autumn" and {"kind": "fireman", "value": 3} not in cards:
        yield Fault(pointer, "must hold a fireman of value 3, which is removed with 2, 3 or 5 players (S-8)")


def _card_faults(card: Plain, pointer: str) -> Iterator[Fault]:
    if not isinstance(card, dict):
        yield Fault(pointer, "must be an object")
        return
    kind = card.get("kind")
    if not isinstance(kind, str) or kind not in COUNTS:
        yield Fault(f"{pointer}/kind", "must be one of " + ", ".join(COUNTS))
        return
    field = _PRINTED.get(kind)
    for name in card:
        if name not in ("kind", field):
            yield Fault(f"{pointer}/{pointer_step(name)}", f"is not printed on a card of kind {kind}")
    if field:
        check = _goods_faults if field == "goods" else _number_faults
        yield from check(card.get(field), f"{pointer}/{field}")


def _goods_faults(goods: Plain, pointer: str) -> Iterator[Fault]:
    if not isinstance(goods, list) or len(goods) not in CONTRACT_POINTS:
        yield Fault(pointer, "must be a list of 2, 3 or 4 goods (S-4)")
        return
    for index, good in enumerate(goods):
        if good not in GOODS:
            yield Fault(f"{pointer}/{index}", "must be one of " + ", ".join(GOODS))


def _number_faults(number: Plain, pointer: str) -> Iterator[Fault]:
    most = 5 if pointer.endswith("/value") else 9
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= most:
        yield Fault(pointer, f"must be a whole number from 1 to {most} (S-8)")


DATA_SETS = (admit("standard", read_json(__name__, "standard.json")),)
"""The data sets that come with the game, the default first."""
