"""A service that may send to a push service on loopback, and players who are away."""

from collections.abc import Callable, Iterator

import pytest

from kontor_games.service.kontor import Kontor
from tests.service.conftest import SettableClock
from tests.support.push_receiver import PushService, push_service

AWAY_MS = 61_000


@pytest.fixture
def receiver() -> Iterator[PushService]:
    with push_service() as service:
        yield service


@pytest.fixture
def calling(serve: Callable[..., Kontor], store_url: str, receiver: PushService) -> Kontor:
    return serve(store_url, public_url="https://kontor.example", push_hosts=(receiver.host,))


@pytest.fixture
def pass_time(calling: Kontor, clock: SettableClock) -> Callable[..., list[int | None]]:
    """Let time pass, and do once what the worker does."""

    def passing(ms: int = AWAY_MS) -> list[int | None]:
        clock.advance(ms)
        worker = calling.call_worker()
        return [worker.process(match) for match in worker.running()]

    return passing
