"""`kontor doctor` names what is wrong with an installation, and what to do."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from kontor_games.service.background.leader import FileLeaderLock, PostgresLeaderLock, lead_file
from kontor_games.service.cli.commands import doctor
from kontor_games.service.kontor import Kontor as Service
from kontor_games.service.settings import Settings
from kontor_games.service.version import VERSION
from tests.service.cli.conftest import Kontor
from tests.service.tables import LocalPlayer, bot

Findings = dict[str, dict[str, str]]


def examine(kontor: Kontor, url: str, *more: str, code: int | None = None) -> Findings:
    """Run the command; return its findings by check, the last of each."""
    result = kontor("doctor", "--database", url, "--json", *more)
    found = {one["check"]: one for one in json.loads(result.output)["findings"]}
    failed = any(one["state"] == "failed" for one in found.values())
    assert result.exit_code == (int(failed) if code is None else code)
    assert all(one["do"] for one in found.values() if one["state"] in ("failed", "advice"))
    return found


def states(found: Findings) -> dict[str, str]:
    return {name: one["state"] for name, one in found.items()}


@contextmanager
def playing(service: Service) -> Iterator[None]:
    """Let the service show the signs of life that running processes show."""
    path = service.settings.sqlite_path
    url = service.settings.database_url
    lock = PostgresLeaderLock(url) if path is None else FileLeaderLock(lead_file(path))
    service.outages.role = "serves"
    service.outages.beat()
    assert lock.acquire()
    try:
        yield
    finally:
        lock.release()


def test_a_service_that_runs_on_a_file_is_in_order_and_can_be_safer(
    kontor: Kontor, service: Service, url: str
) -> None:
    with playing(service):
        found = examine(kontor, url, code=0)
    assert states(found) == {
        **dict.fromkeys(("settings", "version", "database", "tables", "rights", "service", "leader"), "ok"),
        "searching bots": "ok",
        "clock": "skipped",
        "keys": "advice",
        "secret": "advice",
        "disk": "ok",
        "proxy": "skipped",
    }
    assert VERSION in found["version"]["found"]


def test_the_table_shows_a_mark_for_each_check_and_what_to_do(
    kontor: Kontor, service: Service, url: str
) -> None:
    shown = kontor("doctor", "--database", url)
    assert shown.exit_code == 1
    assert "✓   tables" in shown.output
    assert "✗   leader" in shown.output
    assert "→ Start `kontor work` (or the unit kontor-work)" in shown.output
    assert "!   keys" in shown.output


def test_a_service_that_has_stopped_is_noticed(
    kontor: Kontor, service: Service, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(service):
        pass
    service.database.write(("UPDATE service_heartbeat SET at = 1", ()))
    found = examine(kontor, url)
    assert (found["service"]["state"], found["leader"]["state"]) == ("failed", "failed")
    assert "s ago" in found["service"]["found"]


def test_each_fault_is_named_with_its_remedy(
    kontor: Kontor, service: Service, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = service.settings.sqlite_path
    assert path is not None
    path.chmod(0o644)
    service.signer.clear_private_keys()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: (10**12, 10**12, 10**6))
    found = examine(kontor, url)
    assert found["rights"]["do"] == f"Run `chmod 600 {path}`."
    assert "KONTOR_SIGNING_KEY_FILE" in found["keys"]["do"]
    assert found["disk"]["state"] == "failed"
    service.database.write(("DROP TABLE seeks", ()))
    tables = examine(kontor, url)["tables"]
    assert (tables["found"], "kontor migrate" in tables["do"]) == ("missing: seeks", True)


def test_a_key_and_a_secret_outside_the_database_are_in_order(
    kontor: Kontor, service: Service, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kontor("keys", "move", str(tmp_path / "signing.key"), "--database", url).exit_code == 0
    monkeypatch.setenv("KONTOR_SIGNING_KEY_FILE", str(tmp_path / "signing.key"))
    monkeypatch.setenv("KONTOR_SECRET_KEY", "0f" * 32)
    found = examine(kontor, url)
    assert (found["keys"]["state"], found["secret"]["state"]) == ("ok", "ok")


def test_invalid_settings_and_a_missing_file_are_findings(
    kontor: Kontor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = examine(kontor, f"sqlite:///{tmp_path}/none.db", code=1)
    assert "There is no file" in found["database"]["found"]
    monkeypatch.setenv("KONTOR_POOL_SIZE", "many")
    assert "KONTOR_POOL_SIZE" in examine(kontor, f"sqlite:///{tmp_path}/none.db", code=1)["settings"]["found"]


def test_postgresql_its_clock_and_the_rights_of_the_role(kontor: Kontor, database_url: str) -> None:
    role = f"service_{uuid4().hex[:12]}"
    with closing(Service(Settings(database_url=database_url, service_role=role))) as owner:
        owner.migrate()
        found = examine(kontor, database_url)
        assert states(found)["clock"] == "ok"
        assert "owns the tables" in found["rights"]["found"]
        mine = database_url.replace("postgres@", f"{role}@", 1)
        with playing(owner):
            found = examine(kontor, mine, code=0)
        assert found["rights"]["found"] == f"The role {role} can append to evidence, and not change it."
        assert states(found)["leader"] == "ok"
        owner.database.write((f'REVOKE UPDATE (name) ON players FROM "{role}"', ()))
        found = examine(kontor, mine, code=1)
        assert found["rights"]["found"] == f"The role {role} lacks UPDATE on players."
        owner.database.write((f'REVOKE ALL ON signing_keys, outages, service_heartbeat FROM "{role}"', ()))
        found = examine(kontor, mine, code=1)
        assert found["rights"]["found"].endswith("more.")
        assert "permission denied" in found["keys"]["found"]
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f'DROP OWNED BY "{role}"')
        connection.execute(f'DROP ROLE "{role}"')


def test_a_server_that_is_away_or_unsuitable_is_named(kontor: Kontor, database_url: str) -> None:
    found = examine(kontor, "postgresql://kontor@127.0.0.1:1/kontor", code=1)
    assert "127.0.0.1:1 cannot be reached" in found["database"]["found"]
    assert "tables" not in found
    found = examine(kontor, database_url.replace("postgres@", "nobody@", 1), code=1)
    assert "There is no role nobody" in found["database"]["do"]


def test_clocks_that_differ_need_ntp() -> None:
    assert doctor._drift(-2500, "database server") == (
        "clock",
        "failed",
        "This clock differs from that of the database server by 2.5 s.",
        "Set up NTP on all machines (`timedatectl`).",
    )


@contextmanager
def public_service(version: str = VERSION, server: str = "", metrics: int = 404) -> Iterator[str]:
    """A service that answers as the parameters say."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/healthz" else metrics)
            self.send_header("Server-Time", "2026-11-18T12:00:00.000Z")
            self.end_headers()
            self.wfile.write(json.dumps({"version": version}).encode() if version else b"<html>")

        def version_string(self) -> str:
            return server

        def log_message(self, *_: Any) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{http.server_address[1]}"
        finally:
            http.shutdown()
            thread.join()


