"""The client is a distribution of its own: a wheel without dependencies, independent of this repository."""

import json
import shutil
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.client.service import ROOT, Service, run_program
from tests.client.tables import GAMES

CONSTRAINTS = ROOT / "constraints.txt"
ABOUT = """
import json, kontor_client
from importlib.metadata import distribution
from importlib.resources import files
found = distribution("kontor-client")
print(json.dumps({
    "from": kontor_client.__file__,
    "requires": found.requires,
    "licence": found.metadata["License-Expression"],
    "typed": files("kontor_client").joinpath("py.typed").is_file(),
}))
"""


def pip(*arguments: str | Path) -> None:
    run_program(sys.executable, "-m", "pip", "--quiet", *arguments, cwd=ROOT)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build it from a copy of the folder alone."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source" / "any_name"
    shutil.copytree(
        ROOT / "kontor_client", source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
    )
    pip("wheel", "--no-deps", "--build-constraint", CONSTRAINTS, "--wheel-dir", folder / "built", source)
    [built] = (folder / "built").iterdir()
    return built


def test_the_wheel_contains_the_modules_and_nothing_else(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    package = {name for name in names if ".dist-info/" not in name}
    here = {f"kontor_client/{path.name}" for path in (ROOT / "kontor_client").glob("*.py")}
    assert package == here | {"kontor_client/py.typed"}


@pytest.fixture
def python(wheel: Path, tmp_path: Path) -> Path:
    """Return the Python of a virtual environment in which only the wheel is installed."""
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    pip("--python", python, "install", "--no-index", wheel)
    return python


def test_it_signs_and_checks_matches_without_any_library(
    python: Path, service: Service, state_folder: Path, tmp_path: Path
) -> None:
    bot = (python, "-I", "-m", "kontor_client.example_bot", "--url", service.url, "--game", GAMES[-1])
    assert "finished after" in run_program(*bot, cwd=tmp_path)
    [file] = state_folder.rglob("match.json")
    match = json.loads(file.read_bytes())
    assert (match["broken"], len(match["checked"]), len(match["key"])) == (None, 64, 44)


def test_it_is_installed_alone_and_its_example_explains_itself(python: Path, tmp_path: Path) -> None:
    about = json.loads(run_program(python, "-I", "-W", "error", "-c", ABOUT, cwd=tmp_path))
    assert Path(about.pop("from")).is_relative_to(tmp_path / "venv")
    assert about == {"requires": None, "licence": "MIT", "typed": True}
    assert "make serve" in run_program(
        python, "-I", "-m", "kontor_client.example_bot", "--help", cwd=tmp_path
    )


def test_its_licence_is_that_of_the_repository() -> None:
    assert (ROOT / "kontor_client" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
