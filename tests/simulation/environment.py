"""Runs the service in the simulation: its modules get simulated threads, time, chance and connections.

The code of the service is neither changed nor copied. Its external dependencies (locks, threads, the clock,
random numbers, the driver of PostgreSQL) are replaced in its modules while a simulation runs.
"""

import secrets
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from queue import SimpleQueue
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any
from uuid import UUID

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kontor_games.api import streams
from kontor_games.service import kontor
from kontor_games.service.background import leader
from kontor_games.service.store import event_store, postgres_recorder
from kontor_games.service.store import streams as cached_streams
from kontor_games.service.trust import signing
from kontor_games.service.wakeups import feed, relay
from tests.simulation import scheduler as simulated
from tests.simulation.datastore import Datastore, Inserts
from tests.simulation.postgres import Server
from tests.simulation.reuse import Rows
from tests.simulation.scheduler import Scheduler

_ = kontor  # imports all modules of the service, so that they can be found below


def _modules() -> Iterator[ModuleType]:
    """The modules of the service, and the streams of the API."""
    yield streams
    yield from [
        module for name, module in list(sys.modules.items()) if name.startswith("kontor_games.service.")
    ]


class _SeededSecrets:
    """Stands in for the module `secrets`."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def token_bytes(self, count: int) -> bytes:
        return self._random.randbytes(count)

    def token_hex(self, count: int) -> str:
        return self._random.randbytes(count).hex()

    token_urlsafe = token_hex


class _SeededKeys:
    """Stands in for Ed25519PrivateKey where keys are generated."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def generate(self) -> Ed25519PrivateKey:
        return self.from_private_bytes(self._random.randbytes(32))

    from_private_bytes = staticmethod(Ed25519PrivateKey.from_private_bytes)


def _virtual_time(scheduler: Scheduler) -> SimpleNamespace:
    """Stands in for the module `time`."""
    seconds = dict.fromkeys(("monotonic", "perf_counter", "time"), lambda: scheduler.now)
    nanoseconds = {f"{name}_ns": lambda: int(scheduler.now * 1e9) for name in seconds}
    return SimpleNamespace(**seconds, **nanoseconds, sleep=scheduler.sleep)


def _replacements(scheduler: Scheduler) -> dict[Any, Any]:
    random = scheduler.random
    return {
        threading.Lock: partial(simulated.Lock, scheduler),
        threading.RLock: partial(simulated.RLock, scheduler),
        threading.Event: partial(simulated.Event, scheduler),
        threading.Condition: partial(simulated.Condition, scheduler),
        threading.Thread: partial(simulated.Thread, scheduler),
        SimpleQueue: partial(simulated.Queue, scheduler),
        time.monotonic: lambda: scheduler.now,
        time.perf_counter: lambda: scheduler.now,
        uuid.uuid4: lambda: UUID(int=random.getrandbits(128), version=4),
        secrets: _SeededSecrets(random),
        time: _virtual_time(scheduler),
    }


@contextmanager
def simulated_world(scheduler: Scheduler, server: Server) -> Iterator[None]:
    """Run the service on virtual time and the simulated server."""
    replacements = _replacements(scheduler)
    undo: list[tuple[Any, str, Any]] = []

    def put(module: Any, name: str, value: Any) -> None:
        undo.append((module, name, getattr(module, name)))
        setattr(module, name, value)

    for module in _modules():
        for name, value in list(vars(module).items()):
            if _is_hashable(value) and value in replacements:
                put(module, name, replacements[value])
    driver = SimpleNamespace(connect=server.connect, Error=psycopg.Error, Connection=psycopg.Connection)
    put(relay, "psycopg", driver)
    put(leader, "psycopg", driver)
    put(event_store, "EntryDatastore", lambda url, pool_size: Datastore(server))
    put(postgres_recorder, "PreparedInserts", Inserts)
    rows = Rows()
    put(event_store, "_DECODER", rows)
    put(cached_streams, "read_entry", rows.read_entry)
    put(cached_streams, "head_of_stored", rows.head_of_stored)
    put(signing, "Ed25519PrivateKey", _SeededKeys(scheduler.random))
    put(feed, "Waiter", partial(_refuse, "in a simulation, no stream is read by a blocked thread"))
    try:
        yield
    finally:
        for module, name, value in reversed(undo):
            setattr(module, name, value)


def _refuse(why: str) -> None:
    raise RuntimeError(why)


def _is_hashable(value: object) -> bool:
    return isinstance(value, ModuleType | type) or callable(value)


Clock = Callable[[], int]
