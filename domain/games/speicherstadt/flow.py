"""What follows by itself after a move: the rest of the phase, then the phases until somebody has to decide again."""

from functools import cache

from kontor_games.domain.chance import Chance
from kontor_games.domain.game import Ledger
from kontor_games.domain.games.speicherstadt.cards import CARDS, KIND, SEASONS, Deck
from kontor_games.domain.games.speicherstadt.cubes import ALL_CUBES, unpack
from kontor_games.domain.games.speicherstadt.facts import (
    BagFilled,
    CardsRevealed,
    FireFought,
    FirstPlayerChosen,
    GameEnded,
    PileStacked,
)
from kontor_games.domain.games.speicherstadt.facts.loading import cubes_lost, loading_begun, loading_finished
from kontor_games.domain.games.speicherstadt.facts.purchase import (
    buyer_passed_over,
    card_discarded,
    card_offered,
)
from kontor_games.domain.games.speicherstadt.facts.table import IncomePaid, metal_coin_passed, round_begun
from kontor_games.domain.games.speicherstadt.scoring import fire_points, firemen, places, score
from kontor_games.domain.games.speicherstadt.state import NOBODY, WORKERS, Table

MOST_STEPS = 200
"""Steps that one loading can have (ruling under S-20)."""
CUBES_ON_A_SHIP = 3
"""S-11."""
FIRES = 4
"""S-4."""
_CLOCKWISE = {
    seats: [[(first + turn) % seats for turn in range(seats)] for first in range(seats)]
    for seats in range(2, 6)
}
"""For each number of seats and each first player, all seats in turn order."""


def set_up(ledger: Ledger[Table], deck: Deck) -> None:
    """First player, pile and bag, then the first supply (S-2 to S-7)."""
    state, chance = ledger.state, ledger.chance
    named = state.named_first
    first = chance.draws("first_player", 0).below(state.seats) if named is None else named
    ledger.emit(FirstPlayerChosen(first, by_lot=named is None))
    removed = deck.removed(state.seats)
    ledger.emit(PileStacked(removed, _shuffled_pile(removed, chance)))
    ledger.emit(BagFilled(tuple(chance.draws("bag", 0).shuffled(unpack(ALL_CUBES)))))
    _supply(ledger, deck)


@cache
def _seasons(removed: tuple[str, ...]) -> list[list[str]]:
    """The cards of each season that are played with."""
    return [
        [card.id for card in CARDS if card.season == season and card.id not in removed] for season in SEASONS
    ]


def _shuffled_pile(removed: tuple[str, ...], chance: Chance) -> tuple[str, ...]:
    """Each season shuffled by itself, winter on top (S-6); draw n of the stream "deck" is season n."""
    pile: list[str] = []
    for place, cards in enumerate(_seasons(removed)):
        pile += chance.draws("deck", place).shuffled(cards)
    return tuple(pile)


def _supply(ledger: Ledger[Table], deck: Deck) -> None:
    """Fills the row (S-10 to S-12), or ends the match where only fires are left (S-30, S-31)."""
    state = ledger.state
    if len(state.pile) - state.revealed <= FIRES and all(KIND[card] == "fire" for card in state.unrevealed()):
        _end(ledger, deck)
        return
    ledger.emit(round_begun(state.round + 1))
    while missing := state.seats + 1 - len(state.row):
        top = state.pile[state.revealed : state.revealed + missing]
        if KIND[top[0]] == "fire":
            _fight(ledger, deck, top[0])
        else:
            _reveal(ledger, top)


def _reveal(ledger: Ledger[Table], top: tuple[str, ...]) -> None:
    """Lays out cards up to the next fire; each ship gets its cubes."""
    state = ledger.state
    at, bag = state.drawn, state.bag
    cubes: list[tuple[str, ...]] = []
    for card in top:
        kind = KIND[card]
        if kind == "ship":
            cubes.append(bag[at : at + CUBES_ON_A_SHIP])
            at += CUBES_ON_A_SHIP
        elif kind == "fire":
            break
        else:
            cubes.append(())
    ledger.emit(CardsRevealed(top[: len(cubes)], tuple(cubes)))


def _fight(ledger: Ledger[Table], deck: Deck, fire: str) -> None:
    state = ledger.state
    sums = tuple(firemen(deck, state, seat) for seat in range(state.seats))
    ledger.emit(FireFought(fire, sums, fire_points(sums, deck.points[fire])))


def nothing_follows(state: Table, seat: int) -> bool:
    """Whether the match waits for the next decision right after the seat's move: the common case, so it is asked first."""
    if state.phase == "demand":
        return state.placed < WORKERS * state.seats
    return (
        state.phase == "loading"
        and seat in state.loaders
        and state.held(seat) > 0
        and state.steps[seat] < MOST_STEPS
    )


def follow(ledger: Ledger[Table], deck: Deck, seat: int) -> None:
    """What follows from a move that the seat has made."""
    if ledger.state.phase == "loading":
        _end_loading(ledger, deck, seat)
    else:
        _purchase(ledger, deck)


def _purchase(ledger: Ledger[Table], deck: Deck) -> None:
    """Goes on, card by card and worker by worker, until somebody can buy (S-14 to S-16), or else to loading."""
    state = ledger.state
    while state.row:
        card, line = state.row[0], state.lines[0]
        price = len(line)
        if not line:
            ledger.emit(card_discarded(card, unpack(state.cargo[0])))
        elif state.coins[line[0]] < price:
            ledger.emit(buyer_passed_over(line[0], card, price))
        else:
            ledger.emit(card_offered(line[0], card, price))
            return
    _load(ledger, deck)


def _load(ledger: Ledger[Table], deck: Deck) -> None:
    """Those who have cubes load, from the first player on (S-18)."""
    state = ledger.state
    loaders = tuple([seat for seat in _CLOCKWISE[state.seats][state.first] if state.held(seat)])
    if loaders:
        ledger.emit(loading_begun(loaders))
    else:
        _income(ledger, deck)


def _end_loading(ledger: Ledger[Table], deck: Deck, seat: int) -> None:
    """Ends a seat's loading: it said so, or can't go on (S-18, S-20); after the last one comes income."""
    state = ledger.state
    if seat in state.loaders:
        ledger.emit(loading_finished(seat, "step_limit" if state.held(seat) else "no_cubes"))
    if state.quay[seat]:
        ledger.emit(cubes_lost(seat, unpack(state.quay[seat])))
    if not state.loaders:
        _income(ledger, deck)


def _income(ledger: Ledger[Table], deck: Deck) -> None:
    """Coins for all; the metal coin moves on; the next round begins (S-22)."""
    state = ledger.state
    ledger.emit(_wages(state.seats, state.buyers, state.bank_owner))
    ledger.emit(metal_coin_passed(_CLOCKWISE[state.seats][state.first][1]))
    _supply(ledger, deck)


@cache
def _wages(seats: int, buyers: int, bank: int) -> IncomePaid:
    """The income of a round in which these seats bought cards."""
    idle = tuple(seat for seat in range(seats) if not buyers >> seat & 1)
    coins = tuple(1 + (seat in idle) + (seat == bank) for seat in range(seats))
    return IncomePaid(coins, idle, None if bank == NOBODY else bank)


def _end(ledger: Ledger[Table], deck: Deck) -> None:
    """The last fires, then the score (S-30 to S-33)."""
    state = ledger.state
    for fire in state.unrevealed():
        _fight(ledger, deck, fire)
    scores = tuple(score(deck, state, seat) for seat in range(state.seats))
    coins = tuple(state.coins)
    ledger.emit(GameEnded(scores, coins, places(scores, coins)))
