"""The wheel, installed in a new environment beside other packages with the names of our folders."""

import json
import shutil
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.serving import free_port

ROOT = Path(__file__).parents[2]
OTHERS = ("kontor", "service", "domain", "api")
"""Names of our folders or project that belong to other packages on the package index."""
SOURCE_FOLDERS = ("kontor_games", "domain", "service", "api", "web")
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("wheel")


@pytest.fixture(scope="module")
def wheel(folder: Path) -> Path:
    source = folder / "source"  # a copy, since building leaves files behind
    for name in SOURCE_FOLDERS:
        shutil.copytree(
            ROOT / name, source / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    constraints = ("--constraint", ROOT / "constraints.txt", "--build-constraint", ROOT / "constraints.txt")
    run(sys.executable, *PIP, "wheel", *constraints, "--no-deps", "--wheel-dir", folder, source, cwd=folder)
    return next(folder.glob("kontor_games-*.whl"))


@pytest.fixture(scope="module")
def installed(folder: Path, wheel: Path) -> Path:
    """The Python of a new environment with our wheel and, installed after it, the other packages."""
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    run(python, *PIP, "install", "--constraint", ROOT / "constraints.txt", wheel, "setuptools", cwd=folder)
    run(python, *PIP, "install", "--no-deps", "--no-build-isolation", *OTHERS, cwd=folder)
    return python


@pytest.fixture
def service(installed: Path, tmp_path: Path) -> Iterator[str]:
    port = free_port()
    command = [str(installed.with_name("kontor")), "serve", "--port", str(port)]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(60)


def get_json(url: str) -> Any:
    """The JSON at an address of a service that may still be starting."""
    until = time.monotonic() + 180
    while True:
        try:
            with urllib.request.urlopen(url, timeout=60) as answer:  # noqa: S310  # our own address
                return json.load(answer)
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def test_the_wheel_has_one_package_with_all_its_documents(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"kontor_games"}
    assert "kontor_games/py.typed" in names
    for game in ("speicherstadt", "europe"):
        for document in ("RULES.md", "RULES.de.md", "RULES.fr.md", "RULES.it.md", "RULES.es.md"):
            assert f"kontor_games/domain/games/{game}/{document}" in names
    for file in (
        "index.html",
        "app.js",
        "i18n/de.json",
        "styles/base.css",
        "verifier/kontor-verify.mjs",
        "vendor/lit-html/LICENSE",
    ):
        assert f"kontor_games/web/{file}" in names
    assert not [name for name in names if "/tests/" in name or name.endswith(".pyc")]


def test_serving_needs_no_more_than_110_megabytes(installed: Path) -> None:
    files = [file for file in installed.parents[1].rglob("*") if file.is_file() and not file.is_symlink()]
    assert sum(file.stat().st_size for file in files) <= 110_000_000


def test_make_serve_installs_nothing_but_what_serving_needs() -> None:
    plan = run("make", "--dry-run", "--always-make", "serve", cwd=ROOT)
    assert "--editable ." in plan
    assert "--group dev" not in plan
    assert "This takes a minute, once." in plan


def test_a_match_is_played_beside_packages_with_the_names_of_our_folders(
    installed: Path, tmp_path: Path
) -> None:
    story = run(installed.with_name("kontor"), "watch", "speicherstadt", "--seed", "7", cwd=tmp_path)
    assert "buys" in story
    find = (
        "import importlib.util; "
        "print(*(importlib.util.find_spec(name).origin for name in ('kontor', 'service', 'domain', 'api')))"
    )
    assert "kontor_games" not in run(installed, "-c", find, cwd=tmp_path)


def test_the_rules_are_a_library(installed: Path, tmp_path: Path) -> None:
    program = (ROOT / "docs" / "library.md").read_text().partition("```python\n")[2].partition("```")[0]
    (tmp_path / "library.py").write_text(program)
    assert run(installed, "library.py", cwd=tmp_path)


def test_the_service_is_served_from_the_wheel(service: str) -> None:
    build = get_json(f"{service}/")["page_build"]
    # Our own address.
    with urllib.request.urlopen(f"{service}/web/{build}/app.js", timeout=60) as script:  # noqa: S310
        assert script.headers["Content-Type"].startswith("text/javascript")
    games = get_json(f"{service}/v1/games")["games"]
    assert {game["id"] for game in games} == {"speicherstadt", "europe"}
