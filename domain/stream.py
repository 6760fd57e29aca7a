"""What an event-sourced thing is. A match is one, a tournament another: each is a stream of facts.

A typed *command* is decided on a copy of the stream's state: it is refused, or causes *facts*, which are
the only thing that changes a state. Command and facts together are one *entry*, the unit that is stored and
linked into the hash chain (domain/chain.py). A `Decider` describes a kind of stream; whoever stores, caches,
exports or audits streams (service/store/streams.py, domain/audit.py) needs to know nothing else about it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar

from kontor_games.domain.anomalies import Anomaly, Code, anomaly
from kontor_games.domain.codec import Codec, Plain, Record, canonical, text_of
from kontor_games.domain.rules import Fact
from kontor_games.domain.seed import Salts

HOUSE = "house"
"""The author of commands of the service itself: house bots, and moves made for absent players."""
Authors = Literal["players", "service", "both"]
IsSigned = Callable[[str, str, bytes], bool]
"""Whether a signature over a message was made with a public key; both are in Base64."""


class Stream:
    """The state of one stream, which only facts change; without arguments it is the empty state."""

    __slots__ = ("added", "at", "version")
    version: int
    """Number of facts folded so far."""
    at: int
    """The time of the last entry, in milliseconds since 1970."""
    added: list[Fact]
    """The facts of the command that is being decided on this copy, already folded into it."""

    def copy(self) -> Self:
        """An independent copy to decide a command on."""
        raise LookupError(f"{type(self).__name__} does not implement copy")

    def fold(self, entry: "Entry") -> None:
        for fact in entry.facts:
            self.fold_fact(fact)
        self.end_entry(entry.at, entry.seat)

    def fold_fact(self, fact: Fact) -> None:
        fact.fold(self)
        self.version += 1

    def end_entry(self, at: int, seat: int | None) -> None:
        """Set the time of the stream after an entry; `seat` is that of the entry."""
        self.at = at

    def add(self, *facts: Fact) -> None:
        """Fold new facts of the command that is being decided."""
        for fact in facts:
            self.added.append(fact)
            self.fold_fact(fact)


class Command(Record):
    """A request to change a stream."""

    __slots__ = ()
    authors: ClassVar[Authors] = "players"
    """Who can give such a command; a record that says otherwise is not authentic."""
    if_by_player: ClassVar[Code] = "by_service"
    """What is wrong with a command of the service that a player gave."""
    may_name_secrets: ClassVar[bool] = False
    """Whether its fields may name something hidden, so that the hash chain holds only a commitment to it."""
    signature: str | None = None
    """The signature of the player; None if they have no key, or if the service gave the command."""

    def decide(self, stream: Any, by: str, at: int) -> list[Fact]:
        """Carry out the command on a copy of the state: return the facts it causes, or raise the refusal.

        A refused command leaves the copy unfit for use and the original untouched.
        """
        stream.added = []
        stream.end_entry(at, self.add_facts(stream, by, at))
        facts: list[Fact] = stream.added
        return facts

    def add_facts(self, stream: Any, by: str, at: int) -> int | None:
        """Check the command, add its facts to the stream, and return the seat of the entry if it has one."""
        raise LookupError(f"{self.type} cannot be carried out")

    def wrong_author(self, stream: Any, by: str) -> Anomaly | None:
        """Why this author cannot have given the command; None if they can."""
        if by == HOUSE:
            return anomaly("service_acted") if self.authors == "players" else None
        return anomaly(self.if_by_player) if self.authors == "service" else None


class Entry(NamedTuple):
    """One accepted command and the facts it caused: stored completely or not at all."""

    first: int
    """The version of its first fact; versions count facts from 1."""
    at: int
    """Milliseconds since 1970, never earlier than the entry before."""
    by: str
    """The player who gave the command, or HOUSE."""
    seat: int | None
    """In a match: the seat that acted, whose clock stops."""
    command: Command
    key: str
    """The Idempotency-Key: a retry with the same key is the same command."""
    request_digest: str
    """Digest of the request, by which a different request with the same key is noticed."""
    facts: tuple[Fact, ...]

    @property
    def last(self) -> int:
        """The version of its last fact."""
        return self.first + len(self.facts) - 1


S = TypeVar("S", bound=Stream)


class Decider(ABC, Generic[S]):
    """A kind of stream: everything that differs between a match, a tournament and others.

    A state that is passed to a method is that of any version: before the first fact it is the empty one.
    """

    kind: ClassVar[str]
    """Its name for people, and the first word of stored topics."""
    id_field: ClassVar[str] = "stream"
    """The field of a record with the id of the stream."""
    signed_prefix: ClassVar[str]
    """The beginning of texts that the service signs, so that a signature is valid for nothing else."""
    has_seats: ClassVar[bool] = False
    """Whether the records say which seat acted."""

    format: ClassVar[str]
    """The format that the first line of an export names."""
    milestones: ClassVar[tuple[type[Fact], ...]] = ()
    """The facts after which the transparency log gets a leaf at once, not only once a minute."""

    @abstractmethod
    def empty(self) -> S:
        """The state before the first fact."""

    @abstractmethod
    def fact_codec(self, stream: S) -> Codec:
        """The plain-data form of facts."""

    @abstractmethod
    def command_codec(self, stream: S) -> Codec:
        """The plain-data form of commands."""

    def read_facts(self, stream: S, facts: Sequence[Mapping[str, Plain]]) -> tuple[Fact, ...]:
        """Decode the stored facts of an entry; the state is the one before it."""
        codec = self.fact_codec(stream)
        return tuple([codec.decode(fact) for fact in facts])

    def seat(self, stream: S) -> int | None:
        """The seat that acted in the last entry."""
        return None

    def salts(self, stream_id: str, stream: S) -> Salts:
        """The salts of hidden fields, after the first fact; a kind without hidden fields needs none."""
        return Salts("")

    def check_signature(
        self, stream_id: str, stream: S, head: str, by: str, command: Any, is_signed: IsSigned
    ) -> None:
        """Raise a refusal if a command is not signed as its author must sign it; `head` is the last hash."""

    def redacted(self, stream: S, fact: Fact, viewer: int) -> dict[str, Plain]:
        """A fact as plain data, without the fields that a viewer may not see."""
        return self.fact_codec(stream).redacted(fact, viewer)

    def is_revealed(self, stream: S) -> bool:
        """Whether nothing is hidden any more, so that an export is complete."""
        return True

    def fact_viewer(self, stream: S, viewer: int) -> int:
        """The viewer for whom facts are redacted: the arbiter where everybody may see everything."""
        return viewer

    def header(self, stream: S, viewer: int) -> dict[str, Plain]:
        """What the first line of an export says beside the usual."""
        return {}

    def outcome(self, stream: S) -> dict[str, Plain]:
        """What the last line of an export says beside version, head and time."""
        return {}

    def receipt_text(self, stream_id: str, version: int, head: str, at: int) -> bytes:
        """The text of a receipt, which the service signs with every answer."""
        named = f'"head":{text_of(head)},"{self.id_field}":{text_of(stream_id)}'
        return f'{self.signed_prefix}receipt.1\n{{"at":{at},{named},"version":{version}}}'.encode()

    def commitment_text(self, stream_id: str, commitment: str, at: int) -> bytes:
        """The text of a signed commitment, which players hold before they contribute to the seed."""
        data = {"at": at, "commitment": commitment, self.id_field: stream_id}
        return f"{self.signed_prefix}commitment.1\n".encode() + canonical(data)
