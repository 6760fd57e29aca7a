"""Golden matches on the small board, as readable text.

`python -m tests.domain.games.europe.golden` regenerates them; use it only if the rules were meant to change.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kontor_games.domain.codec import Codec, Record
from kontor_games.domain.games.europe.options import EuropeOptions, EuropeOptions2
from kontor_games.domain.games.europe.rules import EuropeRules
from tests.domain.games.europe.random_matches import random_match
from tests.domain.games.europe.small import EXPERT, RULES, RULES_2, RULES_3

FOLDER = Path(__file__).parent / "golden"
MATCHES: dict[str, tuple[EuropeRules, int, int, EuropeOptions]] = {
    "four-at-the-fixed-set-up": (RULES, 4, 14, EuropeOptions(turn_limit=60)),
    "three-at-the-free-set-up": (
        RULES,
        3,
        15,
        EuropeOptions(turn_limit=60, set_up="free", colours=("white", "red", "blue")),
    ),
    "four-on-the-expert-board": (EXPERT, 4, 16, EuropeOptions(turn_limit=60)),
    "version-2-three-at-the-free-set-up": (
        RULES_2,
        3,
        17,
        EuropeOptions2(turn_limit=60, set_up="free", start_cities="violet"),
    ),
    "version-3-four-at-the-fixed-set-up": (RULES_3, 4, 18, EuropeOptions2(turn_limit=60)),
}


def written(name: str) -> str:
    """A match: each move on its own line, its effects below, the digest of the state after every tenth."""
    rules, seats, seed, options = MATCHES[name]
    return "\n".join([f"# {name}: {seats} seats, seed {seed}", *lines(rules, seats, seed, options)]) + "\n"


def lines(rules: EuropeRules, seats: int, seed: int, options: EuropeOptions) -> Iterator[str]:
    for step in random_match(rules, seats, seed, options):
        yield "" if step.move is None else f"seat {step.seat}: {phrase(rules.move_codec, step.move)}"
        yield from (f"    {phrase(rules.fact_codec, fact)}" for fact in step.facts)
        if step.number % 10 == 0:
            yield f"  = {step.state.digest()[:16]}"
    result = rules.result(step.state)
    assert result is not None
    yield f"places {list(result.places)}, scores {json.dumps(result.scores)}"
    yield f"  = {step.state.digest()}"


def phrase(codec: Codec, value: Record) -> str:
    """Return a record as a short text, without empty, missing or zero values."""
    data = codec.encode(value)
    return " ".join(
        [data.pop("type"), *(f"{name}={short(part)}" for name, part in data.items() if is_shown(part))]
    )


def is_shown(part: Any) -> bool:
    """Whether a value is neither empty nor missing."""
    if isinstance(part, dict):
        return any(part.values())
    return part is not None and part is not False and part != []


def short(part: Any) -> str:
    if isinstance(part, dict):
        return (
            "{"
            + ", ".join(f"{name}: {short(inner)}" for name, inner in part.items() if name == "seat" or inner)
            + "}"
        )
    if isinstance(part, list):
        return "[" + " ".join(map(short, part)) + "]"
    return str(part)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in MATCHES:
        (FOLDER / f"{name}.txt").write_text(written(name), encoding="utf-8")
