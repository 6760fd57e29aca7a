"""Two players on the database that the tests of a module share."""

from collections.abc import Callable

import pytest

from kontor_games.service.kontor import Kontor
from tests.service.tables import (
    LocalPlayer,
)


@pytest.fixture
def one(new_process: Callable[..., Kontor]) -> LocalPlayer:
    return LocalPlayer(new_process())


@pytest.fixture
def other(one: LocalPlayer) -> LocalPlayer:
    return LocalPlayer(one.kontor)
