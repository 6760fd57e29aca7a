"""The hash chain of a match: every record holds the hash of the one before (docs/chain.md, test vectors).

What is hidden enters a record only as a salted commitment, so that no published hash lets anyone find a
hidden card by trying all of them. The salts follow from the server's secret, which is revealed when the match
ends: from then on anyone can open them.
"""

import hashlib
import hmac
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from kontor_games.domain.codec import Codec, Plain, canonical, text_of
from kontor_games.domain.commands import Entry, command_codec
from kontor_games.domain.game import Fact, Rules
from kontor_games.domain.match_facts import fact_codec

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
    """One fact in the chain.

    Its parts are kept in canonical form, since the hashed record and the line of an export share them.
    """

    __slots__ = (
        "_by",
        "_match",
        "before",
        "command",
        "command_text",
        "entry",
        "fact",
        "hash",
        "hides",
        "public",
        "sealed",
        "tail",
        "version",
    )

    def __init__(
        self, match: str, by: str, entry: Entry, command_text: str, version: int, before: str
    ) -> None:
        """Set the place in the chain; `seal` sets the rest."""
        self._match = match
        self._by = by
        self.entry = entry
        self.command_text = command_text
        self.version = version
        self.fact: Fact = entry.facts[version - entry.first]
        self.before = before

    def seal(self, public: str, sealed: Mapping[str, str], command: str, tail: str) -> str:
        """Takes in what everybody may see and commitments to the rest.

        Answers the hash of the record, which the next one holds.
        """
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

    def write(
        self,
        fact: str,
        command: str,
        *,
        draws: str = "",
        hashed: str = "",
        salts: str = "",
        signature: str = "",
    ) -> bytes:
        """The canonical form of the record, or of the line of an export, with its further keys."""
        sealed = text_of(self.sealed) if self.sealed else "{}"
        return (
            f'{{"at":{self.entry.at},"before":"{self.before}","by":{self._by},{command}{draws}"fact":{fact},{hashed}'
            f'"match":{self._match},{salts}"sealed":{sealed},{self.tail}{signature}"version":{self.version}}}'
        ).encode()


def links_of(
    match_id: str,
    rules: Rules[Any],
    entry: Entry,
    server_secret: str,
    before: str,
    command_text: str | None = None,
) -> list[Link]:
    """The facts of an entry, each linked to the one before.

    `command_text` is the canonical form of its command, if known.
    """
    match, by, codec = _quoted(match_id), _quoted(entry.by), fact_codec(rules)
    if command_text is None:
        command_text = command_codec(rules).write_public(entry.command)[0]
    facts = [
        _seal(codec, fact, version, server_secret) for version, fact in enumerate(entry.facts, entry.first)
    ]
    command, tail = _cause(entry, command_text, server_secret, hides=any(sealed for _, sealed in facts))
    links = []
    for version, (public, sealed) in enumerate(facts, entry.first):
        links.append(Link(match, by, entry, command_text, version, before))
        before = links[-1].seal(public, sealed, command, tail)
        command = tail = ""
    return links


@lru_cache(maxsize=4096)
def _quoted(name: str) -> str:
    """The canonical form of an id: the same few come again and again."""
    return text_of(name)


def link(match_id: str, rules: Rules[Any], entry: Entry, server_secret: str, before: str) -> list[str]:
    """The hashes of an entry's facts, each built on the one before."""
    return [linked.hash for linked in links_of(match_id, rules, entry, server_secret, before)]


def _seal(codec: Codec, fact: Fact, version: int, server_secret: str) -> tuple[str, Mapping[str, str]]:
    """The public part of a fact in canonical form, and the commitments to its hidden fields."""
    public, hidden = codec.write_public(fact)
    if not hidden:
        return public, {}
    whole = codec.encode(fact)
    return public, {
        name: commitment_to(whole[name], salt_of(server_secret, version, name)) for name in hidden
    }


def _cause(entry: Entry, command_text: str, server_secret: str, *, hides: bool) -> tuple[str, str]:
    """What the first record of an entry says of the command.

    A move with a hidden outcome may name a hidden card, so it is sealed too.
    """
    seat = f'"seat":{"null" if entry.seat is None else entry.seat},'
    if hides and entry.command.may_name_secrets:
        commitment = _bind(command_text, salt_of(server_secret, entry.first, COMMAND))
        return "", f'"sealed_command":"{commitment}",{seat}'
    return f'"command":{command_text},', seat


def receipt_text(match_id: str, version: int, head: str, at: int) -> bytes:
    """What the service signs with every answer: where the match stood, and when."""
    return b"kontor.receipt.1\n" + canonical({"at": at, "head": head, "match": match_id, "version": version})
