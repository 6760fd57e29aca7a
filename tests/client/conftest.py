"""A service for the tests of the client, and players at it."""

from collections.abc import Iterator

import pytest

from kontor_client import Kontor
from tests.client.service import Service


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One that all tests of a process share."""
    with Service(tmp_path_factory.mktemp("service")).running() as running:
        yield running


@pytest.fixture
def ada(service: Service) -> Iterator[Kontor]:
    with service.player("Ada") as client:
        yield client


@pytest.fixture
def ben(service: Service) -> Iterator[Kontor]:
    with service.player("Ben") as client:
        yield client
