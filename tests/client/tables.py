"""Matches for the tests of the client."""

from typing import Any

from kontor_client import Kontor, Match
from kontor_games.domain.games import installed_games

GAMES = list(installed_games())
ME, OPEN, HOUSE = {"type": "me"}, {"type": "open"}, {"type": "bot", "bot": "random"}


def fewest_seats(game: str) -> int:
    """Return the smallest number of seats of a game."""
    return min(installed_games()[game].rules().seat_counts)


def create_bot_match(player: Kontor, game: str = GAMES[0], **settings: Any) -> Match:
    """Create a match against house bots; it starts at once."""
    return player.create_match(game, [ME, *[HOUSE] * (fewest_seats(game) - 1)], **settings)


def create_open_match(player: Kontor, game: str = GAMES[0], **settings: Any) -> Match:
    """Create a match that waits for a second player: seat 1 is open."""
    return player.create_match(game, [ME, OPEN, *[HOUSE] * (fewest_seats(game) - 2)], **settings)
