"""The hash chain of a match: the record of every fact holds the hash of the one before (docs/chain.md).

A hidden value enters a record only as a salted commitment, so that a published hash does not reveal a hidden
card to someone who tries all cards. The salts are derived from the server's secret, which is revealed when
the match ends; then anyone can check the commitments.
"""

import hmac
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from operator import itemgetter
from typing import Any, NamedTuple

from kontor_games.domain.codec import Codec, Plain, canonical, text_of
from kontor_games.domain.commands import Entry, command_codec
from kontor_games.domain.game import Fact, Rules
from kontor_games.domain.match_facts import MatchCreated, fact_codec

GENESIS = "0" * 64
"""The previous hash in the first record."""
COMMAND = "/command"
"""The field name in the salt of a sealed command; no fact can have a field of this name."""


class Salts(NamedTuple):
    """The salts of one match, which are derived from the server's secret."""

    server_secret: str
    match: str | None = None
    """The match that is part of the derivation `kontor.salt.2`; None for `kontor.salt.1`, which has none."""

    def of(self, version: int, field: str) -> bytes:
        """Return the salt of a hidden field of a fact."""
        prefix = "kontor.salt.1\n" if self.match is None else f"kontor.salt.2\n{self.match}:"
        return hmac.digest(bytes.fromhex(self.server_secret), f"{prefix}{version}:{field}".encode(), "sha256")


def salts_of(match_id: str, created: MatchCreated) -> Salts:
    """Return the salts of a match, by the derivation that its first fact names."""
    return Salts(created.server_secret, match_id if created.salt_version == 2 else None)


def commitment_to(value: Plain, salt: bytes) -> str:
    """Return the hash that commits to a hidden value without revealing it."""
    return _commit(text_of(value), salt)


def _commit(text: str, salt: bytes) -> str:
    return sha256(b"kontor.seal.1\n" + salt + text.encode()).hexdigest()


Sealed = tuple[str, Mapping[str, str]]
"""The public part of a fact in canonical form, and the commitments to its hidden fields."""
_commitments_in = itemgetter(1)


class Link(NamedTuple):
    """One fact in the chain, with the canonical parts that its record and its line in an export share."""

    match: str
    by: str
    entry: Entry
    version: int
    before: str
    hash: str
    public: str
    sealed: Mapping[str, str]
    command_text: str
    command: str
    """The command of the first fact of an entry, as far as it is public."""
    tail: str
    salts: Salts
    """For the hidden fields that an export shows to its viewer."""

    @property
    def fact(self) -> Fact:
        return self.entry.facts[self.version - self.entry.first]

    @property
    def hides_command(self) -> bool:
        """Whether the record contains a commitment instead of the command."""
        return self.tail.startswith('"sealed_command"')

    @property
    def hides(self) -> bool:
        """Whether any part of the fact or its command is hidden."""
        return bool(self.sealed) or self.hides_command

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
        """Return the record in canonical form or, with the optional parts, a line of an export.

        Each optional part ends with a comma, or is empty.
        """
        sealed = text_of(self.sealed) if self.sealed else "{}"
        return (
            f'{{"at":{self.entry.at},"before":"{self.before}","by":{self.by},{command}{draws}'
            f'"fact":{fact},{hashed}"match":{self.match},{salts}"sealed":{sealed},'
            f'{self.tail}{signature}"version":{self.version}}}'
        ).encode()


def links_of(
    match_id: str,
    rules: Rules[Any],
    entry: Entry,
    salts: Salts,
    before: str,
    command_text: str | None = None,
) -> list[Link]:
    """The facts of an entry, each linked to the one before.

    `command_text` is the canonical form of its command, if known.
    """
    text = _text_of_command(rules, entry) if command_text is None else command_text
    facts = seal_facts(rules, entry, salts)
    hashes = _hashes(match_id, entry, text, facts, salts, before)
    command, tail = _command_parts(entry, text, salts, facts)
    links, match, by = [], _quoted(match_id), _quoted(entry.by)
    for version, (sealed, hashed) in enumerate(zip(facts, hashes, strict=True), entry.first):
        links.append(Link(match, by, entry, version, before, hashed, *sealed, text, command, tail, salts))
        before, command, tail = hashed, "", ""
    return links


def link(
    match_id: str,
    rules: Rules[Any],
    entry: Entry,
    salts: Salts,
    before: str,
    command_text: str | None = None,
    facts: Sequence[Sealed] | None = None,
) -> list[str]:
    """Return the hashes of the facts of an entry, as `links_of` does, without the parts for an export.

    `facts` are its sealed facts, if known.
    """
    text = _text_of_command(rules, entry) if command_text is None else command_text
    sealed = seal_facts(rules, entry, salts) if facts is None else facts
    return _hashes(match_id, entry, text, sealed, salts, before)


