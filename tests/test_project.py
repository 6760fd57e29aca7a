"""The repository itself: its commands, its pins, and what must not be in it."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from kontor_games.domain.games import installed_games

pytestmark = pytest.mark.untraced

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
GUIDES = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"]
# Concatenated, so that this file does not contain what it looks for.
FOREIGN = re.compile(
    "|".join(
        [
            "/(?:root|work|Users)/",
            "/home/(?!kontor)",
            "/opt/" + "(?:pypi|wheels)",
            "python" + "hosted",
            "npm" + r"js\.org",
        ]
    )
)


def committed_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def modules(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


# Commands


def targets() -> dict[str, str]:
    return dict(re.findall(r"^([a-z][a-z-]*):.*## (.+)$", MAKEFILE, re.MULTILINE))


STUB = """#!/bin/sh
case "$1 $2" in
    "-c "*) [ {version} -ge 311 ] || {{ echo "Kontor needs Python 3.11 or newer" >&2; exit 1; }} ;;
    "-m venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python && echo "$@" >> made ;;
esac
"""


def stub(path: Path, version: int) -> Path:
    """A stand-in for Python of this version that notes which virtual environments it makes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(STUB.format(version=version), encoding="utf-8")
    path.chmod(0o755)
    return path


def make(folder: Path, python: Path) -> subprocess.CompletedProcess[str]:
    for name in ("pyproject.toml", "constraints.txt"):
        (folder / name).touch(exist_ok=True)
    return subprocess.run(
        ["make", "--file", ROOT / "Makefile", ".venv/.serving", f"PYTHON={python}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_python_that_is_too_old_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    refused = make(tmp_path, stub(tmp_path / "old", 310))
    assert refused.returncode != 0
    assert "Kontor needs Python 3.11 or newer" in refused.stderr
    assert not (tmp_path / ".venv").exists()


def test_a_venv_of_an_old_or_missing_python_is_made_again_and_a_good_one_is_kept(tmp_path: Path) -> None:
    new = stub(tmp_path / "new", 311)
    stub(tmp_path / ".venv/bin/python", 310)
    for _ in range(2):
        assert make(tmp_path, new).returncode == 0
    assert (tmp_path / "made").read_text(encoding="utf-8") == "-m venv --clear .venv\n"
    (tmp_path / ".venv/bin/python").unlink()
    assert make(tmp_path, new).returncode == 0
    assert (tmp_path / "made").read_text(encoding="utf-8").count("\n") == 2
    (tmp_path / "constraints.txt").write_text("changed", encoding="utf-8")
    assert make(tmp_path, stub(tmp_path / "other", 310)).returncode == 0, "the one in .venv will do"


def test_every_target_is_explained() -> None:
    phony = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)[0].split()
    assert sorted(targets()) == sorted(phony)
    assert {"help", "serve", "test", "check", "bench", "fuzz", "chaos", "clean"} <= set(phony)


def test_make_without_a_target_lists_the_targets() -> None:
    shown = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert [
        name
        for name, text in targets().items()
        if not re.search(rf"^ +{name} +{re.escape(text)}$", shown, re.MULTILINE)
    ] == []


@pytest.mark.parametrize(("given", "port"), [([], "8000"), (["PORT=9000"], "9000")])
def test_the_port_can_be_chosen(given: list[str], port: str) -> None:
    planned = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "serve", *given],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert planned.splitlines()[-1] == f".venv/bin/kontor serve --port {port}"


@pytest.mark.parametrize(("wanted", "code"), [([], 0), (["postgresql"], 0), (["philosophers-stone"], 2)])
def test_bring_accepts_installed_programs_and_refuses_unknown_ones(wanted: list[str], code: int) -> None:
    assert (
        subprocess.run([ROOT / "tests/support/bring", *wanted], capture_output=True, check=False).returncode
        == code
    )


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_names_only_targets_and_files_that_exist(guide: str) -> None:
    text = (ROOT / guide).read_text(encoding="utf-8")
    assert set(re.findall(r"`make ([a-z-]+)", text)) <= set(targets())
    paths = re.findall(r"`((?:domain|service|api|tests|docs|deploy)/[\w./-]*)`", text)
    assert [path for path in paths if not (ROOT / path).exists()] == []


