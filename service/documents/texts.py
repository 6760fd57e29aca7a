"""The texts of documents, and the formats of numbers, in every language."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from kontor_games.domain.anomalies import Anomaly
from kontor_games.domain.games import installed_games
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE, LANGUAGES
from kontor_games.domain.toolkit.messages import Translations, phrase

LANGUAGE_NAMES = {"en": "English", "de": "Deutsch", "fr": "Français", "it": "Italiano", "es": "Español"}
_MESSAGES = Translations("kontor_games.service.documents")
_MARKS = {"en": (",", "."), "de": (".", ","), "fr": ("\u202f", ","), "it": (".", ","), "es": (".", ",")}
"""The separators of thousands and of decimals."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of documents in one language."""

    language: str

    def __call__(self, key: str, **values: str | int) -> str:
        """Return a text, with its values filled in; a number chooses the plural."""
        return _MESSAGES[self.language].show(phrase(key, **values))

    def anomaly(self, found: Anomaly | str, english: Callable[[str], str] = str) -> str:
        """Return what an audit found; `english` marks what is not translated, such as an older result."""
        if isinstance(found, Anomaly):
            return found.told(self.language, english)
        return found if self.language == DEFAULT_LANGUAGE else english(found)

    def title(self, game: str) -> str:
        """Return the title of a game, or its id if it is not installed."""
        known = installed_games().get(game)
        if known is None:
            return game or self("fairness.unknown_game")
        return known.titles.get(self.language, known.titles[DEFAULT_LANGUAGE])

    def number(self, value: float, form: str = ",") -> str:
        """Return a number in a format of Python, with the separators of the language."""
        thousands, decimals = _MARKS[self.language]
        return "".join({",": thousands, ".": decimals}.get(sign, sign) for sign in format(value, form))

    def short(self, value: float) -> str:
        """Return a number with at most two decimals."""
        return self.number(round(value, 2), ",.15g")

    def interval(self, low: float, high: float) -> str:
        """Return an interval with two decimals."""
        return f"{self.number(low, '.2f')} – {self.number(high, '.2f')}"

    def group(self, prefix: str) -> dict[str, str]:
        """Return all texts whose keys begin with a prefix, by the rest of their keys."""
        return _MESSAGES[self.language].group(prefix)


@cache
def texts_in(language: str | None) -> Texts:
    """Return the texts in a language; in English if it is None or not available."""
    return Texts(language if language in LANGUAGES else DEFAULT_LANGUAGE)
