"""The log of gunicorn: each of its lines is written in the format of all other lines."""

import sys
from collections.abc import Iterator

import pytest
import structlog
from gunicorn.config import Config  # type: ignore[import-untyped]  # gunicorn has no types
from structlog.testing import capture_logs

from kontor_games.service.cli import server_log
from kontor_games.service.cli.server_log import ServerLog


@pytest.fixture(autouse=True)
def same_logging() -> Iterator[None]:
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.mark.parametrize("settings", [{}, {"KONTOR_LOG_FORMAT": "no such format"}], ids=["valid", "invalid"])
def test_a_line_of_gunicorn_is_an_event_with_its_text(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str]
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    log = ServerLog(Config())
    monkeypatch.setattr(server_log, "_LOG", structlog.get_logger("gunicorn"))
    with capture_logs() as lines:
        log.info("Booting worker with pid: %s", 7)
        try:
            sys.exit("no")
        except SystemExit:
            log.exception("Exception in worker process")
    assert [(line["event"], line["text"], line["log_level"]) for line in lines] == [
        ("server", "Booting worker with pid: 7", "info"),
        ("server", "Exception in worker process", "error"),
    ]
    assert lines[1]["exc_info"][0] is SystemExit
