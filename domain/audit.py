"""Carries out the commands of a recorded match again and compares every fact, draw, time and hash.

It needs only the record, no service, no database and no clock. It reports the first thing that is wrong.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kontor_games.domain.anomalies import Anomaly, anomaly
from kontor_games.domain.chain import GENESIS, Link, Salts, Sealed, link, links_of, salts_of
from kontor_games.domain.chance import Seeded, SeededDraws
from kontor_games.domain.codec import Codec, Fault, MalformedError, Plain, text_of
from kontor_games.domain.commands import COMMAND_CODEC, Command, Create, Entry, Play, command_codec
from kontor_games.domain.fact_difference import difference
from kontor_games.domain.game import Fact, Refusal, Rules
from kontor_games.domain.house_bots import BotAudit
from kontor_games.domain.ladders import unrated_because_of
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import HOUSE, MatchCreated, PositionSet, fact_codec, find_rules
from kontor_games.domain.match_refusals import SignatureInvalidError, SignatureRequiredError
from kontor_games.domain.player_signatures import IsSigned, check_signature, required_key, signed_text
from kontor_games.domain.seed import commitment_of, is_hash


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


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of a match: its stream and index, and each bound with the value drawn below it."""

    stream: str
    index: int
    values: tuple[tuple[int, int], ...]

    def plain(self) -> Plain:
        """The draw in the format of exports."""
        return {"stream": self.stream, "index": self.index, "values": [list(pair) for pair in self.values]}


class _RecordingDraws(SeededDraws):
    __slots__ = ("values",)

    def __init__(self, prefix: bytes) -> None:
        super().__init__(prefix)
        self.values: list[tuple[int, int]] = []

    def below(self, bound: int) -> int:
        value = SeededDraws.below(self, bound)
        self.values.append((bound, value))
        return value


class RecordingChance(Seeded):
    """Chance that records every draw."""

    __slots__ = ("_taken",)

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self._taken: list[tuple[str, int, _RecordingDraws]] = []

    def draws(self, stream: str, index: int) -> SeededDraws:
        """Return the draw with this index in a stream, and record it."""
        draws = _RecordingDraws(self.prefix(stream, index))
        self._taken.append((stream, index, draws))
        return draws

    def collect(self) -> list[Draw]:
        """The draws since the last call."""
        if not self._taken:  # after most commands
            return []
        taken, self._taken = self._taken, []
        return [Draw(stream, index, tuple(draws.values)) for stream, index, draws in taken]


class AuditedMatch(Match):
    """A match that records its draws while its commands are carried out again."""

    __slots__ = ("recorder",)
    recorder: RecordingChance

    def begin(self) -> None:
        """Make the first state of the game, with chance that records its draws."""
        super().begin()
        self.chance = self.recorder = RecordingChance(self.seed())

    def collect_draws(self) -> list[Draw]:
        """The draws since the last call."""
        return self.recorder.collect() if self.begun else []


