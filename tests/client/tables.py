"""Tables at which the tests of the client sit."""

from typing import Any

from kontor_client import Kontor, Match
from kontor_games.domain.games import installed_games

GAMES = list(installed_games())
ME, OPEN, HOUSE = {"type": "me"}, {"type": "open"}, {"type": "bot", "bot": "random"}


def fewest(game: str) -> int:
    """How many have to sit down."""
    return min(installed_games()[game].rules().seat_counts)


def with_house_bots(player: Kontor, game: str = GAMES[0], **wishes: Any) -> Match:
    """A match that begins at once."""
    return player.create_match(game, [ME, *[HOUSE] * (fewest(game) - 1)], **wishes)


def with_a_free_seat(player: Kontor, game: str = GAMES[0], **wishes: Any) -> Match:
    """A match for which somebody is still missing: seat 1 is theirs."""
    return player.create_match(game, [ME, OPEN, *[HOUSE] * (fewest(game) - 2)], **wishes)
