"""The result of an audit of many matches: counts, problems, and tests of the random values."""

from collections import Counter, deque
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property

from kontor_games.domain.anomalies import Anomaly
from kontor_games.domain.statistics import Bar, ChiSquare, bars, overall, uniformity
from kontor_games.service.trust import answers

DrawCounts = Counter[tuple[str, int, int]]
"""How often each (stream, bound, value) was drawn."""

MAX_LISTED = 500
"""Matches that a report lists one by one; there can be a million."""


@dataclass(frozen=True, slots=True)
class StreamTest:
    """The values of one random stream of a game, tested for uniformity."""

    game: str
    stream: str
    values: int
    test: ChiSquare
    bars: list[Bar]

    def answer(self) -> answers.StreamTest:
        """The test with rounded figures."""
        return answers.StreamTest(
            self.game,
            self.stream,
            self.values,
            self.test.values,
            round(self.test.statistic, 3),
            self.test.freedom,
            _rounded(self.test.p_value),
            [answers.Bar(bar.label, bar.observed, round(bar.expected, 3)) for bar in self.bars],
        )


@dataclass(frozen=True, slots=True)
class AuditedMatch:
    """One match on the list of audited matches."""

    match: str
    game: str
    facts: int
    sound: bool


@dataclass
class AuditReport:
    """The result of an audit of many matches."""

    facts: int = 0
    games: Counter[str] = field(default_factory=Counter)
    """The number of matches of each game."""
    broken: int = 0
    """The number of matches with a problem, not counting problems of a checkpoint."""
    problems: list[tuple[str | None, Anomaly | str]] = field(default_factory=list)
    """The match (None if it is private), and what is wrong with it."""
    counts: dict[str, DrawCounts] = field(default_factory=dict)
    listed: deque[AuditedMatch] = field(default_factory=lambda: deque(maxlen=MAX_LISTED))
    """The newest matches, shown one by one, the oldest first; never a private one in a public report."""

    returned: int = 0
    """The number of matches whose clocks were given back the time of outages, by the operator's word."""
    returned_ms: int = 0
    """The time that they were given back in all."""
    repeated_deals: int = 0
    """The number of matches whose draws are not counted, since another match with the same deal is."""
    _deals: set[Hashable] = field(default_factory=set)

    def add(
        self,
        match: str,
        game: str,
        facts: int,
        problem: Anomaly | str | None,
        counts: DrawCounts,
        deal: Hashable | None = None,
    ) -> None:
        """Add the result of one match; its draws count unless another match had the same `deal`."""
        self.games[game] += 1
        self.facts += facts
        self.listed.append(AuditedMatch(match, game, facts, sound=not problem))
        if problem:
            self.broken += 1
            self.problems.append((match, problem))
        if deal is not None and deal in self._deals:
            self.repeated_deals += 1
            return
        if deal is not None:
            self._deals.add(deal)
        self.counts.setdefault(game, Counter()).update(counts)

    def add_returned(self, ms: int) -> None:
        """Add the time of outages that the clocks of one match were given back."""
        self.returned += ms > 0
        self.returned_ms += ms

    @property
    def matches(self) -> int:
        """The number of matches audited."""
        return self.games.total()

    @property
    def verified(self) -> int:
        """The number of matches without a problem."""
        return self.matches - self.broken

    @property
    def values(self) -> int:
        """The number of random values drawn."""
        return sum(counts.total() for counts in self.counts.values())

    @cached_property
    def tests(self) -> list[StreamTest]:
        """The test of each stream of each game; computed once, so read it only after the last `add`."""
        return [
            StreamTest(game, stream, sum(own.values()), uniformity(own), bars(own))
            for game, counts in sorted(self.counts.items())
            for stream in sorted({stream for stream, _, _ in counts})
            for own in [{(bound, value): n for (name, bound, value), n in counts.items() if name == stream}]
        ]

    @property
    def p_value(self) -> float | None:
        """The p-value of all tests together: the probability of so small a minimum if everything is fair."""
        return overall([p for one in self.tests if (p := one.test.p_value) is not None])

    def answer(self) -> answers.Fairness:
        """The report with rounded figures, without the list of all matches."""
        return answers.Fairness(
            self.matches,
            self.verified,
            self.facts,
            self.values,
            self.repeated_deals,
            [answers.GameCount(game, matches) for game, matches in sorted(self.games.items())],
            [answers.Anomaly(match, str(problem)) for match, problem in self.problems],
            _rounded(self.p_value),
            [test.answer() for test in self.tests],
        )


def _rounded(p_value: float | None) -> float | None:
    return None if p_value is None else round(p_value, 6)
