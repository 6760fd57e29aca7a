"""The hash chain of a match: every fact's record holds the hash of the one before it (docs/chain.md, with test vectors).

What is hidden enters a record only as a salted commitment, so that no published hash lets anyone find a hidden card by trying
all of them. The salts follow from the server's secret, which is revealed when the match ends: from then on anyone can open them.
"""

import hashlib
import hmac
from collections.abc import Mapping

from domain.codec import SPECTATOR, Codec, Plain, canonical
from domain.entry import Entry
from domain.game import Fact

GENESIS = "0" * 64
"""What the first record holds for the hash before it."""


def salt_of(server_secret: str, version: int, field: str) -> bytes:
    """The salt of one hidden field of one fact."""
    return hmac.digest(bytes.fromhex(server_secret), f"kontor.salt.1\n{version}:{field}".encode(), "sha256")


def commitment_to(value: Plain, salt: bytes) -> str:
    """The hash that binds a hidden value without showing it."""
    return hashlib.sha256(b"kontor.seal.1\n" + salt + canonical(value)).hexdigest()


def seal(codec: Codec, happened: Fact, version: int, server_secret: str) -> tuple[dict[str, Plain], dict[str, str]]:
    """A fact's public part, and the commitments to its hidden fields."""
    public = codec.show(happened, SPECTATOR)
    hidden = public.pop("hidden", ())
    if not hidden:
        return public, {}
    whole = codec.encode(happened)
    return public, {name: commitment_to(whole[name], salt_of(server_secret, version, name)) for name in hidden}


def record_of(match_id: str, version: int, entry: Entry, public: Mapping[str, Plain], sealed: Mapping[str, str], before: str) -> Plain:
    """The record of one fact: what the chain hashes. The first fact of an entry also carries the command that caused it."""
    caused = {"command": entry.command, "seat": entry.seat} if version == entry.first else {}
    return {
        "at": entry.at,
        "before": before,
        "by": entry.by,
        "fact": public,
        "match": match_id,
        "sealed": sealed,
        "version": version,
        **caused,
    }


def hash_of(record: Plain) -> str:
    """The hash of a record, which the next one holds."""
    return hashlib.sha256(canonical(record)).hexdigest()


def link(match_id: str, codec: Codec, entry: Entry, server_secret: str, before: str) -> list[str]:
    """The hashes of an entry's facts, each built on the one before."""
    hashes = []
    for version, happened in enumerate(entry.facts, entry.first):
        public, sealed = seal(codec, happened, version, server_secret)
        before = hash_of(record_of(match_id, version, entry, public, sealed, before))
        hashes.append(before)
    return hashes


def receipt_text(match_id: str, version: int, head: str, at: int) -> bytes:
    """What the service signs with every answer: where the match stood, and when."""
    return b"kontor.receipt.1\n" + canonical({"at": at, "head": head, "match": match_id, "version": version})
