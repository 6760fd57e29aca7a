"""Every game is built by the same plan: the same files and folders, and one place for each thing."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from typing import Any

import pytest

from kontor_games.domain.data import read_text
from kontor_games.domain.game import Fact, Game, Move, MoveRule, Refusal
from tests.support.game_folders import classes_of, folder, own_tests, package_of, rule_files, sources
from tests.support.matches import all_games

pytestmark = pytest.mark.sampled

every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)

FILES = (
    "__init__.py",
    "RULES.md",
    "data/__init__.py",
    "data/derived.py",
    "data/FORMAT.md",
    "options.py",
    "moves.py",
    "refusals.py",
    "facts/__init__.py",
    "rules/__init__.py",
    "view.py",
    "view_schema.py",
    "resample.py",
    "text/sentences.py",
    "text/scene.py",
    "bots/__init__.py",
)
PARTS = {
    "__init__",
    "data",
    "options",
    "moves",
    "refusals",
    "state",
    "facts",
    "rules",
    "view",
    "view_schema",
    "resample",
    "text",
    "bots",
}


def module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def part(game: Game, name: str) -> Any:
    """A module of the game."""
    return import_module(f"{package_of(game)}.{name}")


@every_game
def test_a_game_has_the_files_and_folders_of_the_skeleton_and_no_others(game: Game) -> None:
    root = folder(package_of(game))
    assert [name for name in FILES if not (root / name).is_file()] == []
    drawing = {"picture"} if game.draw else set()
    there = {path.stem for path in root.iterdir() if path.name != "__pycache__" and path.suffix != ".md"}
    assert there == PARTS | drawing


@every_game
def test_the_parts_of_a_game_come_from_their_files(game: Game) -> None:
    assert game.data_sets == part(game, "data").DATA_SETS
    assert game.admit is part(game, "data").admit
    derived = part(game, "data.derived").derive(game.data_sets[0])
    assert derived.items() <= game.derive(game.data_sets[0]).items()  # numbers of the rules come with it
    assert game.data_format == read_text(f"{package_of(game)}.data", "FORMAT.md")
    assert game.rulesets == part(game, "rules").RULESETS
    assert game.rulesets[0] is part(game, "rules").VERSION_1
    assert game.bots == part(game, "bots").BOTS
    assert game.rules_texts["en"] == read_text(package_of(game), "RULES.md")
    for language, words in part(game, "text").MESSAGES.words().items():
        assert words.items() <= game.words[language].items()


@every_game
def test_rules_and_options_come_from_their_files(game: Game) -> None:
    for ruleset in game.rulesets:
        rules = type(ruleset.rules(game.data_sets[0]))
        assert rules is getattr(part(game, "rules"), rules.__name__)
        assert rules.__module__.startswith(f"{package_of(game)}.rules")
        assert type(ruleset.steps).__name__ == "Steps"
        assert type(ruleset.steps).__module__.startswith(f"{package_of(game)}.rules")
        assert ruleset.options.__module__ == f"{package_of(game)}.options"


@every_game
def test_every_fact_belongs_to_a_chapter_and_to_a_version(game: Game) -> None:
    defined = [
        kind
        for path, _ in sources(game, "facts")
        for kind in classes_of(f"{package_of(game)}.{module_name(path)}", Fact)
        if "__dataclass_fields__" in vars(kind)  # not what several facts have in common
    ]
    assert set(defined) == {kind for ruleset in game.rulesets for kind in ruleset.facts}
    assert set(game.rulesets[-1].facts) <= set(part(game, "facts").FACTS)


@every_game
def test_every_kind_of_move_has_one_rule_in_the_table(game: Game) -> None:
    kinds = classes_of(f"{package_of(game)}.moves", Move)
    assert {kind for ruleset in game.rulesets for kind in ruleset.moves} == set(kinds)
    for ruleset in game.rulesets:
        assert all(isinstance(rule, MoveRule) for rule in ruleset.moves.values())


@every_game
def test_every_rule_of_a_move_is_in_a_table(game: Game) -> None:
    defined = {
        rule
        for path, _ in sources(game, "rules")
        for rule in classes_of(f"{package_of(game)}.{module_name(path)}", MoveRule)
    }
    used = {type(rule) for ruleset in game.rulesets for rule in ruleset.moves.values()}
    assert used <= defined
    assert {rule for rule in defined if not any(issubclass(entry, rule) for entry in used)} == set()


@every_game
def test_moves_are_data_and_nothing_else(game: Game) -> None:
    nodes = [node for _, module in sources(game, "moves") for node in ast.walk(module)]
    functions = [node.name for node in nodes if isinstance(node, ast.FunctionDef)]
    assert [name for name in functions if name != "__post_init__"] == []


@every_game
def test_state_facts_and_moves_know_no_rule(game: Game) -> None:
    known = {
        (path, name)
        for path, module in sources(game, "state", "facts", "moves", "options", "data")
        for name in _imported(module)
        if re.match(rf"{package_of(game)}\.(rules|bots|text|view|resample|refusals)\b", name)
    }
    assert known == set()


def _imported(module: ast.Module) -> Iterator[str]:
    """What a module imports when it runs."""
    for node in module.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@every_game
def test_every_refusal_of_a_game_is_used(game: Game) -> None:
    kinds = {kind.__name__ for kind in classes_of(f"{package_of(game)}.refusals", Refusal)}
    used = {
        node.id if isinstance(node, ast.Name) else node.attr
        for path, module in sources(game)
        for node in ast.walk(module)
        if path != "refusals.py" and isinstance(node, ast.Name | ast.Attribute)
    }
    assert kinds - used == set()


@every_game
def test_every_chapter_has_its_name_from_the_rule_book_and_its_own_tests(game: Game) -> None:
    rules, steps = rule_files(game)
    chapters = {
        name for name in rules | steps if not any(name.startswith(f"{other}_") for other in rules | steps)
    }
    assert [name for name in chapters if not (folder(own_tests(game)) / f"test_{name}.py").is_file()] == []
    named = {
        name
        for name in chapters & rules
        if re.search(name.replace("_", "[ -]"), game.rules_texts["en"], re.IGNORECASE)
    }
    assert named == chapters & rules


@every_game
def test_a_game_has_a_trial_version_2_of_its_rules(game: Game) -> None:
    trial = import_module(f"{own_tests(game)}.second_version")
    first, second = game.rulesets[0], trial.VERSION_2
    changed: list[object] = [kind for kind in first.moves if second.moves[kind] is not first.moves[kind]]
    changed += [
        step.name
        for step in fields(first.steps)
        if getattr(second.steps, step.name) is not getattr(first.steps, step.name)
    ]
    assert len(changed) == 1
    assert (second.facts, second.options, second.apply) == (first.facts, first.options, first.apply)