class Auditor:
    """Checks the entries of one match in order; raises BrokenRecordError at the first that is wrong."""

    def __init__(self, match_id: str, is_signed: IsSigned, *, recompute_bots: bool = True) -> None:
        """Starts before the first entry; `is_signed` checks the signatures of players.

        Recomputing the moves of house bots takes most of the time.
        """
        self._id = match_id
        self._is_signed = is_signed
        self._recompute_bots = recompute_bots
        self._keys: deque[str | None] = deque()
        """The key with which each entry must be signed (or None), for the entries not linked yet."""
        self.match = AuditedMatch()
        self.head = GENESIS
        self.bots = BotAudit(self.match)
        self.signed = 0
        """Number of commands signed by their players."""

    @property
    def command_codec(self) -> Codec:
        """Reads and writes the next command; the first one comes before any rules are known."""
        return command_codec(self.match.rules) if self.match.version else COMMAND_CODEC

    @property
    def salts(self) -> Salts:
        """The salts of the hidden fields of this match."""
        return salts_of(self._id, self.match.created)

    def take(self, entry: Entry) -> tuple[list[str], list[Draw]]:
        """Check one entry; return the hashes of its facts and the draws that it made."""
        self.require_next(entry.first)
        text = self.command_codec.write_public(entry.command)[0]
        expected = self.execute_again(entry)
        self.compare(entry, expected)
        return self.bind_hashes(expected, text), self.match.collect_draws()

    def require_next(self, version: int) -> None:
        """Raise BrokenRecordError if a command with this first version does not come next."""
        expected = self.match.version + 1
        if version != expected:
            raise BrokenRecordError(version, anomaly("missing_facts", expected=expected))

    def execute_again(self, recorded: Entry) -> Entry:
        """Execute a recorded command again; return the resulting entry.

        Of the given entry it trusts only who gave which command when, and of the first entry the facts: the
        created match, and the position from which a branch starts.
        """
        version, at, by, _, command, *_ = recorded
        match = self.match
        if at < match.at:
            raise BrokenRecordError(version, anomaly("earlier"))
        try:
            if match.version:
                self._keys.append(required_key(match, by, command))
                facts = self._decide(recorded)
            else:
                self._keys.append(None)
                facts = self._create(recorded)
        except Refusal as refusal:
            cited = f" ({refusal.rule})" if refusal.rule else ""
            wrong = anomaly("not_allowed", detail=f"{refusal.detail}{cited}")
            raise BrokenRecordError(version, wrong) from refusal
        except MalformedError as error:
            raise BrokenRecordError(version, anomaly("malformed", detail=str(error))) from error
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            # The starting position of a branch is not validated, so rules can fail on it in any way.
            raise BrokenRecordError(version, anomaly("not_executed", detail=repr(error))) from error
        return Entry(version, at, by, match.acted, command, "", "", tuple(facts))

    def bind(self, entry: Entry, command_text: str) -> list[Link]:
        """Link the facts of an entry to the previous ones; check its signature, which covers the head."""
        match = self.match
        self._check_signature(entry)
        linked = links_of(self._id, match.rules, entry, self.salts, self.head, command_text)
        self.head = linked[-1].hash
        return linked

    def bind_hashes(
        self, entry: Entry, command_text: str, facts: Sequence[Sealed] | None = None
    ) -> list[str]:
        """The hashes of the entry's facts, as `bind` computes them, without the parts for an export."""
        match = self.match
        self._check_signature(entry)
        hashes = link(self._id, match.rules, entry, self.salts, self.head, command_text, facts)
        self.head = hashes[-1]
        return hashes

    def _check_signature(self, entry: Entry) -> None:
        key, command, by = self._keys.popleft(), entry.command, entry.by
        if key is None and command.signature is None:
            return

        def text() -> bytes:
            return signed_text(self._id, self.match.rules, entry.first - 1, self.head, by, command)

        try:
            check_signature(key, command.signature, text, self._is_signed)
        except SignatureInvalidError as error:
            raise BrokenRecordError(entry.first, anomaly("signature_wrong")) from error
        except SignatureRequiredError as error:
            raise BrokenRecordError(entry.first, anomaly("unsigned")) from error
        self.signed += key is not None

    def _create(self, recorded: Entry) -> list[Fact]:
        version, at, by, _, command, _, _, (created, *others) = recorded
        if not isinstance(created, MatchCreated) or not isinstance(command, Create):
            raise BrokenRecordError(version, anomaly("no_creation"))
        if not is_hash(created.server_secret) or commitment_of(created.server_secret) != created.commitment:
            raise BrokenRecordError(version, anomaly("secret"))
        if created.creator != by:
            raise BrokenRecordError(version, anomaly("creator"))
        _check_table(created, _pinned_rules(version, created))
        position = others[0] if created.branch and others else None
        if created.branch and not isinstance(position, PositionSet):
            raise BrokenRecordError(version, anomaly("no_position"))
        return command.create(self.match, created, by, at, position)  # type: ignore[arg-type]  # checked above

    def _decide(self, recorded: Entry) -> list[Fact]:
        match, command, by = self.match, recorded.command, recorded.by
        wrong = command.wrong_author(match, by)
        if wrong is None and self._recompute_bots and by == HOUSE and isinstance(command, Play):
            # Its author is right, so it names the seat of a house bot.
            wrong = self.bots.check(command.seat, command.moves)  # type: ignore[arg-type]
        if wrong is not None:
            raise BrokenRecordError(recorded.first, wrong)
        return command.decide(match, by, recorded.at)

    def compare(self, entry: Entry, expected: Entry) -> None:
        """Raise BrokenRecordError for the first fact that is not as expected."""
        encode = fact_codec(self.match.rules).encode
        for version, (fact, right) in enumerate(zip(entry.facts, expected.facts, strict=False), entry.first):
            if fact != right or type(fact) is not type(right):
                raise BrokenRecordError(version, difference(encode(fact), encode(right)))
        if len(expected.facts) != len(entry.facts):
            wrong = anomaly("fact_count", expected=len(expected.facts), found=len(entry.facts))
            raise BrokenRecordError(entry.first, wrong)
        if entry.seat != expected.seat:
            raise BrokenRecordError(entry.first, anomaly("wrong_clock"))


def _pinned_rules(version: int, created: MatchCreated) -> Rules[Any]:
    pinned = f"{created.game} version {created.rules_version} with {created.data}"
    try:
        rules = find_rules(created.game, created.rules_version, created.data)
    except LookupError:
        raise UnknownRulesError(version, anomaly("rules_missing", rules=pinned)) from None
    if rules.data.hash != created.data_hash:
        raise UnknownRulesError(version, anomaly("data_differs", rules=pinned))
    return rules


def _check_table(created: MatchCreated, rules: Rules[Any]) -> None:
    """Check that the number of seats and the options of a match are possible."""
    faults: list[Fault] = []
    options = rules.options_shape.parse(created.options, "/options", faults)
    if not faults and rules.options_shape.encode(options) != created.options:
        faults.append(Fault("/options", "must have all defaults written out"))
    if len(created.seats) not in rules.seat_counts:
        faults.append(Fault("/seats", f"must not be {len(created.seats)}"))
    if created.signed and any(plan.kind == "bot" and plan.bot_version is None for plan in created.seats):
        faults.append(
            Fault("/seats", "must pin the versions of house bots in a match in which everybody signs")
        )
    faults += [Fault(f"/{name}", reason) for name, reason in unrated_because_of(created)]
    if faults:
        raise MalformedError(faults)
