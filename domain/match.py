"""One playing of a game: seats, life of a match, who may act. Any game, no store, no clock on the wall.

A `Match` is rebuilt by folding the entries of its log. Deciding works on a copy: what it returns are the new facts, already
folded into that copy, which replaces the original once they are stored.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from domain.chance import Chance, Seeded, seed_from
from domain.clock import Clock, ClockSettings
from domain.codec import ARBITER, SPECTATOR, Codec, Plain
from domain.game import Fact, Move, Refusal, Rules, State
from domain.games import installed_games
from domain.life import (
    LIFE_FACTS,
    AbortWanted,
    AlreadyAgreedError,
    AlreadySeatedError,
    BotsNotWelcomeError,
    LifeFact,
    MatchAborted,
    MatchCreated,
    MatchFinished,
    MatchNotOpenError,
    MatchNotRunningError,
    MatchStarted,
    NotCreatorError,
    NotFlaggedError,
    NotSeatedError,
    SeatGivenUpError,
    SeatLeft,
    SeatNotFreeError,
    SeatPlan,
    SeatResigned,
    SeatsMissingError,
    SeatTaken,
    SeatTimedOut,
    TimeIsUpError,
)

HOUSE = "house"
"""The player id of the service itself: house bots, and moves made for absent players."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted command and the facts it caused: what is stored, whole or not at all."""

    first: int
    """The version of its first fact; versions count facts from 1."""
    at: int
    """Milliseconds since 1970, never before the entry before."""
    by: str
    """The player whose command it was."""
    seat: int | None
    """The seat that acted, whose clock stops."""
    command: Plain
    """What was wanted: `{"type": "play", "moves": […]}`."""
    key: str
    """The command's own id: a retry with the same key is the same command."""
    body: str
    """Digest of the request, so that another request under the same key is noticed."""
    facts: tuple[Fact, ...]

    @property
    def last(self) -> int:
        """The version of its last fact."""
        return self.first + len(self.facts) - 1


@cache
def find_rules(game: str, version: int | None, data: str | None) -> Rules[Any]:
    """The rules of an installed game, built once for all its matches."""
    return installed_games()[game].rules(data, version)


@cache
def fact_codec(rules: Rules[Any]) -> Codec:
    """Plain-data form of everything that can happen in a match under these rules."""
    return Codec((*LIFE_FACTS, *rules.facts))


LIFE_CODEC = Codec(LIFE_FACTS)


def commitment_of(server_secret: str) -> str:
    """The hash that the service publishes before anyone sits down."""
    return hashlib.sha256(bytes.fromhex(server_secret)).hexdigest()


def seed_of(server_secret: str, contributions: Sequence[str]) -> bytes:
    """The seed of a match: its secret and, seat by seat, what the players put in (docs/chance.md)."""
    parts = [b"kontor.seed.1\n", bytes.fromhex(server_secret)]
    for contribution in contributions:
        text = contribution.encode()
        parts += [len(text).to_bytes(2, "big"), text]
    return hashlib.sha256(b"".join(parts)).digest()


