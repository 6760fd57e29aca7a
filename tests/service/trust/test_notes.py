"""Signatures under checkpoints: ours, those of other implementations, and those that are wrong."""

import json
from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest

from kontor_games.domain.signed_note import COSIGNATURE, ED25519, NoteSignature, read_key, read_note
from kontor_games.service.ed25519 import key_id
from kontor_games.service.trust.notes import (
    PublicKey,
    UnsignedNoteError,
    cosign,
    cosigned_at,
    cosigners,
    signer_of,
)
from tests.api.cosigning import with_signatures, witness
from tests.domain import log_by_the_document as document

VECTORS: dict[str, Any] = json.loads(document.FILE.read_text(encoding="utf-8"))
ARCHE = """\
arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— arche2025h1.staging.ct.transparency.dev \
ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
— remora.n621.de \
2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
"""
"""A checkpoint of a public log with the cosignature of a public witness."""
ARCHE_KEY = "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f"
REMORA = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"


def published(vkey: str) -> PublicKey:
    raw = read_key(vkey, ED25519).public
    return PublicKey(key_id(raw), b64encode(raw).decode(), 0)


def test_a_checkpoint_of_a_public_log_is_verified() -> None:
    note, log = read_note(ARCHE), published(ARCHE_KEY)
    assert signer_of(note, "arche2025h1.staging.ct.transparency.dev", [log]) == log
    assert [one.name for one in cosigners(note, [read_key(REMORA, COSIGNATURE)])] == ["remora.n621.de"]
    changed = replace(note, text=note.text.replace("1432088532", "1432088533"))
    with pytest.raises(UnsignedNoteError, match="the service never signed this"):
        signer_of(changed, "arche2025h1.staging.ct.transparency.dev", [log])
    with pytest.raises(UnsignedNoteError, match=r"the cosignature of remora\.n621\.de is not right"):
        cosigners(changed, [read_key(REMORA, COSIGNATURE)])


@pytest.mark.parametrize("one", VECTORS["checkpoints"], ids=lambda one: str(one["size"]))
def test_checkpoints_of_the_vectors_are_verified(one: dict[str, Any]) -> None:
    note, key = read_note(one["note"]), published(VECTORS["service_key"])
    assert signer_of(note, VECTORS["origin"], [key]) == key
    known = read_key(VECTORS["witness_key"], COSIGNATURE)
    assert cosigned_at(note.text, note.signatures[1], known) == one["time"]


def test_unknown_signatures_are_ignored_and_wrong_ones_of_known_keys_are_not() -> None:
    note, key = read_note(VECTORS["checkpoints"][0]["note"]), published(VECTORS["service_key"])
    stranger = NoteSignature(VECTORS["origin"], b"xxxx", bytes(64))
    assert signer_of(with_signatures(note, [stranger]), VECTORS["origin"], [key]) == key
    wrong = replace(note.signatures[0], value=bytes(64))
    with pytest.raises(UnsignedNoteError, match="never signed"):
        signer_of(with_signatures(note, [wrong]), VECTORS["origin"], [key])
    for name, keys in ((VECTORS["origin"], []), ("other.example/log", [key])):
        with pytest.raises(UnsignedNoteError, match="not signed with a known key"):
            signer_of(note, name, keys)


def test_a_witness_counts_once_whatever_it_is_called() -> None:
    note = read_note(VECTORS["checkpoints"][0]["note"])
    own, other = witness("w.example/1", 1), witness("w.example/2", 2)
    lines = [cosign(note.text, own.public, own.private, at) for at in (5, 6)]
    again = replace(own, public=replace(own.public, name="w.example/again"))
    lines.append(cosign(note.text, again.public, again.private, 7))
    cosigned = with_signatures(note, lines)
    assert [one.name for one in cosigners(cosigned, [own.public, other.public])] == ["w.example/1"]
    assert len(cosigners(cosigned, [own.public, again.public])) == 1


@pytest.mark.parametrize("value", [b"", bytes(71), bytes(72), bytes(73), b"\xff" * 72])
def test_what_is_no_cosignature_has_no_time(value: bytes) -> None:
    note, own = read_note(VECTORS["checkpoints"][0]["note"]), witness("w.example/1", 1)
    assert cosigned_at(note.text, NoteSignature(own.public.name, own.public.id, value), own.public) is None


def test_a_cosignature_is_bound_to_its_time_and_key() -> None:
    note, own = read_note(VECTORS["checkpoints"][0]["note"]), witness("w.example/1", 1)
    line = cosign(note.text, own.public, own.private, 5)
    later = replace(line, value=(6).to_bytes(8, "big") + line.value[8:])
    assert cosigned_at(note.text, line, own.public) == 5
    assert cosigned_at(note.text, later, own.public) is None
    assert cosigned_at(note.text, line, witness("w.example/1", 2).public) is None
