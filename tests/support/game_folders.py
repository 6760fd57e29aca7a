"""Finds the source of a game and its tests."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import fields
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from kontor_games.domain.game import Game
from tests.domain.toy.games import toy_games


def package_of(game: Game) -> str:
    """The package of the game."""
    return game.rulesets[0].apply.__module__.partition(".rules")[0]


def own_tests(game: Game) -> str:
    """The package with the game's own tests."""
    parent = "toy" if game.id in toy_games() else "games"
    return f"tests.domain.{parent}.{package_of(game).rpartition('.')[2]}"


def folder(package: str) -> Path:
    """The folder of a package."""
    return Path(str(files(package)))


def rule_files(game: Game) -> tuple[set[str], set[str]]:
    """The files that define the entries of the tables of rules: those of moves, and those of steps."""
    rules = [type(rule) for ruleset in game.rulesets for rule in ruleset.moves.values()]
    steps = [getattr(ruleset.steps, step.name) for ruleset in game.rulesets for step in fields(ruleset.steps)]
    return _files(game, rules), _files(game, steps)


def _files(game: Game, entries: Iterable[Any]) -> set[str]:
    """The names of the files in the game's rules that define these entries."""
    modules = [str(getattr(entry, "func", entry).__module__) for entry in entries]
    return {
        module.rpartition(".")[2] for module in modules if module.startswith(f"{package_of(game)}.rules.")
    }


def sources(game: Game, *parts: str) -> Iterator[tuple[str, ast.Module]]:
    """The parsed source of a game, or of some files and folders of it, with the path of each file."""
    root = folder(package_of(game))
    for part in parts or (".",):
        for file in (
            [root / f"{part}.py"] if (root / f"{part}.py").exists() else sorted((root / part).rglob("*.py"))
        ):
            yield str(file.relative_to(root)), ast.parse(file.read_text(encoding="utf-8"))


def classes_of(module: str, base: type) -> list[type]:
    """The classes of a kind that a module defines."""
    found = vars(import_module(module)).values()
    return [
        thing
        for thing in found
        if isinstance(thing, type) and issubclass(thing, base) and thing.__module__ == module
    ]
