"""What the supply sells: resources for gold or for three alike, and development cards (E-31, E-32, E-40, E-64)."""

from functools import cache

from kontor_games.domain.game import Ledger, Move
from kontor_games.domain.games.europe.board import RESOURCES
from kontor_games.domain.games.europe.checks import afford, afford_gold, on_turn
from kontor_games.domain.games.europe.facts_build import CardBought, PileRenewed, ResourceBought, SupplyTraded
from kontor_games.domain.games.europe.moves import BuyCard, BuyResource, TradeWithSupply
from kontor_games.domain.games.europe.refusals import (
    CannotPayError,
    OncePerTurnError,
    SameKindError,
    SupplyEmptyError,
)
from kontor_games.domain.games.europe.resources import CARD_COST, CARDS, GOLD, counts_of
from kontor_games.domain.games.europe.state import ACTION, EuropeState

RESOURCE_PRICE = 2
RESOURCES_A_TURN = 2
ALIKE = 3

_supply_traded = cache(SupplyTraded)
_resource_bought = cache(ResourceBought)
BUY_CARD = BuyCard()
BUY_RESOURCE = tuple(BuyResource(resource) for resource in RESOURCES)  # type: ignore[arg-type]  # mypy does not know the names of a tuple
SUPPLY_TRADES = tuple(
    tuple(TradeWithSupply(give, take) for take in (*RESOURCES, GOLD) if take != give)  # type: ignore[arg-type]  # as above
    for give in RESOURCES
)
"""For each resource given: the moves that take something else for it."""
_CARD_PRICE = counts_of(CARD_COST)


def verify_buy_resource(state: EuropeState, seat: int, wanted: BuyResource) -> None:
    """2 gold, at most twice a turn, while the supply holds it (E-31)."""
    on_turn(state, seat, ACTION)
    if state.gold_buys >= RESOURCES_A_TURN:
        raise OncePerTurnError("Gold buys two resources a turn at most.", rule="E-31")
    afford_gold(state, seat, RESOURCE_PRICE, "E-31")
    if not state.supply[RESOURCES.index(wanted.resource)]:
        raise SupplyEmptyError(f"The supply holds no {wanted.resource}.", rule="E-32")


def decide_buy_resource(ledger: Ledger[EuropeState], seat: int, wanted: BuyResource) -> None:
    """From the supply."""
    ledger.emit(_resource_bought(seat, wanted.resource, RESOURCE_PRICE))


def verify_supply_trade(state: EuropeState, seat: int, wanted: TradeWithSupply) -> None:
    """3 alike for another resource that the supply holds, or for 1 gold (E-32)."""
    on_turn(state, seat, ACTION)
    if wanted.give == wanted.take:
        raise SameKindError("Three alike are given for something else.", rule="E-32")
    if state.hands[seat * 5 + RESOURCES.index(wanted.give)] < ALIKE:
        raise CannotPayError(f"That takes {ALIKE} {wanted.give}.", rule="E-32")
    if wanted.take != GOLD and not state.supply[RESOURCES.index(wanted.take)]:
        raise SupplyEmptyError(f"The supply holds no {wanted.take}.", rule="E-32")


def decide_supply_trade(ledger: Ledger[EuropeState], seat: int, wanted: TradeWithSupply) -> None:
    """Any number of times."""
    ledger.emit(_supply_traded(seat, wanted.give, ALIKE, wanted.take))


def supply_moves(state: EuropeState, seat: int, found: list[Move]) -> None:
    """Everything the supply sells now but cards."""
    supply, at = state.supply, seat * 5
    lacking = 0 in supply
    if state.gold[seat] >= RESOURCE_PRICE and state.gold_buys < RESOURCES_A_TURN:
        found += (
            [move for move, count in zip(BUY_RESOURCE, supply, strict=True) if count]
            if lacking
            else BUY_RESOURCE
        )
    hand = state.hands[at : at + 5]
    if max(hand) >= ALIKE:
        for r, held in enumerate(hand):
            if held >= ALIKE:
                trades = SUPPLY_TRADES[r]
                found += (
                    [move for move in trades if move.take == GOLD or supply[RESOURCES.index(move.take)]]
                    if lacking
                    else trades
                )


def verify_buy_card(state: EuropeState, seat: int, wanted: BuyCard) -> None:
    """Wool and salt, one a turn, while there are cards (E-40, E-64)."""
    on_turn(state, seat, ACTION)
    if state.fresh >= 0:
        raise OncePerTurnError("One development card a turn.", rule="E-40")
    if not any(state.pile) and not any(state.discarded):
        raise SupplyEmptyError("No development card is left.", rule="E-64")
    afford(state, seat, _CARD_PRICE, "E-40")


def decide_buy_card(ledger: Ledger[EuropeState], seat: int, wanted: BuyCard) -> None:
    """Every card of the pile is equally likely; an empty pile is renewed first."""
    state = ledger.state
    if not any(state.pile):
        ledger.emit(PileRenewed(sum(state.discarded)))
    card = ledger.chance.draws("deck", state.deck_draws).below(sum(state.pile))
    kind = 0
    while card >= state.pile[kind]:
        card -= state.pile[kind]
        kind += 1
    ledger.emit(CardBought(seat, CARD_COST, CARDS[kind]))  # type: ignore[arg-type]  # as above


def card_for_sale(state: EuropeState) -> bool:
    """Whether there is a card, and none was bought this turn."""
    return state.fresh < 0 and (any(state.pile) or any(state.discarded))
