import pytest

from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.api.conftest import NO_LIMITS
from tests.service.tournaments.worker_kills import faults_of, play_with_kills

pytestmark = [pytest.mark.slow, pytest.mark.untraced]


def test_workers_killed_at_random_moments_neither_repeat_nor_omit_a_step(
    service: Kontor, store_url: str
) -> None:
    kontor = Kontor(Settings(database_url=store_url, **NO_LIMITS))
    cup = play_with_kills(kontor, store_url, kills=6, seed=1, rounds=1)
    try:
        assert faults_of(cup) == []
        assert cup.state.status == "final"
    finally:
        kontor.close()
