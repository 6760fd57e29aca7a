"""Signed notes and checkpoints: notes of other implementations are read, and anything else is refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor_games.domain.signed_note import (
    COSIGNATURE,
    ED25519,
    Note,
    NoteKey,
    NoteSignature,
    TreeHead,
    UnreadableNoteError,
    cosigned_text,
    is_key_name,
    read_key,
    read_note,
    read_signatures,
    read_tree_head,
)
from tests.domain import log_by_the_document as document

VECTORS: dict[str, Any] = json.loads(document.FILE.read_text(encoding="utf-8"))
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
"""The key in the documentation of golang.org/x/mod/sumdb/note."""
REMORA = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"
"""The key of a public witness."""


@pytest.mark.parametrize(("text", "kind"), [(PETER, ED25519), (REMORA, COSIGNATURE)])
def test_keys_of_other_implementations_are_read_and_written(text: str, kind: int) -> None:
    key = read_key(text, kind)
    assert (key.text, key.name, key.id.hex()) == (text, *text.split("+")[:2])


@pytest.mark.parametrize(
    "text",
    [
        *("", "a", "a+b", "a++", PETER[:-4], PETER + "A", PETER.replace("c74f", "c74e"), PETER.upper()),
        *(REMORA, " " + PETER, PETER + "\n", PETER.replace("PeterNeumann", "Peter Neumann"), "+c74f20a3+AR"),
    ],
)
def test_a_key_of_another_form_kind_or_id_is_refused(text: str) -> None:
    with pytest.raises(UnreadableNoteError):
        read_key(text, ED25519)


def test_keys_of_the_vectors_are_read() -> None:
    assert read_key(VECTORS["service_key"], ED25519).name == VECTORS["origin"]
    assert read_key(VECTORS["witness_key"], COSIGNATURE).name == document.WITNESS


@pytest.mark.parametrize("one", VECTORS["checkpoints"], ids=lambda one: str(one["size"]))
def test_checkpoints_of_the_vectors_are_read_and_written(one: dict[str, Any]) -> None:
    note = read_note(one["note"])
    head = read_tree_head(note)
    assert (head.origin, head.size, head.text) == (VECTORS["origin"], one["size"], note.text)
    assert note.write() == one["note"]
    assert [signature.name for signature in note.signatures] == [VECTORS["origin"], document.WITNESS]
    assert cosigned_text(note.text, one["time"]).decode() == one["cosigned_text"]
    assert note.signatures[1].line == one["cosignature"]


LINE = "— a AAAAAAAA\n"


@pytest.mark.parametrize(
    "content",
    [
        *(
            "",
            "text\n",
            "text\n\n",
            f"text\n{LINE}",
            f"\n\n{LINE}",
            f"text\n\n{LINE[:-1]}",
            f"text\n\n{LINE}\n",
        ),
        *(f"te\0xt\n\n{LINE}", f"te\txt\n\n{LINE}", f"text\r\n\n{LINE}", "text\n\n- a AAAAAAAA\n"),
        *(
            "text\n\n— a b AAAAAAAA\n",
            "text\n\n—a AAAAAAAA\n",
            "text\n\n— a+b AAAAAAAA\n",
            "text\n\n—  AAAAAAAA\n",
        ),
        *("text\n\n— a AAAA\n", "text\n\n— a AAAAAAAB=\n", "text\n\n— a ????????\n", f"text\n\n{LINE * 101}"),
        "x" * 100_001 + f"\n\n{LINE}",
    ],
)
def test_anything_else_is_not_a_note(content: str) -> None:
    with pytest.raises(UnreadableNoteError):
        read_note(content)


def test_the_last_empty_line_ends_the_text() -> None:
    note = read_note(f"one\n\ntwo\n\n{LINE}{LINE}")
    assert (note.text, len(note.signatures)) == ("one\n\ntwo\n", 2)


ROOT = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="


@pytest.mark.parametrize(
    "text",
    [
        *("a\n", "a\n1\n", f"\n1\n{ROOT}\n", f"a\n01\n{ROOT}\n", f"a\n-1\n{ROOT}\n", f"a\n+1\n{ROOT}\n"),
        *(
            f"a\n1_0\n{ROOT}\n",
            f"a\n١\n{ROOT}\n",
            "a\n1\nAAAA\n",
            f"a\n1\n{ROOT[:-1]}\n",
            f"a\n1\n{ROOT}\n\nb\n",
        ),
        f"a\n{10**16}\n{ROOT}\n",
    ],
)
def test_anything_else_is_not_a_tree_head(text: str) -> None:
    with pytest.raises(UnreadableNoteError):
        read_tree_head(Note(text, ()))


def test_extension_lines_are_part_of_the_text_and_nothing_else() -> None:
    note = read_note(f"a\n7\n{ROOT}\nextension\n\n{LINE}")
    assert read_tree_head(note) == TreeHead("a", 7, read_tree_head(note).root)
    assert note.text.endswith("extension\n")


@given(st.text())
def test_a_name_that_is_accepted_can_be_written_and_read(name: str) -> None:
    if is_key_name(name):
        line = NoteSignature(name, b"abcd", b"signature").line
        assert read_signatures(line) == (NoteSignature(name, b"abcd", b"signature"),)
        key = NoteKey(name, ED25519, bytes(32))
        assert read_key(key.text, ED25519) == key


@given(st.text())
def test_any_text_is_read_or_refused(content: str) -> None:
    for read in (read_note, read_signatures, lambda text: read_key(text, ED25519)):
        try:
            read(content)
        except UnreadableNoteError:
            continue
