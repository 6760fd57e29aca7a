"""A match of any game in words: its own facts (seats, clocks, end), those of its game, and the moves that a seat can make."""

from kontor_games.domain.toolkit.messages import Translations

MESSAGES = Translations(__name__)
