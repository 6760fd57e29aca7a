"""A recorded match to go through, forwards and back: where it stood at each version, and what was just told."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from kontor_games.domain.codec import ARBITER, SPECTATOR, Plain
from kontor_games.domain.commands import Entry
from kontor_games.domain.export_reader import ExportFile, read_line
from kontor_games.domain.game import Fact
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchFact, read_facts
from kontor_games.service.cli.terminal import names_for, seat_styles


@dataclass(frozen=True, slots=True)
class Told:
    """One fact as a viewer hears of it."""

    version: int
    sentence: str
    seat: int | None
    """Whose move it was; nobody's where it followed by itself."""


class Replay:
    """A match that is over, at every version. Versions count facts from 1."""

    def __init__(self, file: ExportFile) -> None:
        """Reads every command and keeps the match as it stood after each."""
        self.id: str = file.header["match"]
        self.entries: list[Entry] = []
        self._after: list[Match] = []
        match = Match()
        for lines in _grouped(file):
            match = match.copy() if self._after else match
            first, facts = lines[0], read_facts([line["fact"] for line in lines], match.rules if match.version else None)
            self.entries.append(Entry(first["version"], first["at"], first["by"], first["seat"], first["command"], "", "", facts))
            match.fold(self.entries[-1])
            self._after.append(match)
        self.names = names_for(len(match.seats))
        self.styles = seat_styles(match.rules.view(match.state, SPECTATOR) if match.begun else {}, len(match.seats))
        self.coloured = dict(zip(self.names, self.styles, strict=True))

    @property
    def last(self) -> int:
        """The newest version."""
        return self._after[-1].version

    def entry_at(self, version: int) -> int:
        """The number of the command that caused the fact with this version."""
        return bisect_left(self.entries, version, key=lambda entry: entry.last)

    def at(self, version: int) -> Match:
        """The match as it stood when so many facts had happened."""
        place = self.entry_at(version)
        if self.entries[place].last == version:
            return self._after[place]
        past = self._after[place - 1].copy() if place else Match()
        for happened in self.entries[place].facts[: version - past.version]:
            past.fold_fact(happened)
        return past

    def fact(self, version: int) -> Fact:
        """What happened at a version."""
        entry = self.entries[self.entry_at(version)]
        return entry.facts[version - entry.first]

    def tell(self, version: int, viewer: int) -> Told:
        """What a viewer heard at a version."""
        entry, happened = self.entries[self.entry_at(version)], self.fact(version)
        seat = entry.seat if version == entry.first else None
        if isinstance(happened, MatchFact):
            return Told(version, tell_match_fact(happened, self.names), seat)
        match = self.at(version)
        return Told(version, match.rules.tell(match.state, happened, viewer, self.names), seat)

    def scene(self, version: int, viewer: int) -> str:
        """The table as a viewer saw it."""
        match = self.at(version)
        return match.rules.scene(match.state, viewer, self.names) if match.begun else ""

    # --- where one may want to go ----------------------------------------------------------------------------------------------

    @cached_property
    def commands(self) -> list[int]:
        """The versions at which a command was complete."""
        return [entry.last for entry in self.entries]

    @cached_property
    def turns(self) -> list[int]:
        """The versions at which others came to act."""
        return self._where_changes(lambda match: tuple(match.to_act))

    @cached_property
    def rounds(self) -> list[int]:
        """The versions at which a new round had come; where a game counts none, its turns."""
        return self._where_changes(round_of) or self.turns

    def _where_changes(self, asked: Callable[[Match], object]) -> list[int]:
        seen: object = None
        places = []
        for match in self._after:
            now = asked(match)
            if now and now != seen:
                places.append(match.version)
                seen = now
        return places


def round_of(match: Match) -> int | None:
    """Which round it is, where the game counts them."""
    count: int | None = match.rules.view(match.state, SPECTATOR).get("round") if match.begun else None
    return count


def after(places: Sequence[int], version: int) -> int:
    """The next of some versions; the last one at the end."""
    return places[min(bisect_right(places, version), len(places) - 1)] if places else version


def before(places: Sequence[int], version: int) -> int:
    """The one before of some versions; the first one at the beginning."""
    return places[max(bisect_left(places, version) - 1, 0)] if places else version


def point_of_view(viewer: int, names: Sequence[str]) -> str:
    """Through whose eyes it is seen, in words."""
    if viewer == ARBITER:
        return "everything shown"
    return "as a spectator saw it" if viewer == SPECTATOR else f"as {names[viewer]} saw it"


def _grouped(file: ExportFile) -> list[list[Plain]]:
    """The lines of the facts, command by command."""
    groups: list[list[Plain]] = []
    for number, raw in enumerate(file.facts, 2):
        line = read_line(number, raw)
        if "seat" in line:
            groups.append([])
        groups[-1].append(line)
    return groups


def tell_match_fact(happened: MatchFact, names: Sequence[str]) -> str:
    """What happens to a match besides its game, as a sentence."""
    who = names[happened.seat] if hasattr(happened, "seat") else ""
    sentences = {
        "match_created": "The match is announced.",
        "position_set": "It begins in a position of another match.",
        "seat_taken": f"{who} sits down{_whose(happened)}.",
        "seat_left": f"{who} stands up.",
        "contributions_due": "All seats are taken; the sealed contributions are to be opened.",
        "contribution_opened": f"{who} opens their contribution.",
        "contribution_withheld": f"{who} has not opened their contribution.",
        "match_started": "The match begins.",
        "seat_timed_out": f"{who} is out of time{' and forfeits' if getattr(happened, 'consequence', '') == 'forfeit' else ''}.",
        "seat_resigned": f"{who} resigns.",
        "abort_wanted": f"{who} would like to break the match off.",
        "match_aborted": "The match is broken off.",
        "match_finished": f"The match is over{_winners(happened, names)}.",
    }
    return sentences[happened.type]


def _whose(happened: MatchFact) -> str:
    house = getattr(happened, "house", None)
    return f", a house bot ({house})" if house else ""


def _winners(happened: MatchFact, names: Sequence[str]) -> str:
    first = [names[seat] for seat, place in enumerate(getattr(happened, "places", ())) if place == 1]
    return f": {' and '.join(first)} won" if first else ""
