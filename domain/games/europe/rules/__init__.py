"""The rules of Settlers of Europe: one entry for each kind of move and for each automatic step."""

from kontor_games.domain.game import Ruleset
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.facts import FACTS
from kontor_games.domain.games.europe.options import EuropeOptions, EuropeOptions2
from kontor_games.domain.games.europe.rules import (
    caravans,
    development_cards,
    ending,
    merchants,
    production,
    robber,
    routes,
    set_up,
    tokens,
    trade,
    turn,
)
from kontor_games.domain.games.europe.rules.base import EuropeRules
from kontor_games.domain.games.europe.rules.index import Index
from kontor_games.domain.games.europe.rules.steps import Steps

__all__ = ["RULESETS", "VERSION_1", "VERSION_2", "VERSION_3", "EuropeRules"]

VERSION_1: Ruleset[Steps] = Ruleset(
    version=1,
    apply=EuropeRules,
    moves={
        m.PlaceStartPost: set_up.PlaceStartPostRule(),
        m.PlaceNeutralPost: set_up.PlaceNeutralPostRule(),
        m.PlaceStartRoute: set_up.PlaceStartRouteRule(),
        m.RollDice: production.RollDiceRule(),
        m.DiscardCard: robber.DiscardCardRule(),
        m.DiscardCards: robber.DiscardCardsRule(),
        m.MoveRobber: robber.MoveRobberRule(),
        m.StealCard: robber.StealCardRule(),
        m.ForgoTheft: robber.ForgoTheftRule(),
        m.ChooseChain: routes.ChooseChainRule(),
        m.PlaceToken: tokens.PlaceTokenRule(),
        m.ShiftToken: tokens.ShiftTokenRule(),
        m.LeaveHexEmpty: tokens.LeaveHexEmptyRule(),
        m.Deliver: caravans.DeliverRule(),
        m.MoveCaravan: caravans.MoveCaravanRule(),
        m.Halt: caravans.HaltRule(),
        m.MoveMerchant: merchants.MoveMerchantRule(),
        m.HireMerchant: merchants.HireMerchantRule(),
        m.BuildRoute: routes.BuildRouteRule(),
        m.ForgoRoute: routes.ForgoRouteRule(),
        m.FormCaravan: caravans.FormCaravanRule(),
        m.BuyCard: development_cards.BuyCardRule(),
        m.BuyResource: trade.BuyResourceRule(),
        m.TradeWithSupply: trade.TradeWithSupplyRule(),
        m.PlayLancer: development_cards.PlayLancerRule(),
        m.PlaySafeConduct: development_cards.PlaySafeConductRule(),
        m.PlayTreatyForGold: development_cards.PlayTreatyForGoldRule(),
        m.PlayTreatyForMerchant: development_cards.PlayTreatyForMerchantRule(),
        m.PlayBribe: development_cards.PlayBribeRule(),
        m.OfferTrade: trade.OfferTradeRule(),
        m.CounterOffer: trade.CounterOfferRule(),
        m.AcceptOffer: trade.AcceptOfferRule(),
        m.DeclineOffer: trade.DeclineOfferRule(),
        m.WithdrawOffer: trade.WithdrawOfferRule(),
        m.EndTurn: turn.EndTurnRule(),
    },
    steps=Steps(
        index=Index,
        find_phase=turn.find_phase,
        set_up=set_up.set_up,
        open_placement=set_up.open_placement,
        produce=production.produce,
        wake_robber=robber.wake_robber,
        connect=routes.connect,
        lapse_routes=routes.lapse_routes,
        found_post=merchants.found_post,
        place_token=tokens.place_token,
        lapse_steps=caravans.lapse_steps,
        lapse_offers=trade.lapse_offers,
        begin_turn=turn.begin_turn,
        end_if_delivered=ending.end_if_delivered,
        worth=ending.worth,
    ),
    facts=FACTS,
    options=EuropeOptions,
)

VERSION_2 = VERSION_1.revised(
    2,
    moves={
        m.PlaceStartPost: set_up.PlaceStartPostByOptionRule(),
        m.FormCaravan: caravans.FormCaravanElsewhereRule(),
        m.MoveCaravan: caravans.MoveCaravanPastFullRule(),
    },
    options=EuropeOptions2,
)
"""First posts by option (E-12), a caravan must move to another route (E-40), caravans may return (E-46)."""

VERSION_3 = VERSION_2.revised(3, moves={m.LeaveHexEmpty: tokens.LeaveHexEmptyAllRunOutRule()})
"""A hex stays empty only if the sea holds no token for any hex beside the new post (E-45)."""

RULESETS = (VERSION_1, VERSION_2, VERSION_3)
"""Every version that matches were played under, the current one last."""