def test_what_clients_see_at_the_public_address_is_checked(
    kontor: Kontor, service: Service, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with public_service() as address:
        found = examine(kontor, url, "--url", address)
        assert (found["running version"]["state"], found["proxy"]["state"]) == ("ok", "ok")
        assert "that of the service at http" in found["clock"]["found"]
    with public_service("0.0.9", "nginx") as address:
        found = examine(kontor, url, "--url", address + "/")
        assert "0.0.9" in found["running version"]["found"]
        assert "KONTOR_TRUST_PROXY=1" in found["proxy"]["do"]
    monkeypatch.setenv("KONTOR_TRUST_PROXY", "1")
    with public_service("", metrics=200) as address:
        found = examine(kontor, url, "--url", address)
        assert "not Kontor" in found["running version"]["found"]
        assert "hide /metrics" in found["proxy"]["do"]
    assert examine(kontor, url, "--url", address)["proxy"]["state"] == "failed"


def test_a_public_address_without_tls_is_a_fault() -> None:
    headers: Any = {"Server": "nginx"}
    found = doctor._proxy(Settings(trust_proxy=1), "http://kontor.example.org", headers, 404)
    assert found.found == "Tokens are sent without encryption."


def test_matches_that_wait_for_searching_bots_without_a_process_are_reported(
    kontor: Kontor, service: Service, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KONTOR_BOT_PROCESSES", "0")
    assert states(examine(kontor, url, code=1))["searching bots"] == "advice"
    LocalPlayer(service).create(bot("search:1"), bot("greedy"), game="speicherstadt")
    found = examine(kontor, url, code=1)["searching bots"]
    assert (found["state"], found["found"]) == ("failed", "Matches wait for them, and no process plays them.")
    service.searching_bots("one").scan()
    assert examine(kontor, url, code=1)["searching bots"]["found"] == "a process plays them"
