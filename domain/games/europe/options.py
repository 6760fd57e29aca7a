"""The options of a match."""

from typing import Annotated, Literal

from kontor_games.domain.codec import Between, Length
from kontor_games.domain.game import Options, record
from kontor_games.domain.games.europe.data.board import Colour


@record
class EuropeOptions(Options):
    """The options of a match."""

    set_up: Literal["fixed", "free"] | None = None
    """None: the board's own (E-10, E-12)."""
    turn_limit: Annotated[int, Between(1, 1000)] = 500
    """Number of turns of all players together after which the match ends (E-70)."""
    colours: Annotated[tuple[Colour, ...], Length(0, 4)] = ()
    """One for each seat, or none: then red, blue, white, orange (E-13)."""


@record
class EuropeOptions2(EuropeOptions):
    """The options since version 2 of the rules."""

    start_cities: Literal["not_violet", "violet"] = "not_violet"
    """Where the first posts of the players go in the free set-up (E-12)."""
