"""One accepted command of a match with the facts it caused, and how its facts are read and written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from kontor_games.domain.codec import Codec, Plain
from kontor_games.domain.game import Fact, Rules
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import MATCH_FACTS, MatchCreated

HOUSE = "house"
"""The player id of the service itself: house bots, and moves made for absent players."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted command and the facts it caused: what is stored, whole or not at all."""

    first: int
    """The version of its first fact; versions count facts from 1."""
    at: int
    """Milliseconds since 1970, never before the entry before."""
    by: str
    """The player whose command it was."""
    seat: int | None
    """The seat that acted, whose clock stops."""
    command: Plain
    """What was wanted: `{"type": "play", "moves": […]}`."""
    key: str
    """The command's own id: a retry with the same key is the same command."""
    body: str
    """Digest of the request, so that another request under the same key is noticed."""
    facts: tuple[Fact, ...]

    @property
    def last(self) -> int:
        """The version of its last fact."""
        return self.first + len(self.facts) - 1


@cache
def find_rules(game: str, version: int | None, data: str | None) -> Rules[Any]:
    """The rules of an installed game, built once for all its matches."""
    return installed_games()[game].rules(data, version)


@cache
def fact_codec(rules: Rules[Any]) -> Codec:
    """Plain-data form of everything that can happen in a match under these rules."""
    return Codec((*MATCH_FACTS, *rules.facts))


MATCH_CODEC = Codec(MATCH_FACTS)


def read_facts(data: Sequence[Mapping[str, Plain]], rules: Rules[Any] | None) -> tuple[Fact, ...]:
    """Stored facts as objects; without rules they are those of a first entry, which says itself by which rules the rest is read."""
    if rules is None:
        created: MatchCreated = MATCH_CODEC.decode(data[0])
        rules = find_rules(created.game, created.rules_version, created.data)
    codec = fact_codec(rules)
    return tuple([codec.decode(fact) for fact in data])
