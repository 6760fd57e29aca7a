"""Random matches of any game, which use only the interface that all games implement.

`python -m tests.support.matches` prints the digest of a match at every table after 300 steps.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from typing import Any

from kontor_games.domain.chance import Chance, Draws, Seeded, seed_from
from kontor_games.domain.codec import MalformedError, Plain
from kontor_games.domain.game import Fact, Game, Move, Refusal, Rules
from kontor_games.domain.games import installed_games
from tests.domain.toy.games import toy_games
from tests.support.walks import sample_size

EVERY = sample_size(197, 47)
"""One step in this many of a played match is kept with its states, for slow checks."""


@cache
def all_games() -> dict[str, Game]:
    """The installed games, and the toy ones."""
    return {**installed_games(), **toy_games()}


@cache
def rules_of(game: str, version: int, data: str) -> Rules[Any]:
    """One ruleset, made once for all tests."""
    return all_games()[game].rules(data, version)


def all_rulesets() -> list[Rules[Any]]:
    """Every ruleset of every game with every data set."""
    return [
        rules_of(g.id, r.version, d.name)
        for g in all_games().values()
        for r in g.rulesets
        for d in g.data_sets
    ]


@dataclass(frozen=True)
class Table:
    """A ruleset, a data set and a number of seats."""

    game: str
    version: int
    data: str
    seats: int

    def __str__(self) -> str:
        return f"{self.game}-{self.version}-{self.data}-{self.seats}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        return ("Ada", "Bela", "Caro", "Dario", "Emil", "Fee", "Gero", "Hedi")[: self.seats]

    @property
    def rules(self) -> Rules[Any]:
        """The rules of the ruleset and data set."""
        return rules_of(self.game, self.version, self.data)

    def initial_state(self) -> Any:
        """The state before the deal, with default options."""
        return self.rules.table(self.seats, self.rules.options())

    def match(self, seed: str = "") -> "Match":
        """A match at this table, after the deal."""
        return Match(self.rules, self.initial_state(), seed_from(f"{self}/{seed}"))


def every_table() -> list[Table]:
    """All combinations of data set and number of seats for the newest ruleset of each game.

    Older rulesets have each data set and each number of seats at least once, but not all combinations.
    """
    return [
        Table(game.id, version.version, data.name, seats)
        for game in all_games().values()
        for version in game.rulesets
        for place, data in enumerate(game.data_sets)
        for number, seats in enumerate(rules_of(game.id, version.version, data.name).seat_counts)
        if version is game.rulesets[-1] or (place - number) % len(game.data_sets) == 0
    ]


@dataclass(frozen=True)
class Step:
    """A move that was made. `before` is a copy; `after` is the match's own state, which changes later."""

    number: int
    before: Any
    seat: int
    move: Move
    facts: list[Fact]
    after: Any


@dataclass
class Match:
    """A match that is played at random."""

    rules: Rules[Any]
    state: Any
    seed: bytes
    dealt: list[Fact] = field(init=False)
    chance: Chance = field(init=False)

    def __post_init__(self) -> None:
        self.chance = Seeded(self.seed)
        self.dealt = self.rules.deal(self.state, self.chance)

    def steps(self) -> Iterator[Step]:
        """Play to the end; yield each move."""
        number = 0
        while self.rules.to_act(self.state):
            before = self.state.copy()
            seat, move = self._choose(self.chance.draws("walk", number))
            facts = self.rules.play(self.state, seat, move, self.chance)
            number += 1
            yield Step(number, before, seat, move, facts, self.state)

    def _choose(self, draws: Draws) -> tuple[int, Move]:
        """A random move of a seat that has to act, or of one that may act; sometimes an open move."""
        waited_for = self.rules.to_act(self.state)
        seats = waited_for if draws.below(2) else self.rules.may_act(self.state)
        seat = seats[draws.below(len(seats))]
        if draws.below(4) == 0 and (opened := self._open_move(seat, draws)) is not None:
            return seat, opened
        legal = self.rules.legal_moves(self.state, seat)
        if not legal:
            seat = waited_for[draws.below(len(waited_for))]
            legal = self.rules.legal_moves(self.state, seat)
        return seat, legal[draws.below(len(legal))]

    def _open_move(self, seat: int, draws: Draws) -> Move | None:
        """A legal open move, found by a few guesses from its schema; None if no guess is legal."""
        for kind in self.rules.open_moves(self.state, seat):
            schema = self.rules.move_codec.schema(kind.type)
            for _ in range(8):
                guess = random_move(self.rules, schema, draws)
                if guess is not None and passes(self.rules, self.state, seat, guess):
                    return guess
        return None


