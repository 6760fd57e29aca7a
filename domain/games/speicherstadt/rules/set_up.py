"""Components and set-up: S-1 to S-9."""

from functools import cache

from kontor_games.domain.chance import Chance
from kontor_games.domain.games.speicherstadt.data.cards import KIND, by_season
from kontor_games.domain.games.speicherstadt.facts.set_up import BagFilled, FirstPlayerChosen, PileStacked
from kontor_games.domain.games.speicherstadt.rules.turn import TableLedger
from kontor_games.domain.games.speicherstadt.state import Numbers
from kontor_games.domain.games.speicherstadt.state.cubes import ALL_CUBES, unpack


@cache
def numbers(seats: int) -> Numbers:
    """The constants of a match with this many seats (S-3, S-10, S-13, S-19, S-20)."""
    return Numbers(coins=5, workers=3, row=seats + 1, line=8, warehouse=4, steps=200)


def set_up(ledger: TableLedger) -> None:
    """Choose the first player, stack the pile, fill the bag, and lay out the first supply (S-2 to S-7)."""
    state, chance = ledger.state, ledger.chance
    named = state.named_first
    first = chance.draws("first_player", 0).below(state.seats) if named is None else named
    ledger.emit(FirstPlayerChosen(first, by_lot=named is None))
    removed = state.deck.removed(state.seats)
    ledger.emit(PileStacked(removed, _shuffled_pile(removed, chance)))
    ledger.emit(BagFilled(tuple(chance.draws("bag", 0).shuffled(unpack(ALL_CUBES)))))
    ledger.steps.supply(ledger)


def _shuffled_pile(removed: tuple[str, ...], chance: Chance) -> tuple[str, ...]:
    """Shuffle each season separately, winter on top (S-6); draw n of the stream "deck" is season n."""
    pile: list[str] = []
    used = tuple(card for card in KIND if card not in removed)
    for place, cards in enumerate(by_season(used).values()):
        pile += chance.draws("deck", place).shuffled(cards)
    return tuple(pile)
