"""The match in words: each fact as a sentence, each move as a label, the table as a few lines, the names of everything."""

from kontor_games.domain.toolkit.messages import Translations

MESSAGES = Translations(__name__, "words.json")
