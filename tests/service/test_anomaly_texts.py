"""Every problem that an audit can find has a text in every language."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from kontor_games.domain.fact_difference import difference
from kontor_games.service.documents.anomalies import anomaly_text, recognise
from kontor_games.service.documents.texts import LANGUAGE_NAMES, texts_in
from kontor_games.service.trust.audits import PRIVATE_PROBLEM

ROOT = Path(__file__).parents[2]
RAISED = {
    "domain/audit.py": None,
    "service/store/stored_record.py": {"_unreadable", "_require_head"},
    "service/trust/audits.py": None,
    "service/trust/checkpoint_check.py": {
        "_check_old_signature",
        "read_checkpoint",
        "check_leaves",
        "check_keys",
    },
    "service/trust/notes.py": {"signer_of"},
}
"""Where an audit reports problems: whole files, or functions in them."""
ERRORS = {
    "BrokenRecordError", "UnknownRulesError", "CheckpointMismatchError", "UnreadableCheckpointError",
    "UnsignedNoteError",
}  # fmt: skip
AUTHORS = ("domain/commands/playing.py", "domain/commands/by_service.py")
BOT = "the house bot merchant (version 3) on seat 1"
COMPOSED = (
    f"{BOT} makes one move at a time, not 2",
    f"{BOT} makes no move here, not this move",
    f'{BOT} makes the move {{"type":"pass"}} here, not this move',
    difference({"type": "rolled"}, {"type": "dealt"}),
    difference({"type": "rolled", "dice": 1}, {"type": "rolled"}),
    difference({"type": "rolled"}, {"type": "rolled", "dice": 1}),
    difference({"type": "rolled", "dice": [1, 2]}, {"type": "rolled", "dice": [3, 4]}),
    "the record ends here, but a checkpoint holds version 7: facts were taken away",
    "at version 7: the player did not sign this command",
    "the newest checkpoint: it is not signed with a known key of the service",
    PRIVATE_PROBLEM,
)
"""Sentences that are put together from several texts."""


def _functions(path: str) -> Iterator[ast.FunctionDef]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _sentence(node: ast.expr) -> str | None:
    """A text of the source, with a 7 for each value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values)
    return None


def _raised() -> Iterator[str]:
    for path, names in RAISED.items():
        for function in _functions(path):
            if names is not None and function.name not in names:
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS:
                    sentence = _sentence(node.args[-1])
                    if sentence is not None:
                        yield sentence


def _wrong_authors() -> Iterator[str]:
    for path in AUTHORS:
        for function in _functions(path):
            if function.name == "wrong_author":
                for node in ast.walk(function):
                    if isinstance(node, ast.IfExp):
                        yield from filter(None, map(_sentence, (node.body, node.orelse)))


def _every_sentence() -> list[str]:
    return sorted({*_raised(), *_wrong_authors(), *COMPOSED})


def test_everything_that_an_audit_can_find_has_a_text_and_every_text_is_used() -> None:
    found = {sentence: recognise(sentence) for sentence in _every_sentence()}
    assert [sentence for sentence, text in found.items() if text is None] == []
    known = {f"anomaly.{name}" for name in texts_in("en").group("anomaly.")}
    assert known - {text[0] for text in found.values() if text is not None} == set()


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_a_sentence_keeps_its_values_in_every_language(language: str) -> None:
    text = anomaly_text("at version 12: rolled says dice [1,2], the rules give [3,4]", texts_in(language))
    assert all(value in text for value in ("12", "rolled", "dice", "[1,2]", "[3,4]"))
    assert ("the rules give" in text) == (language == "en")


def test_english_sentences_are_unchanged() -> None:
    for sentence in _every_sentence():
        assert anomaly_text(sentence, texts_in("en")) == sentence


def test_unknown_problems_and_sentences_of_the_rules_stay_english() -> None:
    texts, marked = texts_in("de"), "<{}>".format
    assert anomaly_text("a fault", texts, english=marked) == "<a fault>"
    refused = "at version 3: the command was not allowed: It is not your turn."
    assert (
        anomaly_text(refused, texts, english=marked)
        == "bei Version 3: der Befehl war nicht erlaubt: <It is not your turn.>"
    )
