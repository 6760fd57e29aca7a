"""A read that failed is not taken for a fresh one."""

from threading import Event, Thread
from typing import Any
from uuid import UUID

import pytest

from kontor_games.service.errors import UnavailableError
from kontor_games.service.kontor import Kontor
from tests.service.tables import ME, LocalPlayer, bot
from tests.support.waiting import SOON_S


@pytest.mark.usefixtures("fair")
def test_a_reader_waiting_for_a_failed_read_gets_no_stale_version(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = kontor.cache.get(UUID(LocalPlayer(kontor).create(ME, bot())))
    reading, go_on, found = Event(), Event(), list[Exception]()

    def fail(*_: Any, **__: Any) -> None:
        reading.set()
        go_on.wait(SOON_S)
        raise UnavailableError("The database is away.")

    def refresh() -> None:
        try:
            log.refresh()
        except UnavailableError as error:
            found.append(error)

    monkeypatch.setattr(kontor.store, "entries", fail)
    readers = [Thread(target=refresh) for _ in range(3)]
    for reader in readers:
        reader.start()
    assert reading.wait(SOON_S)
    go_on.set()
    for reader in readers:
        reader.join()
    assert len(found) == 3
