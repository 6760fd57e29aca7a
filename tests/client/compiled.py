"""Generates and compiles clients in Go and Java, and plays a match of each game with them: `make clients`."""

import os
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from kontor_games.domain.games import installed_games
from tests.client.service import ROOT, Service, run_program

PROGRAMS = ROOT / "tests" / "client" / "generated"
JAR = Path(str(files("openapi_generator_cli"))) / "openapi-generator.jar"
"""The generator. It contains Jackson, which clients in Java need."""
ANNOTATIONS = "/usr/share/java/jakarta-annotation-api.jar"
LIBRARIES = "/usr/share/gocode"
"""Debian's libraries for Go."""


def generate(folder: Path, language: str, *options: str) -> None:
    """Generate a client, with the generator's own check of the contract."""
    unwanted = "apiDocs=false,modelDocs=false,apiTests=false,modelTests=false"
    command = ("generate", "-i", str(ROOT / "openapi.yaml"), "-g", language, "-o", str(folder), *options)
    run_program("java", "-jar", JAR, *command, "--global-property", unwanted, cwd=folder.parent)


def go_player(folder: Path) -> list[str]:
    """The command of the player in Go."""
    package = folder / "src" / "kontor"
    package.mkdir(parents=True)
    generate(package, "go", "--additional-properties", "packageName=kontor,withGoMod=false")
    paths = {"GOPATH": f"{folder}:{LIBRARIES}", "GOCACHE": str(folder / "cache"), "GO111MODULE": "off"}
    os.environ.update(paths)
    run_program("go", "build", "-o", folder / "player", PROGRAMS / "player.go", cwd=folder)
    return [str(folder / "player")]


def java_player(folder: Path) -> list[str]:
    """The command of the player in Java."""
    folder.mkdir()
    generate(
        folder,
        "java",
        "--library",
        "native",
        "--additional-properties",
        "openApiNullable=false,useJakartaEe=true,useSingleRequestParameter=true",
        "--parameter-name-mappings",
        "wait=waitSeconds",  # every object in Java has a method `wait`
    )
    sources, classes = sorted((folder / "src" / "main").rglob("*.java")), folder / "classes"
    used = f"{JAR}:{ANNOTATIONS}"
    run_program(
        "javac", "-nowarn", "-cp", used, "-d", classes, *sources, PROGRAMS / "Player.java", cwd=folder
    )
    return ["java", "-cp", f"{classes}:{used}", "Player"]


def main() -> None:
    """Play with both clients, and print a line for each match."""
    with tempfile.TemporaryDirectory() as made, Service(Path(made)).running() as service:
        for name, player in (("Go", go_player), ("Java", java_player)):
            command = player(Path(made) / name)
            for game in installed_games():
                printed = run_program(*command, service.url, game, cwd=Path(made))
                if "finished: played" not in printed:
                    sys.exit(f"{name}, {game}: {printed}")
                print(f"{name}, {game}: {printed}", end="")  # noqa: T201


if __name__ == "__main__":
    main()
