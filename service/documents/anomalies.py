"""What an audit found wrong, in every language.

An audit tells what is wrong as an English sentence, and the database keeps it so. The texts `anomaly.…` in
English are therefore patterns: a sentence that fits one is told in another language with the same values.
"""

import re
from collections.abc import Callable
from functools import cache

from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.toolkit.messages import parse
from kontor_games.service.documents.texts import Texts, texts_in

_PREFIX = "anomaly."
_INNER = "problem"
"""The value that is itself a sentence about something wrong."""
_UNTRANSLATED = "detail"
"""The value that stays in English: a message of the rules of a game, or of a library."""

Show = Callable[[str], str]


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """The English sentences with their keys; those with the longest fixed text first, which say the most."""
    found = []
    for name, text in texts_in(DEFAULT_LANGUAGE).group(_PREFIX).items():
        parts = parse(text)
        source = "".join(
            re.escape(part) if isinstance(part, str) else f"(?P<{part.name}>.+?)" for part in parts
        )
        fixed = sum(len(part) for part in parts if isinstance(part, str))
        found.append((fixed, re.compile(source, re.DOTALL), _PREFIX + name))
    return [(pattern, key) for _, pattern, key in sorted(found, key=lambda one: -one[0])]


def recognised(problem: str) -> tuple[str, dict[str, str]] | None:
    """Return the key of the text that a sentence was made from, and its values."""
    for pattern, key in _patterns():
        match = pattern.fullmatch(problem)
        if match is not None:
            return key, match.groupdict()
    return None


def anomaly_text(problem: str, say: Texts, value: Show = str, english: Show = str) -> str:
    """Return what is wrong in a language; `value` shows inserted values, `english` what stays English."""
    if say.language == DEFAULT_LANGUAGE:
        return value(problem)
    found = recognised(problem)
    if found is None:
        return english(problem)
    key, values = found
    shown = {name: _shown(name, text, say, value, english) for name, text in values.items()}
    return say(key, **shown)


def _shown(name: str, text: str, say: Texts, value: Show, english: Show) -> str:
    if name == _INNER:
        return anomaly_text(text, say, value, english)
    return english(text) if name == _UNTRANSLATED else value(text)
