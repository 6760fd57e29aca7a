import json
import re
from platform import python_version
from typing import Any

import pytest
from eventsourcing.persistence import OperationalError
from flask import Flask
from werkzeug.test import Client

from kontor_games.api import create_app, door
from kontor_games.api.page_files import POLICY, page
from kontor_games.service.errors import UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.logging_setup import set_up_logging
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database
from kontor_games.service.version import VERSION
from tests.api.conftest import ApiUser
from tests.api.contract import CheckedClient


def test_a_running_process_is_healthy(anonymous: ApiUser) -> None:
    healthy = {"status": "ok", "version": VERSION}
    assert anonymous.get("/healthz").json == healthy
    assert anonymous.get("/readyz").json == healthy
    assert anonymous.get("/").json["version"] == VERSION
    assert (
        f'kontor_build_info{{python="{python_version()}",version="{VERSION}"}} 1.0'
        in anonymous.get("/metrics").text
    )


def test_a_process_without_its_signing_key_is_not_ready_until_the_key_arrives(
    anonymous: ApiUser, kontor: Kontor, capsys: pytest.CaptureFixture[str]
) -> None:
    [private] = kontor.signer.stored_private_keys()
    kontor.signer.clear_private_keys()
    answers = [anonymous.get("/readyz") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [503, 503]
    assert "does not have the signing key" in answers[0].json["detail"]
    assert "KONTOR_SIGNING_KEY_FILE" in answers[0].json["detail"]
    assert capsys.readouterr().out.count("signing_key_missing") == 1
    kontor.database.write(("UPDATE signing_keys SET private_key = ?", [private]))
    assert anonymous.get("/readyz").status_code == 200
    assert "signing_key_found" in capsys.readouterr().out


def test_a_process_without_its_database_is_not_ready(
    anonymous: ApiUser, kontor: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Database, sql: str, values: object = ()) -> list[dict[str, Any]]:
        raise UnavailableError("the database can't be reached now")

    monkeypatch.setattr(Database, "read", fail)
    answer = anonymous.get("/readyz")
    assert (answer.status_code, answer.json["code"], answer.headers["Retry-After"]) == (
        503,
        "unavailable",
        "2",
    )
    assert anonymous.get("/healthz").status_code == 200


def test_metrics_are_counted_by_operation_and_contain_no_ids_or_tokens(
    anonymous: ApiUser, ada: ApiUser
) -> None:
    anonymous.get("/v1/games")
    anonymous.get(f"/v1/players/{ada.id}")
    text = anonymous.get("/metrics").text
    assert re.search(r'kontor_http_requests_total{operation="get_player",status="200"} \d', text)
    assert re.search(r'kontor_http_request_seconds_bucket{le="0.01",operation="list_games"} \d', text)
    assert ada.id not in text
    assert str(ada.token) not in text


def test_the_log_has_a_line_for_each_request_and_no_secret(
    anonymous: ApiUser,
    ada: ApiUser,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import structlog

    set_up_logging(Settings(log_format="json"))
    monkeypatch.setattr(door, "_log", structlog.get_logger("kontor_games.api"))
    ada.patch("/v1/me", {"name": "Ada Lovelace"}, headers={"Request-Id": "mine-1"})
    structlog.reset_defaults()
    line = capsysbinary.readouterr().out.decode().strip().splitlines()[-1]
    logged = json.loads(line)
    assert {name: logged[name] for name in ("event", "operation", "status", "id", "level")} == {
        "event": "request",
        "operation": "rename_me",
        "status": 200,
        "id": "mine-1",
        "level": "info",
    }
    assert set(logged) == {"event", "operation", "status", "id", "level", "ms", "at"}
    assert "Lovelace" not in line


def test_every_answer_carries_the_id_of_its_request(anonymous: ApiUser) -> None:
    assert anonymous.get("/healthz", headers={"Request-Id": "abc.1_2-3"}).headers["Request-Id"] == "abc.1_2-3"
    made = {anonymous.get("/healthz").headers["Request-Id"] for _ in range(3)}
    assert len(made) == 3
    wrong = anonymous.get("/healthz", headers={"Request-Id": "a b"})
    assert (wrong.status_code, wrong.json["errors"][0]["header"]) == (400, "Request-Id")
    assert wrong.headers["Request-Id"] != "a b"


@pytest.mark.parametrize("path", ["/healthz", "/v1/games", "/v1/nothing", "/v1/me", "/docs"])
def test_every_answer_is_safe_in_a_browser(anonymous: ApiUser, path: str) -> None:
    headers = anonymous.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Content-Security-Policy"].startswith("default-src 'none';")
    assert len(headers.getlist("Content-Security-Policy")) == 1
    assert re.fullmatch(r"2026-03-01T12:00:00\.000Z", headers["Server-Time"])
    assert "Server" not in headers


def test_private_answers_are_not_cached(ada: ApiUser) -> None:
    for path in ("/v1/me", "/v1/tokens", "/v1/matches", "/v1/events"):
        assert ada.get(path).headers["Cache-Control"] == "no-store"


def test_the_documents_run_under_the_policy_of_the_page_with_files_that_are_there(anonymous: ApiUser) -> None:
    answer = anonymous.get("/docs", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert answer.mimetype == "text/html"
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert "<style" not in answer.text
    names = re.findall(rf'"/web/{page().build}/([^"]+)"', answer.text)
    assert names == ["documents/docs.css", "documents/docs.js"]
    assert set(names) <= page().files.keys()
    assert not re.search(r'(src|href)="https?:', answer.text)


def test_html_documents_are_in_the_chosen_language_or_that_of_the_browser(
    anonymous: ApiUser,
) -> None:
    html = {"Accept": "text/html", "Accept-Language": "fr-CA, en;q=0.5"}
    for path in ("/docs", "/v1/fairness"):
        by_browser, chosen = (
            anonymous.get(path, headers=html),
            anonymous.get(f"{path}?language=de", headers=html),
        )
        for answer, language in ((by_browser, "fr"), (chosen, "de")):
            assert f'<html lang="{language}">' in answer.text
            assert answer.headers["Content-Language"] == language
            assert "Accept-Language" in answer.headers["Vary"]
            assert f'href="/docs?language={language}"' in answer.text
        assert anonymous.get(f"{path}?language=xx", headers=html).status_code == 422
    assert "API für Programme" in anonymous.get("/docs?language=de").text
    assert "Ein Konto erstellen" in anonymous.get("/docs?language=de").text


def test_the_contract_is_served_as_json_and_yaml(anonymous: ApiUser) -> None:
    import yaml

    as_json, as_yaml = anonymous.get("/openapi.json"), anonymous.get("/openapi.yaml")
    assert as_json.json["openapi"].startswith("3.1")
    assert yaml.load(as_yaml.text, yaml.CSafeLoader) == as_json.json
    assert (
        anonymous.get("/openapi.yaml", headers={"If-None-Match": as_yaml.headers["ETag"]}).status_code == 304
    )


# --- limits -------------------------------------------------------------------------------------------------


@pytest.fixture
def low_limits(settings: dict[str, Any]) -> None:
    settings["rate_limit_read"] = 3
    settings["rate_limit_register"] = 5


@pytest.mark.usefixtures("low_limits")
def test_limits_are_reported_and_enforced_per_token(ada: ApiUser, ben: ApiUser) -> None:
    answers = [ada.get("/v1/me") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers["RateLimit"] for answer in answers] == [
        '"read";r=2;t=21',
        '"read";r=1;t=41',
        '"read";r=0;t=61',
        '"read";r=0;t=61',
    ]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"read";q=3;w=60'}
    assert (answers[-1].json["code"], int(answers[-1].headers["Retry-After"])) == ("rate_limited", 21)
    assert ben.get("/v1/me").status_code == 200


@pytest.mark.usefixtures("low_limits")
def test_calls_without_a_token_are_counted_by_address(anonymous: ApiUser) -> None:
    here = [anonymous.get("/v1/matches").status_code for _ in range(4)]
    elsewhere = anonymous.get("/v1/matches", environ_base={"REMOTE_ADDR": "192.0.2.7"}).status_code
    assert (here, elsewhere) == ([200, 200, 200, 429], 200)


def test_the_client_address_is_taken_from_a_trusted_proxy(
    settings: dict[str, Any], low_limits: None, clock: Any
) -> None:
    made = Kontor(Settings(**{**settings, "trust_proxy": 1}), clock)
    made.migrate()
    app = create_app(made)
    app.test_client_class = CheckedClient
    client = app.test_client()
    statuses = [
        client.get("/v1/matches", headers={"X-Forwarded-For": f"192.0.2.{n}"}).status_code for n in range(5)
    ]
    made.close()
    assert statuses == [200] * 5


@pytest.mark.usefixtures("low_limits")
def test_a_forwarded_header_of_an_untrusted_client_is_ignored(anonymous: ApiUser) -> None:
    statuses = [
        anonymous.get("/v1/matches", headers={"X-Forwarded-For": f"192.0.2.{n}"}).status_code
        for n in range(4)
    ]
    assert statuses == [200, 200, 200, 429]


# --- other origins ------------------------------------------------------------------------------------------

HERE = {"Origin": "https://play.example.org"}
ASKING = {
    **HERE,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type",
}


def test_no_other_origin_is_allowed_by_default(anonymous: ApiUser) -> None:
    assert "Access-Control-Allow-Origin" not in anonymous.get("/v1/games", headers=HERE).headers
    preflight = anonymous.client.open("/v1/matches", method="OPTIONS", headers=ASKING)
    assert (preflight.status_code, preflight.data, preflight.headers.get("Content-Type")) == (204, b"", None)
    assert "Access-Control-Allow-Origin" not in preflight.headers


@pytest.fixture
def allowed_origins(settings: dict[str, Any], request: pytest.FixtureRequest) -> None:
    settings["cors_origins"] = request.param


@pytest.mark.parametrize("allowed_origins", [("https://play.example.org",)], indirect=True)
def test_the_operator_can_allow_an_origin(allowed_origins: None, app: Flask) -> None:
    client = app.test_client()
    answer = client.get("/v1/games", headers=HERE)
    assert answer.headers["Access-Control-Allow-Origin"] == "https://play.example.org"
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
    assert "Origin" in answer.headers.getlist("Vary")
    preflight = client.open("/v1/matches", method="OPTIONS", headers=ASKING)
    assert preflight.status_code == 204
    assert set(preflight.headers["Access-Control-Allow-Methods"].split(", ")) >= {"GET", "POST"}
    assert {"Authorization", "Idempotency-Key"} <= set(
        preflight.headers["Access-Control-Allow-Headers"].split(", ")
    )
    assert (
        "Access-Control-Allow-Origin"
        not in client.get("/v1/games", headers={"Origin": "https://evil.example"}).headers
    )


@pytest.mark.parametrize("allowed_origins", [("*",)], indirect=True)
def test_the_operator_can_allow_all_origins(allowed_origins: None, app: Flask) -> None:
    assert app.test_client().get("/v1/games", headers=HERE).headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("path", ["//v1/games", "///v1/games", "//healthz"])
def test_a_path_that_begins_with_two_slashes_is_not_found(app: Flask, path: str) -> None:
    answer = Client(app).get("/", environ_overrides={"PATH_INFO": path})
    assert answer.json is not None
    assert (answer.status_code, answer.json["instance"]) == (404, f"/.{path}")


def test_a_full_disk_is_reported_by_readyz_and_the_log(
    kontor: Kontor, anonymous: ApiUser, capsys: pytest.CaptureFixture[str]
) -> None:
    kontor.outages.role = "serves"
    assert anonymous.get("/readyz").status_code == 200
    kontor.database.write(("CREATE TABLE filler (bytes BLOB)", ()))
    [pages] = kontor.database.read("PRAGMA page_count")
    kontor.database.write((f"PRAGMA max_page_count = {pages['page_count']}", ()))
    with pytest.raises(UnavailableError, match="disk of the database is full"):
        kontor.database.write(("INSERT INTO filler VALUES (zeroblob(1000000))", ()))
    assert "database or disk is full" in capsys.readouterr().out


def test_a_process_that_cannot_write_is_not_ready(
    kontor: Kontor, anonymous: ApiUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    kontor.outages.role = "serves"

    def full(*_: Any) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(kontor.database, "_write", full)
    answer = anonymous.get("/readyz")
    assert (answer.status_code, answer.json["detail"].split(".")[0]) == (
        503,
        "The disk of the database is full",
    )
