"""Alert rules and dashboard: valid, tested with time series, and only about metrics that are exported."""

import json
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
import yaml

from tests.client.service import ROOT, Service, free_port
from tests.client.tables import create_bot_match
from tests.support.waiting import wait_until

PROMETHEUS = ROOT / "deploy" / "prometheus"
RULES: list[dict[str, Any]] = yaml.load((PROMETHEUS / "alerts.yaml").read_bytes(), yaml.CSafeLoader)[
    "groups"
][0]["rules"]
DASHBOARD: dict[str, Any] = json.loads((ROOT / "deploy/grafana/kontor.json").read_text(encoding="utf-8"))
SUBJECTS = (
    *("moves per second", "time of a move", "refusals", "group commit", "database", "leader"),
    *("clocks late", "streams", "cache of matches: bytes", "damaged matches"),
)


def promtool(*arguments: str, folder: Path = PROMETHEUS) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["promtool", *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "rules", "alerts.yaml"),
        ("check", "config", "prometheus.yaml"),
        ("test", "rules", "alerts.test.yaml"),
    ],
    ids=" ".join,
)
def test_promtool_accepts_the_rules_and_their_tests(arguments: tuple[str, ...]) -> None:
    checked = promtool(*arguments)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("broken", ["vector(1) < 0", "vector(1) > 0"])
def test_the_tests_of_the_rules_detect_alerts_that_never_or_always_fire(broken: str, tmp_path: Path) -> None:
    (tmp_path / "alerts.test.yaml").write_bytes((PROMETHEUS / "alerts.test.yaml").read_bytes())
    rules = [{**rule, "expr": broken} for rule in RULES]
    (tmp_path / "alerts.yaml").write_text(
        yaml.safe_dump({"groups": [{"name": "kontor", "rules": rules}]}), encoding="utf-8"
    )
    checked = promtool("test", "rules", "alerts.test.yaml", folder=tmp_path)
    assert checked.returncode == 1
    noticed = set(re.findall(r"alertname: ?(\w+)", checked.stdout + checked.stderr))
    assert noticed == {rule["alert"] for rule in RULES}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The metrics of a service with two processes after some requests, and of a worker."""
    folder = tmp_path_factory.mktemp("monitoring")
    port = free_port()
    node = Service(folder, WEB_CONCURRENCY="2", KONTOR_WORKERS="false")
    worker = Service(folder, "work", KONTOR_METRICS_PORT=str(port))
    with node.running():
        worker.start()
        try:
            with node.player() as ada:
                match = create_bot_match(ada)
                turn = next(iter(ada.turns(match.id)))
                ada.play(turn.id, turn.legal_moves[0], turn.version)
            wait_until(lambda: "kontor_leader 1.0" in metrics_of(f"http://127.0.0.1:{port}"))
            yield metrics_of(node.url) + metrics_of(f"http://127.0.0.1:{port}")
        finally:
            worker.kill()


def metrics_of(url: str) -> str:
    with suppress(URLError), urlopen(f"{url}/metrics", timeout=10) as answer:  # noqa: S310  # our own
        return str(answer.read().decode())
    return ""


def named(expression: str) -> set[str]:
    return set(re.findall(r"\bkontor_\w+", expression))


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = DASHBOARD["panels"]
    return found


def queries() -> list[str]:
    return [target["expr"] for panel in panels() for target in panel["targets"]]


def test_every_metric_in_rules_and_dashboard_is_exported_by_a_running_service(exported: str) -> None:
    there = set(re.findall(r"^(kontor_\w+)", exported, re.MULTILINE))
    wanted = set().union(*map(named, [rule["expr"] for rule in RULES] + queries()))
    assert len(wanted) > 10
    assert wanted <= there
    by_operation = set(re.findall(r'operation=~?"([a-z_|]+)"', " ".join([*queries(), *map(str, RULES)])))
    assert by_operation == {"play_moves|play_many_moves"}
    assert 'kontor_http_requests_total{operation="play_moves",status="201"} 1.0' in exported
    for worker in ("clock", "bots"):
        assert f'kontor_work_late_seconds_bucket{{le="2.0",worker="{worker}"}}' in exported


def test_the_runbook_explains_every_exported_metric_of_ours(exported: str) -> None:
    runbook = (ROOT / "deploy/RUNBOOK.md").read_text(encoding="utf-8")
    families = set(re.findall(r"^# TYPE (kontor_\w+?)(?:_created)? ", exported, re.MULTILINE))
    assert {name for name in families if name not in runbook and not name.endswith("_created")} == set()


def test_the_dashboard_has_a_panel_for_each_subject_and_none_without_a_query() -> None:
    titles = [panel["title"].lower() for panel in panels()]
    assert [subject for subject in SUBJECTS if not any(subject in title for title in titles)] == []
    assert len({panel["id"] for panel in panels()}) == len(panels()) == len(set(titles))
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels()}
    assert len(places) == len(panels())
    assert all(panel["targets"] and panel["description"] for panel in panels())


def test_every_query_of_the_dashboard_is_valid(tmp_path: Path) -> None:
    rules = [
        {"record": f"query_{number}", "expr": query.replace("$__rate_interval", "1m")}
        for number, query in enumerate(queries())
    ]
    (tmp_path / "queries.yaml").write_text(
        yaml.safe_dump({"groups": [{"name": "queries", "rules": rules}]}), encoding="utf-8"
    )
    checked = promtool("check", "rules", "queries.yaml", folder=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_port_in_use_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "kontor.db").touch()
    with socket.create_server(("0.0.0.0", 0)) as taken:  # noqa: S104  # as the metrics are served
        port = taken.getsockname()[1]
        worker = Service(tmp_path, "work", KONTOR_METRICS_PORT=str(port))
        worker.start()
        wait_until(lambda: not worker.runs)
    output = worker.log.read_text(encoding="utf-8")
    assert output == f"Error: Cannot serve metrics on port {port}: Address already in use.\n"


def test_the_example_scrapes_the_ports_that_serve_metrics() -> None:
    config = yaml.safe_load((PROMETHEUS / "prometheus.yaml").read_text(encoding="utf-8"))
    compose = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text(encoding="utf-8"))["services"]
    [job] = config["scrape_configs"]
    scraped = {target["names"][0]: target["port"] for target in job["dns_sd_configs"]}
    assert scraped == {
        "api": int(compose["api"]["expose"][0]),
        "work": int(compose["work"]["environment"]["KONTOR_METRICS_PORT"]),
    }
