"""Production: two dice, and the yield of the hexes (E-20 to E-23)."""

from collections.abc import Sequence
from functools import cache
from typing import ClassVar, NamedTuple

from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import Cards
from kontor_games.domain.games.europe.facts.production import DiceRolled, Gain, ResourcesProduced
from kontor_games.domain.games.europe.moves import RollDice
from kontor_games.domain.games.europe.rules.base import EuropeRule
from kontor_games.domain.games.europe.rules.steps import EuropeLedger
from kontor_games.domain.games.europe.state import NOBODY, EuropeState
from kontor_games.domain.games.europe.state.phases import ROLL

SEVEN = 7
_dice_rolled = cache(DiceRolled)
"""Equal facts are created once, because a look-up is cheaper."""


class RollDiceRule(EuropeRule[RollDice]):
    """The dice are rolled once a turn, before everything but a development card (E-20)."""

    phases: ClassVar = (ROLL,)
    quiet: ClassVar = True
    ready: ClassVar = (RollDice(),)

    def facts(self, ledger: EuropeLedger, seat: int, move: RollDice) -> None:
        """Roll; a 7 wakes the robber, every other sum produces."""
        draws = ledger.chance.draws("dice", ledger.state.rolls)
        dice = (draws.below(6) + 1, draws.below(6) + 1)
        ledger.emit(_dice_rolled(seat, dice))
        if sum(dice) == SEVEN:
            ledger.steps.wake_robber(ledger)
        else:
            ledger.steps.produce(ledger, sum(dice))


class Harvest(NamedTuple):
    """The yield of a number, valid while nothing changes on its hexes."""

    claims: list[list[int]]
    """By seat and resource."""
    total: tuple[tuple[int, int], ...]
    """Each claimed resource with its number of cards."""
    gold: tuple[int, ...]
    """The seats that get gold instead."""
    whole: ResourcesProduced
    """The fact, if the supply can serve all."""


def produce(ledger: EuropeLedger, number: int) -> None:
    """Give what the hexes with this number yield (E-21 to E-23)."""
    state, known = ledger.state, ledger.state.index.harvests
    robbed = state.robber if state.number[state.robber] == number else NOBODY
    if (number, robbed) not in known:
        known[number, robbed] = harvest(state, number)
    claims, total, gold, produced = known[number, robbed]
    short = [r for r, count in total if count > state.supply[r]]
    if short:
        produced = produced_without(claims, gold, short)
    if produced.gains or produced.gold or produced.short:
        ledger.emit(produced)


def harvest(state: EuropeState, number: int) -> Harvest:
    """Return the claims of each seat, and the seats that get gold for having no post there (E-21, E-23)."""
    claims = [[0] * 5 for _ in range(state.seats)]
    total = [0] * 5
    beside: list[int] = []
    for hexagon in state.index.hexes_with[number]:
        owners, resource = state.index.owners_beside[hexagon], state.tables.yields[hexagon]
        beside += owners
        if hexagon != state.robber:
            for owner in owners:
                claims[owner][resource] += 1
                total[resource] += 1
    gold = tuple([seat for seat in range(state.seats) if seat not in beside])
    claimed = tuple([(r, count) for r, count in enumerate(total) if count])
    return Harvest(claims, claimed, gold, produced_without(claims, gold, ()))


def produced_without(
    claims: Sequence[Sequence[int]], gold: tuple[int, ...], short: Sequence[int]
) -> ResourcesProduced:
    """Return the fact, without the resources that are short (E-22)."""
    if short:
        claims = [[0 if r in short else count for r, count in enumerate(counts)] for counts in claims]
    gains = tuple([Gain(seat, Cards(*counts)) for seat, counts in enumerate(claims) if any(counts)])
    return ResourcesProduced(gains, gold, tuple(RESOURCES[r] for r in short))
