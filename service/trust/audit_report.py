"""What an audit of many matches found: in figures, and for each stream of chance how likely what it gave would be if all is fair."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from kontor_games.domain.codec import Plain
from kontor_games.service.trust.statistics import Bar, ChiSquare, bars, overall, uniformity

DrawCounts = Counter[tuple[str, int, int]]
"""How often each (stream, bound, value) came out."""


@dataclass(frozen=True, slots=True)
class StreamTest:
    """What one stream of a game gave, and whether it looks like chance."""

    game: str
    stream: str
    values: int
    test: ChiSquare
    bars: list[Bar]

    def plain(self) -> Plain:
        """As it is published."""
        p_value = self.test.p_value
        return {
            "game": self.game,
            "stream": self.stream,
            "values": self.values,
            "tested": self.test.values,
            "chi_square": round(self.test.statistic, 3),
            "degrees_of_freedom": self.test.freedom,
            "p_value": None if p_value is None else round(p_value, 6),
            "bars": [{"label": bar.label, "observed": bar.observed, "expected": round(bar.expected, 3)} for bar in self.bars],
        }


@dataclass
class AuditReport:
    """What the audit of many matches found."""

    facts: int = 0
    games: Counter[str] = field(default_factory=Counter)
    """How many matches of each game."""
    broken: int = 0
    """The number of matches with a problem; a problem of a checkpoint is none of them."""
    problems: list[tuple[str | None, str]] = field(default_factory=list)
    """Which match, unless it is private, and what is wrong with it."""
    counts: dict[str, DrawCounts] = field(default_factory=dict)

    def add(self, match: str, game: str, facts: int, problem: str | None, counts: DrawCounts) -> None:
        """Takes one match in."""
        self.games[game] += 1
        self.facts += facts
        if problem:
            self.broken += 1
            self.problems.append((match, problem))
        self.counts.setdefault(game, Counter()).update(counts)

    @property
    def matches(self) -> int:
        """How many were looked at."""
        return self.games.total()

    @property
    def verified(self) -> int:
        """In how many of them everything is as it must be."""
        return self.matches - self.broken

    @property
    def values(self) -> int:
        """How many random values their players have met."""
        return sum(counts.total() for counts in self.counts.values())

    @cached_property
    def tests(self) -> list[StreamTest]:
        """For each game and stream whether its values look uniform; made once, when everything is counted."""
        return [
            StreamTest(game, stream, sum(own.values()), uniformity(own), bars(own))
            for game, counts in sorted(self.counts.items())
            for stream in sorted({stream for stream, _, _ in counts})
            for own in [{(bound, value): n for (of, bound, value), n in counts.items() if of == stream}]
        ]

    @property
    def p_value(self) -> float | None:
        """One answer for all tests: how likely a smallest p-value as small as this would be if all is fair."""
        return overall([p for one in self.tests if (p := one.test.p_value) is not None])

    def plain(self) -> Plain:
        """As it is published."""
        p_value = self.p_value
        return {
            "matches": self.matches,
            "verified": self.verified,
            "facts": self.facts,
            "random_values": self.values,
            "games": [{"game": game, "matches": matches} for game, matches in sorted(self.games.items())],
            "anomalies": [{"match": match, "problem": problem} for match, problem in self.problems],
            "p_value": None if p_value is None else round(p_value, 6),
            "chance": [test.plain() for test in self.tests],
        }
