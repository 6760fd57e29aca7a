"""The automatic steps of a version of the rules, one entry each."""

from collections.abc import Callable
from dataclasses import dataclass

from kontor_games.domain.game import Ledger
from kontor_games.domain.games.europe.rules.index import Index
from kontor_games.domain.games.europe.state import EuropeState

EuropeLedger = Ledger[EuropeState, "Steps"]


@dataclass(frozen=True)
class Steps:
    """The automatic steps. A later version replaces an entry: `replace(steps, produce=…)`."""

    index: Callable[[EuropeState], Index]
    """The class of the index, which is updated by folding facts."""
    find_phase: Callable[[EuropeState], int]
    """The phase, by pending choice."""
    set_up: Callable[[EuropeLedger], None]
    """The deal, up to the first decision of a seat (E-10 to E-14)."""
    open_placement: Callable[[EuropeLedger], None]
    """The next placement of the free set-up, or the first turn (E-12)."""
    produce: Callable[[EuropeLedger, int], None]
    """Production of a number (E-21 to E-23)."""
    wake_robber: Callable[[EuropeLedger], None]
    """The consequences of a 7 (E-24)."""
    connect: Callable[[EuropeLedger, int, tuple[int, ...]], None]
    """The gold for cities whose isolation a player's route has ended (E-41)."""
    lapse_routes: Callable[[EuropeLedger, int], None]
    """Give up free routes that can't be built (E-60)."""
    found_post: Callable[[EuropeLedger, int, int, int], None]
    """A merchant becomes a post: seat, merchant and city (E-44, E-45)."""
    place_token: Callable[[EuropeLedger, int, int], None]
    """A token comes from the sea to a hex (E-45)."""
    lapse_steps: Callable[[EuropeLedger, int], None]
    """The remaining steps of a caravan are lost (E-46)."""
    lapse_offers: Callable[[EuropeLedger, list[int]], None]
    """Offers that can't be kept lapse after a move; the hands before it are given (E-30)."""
    begin_turn: Callable[[EuropeLedger, int], None]
    """The end of a turn: the next turn, or the end of the match (E-49, E-70)."""
    end_if_delivered: Callable[[EuropeLedger, int], None]
    """The win by delivering all goods (E-70)."""
    worth: Callable[[EuropeState, int], tuple[int, int, int]]
    """The ranking at the end: goods, posts and gold (E-70)."""
