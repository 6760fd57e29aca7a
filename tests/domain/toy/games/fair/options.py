"""The options of a match."""

from typing import Annotated, Literal

from kontor_games.domain.codec import Between
from kontor_games.domain.game import Options, record


@record
class FairOptions(Options):
    """How many rounds a match has, and how many coins everybody begins with (T-2, T-3)."""

    rounds: Literal[1, 2, 3] = 3
    coins: Annotated[int, Between(0, 20)] = 5