class Match:
    """Where one match stands, and what may happen to it next."""

    __slots__ = (
        "abort_wanted",
        "absent",
        "at",
        "begun",
        "chance",
        "clock",
        "created",
        "moved",
        "outcome",
        "rules",
        "seats",
        "state",
        "status",
        "version",
    )

    created: MatchCreated
    rules: Rules[Any]
    seats: list[SeatTaken | None]
    clock: Clock
    chance: Chance
    state: State

    def __init__(self) -> None:
        """Nothing has happened yet."""
        self.status = "open"
        self.version = 0
        self.at = 0
        self.begun = False
        self.moved = False
        self.absent: tuple[int, ...] = ()
        self.abort_wanted: tuple[int, ...] = ()
        self.outcome: MatchFinished | None = None

    def copy(self) -> "Match":
        """An independent match to try a command on."""
        twin = Match.__new__(Match)
        for name in ("abort_wanted", "absent", "at", "begun", "created", "moved", "outcome", "rules", "status", "version"):
            setattr(twin, name, getattr(self, name))
        twin.seats = self.seats[:]
        twin.clock = self.clock.copy()
        if self.begun:
            twin.chance = self.chance
            twin.state = self.state.copy()
        return twin

    # --- folding -----------------------------------------------------------------------------------------------------------

    def fold(self, entry: Entry) -> None:
        """Takes one stored entry in."""
        for happened in entry.facts:
            self.fold_fact(happened)
        self._settle(entry.at, entry.seat)

    def fold_fact(self, happened: Fact) -> None:
        """Takes one fact in: of the match's life, or of its game."""
        happened.fold(self if isinstance(happened, LifeFact) else self.state)
        self.version += 1

    def _settle(self, at: int, seat: int | None) -> None:
        self.at = at
        self.moved = self.moved or seat is not None
        self.clock.advance(at, seat, tuple(self.to_act))

    def announce(self, created: MatchCreated) -> None:
        """Lays the table that was announced."""
        self.created = created
        self.rules = find_rules(created.game, created.rules_version, created.data)
        if self.rules.data.hash != created.data_hash:
            raise LookupError(f"the data set {created.data} of {created.game} is not the one this match was created with")
        self.seats = [None] * len(created.seats)
        self.clock = Clock(created.clock, len(created.seats))

    def begin(self) -> None:
        """Opens the game for the players at the table."""
        self.status = "running"
        self.begun = True
        self.state = self.rules.table(len(self.seats), self.rules.options_shape.revive(self.created.options))
        self.chance = Seeded(self._seed())

    def _seed(self) -> bytes:
        if self.created.open_seed is not None:
            return seed_from(self.created.open_seed)
        return seed_of(self.created.server_secret, [taken.contribution for taken in self.seats if taken])

    # --- asking ------------------------------------------------------------------------------------------------------------

    @property
    def to_act(self) -> Sequence[int]:
        """The seats for which the match waits."""
        return self.rules.to_act(self.state) if self.status == "running" else ()

    @property
    def may_act(self) -> Sequence[int]:
        """The seats that have a move now; an empty chair answers nobody."""
        return [seat for seat in self.rules.may_act(self.state) if seat not in self.absent] if self.status == "running" else ()

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.status in ("finished", "aborted")

    def seat_of(self, player: str | None) -> int:
        """The seat a player holds, or SPECTATOR."""
        for seat, taken in enumerate(self.seats):
            if taken is not None and taken.player == player and taken.house is None:
                return seat
        return SPECTATOR

    def eyes(self, viewer: int) -> int:
        """Through whose eyes a viewer sees facts: their own while the match runs, the arbiter's once it is over."""
        return ARBITER if self.over else viewer

    def show(self, happened: Fact, viewer: int) -> dict[str, Plain]:
        """A fact as plain data, without what the viewer may not know."""
        return fact_codec(self.rules).show(happened, viewer)

    # --- deciding ----------------------------------------------------------------------------------------------------------

    def _happen(self, facts: list[Fact], *new: Fact) -> None:
        for happened in new:
            facts.append(happened)
            self.fold_fact(happened)

    def _require(self, status: str) -> None:
        if self.status == status:
            return
        if status == "open":
            raise MatchNotOpenError(f"the match is {self.status}: seats can be taken or left only while it is open")
        raise MatchNotRunningError(f"the match is {self.status}, so nobody can move")

    def _require_seat(self, player: str) -> int:
        seat = self.seat_of(player)
        if seat == SPECTATOR:
            raise NotSeatedError("you do not sit at this table")
        return seat

    def _require_present(self, seat: int) -> None:
        if seat in self.absent:
            raise SeatGivenUpError("you have left this match for good")

    def create(self, created: MatchCreated, at: int) -> list[Fact]:
        """Announces the match; house bots sit down at once."""
        facts: list[Fact] = []
        self._happen(facts, created)
        for seat, plan in enumerate(created.seats):
            if plan.kind == "bot":
                self._happen(facts, SeatTaken(seat, HOUSE, bot=True, house=plan.bot, contribution=""))
        self._start_when_full(facts)
        self._settle(at, None)
        return facts

    def join(self, player: str, seat: int | None, at: int, *, bot: bool, contribution: str) -> list[Fact]:
        """A player sits down on a seat of their choice, or on the first that is free for them."""
        self._require("open")
        if self.seat_of(player) != SPECTATOR:
            raise AlreadySeatedError("you sit at this table already")
        if bot and not self.created.meet_bots:
            raise BotsNotWelcomeError("the players of this match want to meet people only")
        facts: list[Fact] = []
        taken = self._free_seat(player, seat)
        self._happen(facts, SeatTaken(taken, player, bot=bot, house=None, contribution=contribution))
        self._start_when_full(facts)
        self._settle(at, None)
        return facts

    def _free_seat(self, player: str, wanted: int | None) -> int:
        free = [s for s, plan in enumerate(self.created.seats) if self.seats[s] is None and plan.player in (None, player)]
        # Their own seat first: nobody else could ever take it.
        free.sort(key=lambda seat: self.created.seats[seat].player is None)
        for seat in free:
            if wanted in (None, seat):
                return seat
        raise SeatNotFreeError("no seat is free for you" if wanted is None else f"seat {wanted} is not free for you")

    def leave(self, player: str, at: int) -> list[Fact]:
        """A player stands up before the start."""
        self._require("open")
        seat = self._require_seat(player)
        facts: list[Fact] = []
        self._happen(facts, SeatLeft(seat, player))
        self._settle(at, None)
        return facts

    def start(self, player: str, at: int) -> list[Fact]:
        """The creator starts a full match that does not start by itself."""
        self._require("open")
        if player != self.created.creator:
            raise NotCreatorError("only the creator of the match can start it")
        if None in self.seats:
            raise SeatsMissingError("there are empty seats")
        facts: list[Fact] = []
        self._deal(facts)
        self._settle(at, None)
        return facts

    def _start_when_full(self, facts: list[Fact]) -> None:
        if self.created.autostart and None not in self.seats:
            self._deal(facts)

    def _deal(self, facts: list[Fact]) -> None:
        self._happen(facts, MatchStarted(tuple(taken.player for taken in self.seats if taken)))
        self._take(facts, self.rules.deal(self.state, self.chance))
        self._follow(facts)

    def _take(self, facts: list[Fact], decided: list[Fact]) -> None:
        """Facts that the game has folded already."""
        facts += decided
        self.version += len(decided)

    def play(self, player: str, moves: Sequence[Move], at: int) -> list[Fact]:
        """A player's moves, all or none; a refusal says at which of them it happened (`index`)."""
        seat = self._require_seat(player)
        self._require("running")
        return self.play_seat(seat, moves, at)

    def play_seat(self, seat: int, moves: Sequence[Move], at: int) -> list[Fact]:
        """Moves of a seat, whoever sits there."""
        if not moves:
            raise ValueError("a command without a move would stop a clock for nothing")
        self._require("running")
        self._require_present(seat)
        if seat in self.clock.flagged(at):
            raise TimeIsUpError("your time ran out before this move arrived")
        facts: list[Fact] = []
        for index, wanted in enumerate(moves):
            try:
                self._take(facts, self.rules.play(self.state, seat, wanted, self.chance))
            except Refusal as refusal:
                refusal.index = index
                raise
        self._follow(facts)
        self._settle(at, seat)
        return facts

    def time_out(self, seat: int, at: int) -> list[Fact]:
        """A seat's time is up: it forfeits, or a quiet move is made for it."""
        self._require("running")
        if seat not in self.clock.flagged(at):
            raise NotFlaggedError(f"seat {seat} still has time")
        facts: list[Fact] = []
        self._happen(facts, SeatTimedOut(seat, self.created.on_timeout))
        if seat not in self.absent:
            self._play_quietly(facts, seat)
        self._follow(facts)
        self._settle(at, seat)
        return facts

    def resign(self, player: str, at: int) -> list[Fact]:
        """A player gives up."""
        seat = self._require_seat(player)
        self._require("running")
        self._require_present(seat)
        facts: list[Fact] = []
        self._happen(facts, SeatResigned(seat))
        self._follow(facts)
        self._settle(at, seat)
        return facts

    def abort(self, player: str, at: int) -> list[Fact]:
        """Breaks the match off: its creator before the first move, later only with everybody's consent."""
        if self.over:
            raise MatchNotRunningError(f"the match is {self.status} already")
        seat = self.seat_of(player)
        facts: list[Fact] = []
        if player == self.created.creator and not self.moved:
            self._happen(facts, MatchAborted("creator"))
        elif seat == SPECTATOR:
            raise NotSeatedError("only the players, or before the first move the creator, can break a match off")
        elif self.status == "open":
            raise NotCreatorError("before the start only the creator can break the match off; you can leave your seat")
        else:
            self._agree_to_abort(facts, seat)
        self._settle(at, None)
        return facts

    def _agree_to_abort(self, facts: list[Fact], seat: int) -> None:
        self._require_present(seat)
        if seat in self.abort_wanted:
            raise AlreadyAgreedError("you have agreed already; the others have not yet")
        self._happen(facts, AbortWanted(seat))
        self._abort_when_all_agree(facts)

    def _abort_when_all_agree(self, facts: list[Fact]) -> None:
        people = {s for s, taken in enumerate(self.seats) if taken and taken.house is None and s not in self.absent}
        if people and people <= set(self.abort_wanted):
            self._happen(facts, MatchAborted("consent"))

    # --- what follows by itself --------------------------------------------------------------------------------------------

    def _follow(self, facts: list[Fact]) -> None:
        """Absent seats make quiet moves; a match that is decided ends."""
        present = [seat for seat in range(len(self.seats)) if seat not in self.absent]
        while len(present) > 1 and (waiting := [seat for seat in self.to_act if seat in self.absent]):
            self._play_quietly(facts, waiting[0])
        result = self.rules.result(self.state)
        if result is None and len(present) > 1:
            self._abort_when_all_agree(facts)  # the one who had not agreed may just have left
            return
        scores = list(map(dict, result.scores)) if result else None
        places = _places(result.places if result else tuple(1 for _ in self.seats), self.absent)
        reason: Any = "played" if result else "forfeit"
        self._happen(facts, MatchFinished(places, scores, reason, self.created.server_secret))

    def _play_quietly(self, facts: list[Fact], seat: int) -> None:
        quiet = self.rules.quiet_moves(self.state, seat)
        chosen = quiet[self.chance.draws("absent", self.version).below(len(quiet))]
        self._take(facts, self.rules.play(self.state, seat, chosen, self.chance))


def _places(places: tuple[int, ...], absent: tuple[int, ...]) -> tuple[int, ...]:
    """Those who left rank behind all who stayed, and who left first ranks last."""
    worth = [(len(absent) - absent.index(seat), 0) if seat in absent else (0, place) for seat, place in enumerate(places)]
    return tuple(1 + sum(other < mine for other in worth) for mine in worth)


Decide = Callable[[Match, int], list[Fact]]
"""A command on a copy of a match, at a moment: its facts."""

__all__ = ["HOUSE", "ClockSettings", "Decide", "Entry", "Match", "SeatPlan", "commitment_of", "fact_codec", "find_rules", "seed_of"]
