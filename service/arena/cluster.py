"""Matches played on a Dask cluster, with the same outcomes as in one process.

Workers prove that they have the same code and data before they play, and a sample of the matches is played
again on this machine and compared. The optional dependencies are in the extra `cluster`.
"""

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from kontor_games import domain
from kontor_games.domain.chance import seed_from
from kontor_games.service import arena
from kontor_games.service.arena.contest import Contest, Outcome
from kontor_games.service.arena.journal import decode_outcome, encode_outcome
from kontor_games.service.arena.own_bots import is_own, runs_elsewhere, source_hash
from kontor_games.service.errors import OperatorError

if TYPE_CHECKING:
    from distributed import Client, Future

_CHUNK_S = 2.0
"""Target duration of a task: long enough to make scheduling cheap, short enough to repeat after a failure."""
_MEASURED_S = 0.3
_MAX_CHUNK = 5_000
_SAMPLE = 100
"""One match in this number is played again on this machine."""
_CONNECT_S = 10


class ClusterError(OperatorError):
    """The cluster can't be used, or is not to be trusted."""


class _OtherCodeError(Exception):
    """A worker has different code or data than this process."""


def cluster_outcomes(contest: Contest, matches: int, address: str, first: int = 0) -> Iterator[Outcome]:
    """Play the matches from `first` up to `matches` on a cluster, and yield the outcomes in order.

    The first matches are played on this machine, to measure how many fit into one task.
    """
    refuse_unknown_bots(contest)
    with _connected(address) as client:
        proof = fingerprint(contest)
        require_same_code(client, contest, proof)
        began, begin = time.perf_counter(), first
        while first < matches and time.perf_counter() - began < _MEASURED_S:
            yield contest.outcome(first)
            first += 1
        each = (time.perf_counter() - began) / max(1, first - begin)
        size = min(_MAX_CHUNK, max(1, round(_CHUNK_S / each)))
        chunks = (range(start, min(start + size, matches)) for start in range(first, matches, size))
        yield from _played(client, contest, proof, chunks)


def refuse_unknown_bots(contest: Contest) -> None:
    """Raise ClusterError for bots whose code a worker can't prove to be the same."""
    for name in contest.bots:
        if is_own(name) and runs_elsewhere(name):
            raise ClusterError(
                f"{name} can't play on a cluster: workers can't prove that they run the same program."
                " Use a house bot or a Python class (bot.py:Class) whose file is on every worker."
            )


def fingerprint(contest: Contest) -> str:
    """Return the hash of all code and data on which the outcomes of a contest depend."""
    files = [source_hash(name) for name in contest.bots if is_own(name)]
    return sha256("\n".join([_code_hash(), contest.rules.data.hash, *files]).encode()).hexdigest()


@cache
def _code_hash() -> str:
    """Return the hash of the rules, the house bots and this package."""
    digest = sha256()
    for package in (domain, arena):
        root = Path(str(package.__file__)).parent
        for file in sorted(root.rglob("*.py")):
            digest.update(f"{file.relative_to(root).as_posix()}\n".encode())
            digest.update(sha256(file.read_bytes()).digest())
    return digest.hexdigest()


@contextmanager
def _connected(address: str) -> "Iterator[Client]":
    try:
        from distributed import Client  # an extra, and slow to import
    except ImportError as error:
        raise ClusterError(
            "Playing on a cluster needs Dask: pip install 'kontor-games[cluster]' here and on every worker."
        ) from error
    try:
        client = Client(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"No Dask scheduler answers at {address}.") from error
    with closing(client):
        yield client


def require_same_code(client: "Client", contest: Contest, proof: str) -> None:
    """Raise ClusterError unless every worker has the same code and data."""
    found = client.run(fingerprint, contest, on_error="return")
    if not found:
        raise ClusterError("The cluster has no workers. Start one with: dask worker ADDRESS --nthreads 1")
    for worker, answer in found.items():
        if isinstance(answer, Exception):
            raise ClusterError(f"Worker {worker} can't play: {type(answer).__name__}: {answer}")
        if answer != proof:
            raise ClusterError(f"Worker {worker} has other code or data than this machine. {_SAME_VERSION}")


_SAME_VERSION = "Install the same version of kontor-games there."


def _played(client: "Client", contest: Contest, proof: str, chunks: Iterable[range]) -> Iterator[Outcome]:
    """Keep two tasks for each worker in flight, and read them in the order of the matches."""
    waiting: deque[tuple[range, Future[list[bytes]]]] = deque()
    rest = iter(chunks)
    while True:
        while len(waiting) < 2 * max(1, len(client.nthreads())) and (chunk := next(rest, None)) is not None:
            waiting.append((chunk, client.submit(play_chunk, contest, list(chunk), proof, pure=False)))
        if not waiting:
            return
        chunk, future = waiting.popleft()
        lines = _result(future, chunk)
        _compare_sample(contest, chunk, lines, next(iter(client.who_has(future).values()), ()))
        yield from map(decode_outcome, lines)


def play_chunk(contest: Contest, numbers: Sequence[int], proof: str) -> list[bytes]:
    """Play matches on a worker; return their outcomes as lines of the journal."""
    if fingerprint(contest) != proof:
        raise _OtherCodeError
    return [encode_outcome(contest.outcome(number)) for number in numbers]


def _result(future: "Future[list[bytes]]", numbers: Sequence[int]) -> list[bytes]:
    from distributed import KilledWorker

    try:
        return future.result()
    except _OtherCodeError as error:
        raise ClusterError(f"A worker that joined later has other code or data. {_SAME_VERSION}") from error
    except KilledWorker as error:
        raise ClusterError(
            f"Matches {numbers[0]} to {numbers[-1]} killed one worker after the other: {error}"
        ) from error


def _compare_sample(contest: Contest, chunk: range, lines: list[bytes], workers: Iterable[str]) -> None:
    """Play a sample of the matches again on this machine."""
    for number in chunk:
        if (
            is_sampled(contest, number)
            and encode_outcome(contest.outcome(number)) != lines[number - chunk.start]
        ):
            raise ClusterError(
                f"Worker {', '.join(workers) or 'that has left'} reported another outcome of match {number} "
                "than this machine gets. Do not trust what that worker played."
            )


def is_sampled(contest: Contest, number: int) -> bool:
    """Return whether a match is played again: the same ones in every run of a seed."""
    digest = seed_from(f"{contest.seed}/sample/{number}")
    return int.from_bytes(digest[:8]) % _SAMPLE == 0
