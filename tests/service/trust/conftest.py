"""Players and checkpoints for the tests of evidence."""

from collections.abc import Callable

import pytest

from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.log_store import Checkpoint
from tests.service.tables import LocalPlayer


@pytest.fixture
def start(serve: Callable[..., Kontor], store_url: str) -> Callable[[], Kontor]:
    return lambda: serve(store_url)


@pytest.fixture
def one(service: Kontor) -> LocalPlayer:
    return LocalPlayer(service)


@pytest.fixture
def other(service: Kontor) -> LocalPlayer:
    return LocalPlayer(service)


def take_checkpoint(service: Kontor) -> Checkpoint:
    checkpoint = service.checkpoints.take()
    assert checkpoint is not None
    return checkpoint
