"""Keeps every committed row and compares all answers of the service with them; a violation ends the run."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from kontor_games.domain.audit import BrokenRecordError
from kontor_games.domain.chance import Seeded
from kontor_games.domain.codec import Plain
from kontor_games.domain.commands import TimeOut
from kontor_games.domain.game import Fact
from kontor_games.domain.match import Match
from kontor_games.domain.match_audit import MatchAuditor
from kontor_games.domain.match_facts import TimeReturned
from kontor_games.domain.match_stream import MATCHES
from kontor_games.domain.stream import HOUSE, Entry
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.matches.answers import CommandAnswer, MoveAnswer, Position
from kontor_games.service.matches.outages import GAP_MS
from kontor_games.service.store.entries import read_entry
from kontor_games.service.store.event_store import Stored, StoredEntry
from tests.simulation.clocks import ClockModel

SETTLED_S = 15.0
"""The time after a storm in which the service may still catch up."""
LATEST_MS = 2000
"""How late a time-out may be recorded after that."""
_DECODER = msgspec.json.Decoder(Stored)


class Violation(BaseException):
    """Something that must never happen. Not an Exception, so that no code of the service catches it."""


@dataclass
class Intent:
    """One command that a client wants carried out once, however often it must be sent."""

    match: str
    by: str
    key: str
    moves: list[Plain] | None = None
    """The moves; None for any other command."""
    answered: tuple[int, int, str] | None = None
    """First and last version and head of the first answer."""


@dataclass
class Record:
    """The stored facts of one match."""

    id: str
    match: Match = field(default_factory=Match)
    entries: list[Entry] = field(default_factory=list)
    facts: list[Plain] = field(default_factory=list)
    """All facts in their stored form, with nothing hidden."""
    heads: dict[int, str] = field(default_factory=dict)
    """The head after each entry, by the version of its last fact."""
    firsts: dict[tuple[str, str], int] = field(default_factory=dict)
    """The version of the first fact of each command, by author and key."""
    stored_at: dict[int, float] = field(default_factory=dict)
    """When each version was stored."""
    clocks: ClockModel | None = None

    @property
    def version(self) -> int:
        return len(self.facts)


class Referee:
    """The committed rows of all matches, and the checks of these rows and of all answers."""

    def __init__(self, random: Random) -> None:
        self.records: dict[str, Record] = {}
        self.intents: dict[tuple[str, str, str], Intent] = {}
        self.now = 0.0
        self.calm_since: float | None = None
        """When the last storm ended; None during a storm."""
        self.moves = self.acknowledged = self.checks = self.audited = 0
        self._beaten_ms = 0
        self._random = random
        self._declared: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
        """The secret fields of each kind of fact, with the fields that name the seats that may see them."""

    # --- committed rows -------------------------------------------------------------------------------------

    def on_rows(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Check and keep rows that were just committed."""
        for match_id, version, topic, state in rows:
            record = self.records.setdefault(match_id, Record(match_id))
            if version != record.version + 1:
                raise Violation(
                    f"match {match_id}: an entry begins at version {version}, after {record.version} facts"
                )
            self._add(record, version, topic, _DECODER.decode(state))

    def _add(self, record: Record, version: int, topic: str, stored: Stored) -> None:
        if (stored.by, stored.key) in record.firsts:
            raise Violation(f"match {record.id}: the command {stored.key} is stored twice")
        if record.entries and stored.at < record.entries[-1].at:
            raise Violation(f"match {record.id}: time goes back at version {version}")
        entry = read_entry(MATCHES, StoredEntry(UUID(record.id), version, stored), record.match)
        self._check_author(record, stored)
        if record.clocks is not None:
            self._check_time(record, entry)
        record.match.fold(entry)
        record.entries.append(entry)
        record.facts += stored.facts
        for fact in entry.facts:
            self._declare(record.match.created.game, fact)
        record.heads[entry.last] = stored.head
        record.firsts[stored.by, stored.key] = version
        record.stored_at[entry.last] = self.now
        self._advance_clocks(record, entry)
        self.moves += topic == "match.play"

    def _declare(self, game: str, fact: Fact) -> None:
        if (game, fact.type) not in self._declared:
            self._declared[game, fact.type] = {
                one.name: one.metadata["seen_by"]
                for one in fields(fact)  # type: ignore[arg-type]  # records are dataclasses
                if "seen_by" in one.metadata
            }

    def _check_author(self, record: Record, stored: Stored) -> None:
        """Check that a stored command of a player is one that the player sent, with the same moves."""
        if stored.by == HOUSE:
            return
        intent = self.intents.get((record.id, stored.by, stored.key))
        if intent is None:
            raise Violation(f"match {record.id}: nobody sent the stored command {stored.key}")
        if intent.moves is not None and stored.command["moves"] != intent.moves:
            raise Violation(
                f"match {record.id}: the stored moves of {stored.key} are not those that were sent"
            )

    def _check_time(self, record: Record, entry: Entry) -> None:
        assert record.clocks is not None
        if isinstance(entry.command, TimeOut):
            deadline = record.clocks.deadline(entry.command.seat)
            if deadline is None or entry.at < deadline:
                raise Violation(f"match {record.id}: seat {entry.command.seat} timed out before {deadline}")
            calm = self.calm_since is not None and self.now > self.calm_since + SETTLED_S
            if calm and entry.at > deadline + LATEST_MS:
                raise Violation(
                    f"match {record.id}: the deadline {deadline} was recorded late, at {entry.at}"
                )
        elif entry.command.type == "play" and entry.seat is not None:
            deadline = record.clocks.deadline(entry.seat)
            if deadline is not None and entry.at >= deadline:
                raise Violation(f"match {record.id}: seat {entry.seat} moved after its time was up")

    def _advance_clocks(self, record: Record, entry: Entry) -> None:
        match = record.match
        if record.clocks is None:
            record.clocks = ClockModel(match.created.clock, len(match.seats))
        for fact in entry.facts:
            if isinstance(fact, TimeReturned):
                record.clocks.exclude(fact.since, fact.until)
        untimed = match.created.house_untimed
        timed = [seat for seat in range(len(match.seats)) if not (untimed and match.is_house(seat))]
        record.clocks.after_command(entry.at, entry.seat, list(match.to_act), timed)

    def on_beat(self, ms: int, outages: Sequence[tuple[Any, ...]]) -> None:
        """Check the outages stored with a heartbeat: for so long, no process may have written a heartbeat."""
        silent_ms, self._beaten_ms = ms - self._beaten_ms, ms
        for since, until in outages:
            self.checks += 1
            if until - since != silent_ms or silent_ms <= GAP_MS:
                raise Violation(
                    f"an outage of {until - since} ms is stored, but all were silent for {silent_ms}"
                )

    # --- answers and streams --------------------------------------------------------------------------------

    def sent(self, intent: Intent) -> None:
        """Note a command that a client is about to send for the first time."""
        self.intents[intent.match, intent.by, intent.key] = intent

    def answered(self, intent: Intent, answer: MoveAnswer) -> None:
        """Check an acknowledged command: it must be stored once, with the versions and head of the answer."""
        record, last = self._known(answer.position.id), answer.position.version
        first = record.firsts.get((intent.by, intent.key))
        if first is None or first != answer.first or last not in record.heads:
            raise Violation(
                f"match {record.id}: {intent.key} is acknowledged at version {answer.first}, "
                f"but stored at {first}"
            )
        if record.heads[last] != answer.position.head:
            raise Violation(f"match {record.id}: the head of the answer at {last} is not the stored one")
        shown = (answer.first, last, answer.position.head)
        if intent.answered not in (None, shown):
            raise Violation(f"match {record.id}: {intent.key} was answered {intent.answered}, then {shown}")
        self.acknowledged += intent.answered is None and intent.moves is not None
        intent.answered = shown
        viewer = record.match.seat_of(intent.by)
        for version, fact in enumerate(answer.facts, answer.first):
            self._check_fact(record, version, fact, viewer, last)
        self.check_position(answer.position, viewer)
        if isinstance(answer, CommandAnswer):
            self._check_secret(record, answer, last)

    def refused(self, intent: Intent, began: float, why: str) -> None:
        """Check a refused command: it must not have been stored before the request began at `began`."""
        first = self._known(intent.match).firsts.get((intent.by, intent.key))
        if first is None:
            return
        record = self.records[intent.match]
        last = next(entry.last for entry in record.entries if entry.first == first)
        if intent.answered or record.stored_at[last] < began:
            raise Violation(
                f"match {intent.match}: {intent.key} is stored at {first}, but was refused: {why}"
            )

    def _known(self, match_id: str) -> Record:
        if match_id not in self.records:
            raise Violation(f"match {match_id} is shown, but not stored")
        return self.records[match_id]

    def check_position(self, shown: Position, viewer: int) -> None:
        """Check that a position is the stored one and reveals nothing that the viewer may not know."""
        record = self._known(shown.id)
        self.checks += 1
        if shown.version > record.version:
            raise Violation(f"match {shown.id}: version {shown.version} is shown before it is stored")
        if shown.version != record.version:
            return
        match = record.match
        if match.begun:
            self._check_view(record, shown, viewer)
        assert record.clocks is not None
        for seat in shown.clock.seats or ():
            if seat.deadline != record.clocks.deadline(seat.seat):
                raise Violation(
                    f"match {shown.id}, version {shown.version}: the deadline of seat {seat.seat} is shown as"
                    f" {seat.deadline}, but is {record.clocks.deadline(seat.seat)}"
                )

    def _check_view(self, record: Record, shown: Position, viewer: int) -> None:
        match, rules = record.match, record.match.rules
        seen_as = match.fact_viewer(viewer)
        if shown.view != rules.view(match.state, seen_as):
            raise Violation(
                f"match {shown.id}, version {shown.version}: the view is not that of the stored facts"
            )
        if match.over:
            return
        other = rules.resample(match.state, viewer, Seeded(self._random.randbytes(32)))
        if shown.view != rules.view(other, viewer):
            raise Violation(
                f"match {shown.id}, version {shown.version}: the view of {viewer} depends on "
                "what is hidden from them"
            )

    def check_event(self, match_id: str, event: Plain, viewer: int, expected: int) -> None:
        """Check that an event of a stream is the next stored fact, without what the viewer may not know."""
        record, version = self._known(match_id), event["version"]
        self.checks += 1
        if version != expected:
            raise Violation(f"match {match_id}: a stream goes from version {expected - 1} to {version}")
        if version > record.version:
            raise Violation(f"match {match_id}: version {version} is streamed before it is stored")
        self._check_fact(record, version, event["fact"], viewer, record.version)

    def _check_fact(self, record: Record, version: int, event: Plain, viewer: int, known: int) -> None:
        """Check that public fields are as stored, and that secret ones are shown only to their viewers."""
        stored = record.facts[version - 1]
        secret = {} if record.match.over else self._secret_fields(record, stored)
        hidden = {name for name, seats in secret.items() if viewer not in seats}
        shown = {name: value for name, value in event.items() if name != "hidden"}
        if leaked := sorted(hidden & shown.keys()):
            raise Violation(f"match {record.id}, version {version}: {viewer} is shown {', '.join(leaked)}")
        if any(stored.get(name) != value for name, value in shown.items()):
            raise Violation(f"match {record.id}, version {version}: the fact shown is not the stored one")

    def _secret_fields(self, record: Record, stored: Plain) -> dict[str, list[int]]:
        """The secret fields of a fact and the seats that may see them, as the class of the fact declares."""
        found: dict[str, list[int]] = {}
        for name, seen_by in self._declared[record.match.created.game, stored["type"]].items():
            values = [stored.get(one) for one in seen_by]
            found[name] = [
                seat
                for one in values
                for seat in (one if isinstance(one, list) else [one])
                if seat is not None
            ]
        return found

    def _check_secret(self, record: Record, answer: CommandAnswer, last: int) -> None:
        if record.match.over or record.match.created.open_seed:
            return
        if record.match.created.server_secret in repr(answer):
            raise Violation(f"match {record.id}: an answer holds the secret of the service")

    # --- checks in a calm -----------------------------------------------------------------------------------

    def check_deadlines(self, now_ms: int, grace_ms: int) -> None:
        """Check that every deadline that passed more than `grace_ms` ago has been recorded."""
        for record in self.records.values():
            due = None if record.match.over else record.match.next_deadline
            if due is not None and due + grace_ms < now_ms:
                raise Violation(f"match {record.id}: nobody recorded the deadline {due} by {now_ms}")

    def check_stored(self, rows: Sequence[tuple[str, int, bytes]]) -> None:
        """Check that the database has all committed rows, and that nothing acknowledged is lost."""
        stored: dict[str, list[int]] = {}
        for match_id, version, _ in rows:
            stored.setdefault(match_id, []).append(version)
        for record in self.records.values():
            if stored.get(record.id) != [entry.first for entry in record.entries]:
                raise Violation(f"match {record.id}: committed rows are missing")
        for intent in self.intents.values():
            known = self.records.get(intent.match)
            if intent.answered and (known is None or (intent.by, intent.key) not in known.firsts):
                raise Violation(f"match {intent.match}: {intent.key} was acknowledged and is lost")

    def audit(self, match_id: str) -> None:
        """Audit a match: rules, draws, bots, clocks and hash chain must give the same facts again."""
        record, auditor = self._known(match_id), MatchAuditor(match_id, is_signed)
        for entry in record.entries:
            try:
                hashes = auditor.take(entry)
            except BrokenRecordError as error:
                raise Violation(f"match {match_id}: {error}") from error
            if hashes[-1] != record.heads[entry.last]:
                raise Violation(f"match {match_id}: the stored hash at version {entry.last} is wrong")
        self.audited += 1
