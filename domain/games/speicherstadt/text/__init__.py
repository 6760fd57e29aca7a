"""The match in words: sentences about facts, labels of moves, the table in a few lines, all the names."""

from kontor_games.domain.toolkit.messages import Translations

MESSAGES = Translations(__name__)
