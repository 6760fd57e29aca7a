"""Says in words how plain data differ from what they should be."""

from collections.abc import Mapping

from kontor_games.domain.codec import Plain, canonical

_LONGEST = 80


def difference(found: Mapping[str, Plain], due: Mapping[str, Plain]) -> str:
    """The first difference between a fact as it is recorded and as the rules give it."""
    kind, right = found.get("type"), due.get("type")
    if kind != right:
        return f"the rules give {right} here, not {kind}"
    for name in sorted({*found, *due}):
        if name not in due:
            return f"{kind} has no {name}"
        if name not in found:
            return f"{kind} lacks its {name}"
        if canonical(found[name]) != canonical(due[name]):
            return f"{kind} says {name} {shortened(found[name])}, the rules give {shortened(due[name])}"
    return f"{kind} is as the rules give it"


def shortened(value: Plain) -> str:
    """A value in a sentence."""
    text = canonical(value).decode()
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
