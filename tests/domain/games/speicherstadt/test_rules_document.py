"""The rules document and the tests belong together: every numbered rule is cited by a test."""

import re
from pathlib import Path

from kontor_games.domain.games import speicherstadt
from kontor_games.domain.games.speicherstadt import GAME

FOLDER = Path(__file__).parent
RULE = re.compile(r"^- \*\*(S-\d+)\*\*", re.MULTILINE)


def rules() -> list[str]:
    return RULE.findall(GAME.rules_texts["en"])


def cited() -> dict[str, str]:
    """The numbers in the tests' own sources; this file cites none."""
    return {
        rule: path.name
        for path in FOLDER.glob("test_*.py")
        if path != Path(__file__)
        for rule in re.findall(r"S-\d+", path.read_text("utf-8"))
    }


def test_the_document_states_every_rule_once_and_in_order() -> None:
    assert rules() == [f"S-{number}" for number in [*range(1, 23), *range(30, 34)]]


def test_every_rule_is_cited_by_a_test() -> None:
    assert set(rules()) - set(cited()) == set()


def test_no_test_cites_a_rule_that_does_not_exist() -> None:
    """A range such as S-14 to S-16 names its ends, which exist."""
    assert set(cited()) - set(rules()) == set()


def test_every_refusal_and_every_move_cites_a_rule_of_the_document() -> None:
    sources = list(Path(speicherstadt.__file__).parent.rglob("*.py"))
    assert len(sources) > 20
    quoted = {rule for path in sources for rule in re.findall(r"S-\d+", path.read_text("utf-8"))}
    assert quoted - set(rules()) == set()


def test_rulings_are_marked() -> None:
    """What the sheets leave open was decided by us, and a player can see where."""
    with_ruling = [
        part.split("**")[0] for part in GAME.rules_texts["en"].split("- **S-")[1:] if "**Ruling" in part
    ]
    assert with_ruling == ["8", "9", "12", "15", "16", "18", "19", "20", "22", "30", "31", "33"]
