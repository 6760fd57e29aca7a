"""The hash chain of a stream: the record of every fact holds the hash of the one before (docs/chain.md).

A hidden value enters a record only as a salted commitment, so that a published hash does not reveal a hidden
card to someone who tries all cards. The salts are derived from the server's secret, which is revealed when
the match or tournament ends; then anyone can check the commitments.

A state that is passed to a function here is one after the first fact, which names the rules and the secret.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from operator import itemgetter
from typing import Any, NamedTuple

from kontor_games.domain.codec import Codec, Plain, text_of
from kontor_games.domain.rules import Fact
from kontor_games.domain.seed import Salts
from kontor_games.domain.stream import Decider, Entry

GENESIS = "0" * 64
"""The previous hash in the first record."""
COMMAND = "/command"
"""The field name in the salt of a sealed command; no fact can have a field of this name."""


def commitment_to(value: Plain, salt: bytes) -> str:
    """Return the hash that commits to a hidden value without revealing it."""
    return _commit(text_of(value), salt)


def _commit(text: str, salt: bytes) -> str:
    return sha256(b"kontor.seal.1\n" + salt + text.encode()).hexdigest()


Sealed = tuple[str, Mapping[str, str]]
"""The public part of a fact in canonical form, and the commitments to its hidden fields."""
_commitments_in = itemgetter(1)


@lru_cache(maxsize=512)
def _id_parts(field: str, stream_id: str) -> tuple[str, str]:
    """The id of a stream in its records: before `sealed` or before `version`, as canonical JSON sorts it."""
    part = f'"{field}":{_quoted(stream_id)},'
    return (part, "") if field < "sealed" else ("", part)


class Link(NamedTuple):
    """One fact in the chain, with the canonical parts that its record and its line in an export share."""

    id_parts: tuple[str, str]
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

    @property
    def line(self) -> bytes:
        """The record with its hash, as everybody may see it."""
        return self.write(self.public, self.command, hashed=f'"hash":"{self.hash}",')

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
        early, late = self.id_parts
        return (
            f'{{"at":{self.entry.at},"before":"{self.before}","by":{self.by},{command}{draws}'
            f'"fact":{fact},{hashed}{early}{salts}"sealed":{sealed},'
            f'{self.tail}{signature}{late}"version":{self.version}}}'
        ).encode()


def links_of(
    decider: Decider[Any],
    stream_id: str,
    stream: Any,
    entry: Entry,
    before: str,
    command_text: str | None = None,
) -> list[Link]:
    """The facts of an entry, each linked to the one before.

    `command_text` is the canonical form of its command, if known.
    """
    text = _text_of_command(decider, stream, entry) if command_text is None else command_text
    facts, salts = seal_facts(decider, stream_id, stream, entry), decider.salts(stream_id, stream)
    command, tail = _command_parts(decider, stream_id, stream, entry, text, facts)
    hashes = _hashes(decider, stream_id, entry, command, tail, facts, before)
    links, parts, by = [], _id_parts(decider.id_field, stream_id), _quoted(entry.by)
    for version, (sealed, hashed) in enumerate(zip(facts, hashes, strict=True), entry.first):
        links.append(Link(parts, by, entry, version, before, hashed, *sealed, text, command, tail, salts))
        before, command, tail = hashed, "", ""
    return links


def link(
    decider: Decider[Any],
    stream_id: str,
    stream: Any,
    entry: Entry,
    before: str,
    command_text: str | None = None,
    facts: Sequence[Sealed] | None = None,
) -> list[str]:
    """Return the hashes of the facts of an entry, as `links_of` does, without the parts for an export.

    `facts` are its sealed facts, if known.
    """
    text = _text_of_command(decider, stream, entry) if command_text is None else command_text
    sealed = seal_facts(decider, stream_id, stream, entry) if facts is None else facts
    command, tail = _command_parts(decider, stream_id, stream, entry, text, sealed)
    return _hashes(decider, stream_id, entry, command, tail, sealed, before)


def _text_of_command(decider: Decider[Any], stream: Any, entry: Entry) -> str:
    return decider.command_codec(stream).write_public(entry.command)[0]


def seal_facts(decider: Decider[Any], stream_id: str, stream: Any, entry: Entry) -> list[Sealed]:
    """Return the public part of each fact of an entry, and the commitments to what is hidden."""
    codec = decider.fact_codec(stream)
    facts: list[Sealed] = []
    for version, fact in enumerate(entry.facts, entry.first):
        public, hidden = codec.write_public(fact)
        if hidden:
            salts = decider.salts(stream_id, stream)
            facts.append((public, _commitments(codec.encode(fact), hidden, version, salts)))
        else:
            facts.append((public, _NOTHING))
    return facts


_NOTHING: Mapping[str, str] = {}


def any_sealed(facts: Sequence[Sealed]) -> bool:
    """Return whether any of these facts has a hidden field."""
    return any(map(_commitments_in, facts))


def _hashes(
    decider: Decider[Any],
    stream_id: str,
    entry: Entry,
    command: str,
    tail: str,
    facts: Sequence[Sealed],
    before: str,
) -> list[str]:
    by, at, hashes = _quoted(entry.by), entry.at, []
    early, late = _id_parts(decider.id_field, stream_id)
    for version, (public, sealed) in enumerate(facts, entry.first):
        hidden = text_of(sealed) if sealed else "{}"
        line = (  # as `Link.write` does, but much faster
            f'{{"at":{at},"before":"{before}","by":{by},{command}"fact":{public},{early}'
            f'"sealed":{hidden},{tail}{late}"version":{version}}}'
        )
        before = sha256(line.encode()).hexdigest()
        hashes.append(before)
        command = tail = ""
    return hashes


@lru_cache(maxsize=512)
def _quoted(name: str) -> str:
    """Return the canonical form of an id; cached, because the same few ids occur again and again."""
    return text_of(name)


def head_of_stored(
    decider: Decider[Any],
    stream_id: str,
    stream: Any,
    entry: Entry,
    stored: Sequence[Mapping[str, Plain]],
    command: Plain,
    before: str,
) -> str:
    """Return the hash of the last fact of an entry, computed from the plain data that is stored.

    A fact of an older revision keeps the hash that it was stored with, although `entry` holds the fact
    converted to the current revision.
    """
    codec, salts = decider.fact_codec(stream), decider.salts(stream_id, stream)
    facts: list[Sealed] = []
    for version, data in enumerate(stored, entry.first):
        public, sealed = seal_plain(codec, data, version, salts)
        facts.append((text_of(public), sealed))
    parts = _command_parts(decider, stream_id, stream, entry, text_of(command), facts)
    return _hashes(decider, stream_id, entry, *parts, facts, before)[-1]


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


def _command_parts(
    decider: Decider[Any],
    stream_id: str,
    stream: Any,
    entry: Entry,
    command_text: str,
    facts: Sequence[Sealed],
) -> tuple[str, str]:
    """Return the command part and the tail of the first record.

    A move with a hidden outcome may name a hidden card, so it is sealed too.
    """
    seat = f'"seat":{"null" if entry.seat is None else entry.seat},' if decider.has_seats else ""
    if entry.command.may_name_secrets and any_sealed(facts):
        commitment = _commit(command_text, decider.salts(stream_id, stream).of(entry.first, COMMAND))
        return "", f'"sealed_command":"{commitment}",{seat}'
    return f'"command":{command_text},', seat
