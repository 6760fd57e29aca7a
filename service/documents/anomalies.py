"""Translates the problems that audits find.

An audit reports a problem as an English sentence, which is stored in the database. The English texts
`anomaly.…` are therefore used as patterns: a sentence that matches one is translated with the same values.
"""

import re
from collections.abc import Callable
from functools import cache

from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.toolkit.messages import parse
from kontor_games.service.documents.texts import Texts, texts_in

_PREFIX = "anomaly."
_INNER = "problem"
"""The value that is itself the sentence of a problem."""
_UNTRANSLATED = "detail"
"""The value that stays in English: a message of the rules of a game, or of a library."""

Show = Callable[[str], str]


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """The English patterns with their keys; those with the longest fixed text, the most specific, first."""
    found = []
    for name, text in texts_in(DEFAULT_LANGUAGE).group(_PREFIX).items():
        parts = parse(text)
        source = "".join(
            re.escape(part) if isinstance(part, str) else f"(?P<{part.name}>.+?)" for part in parts
        )
        fixed = sum(len(part) for part in parts if isinstance(part, str))
        found.append((fixed, re.compile(source, re.DOTALL), _PREFIX + name))
    return [(pattern, key) for _, pattern, key in sorted(found, key=lambda one: -one[0])]


def recognise(problem: str) -> tuple[str, dict[str, str]] | None:
    """Return the key of the text that a sentence matches, and its values; None if there is none."""
    for pattern, key in _patterns():
        match = pattern.fullmatch(problem)
        if match is not None:
            return key, match.groupdict()
    return None


def anomaly_text(problem: str, texts: Texts, value: Show = str, english: Show = str) -> str:
    """Return a problem in a language; `value` formats inserted values, `english` what stays English."""
    if texts.language == DEFAULT_LANGUAGE:
        return value(problem)
    found = recognise(problem)
    if found is None:
        return english(problem)
    key, values = found
    shown = {name: _shown(name, text, texts, value, english) for name, text in values.items()}
    return texts(key, **shown)


def _shown(name: str, text: str, texts: Texts, value: Show, english: Show) -> str:
    if name == _INNER:
        return anomaly_text(text, texts, value, english)
    return english(text) if name == _UNTRANSLATED else value(text)
