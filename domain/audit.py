"""Plays a recorded match again, command by command, and compares: every fact, every draw, every moment, every hash.

Needs nothing but the record: no service, no database, no clock. What it finds is one sentence about the first broken place.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

from kontor_games.domain.chain import GENESIS, Link, links_of
from kontor_games.domain.chance import Chance, Draws, shuffle
from kontor_games.domain.codec import Codec, Fault, MalformedError, Plain, text_of
from kontor_games.domain.commands import CLOCK_COMMANDS, COMMANDS, acting_seat, create, obey, play
from kontor_games.domain.entry import HOUSE, Entry, fact_codec, find_rules
from kontor_games.domain.fact_difference import difference
from kontor_games.domain.game import Fact, Move, Refusal, Rules
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated, PositionSet
from kontor_games.domain.seed import commitment_of, is_hash

T = TypeVar("T")

_PLAY = {"type", "moves", "seat"}


class BrokenRecordError(Exception):
    """A record that can't have come about as it says."""

    def __init__(self, version: int, detail: str) -> None:
        """Where it breaks first, and how."""
        super().__init__(f"at version {version}: {detail}")
        self.version = version
        self.detail = detail


class UnknownRulesError(BrokenRecordError):
    """A record that may be good but can't be checked here, since its rules are not installed."""


class Reading(NamedTuple):
    """A command that was read: in plain data, in the one form in which it is written, and its moves."""

    command: Plain
    wanted: str
    moves: list[Move]


class Asked(NamedTuple):
    """All that is believed of a record: who wanted what and when, and what the first command announced."""

    first: int
    """The version at which the command was made."""
    at: int
    by: str
    read: Callable[[Codec | None], Reading]
    """Reads the command, given the codec of the game's moves; the first command comes before any."""
    announced: tuple[Fact, ...] = ()


