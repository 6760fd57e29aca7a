"""Parts of English sentences."""

from collections.abc import Iterable


def join_words(things: Iterable[object], last: str = "and") -> str:
    """Return `a`, `a and b`, or `a, b and c`."""
    words = [str(thing) for thing in things]
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def count_phrase(number: int | str, noun: str, plural: str | None = None) -> str:
    """Return `1 coin` or `2 coins`; the number may be a word, and a noun have an irregular `plural`."""
    return f"{number} {noun if number in (1, '1', 'one') else plural or noun + 's'}"
