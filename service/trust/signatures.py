"""Checks Ed25519 signatures, without a service or a database."""

from collections.abc import Sequence
from dataclasses import dataclass

from kontor_games.domain.codec import Plain
from kontor_games.domain.log_leaves import KeyLeaf
from kontor_games.service.ed25519 import id_of_key


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
