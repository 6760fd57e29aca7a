from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kontor_games.service.cli import main
from kontor_games.service.kontor import Kontor as Service
from tests.service.fair import fairground

Kontor = Callable[..., Result]


@pytest.fixture
def kontor(monkeypatch: pytest.MonkeyPatch) -> Kontor:
    """Return a function that runs the command line, with only the toy game installed."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*args: str) -> Result:
        return CliRunner().invoke(main, args, prog_name="kontor", obj=fairground)

    return run


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of the database for the command line."""
    return f"sqlite:///{tmp_path}/kontor.db"


@pytest.fixture
def service(serve: Callable[..., Service], url: str) -> Service:
    """The service on that database."""
    return serve(url)
