"""The options of a match."""

from typing import Annotated

from kontor_games.domain.codec import Between
from kontor_games.domain.game import Options, record


@record
class SpeicherstadtOptions(Options):
    """The options of a match."""

    simultaneous_loading: bool = False
    first_seat: Annotated[int, Between(0, 4)] | None = None
