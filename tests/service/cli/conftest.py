from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from tests.service.fair import fairground

Kontor = Callable[..., Result]


@pytest.fixture
def kontor(monkeypatch: pytest.MonkeyPatch) -> Kontor:
    """The command line where only the game of these tests is installed."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*args: str) -> Result:
        return CliRunner().invoke(main, args, prog_name="kontor", obj=fairground)

    return run
