"""One tournament: its state, rebuilt by folding facts. Folding consults no rule of pairing or scoring."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from kontor_games.domain.chance import Seeded
from kontor_games.domain.codec import Shape, digest
from kontor_games.domain.stream import Stream
from kontor_games.domain.toolkit import ranking
from kontor_games.domain.tournaments import refusals
from kontor_games.domain.tournaments.pairing.entrants import History, TableSize, pair_of
from kontor_games.domain.tournaments.pairing.tables import Table
from kontor_games.domain.tournaments.standings import Finish, Standing, standings
from kontor_games.domain.tournaments.terms import Terms

if TYPE_CHECKING:
    from kontor_games.domain.tournaments.facts import ContributionsDue, RoundPaired, TournamentAnnounced

_STANDING = Shape(Standing)
Slot = tuple[int, int, int]
"""The slot of a match: round, table, and number in the block of the table."""
Reason = Literal["played", "forfeit", "walkover", "ruling"]
"""Why a result counts: played to the end, given up or lost on time, others were absent, or decided."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player in a tournament."""

    number: int
    player: str
    bot: bool
    contribution: str
    """An open contribution, or in a tournament with sealed ones the value opened for the next start."""
    active: bool = True
    sealed: str = ""
    """The hash of the value to open next: at first the one sent with the entry; empty for none."""
    key: str | None = None
    """The public key with which the entrant signs entry and opening."""
    withheld: bool = False
    """Whether the entrant did not open in time."""


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """One match of a round: who sits where, the match that is played for it, and its result."""

    slot: Slot
    entrants: tuple[int, ...]
    match: str | None = None
    attempts: int = 0
    """Number of matches opened for it so far."""
    finish: Finish | None = None
    reason: Reason | None = None
    """Why the result counts; None without a result."""
    absent: tuple[int, ...] = ()
    """The entrants who did not take their seats in time."""