@dataclass(frozen=True)
class PlayedMatch:
    """A match that was played to the end; shared by tests, which must not change it."""

    match: Match
    batches: list[list[Fact]]
    """The facts of the deal, then those of each step."""
    sampled_steps: list[Step]
    """Some of the steps with their states, for slow checks: the first ones, then one in `EVERY`."""
    candidates: list[Move]
    """Each move that was made, and each that was legal for any seat at one of the `sampled_steps`."""


@cache
def played_match(table: Table) -> PlayedMatch:
    """A match played at this table, cached for all tests of this process, since long matches take time."""
    match = table.match("walk")
    batches, sampled_steps, candidates = [match.dealt], list[Step](), dict[Move, None]()
    for step in match.steps():
        batches.append(step.facts)
        candidates[step.move] = None
        if step.number <= 12 or step.number % EVERY == 0:
            sampled_steps.append(replace(step, after=step.after.copy()))
            candidates |= dict.fromkeys(
                move for seat in range(table.seats) for move in table.rules.legal_moves(step.before, seat)
            )
    return PlayedMatch(match, batches, sampled_steps, list(candidates))


def states_after_facts(state: Any, facts: list[Fact]) -> Iterator[tuple[Fact, Any]]:
    """Yield each fact with the state right after it; `state` is the one before the first."""
    working = state.copy()
    for fact in facts:
        fact.fold(working)
        yield fact, working


def random_move(rules: Rules[Any], schema: Plain, draws: Draws, *, thin: bool = False) -> Move | None:
    """A random move that fits its schema; with `thin`, most numbers are 0, so that more guesses are legal."""
    data = sampled(schema, draws)
    try:
        move: Move = rules.move_codec.parse(_thinned(data, draws) if thin else data)
    except MalformedError:
        return None
    return move


def _thinned(data: Plain, draws: Draws) -> Plain:
    if isinstance(data, dict):
        return {name: _thinned(value, draws) for name, value in data.items()}
    return 0 if type(data) is int and draws.below(4) else data


def passes(rules: Rules[Any], state: Any, seat: int, move: Move) -> bool:
    """Whether the rules let the seat make this move now."""
    return rules.refusal(state, seat, move) is None


def assert_cites_rule_and_reason(refusal: Refusal) -> None:
    """Assert that a refusal cites a rule and gives its reason in sentences."""
    assert re.fullmatch(r"[A-Z]+-\d+", refusal.rule), refusal
    assert re.fullmatch(r"[A-Z0-9].*[^.]\.", refusal.detail), refusal


def sampled(schema: Plain, draws: Draws) -> Plain:
    """Random plain data that fits the schema of a record; mostly small numbers and short lists."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][draws.below(len(schema["enum"]))]
    if "anyOf" in schema:
        return sampled(schema["anyOf"][draws.below(len(schema["anyOf"]))], draws)
    match schema.get("type"):
        case "integer":
            low = max(schema["minimum"], 0) if schema["maximum"] >= 0 else schema["minimum"]
            return low + draws.below(min(schema["maximum"] - low, 24 if draws.below(2) else 4) + 1)
        case "boolean":
            return bool(draws.below(2))
        case "object":
            return {
                name: sampled(part, draws) for name, part in schema["properties"].items() if name != "hidden"
            }
        case "array":
            parts = schema.get("prefixItems") or [schema["items"]] * _count(schema, draws)
            return [sampled(part, draws) for part in parts]
        case "string":
            return "x" * max(schema["minLength"], 1)
    return None


def _count(schema: Plain, draws: Draws) -> int:
    low: int = schema["minItems"]
    return low + draws.below(min(schema["maxItems"] - low, 3) + 1)


if __name__ == "__main__":
    for table in every_table():
        *_, last = islice(table.match().steps(), 300)
        print(table, last.after.digest())  # noqa: T201
