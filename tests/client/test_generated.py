"""Clients that others generate from the contract compile, and play a match: in Python and in TypeScript."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from domain.games import installed_games
from tests.client.service import ROOT, Service

PROGRAMS = Path(__file__).parent / "generated"
CONTRACT = ROOT / "openapi.yaml"
MODULES = ROOT / "build" / "generated-client"
"""Kept from run to run, since npm is slow."""
GAMES = list(installed_games())
GENERATOR = """package_name_override: generated
post_hooks: []
content_type_overrides: {application/yaml: application/json, application/x-ndjson: text/plain}
"""


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def python_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the generated package and the player."""
    folder = tmp_path_factory.mktemp("python")
    (folder / "generator.yaml").write_text(GENERATOR, encoding="utf-8")
    generate = ("generate", "--path", CONTRACT, "--output-path", folder / "generated", "--meta", "none", "--fail-on-warning")
    run(sys.executable, "-m", "openapi_python_client", *generate, "--config", folder / "generator.yaml", cwd=folder)
    shutil.copy(PROGRAMS / "player.py", folder)
    return folder


@pytest.fixture(scope="module")
def typescript_client() -> Path:
    """The same for TypeScript, compiled."""
    MODULES.mkdir(parents=True, exist_ok=True)
    wanted = (PROGRAMS / "package.json").read_text(encoding="utf-8")
    here = MODULES / "package.json"
    if not here.exists() or here.read_text(encoding="utf-8") != wanted or not (MODULES / "node_modules" / ".done").exists():
        here.write_text(wanted, encoding="utf-8")
        run("npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock", cwd=MODULES)
        (MODULES / "node_modules" / ".done").touch()
    for name in ("player.ts", "tsconfig.json"):
        shutil.copy(PROGRAMS / name, MODULES)
    run("npx", "openapi-typescript", CONTRACT, "-o", "contract.d.ts", "--default-non-nullable=false", cwd=MODULES)
    run("npx", "tsc", "--project", ".", cwd=MODULES)
    return MODULES


def test_a_generated_python_client_passes_the_strictest_type_check(python_client: Path) -> None:
    checked = run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", ".cache", "generated", "player.py", cwd=python_client)
    assert "Success" in checked


@pytest.mark.parametrize("game", GAMES)
def test_a_generated_python_client_plays_a_match(python_client: Path, service: Service, game: str) -> None:
    assert "finished: played" in run(sys.executable, "player.py", service.url, game, cwd=python_client)


@pytest.mark.parametrize("game", GAMES)
def test_a_generated_typescript_client_plays_a_match(typescript_client: Path, service: Service, game: str) -> None:
    assert "finished: played" in run("node", "player.js", service.url, game, cwd=typescript_client)
