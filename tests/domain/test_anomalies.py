"""What checks find wrong: codes with values, put in words by messages."""

import json
from typing import get_args

import pytest

from kontor_games.domain.anomalies import Code, anomaly, read_anomaly
from kontor_games.domain.fact_difference import difference
from kontor_games.domain.narration import MESSAGES
from kontor_games.domain.toolkit.languages import LANGUAGES

OTHER_DICE = difference({"type": "rolled", "dice": [1, 2]}, {"type": "rolled", "dice": [3, 4]})
LATE = anomaly("at_version", version=12, problem=OTHER_DICE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_message_in_every_language_and_every_message_a_code(language: str) -> None:
    messages = {key for key in MESSAGES[language].texts if key.startswith("anomalies.")}
    assert messages == {f"anomalies.{code}" for code in get_args(Code)}


def test_an_anomaly_as_a_text_is_an_english_sentence() -> None:
    assert str(LATE) == "at version 12: rolled says dice [1,2], the rules give [3,4]"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_has_the_values_in_every_language(language: str) -> None:
    text = LATE.told(language)
    assert all(value in text for value in ("12", "rolled", "dice", "[1,2]", "[3,4]"))
    assert ("the rules give" in text) == (language == "en")


def test_sentences_of_the_rules_stay_english_and_are_marked() -> None:
    refused = anomaly(
        "at_version", version=3, problem=anomaly("not_allowed", detail="It is not your turn. (E-20)")
    )
    marked = "bei Version 3: der Befehl war nicht erlaubt: <It is not your turn. (E-20)>"
    assert refused.told("de", "<{}>".format) == marked
    assert refused.told("en", "<{}>".format) == str(refused)


@pytest.mark.parametrize(
    ("found", "expected", "sentence"),
    [
        ({"type": "rolled"}, {"type": "dealt"}, "the rules give dealt here, not rolled"),
        ({"type": "rolled", "dice": 1}, {"type": "rolled"}, "rolled has no dice"),
        ({"type": "rolled"}, {"type": "rolled", "dice": 1}, "rolled lacks its dice"),
        ({"type": "rolled"}, {"type": "rolled"}, "rolled is as the rules give it"),
    ],
)
def test_a_difference_of_two_facts_is_an_anomaly(
    found: dict[str, object], expected: dict[str, object], sentence: str
) -> None:
    assert str(difference(found, expected)) == sentence


def test_the_stored_form_is_read_back() -> None:
    stored = json.dumps(LATE.plain())
    assert read_anomaly(json.loads(stored)) == LATE
    assert LATE.plain() == {
        "code": "at_version",
        "values": {
            "version": 12,
            "problem": {
                "code": "other_value",
                "values": {"fact": "rolled", "field": "dice", "found": "[1,2]", "right": "[3,4]"},
            },
        },
    }


def test_an_unknown_code_is_not_read() -> None:
    with pytest.raises(LookupError, match="there is no anomaly rained"):
        read_anomaly({"code": "rained", "values": {}})
