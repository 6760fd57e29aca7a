"""Tunes the weights of a searching bot by SPSA: all at once, by the scores of two opposite changes.

Each step changes every weight up or down at random, plays the two changes against each other on duplicate
deals, and moves all weights towards the better one, in proportion to its lead. The last word has a sequential
test of the result against the weights at the start.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.game import Bot, Rules
from kontor_games.domain.games import installed_games
from kontor_games.domain.statistics import RunningMean, SequentialTest, beaten_share
from kontor_games.domain.toolkit.searching import Level, Weights
from kontor_games.service.arena.match import BotMatch
from kontor_games.service.errors import OperatorError

_CHANGE = 0.12
"""The change of a weight in the first step, as a share of its value at the start."""
_RATE = 0.5
"""How far the weights move, in such changes, for a lead of one (see `_lead`)."""
_DECAY = 0.25
"""After this share of the steps, changes and rate have fallen to about 90 and 60 percent."""
_LEAD_POINTS = 20.0


class TuningError(OperatorError):
    """The journal belongs to another run, or the bot has no weights."""


class Block(msgspec.Struct, frozen=True):
    """The matches of one deal: weights A on each seat in turn, against weights B on all others."""

    game: str
    data: str
    level: str
    seats: int
    a: dict[str, float]
    b: dict[str, float]
    seed: str


class Score(msgspec.Struct, frozen=True):
    """How A did in a block: its lead, from -1 to 1, and the share of opponents that it beat."""

    lead: float
    beaten: float


def play_block(block: Block) -> Score:
    """Play the matches of a block."""
    rules = _rules(block.game, block.data)
    a, b = (_bot(block, rules, weights) for weights in (block.a, block.b))
    leads, shares = [], []
    for seat in range(block.seats):
        bots = [a if other == seat else b for other in range(block.seats)]
        match = BotMatch(rules, bots, rules.options(), Seeded(seed_from(block.seed)))
        for _ in match:
            pass
        result = rules.result(match.state)
        if result is None:
            raise LookupError(f"the match of seed {block.seed} has ended without a result")
        leads.append(_lead([scores["total"] for scores in result.scores], seat))
        shares.append(beaten_share(result.places, seat))
    return Score(sum(leads) / block.seats, sum(shares) / block.seats)


@cache
def _rules(game: str, data: str) -> Rules[Any]:
    return installed_games()[game].rules(data)


def _bot(block: Block, rules: Rules[Any], weights: Weights) -> Bot:
    return replace(level_of(block.game, block.level), weights=weights)(rules)


def level_of(game: str, name: str) -> Level:
    """Return a level of a searching bot; raise TuningError if the bot has no weights."""
    level = installed_games()[game].all_bots.get(name)
    if not isinstance(level, Level):
        raise TuningError(f"{game} has no bot {name!r} with weights.")
    return level


def _lead(totals: list[int], seat: int) -> float:
    """The points by which a seat is ahead of the mean of the others; a large lead counts little more."""
    others = [total for other, total in enumerate(totals) if other != seat]
    points = totals[seat] - sum(others) / len(others)
    return max(-1.0, min(1.0, points / _LEAD_POINTS))


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What determines a run, except the code; the first line of its journal."""

    game: str
    data: str
    level: str
    seats: tuple[int, ...]
    """The numbers of players, taken in turn."""
    steps: int
    deals: int
    """Deals in each step."""
    seed: str
    start: dict[str, float]

    def block(self, a: Mapping[str, float], b: Mapping[str, float], seats: int, seed: str) -> Block:
        """Return one block of these weights."""
        return Block(self.game, self.data, self.level, seats, dict(a), dict(b), f"{self.seed}/{seed}")


class Step(msgspec.Struct, frozen=True):
    """One step: the lead of the change upwards, and the weights afterwards. A line of the journal."""

    number: int
    lead: float
    weights: dict[str, float]


@dataclass
class Tuning:
    """A run, with as many processes as `jobs` says; the results do not depend on it."""

    plan: Plan
    jobs: int = 1
    _pool: ProcessPoolExecutor = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._pool = ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn"))

    def close(self) -> None:
        """End the processes."""
        self._pool.shutdown(cancel_futures=True)

    def steps(self, weights: Mapping[str, float], first: int) -> Iterator[Step]:
        """Make the steps from `first` on."""
        for number in range(first, self.plan.steps):
            step = self._step(number, weights)
            weights = step.weights
            yield step

    def _step(self, number: int, weights: Mapping[str, float]) -> Step:
        plan = self.plan
        draws = Seeded(seed_from(plan.seed)).draws("tune", number)
        progress = number / (plan.steps * _DECAY)
        size, rate = _CHANGE / (1 + progress) ** 0.1, _RATE / (1 + progress) ** 0.6
        change = {
            name: (2 * draws.below(2) - 1) * size * max(abs(plan.start[name]), 0.1) for name in plan.start
        }
        up = {name: weight + change[name] for name, weight in weights.items()}
        down = {name: weight - change[name] for name, weight in weights.items()}
        seats = plan.seats[number % len(plan.seats)]
        blocks = [plan.block(up, down, seats, f"{number}/{deal}") for deal in range(plan.deals)]
        lead = sum(score.lead for score in self._pool.map(play_block, blocks)) / plan.deals
        after = {name: round(weight + rate * lead * change[name], 6) for name, weight in weights.items()}
        return Step(number, lead, after)

    def gate(
        self, weights: Mapping[str, float], seats: int, most: int, test: SequentialTest
    ) -> Iterator[tuple[RunningMean, bool | None]]:
        """Play weights against those of the start, on deals of their own, until the test decides."""
        score = RunningMean()
        blocks = (
            self.plan.block(weights, self.plan.start, seats, f"gate/{seats}/{number}")
            for number in range(most)
        )
        while batch := list(islice(blocks, 4 * self.jobs)):
            for result in self._pool.map(play_block, batch):
                score.add(result.beaten)
            verdict = test.verdict(score.count, score.mean, score.variance)
            yield score, verdict
            if verdict is not None:
                return


def settled(steps: list[Step]) -> dict[str, float]:
    """Return the mean weights of the last quarter of the steps, which varies less than the last ones."""
    last = steps[-max(1, len(steps) // 4) :]
    return {name: round(sum(step.weights[name] for step in last) / len(last), 4) for name in last[0].weights}


class TuningJournal:
    """The plan and the steps of a run in a file, one line of JSON each, from which it resumes."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """Read the file if there is one; raise TuningError if it belongs to another run."""
        self._path = path
        self.steps: list[Step] = []
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        if lines and lines[0] != self._line(plan):
            raise TuningError(f"{path} is the journal of another run.")
        if lines and not lines[-1].endswith(b"\n"):
            path.write_bytes(b"".join(lines := lines[:-1]))
        if not lines:
            path.write_bytes(self._line(plan))
        self.steps = [msgspec.json.decode(line, type=Step) for line in lines[1:]]

    def add(self, step: Step) -> None:
        """Append a step."""
        self.steps.append(step)
        with self._path.open("ab") as file:
            file.write(self._line(step))

    @staticmethod
    def _line(record: msgspec.Struct) -> bytes:
        return msgspec.json.encode(record) + b"\n"
