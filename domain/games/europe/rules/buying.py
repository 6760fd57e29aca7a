"""What the supply sells: resources for gold or for three alike, and development cards (E-31, E-32, E-40, E-64)."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import ClassVar

from kontor_games.domain.game import Refusal
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import CARDS, GOLD, TERMS, Cards
from kontor_games.domain.games.europe.facts.buying import (
    CardBought,
    PileRenewed,
    ResourceBought,
    SupplyTraded,
)
from kontor_games.domain.games.europe.moves import BuyCard, BuyResource, TradeWithSupply
from kontor_games.domain.games.europe.refusals import (
    CannotPayError,
    OncePerTurnError,
    SameKindError,
    SupplyEmptyError,
)
from kontor_games.domain.games.europe.rules.conditions import EuropeRule, PurchaseRule, Situation, lacks_gold
from kontor_games.domain.games.europe.rules.steps import EuropeLedger
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.games.europe.state.phases import ACTION
from kontor_games.domain.toolkit.draws import weighted

BUY_RESOURCE = tuple(BuyResource(resource) for resource in RESOURCES)  # type: ignore[arg-type]  # mypy does not know the names of a tuple
SUPPLY_TRADES = tuple(
    tuple(TradeWithSupply(give, take) for take in TERMS if take != give)  # type: ignore[arg-type]  # as above
    for give in RESOURCES
)
"""For each resource given: the moves that take something else for it."""
_supply_traded = cache(SupplyTraded)
_resource_bought = cache(ResourceBought)


def not_in_supply(state: EuropeState, take: str) -> Refusal | None:
    """Return the refusal if the supply holds none of that: gold it always has (E-5, E-32)."""
    if take == GOLD or state.supply[RESOURCES.index(take)]:
        return None
    return SupplyEmptyError(f"The supply holds no {take}.", rule="E-32")


class BuyResourceRule(EuropeRule[BuyResource]):
    """Gold buys a resource from the supply, a limited number of times a turn (E-31)."""

    phases: ClassVar = (ACTION,)
    price: ClassVar = 2
    times_a_turn: ClassVar = 2

    def blocked(self, state: EuropeState, seat: int, move: BuyResource) -> Refusal | None:
        """Return why the resource can't be bought, or None."""
        if state.gold_buys >= self.times_a_turn:
            return OncePerTurnError(f"Gold buys at most {self.times_a_turn} resources a turn.", rule="E-31")
        return lacks_gold(state, seat, self.price, "E-31") or not_in_supply(state, move.resource)

    def facts(self, ledger: EuropeLedger, seat: int, move: BuyResource) -> None:
        """Buy the resource."""
        ledger.emit(_resource_bought(seat, move.resource, self.price))

    def choices(self, state: EuropeState, seat: int) -> Sequence[BuyResource]:
        """Return a move for each resource in the supply."""
        if state.gold[seat] < self.price or state.gold_buys >= self.times_a_turn:
            return ()
        return (
            BUY_RESOURCE
            if all(state.supply)
            else [move for move in BUY_RESOURCE if not not_in_supply(state, move.resource)]
        )


class TradeWithSupplyRule(EuropeRule[TradeWithSupply]):
    """Several cards alike buy another resource, or gold, any number of times (E-32)."""

    phases: ClassVar = (ACTION,)
    alike: ClassVar = 3

    def __init__(self) -> None:
        """Keep the trades of hands that occur."""
        self._trades = lru_cache(maxsize=1 << 12)(self._find_trades)

    def _find_trades(self, hand: tuple[int, ...]) -> list[TradeWithSupply]:
        kinds = [trades for trades, held in zip(SUPPLY_TRADES, hand, strict=True) if held >= self.alike]
        return [move for trades in kinds for move in trades]

    def blocked(self, state: EuropeState, seat: int, move: TradeWithSupply) -> Refusal | None:
        """Return why the trade can't be made, or None."""
        if move.give == move.take:
            return SameKindError("You must take something else than you give.", rule="E-32")
        if state.held(seat, RESOURCES.index(move.give)) < self.alike:
            return CannotPayError(f"This costs {self.alike} {move.give}.", rule="E-32")
        return not_in_supply(state, move.take)

    def fits(self, now: Situation) -> bool:
        """Return also whether enough cards of any kind are in the hand."""
        return super().fits(now) and max(now.hand) >= self.alike

    def facts(self, ledger: EuropeLedger, seat: int, move: TradeWithSupply) -> None:
        """Make the trade."""
        ledger.emit(_supply_traded(seat, move.give, self.alike, move.take))

    def choices(self, state: EuropeState, seat: int) -> Sequence[TradeWithSupply]:
        """Return a move for each kind held often enough and each thing in the supply."""
        found = self._trades(tuple(state.hands[seat * 5 : seat * 5 + 5]))
        return found if all(state.supply) else [move for move in found if not not_in_supply(state, move.take)]


class BuyCardRule(PurchaseRule[BuyCard]):
    """A development card is drawn from the pile, at most one a turn (E-40, E-64)."""

    phases: ClassVar = (ACTION,)
    price: ClassVar = Cards(wool=1, salt=1)
    ready: ClassVar = (BuyCard(),)

    def blocked(self, state: EuropeState, seat: int, move: BuyCard) -> Refusal | None:
        """Return why no card can be bought, or None."""
        return self.not_for_sale(state) or self.unpaid(state, seat)

    def not_for_sale(self, state: EuropeState) -> Refusal | None:
        """Return why nobody can buy a card now, or None."""
        if state.fresh >= 0:
            return OncePerTurnError("You can buy one development card a turn.", rule="E-40")
        if not any(state.pile) and not any(state.discarded):
            return SupplyEmptyError("No development card is left.", rule="E-64")
        return None

    def facts(self, ledger: EuropeLedger, seat: int, move: BuyCard) -> None:
        """Draw the card; an empty pile is renewed first."""
        state = ledger.state
        if not any(state.pile):
            ledger.emit(PileRenewed(sum(state.discarded)))
        kind = weighted(ledger.chance.draws("deck", state.deck_draws), state.pile)
        ledger.emit(CardBought(seat, self.price, CARDS[kind]))  # type: ignore[arg-type]  # as above

    def choices(self, state: EuropeState, seat: int) -> Sequence[BuyCard]:
        """Return the purchase, if a card is for sale."""
        return () if self.not_for_sale(state) else self.ready
