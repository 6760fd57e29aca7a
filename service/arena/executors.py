"""Executors of a contest: in this process, or in several on this machine.

Every executor yields the same outcomes in the same order. `cluster.py` has the one for many machines.
"""

import multiprocessing
from collections.abc import Iterator
from multiprocessing.connection import Connection

from kontor_games.service.arena.contest import Contest, Outcome
from kontor_games.service.arena.match import BotFaultError
from kontor_games.service.arena.own_bots import OwnBotError
from kontor_games.service.errors import OperatorError
from kontor_games.service.processes import interrupts_blocked

_TRIES = 3
"""Number of processes that may die in the same match before the run ends."""


class WorkerDiedError(OperatorError):
    """Several processes died, one after the other, while they played the same match."""


def outcomes(contest: Contest, matches: int, jobs: int = 1, first: int = 0) -> Iterator[Outcome]:
    """Play the matches from `first` up to `matches`; yield outcomes in order."""
    numbers = range(first, matches)
    jobs = min(jobs, len(numbers))
    if jobs > 1:
        yield from _parallel_outcomes(contest, numbers, jobs)
    else:
        for number in numbers:
            yield contest.outcome(number)


def _parallel_outcomes(contest: Contest, numbers: range, jobs: int) -> Iterator[Outcome]:
    """Let process j play the matches j, j + jobs, j + 2 jobs …, and read from the processes in turn."""
    workers: list[_Worker] = []
    try:
        with interrupts_blocked():
            workers.extend(_Worker(contest, numbers[job::jobs]) for job in range(jobs))
        for index in range(len(numbers)):
            yield workers[index % jobs].next_outcome()
    finally:
        for worker in workers:
            worker.stop()


class _Worker:
    """A process that plays a share of the matches; it is replaced if it dies."""

    def __init__(self, contest: Contest, share: range) -> None:
        self._contest = contest
        self._share = share
        self._start()

    def _start(self) -> None:
        """Start the process, with the matches that are left."""
        context = multiprocessing.get_context("spawn")
        self._receiver, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_work, args=(self._contest, self._share, sender))
        self._process.start()
        sender.close()

    def next_outcome(self) -> Outcome:
        """Wait for the next match of the share."""
        for _ in range(_TRIES):
            try:
                outcome = self._receive()
            except EOFError:
                self.stop()
                with interrupts_blocked():
                    self._start()
            else:
                self._share = self._share[1:]
                return outcome
        raise WorkerDiedError(f"{_TRIES} processes died in match {self._share[0]} of {self._contest.seed}")

    def _receive(self) -> Outcome:
        received: Outcome | BotFaultError | OwnBotError = self._receiver.recv()
        if isinstance(received, BotFaultError | OwnBotError):
            raise received
        return received

    def stop(self) -> None:
        self._receiver.close()
        self._process.terminate()
        self._process.join()


def _work(contest: Contest, share: range, sender: Connection) -> None:
    """Play one share of the matches in a process of its own."""
    try:
        for number in share:
            sender.send(contest.outcome(number))
    except (BotFaultError, OwnBotError) as fault:
        sender.send(fault)
