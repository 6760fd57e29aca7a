"""One playing of a game: what may happen to a match next, and what follows from it.

Deciding works on a copy: what it returns are the new facts, already folded into that copy, which replaces the original once they
are stored. A refused command leaves the copy unfit for use and the original untouched.
"""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.entry import HOUSE
from kontor_games.domain.game import Fact, Move, Refusal
from kontor_games.domain.match_facts import (
    AbortWanted,
    ContributionOpened,
    ContributionsDue,
    ContributionWithheld,
    MatchAborted,
    MatchCreated,
    MatchFinished,
    MatchStarted,
    PositionSet,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    SeatTimedOut,
)
from kontor_games.domain.match_refusals import (
    AlreadyAgreedError,
    AlreadySeatedError,
    BotsNotWelcomeError,
    ContributionMismatchError,
    MatchNotOpenError,
    MatchNotRunningError,
    NotCreatorError,
    NotDueError,
    NotFlaggedError,
    NotSealedError,
    NotSeatedError,
    SeatGivenUpError,
    SeatNotFreeError,
    SeatsMissingError,
    SomethingRevealedError,
    TimeIsUpError,
)
from kontor_games.domain.match_state import MatchState
from kontor_games.domain.seed import OPENING_MS, is_hash, opens
from kontor_games.domain.toolkit import ranking


class Match(MatchState):
    """Where one match stands, and what may happen to it next."""

    __slots__ = ()

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

    def create(self, created: MatchCreated, at: int, position: PositionSet | None = None) -> list[Fact]:
        """Announces the match, to begin in a position if one is given; house bots sit down at once."""
        facts: list[Fact] = []
        self._happen(facts, created, *([position] if position else []))
        for seat, plan in enumerate(created.seats):
            if plan.kind == "bot":
                self._happen(facts, SeatTaken(seat, HOUSE, bot=True, house=plan.bot, contribution=""))
        self._start_when_full(facts, at)
        self._settle(at, None)
        return facts

    def join(self, player: str, seat: int | None, at: int, *, bot: bool, contribution: str) -> list[Fact]:
        """A player sits down on a seat of their choice, or on the first that is free for them."""
        self._require("open")
        if self.seat_of(player) != SPECTATOR:
            raise AlreadySeatedError("you sit at this table already")
        if bot and not self.created.meet_bots:
            raise BotsNotWelcomeError("the players of this match want to meet people only")
        if self.created.sealed and not is_hash(contribution):
            raise NotSealedError("contributions are sealed here: put in the SHA-256 of your value, 64 digits in lower-case hex")
        facts: list[Fact] = []
        taken = self._free_seat(player, seat)
        self._happen(facts, SeatTaken(taken, player, bot=bot, house=None, contribution=contribution))
        self._start_when_full(facts, at)
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
        """A player stands up before the start; not while contributions are being opened, when it would be a way to withhold one's own."""
        self._require("open")
        if self.due is not None:
            raise MatchNotOpenError("contributions are being opened: nobody can leave now")
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
        if self.due is not None:
            raise MatchNotOpenError("the match starts when all contributions are opened")
        facts: list[Fact] = []
        self._begin(facts, at)
        self._settle(at, None)
        return facts

    def _start_when_full(self, facts: list[Fact], at: int) -> None:
        if self.created.autostart and None not in self.seats:
            self._begin(facts, at)

    def _begin(self, facts: list[Fact], at: int) -> None:
        if self.created.sealed and self._sealed_seats():
            self._happen(facts, ContributionsDue(at + OPENING_MS))
        else:
            self._deal(facts)

    def _sealed_seats(self) -> list[int]:
        """The seats whose contributions are still to be opened."""
        return [s for s, taken in enumerate(self.seats) if taken and taken.house is None and s not in self.opened]

    def open_contribution(self, player: str, value: str, at: int) -> list[Fact]:
        """A player opens what they sealed; the last one starts the match."""
        self._require("open")
        seat = self._require_seat(player)
        if self.due is None or seat in self.opened:
            raise NotDueError("contributions are opened once, when all seats are taken")
        if at >= self.due:
            raise TimeIsUpError("the time to open contributions is over")
        taken = self.seats[seat]
        if taken is None or not opens(value, taken.contribution):
            raise ContributionMismatchError("this is not the value whose hash you put in")
        facts: list[Fact] = []
        self._happen(facts, ContributionOpened(seat, value))
        if not self._sealed_seats():
            self._deal(facts)
        self._settle(at, None)
        return facts

    def give_up_waiting(self, at: int) -> list[Fact]:
        """Contributions were not opened in time: says by whom, and breaks the match off."""
        if self.due is None or at < self.due:
            raise NotDueError("there is still time to open contributions")
        facts: list[Fact] = []
        self._happen(facts, *(ContributionWithheld(seat) for seat in self._sealed_seats()), MatchAborted("withheld"))
        self._settle(at, None)
        return facts

    @property
    def next_deadline(self) -> int | None:
        """The next moment at which time alone changes the match."""
        return self.clock.next_deadline() if self.due is None else self.due

    def _deal(self, facts: list[Fact]) -> None:
        self._happen(facts, MatchStarted(tuple(taken.player for taken in self.seats if taken)))
        if self.position is None:
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
                if index:
                    _require_nothing_revealed(facts)
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
        if not self.abort_wanted:
            return
        people = {s for s, taken in enumerate(self.seats) if taken and taken.house is None and s not in self.absent}
        if people and people <= set(self.abort_wanted):
            self._happen(facts, MatchAborted("consent"))

    # --- what follows by itself --------------------------------------------------------------------------------------------

    def _follow(self, facts: list[Fact]) -> None:
        """Absent seats make quiet moves; a match that is decided ends."""
        present = len(self.seats) - len(self.absent)
        while self.absent and present > 1 and (waiting := [seat for seat in self.to_act if seat in self.absent]):
            self._play_quietly(facts, waiting[0])
        result = self.rules.result(self.state)
        if result is None and present > 1:
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


def _require_nothing_revealed(facts: list[Fact]) -> None:
    if any(happened.reveals for happened in facts):
        raise SomethingRevealedError("the move before brings something hidden to light: send it on its own, then decide")


def _places(places: tuple[int, ...], absent: tuple[int, ...]) -> tuple[int, ...]:
    """Those who left rank behind all who stayed, and who left first ranks last."""
    return ranking.places([(absent.index(seat) - len(absent), 0) if seat in absent else (0, -place) for seat, place in enumerate(places)])


Decide = Callable[[Match, int], list[Fact]]
"""A command on a copy of a match, at a moment: its facts."""
