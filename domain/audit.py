"""Carries out the commands of a recorded stream again and compares every fact, time and hash.

It needs only the record, no service, no database and no clock. It reports the first thing that is wrong.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from kontor_games.domain.anomalies import Anomaly, anomaly
from kontor_games.domain.chain import GENESIS, Link, Sealed, link, links_of
from kontor_games.domain.codec import Codec, MalformedError, Plain, canonical, digest, text_of
from kontor_games.domain.fact_difference import difference
from kontor_games.domain.match_refusals import SignatureInvalidError, SignatureRequiredError
from kontor_games.domain.refusals import Refusal
from kontor_games.domain.rules import Fact
from kontor_games.domain.stream import Command, Decider, Entry, IsSigned, Stream


class BrokenRecordError(Exception):
    """A record that the rules do not allow."""

    def __init__(self, version: int, problem: Anomaly | str) -> None:
        """The version of the first wrong fact, and the error; a text if only `kontor verify` finds it."""
        super().__init__(f"at version {version}: {problem}")
        self.version = version
        self.problem = problem

    @property
    def detail(self) -> str:
        """The error as an English sentence."""
        return str(self.problem)


class UnknownRulesError(BrokenRecordError):
    """A record that cannot be checked here, because its rules are not installed."""


def read_command(data: Plain, codec: Codec) -> tuple[Command, str]:
    """Parse an untrusted command; return it and its canonical form.

    Raises MalformedError with every fault.
    """
    command: Command = codec.parse(data)
    return command, codec.write_public(command)[0]


def read_stored_command(version: int, codec: Codec, data: Plain) -> Command:
    """Parse a stored command.

    Raises BrokenRecordError if it is malformed or not in the form in which commands are stored.
    """
    try:
        command, text = read_command(data, codec)
    except MalformedError as error:
        raise BrokenRecordError(version, anomaly("malformed", detail=str(error))) from error
    if text != text_of(data):
        raise BrokenRecordError(version, anomaly("not_canonical"))
    return command


S = TypeVar("S", bound=Stream)


class Auditor(Generic[S]):
    """Checks the entries of one stream in order; raises BrokenRecordError at the first that is wrong."""

    def __init__(self, decider: Decider[S], stream_id: str, state: S, is_signed: IsSigned) -> None:
        """Starts from the empty state; `is_signed` checks the signatures of players."""
        self.decider = decider
        self.state = state
        self.head = GENESIS
        self.id = stream_id
        self._is_signed = is_signed

    @property
    def command_codec(self) -> Codec:
        """Reads and writes the next command."""
        return self.decider.command_codec(self.state)

    def take(self, entry: Entry) -> list[str]:
        """Check one entry; return the hashes of its facts."""
        self.require_next(entry.first)
        text = self.command_codec.write_public(entry.command)[0]
        expected = self.execute_again(entry)
        self.compare(entry, expected)
        return self.bind_hashes(expected, text)

    def require_next(self, version: int) -> None:
        """Raise BrokenRecordError if a command with this first version does not come next."""
        expected = self.state.version + 1
        if version != expected:
            raise BrokenRecordError(version, anomaly("missing_facts", expected=expected))

    def execute_again(self, recorded: Entry) -> Entry:
        """Execute a recorded command again; return the resulting entry.

        Of the given entry it trusts only who gave which command when, and of the first entry the facts that
        can't be computed, such as the created match.
        """
        version, at, by, _, command, *_ = recorded
        if at < self.state.at:
            raise BrokenRecordError(version, anomaly("earlier"))
        try:
            facts = self._facts(recorded)
        except Refusal as refusal:
            raise BrokenRecordError(version, what_is_refused(refusal)) from refusal
        except MalformedError as error:
            raise BrokenRecordError(version, anomaly("malformed", detail=str(error))) from error
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            # The starting position of a branch is not validated, so rules can fail on it in any way.
            raise BrokenRecordError(version, anomaly("not_executed", detail=repr(error))) from error
        return Entry(version, at, by, self.decider.seat(self.state), command, "", "", tuple(facts))

    def _facts(self, recorded: Entry) -> list[Fact]:
        """Carry out a recorded command, after a check of its author."""
        _, at, by, _, command, *_ = recorded
        if wrong := command.wrong_author(self.state, by):
            raise BrokenRecordError(recorded.first, wrong)
        self.decider.check_signature(self.id, self.state, self.head, by, command, self._is_signed)
        return command.decide(self.state, by, at)

    def bind(self, entry: Entry, command_text: str | None = None) -> list[Link]:
        """Link the facts of an entry to the previous ones."""
        linked = links_of(self.decider, self.id, self.state, entry, self.head, command_text)
        self.head = linked[-1].hash
        return linked

    def bind_hashes(
        self, entry: Entry, command_text: str, facts: Sequence[Sealed] | None = None
    ) -> list[str]:
        """The hashes of the entry's facts, as `bind` computes them, without the parts for an export."""
        hashes = link(self.decider, self.id, self.state, entry, self.head, command_text, facts)
        self.head = hashes[-1]
        return hashes

    def compare(self, entry: Entry, expected: Entry) -> None:
        """Raise BrokenRecordError for the first fact that is not as expected."""
        encode = self.decider.fact_codec(self.state).encode
        for version, (fact, right) in enumerate(zip(entry.facts, expected.facts, strict=False), entry.first):
            if fact != right or type(fact) is not type(right):
                raise BrokenRecordError(version, difference(encode(fact), encode(right)))
        if len(expected.facts) != len(entry.facts):
            wrong = anomaly("fact_count", expected=len(expected.facts), found=len(entry.facts))
            raise BrokenRecordError(entry.first, wrong)
        if entry.seat != expected.seat:
            raise BrokenRecordError(entry.first, anomaly("wrong_clock"))

    def recorded(self, record: Mapping[str, Plain]) -> Entry:
        """The command of a record, with its author and time, to be executed again."""
        version, at = self.state.version + 1, record["at"]
        if type(at) is not int:
            raise BrokenRecordError(version, "its time is not a whole number")
        try:
            command = self.command_codec.parse(record["command"])
        except MalformedError as error:
            raise BrokenRecordError(version, anomaly("malformed", detail=str(error))) from error
        facts = () if self.state.version else self._opening(record)
        return Entry(version, at, record["by"], None, command, "", "", facts)

    def _opening(self, record: Mapping[str, Plain]) -> tuple[Fact, ...]:
        """The first fact, as far as it can't be computed from the first command."""
        return ()


