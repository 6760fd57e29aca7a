"""Says how a recorded fact differs from the expected one."""

from collections.abc import Mapping

from kontor_games.domain.anomalies import Anomaly, anomaly
from kontor_games.domain.codec import Plain, canonical

_MAX_TEXT_LENGTH = 80


def difference(found: Mapping[str, Plain], expected: Mapping[str, Plain]) -> Anomaly:
    """Return the first difference between a recorded fact and the one that the rules give."""
    kind, right = str(found.get("type")), str(expected.get("type"))
    if kind != right:
        return anomaly("other_fact", right=right, found=kind)
    for name in sorted({*found, *expected}):
        if name not in expected:
            return anomaly("extra_field", fact=kind, field=name)
        if name not in found:
            return anomaly("missing_field", fact=kind, field=name)
        if canonical(found[name]) != canonical(expected[name]):
            values = {"found": shortened(found[name]), "right": shortened(expected[name])}
            return anomaly("other_value", fact=kind, field=name, **values)
    return anomaly("same_fact", fact=kind)


def shortened(value: Plain) -> str:
    """Return a value as canonical JSON, cut off if it is too long for a sentence."""
    text = canonical(value).decode()
    return text if len(text) <= _MAX_TEXT_LENGTH else text[: _MAX_TEXT_LENGTH - 1] + "…"
