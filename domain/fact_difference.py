"""Describes in words how a recorded fact differs from the expected one."""

from collections.abc import Mapping

from kontor_games.domain.codec import Plain, canonical

_LONGEST = 80


def difference(found: Mapping[str, Plain], expected: Mapping[str, Plain]) -> str:
    """The first difference between a fact as it is recorded and as the rules give it."""
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
    """A value in a sentence."""
    text = canonical(value).decode()
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
