"""A running service and registered players, for the tests of the client."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kontor_client import Kontor
from tests.client.service import Service


@pytest.fixture(autouse=True)
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which clients keep their files, instead of the user's own folder."""
    monkeypatch.delenv("KONTOR_TOKEN", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "kontor"


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that all tests of a process share."""
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
