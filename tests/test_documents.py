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
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
REQUIRED = ("SECURITY.md", "glossary.md", "library.md", "releasing.md", "versions.md")


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def parsed(path: str) -> Any:
    return yaml.safe_load(read(ROOT / path))


# Documents


def test_the_documents_for_contributors_exist() -> None:
    assert set(REQUIRED) <= {page.name for page in PAGES}


@pytest.mark.parametrize("layer", ["api", "service", "domain"])
def test_the_tables_of_the_architecture_page_name_every_module_and_nothing_else(layer: str) -> None:
    heading, table = f"| module of `{layer}/` | purpose |\n", read(ROOT / "ARCHITECTURE.md")
    rows = table.partition(heading)[2].partition("\n\n")[0].splitlines()
    named = {name.split("/")[0] for row in rows for name in re.findall("`([^`]+)`", row.split(" | ")[0])}
    modules = {path.name for path in (ROOT / layer).glob("*.py") if not path.stem.startswith("__")}
    packages = {path.parent.name for path in (ROOT / layer).glob("*/__init__.py")}
    assert named == modules | packages


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_of_a_document_has_a_target(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", re.sub("`[^`\n]+`", "", read(page)))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_document_names_only_targets_that_the_makefile_has(page: Path) -> None:
    named = re.findall(r"`make ([a-z-]+)|^ *make ([a-z-]+)", read(page), re.MULTILINE)
    assert {first or second for first, second in named} <= TARGETS


def test_the_glossary_has_each_term_once_in_alphabetical_order() -> None:
    sections = [
        re.findall(r"^\| (?!term \|)([^-|][^|]*) \|", part, re.MULTILINE)
        for part in read(ROOT / "docs/glossary.md").split("\n## ")[1:]
    ]
    terms = [term for section in sections for term in section]
    assert len(terms) >= 40
    assert len(set(terms)) == len(terms)
    assert sections == [sorted(section, key=str.lower) for section in sections]


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


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_an_issue_form_is_complete(form: Path) -> None:
    content = yaml.safe_load(read(form))
    assert set(content) == {"name", "description", "title", "labels", "body"}
    fields = [part for part in content["body"] if part["type"] != "markdown"]
    assert {part["type"] for part in fields} <= {"dropdown", "input", "textarea"}
    assert len({part["id"] for part in fields}) == len(fields)
    assert all(
        part["attributes"]["label"] and isinstance(part["validations"]["required"], bool) for part in fields
    )


def required(form: str) -> list[str]:
    body = parsed(f".github/ISSUE_TEMPLATE/{form}.yml")["body"]
    return [part["id"] for part in body if part.get("validations", {}).get("required")]


def test_the_forms_require_what_is_needed_for_an_answer() -> None:
    assert required("rules-question") == ["game", "rule", "situation", "happened", "expected"]
    assert required("bug-report") == ["part", "version", "environment", "steps", "happened", "expected"]


def test_a_question_can_be_asked_about_every_game() -> None:
    [game] = [
        part
        for part in parsed(".github/ISSUE_TEMPLATE/rules-question.yml")["body"]
        if part.get("id") == "game"
    ]
    assert set(game["attributes"]["options"]) == {game.titles["en"] for game in installed_games().values()}


WORKFLOW = parsed(".github/workflows/ci.yml")
STEPS = [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]


def test_the_workflow_runs_our_targets_and_nothing_else() -> None:
    commands = [step["run"] for step in STEPS if "run" in step]
    assert commands == ["make check PYTHON=python", "make test PYTHON=python"]
    assert {command.split()[1] for command in commands} <= TARGETS


def test_the_workflow_tests_every_python_that_we_support() -> None:
    versions = WORKFLOW["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert versions == ["3.11", "3.12", "3.13", "3.14"]
    assert PROJECT["requires-python"] == f">={versions[0]}"


def test_the_workflow_has_no_secret_and_only_read_permissions() -> None:
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert "secrets." not in read(ROOT / ".github/workflows/ci.yml")


def test_actions_are_pinned_by_major_version() -> None:
    actions = [step["uses"] for step in STEPS if "uses" in step]
    assert actions
    assert [action for action in actions if not re.fullmatch(r"actions/[a-z-]+@v\d+", action)] == []


def test_the_pre_commit_hook_runs_the_checks() -> None:
    [repository] = parsed(".pre-commit-config.yaml")["repos"]
    [hook] = repository["hooks"]
    assert (repository["repo"], hook["entry"], hook["language"]) == ("local", "make check", "system")
    assert hook["pass_filenames"] is False
