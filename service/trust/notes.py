"""Makes and checks signatures, and those under checkpoints: of the service, and cosignatures of witnesses."""

import struct
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kontor_games.domain.anomalies import anomaly
from kontor_games.domain.codec import Plain
from kontor_games.domain.log_leaves import KeyLeaf
from kontor_games.domain.signed_note import (
    COSIGNATURE,
    ED25519,
    Note,
    NoteKey,
    NoteSignature,
    cosigned_text,
    decode_base64,
)
from kontor_games.service.ed25519 import id_of_key, is_signed


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key, valid from a time until the next key becomes valid."""

    id: str
    public: str
    valid_from: int

    def plain(self) -> Plain:
        return {
            "id": self.id,
            "algorithm": "Ed25519",
            "public_key": self.public,
            "valid_from": self.valid_from,
        }

    @property
    def leaf(self) -> KeyLeaf:
        """The leaf that binds the key into the log."""
        return KeyLeaf(self.id, self.public, self.valid_from)


class UnreadableKeysError(Exception):
    """The input is not a list of published keys."""


def read_keys(published: Plain) -> list[PublicKey]:
    """Read published keys, the oldest first."""
    malformed = "these are not keys as a service publishes them"
    try:
        keys = [PublicKey(key["id"], key["public_key"], key["valid_from"]) for key in published]
        named_right = all(id_of_key(key.public) == key.id for key in keys)
        same = [key.plain() for key in keys] == list(published)
        keys.sort(key=lambda key: (key.valid_from, key.id))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UnreadableKeysError(malformed) from error
    if not keys:
        raise UnreadableKeysError("there are no keys")
    if not same or any(type(key.valid_from) is not int for key in keys):
        raise UnreadableKeysError(malformed)
    if not named_right:
        raise UnreadableKeysError("there is a key that is not named by its own hash")
    return keys


def key_at(keys: Sequence[PublicKey], at: int) -> PublicKey | None:
    """Return the key in use at a time: the newest that was valid then."""
    return next((key for key in reversed(keys) if key.valid_from <= at), None)


class UnreadableReceiptError(Exception):
    """The input is not a receipt."""


def read_receipt(receipt: Plain, subject: str = "match") -> tuple[str, int, str, int, str, str]:
    """Return the id of the subject, version, head, time, key id and signature of a receipt."""
    form = {subject: str, "version": int, "head": str, "at": int, "key": str, "signature": str}
    if not isinstance(receipt, dict) or any(
        type(receipt.get(name)) is not kind for name, kind in form.items()
    ):
        raise UnreadableReceiptError("this is not a receipt: it has " + ", ".join(form))
    match_id, version, head, at, key, signature = (receipt[name] for name in form)
    return match_id, version, head, at, key, signature


_COSIGNATURE = struct.Struct(">Q64s")
_LATEST_S = 2**63 - 1
CLOCK_ERROR_S = 300
"""How far the clocks of a service, a witness and a reader may differ."""


class Cosigner(NamedTuple):
    """A witness that cosigned a checkpoint, and the time in seconds that it stated."""

    name: str
    at_s: int


class UnsignedNoteError(Exception):
    """A checkpoint is not signed by the service, or one of its signatures is wrong."""


def note_key(origin: str, key: PublicKey) -> NoteKey:
    """Return a key of the service as it signs checkpoints: its name is the origin of the log."""
    return NoteKey(origin, ED25519, decode_base64(key.public))


def _is_valid(key: NoteKey, signature: bytes, message: bytes) -> bool:
    return is_signed(b64encode(key.public).decode(), b64encode(signature).decode(), message)


def signer_of(note: Note, origin: str, keys: Iterable[PublicKey]) -> PublicKey:
    """Return the key of the service that signed a note; a wrong signature of a known key is an error."""
    signers = list[PublicKey]()
    for key in keys:
        named = note_key(origin, key)
        for signature in note.by(named):
            if not _is_valid(named, signature.value, note.text.encode()):
                raise UnsignedNoteError(anomaly("never_signed"))
            signers.append(key)
    if not signers:
        raise UnsignedNoteError(anomaly("unknown_key"))
    return signers[0]


def cosign(text: str, key: NoteKey, private: Ed25519PrivateKey, at_s: int) -> NoteSignature:
    """Return the cosignature of a witness over the text of a checkpoint, at a time in seconds."""
    return NoteSignature(key.name, key.id, _COSIGNATURE.pack(at_s, private.sign(cosigned_text(text, at_s))))


def cosigned_at(text: str, signature: NoteSignature, key: NoteKey) -> int | None:
    """Return the time in seconds of a cosignature; None if the witness did not make it."""
    if (signature.name, signature.key) != (key.name, key.id) or len(signature.value) != _COSIGNATURE.size:
        return None
    at_s, value = _COSIGNATURE.unpack(signature.value)
    good = at_s <= _LATEST_S and _is_valid(key, value, cosigned_text(text, at_s))
    return int(at_s) if good else None


def cosigners(note: Note, witnesses: Sequence[NoteKey]) -> list[Cosigner]:
    """Return the witnesses that cosigned a note, with the newest time of each; each key counts once.

    A wrong signature of a known witness is an error, as it is for the service's own.
    """
    found = list[Cosigner]()
    for witness in {one.public: one for one in witnesses if one.kind == COSIGNATURE}.values():
        times = [cosigned_at(note.text, signature, witness) for signature in note.by(witness)]
        if None in times:
            raise UnsignedNoteError(f"the cosignature of {witness.name} is not right")
        found += [Cosigner(witness.name, max(filter(None, times), default=0))] if times else []
    return found
