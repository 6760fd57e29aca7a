"""Development cards: bought and played (E-20, E-40, E-60 to E-64).

One can be played in a turn, before the roll or after it, but not one bought in the same turn.
"""

from collections.abc import Sequence
from typing import ClassVar

from kontor_games.domain.game import Refusal
from kontor_games.domain.games.europe.data.components import (
    BRIBE,
    CARDS,
    LANCER,
    SAFE_CONDUCT,
    TRADE_TREATY,
    Cards,
)
from kontor_games.domain.games.europe.facts.buying import CardBought, PileRenewed
from kontor_games.domain.games.europe.facts.development_cards import (
    BribePlayed,
    LancerPlayed,
    SafeConductPlayed,
    TreatyPlayed,
)
from kontor_games.domain.games.europe.moves import (
    BuyCard,
    PlayBribe,
    PlayLancer,
    PlaySafeConduct,
    PlayTreatyForGold,
    PlayTreatyForMerchant,
)
from kontor_games.domain.games.europe.refusals import (
    NoPieceLeftError,
    NoSuchCardError,
    OncePerTurnError,
    OutOfReachError,
    PieceNotThereError,
    SupplyEmptyError,
)
from kontor_games.domain.games.europe.rules.base import EuropeRule, M, PurchaseRule
from kontor_games.domain.games.europe.rules.merchants import WalkRule
from kontor_games.domain.games.europe.rules.routes import can_build_free
from kontor_games.domain.games.europe.rules.steps import EuropeLedger
from kontor_games.domain.games.europe.state import NOBODY, EuropeState
from kontor_games.domain.games.europe.state.phases import ACTION, ROLL
from kontor_games.domain.toolkit.draws import weighted


class BuyCardRule(PurchaseRule[BuyCard]):
    """A development card is drawn from the pile, at most one a turn (E-40, E-64)."""

    phases: ClassVar = (ACTION,)
    price: ClassVar = Cards(wool=1, salt=1)
    ready: ClassVar = (BuyCard(),)

    def blocked(self, state: EuropeState, seat: int, move: BuyCard) -> Refusal | None:
        return self.not_for_sale(state) or self.unpaid(state, seat)

    def fast_listing(self, state: EuropeState, seat: int) -> Sequence[BuyCard]:
        return () if self.not_for_sale(state) else self.ready

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
        ledger.emit(CardBought(seat, self.price, CARDS[kind]))


def unplayable(state: EuropeState, seat: int, card: int) -> Refusal | None:
    """Return why the player can't play such a card this turn, or None (E-20)."""
    if state.card_played:
        return OncePerTurnError("You can play one development card a turn.", rule="E-20")
    if not state.holds_card(seat, card):
        return NoSuchCardError("You have no such card that you can play this turn.", rule="E-60")
    return None


class CardRule(EuropeRule[M]):
    """A player plays a development card: the first one in this turn, and not bought in it (E-20)."""

    phases: ClassVar = (ROLL, ACTION)
    card: ClassVar[int]

    def blocked(self, state: EuropeState, seat: int, move: M) -> Refusal | None:
        """Return why the player can't play such a card this turn, or None."""
        return unplayable(state, seat, self.card)


class PlaySafeConductRule(CardRule[PlaySafeConduct]):
    """A safe conduct builds free routes, one after the other (E-60)."""

    card: ClassVar = SAFE_CONDUCT
    ready: ClassVar = (PlaySafeConduct(),)
    routes: ClassVar = 2

    def blocked(self, state: EuropeState, seat: int, move: PlaySafeConduct) -> Refusal | None:
        refusal = super().blocked(state, seat, move)
        if refusal is None and not can_build_free(state, seat):
            return NoPieceLeftError("You have no route left, or no place for one.", rule="E-60")
        return refusal

    def facts(self, ledger: EuropeLedger, seat: int, move: PlaySafeConduct) -> None:
        ledger.emit(SafeConductPlayed(seat, self.routes))


class PlayTreatyForGoldRule(CardRule[PlayTreatyForGold]):
    """A trade treaty brings gold (E-61)."""

    card: ClassVar = TRADE_TREATY
    ready: ClassVar = (PlayTreatyForGold(),)
    gold: ClassVar = 3

    def facts(self, ledger: EuropeLedger, seat: int, move: PlayTreatyForGold) -> None:
        ledger.emit(TreatyPlayed(seat, self.gold))


class PlayTreatyForMerchantRule(WalkRule[PlayTreatyForMerchant]):
    """A trade treaty moves a merchant free of charge (E-61)."""

    phases: ClassVar = (ROLL, ACTION)
    card: ClassVar = TRADE_TREATY
    steps: ClassVar = 7

    def blocked(self, state: EuropeState, seat: int, move: PlayTreatyForMerchant) -> Refusal | None:
        if refusal := unplayable(state, seat, self.card) or self.unreachable(
            state, seat, move.merchant, move.to
        ):
            return refusal
        if self.distance(state, seat, move.merchant, move.to) > self.steps:
            return OutOfReachError(
                f"A trade treaty moves a merchant at most {self.steps} crossroads.", rule="E-61"
            )
        return None

    def facts(self, ledger: EuropeLedger, seat: int, move: PlayTreatyForMerchant) -> None:
        ledger.emit(TreatyPlayed(seat, 0))
        self.move_merchant(ledger, seat, move.merchant, move.to, 0)

    def fast_listing(self, state: EuropeState, seat: int) -> Sequence[PlayTreatyForMerchant]:
        return self.all_ends(state, seat, self.steps)

    def move_to(self, merchant: int, to: str, steps: int) -> PlayTreatyForMerchant:
        return PlayTreatyForMerchant(merchant, to)


class PlayLancerRule(CardRule[PlayLancer]):
    """A lancer brings gold and moves the robber (E-62)."""

    card: ClassVar = LANCER
    ready: ClassVar = (PlayLancer(),)
    gold: ClassVar = 2

    def facts(self, ledger: EuropeLedger, seat: int, move: PlayLancer) -> None:
        ledger.emit(LancerPlayed(seat, self.gold))


class PlayBribeRule(CardRule[PlayBribe]):
    """A bribe moves a caravan without salt and tolls (E-63)."""

    card: ClassVar = BRIBE
    ready: ClassVar = (PlayBribe(0), PlayBribe(1))
    steps: ClassVar = 5

    def blocked(self, state: EuropeState, seat: int, move: PlayBribe) -> Refusal | None:
        refusal = super().blocked(state, seat, move)
        if refusal is None and state.caravan(seat, move.caravan) == NOBODY:
            return PieceNotThereError("That caravan is not on the board.", rule="E-63")
        return refusal

    def facts(self, ledger: EuropeLedger, seat: int, move: PlayBribe) -> None:
        ledger.emit(BribePlayed(seat, move.caravan, self.steps))
