"""The log of a process: JSON for machines, readable lines on a terminal."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable

import pytest

PROGRAM = """
import structlog
from kontor_games.service.logging_setup import set_up_logging
from kontor_games.service.settings import Settings
set_up_logging(Settings.from_environ({"KONTOR_LOG_FORMAT": %r}))
log = structlog.get_logger()
log.debug("hidden")
log.info("request", operation="list_games", status=200)
try:
    secret = "k" * 40
    {}["nothing"]
except KeyError as error:
    log.error("failed", exc_info=error)
"""


def on_a_terminal(form: str) -> str:
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", PROGRAM % form], stdout=theirs, check=True)
    os.close(theirs)
    written = b""
    try:
        while chunk := os.read(ours, 4096):
            written += chunk
    except OSError:  # so Linux says that the other side is closed
        os.close(ours)
    return written.decode()


def into_a_file(form: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM % form], stdout=subprocess.PIPE, check=True, text=True
    ).stdout


@pytest.mark.parametrize(
    ("write", "form"), [(into_a_file, "auto"), (into_a_file, "json"), (on_a_terminal, "json")]
)
def test_machines_get_one_json_object_a_line(write: Callable[[str], str], form: str) -> None:
    request, failed = [json.loads(line) for line in write(form).splitlines()]
    assert request.pop("at").endswith("Z")
    assert request == {"event": "request", "level": "info", "operation": "list_games", "status": 200}
    assert (failed["event"], failed["level"]) == ("failed", "error")
    assert failed["exception"].endswith("KeyError: 'nothing'")


@pytest.mark.parametrize(("write", "form"), [(on_a_terminal, "auto"), (into_a_file, "text")])
def test_the_text_format_has_readable_lines(write: Callable[[str], str], form: str) -> None:
    written = write(form)
    plain = written.replace("\x1b[0m", "")
    assert "{" not in written.splitlines()[0]
    assert "list_games" in plain
    assert "hidden" not in plain
    assert "KeyError" in plain
    assert "kkkk" not in plain
    assert ("\x1b[" in written) == (write is on_a_terminal)
