"""Clients that others generate from the contract compile, and play a match: in Python and in TypeScript."""

import shutil
import subprocess
import sys
from pathlib import Path

from kontor_games.domain.games import installed_games
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


def test_a_generated_python_client_passes_the_strictest_type_check_and_plays_matches(
    service: Service, tmp_path: Path
) -> None:
    (tmp_path / "generator.yaml").write_text(GENERATOR, encoding="utf-8")
    generate = (
        "generate",
        "--path",
        CONTRACT,
        "--output-path",
        tmp_path / "generated",
        "--meta",
        "none",
        "--fail-on-warning",
    )
    run(
        sys.executable,
        "-m",
        "openapi_python_client",
        *generate,
        "--config",
        tmp_path / "generator.yaml",
        cwd=tmp_path,
    )
    shutil.copy(PROGRAMS / "player.py", tmp_path)
    checked = run(
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--cache-dir",
        ".cache",
        "generated",
        "player.py",
        cwd=tmp_path,
    )
    assert "Success" in checked
    for game in GAMES:
        assert "finished: played" in run(sys.executable, "player.py", service.url, game, cwd=tmp_path)


def test_a_generated_typescript_client_compiles_and_plays_matches(service: Service) -> None:
    bring_modules()
    for name in ("player.ts", "tsconfig.json"):
        shutil.copy(PROGRAMS / name, MODULES)
    run(
        "npx",
        "openapi-typescript",
        CONTRACT,
        "-o",
        "contract.d.ts",
        "--default-non-nullable=false",
        cwd=MODULES,
    )
    run("npx", "tsc", "--project", ".", cwd=MODULES)
    for game in GAMES:
        assert "finished: played" in run("node", "player.js", service.url, game, cwd=MODULES)


def bring_modules() -> None:
    """Installs what package.json names, unless it was done before."""
    wanted = (PROGRAMS / "package.json").read_text(encoding="utf-8")
    here, done = MODULES / "package.json", MODULES / "node_modules" / ".done"
    if done.exists() and here.read_text(encoding="utf-8") == wanted:
        return
    MODULES.mkdir(parents=True, exist_ok=True)
    here.write_text(wanted, encoding="utf-8")
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock", cwd=MODULES)
    done.touch()
