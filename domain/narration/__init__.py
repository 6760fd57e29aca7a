"""A match of any game in words: its own facts (seats, clocks, end), its game's facts, and legal moves."""

from kontor_games.domain.toolkit.messages import Translations

MESSAGES = Translations(__name__)