def _text_of_command(rules: Rules[Any], entry: Entry) -> str:
    return command_codec(rules).write_public(entry.command)[0]


def seal_facts(rules: Rules[Any], entry: Entry, salts: Salts) -> list[Sealed]:
    """Return the public part of each fact of an entry, and the commitments to what is hidden."""
    codec = fact_codec(rules)
    facts: list[Sealed] = []
    for version, fact in enumerate(entry.facts, entry.first):
        public, hidden = codec.write_public(fact)
        facts.append((public, _commitments(codec.encode(fact), hidden, version, salts) if hidden else {}))
    return facts


def any_sealed(facts: Sequence[Sealed]) -> bool:
    """Return whether any of these facts has a hidden field."""
    return any(map(_commitments_in, facts))


def _hashes(
    match_id: str, entry: Entry, command_text: str, facts: Sequence[Sealed], salts: Salts, before: str
) -> list[str]:
    command, tail = _command_parts(entry, command_text, salts, facts)
    match, by, at, hashes = _quoted(match_id), _quoted(entry.by), entry.at, []
    for version, (public, sealed) in enumerate(facts, entry.first):
        hidden = text_of(sealed) if sealed else "{}"
        line = (  # as `Link.write` does, but much faster
            f'{{"at":{at},"before":"{before}","by":{by},{command}"fact":{public},"match":{match},'
            f'"sealed":{hidden},{tail}"version":{version}}}'
        )
        before = sha256(line.encode()).hexdigest()
        hashes.append(before)
        command = tail = ""
    return hashes


@lru_cache(maxsize=4096)
def _quoted(name: str) -> str:
    """Return the canonical form of an id; cached, because the same few ids occur again and again."""
    return text_of(name)


def head_of_stored(
    match_id: str,
    rules: Rules[Any],
    entry: Entry,
    stored: Sequence[Mapping[str, Plain]],
    command: Plain,
    salts: Salts,
    before: str,
) -> str:
    """Return the hash of the last fact of an entry, computed from the plain data that is stored.

    A fact of an older revision keeps the hash that it was stored with, although `entry` holds the fact
    converted to the current revision.
    """
    codec = fact_codec(rules)
    facts: list[Sealed] = []
    for version, data in enumerate(stored, entry.first):
        public, sealed = seal_plain(codec, data, version, salts)
        facts.append((text_of(public), sealed))
    return _hashes(match_id, entry, text_of(command), facts, salts, before)[-1]


def seal_plain(
    codec: Codec, data: Mapping[str, Plain], version: int, salts: Salts
) -> tuple[Mapping[str, Plain], Mapping[str, str]]:
    """Return the public fields of a fact in its plain form, and the commitments to the others."""
    hidden = [name for name in codec.hidden_fields(data["type"]) if name in data]
    public = {name: value for name, value in data.items() if name not in hidden} if hidden else data
    return public, _commitments(data, hidden, version, salts)


def _commitments(
    data: Mapping[str, Plain], hidden: Sequence[str], version: int, salts: Salts
) -> dict[str, str]:
    return {name: commitment_to(data[name], salts.of(version, name)) for name in hidden}


def _command_parts(entry: Entry, command_text: str, salts: Salts, facts: Sequence[Sealed]) -> tuple[str, str]:
    """Return the command part and the tail of the first record.

    A move with a hidden outcome may name a hidden card, so it is sealed too.
    """
    seat = f'"seat":{"null" if entry.seat is None else entry.seat},'
    if entry.command.may_name_secrets and any_sealed(facts):
        commitment = _commit(command_text, salts.of(entry.first, COMMAND))
        return "", f'"sealed_command":"{commitment}",{seat}'
    return f'"command":{command_text},', seat


def receipt_text(match_id: str, version: int, head: str, at: int) -> bytes:
    """Return the text of a receipt, which the service signs with every answer."""
    named = f'"head":{text_of(head)},"match":{_quoted(match_id)}'
    return f'kontor.receipt.1\n{{"at":{at},{named},"version":{version}}}'.encode()


def commitment_text(match_id: str, commitment: str, at: int) -> bytes:
    """Return the text of a signed commitment, which a player holds before contributing to the seed."""
    return b"kontor.commitment.1\n" + canonical({"at": at, "commitment": commitment, "match": match_id})
