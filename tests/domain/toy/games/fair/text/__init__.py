"""Words, sentences, labels and scenes."""

from kontor_games.domain.toolkit.messages import Translations

MESSAGES = Translations(__name__)
