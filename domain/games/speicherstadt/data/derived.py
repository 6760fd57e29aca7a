"""Derived data of a data set: its cards by the ids that views use, and their values."""

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import DataSet
from kontor_games.domain.games.speicherstadt.data.cards import (
    CARDS,
    CHURCHES,
    GOODS,
    MERCHANTS,
    OFFICE_POINTS,
    SEASONS,
    Card,
    Deck,
)


def derive(data: DataSet) -> dict[str, Plain]:
    """Everything that a client needs to show the cards (FORMAT.md)."""
    deck = Deck(data.document)
    return {
        "goods": list(GOODS),
        "seasons": list(SEASONS),
        "cards": {card.id: _card(deck, card) for card in CARDS},
        "office_points": list(OFFICE_POINTS),
        "removed": {str(seats): list(deck.removed(seats)) for seats in (2, 3, 4, 5)},
    }


def _card(deck: Deck, card: Card) -> dict[str, Plain]:
    """A card with all that is printed on it."""
    shown = deck.shown(card.id)
    if card.kind in MERCHANTS:
        return {**shown, "buys": MERCHANTS[card.kind]}
    points = deck.points.get(card.id, CHURCHES.get(card.kind))
    return shown if points is None else {**shown, "points": points}
