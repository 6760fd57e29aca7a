"""The automatic steps of a version of the rules, one entry each."""

from collections.abc import Callable
from dataclasses import dataclass

from kontor_games.domain.game import Ledger
from tests.domain.toy.games.fair.state import Fair

FairLedger = Ledger[Fair, "Steps"]


@dataclass(frozen=True)
class Steps:
    """The automatic steps; they call each other through this table: `ledger.steps.draw(ledger)`."""

    set_up: Callable[[FairLedger], None]
    """The cards are shuffled and dealt, and the first round begins (T-2, T-3)."""
    draw: Callable[[FairLedger], None]
    """Every seat draws a card (T-2, T-3)."""
    begin_round: Callable[[FairLedger], None]
    """The table is cleared, and every seat draws (T-3)."""
    take_round: Callable[[FairLedger], None]
    """All have laid a card, and the highest takes the round (T-4)."""
    end: Callable[[FairLedger], None]
    """The match is scored (T-7)."""
