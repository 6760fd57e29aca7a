"""Plays a recorded match again, command by command, and compares: every fact, every draw, every moment, every hash.

Needs nothing but the record: no service, no database, no clock. What it finds is one sentence about the first broken place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from domain.chain import GENESIS, link
from domain.chance import Chance, Draws
from domain.codec import Plain
from domain.commands import acting_seat, create, obey
from domain.entry import HOUSE, Entry, fact_codec
from domain.game import Fact, Refusal
from domain.life import MatchCreated, PositionSet
from domain.match import Match
from domain.seed import commitment_of

T = TypeVar("T")


class BrokenRecordError(Exception):
    """A record that can't have come about as it says."""

    def __init__(self, version: int, detail: str) -> None:
        """Where it breaks first, and how."""
        super().__init__(f"at version {version}: {detail}")
        self.version = version
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of a match: its stream and number, and each bound with the value that came out."""

    stream: str
    index: int
    values: tuple[tuple[int, int], ...]

    def plain(self) -> Plain:
        """The form in which exports publish it."""
        return {"stream": self.stream, "index": self.index, "values": [list(pair) for pair in self.values]}


class _RecordingDraws:
    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self.values: list[tuple[int, int]] = []

    def below(self, bound: int) -> int:
        value = self._draws.below(bound)
        self.values.append((bound, value))
        return value

    def shuffled(self, items: Sequence[T]) -> list[T]:
        # The same exchanges as SeededDraws makes, so that each of its values is on record.
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


class RecordingChance:
    """Chance that keeps what was drawn from it."""

    def __init__(self, chance: Chance) -> None:
        """Passes every draw on to the given chance."""
        self._chance = chance
        self._taken: list[tuple[str, int, _RecordingDraws]] = []

    def draws(self, stream: str, index: int) -> Draws:
        """The draw with this number, kept."""
        draws = _RecordingDraws(self._chance.draws(stream, index))
        self._taken.append((stream, index, draws))
        return draws

    def collect(self) -> list[Draw]:
        """What was drawn since the last time."""
        taken, self._taken = self._taken, []
        return [Draw(stream, index, tuple(draws.values)) for stream, index, draws in taken]


class AuditedMatch(Match):
    """A match that records its draws while it is played again."""

    __slots__ = ("recorder",)
    recorder: RecordingChance

    def begin(self) -> None:
        """Opens the game with chance that keeps what is drawn."""
        super().begin()
        self.recorder = RecordingChance(self.chance)
        self.chance = self.recorder

    def collect_draws(self) -> list[Draw]:
        """What was drawn since the last time."""
        return self.recorder.collect() if self.begun else []


class Auditor:
    """Takes the entries of one match in, one after the other, and refuses the first that can't be."""

    def __init__(self, match_id: str) -> None:
        """Knows nothing of the match yet."""
        self._id = match_id
        self.match = AuditedMatch()
        self.head = GENESIS

    def take(self, entry: Entry) -> tuple[list[str], list[Draw]]:
        """Checks one entry; answers the hashes of its facts and the draws it made."""
        self._check_place(entry)
        decided = self._decide(entry)
        self._compare(entry, decided)
        hashes = link(self._id, fact_codec(self.match.rules), entry, self.match.created.server_secret, self.head)
        self.head = hashes[-1]
        return hashes, self.match.collect_draws()

    def _check_place(self, entry: Entry) -> None:
        if entry.first != self.match.version + 1:
            raise BrokenRecordError(entry.first, f"facts are missing or doubled; version {self.match.version + 1} should come here")
        if entry.at < self.match.at:
            raise BrokenRecordError(entry.first, "it happened before the entry before it")
        if not entry.facts:
            raise BrokenRecordError(entry.first, "a command caused nothing")

    def _decide(self, entry: Entry) -> list[Fact]:
        try:
            if not self.match.version:
                return self._create(entry)
            self._check_author(entry)
            return obey(self.match, entry.command, entry.by, entry.at)
        except Refusal as refusal:
            cited = f" ({refusal.rule})" if refusal.rule else ""
            raise BrokenRecordError(entry.first, f"the command was not allowed: {refusal.detail}{cited}") from refusal
        except (LookupError, TypeError, ValueError) as error:
            raise BrokenRecordError(entry.first, f"the command can't be read: {error}") from error

    def _create(self, entry: Entry) -> list[Fact]:
        created = entry.facts[0]
        if not isinstance(created, MatchCreated) or entry.command.get("type") != "create":
            raise BrokenRecordError(entry.first, "the record does not begin with the announcement of the match")
        if commitment_of(created.server_secret) != created.commitment:
            raise BrokenRecordError(entry.first, "the server's secret is not the one it had committed to")
        if created.creator != entry.by:
            raise BrokenRecordError(entry.first, "the match was announced by somebody else")
        position = entry.facts[1] if created.branch else None
        if position is not None and not isinstance(position, PositionSet):
            raise BrokenRecordError(entry.first, "a branch does not say where it begins")
        return create(self.match, entry.command, created, entry.by, entry.at, position)

    def _check_author(self, entry: Entry) -> None:
        """The house moves for its own bots only, and records what is due."""
        kind = entry.command.get("type")
        if entry.by != HOUSE or kind in ("time_out", "give_up_waiting"):
            return
        taken = self.match.seats[entry.command["seat"]]
        if kind != "play" or taken is None or taken.house is None:
            raise BrokenRecordError(entry.first, "the house acted for a player")

    def _compare(self, entry: Entry, decided: list[Fact]) -> None:
        for offset, (recorded, expected) in enumerate(zip(entry.facts, decided, strict=False)):
            if recorded != expected or type(recorded) is not type(expected):
                raise BrokenRecordError(entry.first + offset, f"{recorded.type} is not what the rules give here, which is {expected.type}")
        if len(decided) != len(entry.facts):
            raise BrokenRecordError(entry.first, f"the command causes {len(decided)} facts, not {len(entry.facts)}")
        if entry.seat != acting_seat(self.match, entry.command, entry.by):
            raise BrokenRecordError(entry.first, "another seat's clock was stopped")