class Tournament(Stream):
    """The state of one tournament; only facts change it."""

    announced: "TournamentAnnounced"

    def __init__(self) -> None:
        self.version = 0
        self.at = 0
        self.added = []
        self.status = ""
        """announced, open, running, provisional, final or cancelled."""
        self.entrants: tuple[Entrant, ...] = ()
        self.seals: frozenset[str] = frozenset()
        """Every sealed contribution that was ever sent; each is accepted once."""
        self.openings = 0
        """How often contributions were asked to be opened."""
        self.due: ContributionsDue | None = None
        """While contributions are being opened: who must open what, and until when."""
        self.numbers: dict[str, int] = {}
        """The number of each player who entered."""
        self.rounds: tuple[RoundPaired, ...] = ()
        self.missed: Counter[int] = Counter()
        """Rounds in which an entrant was not paired because of absence."""
        self.byes: Counter[int] = Counter()
        self.planned: dict[Slot, PlannedMatch] = {}
        self.slots: dict[str, Slot] = {}
        """The slot of every opened match, including those that no longer count."""
        self.attempts: dict[str, int] = {}
        """For every opened match, the number of matches opened for its slot before."""
        self.revealed: frozenset[tuple[int, int]] = frozenset()
        """The tables, as round and table, whose deals were revealed after their blocks were over."""
        self.began: frozenset[str] = frozenset()
        """The matches for which the start was recorded."""
        self.ends_at: int | None = None
        """Arena: until when new tables are paired."""
        self.correction_until = 0
        self.acknowledged: frozenset[int] = frozenset()
        self.protests: Mapping[int, str] = {}
        self.edition = 0
        self.chance: Seeded | None = None
        """The source of random draws for pairings and lots, once the tournament has started."""

    def copy(self) -> "Tournament":
        """Return an independent copy, on which a command is decided."""
        copy = Tournament.__new__(Tournament)
        copy.__dict__.update(self.__dict__)
        copy.version, copy.at, copy.added = self.version, self.at, []
        for name in ("numbers", "missed", "byes", "planned", "slots", "attempts"):
            setattr(copy, name, getattr(self, name).copy())
        return copy

    # --- folding, called by facts ---------------------------------------------------------------------------

    def change_entrant(self, number: int, **changes: Any) -> None:
        changed = list(self.entrants)
        changed[number] = replace(changed[number], **changes)
        self.entrants = tuple(changed)

    def note_seal(self, sealed: str) -> None:
        """Keep the hash of a contribution, which nobody can send again."""
        if sealed:
            self.seals = self.seals | {sealed}

    def set_result(self, match: str, places: Sequence[int], scores: Sequence[int], reason: Reason) -> None:
        """Note how a match ended, and why this result counts."""
        planned = self.planned_for(match)
        block = planned.slot[0] * 100_000 + planned.slot[1]  # one for each table of each round
        finish = Finish(block, planned.entrants, tuple(places), tuple(scores))
        self.planned[planned.slot] = replace(planned, finish=finish, reason=reason)

    # --- reading --------------------------------------------------------------------------------------------

    @property
    def seals_contributions(self) -> bool:
        """Whether entrants send hashes, and open their contributions when no more entries are accepted."""
        return self.terms.seed_version >= 2

    @property
    def to_open(self) -> list[Entrant]:
        """The active entrants who have sealed a contribution."""
        return [entrant for entrant in self.entrants if entrant.active and entrant.sealed]

    @property
    def unopened(self) -> list[int]:
        """The entrants whose contributions are due and not opened."""
        due = self.due.entrants if self.due else ()
        return [number for number in due if not self.entrants[number].contribution]

    @property
    def terms(self) -> Terms:
        return self.announced.terms

    @property
    def size(self) -> TableSize:
        """Number of entrants at a table."""
        return TableSize(self.terms.seats, self.terms.least_seats)

    @property
    def active(self) -> list[int]:
        """The entrants who are paired in the next round."""
        return [entrant.number for entrant in self.entrants if entrant.active]

    @property
    def over(self) -> bool:
        """Whether the tournament is final or cancelled."""
        return self.status in ("final", "cancelled")

    @property
    def unfinished(self) -> list[PlannedMatch]:
        """The planned matches without a result."""
        return [planned for planned in self.planned.values() if planned.finish is None]

    @property
    def finishes(self) -> list[Finish]:
        """The results that count, in the order of rounds and tables."""
        return [planned.finish for _, planned in sorted(self.planned.items()) if planned.finish]

    def planned_for(self, match: str) -> PlannedMatch:
        """Return what is planned for the slot of an opened match."""
        return self.planned[self.slots[match]]

    @property
    def has_secret_blocks(self) -> bool:
        """Whether matches of a block share a deal that is secret until all of them have results."""
        return self.terms.rotated and self.terms.secret_blocks

    def block(self, table: tuple[int, int]) -> list[PlannedMatch]:
        """Return the planned matches of a table, given as round and table."""
        found: list[PlannedMatch] = []
        while planned := self.planned.get((*table, len(found))):
            found.append(planned)
        return found

    def block_over(self, table: tuple[int, int]) -> bool:
        """Return whether all matches of a table have results."""
        block = self.block(table)
        return bool(block) and all(planned.finish is not None for planned in block)

    def is_revealed(self, table: tuple[int, int]) -> bool:
        """Return whether the deal of a table is no longer secret."""
        if self.over:
            return True
        return self.block_over(table) and (not self.has_secret_blocks or table in self.revealed)

    def finishes_of(self, table: tuple[int, int]) -> list[Finish]:
        """Return the results of a table so far."""
        return [planned.finish for planned in self.block(table) if planned.finish]

    @property
    def unrevealed(self) -> list[tuple[int, int]]:
        """The tables, as round and table, whose blocks are over and whose deals must be revealed."""
        if not self.has_secret_blocks:
            return []
        tables = [(paired.round, index) for paired in self.rounds for index in range(len(paired.tables))]
        return [table for table in tables if table not in self.revealed and self.block_over(table)]

    def matches_of(self, table: tuple[int, int]) -> list[str]:
        """Return every match that was opened for a table, including those that no longer count."""
        return [match for match, slot in self.slots.items() if slot[:2] == table]

    def deal_secret(self, slot: Slot, attempt: int = 0) -> str:
        """Return the server's secret for the match of a slot, from the seed of the tournament.

        All matches of a block with rotated seats share one secret, and so the same deal. Otherwise a match
        that is played again gets a new one, because the first match may have shown the deal.
        """
        if self.chance is None:
            raise LookupError("the tournament has no seed yet")
        number = "0" if self.terms.rotated else str(slot[2])
        if attempt and self.terms.secret_blocks and not self.terms.rotated:
            number += f".{attempt}"
        text = b"kontor.block.1\n" + self.chance.seed + f"{slot[0]}.{slot[1]}.{number}".encode()
        return sha256(text).hexdigest()

    @property
    def history(self) -> History:
        points = {standing.entrant: standing.points for standing in self.standings()}
        before = History(points, byes=self.byes + self.missed, forbidden=self._forbidden())
        return before.after(table.entrants for paired in self.rounds for table in paired.tables)

    def _forbidden(self) -> frozenset[tuple[int, int]]:
        known = [[self.numbers[p] for p in group if p in self.numbers] for group in self.terms.forbidden]
        return frozenset(pair_of(a, b) for group in known for a in group for b in group if a != b)

    def standings(self) -> list[Standing]:
        """Return the standings as of now."""
        numbers = [entrant.number for entrant in self.entrants]
        return standings(self.terms, numbers, self.finishes, self.byes, self._lots(numbers))

    def _lots(self, numbers: Sequence[int]) -> dict[int, int]:
        if self.chance is None:
            return {}
        drawn = self.chance.draws("lots", 0).shuffled(numbers)
        return {number: lot for lot, number in enumerate(drawn, 1)}

    def standings_digest(self) -> str:
        """Return the hash of the standings, which final editions sign."""
        return digest([_STANDING.encode(standing) for standing in self.standings()])

    # --- requirements of commands ---------------------------------------------------------------------------

    def require_stage(self, *stages: str) -> None:
        """Refuse unless the tournament is at one of these stages."""
        if self.status not in stages:
            allowed = " or ".join(stages)
            raise refusals.WrongStageError(
                f"The tournament is {self.status}; this is possible while it is {allowed}."
            )

    def require_organiser(self, by: str) -> None:
        """Refuse everybody but the organiser."""
        if by != self.terms.organiser:
            raise refusals.NotOrganiserError("Only the organiser of this tournament can do this.")

    def require_arbiter(self, by: str) -> None:
        """Refuse everybody but the organiser and the arbiters."""
        if by not in (self.terms.organiser, *self.terms.arbiters):
            raise refusals.NotArbiterError("Only the organiser or an arbiter of this tournament can do this.")

    def require_entrant(self, by: str) -> int:
        """Return the number of the player as an entrant; refuse players who have not entered."""
        if by not in self.numbers:
            raise refusals.NotEntrantError("You have not entered this tournament.")
        return self.numbers[by]

    def require_match(self, match: str) -> PlannedMatch:
        """Return the planned match with this id; refuse a match that does not count."""
        slot = self.slots.get(match)
        if slot is None or self.planned[slot].match != match:
            raise refusals.NoSuchMatchError("No match of this tournament that counts has this id.")
        return self.planned[slot]

    def require_places(self, match: str, places: tuple[int, ...]) -> None:
        """Refuse impossible places: they start at 1, and tied players share a place, as in 1, 2, 2, 4."""
        seats = len(self.require_match(match).entrants)
        if len(places) != seats or ranking.places([-place for place in places]) != places:
            raise refusals.WrongPlacesError(
                f"The places of this table must be {seats} numbers such as 1, 2, 2, 4, by seat."
            )


def rotations(table: Table) -> list[tuple[int, ...]]:
    """Return the seatings of a block, in which every entrant has every seat once."""
    seated = table.entrants
    return [seated[turn:] + seated[:turn] for turn in range(len(seated))]
