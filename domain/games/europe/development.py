"""Development cards played: one a turn, never one bought this turn, before the roll or after it (E-20, E-60 to E-63)."""

from kontor_games.domain.game import Ledger, Move
from kontor_games.domain.games.europe.checks import on_turn
from kontor_games.domain.games.europe.facts_travel import (
    BribePlayed,
    LancerPlayed,
    SafeConductPlayed,
    TreatyPlayed,
)
from kontor_games.domain.games.europe.merchants import go, treaty_moves, verify_treaty_walk
from kontor_games.domain.games.europe.moves import (
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
    PieceNotThereError,
)
from kontor_games.domain.games.europe.resources import BRIBE, LANCER, SAFE_CONDUCT, TRADE_TREATY
from kontor_games.domain.games.europe.routes import can_lay
from kontor_games.domain.games.europe.state import ACTION, NOBODY, ROLL, EuropeState

FREE_ROUTES = 2
TREATY_GOLD = 3
LANCER_GOLD = 2
BRIBE_STEPS = 5

PLAY_SAFE_CONDUCT = PlaySafeConduct()
PLAY_TREATY_FOR_GOLD = PlayTreatyForGold()
PLAY_LANCER = PlayLancer()
PLAY_BRIBE = (PlayBribe(0), PlayBribe(1))


def verify_card(state: EuropeState, seat: int, kind: int) -> None:
    """The player's first card this turn, and not bought in it."""
    on_turn(state, seat, ROLL, ACTION)
    if state.card_played:
        raise OncePerTurnError("One development card a turn.", rule="E-20")
    if all(card & 3 != kind for card in state.cards[seat]):
        raise NoSuchCardError("You have no such card that may be played this turn.", rule="E-60")


def verify_safe_conduct(state: EuropeState, seat: int, wanted: PlaySafeConduct) -> None:
    """A route can be laid (E-60)."""
    verify_card(state, seat, SAFE_CONDUCT)
    if not can_lay(state, seat):
        raise NoPieceLeftError("You have no route left, or no place for one.", rule="E-60")


def decide_safe_conduct(ledger: Ledger[EuropeState], seat: int, wanted: PlaySafeConduct) -> None:
    """Up to two routes, one after the other."""
    ledger.emit(SafeConductPlayed(seat, FREE_ROUTES))


def verify_treaty_gold(state: EuropeState, seat: int, wanted: PlayTreatyForGold) -> None:
    """The card alone (E-61)."""
    verify_card(state, seat, TRADE_TREATY)


def decide_treaty_gold(ledger: Ledger[EuropeState], seat: int, wanted: PlayTreatyForGold) -> None:
    """Gold from the bank."""
    ledger.emit(TreatyPlayed(seat, TREATY_GOLD))


def verify_treaty(state: EuropeState, seat: int, wanted: PlayTreatyForMerchant) -> None:
    """A merchant that can go there (E-61)."""
    verify_card(state, seat, TRADE_TREATY)
    verify_treaty_walk(state, seat, wanted.merchant, wanted.to)


def decide_treaty(ledger: Ledger[EuropeState], seat: int, wanted: PlayTreatyForMerchant) -> None:
    """A move of its own."""
    ledger.emit(TreatyPlayed(seat, 0))
    go(ledger, seat, wanted.merchant, wanted.to, paid=False)


def verify_lancer(state: EuropeState, seat: int, wanted: PlayLancer) -> None:
    """The card alone (E-62)."""
    verify_card(state, seat, LANCER)


def decide_lancer(ledger: Ledger[EuropeState], seat: int, wanted: PlayLancer) -> None:
    """The robber moves next."""
    ledger.emit(LancerPlayed(seat, LANCER_GOLD))


def verify_bribe(state: EuropeState, seat: int, wanted: PlayBribe) -> None:
    """A caravan on the board (E-63)."""
    verify_card(state, seat, BRIBE)
    if state.caravans[seat * 2 + wanted.caravan] == NOBODY:
        raise PieceNotThereError("That caravan is not on the board.", rule="E-63")


def decide_bribe(ledger: Ledger[EuropeState], seat: int, wanted: PlayBribe) -> None:
    """The caravan moves next."""
    ledger.emit(BribePlayed(seat, wanted.caravan, BRIBE_STEPS))


def card_moves(state: EuropeState, seat: int, found: list[Move]) -> None:
    """Every card that can be played now, in every way."""
    if state.card_played or not state.cards[seat]:
        return
    kinds = {card & 3 for card in state.cards[seat]}
    if LANCER in kinds:
        found.append(PLAY_LANCER)
    if SAFE_CONDUCT in kinds and can_lay(state, seat):
        found.append(PLAY_SAFE_CONDUCT)
    if TRADE_TREATY in kinds:
        found.append(PLAY_TREATY_FOR_GOLD)
        treaty_moves(state, seat, found)
    if BRIBE in kinds:
        found += [PLAY_BRIBE[caravan] for caravan in (0, 1) if state.caravans[seat * 2 + caravan] >= 0]
