"""The messages of the page have the syntax of all others, and its code renders them as Python does."""

import json
import subprocess
from pathlib import Path

import pytest

from kontor_games.domain.codec import Plain
from kontor_games.domain.toolkit.messages import Messages, parse, phrase, slots
from tests.web.test_sources import LANGUAGES, PAGE_FOLDERS, strings

RENDER = Path(__file__).parent / "messages.mjs"
COUNTS = (0, 1, 2, 5, 21)


def rendered(asked: list[Plain]) -> list[str]:
    done = subprocess.run(
        ["node", RENDER], input=json.dumps(asked), capture_output=True, text=True, check=True, timeout=60
    )
    texts: list[str] = json.loads(done.stdout)
    return texts


def test_every_message_of_the_page_is_rendered_as_by_the_service() -> None:
    asked, expected = list[Plain](), list[str]()
    for folder in PAGE_FOLDERS:
        for language in LANGUAGES:
            messages = Messages(language, strings(folder, language))
            for key, text in messages.texts.items():
                used = list(slots(parse(text)))
                counted = {slot.name for slot in used if slot.kind == "plural"}
                for count in COUNTS if counted else (0,):
                    names = {slot.name for slot in used}
                    values = {name: count if name in counted else f"<{name}>" for name in names}
                    asked.append([language, text, values])
                    expected.append(messages.show(phrase(key, **values)))
    assert len(asked) > 4000
    assert rendered(asked) == expected


@pytest.mark.parametrize("folder", PAGE_FOLDERS, ids=lambda folder: folder.parent.name)
def test_messages_of_the_page_use_only_what_its_code_knows(folder: Path) -> None:
    found = [slot for text in strings(folder, "en").values() for slot in slots(parse(text))]
    assert {slot.kind for slot in found} <= {"", "plural", "select"}
    assert {slot.form for slot in found} <= {""}


def test_words_choose_and_a_missing_value_stays_visible() -> None:
    chosen = "{how, select, played {by {n, plural, one {# move} other {# moves}}} other {}} {who}"
    assert rendered([["en", chosen, {"how": "played", "n": 2}], ["en", chosen, {"how": "x", "n": 1}]]) == [
        "by 2 moves {who}",
        " {who}",
    ]


@pytest.mark.parametrize("wrong", ["{", "{a", "a}", "{a, plural, one {b}}", "{a other {b}}", "{a, plural}"])
def test_a_wrong_template_is_an_error(wrong: str) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        rendered([["en", wrong, {}]])
