"""What can happen in a match: the facts of each chapter of the rules."""

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

FACTS = (
    DeckShuffled,
    CardDrawn,
    RoundBegun,
    CardLaid,
    CardsTurnedUp,
    TieBroken,
    RoundTaken,
    OfferMade,
    CardSold,
    FairClosed,
    MatchScored,
)
