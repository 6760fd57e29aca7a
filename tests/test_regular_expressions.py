"""No regular expression takes more than linear time: a stranger may send the text that it reads.

In each pattern, what a repetition repeats and what can follow it begin with different characters. So there is
one way to match a text, and a failure is found without trying others. A pattern that is searched for is tried
at each position of the text: it must not repeat anything without a limit at all.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import kontor_games

SMALL = 64
"""A repetition with a smaller maximum costs no more than a constant."""
ALPHABET = [chr(code) for code in range(0x250)] + ["\u2028", "\ud800", "\U0001f600"]
END = frozenset(["end"])
SEARCHES = ("search", "sub", "subn", "split", "findall", "finditer")
OWN_TEXTS = {
    "domain/toolkit/messages.py": "templates, which are files of the project",
    "service/cli/replay_screen.py": "the keyboard of the player",
    "service/cli/play_session.py": "the keyboard of the player",
    "service/cli/play_table.py": "the answer of the player's own service",
    "domain/games/europe/picture/art.py": "drawings, which are a file of the project",
    "api/contract.py": "paths of operations",
    "api/openapi.py": "the generated API description",
    "service/store/append_only.py": "the table of rights in the module itself",
    "service/store/schema.py": "the statements that create the tables",
}
"""Modules whose patterns read no text of a stranger, and what they read."""
ANY_KIND = {_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT}


class AmbiguousPatternError(Exception):
    """A text can be matched in several ways."""


def repetition(node: tuple[Any, Any]) -> tuple[int, int, Any] | None:
    return node[1] if node[0] in ANY_KIND else None


@cache
def modules() -> list[Any]:
    """All modules of the project that can be imported without running anything."""
    packages = ("api", "service", "domain")
    found = walk_packages(kontor_games.__path__, "kontor_games.")
    names = [one.name for one in found if one.name.split(".")[1] in packages and "__main__" not in one.name]
    return [import_module(name) for name in names if not name.endswith("gunicorn_conf")]


def patterns_in(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict) and depth < 3:
        for one in value.values():
            yield from patterns_in(one, depth + 1)
    elif isinstance(value, list | tuple) and depth < 3:
        for one in value:
            yield from patterns_in(one, depth + 1)


class Grammar:
    """Checks one pattern."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._tree = _parser.parse(pattern, flags)
        self._flags, self._is_bytes = flags, isinstance(pattern, bytes)

    def check(self) -> None:
        self._check(list(self._tree), END, repeats=False)

    def is_searchable(self) -> bool:
        """Whether every repetition has a small maximum: then each position costs at most a constant."""
        return all(small for small in self._sizes(list(self._tree)))

    def _sizes(self, nodes: list[Any]) -> Iterator[bool]:
        for node in nodes:
            found = repetition(node)
            if found:
                yield found[1] <= SMALL
            for inner in self._inner(node):
                yield from self._sizes(inner)

    @staticmethod
    def _inner(node: tuple[Any, Any]) -> list[list[Any]]:
        kind, value = node
        if kind in ANY_KIND:
            return [list(value[2])]
        if kind is _constants.SUBPATTERN:
            return [list(value[3])]
        if kind is _constants.ATOMIC_GROUP:
            return [list(value)]
        if kind is _constants.BRANCH:
            return [list(one) for one in value[1]]
        return []

    def _check(self, nodes: list[Any], follow: frozenset[str], *, repeats: bool) -> None:
        for index, node in enumerate(nodes):
            after = self._first(nodes[index + 1 :], follow)
            found, inner = repetition(node), self._inner(node)
            is_long = found is not None and found[1] > SMALL
            if is_long:
                again = self._first(inner[0], frozenset())
                if again & after or self._is_nullable(inner[0]):
                    raise AmbiguousPatternError(sorted(again & after)[:5])
                after |= again
            elif node[0] is _constants.BRANCH and repeats:
                firsts = [self._first(one, after) for one in inner]
                if len(frozenset().union(*firsts)) < sum(map(len, firsts)):
                    raise AmbiguousPatternError("two alternatives begin in the same way")
            for one in inner:
                self._check(one, after, repeats=repeats or is_long)

    def _first(self, nodes: list[Any], follow: frozenset[str]) -> frozenset[str]:
        """The characters with which a sequence can begin; if it can be empty, also those that follow it."""
        found: frozenset[str] = frozenset()
        for node in nodes:
            inner = self._inner(node)
            if inner:
                found = found.union(*(self._first(one, frozenset()) for one in inner))
            elif node[0] not in (_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT):
                found |= self._characters(node)
            if not self._is_nullable([node]):
                return found
        return found | follow

    def _is_nullable(self, nodes: list[Any]) -> bool:
        return all(_parser.SubPattern(self._tree.state, [node]).getwidth()[0] == 0 for node in nodes)

    def _characters(self, node: tuple[Any, Any]) -> frozenset[str]:
        one = _compiler.compile(_parser.SubPattern(self._tree.state, [node]), self._flags & ~re.DEBUG)
        if self._is_bytes:
            return frozenset(chr(code) for code in range(256) if one.match(bytes([code])))
        return frozenset(character for character in ALPHABET if one.match(character))


def flags_of(pattern: re.Pattern[Any]) -> int:
    return pattern.flags & ~re.UNICODE


@pytest.mark.parametrize(
    ("pattern", "flags"),
    [
        (rb"\r\nexpect:[ \t]*([^\r]*?)[ \t]*\r\n", re.IGNORECASE),
        (r"(a+)+b", 0),
        (r"\w+\d", 0),
        (r"(?:ab|[ac]b)*d", 0),
        (r"(\s*x?\s*)*", 0),
    ],
)
def test_a_pattern_that_can_match_in_several_ways_is_found(pattern: str | bytes, flags: int) -> None:
    with pytest.raises(AmbiguousPatternError):
        Grammar(pattern, flags).check()


def test_every_pattern_matches_in_one_way() -> None:
    checked = set()
    for module in modules():
        path = str(Path(str(module.__file__)).resolve().relative_to(Path(__file__).parents[1]))
        if path in OWN_TEXTS:
            continue
        for name, value in vars(module).items():
            for pattern in patterns_in(value):
                checked.add(pattern.pattern)
                try:
                    Grammar(pattern.pattern, flags_of(pattern)).check()
                except AmbiguousPatternError as error:
                    pytest.fail(f"{path}: {name}: {pattern.pattern!r}: {error}")
    assert len(checked) > 20


def searched_patterns(path: Path, module: Any) -> Iterator[tuple[str | bytes, int]]:
    """The patterns that a module searches for, by functions of `re` or methods of its own patterns."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if node.func.attr not in SEARCHES or not isinstance(node.func.value, ast.Name):
            continue
        owner = node.func.value.id
        if owner == "re" and isinstance(node.args[0], ast.Constant):
            yield str(node.args[0].value), 0
        elif isinstance(pattern := getattr(module, owner, None), re.Pattern):
            yield pattern.pattern, flags_of(pattern)


def test_a_pattern_that_is_searched_for_repeats_nothing_without_a_limit() -> None:
    checked = 0
    for module in modules():
        path = Path(str(module.__file__)).resolve()
        if str(path.relative_to(Path(__file__).parents[1])) in OWN_TEXTS:
            continue
        for pattern, flags in searched_patterns(path, module):
            checked += 1
            assert Grammar(pattern, flags).is_searchable(), (path.name, pattern)
    assert checked > 4
