"""Every numbered rule is cited by a test, and every refusal is provoked by one."""

import re
from pathlib import Path

from kontor_games.domain.game import Refusal
from kontor_games.domain.games.europe import GAME, refusals

SOURCES = {
    source.name: source.read_text(encoding="utf-8")
    for source in Path(__file__).parent.glob("test_*.py")
    if source.name != Path(__file__).name
}


def numbered() -> set[str]:
    return set(re.findall(r"^- \*\*E-(\d+)", GAME.rules_texts["en"], re.MULTILINE))


def cited() -> set[str]:
    """Rules in the names of tests: `test_e41_…`, `test_e5_and_e7_…`."""
    names = re.findall(r"^def (test_\w+)", "\n".join(SOURCES.values()), re.MULTILINE)
    return {number for name in names for number in re.findall(r"(?<=_)e(\d+)(?=_)", name)}


def test_every_rule_is_cited_by_the_name_of_a_test() -> None:
    assert len(numbered()) > 35
    assert numbered() - cited() == set()
    assert cited() - numbered() == set()


def test_every_refusal_is_provoked_by_a_test() -> None:
    kinds = {
        name
        for name, kind in vars(refusals).items()
        if isinstance(kind, type) and issubclass(kind, Refusal) and kind is not Refusal
    }
    tests = "\n".join(SOURCES.values())
    assert len(kinds) > 20
    assert [name for name in sorted(kinds) if not re.search(rf"\b{name}\b", tests)] == []


def test_every_refusal_cites_a_rule_of_the_document() -> None:
    folder = Path(refusals.__file__).parent
    code = "\n".join(source.read_text(encoding="utf-8") for source in folder.rglob("*.py"))
    given = set(re.findall(r'"(E-\d+)"', code))
    assert given
    assert {rule.removeprefix("E-") for rule in given} <= numbered()
