"""Stands in for `docker compose` in tests of the runbook.

It runs the commands of the containers on this machine, with the settings of compose.yaml. It is started as
`docker` from the first folder of the PATH. The environment variables COMPOSE_FILE, COMPOSE_STATE (a folder)
and PGHOST say where the parts are; .env has the secrets. Commands and options that the runbook does not use
are refused.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import yaml

_OPTIONS = {
    "up": {"--build", "--detach", "--wait", "--no-recreate", "--no-deps", "--scale"},
    "stop": set(),
    "build": set(),
    "ps": set(),
    "run": {"--rm"},
    "exec": {"-T"},
}


class Compose:
    """Runs the services of a compose file as processes of this machine."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment
        self._state = Path(environment["COMPOSE_STATE"])
        self._services: dict[str, Any] = yaml.safe_load(
            Path(environment["COMPOSE_FILE"]).read_text(encoding="utf-8")
        )["services"]

    def run_command(self, command: str, arguments: list[str]) -> int:
        """Carry out a command of `docker compose`; return the exit code."""
        rest = self._without_options(command, arguments)
        if command in ("run", "exec"):
            return self._run(rest[0], rest[1:] or self._services[rest[0]]["command"])
        for name in rest:
            assert name in self._services, name
        if command == "up":
            self._up()
        if command == "stop" and (not rest or "api" in rest):
            self._stop()
        return 0

    def _without_options(self, command: str, arguments: list[str]) -> list[str]:
        """Check the options (only --scale has a value) and return the other arguments."""
        rest = list(arguments)
        while rest and rest[0].startswith("-"):
            option = rest.pop(0)
            assert option in _OPTIONS[command], option
            if option == "--scale":
                name, _, number = rest.pop(0).partition("=")
                assert name in self._services
                assert number.isdigit()
        return rest

    def _run(self, service: str, command: list[str]) -> int:
        if service == "proxy":
            assert command == ["nginx", "-s", "reload"]
            return 0
        return subprocess.run(command, env=self._settings_of(service), check=False).returncode

    def _settings_of(self, service: str) -> dict[str, str]:
        """The environment of a container, with the values of .env and the Unix socket of the database."""
        given = self._services[service].get("environment", {})
        filled = {name: self._filled(value) for name, value in given.items()}
        if "KONTOR_DATABASE_URL" in filled:
            filled["KONTOR_DATABASE_URL"] = re.sub(
                r"@database:5432/kontor",
                f"@/kontor?host={self._environment['PGHOST']}",
                filled["KONTOR_DATABASE_URL"],
            )
        kept = ("PATH", "HOME", "PGHOST", "BIND")
        return {name: self._environment[name] for name in kept if name in self._environment} | filled

    def _filled(self, value: str) -> str:
        secrets = dict(line.split("=", 1) for line in Path(".env").read_text(encoding="utf-8").splitlines())
        return re.sub(
            r"\$\{(\w+)(?::([-?])([^}]*))?\}",
            lambda found: secrets.get(found[1], found[3] if found[2] == "-" else ""),
            value,
        )

    def _up(self) -> None:
        """Migrate, and start one node unless one is running."""
        noted = self._state / "api.json"
        if noted.exists():
            return
        assert self._run("migrate", self._services["migrate"]["command"]) == 0
        with (self._state / "api.log").open("ab") as log:
            conf = Path(self._environment["COMPOSE_FILE"]).with_name("gunicorn.conf.py")
            process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "--config", str(conf)],
                env=self._settings_of("api") | {"WEB_CONCURRENCY": "1", "KONTOR_WORKERS": "true"},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        noted.write_text(json.dumps(process.pid), encoding="utf-8")

    def _stop(self) -> None:
        noted = self._state / "api.json"
        if not noted.exists():
            return
        pid = json.loads(noted.read_text(encoding="utf-8"))
        noted.unlink()
        os.kill(pid, signal.SIGTERM)
        until = time.monotonic() + 60
        while Path(f"/proc/{pid}/stat").exists() and time.monotonic() < until:
            if Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z":
                return
            time.sleep(0.05)


if __name__ == "__main__":
    assert sys.argv[1] == "compose"
    sys.exit(Compose(dict(os.environ)).run_command(sys.argv[2], sys.argv[3:]))
