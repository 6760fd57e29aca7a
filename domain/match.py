"""One match of any game: its state, rebuilt by folding facts, and the steps that several commands share.

Folding consults no rule. A command decides on a copy of a match: the facts that it adds are already folded
into that copy, which replaces the original once they are stored (domain/stream.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from kontor_games.domain import match_refusals as refusals
from kontor_games.domain.chance import Chance, Seeded, seed_from
from kontor_games.domain.clock import Clock
from kontor_games.domain.codec import ARBITER, SPECTATOR, Plain
from kontor_games.domain.game import Fact, Move, Rules, State
from kontor_games.domain.match_facts import (
    ContributionsDue,
    MatchAborted,
    MatchCreated,
    MatchFact,
    MatchFinished,
    MatchStarted,
    SeatTaken,
    fact_codec,
)
from kontor_games.domain.position import load_position
from kontor_games.domain.seed import OPENING_MS, seed_of
from kontor_games.domain.stream import Stream
from kontor_games.domain.toolkit import ranking


@dataclass(slots=True, eq=False, repr=False)
class Match(Stream):
    """The state of one match; only facts change it."""

    created: MatchCreated = field(init=False)
    rules: Rules[Any] = field(init=False)
    seats: list[SeatTaken | None] = field(init=False)
    clock: Clock = field(init=False)
    chance: Chance = field(init=False)
    bot_chance: Chance = field(init=False)
    """The chance of house bots, from the same seed. Their draws are not among those that an audit records."""
    state: State = field(init=False)
    people: dict[str | None, SeatTaken] = field(default_factory=dict)
    """Once the match has begun: the seats of players, without those of house bots."""
    status: str = "open"
    version: int = 0
    at: int = 0
    added: list[Fact] = field(default_factory=list)
    acted: int | None = None
    """The seat that acted last, by its own command or because its time was up."""
    begun: bool = False
    moved: bool = False
    due: int | None = None
    """The deadline for opening sealed contributions; None at all other times."""
    opened: dict[int, str] = field(default_factory=dict)
    position: Plain = None
    absent: tuple[int, ...] = ()
    abort_wanted: tuple[int, ...] = ()
    declined: tuple[int, ...] = ()
    """The seats whose invited players have declined."""
    returned_until: int = 0
    """The end of the last credited outage."""
    returned_ms: int = 0
    """The time of outages that was given back in all."""
    outcome: MatchFinished | None = None
    secret_revealed: bool = False
    """Whether the secret of a match that belongs to a block was revealed."""

    def copy(self) -> Self:
        """An independent match to decide a command on; it shares attributes that are only replaced."""
        copy = type(self).__new__(type(self))
        copy.added = []
        copy.abort_wanted, copy.absent, copy.acted = self.abort_wanted, self.absent, self.acted
        copy.at, copy.begun, copy.created = self.at, self.begun, self.created
        copy.declined, copy.due, copy.moved = self.declined, self.due, self.moved
        copy.opened, copy.outcome, copy.people = self.opened, self.outcome, self.people
        copy.position, copy.returned_until, copy.rules = self.position, self.returned_until, self.rules
        copy.returned_ms = self.returned_ms
        copy.secret_revealed, copy.status, copy.version = self.secret_revealed, self.status, self.version
        copy.seats = self.seats[:]
        copy.clock = self.clock.copy() if self.clock.runs else self.clock
        if self.begun:
            copy.chance, copy.bot_chance = self.chance, self.bot_chance
            copy.state = self.state.copy()
        return copy

    # --- folding --------------------------------------------------------------------------------------------

    def fold_fact(self, fact: Fact) -> None:
        """Fold one fact, of the match itself or of its game."""
        fact.fold(self if isinstance(fact, MatchFact) else self.state)
        self.version += 1

    def end_entry(self, at: int, seat: int | None) -> None:
        """Set the time of the match after an entry, and advance the clocks."""
        self.at = at
        self.acted = seat
        self.moved = self.moved or seat is not None
        if self.clock.runs:
            self.clock.advance(at, seat, tuple(self.to_act))

    def begin(self) -> None:
        """Make the first state of the game; called when `MatchStarted` is folded."""
        self.status = "running"
        self.begun = True
        self.due = None
        self.people = self._people()
        options = self.rules.options_shape.revive(self.created.options)
        self.state = self.rules.table(len(self.seats), options)
        if self.position is not None:
            load_position(self.state, self.position)
        self.chance = self.bot_chance = Seeded(self.seed())
        if self.created.house_untimed and self.clock.runs:
            self.clock.untimed = tuple(seat for seat in range(len(self.seats)) if self.is_house(seat))

    def seed(self) -> bytes:
        """The seed of all chance in this match."""
        if self.created.open_seed is not None:
            return seed_from(self.created.open_seed)
        return seed_of(self.created.server_secret, [] if self.created.in_block else self.contributions)

    # --- reading --------------------------------------------------------------------------------------------

    @property
    def contributions(self) -> list[str]:
        """The players' contributions to the seed, seat by seat; sealed ones once they are opened."""
        return [self.opened.get(seat, taken.contribution) for seat, taken in enumerate(self.seats) if taken]

    @property
    def unopened_seats(self) -> list[int]:
        """The seats whose sealed contributions are not opened yet."""
        return [taken.seat for taken in self._people().values() if taken.seat not in self.opened]

    def _people(self) -> dict[str | None, SeatTaken]:
        return {taken.player: taken for taken in self.seats if taken and taken.house is None}

    @property
    def to_act(self) -> Sequence[int]:
        """The seats that the match waits for."""
        return self.rules.to_act(self.state) if self.status == "running" else ()

    @property
    def may_act(self) -> Sequence[int]:
        """The seats that have a move now; those whose players left the match have none."""
        if self.status != "running":
            return ()
        return [seat for seat in self.rules.may_act(self.state) if seat not in self.absent]

    def has_move(self, seat: int) -> bool:
        """Whether a seat has a move now and its player has not left the match; a spectator has none."""
        if self.status != "running" or seat < 0 or seat in self.absent:
            return False
        return self.rules.has_move(self.state, seat)

    def is_delayed_for(self, player: str | None) -> bool:
        """Whether somebody sees the match later than its players do."""
        running = self.status == "running" and self.created.spectator_delay > 0
        return running and self.seat_of(player) == SPECTATOR

    @property
    def over(self) -> bool:
        """Whether the match has finished or was aborted."""
        return self.status in ("finished", "aborted")

    @property
    def revealed(self) -> bool:
        """Whether nothing is hidden any more: the match is over, and so is the block to which it belongs."""
        return self.over and (not self.created.in_block or self.secret_revealed)

    @property
    def returnable_ms(self) -> int | None:
        """How much time outages can still give back; None: any."""
        limit = self.created.max_returned_ms
        return None if limit is None else limit - self.returned_ms

    @property
    def next_deadline(self) -> int | None:
        """The next time at which the match changes without a command of a player."""
        if self.due is not None:
            return self.due
        return self.clock.next_deadline() if self.clock.runs else None

    @property
    def expiry(self) -> int | None:
        """When the match expires if nobody sends a command; None if it does not expire."""
        waits = {"open": self.created.open_for_ms, "running": 0 if self.clock.runs else self.created.idle_ms}
        allowed = waits.get(self.status, 0)
        return self.at + allowed if allowed and self.due is None else None

    def reserved_for(self, seat: int) -> str | None:
        """The player for whom a seat is reserved; None if nobody was invited, or they have declined."""
        return None if seat in self.declined else self.created.seats[seat].player

    def is_invited(self, player: str) -> bool:
        """Whether a seat is reserved for a player."""
        return any(self.reserved_for(seat) == player for seat in range(len(self.seats)))

    def is_house(self, seat: int) -> bool:
        taken = self.seats[seat]
        return taken is not None and taken.house is not None

    def seat_of(self, player: str | None) -> int:
        """The seat of a player, or SPECTATOR."""
        taken = (self.people if self.begun else self._people()).get(player)
        return SPECTATOR if taken is None else taken.seat

    def key_of(self, player: str) -> str | None:
        """The public key with which a player signs in this match; None if they don't sign or have no seat."""
        taken = (self.people if self.begun else self._people()).get(player)
        return None if taken is None else taken.key

    def fact_viewer(self, viewer: int) -> int:
        """The viewer for whom facts are redacted: the arbiter once everything is revealed."""
        return ARBITER if self.revealed else viewer

    def redacted(self, fact: Fact, viewer: int) -> dict[str, Plain]:
        """A fact as plain data, without the fields that the viewer may not see."""
        return fact_codec(self.rules).redacted(fact, viewer)

    # --- requirements of commands ---------------------------------------------------------------------------

    def require_open(self) -> None:
        """Refuse a command that needs a match that has not started."""
        if self.status != "open":
            raise refusals.MatchNotOpenError(
                f"The match is {self.status}. Seats can be taken or left only while it is open."
            )

    def require_running(self) -> None:
        """Refuse a command that needs a running match."""
        if self.status != "running":
            raise refusals.MatchNotRunningError(f"The match is {self.status}, so no moves are possible.")

    def require_seat(self, player: str) -> int:
        """The seat of a player; refuses a command of anybody else."""
        seat = self.seat_of(player)
        if seat == SPECTATOR:
            raise refusals.NotSeatedError("You have no seat in this match.")
        return seat

    def require_present(self, seat: int) -> None:
        """Refuse a command of a seat that resigned or forfeited."""
        if seat in self.absent:
            raise refusals.SeatGivenUpError(
                "You have resigned or forfeited, so you can no longer act in this match."
            )

    # --- steps of commands ----------------------------------------------------------------------------------

    def play_move(self, seat: int, move: Move) -> None:
        """Add the facts of a move."""
        self._add_folded(self.rules.play(self.state, seat, move, self.chance))

    def _add_folded(self, facts: list[Fact]) -> None:
        """Add facts that the game has already folded."""
        self.added += facts
        self.version += len(facts)

    def start_when_full(self, at: int) -> None:
        """Start the match if it has `autostart` and no seat is empty."""
        if self.created.autostart and None not in self.seats:
            self.start(at)

    def start(self, at: int) -> None:
        """Deal, or ask for sealed contributions first."""
        if self.created.sealed and self.unopened_seats:
            self.add(ContributionsDue(at + OPENING_MS))
        else:
            self.deal()

    def deal(self) -> None:
        """Start the game: deal, unless the match begins in a given position."""
        self.add(MatchStarted(tuple(taken.player for taken in self.seats if taken)))
        if self.position is None:
            self._add_folded(self.rules.deal(self.state, self.chance))
        self.follow_up()

    def follow_up(self) -> None:
        """Make quiet moves for absent seats, and end a match that is decided."""
        absent = self.absent
        several = len(self.seats) - len(absent) > 1
        while absent and several and (waiting := [seat for seat in self.to_act if seat in absent]):
            self.play_quiet_move(waiting[0])
        result = self.rules.result(self.state)
        if result is None and several:
            if self.abort_wanted:  # the one who had not agreed may just have left
                self.abort_when_all_agree()
            return
        scores = list(map(dict, result.scores)) if result else None
        places = _places(result.places if result else tuple(1 for _ in self.seats), self.absent)
        reason: Any = "played" if result else "forfeit"
        secret = "" if self.created.in_block else self.created.server_secret
        self.add(MatchFinished(places, scores, reason, secret))

    def play_quiet_move(self, seat: int) -> None:
        """Make a random quiet move for a seat that makes none itself."""
        quiet = self.rules.quiet_moves(self.state, seat)
        self.play_move(seat, quiet[self.chance.draws("absent", self.version).below(len(quiet))])

    def abort_when_all_agree(self) -> None:
        """Abort the match if all remaining players have agreed."""
        people = {taken.seat for taken in self.people.values() if taken.seat not in self.absent}
        if people and people <= set(self.abort_wanted):
            self.add(MatchAborted("consent"))


def _places(places: tuple[int, ...], absent: tuple[int, ...]) -> tuple[int, ...]:
    """Return the final places: players who left rank behind all who stayed, the first to leave last."""
    return ranking.places(
        [
            (absent.index(seat) - len(absent), 0) if seat in absent else (0, -place)
            for seat, place in enumerate(places)
        ]
    )
