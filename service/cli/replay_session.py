"""An exported match at each of its versions: the state, and the sentence about each fact."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from kontor_games.domain.codec import ARBITER, SPECTATOR, Plain
from kontor_games.domain.export_reader import ExportFile, read_line
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import SeatTaken, read_facts
from kontor_games.domain.narration.narrator import Narrator
from kontor_games.domain.stream import Entry
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.service.cli.player_names import name_of_seat
from kontor_games.service.cli.terminal import seat_styles


@dataclass(frozen=True, slots=True)
class NarratedFact:
    """The sentence about one fact, as a viewer may read it."""

    version: int
    sentence: str
    seat: int | None
    """The seat that moved; None for a fact that follows from the move or was not caused by a seat."""


class Replay:
    """A finished match at every version. Versions count facts from 1."""

    def __init__(self, file: ExportFile, language: str = DEFAULT_LANGUAGE) -> None:
        """Read all commands and keep the match after each of them."""
        self.language = language
        self.id: str = file.header["match"]
        self.entries: list[Entry] = []
        self._after: list[Match] = []
        match = Match()
        for lines in _grouped(file):
            match = match.copy() if self._after else match
            facts = read_facts([line["fact"] for line in lines], match.rules if match.version else None)
            first = lines[0]
            entry = Entry(
                first["version"], first["at"], first["by"], first["seat"], first["command"], "", "", facts
            )
            self.entries.append(entry)
            match.fold(entry)
            self._after.append(match)
        self.seats = match.seats
        occupants = [(taken.player, taken.house) if taken else (None, None) for taken in match.seats]
        self.names = [name_of_seat(seat, *occupant) for seat, occupant in enumerate(occupants)]
        view = match.rules.view(match.state, SPECTATOR) if match.begun else {}
        self.styles = seat_styles(view, len(match.seats))

    @property
    def coloured(self) -> dict[str, str]:
        """The colour of each name."""
        return dict(zip(self.names, self.styles, strict=True))

    @property
    def last(self) -> int:
        return self._after[-1].version

    def entry_at(self, version: int) -> int:
        """Return the number of the command that caused the fact with this version."""
        return bisect_left(self.entries, version, key=lambda entry: entry.last)

    def at(self, version: int) -> Match:
        """Return the match after this many facts."""
        place = self.entry_at(version)
        if self.entries[place].last == version:
            return self._after[place]
        past = self._after[place - 1].copy() if place else Match()
        for happened in self.entries[place].facts[: version - past.version]:
            past.fold_fact(happened)
        return past

    def tell(self, version: int, viewer: int) -> NarratedFact:
        """Return the sentence about the fact with this version."""
        entry = self.entries[self.entry_at(version)]
        seat = entry.seat if version == entry.first else None
        fact = entry.facts[version - entry.first]
        sentence = self._narrator.tell(self.at(version), fact, viewer)
        return NarratedFact(version, sentence or "", seat)

    @property
    def _narrator(self) -> Narrator:
        players = tuple(None if taken is None else taken.player for taken in self.seats)
        return Narrator(self.language, tuple(self.names), players, self._departed)

    @cached_property
    def _departed(self) -> tuple[tuple[str, str], ...]:
        """The ids of players, who are called by their short ids if they left before the match started."""
        taken = {fact.player for entry in self.entries for fact in entry.facts if isinstance(fact, SeatTaken)}
        return tuple((player, name_of_seat(0, player, None)) for player in sorted(taken))

    def scene(self, version: int, viewer: int) -> str:
        """Return the table as text, as the viewer saw it at this version."""
        return self._narrator.scene(self.at(version), viewer)

    # --- versions to jump to ---

    @cached_property
    def commands(self) -> list[int]:
        """The version after each command."""
        return [entry.last for entry in self.entries]

    @cached_property
    def turns(self) -> list[int]:
        """The versions at which the seats that have to act changed."""
        return self._versions_of_changes(lambda match: tuple(match.to_act))

    @cached_property
    def rounds(self) -> list[int]:
        """The versions at which a new round began; the turns if the game has no rounds."""
        return self._versions_of_changes(round_of) or self.turns

    def _versions_of_changes(self, value_of: Callable[[Match], object]) -> list[int]:
        last: object = None
        versions = []
        for match in self._after:
            now = value_of(match)
            if now and now != last:
                versions.append(match.version)
                last = now
        return versions


def round_of(match: Match) -> int | None:
    """Return the number of the round, or None if the game has none."""
    count: int | None = match.rules.view(match.state, SPECTATOR).get("round") if match.begun else None
    return count


def point_of_view(viewer: int, names: Sequence[str]) -> str:
    """Return whose view is shown, as text."""
    if viewer == ARBITER:
        return "everything shown"
    return "as a spectator saw it" if viewer == SPECTATOR else f"as {names[viewer]} saw it"


def _grouped(file: ExportFile) -> list[list[Plain]]:
    """Return the lines of the facts, grouped by command."""
    groups: list[list[Plain]] = []
    for number, raw in enumerate(file.facts, 2):
        line = read_line(number, raw)
        if "seat" in line:
            groups.append([])
        groups[-1].append(line)
    return groups
