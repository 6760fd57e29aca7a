"""The sentences about facts that all games share."""

from collections.abc import Sequence
from typing import Any

from kontor_games.domain.match_facts import MatchFact
from kontor_games.domain.toolkit.messages import Phrase, Value


def sentence(fact: MatchFact, who: str, names: Sequence[str]) -> Phrase:
    """Return the sentence about a fact; `who` is the player concerned, if any."""
    known: Any = fact
    values: dict[str, dict[str, Value]] = {
        "seat_taken": {"house": () if (house := getattr(known, "house", None)) is None else (house,)},
        "seat_timed_out": {"consequence": getattr(known, "consequence", "")},
        "match_finished": {"winners": tuple(_winners(getattr(known, "places", ()), names))},
    }
    return Phrase(f"facts.{fact.type}", {"who": who, **values.get(fact.type, {})})


def _winners(places: Sequence[int], names: Sequence[str]) -> list[str]:
    return [name for name, place in zip(names, places, strict=False) if place == 1]
