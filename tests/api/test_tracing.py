"""OpenTelemetry traces: what they contain and must not contain, and that they cost nothing when off."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import structlog
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from kontor_games.api import create_app
from kontor_games.service import settings as settings_module
from kontor_games.service.errors import UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.logging_setup import set_up_logging
from kontor_games.service.settings import Settings, SettingsError
from kontor_games.service.tracing import Tracing
from tests.api.conftest import NO_LIMITS, ApiUser

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
ME, OPEN = {"type": "me"}, {"type": "open"}


@dataclass
class World:
    """A service with traces, and the exporter that collects its spans."""

    kontor: Kontor
    anonymous: ApiUser
    exporter: InMemorySpanExporter

    @property
    def spans(self) -> dict[str, ReadableSpan]:
        return {span.name: span for span in self.exporter.get_finished_spans()}


@pytest.fixture(params=["sqlite", "postgresql"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path}/kontor.db" if sqlite else request.getfixturevalue("database_url")
    kontor = Kontor(Settings(database_url=url, workers_in_process=False, **NO_LIMITS))
    kontor.migrate()
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    app = create_app(kontor, tracing=Tracing(provider))
    yield World(kontor, ApiUser(app.test_client()), exporter)
    kontor.close()


def register(world: World, name: str) -> ApiUser:
    made = world.anonymous.post("/v1/players", {"name": name}).json
    return ApiUser(world.anonymous.client, made["token"], made["id"])


def running_match(ada: ApiUser, ben: ApiUser) -> dict[str, Any]:
    match = ada.match(ME, OPEN)
    ben.post(f"/v1/matches/{match['id']}/seats", {})
    found: dict[str, Any] = ada.get(f"/v1/matches/{match['id']}").json
    return found


def test_a_move_is_a_request_with_a_command_that_is_stored_in_the_trace_of_its_caller(world: World) -> None:
    ada, ben = register(world, "Ada"), register(world, "Ben")
    match = running_match(ada, ben)
    player = [ada, ben][match["to_act"][0]]
    legal = player.get(f"/v1/matches/{match['id']}").json["legal_moves"]
    world.exporter.clear()
    sent = {"traceparent": f"00-{TRACE}-{PARENT}-01", "Request-Id": "find-me"}
    answer = player.post(f"/v1/matches/{match['id']}/moves", legal[0], headers=sent)
    assert answer.status_code == 201
    spans = world.spans
    storing = ["group commit"] if world.kontor.database.is_postgres else []
    assert {"play_moves", "command play", "store", *storing} <= spans.keys()
    assert {f"{span.context.trace_id:032x}" for span in spans.values()} == {TRACE}
    request = spans["play_moves"]
    assert request.parent is not None
    assert f"{request.parent.span_id:016x}" == PARENT
    assert dict(request.attributes or {}) == {
        "http.request.method": "POST",
        "http.response.status_code": 201,
        "kontor.operation": "play_moves",
        "kontor.request_id": "find-me",
    }
    above = {"command play": "play_moves", "store": "command play", "group commit": "store"}
    for name in ("command play", "store", *storing):
        parent = spans[name].parent
        assert parent is not None
        assert parent.span_id == spans[above[name]].context.span_id
    assert dict(spans["command play"].attributes or {}) == {"kontor.moves": 1}


def test_no_span_holds_a_token_a_name_a_query_or_anything_that_a_player_sent(world: World) -> None:
    ada, ben = register(world, "Ada-Secret"), register(world, "Ben-Secret")
    match = running_match(ada, ben)
    ada.get(f"/v1/matches/{match['id']}?after=secret-in-query")
    ada.get("/v1/secret-path")
    ApiUser(ada.client, "kontor_secret-token", "").get("/v1/me")
    ada.post(f"/v1/matches/{match['id']}/moves", {"type": "secret-move"})
    ada.post("/v1/tokens", {"label": "secret-label", "scopes": ["play"]})
    spans_json = "".join(span.to_json() for span in world.exporter.get_finished_spans())
    assert len(world.exporter.get_finished_spans()) > 20
    assert "ecret" not in spans_json
    assert [text for text in (ada.token, ben.token, ada.id, ben.id) if text and text in spans_json] == []


def test_a_span_records_only_the_type_of_an_error(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise UnavailableError("the secret reason")

    world.kontor.database.read = fail  # type: ignore[assignment,method-assign]
    tracing = Tracing(TracerProvider())
    world.exporter.clear()
    assert world.anonymous.get("/readyz").status_code == 503
    [request] = world.exporter.get_finished_spans()
    assert (request.name, request.status.is_ok) == ("get_readiness", False)
    with pytest.raises(UnavailableError):
        tracing.run(fail, "work", {})
    assert "secret" not in request.to_json()


def test_a_broken_traceparent_begins_a_trace_of_its_own(world: World) -> None:
    world.anonymous.get("/healthz", headers={"traceparent": "00-zz-zz-01"})
    [request] = world.exporter.get_finished_spans()
    assert request.parent is None


def test_log_lines_name_the_trace(
    world: World, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    structlog.reset_defaults()
    set_up_logging(Settings(database_url="sqlite:///x.db", log_format="json", traces=True))
    try:
        monkeypatch.setattr("kontor_games.api.door._log", structlog.get_logger("kontor_games.api"))
        world.anonymous.get("/healthz", headers={"traceparent": f"00-{TRACE}-{PARENT}-01"})
    finally:
        structlog.reset_defaults()
    [request] = world.exporter.get_finished_spans()
    lines = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    [line] = [line for line in lines if line["event"] == "request"]
    assert (line["trace_id"], line["span_id"]) == (TRACE, f"{request.context.span_id:016x}")


def test_spans_are_sent_when_the_process_ends(tmp_path: Path) -> None:
    kontor = Kontor(Settings(database_url=f"sqlite:///{tmp_path}/kontor.db", workers_in_process=False))
    kontor.migrate()
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    Tracing(provider).watch(kontor)
    kontor.database.read("SELECT 1 AS one")
    kontor.close()
    assert [span.name for span in exporter.get_finished_spans()] == ["database SELECT"]
    assert exporter.export([]).name == "FAILURE"  # it was shut down


OFF = """
import sys
from kontor_games.api import create_app
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
kontor = Kontor(Settings(database_url="sqlite:///" + sys.argv[1]))
kontor.migrate()
assert create_app(kontor).test_client().get("/readyz").status_code == 200
wrapped = [name for owner in (kontor, kontor.matches, kontor.store, kontor.database) for name in vars(owner)
           if name in ("execute", "play", "append_all", "read", "write", "close")]
assert wrapped == [], wrapped
assert [name for name in sys.modules if name.startswith("opentelemetry")] == []
kontor.close()
"""


def test_without_traces_no_tracing_code_is_imported_and_no_method_is_wrapped(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", OFF, f"{tmp_path}/kontor.db"], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr


def test_without_the_libraries_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings.from_environ({"KONTOR_TRACES": "true"}).traces is True
    monkeypatch.setattr(settings_module, "_TRACE_LIBRARIES", ("opentelemetry.nowhere",))
    with pytest.raises(
        SettingsError, match=r"needs more libraries: run `pip install 'kontor-games\[traces\]'`"
    ):
        Settings.from_environ({"KONTOR_TRACES": "true"})
    assert Settings.from_environ({"KONTOR_TRACES": "false"}).traces is False
