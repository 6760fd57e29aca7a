"""The files of deploy/, checked without starting anything: names, ports, users and versions agree."""

import json
import re
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from kontor_games.service.cli import main
from kontor_games.service.settings import Settings, _default_of, _name_of
from tests.api.contract import contract

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
COMPOSE: dict[str, Any] = yaml.load((DEPLOY / "compose.yaml").read_bytes(), yaml.CSafeLoader)
SERVICES: dict[str, Any] = COMPOSE["services"]
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
NGINX = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
RUNBOOK = (DEPLOY / "RUNBOOK.md").read_text(encoding="utf-8")
OURS = ("migrate", "api", "work", "bots")


def instructions(name: str) -> list[str]:
    joined = DOCKERFILE.replace("\\\n", " ")
    return re.findall(rf"^{name} (.+)$", joined, re.MULTILINE)


@pytest.mark.parametrize("name", OURS)
def test_every_setting_in_the_compose_file_is_one_that_the_service_reads(name: str) -> None:
    given = {
        key: re.sub(r"\$\{\w+(?::[-?]([^}]*))?\}", "x" * 40, value)
        for key, value in SERVICES[name]["environment"].items()
    }
    given |= {key: "info" for key in given if key == "KONTOR_LOG_LEVEL"}
    given |= {key: "" for key in given if key == "KONTOR_WITNESSES"}
    read_by_gunicorn = set(
        re.findall(
            r'environ\.get\("(\w+)"', (ROOT / "service/cli/gunicorn_conf.py").read_text(encoding="utf-8")
        )
    )
    ours = {key: value for key, value in given.items() if key.startswith("KONTOR_")}
    assert given.keys() - ours.keys() <= read_by_gunicorn
    settings = Settings.from_environ(ours)
    assert settings.database_url.endswith("@database:5432/kontor")
    assert settings.workers_in_process == (name != "api")
    assert settings.trust_proxy == (1 if name == "api" else 0)


@pytest.mark.parametrize("name", ["migrate", "work", "bots"])
def test_the_commands_of_the_containers_exist(name: str) -> None:
    program, command, *options = SERVICES[name]["command"]
    assert program in PROJECT["scripts"]
    found = main.get_command(click.Context(main), command)
    assert found is not None
    assert {*options} <= {name for option in found.params for name in option.opts}


def test_the_service_connects_as_the_role_that_the_migration_sets_up() -> None:
    urls = {name: SERVICES[name]["environment"]["KONTOR_DATABASE_URL"] for name in OURS}
    role = SERVICES["migrate"]["environment"]["KONTOR_SERVICE_ROLE"]
    owner = SERVICES["database"]["environment"]["POSTGRES_USER"]
    assert urls["migrate"].startswith(f"postgresql://{owner}:")
    assert all(urls[name].startswith(f"postgresql://{role}:") for name in ("api", "work"))
    assert role != owner


def test_ports_agree_from_the_proxy_to_gunicorn() -> None:
    [bind] = re.findall(r"BIND=0\.0\.0\.0:(\d+)", DOCKERFILE)
    assert instructions("EXPOSE") == [bind]
    assert SERVICES["api"]["expose"] == [bind]
    assert f"http://127.0.0.1:{bind}/readyz" in DOCKERFILE
    assert re.findall(r"server (api:\d+)", NGINX) == [f"api:{bind}"]
    assert SERVICES["proxy"]["ports"][0].rpartition(":")[2] == re.findall(r"listen (\d+);", NGINX)[0]


def test_the_image_has_this_version_and_a_supported_python() -> None:
    assert COMPOSE["x-kontor"]["image"] == f"kontor:${{IMAGE_TAG:-{PROJECT['version']}}}"
    pythons = {re.findall(r"python:(\d+)\.(\d+)", base)[0] for base in instructions("FROM")}
    assert len(pythons) == 1
    assert tuple(map(int, pythons.pop())) >= tuple(map(int, re.findall(r"\d+", PROJECT["requires-python"])))


def test_the_image_has_everything_it_needs_and_is_pinned() -> None:
    copied = {source for line in instructions("COPY") if "--from" not in line for source in line.split()[:-1]}
    assert [source for source in copied if not (ROOT / source).exists()] == []
    assert set(PROJECT["license-files"]) | {PROJECT["readme"]} <= copied
    allowed = {
        line[1:]
        for line in (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    }
    assert allowed == copied
    installs = [part for line in instructions("RUN") for part in line.split("&&") if "pip install" in part]
    assert installs
    assert [part for part in installs if "--constraint constraints.txt" not in part] == []


def test_no_container_of_ours_runs_as_root_or_writes_outside_its_temporary_folder() -> None:
    assert int(instructions("USER")[-1]) > 0
    for name in (*OURS, "proxy"):
        assert SERVICES[name]["read_only"] is True
        assert SERVICES[name]["cap_drop"] == ["ALL"]
        assert SERVICES[name]["tmpfs"] == ["/tmp"]  # noqa: S108  # in the container
    written = re.findall(r"(?:_temp_path|pid) (\S+);", NGINX)
    assert len(written) == 6
    assert [path for path in written if not path.startswith("/tmp/")] == []  # noqa: S108


def test_no_committed_file_contains_a_secret() -> None:
    for value in (
        SERVICES["database"]["environment"]["POSTGRES_PASSWORD"],
        SERVICES["migrate"]["environment"]["KONTOR_SERVICE_PASSWORD"],
        COMPOSE["x-kontor"]["environment"]["KONTOR_SECRET_KEY"],
    ):
        assert re.fullmatch(r"\$\{\w+:\?.+\}", value)


def test_the_runbook_explains_every_setting_and_names_its_default() -> None:
    rows = re.findall(r"^\| `(KONTOR_\w+)` \| (.+?) \| .{20,} \|$", RUNBOOK, re.MULTILINE)
    shown = {_name_of(one): _default_of(one).replace("none", "–") for one in fields(Settings)}
    assert dict(rows) == shown
    assert set(re.findall(r"\bKONTOR_[A-Z][A-Z_]*\b", RUNBOOK)) == set(shown)


def test_the_runbook_names_only_commands_and_files_that_exist() -> None:
    commands = set(re.findall(r"`(?:[^`\n]* )?kontor ([a-z]+)[^`\n]*`", RUNBOOK))
    known = set(main.list_commands(click.Context(main)))
    assert commands
    assert commands <= known
    named = re.findall(r"`((?:deploy|docs|tests|service)/[\w./-]+)`", RUNBOOK)
    assert [path for path in named if path != "deploy/.env" and not (ROOT / path).exists()] == []


def test_problems_of_the_proxy_are_those_of_the_contract() -> None:
    sent = re.findall(r"return (\d+) '(\{.*\})';", NGINX)
    assert [status for status, _ in sent] == [
        "404",
        "400",
        "405",
        "408",
        "414",
        "431",
        "505",
        "413",
        "503",
        "503",
    ]
    for status, body in sent:
        problem = json.loads(body)
        documented = contract()["x-problems"][problem["code"]]
        assert documented == {"status": int(status), "title": problem["title"]}
        assert (problem["type"], problem["status"]) == (f"/docs#{problem['code']}", int(status))