def what_is_refused(refusal: Refusal) -> Anomaly:
    """What is wrong with a recorded command that is refused."""
    if isinstance(refusal, SignatureInvalidError):
        return anomaly("signature_wrong")
    if isinstance(refusal, SignatureRequiredError):
        return anomaly("unsigned")
    cited = f" ({refusal.rule})" if refusal.rule else ""
    return anomaly("not_allowed", detail=f"{refusal.detail}{cited}")


def audit_records(auditor: Auditor[Any], records: Sequence[Mapping[str, Plain]]) -> None:
    """Carry out a whole stream again from its public records; raise BrokenRecordError at the first fault.

    The version is 0 if no single fact is wrong.
    """
    starts = [index for index, one in enumerate(records) if "command" in one]
    if not starts or starts[0] != 0:
        raise BrokenRecordError(1, "the first fact has no command")
    try:
        for start, end in zip(starts, [*starts[1:], len(records)], strict=True):
            entry = auditor.execute_again(auditor.recorded(records[start]))
            _compare(auditor.bind(entry), records[start:end])
    except (AttributeError, LookupError, MalformedError, TypeError, ValueError) as error:
        raise BrokenRecordError(0, f"the record can't be read ({type(error).__name__}: {error})") from error


def _compare(linked: Sequence[Link], records: Sequence[Mapping[str, Plain]]) -> None:
    for one, record in zip(linked, records, strict=False):
        if canonical(record) != one.line:
            raise BrokenRecordError(one.version, _difference(json.loads(one.line), record))
    if len(records) > len(linked):
        raise BrokenRecordError(linked[-1].version + 1, "the previous command did not cause this fact")
    if len(records) < len(linked):
        missing = linked[len(records)]
        raise BrokenRecordError(missing.version, f"the fact {missing.fact.type} is missing")


def _difference(expected: Mapping[str, Plain], found: Mapping[str, Plain]) -> Anomaly | str:
    if digest({name: value for name, value in found.items() if name != "hash"}) != found.get("hash"):
        return "the hash does not match the record"
    if found.get("before") != expected["before"]:
        return "the hash chain is broken: `before` is not the hash of the previous record"
    if found["fact"] != expected["fact"]:
        return difference(found["fact"], expected["fact"])
    return "the record does not follow from the commands"
