"""A contest: many matches between the same bots, with rotating seats."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.game import Bot, DataSet, Game, Options, Rules
from kontor_games.domain.games import installed_games
from kontor_games.service.arena.match import BotFaultError, BotMatch
from kontor_games.service.arena.own_bots import OwnBot, is_own, label_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one match of a contest; all tuples are indexed by seat."""

    number: int
    bots: tuple[str, ...]
    starter: int
    places: tuple[int, ...]
    scores: tuple[Mapping[str, int], ...]
    facts: int
    decisions: int
    rounds: int | None
    """The `round` of the game's view at the end; None if the game has no rounds."""
    faults: tuple[int, ...] = ()
    """Crashes, illegal and late moves of own bots, by seat; empty if all bots are house bots."""
    first_fault: str | None = None
    fault_kinds: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """For each own bot, the number of its faults of each kind: crashed, late, illegal."""


class Faults(NamedTuple):
    """The faults of own bots in one match."""

    by_seat: tuple[int, ...]
    first: str | None
    kinds: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Contest:
    """Which bots play which game, and the seed of all random numbers. It is pickled to other processes."""

    game: str
    bots: tuple[str, ...]
    """The bot of each seat in match 0; in each further match every bot moves to the next seat. The name of an
    own bot contains its source (`own_bots.py`)."""
    seed: str
    options: Options
    data: DataSet
    games: Callable[[], Mapping[str, Game]] = field(default=installed_games)
    """Returns the known games; a function of a module, so that it can be pickled."""
    duplicate: bool = False
    """Whether each deal is played once from every seat, as a block with one match per seat."""

    @cached_property
    def rules(self) -> Rules[Any]:
        """The rules of all matches."""
        return self.games()[self.game].rules(self.data)

    @cached_property
    def _players(self) -> Mapping[str, Bot | OwnBot]:
        known = self.games()[self.game].all_bots
        return {
            name: OwnBot(self.rules, name) if is_own(name) else known[name](self.rules) for name in self.bots
        }

    def __getstate__(self) -> Mapping[str, Any]:
        """Leave out rules and bots, which each process creates for itself."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    def seats(self, number: int) -> tuple[str, ...]:
        """Return the bot of each seat in the match with this number."""
        turned = number % len(self.bots)
        return self.bots[-turned:] + self.bots[:-turned] if turned else self.bots

    def seed_text(self, number: int) -> str:
        """Return the seed of a match; as an open seed of the API it gives the same deal."""
        return f"{self.seed}/{number // len(self.bots) if self.duplicate else number}"

    def match(self, number: int) -> BotMatch:
        """Return the match with this number, not yet played."""
        return self._match(self.seats(number), self.seed_text(number))

    def single_match(self) -> BotMatch:
        """Return the match whose seed is the seed of the contest itself, as the API takes it."""
        return self._match(self.bots, self.seed)

    def _match(self, seats: tuple[str, ...], seed: str) -> BotMatch:
        return BotMatch(
            self.rules, [self._players[name] for name in seats], self.options, Seeded(seed_from(seed))
        )

    def outcome(self, number: int) -> Outcome:
        """Play the match with this number to its end."""
        match = self.match(number)
        try:
            for _ in match:
                pass
        except BotFaultError as fault:
            match_name = f"match {number} of seed {self.seed}"
            raise BotFaultError(f"A bot of {self.game} failed: {match_name}: {fault}") from fault
        return self.ended(number, match)

    def ended(self, number: int, match: BotMatch) -> Outcome:
        """Return the outcome of a match that has been played."""
        seats = self.seats(number)
        result = self.rules.result(match.state)
        if result is None:
            raise LookupError(f"match {number} of seed {self.seed} has ended without a result")
        faults = self.take_faults(seats)
        return Outcome(
            number=number,
            bots=tuple(label_of(name) for name in seats),
            starter=match.starter,
            places=result.places,
            scores=tuple(dict(scores) for scores in result.scores),
            facts=match.facts,
            decisions=match.decisions,
            rounds=self.rules.view(match.state, SPECTATOR).get("round"),
            faults=faults.by_seat,
            first_fault=faults.first,
            fault_kinds=faults.kinds,
        )

    def take_faults(self, seats: tuple[str, ...]) -> Faults:
        """Return the faults of own bots since the last match."""
        taken = {name: bot.take_faults() for name, bot in self._players.items() if isinstance(bot, OwnBot)}
        if not taken:
            return Faults((), None, {})
        by_seat = [taken.get(name, []) for name in seats]
        counts = tuple(sum(fault.seat == seat for fault in faults) for seat, faults in enumerate(by_seat))
        first = min((fault for faults in taken.values() for fault in faults), default=None)
        first_text = f"{label_of(seats[first.seat])} at seat {first.seat}: {first.detail}" if first else None
        kinds = {
            label_of(name): dict(Counter[str](fault.kind for fault in faults))
            for name, faults in taken.items()
            if faults
        }
        return Faults(counts, first_text, kinds)