def read_command(command: Plain, codec: Codec | None) -> Reading:
    """Reads a command that nobody has checked yet."""
    plays = codec is not None and command.get("type") == "play"
    if not (plays and command.keys() <= _PLAY and command.get("moves") and type(command.get("seat", 0)) is int):
        command = COMMANDS.encode(COMMANDS.parse(command))
    if codec is None or not plays:
        return Reading(command, text_of(command), [])
    moves = [codec.parse(move, f"/moves/{index}") for index, move in enumerate(command["moves"])]
    written = ",".join([codec.write_public(move)[0] for move in moves])
    seat = f'"seat":{command["seat"]},' if "seat" in command else ""
    return Reading(command, f'{{"moves":[{written}],{seat}"type":"play"}}', moves)


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
    __slots__ = ("_draws", "values")

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self.values: list[tuple[int, int]] = []

    def below(self, bound: int) -> int:
        value = self._draws.below(bound)
        self.values.append((bound, value))
        return value

    def shuffled(self, items: Sequence[T]) -> list[T]:
        return shuffle(items, self.below)  # so that each of its values is on record


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
        if not self._taken:
            return []
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
        if entry.first != self.match.version + 1:
            raise BrokenRecordError(entry.first, f"facts are missing or doubled; version {self.match.version + 1} should come here")
        due, wanted = self.redo(Asked(entry.first, entry.at, entry.by, partial(read_command, entry.command), entry.facts))
        self._compare(entry, due, wanted)
        return [linked.hash for linked in self.bind(due, wanted)], self.match.collect_draws()

    def redo(self, asked: Asked) -> tuple[Entry, str]:
        """The entry that comes of a command when it is carried out again, and the command in canonical form."""
        if asked.at < self.match.at:
            raise BrokenRecordError(asked.first, "it happened before the command before it")
        try:
            command, wanted, moves = asked.read(self.match.rules.move_codec if self.match.version else None)
            facts = self._decide(asked, command, moves) if self.match.version else self._create(asked, command)
        except Refusal as refusal:
            cited = f" ({refusal.rule})" if refusal.rule else ""
            raise BrokenRecordError(asked.first, f"the command was not allowed: {refusal.detail}{cited}") from refusal
        except MalformedError as error:
            raise BrokenRecordError(asked.first, f"the command can't be read: {error}") from error
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            # Nothing else keeps a position, from which a branch begins, from being nonsense.
            raise BrokenRecordError(asked.first, f"the command can't be carried out: {error!r}") from error
        seat = acting_seat(self.match, command, asked.by)
        return Entry(asked.first, asked.at, asked.by, seat, command, "", "", tuple(facts)), wanted

    def bind(self, entry: Entry, wanted: str) -> list[Link]:
        """The entry's facts, linked to those before."""
        linked = links_of(self._id, fact_codec(self.match.rules), entry, self.match.created.server_secret, self.head, wanted)
        self.head = linked[-1].hash
        return linked

    def _create(self, asked: Asked, command: Plain) -> list[Fact]:
        created, *others = asked.announced
        if not isinstance(created, MatchCreated) or command["type"] != "create":
            raise BrokenRecordError(asked.first, "the record does not begin with the announcement of a match")
        if not is_hash(created.server_secret) or commitment_of(created.server_secret) != created.commitment:
            raise BrokenRecordError(asked.first, "the server's secret is not the one it had committed to")
        if created.creator != asked.by:
            raise BrokenRecordError(asked.first, "the match was announced by somebody else")
        _check_table(created, _pinned_rules(asked.first, created))
        position = others[0] if created.branch and others else None
        if created.branch and not isinstance(position, PositionSet):
            raise BrokenRecordError(asked.first, "a branch does not say where it begins")
        return create(self.match, command, created, asked.by, asked.at, position)  # type: ignore[arg-type]  # checked above

    def _decide(self, asked: Asked, command: Plain, moves: list[Move]) -> list[Fact]:
        self._check_author(asked, command["type"], command.get("seat"))
        if moves:
            return play(self.match, command, asked.by, asked.at, moves)
        return obey(self.match, command, asked.by, asked.at)

    def _check_author(self, asked: Asked, kind: str, seat: int | None) -> None:
        """The house moves for its own bots only, and nobody else does; the clock is the house's too."""
        house = asked.by == HOUSE
        if kind in CLOCK_COMMANDS:
            if not house:
                raise BrokenRecordError(asked.first, "only the house says that time is up")
        elif house and not self._is_house_bot(kind, seat):
            raise BrokenRecordError(asked.first, "the house acted for a player")
        elif kind == "play" and not house and seat is not None:
            raise BrokenRecordError(asked.first, "a player moves for their own seat only")

    def _is_house_bot(self, kind: str, seat: int | None) -> bool:
        taken = self.match.seats[seat] if kind == "play" and seat is not None and 0 <= seat < len(self.match.seats) else None
        return taken is not None and taken.house is not None

    def _compare(self, entry: Entry, due: Entry, wanted: str) -> None:
        encode = fact_codec(self.match.rules).encode
        for version, (recorded, expected) in enumerate(zip(entry.facts, due.facts, strict=False), entry.first):
            if recorded != expected or type(recorded) is not type(expected):
                raise BrokenRecordError(version, difference(encode(recorded), encode(expected)))
        if len(due.facts) != len(entry.facts):
            raise BrokenRecordError(entry.first, f"the command causes {len(due.facts)} facts, not {len(entry.facts)}")
        if text_of(entry.command) != wanted:
            raise BrokenRecordError(entry.first, "the command is not written as commands are")
        if entry.seat != due.seat:
            raise BrokenRecordError(entry.first, "another seat's clock was stopped")


def _pinned_rules(version: int, created: MatchCreated) -> Rules[Any]:
    wanted = f"{created.game} version {created.rules_version} with {created.data}"
    try:
        rules = find_rules(created.game, created.rules_version, created.data)
    except LookupError:
        raise UnknownRulesError(version, f"the rules of this match are not installed here: {wanted}") from None
    if rules.data.hash != created.data_hash:
        raise UnknownRulesError(version, f"what is installed here as {wanted} is not what this match was played with: its data differ")
    return rules


def _check_table(created: MatchCreated, rules: Rules[Any]) -> None:
    """What was announced must be possible: so many seats, such options."""
    faults: list[Fault] = []
    options = rules.options_shape.parse(created.options, "/options", faults)
    if not faults and rules.options_shape.encode(options) != created.options:
        faults.append(Fault("/options", "are not written out"))
    if len(created.seats) not in rules.seat_counts:
        faults.append(Fault("/seats", f"can't be {len(created.seats)}"))
    if faults:
        raise MalformedError(faults)
