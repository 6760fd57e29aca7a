"""A service whose operator cheats, and two registered players."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kontor_client import Kontor
from tests.client.dishonest_service.cheating_operator import Operator, run_operated_service


@pytest.fixture
def operator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Operator]:
    with run_operated_service(tmp_path, monkeypatch) as running:
        yield running


@pytest.fixture
def ada(operator: Operator) -> Iterator[Kontor]:
    with Kontor(operator.url) as client:
        client.register("Ada")
        yield client


@pytest.fixture
def ben(operator: Operator) -> Iterator[Kontor]:
    """Ben signs his commands."""
    with Kontor(operator.url) as client:
        client.sign_in("Ben")
        yield client
