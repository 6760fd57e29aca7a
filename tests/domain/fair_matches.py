"""Matches of the toy game, played as the service does: a command is decided on a copy, then stored."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.commands import (
    Abort,
    Create,
    Decline,
    Expire,
    GiveUpWaiting,
    Join,
    Leave,
    Open,
    Play,
    Resign,
    ReturnTime,
    Start,
    TimeOut,
)
from kontor_games.domain.game import Fact, Move
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated, PositionSet, SeatPlan, find_rules
from kontor_games.domain.seed import commitment_of
from kontor_games.domain.stream import HOUSE, Command, Entry
from tests.domain.toy.games.fair import GAME as FAIR
from tests.domain.toy.games.fair.rules import FairRules
from tests.domain.toy.games.fair.state import Fair


@pytest.fixture(autouse=True)
def the_fair_is_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install the toy game for one test."""
    monkeypatch.setattr("kontor_games.domain.match_facts.installed_games", lambda: {"fair": FAIR})
    find_rules.cache_clear()
    yield
    find_rules.cache_clear()


SECRET = "5e" * 32
ANN, BEN, CID, DOT = "ann", "ben", "cid", "dot"
OPEN = SeatPlan("open")
BOT = SeatPlan("bot", bot="random")


def invited(player: str) -> SeatPlan:
    """A seat reserved for a player."""
    return SeatPlan("invited", player=player)


def announcement(*seats: SeatPlan, **other: Any) -> MatchCreated:
    """A match of the Fair by Ann, public, starting when full, unless said otherwise."""
    rules = FAIR.rules()
    usual: dict[str, Any] = {
        "options": {"rounds": 2, "coins": 5},
        "clock": ClockSettings(),
        "on_timeout": "bot",
        "autostart": True,
        "private": False,
        "meet_bots": True,
        "creator": ANN,
        "sealed": False,
        "open_seed": "a fair",
        "practice": True,
        "branch": False,
        "server_secret": SECRET,
    }
    wanted = usual | other
    return MatchCreated(
        game="fair",
        rules_version=rules.version,
        data=rules.data.name,
        data_hash=rules.data.hash,
        seats=seats,
        commitment=commitment_of(wanted["server_secret"]),
        **wanted,
    )


class Table:
    """A match with its entries."""

    def __init__(self, created: MatchCreated, at: int = 0, position: PositionSet | None = None) -> None:
        self.match = Match()
        self.entries: list[Entry] = []
        self.pictures: list[tuple[Any, ...]] = []
        command = Create(takes_seat=False, bot=False, contribution="")
        self._put(
            Match(),
            at,
            created.creator,
            command,
            lambda match: command.create(match, created, created.creator, at, position),
        )

    def _put(
        self, trial: Match, at: int, by: str, command: Command, decide: Callable[[Match], list[Fact]]
    ) -> list[Fact]:
        facts = decide(trial)
        self.entries.append(
            Entry(
                self.match.version + 1,
                at,
                by,
                trial.acted,
                command,
                f"key {len(self.entries)}",
                "",
                tuple(facts),
            )
        )
        self.match = trial
        self.pictures.append(snapshot(trial))
        return facts

    def do(self, by: str, command: Command, at: int = 0) -> list[Fact]:
        """Carry out a command on a copy, which replaces the match unless the command is refused."""
        return self._put(self.match.copy(), at, by, command, lambda match: command.decide(match, by, at))

    def join(
        self, player: str, seat: int | None = None, at: int = 0, *, bot: bool = False, contribution: str = ""
    ) -> list[Fact]:
        return self.do(player, Join(seat, bot, contribution), at)

    def leave(self, player: str, at: int = 0) -> list[Fact]:
        return self.do(player, Leave(), at)

    def start(self, player: str, at: int = 0) -> list[Fact]:
        return self.do(player, Start(), at)

    def open_contribution(self, player: str, value: str, at: int = 0) -> list[Fact]:
        return self.do(player, Open(value), at)

    def give_up_waiting(self, at: int) -> list[Fact]:
        return self.do(HOUSE, GiveUpWaiting(), at)

    def play(self, player: str, *moves: Move, at: int = 0) -> list[Fact]:
        return self.do(player, Play(moves), at)

    def play_seat(self, seat: int, *moves: Move, at: int = 0) -> list[Fact]:
        """Make moves for a seat, of a player or a house bot."""
        return self.do(HOUSE, Play(moves, seat), at)

    def time_out(self, seat: int, at: int) -> list[Fact]:
        return self.do(HOUSE, TimeOut(seat), at)

    def return_time(self, since: int, until: int, at: int) -> list[Fact]:
        return self.do(HOUSE, ReturnTime(since, until), at)

    def expire(self, at: int) -> list[Fact]:
        return self.do(HOUSE, Expire(), at)

    def decline(self, player: str, at: int = 0) -> list[Fact]:
        return self.do(player, Decline(), at)

    def resign(self, player: str, at: int = 0) -> list[Fact]:
        return self.do(player, Resign(), at)

    def abort(self, player: str, at: int = 0) -> list[Fact]:
        return self.do(player, Abort(), at)

    @property
    def state(self) -> Fair:
        """The state of the game."""
        assert isinstance(self.match.state, Fair)
        return self.match.state

    @property
    def rules(self) -> FairRules:
        """The rules of the match."""
        assert isinstance(self.match.rules, FairRules)
        return self.match.rules

    def quiet(self, seat: int) -> Move:
        """The first move that gives nothing away."""
        return self.match.rules.quiet_moves(self.match.state, seat)[0]

    def play_on(self, moves: int = 1000, at: int = 0) -> None:
        """Make quiet moves for all seats, at most this many."""
        for _ in range(moves):
            if not self.match.to_act:
                return
            seat = self.match.to_act[0]
            self.play_seat(seat, self.quiet(seat), at=at)


def table_of(*players: str, **other: Any) -> Table:
    """A running match with these players."""
    table = Table(announcement(*(OPEN for _ in players), **other))
    for player in players:
        table.join(player)
    return table


def snapshot(match: Match) -> tuple[Any, ...]:
    """Return everything that a replay must reproduce, for comparison."""
    seats = [
        None if taken is None else (taken.player, taken.bot, taken.house, taken.contribution)
        for taken in match.seats
    ]
    state = match.state.digest() if match.begun else None
    clock = (match.clock.remaining[:], match.clock.since[:], match.clock.untimed)
    life = (
        match.status,
        match.moved,
        match.begun,
        match.absent,
        match.abort_wanted,
        match.outcome,
        match.due,
        dict(match.opened),
        match.declined,
        match.returned_until,
    )
    return (match.version, match.at, seats, state, clock, life, list(match.to_act), list(match.may_act))
