"""Clients that others generate from the contract compile, and play a match: in Python and in TypeScript."""

import shutil
import sys
from pathlib import Path

from kontor_games.domain.games import installed_games
from tests.client.service import ROOT, Service, run_program
from tests.client.typescript import MODULES, PROGRAMS, typescript_folder
from tests.support.npm import PAGE

CONTRACT = ROOT / "openapi.yaml"
GAMES = list(installed_games())
GENERATOR = """post_hooks: []
content_type_overrides: {application/yaml: application/json, application/x-ndjson: text/plain}
"""


def test_a_generated_python_client_passes_the_strictest_type_check_and_plays_matches(
    service: Service, tmp_path: Path
) -> None:
    (tmp_path / "generator.yaml").write_text(GENERATOR, encoding="utf-8")
    generate = (
        "generate",
        "--url",  # JSON, which the generator reads twice as fast as the file; test_contract.py compares both
        f"{service.url}/openapi.json",
        "--output-path",
        tmp_path / "kontor_api_client",
        "--meta",
        "none",
        "--fail-on-warning",
    )
    run_program(
        sys.executable,
        "-m",
        "openapi_python_client",
        *generate,
        "--config",
        tmp_path / "generator.yaml",
        cwd=tmp_path,
    )
    shutil.copy(PROGRAMS / "player.py", tmp_path)
    checked = run_program(
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        ROOT / "pyproject.toml",
        "--cache-dir",  # in which the standard library and other libraries are checked already
        ROOT / ".mypy_cache",
        "kontor_api_client",
        "player.py",
        cwd=tmp_path,
    )
    assert "Success" in checked
    for game in GAMES:
        assert "finished: played" in run_program(sys.executable, "player.py", service.url, game, cwd=tmp_path)


def test_a_generated_typescript_client_compiles_and_plays_matches(service: Service) -> None:
    folder, tools = typescript_folder("generated"), MODULES / "node_modules" / ".bin"
    for name in ("player.ts", "tsconfig.json"):
        shutil.copy(PROGRAMS / name, folder)
    run_program(tools / "openapi-typescript", CONTRACT, "-o", "contract.d.ts", cwd=folder)
    # The newest compiler, which is six times as fast; test_clients_page.py has that of package.json.
    run_program(PAGE.install() / ".bin" / "tsc", "--project", ".", cwd=folder)
    for game in GAMES:
        assert "finished: played" in run_program("node", "player.js", service.url, game, cwd=folder)
