"""The hash chain of a match: every fact's record holds the hash of the one before it (docs/chain.md, with test vectors).

What is hidden enters a record only as a salted commitment, so that no published hash lets anyone find a hidden card by trying
all of them. The salts follow from the server's secret, which is revealed when the match ends: from then on anyone can open them.
"""

import hashlib
import hmac
from collections.abc import Mapping
from functools import lru_cache

from kontor_games.domain.codec import Codec, Plain, canonical, text_of
from kontor_games.domain.entry import Entry
from kontor_games.domain.game import Fact

GENESIS = "0" * 64
"""What the first record holds for the hash before it."""
COMMAND = "/command"
"""The field under which a command is sealed; no fact can have a field of this name."""


def salt_of(server_secret: str, version: int, field: str) -> bytes:
    """The salt of one hidden field of one fact."""
    return hmac.digest(bytes.fromhex(server_secret), f"kontor.salt.1\n{version}:{field}".encode(), "sha256")


def commitment_to(value: Plain, salt: bytes) -> str:
    """The hash that binds a hidden value without showing it."""
    return _bind(text_of(value), salt)


def _bind(text: str, salt: bytes) -> str:
    return hashlib.sha256(b"kontor.seal.1\n" + salt + text.encode()).hexdigest()


class Link:
    """One fact in the chain; most of its parts in canonical form already, as its record and its line in an export have them in common."""

    __slots__ = (
        "_by",
        "_match",
        "before",
        "command",
        "entry",
        "happened",
        "hash",
        "hides",
        "public",
        "sealed",
        "tail",
        "version",
        "wanted",
    )

    def __init__(self, match: str, by: str, entry: Entry, wanted: str, version: int, before: str) -> None:
        """Says its place; `seal` says the rest."""
        self._match = match
        self._by = by
        self.entry = entry
        self.wanted = wanted
        self.version = version
        self.happened: Fact = entry.facts[version - entry.first]
        self.before = before

    def seal(self, public: str, sealed: Mapping[str, str], command: str, tail: str) -> str:
        """Takes in what everybody may see and commitments to the rest; answers the hash of the record, which the next one holds."""
        self.public = public
        self.sealed = sealed
        self.command = command
        self.tail = tail
        self.hides = bool(sealed) or self.hides_command
        """Whether anything of it is hidden."""
        self.hash = hashlib.sha256(self.write(public, command)).hexdigest()
        return self.hash

    @property
    def hides_command(self) -> bool:
        """Whether it holds only a commitment to the command."""
        return self.tail.startswith('"sealed_command"')

    def write(self, fact: str, command: str, *, draws: str = "", hashed: str = "", salts: str = "", signature: str = "") -> bytes:
        """The canonical form of the record, or of a line with what else belongs there: keys in ascending order."""
        sealed = text_of(self.sealed) if self.sealed else "{}"
        return (
            f'{{"at":{self.entry.at},"before":"{self.before}","by":{self._by},{command}{draws}"fact":{fact},{hashed}'
            f'"match":{self._match},{salts}"sealed":{sealed},{self.tail}{signature}"version":{self.version}}}'
        ).encode()


def links_of(match_id: str, codec: Codec, entry: Entry, server_secret: str, before: str, wanted: str | None = None) -> list[Link]:
    """The facts of an entry, each linked to the one before; `wanted` is the canonical form of its command, if that is known."""
    match, by = _quoted(match_id), _quoted(entry.by)
    wanted = text_of(entry.command) if wanted is None else wanted
    facts = [_seal(codec, happened, version, server_secret) for version, happened in enumerate(entry.facts, entry.first)]
    command, tail = _cause(entry, wanted, server_secret, hides=any(sealed for _, sealed in facts))
    links = []
    for version, (public, sealed) in enumerate(facts, entry.first):
        links.append(Link(match, by, entry, wanted, version, before))
        before = links[-1].seal(public, sealed, command, tail)
        command = tail = ""
    return links


@lru_cache(maxsize=4096)
def _quoted(name: str) -> str:
    """The canonical form of an id: the same few come again and again."""
    return text_of(name)


def link(match_id: str, codec: Codec, entry: Entry, server_secret: str, before: str) -> list[str]:
    """The hashes of an entry's facts, each built on the one before."""
    return [linked.hash for linked in links_of(match_id, codec, entry, server_secret, before)]


def _seal(codec: Codec, happened: Fact, version: int, server_secret: str) -> tuple[str, Mapping[str, str]]:
    """A fact's public part in canonical form, and the commitments to its hidden fields."""
    public, hidden = codec.write_public(happened)
    if not hidden:
        return public, {}
    whole = codec.encode(happened)
    return public, {name: commitment_to(whole[name], salt_of(server_secret, version, name)) for name in hidden}


def _cause(entry: Entry, wanted: str, server_secret: str, *, hides: bool) -> tuple[str, str]:
    """What the first record of an entry says of the command. A move with a hidden outcome may name a hidden card: it is sealed too."""
    seat = f'"seat":{"null" if entry.seat is None else entry.seat},'
    if hides and entry.command["type"] == "play":
        commitment = _bind(wanted, salt_of(server_secret, entry.first, COMMAND))
        return "", f'"sealed_command":"{commitment}",{seat}'
    return f'"command":{wanted},', seat


def receipt_text(match_id: str, version: int, head: str, at: int) -> bytes:
    """What the service signs with every answer: where the match stood, and when."""
    return b"kontor.receipt.1\n" + canonical({"at": at, "head": head, "match": match_id, "version": version})
