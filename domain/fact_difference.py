"""Describes in words how a recorded fact differs from the expected one."""

from collections.abc import Mapping

from kontor_games.domain.codec import Plain, canonical

_MAX_TEXT_LENGTH = 80


def difference(found: Mapping[str, Plain], expected: Mapping[str, Plain]) -> str:
    """Return the first difference between a recorded fact and the one that the rules give."""
    kind, right = found.get("type"), expected.get("type")
    if kind != right:
        return f"the rules give {right} here, not {kind}"
    for name in sorted({*found, *expected}):
        if name not in expected:
            return f"{kind} has no {name}"
        if name not in found:
            return f"{kind} lacks its {name}"
        if canonical(found[name]) != canonical(expected[name]):
            return f"{kind} says {name} {shortened(found[name])}, the rules give {shortened(expected[name])}"
    return f"{kind} is as the rules give it"


def shortened(value: Plain) -> str:
    """Return a value as canonical JSON, cut off if it is too long for a sentence."""
    text = canonical(value).decode()
    return text if len(text) <= _MAX_TEXT_LENGTH else text[: _MAX_TEXT_LENGTH - 1] + "…"
