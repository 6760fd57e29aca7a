"""Many matches between the same bots, seats rotated, in one process or several: the outcomes are the same."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from multiprocessing.connection import Connection
from typing import Any

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.game import Bot, DataSet, Game, Options, Rules
from kontor_games.domain.games import installed_games
from kontor_games.service.arena.match import BotFaultError, BotMatch


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one match of a contest ended; everything by seat."""

    number: int
    bots: tuple[str, ...]
    starter: int
    places: tuple[int, ...]
    scores: tuple[Mapping[str, int], ...]
    facts: int
    decisions: int
    rounds: int | None
    """What the game's view calls `round` at the end; None where the game counts none."""


@dataclass(frozen=True)
class Contest:
    """Which bots meet in which game, and from which seed all chance comes. It travels to other processes as it is."""

    game: str
    bots: tuple[str, ...]
    """One for each seat of the first match; in each further match everyone moves one seat on."""
    seed: str
    options: Options
    data: DataSet
    games: Callable[[], Mapping[str, Game]] = field(default=installed_games)
    """Where games are found; a function of a module, so that another process can call it too."""

    @cached_property
    def rules(self) -> Rules[Any]:
        """The rules all matches are played by."""
        return self.games()[self.game].rules(self.data)

    @cached_property
    def _players(self) -> Mapping[str, Bot]:
        made = self.games()[self.game].bots
        return {name: made[name](self.rules) for name in self.bots}

    def __getstate__(self) -> Mapping[str, Any]:
        """Rules and bots are made anew in each process."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    def seats(self, number: int) -> tuple[str, ...]:
        """The bot of each seat in the match with this number."""
        turned = number % len(self.bots)
        return self.bots[-turned:] + self.bots[:-turned] if turned else self.bots

    def match(self, number: int) -> BotMatch:
        """The match with this number, to be played."""
        bots = [self._players[name] for name in self.seats(number)]
        return BotMatch(self.rules, bots, self.options, Seeded(seed_from(f"{self.seed}/{number}")))

    def outcome(self, number: int) -> Outcome:
        """Plays the match with this number to its end."""
        match = self.match(number)
        try:
            for _ in match:
                pass
        except BotFaultError as fault:
            raise BotFaultError(f"match {number} of seed {self.seed}: {fault}") from fault
        return self.ended(number, match)

    def ended(self, number: int, match: BotMatch) -> Outcome:
        """What came of a match that was played."""
        result = self.rules.result(match.state)
        if result is None:
            raise LookupError(f"match {number} of seed {self.seed} waits for nobody, yet has no result")
        return Outcome(
            number=number,
            bots=self.seats(number),
            starter=match.starter,
            places=result.places,
            scores=tuple(dict(scores) for scores in result.scores),
            facts=match.facts,
            decisions=match.decisions,
            rounds=self.rules.view(match.state, SPECTATOR).get("round"),
        )


def outcomes(contest: Contest, matches: int, jobs: int = 1) -> Iterator[Outcome]:
    """Plays so many matches and yields their outcomes in order, whatever the number of processes."""
    jobs = min(jobs, matches)
    if jobs > 1:
        yield from _dealt_out(contest, matches, jobs)
    else:
        for number in range(matches):
            yield contest.outcome(number)


def _dealt_out(contest: Contest, matches: int, jobs: int) -> Iterator[Outcome]:
    """Process j plays the matches j, j + jobs, j + 2 jobs …; reading them in turn gives all of them in order."""
    context = multiprocessing.get_context("spawn")
    pipes = [context.Pipe(duplex=False) for _ in range(jobs)]
    shares = [range(job, matches, jobs) for job in range(jobs)]
    workers = [context.Process(target=_work, args=(contest, share, pipe[1])) for share, pipe in zip(shares, pipes, strict=True)]
    try:
        for worker, (_, sender) in zip(workers, pipes, strict=True):
            worker.start()
            sender.close()
        for number in range(matches):
            yield _received(pipes[number % jobs][0])
    finally:
        for worker, (receiver, _) in zip(workers, pipes, strict=True):
            receiver.close()
            if worker.pid is not None:
                worker.terminate()
                worker.join()


def _received(receiver: Connection) -> Outcome:
    told = receiver.recv()
    if isinstance(told, BotFaultError):
        raise told
    if not isinstance(told, Outcome):
        raise TypeError(f"a worker told {told!r}")
    return told


def _work(contest: Contest, share: range, sender: Connection) -> None:
    """Plays one share of the matches in a process of its own. Ctrl-C is for the parent, which then ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for number in share:
            sender.send(contest.outcome(number))
    except BotFaultError as fault:
        sender.send(fault)
