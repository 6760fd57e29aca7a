"""Stands in for `systemctl` in tests of deploy/systemd: it runs units without systemd, in a scratch root.

It is started as `systemctl` from the first folder of the PATH. DESTDIR is the root folder, NGINX_CONF the
configuration of nginx there. Commands that the runbook does not use are refused.
"""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.proxy import NGINX
from tests.support.waiting import wait_until

ROOT = Path(os.environ.get("DESTDIR", ""))
_STATE = ROOT / "run/units.json"
Unit = dict[str, list[str]]
"""The values of each key of a unit, whatever its section."""


def main(command: str, arguments: list[str]) -> None:
    """Carry out a command of systemctl."""
    if command == "daemon-reload":
        return
    assert command in ("start", "stop", "restart", "enable"), command
    assert (command == "enable") == (arguments[0] == "--now")
    for name in arguments[command == "enable" :]:
        if command in ("stop", "restart"):
            _stop(name)
        if command != "stop":
            _start(name)


def _start(name: str) -> None:
    if name.endswith(".timer"):
        assert read_unit(name)["OnCalendar"]
    elif name == "nginx":
        _remember(name, _spawn([NGINX, "-c", os.environ["NGINX_CONF"], "-g", "daemon off;"], {}, name))
    else:
        _start_service(name, read_unit(f"{name}.service"))


def read_unit(name: str) -> Unit:
    """Return the values of a unit file by key; each key can be repeated."""
    unit: Unit = {}
    for line in (ROOT / "etc/systemd/system" / name).read_text(encoding="utf-8").splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            unit.setdefault(key, []).append(value)
    return unit


def _start_service(name: str, unit: Unit) -> None:
    for folder in unit.get("StateDirectory", []):
        (ROOT / "var/lib" / folder).mkdir(int(unit["StateDirectoryMode"][0], 8), parents=True, exist_ok=True)
    environment = _environment(unit)
    commands = [_words(line) for line in unit["ExecStart"] + unit.get("ExecStartPost", [])]
    kind = unit.get("Type", ["simple"])[0]
    if kind == "oneshot":
        for command in commands:
            subprocess.run(command, env=environment, check=True)
    elif kind == "notify":
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            address = f"{_STATE.parent}/{name}.notify"
            Path(address).unlink(missing_ok=True)
            notified.bind(address)
            notified.settimeout(120)
            _remember(name, _spawn(commands[0], environment | {"NOTIFY_SOCKET": address}, name))
            while b"READY=1" not in notified.recv(4096):
                pass
    else:
        _remember(name, _spawn(commands[0], environment, name))


def _environment(unit: Unit) -> dict[str, str]:
    """The variables of the unit and then, as with systemd, those of its files; nothing of this process."""
    lines = [pair for value in unit.get("Environment", []) for pair in shlex.split(value)]
    for file in unit.get("EnvironmentFile", []):
        lines += Path(_in_root(file)).read_text(encoding="utf-8").splitlines()
    return {"PATH": os.environ["PATH"], **dict(line.split("=", 1) for line in lines if "=" in line)}


def _words(command: str) -> list[str]:
    return shlex.split(_in_root(command.replace("$$", "$").replace("%%", "%")))


def _in_root(text: str) -> str:
    """Put the folders of an installation under the scratch root."""
    return re.sub(r"(?<![\w./])/(?=(?:opt|etc|var/lib|run)/)", f"{ROOT}/", text)


def _spawn(command: list[str], environment: Mapping[str, str], name: str) -> int:
    with (_STATE.parent / f"{name}.log").open("ab") as log:
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        ).pid


def _running() -> dict[str, int]:
    return dict(json.loads(_STATE.read_text(encoding="utf-8"))) if _STATE.exists() else {}


def _remember(name: str, pid: int) -> None:
    _STATE.write_text(json.dumps(_running() | {name: pid}), encoding="utf-8")


def _stop(name: str) -> None:
    running = _running()
    pid = running.pop(name, None)
    _STATE.write_text(json.dumps(running), encoding="utf-8")
    if pid is not None:
        os.kill(pid, signal.SIGTERM)
        wait_until(lambda: not _exists(pid))


def _exists(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
