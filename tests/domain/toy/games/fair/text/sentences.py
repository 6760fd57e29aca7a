"""The sentence about each fact: the values of its message, which is in `messages/` under `facts`.

Most values are fields of the fact: `shown` says how; `more` adds the others.
"""

from collections.abc import Sequence

from kontor_games.domain.game import Fact
from kontor_games.domain.toolkit.message_values import MessageValues
from kontor_games.domain.toolkit.messages import Phrase, Value, phrase
from tests.domain.toy.games.fair.facts.end import MatchScored
from tests.domain.toy.games.fair.facts.rounds import CardsTurnedUp
from tests.domain.toy.games.fair.facts.trade import CardSold


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


SENTENCES: MessageValues[Teller] = MessageValues(
    shown={
        "seat": lambda teller, seat: teller.names[seat],
        "seller": lambda teller, seat: teller.names[seat],
        "card": Teller.card,
    },
    more={
        CardsTurnedUp: lambda teller, fact: {"cards": teller.turned_up(fact)},
        CardSold: lambda teller, fact: {"who": teller.names[fact.buyer]},
        MatchScored: lambda teller, fact: {"winner": teller.names[fact.places.index(1)]},
    },
)


def sentence(values: Sequence[int], fact: Fact, names: Sequence[str]) -> Phrase:
    """Return the sentence about a fact, which is given as its viewer may see it."""
    return SENTENCES.phrase("facts", fact, Teller(values, names))
