"""The facts of Settlers of Europe, one module per chapter of the rule book."""

from kontor_games.domain.game import Fact
from kontor_games.domain.games.europe.facts.buying import (
    CardBought,
    PileRenewed,
    ResourceBought,
    SupplyTraded,
)
from kontor_games.domain.games.europe.facts.caravans import CaravanFormed, CaravanMoved, StepsLapsed
from kontor_games.domain.games.europe.facts.delivery import GoodDelivered
from kontor_games.domain.games.europe.facts.development_cards import (
    BribePlayed,
    LancerPlayed,
    SafeConductPlayed,
    TreatyPlayed,
)
from kontor_games.domain.games.europe.facts.ending import GameEnded
from kontor_games.domain.games.europe.facts.merchants import MerchantHired, MerchantMoved, PostFounded
from kontor_games.domain.games.europe.facts.production import DiceRolled, ResourcesProduced
from kontor_games.domain.games.europe.facts.robber import (
    CardsDiscarded,
    CardStolen,
    RobberMoved,
    RobberWoken,
    TheftForgone,
)
from kontor_games.domain.games.europe.facts.routes import ChainsTied, ConnectionPaid, RouteBuilt, RouteForgone
from kontor_games.domain.games.europe.facts.set_up import (
    ColourPlaced,
    FirstPlayerFound,
    NeutralPostPlaced,
    NeutralPostsPlaced,
    PlacementOpened,
    StartCardsTaken,
    StartPostPlaced,
    StartRolled,
    StartRoutePlaced,
)
from kontor_games.domain.games.europe.facts.tokens import HexLeftEmpty, TokenPlaced, TokenShifted
from kontor_games.domain.games.europe.facts.trade import (
    OfferDeclined,
    OfferMade,
    OffersLapsed,
    OfferWithdrawn,
    TradeMade,
)
from kontor_games.domain.games.europe.facts.turn import TurnBegan, TurnEnded

FACTS: tuple[type[Fact], ...] = (
    *(StartRolled, FirstPlayerFound, ColourPlaced, NeutralPostsPlaced, PlacementOpened, StartPostPlaced),
    *(StartCardsTaken, NeutralPostPlaced, StartRoutePlaced),
    *(
        TurnBegan,
        DiceRolled,
        ResourcesProduced,
        RobberWoken,
        CardsDiscarded,
        RobberMoved,
        CardStolen,
        TheftForgone,
    ),
    *(TurnEnded, GameEnded),
    *(ResourceBought, SupplyTraded, PileRenewed, CardBought, MerchantHired, CaravanFormed),
    *(RouteBuilt, ChainsTied, ConnectionPaid, RouteForgone),
    *(
        MerchantMoved,
        PostFounded,
        TokenPlaced,
        TokenShifted,
        HexLeftEmpty,
        CaravanMoved,
        StepsLapsed,
        GoodDelivered,
    ),
    *(SafeConductPlayed, TreatyPlayed, LancerPlayed, BribePlayed),
    *(OfferMade, OfferDeclined, OfferWithdrawn, OffersLapsed, TradeMade),
)