# Code


def test_no_python_file_has_more_than_400_lines() -> None:
    counted = {path: path.read_bytes().count(b"\n") for path in committed_files() if path.suffix == ".py"}
    long = {path.relative_to(ROOT).as_posix() for path, lines in counted.items() if lines > 400}
    assert long == set()


# Pins


def test_constraints_are_only_names_and_versions() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9.]+", line)] == []


def test_every_required_library_is_pinned() -> None:
    pinned = {
        _normal(line.partition("==")[0])
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    }
    wanted = [
        *PROJECT["project"]["dependencies"],
        *PROJECT["dependency-groups"]["dev"],
        *PROJECT["build-system"]["requires"],
        "pip",
    ]
    assert {_normal(re.split(r"[^\w.-]", name)[0]) for name in wanted} <= pinned


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_this_version_is_in_the_changelog() -> None:
    assert f"\n## {PROJECT['project']['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


# What must not be in the repository


def test_no_committed_file_contains_paths_or_hosts_of_a_developers_machine() -> None:
    found = []
    for path in committed_files():
        text = path.read_bytes().decode("utf-8", errors="ignore")
        found += [
            f"{path.relative_to(ROOT)}: {hit.group()}"
            for hit in FOREIGN.finditer(text)
            if path != Path(__file__)
        ]
    assert found == []


def test_the_domain_imports_nothing_but_the_standard_library() -> None:
    found = {
        name
        for _, module in modules("domain")
        for name in _imported(module)
        if not name.startswith("kontor_games.domain")
    }
    assert {name.partition(".")[0] for name in found} <= sys.stdlib_module_names


def test_the_domain_reads_and_prints_nothing() -> None:
    forbidden = {"open", "input", "print", "exec", "eval", "breakpoint", "__import__"}
    calls = [
        f"{path}:{node.lineno}"
        for path, module in modules("domain")
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in forbidden
    ]
    assert calls == []


def _imported(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def outside_the_games() -> Iterator[tuple[str, ast.Module]]:
    yield from ((path, module) for path, module in modules("domain") if not path.startswith("domain/games/"))
    yield (
        "domain/games/__init__.py",
        ast.parse((ROOT / "domain/games/__init__.py").read_text(encoding="utf-8")),
    )
    yield from modules("service", "api")


def _docstrings(module: ast.Module) -> set[int]:
    """The ids of the nodes of all docstrings."""
    bare = [
        node.value
        for node in ast.walk(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    return {id(constant) for constant in bare}


def test_no_module_outside_the_games_names_a_game() -> None:
    titles = [title for game in installed_games().values() for title in game.titles.values()]
    named = re.compile(
        "|".join(
            [rf"\b{re.escape(game)}\b" for game in installed_games()] + [re.escape(title) for title in titles]
            or ["(?!)"]
        )
    )
    found = []
    for path, module in outside_the_games():
        docstrings = _docstrings(module)
        texts = [
            n.value
            for n in ast.walk(module)
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in docstrings
        ]
        found += [f"{path}: {text}" for text in [*texts, *_imported(module)] if named.search(text)]
    assert found == []


def test_no_file_of_the_page_outside_the_games_names_a_game() -> None:
    quoted = re.compile(
        "|".join([rf"[\"'`]{re.escape(game)}[\"'`]" for game in installed_games()] or ["(?!)"])
    )
    pages = [
        path
        for path in committed_files()
        if path.relative_to(ROOT).parts[0] in ("api", "web")
        and path.relative_to(ROOT).parts[:2] not in (("web", "games"), ("web", "verifier"))
        and path.suffix in {".js", ".html", ".css"}
    ]
    assert [str(page) for page in pages if quoted.search(page.read_text(encoding="utf-8"))] == []
