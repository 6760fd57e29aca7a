"""The audit of a match: also its draws, the moves of its house bots and the signatures of its players."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kontor_games.domain.anomalies import anomaly
from kontor_games.domain.audit import Auditor, BrokenRecordError, UnknownRulesError, what_is_refused
from kontor_games.domain.chain import Link, Sealed
from kontor_games.domain.chance import Seeded, SeededDraws
from kontor_games.domain.codec import Fault, MalformedError, Plain
from kontor_games.domain.commands import Create, Play
from kontor_games.domain.game import Fact, Rules
from kontor_games.domain.house_bots import BotAudit
from kontor_games.domain.ladders import unrated_because_of
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated, PositionSet, find_rules
from kontor_games.domain.match_refusals import SignatureError
from kontor_games.domain.match_stream import MATCHES
from kontor_games.domain.player_signatures import check_signature, required_key, signed_text
from kontor_games.domain.seed import commitment_of, is_hash
from kontor_games.domain.stream import HOUSE, Entry, IsSigned


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


class MatchAuditor(Auditor[Match]):
    """Checks the entries of a match, its draws and the moves of its house bots."""

    def __init__(
        self,
        match_id: str,
        is_signed: IsSigned,
        *,
        recompute_bots: bool = True,
        is_sampled: Callable[[int], bool] = lambda one_in: True,
    ) -> None:
        """Recomputing the moves of house bots takes most of the time."""
        self.match = AuditedMatch()
        super().__init__(MATCHES, match_id, self.match, is_signed)
        self._recompute_bots = recompute_bots
        self._keys: deque[str | None] = deque()
        """The key with which each entry must be signed (or None), for the entries not linked yet."""
        self.bots = BotAudit(self.match, is_sampled)
        self.signed = 0
        """Number of commands signed by their players."""

    def _facts(self, recorded: Entry) -> list[Fact]:
        match, by, command = self.match, recorded.by, recorded.command
        if not match.version:
            self._keys.append(None)
            return self._create(recorded)
        self._keys.append(required_key(match, by, command))
        wrong = command.wrong_author(match, by)
        if wrong is None and self._recompute_bots and by == HOUSE and isinstance(command, Play):
            # Its author is right, so it names the seat of a house bot.
            wrong = self.bots.check(command.seat, command.moves)  # type: ignore[arg-type]
        if wrong is not None:
            raise BrokenRecordError(recorded.first, wrong)
        return command.decide(match, by, recorded.at)

    def bind(self, entry: Entry, command_text: str | None = None) -> list[Link]:
        """Link the facts of an entry; check its signature, which covers the head."""
        self._check_signature(entry)
        return super().bind(entry, command_text)

    def bind_hashes(
        self, entry: Entry, command_text: str, facts: Sequence[Sealed] | None = None
    ) -> list[str]:
        self._check_signature(entry)
        return super().bind_hashes(entry, command_text, facts)

    def _check_signature(self, entry: Entry) -> None:
        key, command, by = self._keys.popleft(), entry.command, entry.by
        if key is None and command.signature is None:
            return

        def text() -> bytes:
            return signed_text(self.id, self.match.rules, entry.first - 1, self.head, by, command)

        try:
            check_signature(key, command.signature, text, self._is_signed)
        except SignatureError as error:
            raise BrokenRecordError(entry.first, what_is_refused(error)) from error
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
