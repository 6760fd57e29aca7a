"""The grammar of each language: numbers, plurals, lists, and elision before the next word."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Grammar:
    """The grammar of one language, as far as messages need it."""

    conjunction: str
    numbers: str
    """The words for zero to twelve; zero and one are for counting without a noun."""
    possessive: Callable[[str], str] = str
    """The genitive of a name; languages without one write `of {who}` instead."""
    singular: frozenset[int] = frozenset({1})
    """The numbers after which a noun is in the singular."""
    joints: tuple[tuple[re.Pattern[str], re.Pattern[str], str], ...] = ()
    """Elision rules: end of a text, beginning of the next value, replacement: `de` + `Anna` → `d’Anna`."""

    def category(self, number: int) -> str:
        """Return the plural category of a number."""
        return "one" if number in self.singular else "other"

    def spelled(self, number: int) -> str:
        """Return a number in words, as far as there are words for it."""
        words = self.numbers.split()
        return words[number] if number < len(words) else str(number)

    def joined(self, text: str, value: str) -> str:
        """Return a text and the value after it."""
        for end, start, instead in self.joints:
            if start.match(value) and end.search(text):
                return end.sub(instead, text) + value
        return text + value

    def listed(self, words: Sequence[str]) -> str:
        """Return `a`, `a and b`, or `a, b and c`."""
        if len(words) < 2:
            return "".join(words)
        return self.joined(f"{', '.join(words[:-1])} {self.conjunction} ", words[-1])


def _joint(end: str, start: str, instead: str) -> tuple[re.Pattern[str], re.Pattern[str], str]:
    return re.compile(end), re.compile(start, re.IGNORECASE), instead


def _english_possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _german_possessive(name: str) -> str:
    return f"{name}’" if name.endswith(("s", "ß", "x", "z", "ce")) else f"{name}s"


_FRENCH_VOWEL = "[aeiouâàäéèêëîïôöûùüœ]"

DEFAULT_LANGUAGE = "en"
LANGUAGES = {
    "en": Grammar(
        "and",
        "no one two three four five six seven eight nine ten eleven twelve",
        _english_possessive,
    ),
    "de": Grammar(
        "und",
        "keine eine zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        _german_possessive,
    ),
    "fr": Grammar(
        "et",
        "aucune une deux trois quatre cinq six sept huit neuf dix onze douze",
        singular=frozenset({0, 1}),
        joints=(_joint(r"\bde $", _FRENCH_VOWEL, "d’"), _joint(r"\bque $", _FRENCH_VOWEL, "qu’")),
    ),
    "it": Grammar(
        "e",
        "nessuna una due tre quattro cinque sei sette otto nove dieci undici dodici",
        joints=(_joint(r"\be $", "e", "ed "), _joint(r"\ba $", "a", "ad ")),
    ),
    "es": Grammar(
        "y",
        "ninguna una dos tres cuatro cinco seis siete ocho nueve diez once doce",
        joints=(_joint(r"\by $", "h?[ií](?!e)", "e "),),
    ),
}
