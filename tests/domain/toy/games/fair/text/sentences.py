"""The sentence about each fact: the values of its message, which is in `messages/` under `facts`."""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.game import Fact
from kontor_games.domain.toolkit.messages import Phrase, Value, phrase
from tests.domain.toy.games.fair.facts.end import MatchScored
from tests.domain.toy.games.fair.facts.rounds import (
    CardLaid,
    CardsTurnedUp,
    RoundBegun,
    RoundTaken,
    TieBroken,
)
from tests.domain.toy.games.fair.facts.set_up import CardDrawn, DeckShuffled
from tests.domain.toy.games.fair.facts.trade import CardSold, FairClosed, OfferMade


class Teller:
    """Provides the values of sentences: the values of the cards, and the names of the players."""

    def __init__(self, values: Sequence[int], names: Sequence[str]) -> None:
        """One object is created for each sentence."""
        self.values = values
        self.names = names

    def card(self, card: int | None) -> Phrase:
        """A card, which may be hidden."""
        return phrase("hidden_card") if card is None else phrase("card", value=self.values[card])

    def turned_up(self, fact: CardsTurnedUp) -> Value:
        """The card of each player."""
        shown = zip(self.names, fact.cards, strict=False)
        return tuple(phrase("card_of", who=name, card=self.card(card)) for name, card in shown)


TELLERS: dict[type[Fact], Callable[[Teller, Any], dict[str, Value]]] = {
    DeckShuffled: lambda at, fact: {},
    CardDrawn: lambda at, fact: {"who": at.names[fact.seat], "card": at.card(fact.card)},
    RoundBegun: lambda at, fact: {"round": fact.round},
    CardLaid: lambda at, fact: {"who": at.names[fact.seat], "card": at.card(fact.card)},
    CardsTurnedUp: lambda at, fact: {"cards": at.turned_up(fact)},
    TieBroken: lambda at, fact: {"who": at.names[fact.seat]},
    RoundTaken: lambda at, fact: {"who": at.names[fact.seat], "points": fact.points},
    OfferMade: lambda at, fact: {
        "who": at.names[fact.seat],
        "card": at.card(fact.card),
        "price": fact.price,
    },
    CardSold: lambda at, fact: {
        "who": at.names[fact.buyer],
        "seller": at.names[fact.seller],
        "card": at.card(fact.card),
        "price": fact.price,
    },
    FairClosed: lambda at, fact: {"who": at.names[fact.seat]},
    MatchScored: lambda at, fact: {"winner": at.names[fact.places.index(1)]},
}


def sentence(values: Sequence[int], fact: Fact, names: Sequence[str]) -> Phrase:
    """Return the sentence about a fact, which is given as its viewer may see it."""
    return Phrase(f"facts.{fact.type}", TELLERS[type(fact)](Teller(values, names), fact))
