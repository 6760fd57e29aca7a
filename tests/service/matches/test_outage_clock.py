"""The clock that the processes of one machine share, by which outages are measured."""

import time
from pathlib import Path

import pytest

from kontor_games.service.errors import UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.outages import clock_of_machine, is_same_clock


def test_a_machine_without_a_boot_id_has_no_clock_that_others_can_be_compared_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_same_clock(clock_of_machine(), clock_of_machine())
    monkeypatch.setattr("kontor_games.service.matches.outages._BOOT_ID", tmp_path / "missing")
    assert not is_same_clock(clock_of_machine(), clock_of_machine())


def test_the_clock_of_the_machine_counts_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor_games.service.matches.outages.uptime", lambda: 12.3456)
    assert clock_of_machine().ms == 12_345


def test_a_process_whose_heartbeats_are_late_is_not_ready_and_does_not_ask_the_database(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    kontor.outages.role = "serves"
    kontor.outages.require_beat()
    monkeypatch.setattr(kontor.outages, "_threads", ["beating"])
    monkeypatch.setattr(kontor.outages, "_ms_since_beat", lambda: 60_000.0)
    monkeypatch.setattr("kontor_games.service.matches.outages._PATIENCE_S", 0.1)
    monkeypatch.setattr(kontor.outages, "_monotonic", time.monotonic)
    with pytest.raises(UnavailableError, match="does not answer"):
        kontor.outages.require_beat()
