"""Where a match stands, rebuilt by folding the entries of its log: any game, no rule consulted."""

from collections.abc import Sequence
from typing import Any, Self

from kontor_games.domain.chance import Chance, Seeded, seed_from
from kontor_games.domain.clock import Clock
from kontor_games.domain.codec import ARBITER, SPECTATOR, Plain
from kontor_games.domain.entry import Entry, fact_codec, find_rules
from kontor_games.domain.game import Fact, Rules, State
from kontor_games.domain.match_facts import MatchCreated, MatchFact, MatchFinished, SeatTaken
from kontor_games.domain.position import thaw
from kontor_games.domain.seed import seed_of

_SHARED = (
    "abort_wanted",
    "absent",
    "at",
    "begun",
    "created",
    "due",
    "moved",
    "opened",
    "outcome",
    "position",
    "rules",
    "status",
    "version",
)
"""What two copies of a match can share, since it is replaced and never changed."""


class MatchState:
    """Where one match stands: changed by facts only."""

    __slots__ = (*_SHARED, "chance", "clock", "seats", "state")

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
        self.due: int | None = None
        self.opened: dict[int, str] = {}
        self.position: Plain = None
        self.absent: tuple[int, ...] = ()
        self.abort_wanted: tuple[int, ...] = ()
        self.outcome: MatchFinished | None = None

    def copy(self) -> Self:
        """An independent match to try a command on."""
        twin = type(self).__new__(type(self))
        for name in _SHARED:
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
        happened.fold(self if isinstance(happened, MatchFact) else self.state)
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
        self.due = None
        chosen = self.rules.options_shape.revive(self.created.options)
        self.state = self.rules.table(len(self.seats), chosen)
        if self.position is not None:
            thaw(self.state, self.position)
        self.chance = Seeded(self._seed())

    def _seed(self) -> bytes:
        if self.created.open_seed is not None:
            return seed_from(self.created.open_seed)
        return seed_of(self.created.server_secret, self.contributions)

    @property
    def contributions(self) -> list[str]:
        """What the players put into the seed, seat by seat; sealed ones once they are opened."""
        return [self.opened.get(seat, taken.contribution) for seat, taken in enumerate(self.seats) if taken]

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
