"""A process that stops does not wait until the pauses of its threads have ended."""

from pathlib import Path
from threading import Thread

import pytest

from kontor_games.service.background.match_worker import Schedule
from kontor_games.service.kontor import Kontor
from kontor_games.service.seeks import matchmaker
from kontor_games.service.settings import Settings
from kontor_games.service.tournaments import worker
from tests.support.waiting import SOON_S, wait_until

LONG_S = 3600.0


def test_threads_that_pause_are_woken_when_the_process_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (matchmaker, worker):
        monkeypatch.setattr(module, "_PAUSE_S", LONG_S)
    kontor = Kontor(Settings(database_url=f"sqlite:///{tmp_path}/kontor.db"))
    kontor.migrate()
    kontor.start()
    closing = Thread(target=kontor.close, daemon=True)
    closing.start()
    closing.join(SOON_S)
    assert not closing.is_alive()


def test_a_thread_that_waits_for_a_match_is_woken() -> None:
    schedule = Schedule(lambda: 0)
    taken: list[object] = []
    waiting = Thread(target=lambda: taken.append(schedule.take(LONG_S)), daemon=True)
    waiting.start()

    def woken() -> bool:
        schedule.wake()
        return not waiting.is_alive()

    wait_until(woken)
    assert taken == [None]
