"""Documents and files for contributors: links, commands, programs, issue forms, the workflow and the hook."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from kontor_games.domain.games import installed_games

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
PAGES = sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / "deploy").glob("*.md"), ROOT / "SECURITY.md"])


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def parsed(path: str) -> Any:
    return yaml.safe_load(read(ROOT / path))


# Documents


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_of_a_document_has_a_target(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", re.sub("`[^`\n]+`", "", read(page)))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_document_names_only_targets_that_the_makefile_has(page: Path) -> None:
    named = re.findall(r"`make ([a-z-]+)|^ *make ([a-z-]+)", read(page), re.MULTILINE)
    assert {first or second for first, second in named} <= TARGETS


def test_the_words_that_the_glossary_refers_to_have_entries() -> None:
    text = read(ROOT / "docs/glossary.md").partition("## Playing")[2]
    terms = {re.sub(r" \(.*", "", term).lower() for term in re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)}
    forms = {
        "opened": "sealed contribution",
        "stream": "stream of chance",
        "matches": "match",
        "entries": "entry",
    }
    used = {word.lower() for word in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", text)}
    singular = {forms.get(word, word if word in terms else word.removesuffix("s")) for word in used}
    assert singular - terms == set()


def test_the_rules_can_be_used_as_the_document_says() -> None:
    [program] = re.findall(
        r"^```python\n(.*?)^```$", read(ROOT / "docs/library.md"), re.MULTILINE | re.DOTALL
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    view, places = done.stdout.splitlines()
    assert "coins" in view
    assert re.fullmatch(r"\([1-3], [1-3], [1-3]\)", places)


# Issue forms, workflow and hook


def test_a_question_can_be_asked_about_every_game() -> None:
    [game] = [
        part
        for part in parsed(".github/ISSUE_TEMPLATE/rules-question.yml")["body"]
        if part.get("id") == "game"
    ]
    assert set(game["attributes"]["options"]) == {game.titles["en"] for game in installed_games().values()}


WORKFLOW = parsed(".github/workflows/ci.yml")
STEPS = [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]


def test_the_workflow_tests_every_python_that_we_support() -> None:
    versions = WORKFLOW["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert versions == ["3.11", "3.12", "3.13", "3.14"]
    assert PROJECT["requires-python"] == f">={versions[0]}"


def test_the_workflow_has_no_secret_and_only_read_permissions() -> None:
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert "secrets." not in read(ROOT / ".github/workflows/ci.yml")
