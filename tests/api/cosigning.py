"""A witness with a fixed key, for tests of the API."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kontor_games.domain.signed_note import COSIGNATURE, Note, NoteKey, NoteSignature, read_note
from kontor_games.service.trust.notes import cosign
from kontor_games.service.trust.witness import WitnessKey

NOW_S = 1_772_366_400


def witness(name: str, seed: int) -> WitnessKey:
    """A witness whose key is derived from `seed`."""
    private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    return WitnessKey(NoteKey(name, COSIGNATURE, private.public_key().public_bytes_raw()), private)


WITNESS = witness("witness.example/w1", 7)


def cosignature_of(note: str, size: int, by: WitnessKey = WITNESS) -> dict[str, Any]:
    """The body of a request that submits a cosignature."""
    line = cosign(read_note(note).text, by.public, by.private, NOW_S).line
    return {"size": size, "signatures": line}


def with_signatures(note: Note, signatures: Iterable[NoteSignature]) -> Note:
    """The note with further signatures."""
    return replace(note, signatures=(*note.signatures, *signatures))
