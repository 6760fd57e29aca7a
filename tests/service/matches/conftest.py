"""Players at the database that the tests of one module share."""

from collections.abc import Callable

import pytest

from kontor_games.service.kontor import Kontor
from tests.service.tables import (
    Guest,
)


@pytest.fixture
def one(hall: Callable[..., Kontor]) -> Guest:
    return Guest(hall())


@pytest.fixture
def other(one: Guest) -> Guest:
    return Guest(one.kontor)
