"""The full-screen view of `kontor replay`, and the exported match behind it at each of its versions."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rich.console import Console, Group
from rich.layout import Layout
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from kontor_games.domain.audit import read_command
from kontor_games.domain.codec import ARBITER, SPECTATOR, Plain
from kontor_games.domain.export_reader import ExportFile, read_line
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import SeatTaken, read_facts
from kontor_games.domain.match_stream import MATCHES
from kontor_games.domain.narration.narrator import Narrator
from kontor_games.domain.stream import Entry
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.service.cli.play_table import name_of_seat
from kontor_games.service.cli.terminal import seat_styles, with_names


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
            command, _ = read_command(first["command"], MATCHES.command_codec(match))
            entry = Entry(first["version"], first["at"], first["by"], first["seat"], command, "", "", facts)
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


_KEYS = (
    "→ ← fact   ↓ ↑ command   n p turn   ] [ round   g go to version"
    "   0–{last} seat   s spectator   a all   q quit"
)

_NAMES = {"\x1b[C": "right", "\x1b[D": "left", "\x1b[B": "down", "\x1b[A": "up", "l": "right", "h": "left"}
_NAMES |= {"j": "down", " ": "down", "k": "up"}
_NAMES |= {"\x1b[H": "home", "\x1b[1~": "home", "\x1b[F": "end", "\x1b[4~": "end"}
"""Names of the navigation keys: escape sequences of terminals, and the letters that vi uses."""
_KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|.", re.DOTALL)
"""Matches one key in the input; one read may return several keys."""


def after(versions: Sequence[int], version: int) -> int:
    """Return the first of `versions` after a version, or the last of them."""
    return versions[min(bisect_right(versions, version), len(versions) - 1)] if versions else version


def before(versions: Sequence[int], version: int) -> int:
    """Return the last of `versions` before a version, or the first of them."""
    return versions[max(bisect_left(versions, version) - 1, 0)] if versions else version


def indented(screen: Console, mark: Text, text: Text) -> Iterator[Text]:
    """Yield the lines of a text after a mark, with further lines indented like the first."""
    for line in text.wrap(screen, max(20, screen.width - len(mark) - 4)):
        line.rstrip()
        yield Text.assemble(mark, line)
        mark = Text(" " * len(mark))


def sentence_lines(screen: Console, replay: Replay, one: NarratedFact, style: str) -> Iterator[Text]:
    """Yield the lines of a sentence after its version and the mark of the seat that moved."""
    dot = "  " if one.seat is None else ("● ", replay.styles[one.seat])
    mark = Text.assemble((f"{one.version:>5} ", "dim"), dot)
    return indented(screen, mark, with_names(one.sentence, replay.coloured, style))


class ReplayScreen:
    """Shows a replay at one version from one point of view, and handles keys."""

    def __init__(self, replay: Replay, title: str, viewer: int, version: int) -> None:
        self.replay = replay
        self.title = title
        self.viewer = viewer
        self.version = version
        self.typed: str | None = None
        """The digits of a version that is being typed."""

    def run(self, screen: Console, next_key: Callable[[], str]) -> None:
        """Show the match until the reader quits."""
        with Live(self.picture(screen), console=screen, screen=True, auto_refresh=False) as live:
            while all(self.press(key) for key in _KEY.findall(next_key())):
                live.update(self.picture(screen), refresh=True)

    def press(self, key: str) -> bool:
        """Handle one key; return False if the reader quits."""
        if self.typed is not None:
            self._type(key)
        elif key in ("q", "Q", "\x1b", "\x03", "\x04"):
            return False
        elif key == "g":
            self.typed = ""
        elif key.isdigit() and int(key) < len(self.replay.names):
            self.viewer = int(key)
        elif key in ("a", "s"):
            self.viewer = ARBITER if key == "a" else SPECTATOR
        else:
            self.version = self._version_after(key)
        return True

    def _type(self, key: str) -> None:
        typed = self.typed or ""
        if key.isdigit():
            self.typed = (typed + key)[:6]
        elif key in ("\x7f", "\b"):
            self.typed = typed[:-1]
        else:
            if key in ("\r", "\n") and typed:
                self.version = self._within(int(typed))
            self.typed = None

    def _version_after(self, key: str) -> int:
        replay, now = self.replay, self.version
        ways: dict[str, Callable[[], int]] = {
            "right": lambda: now + 1,
            "left": lambda: now - 1,
            "down": lambda: after(replay.commands, now),
            "up": lambda: before(replay.commands, now),
            "n": lambda: after(replay.turns, now),
            "p": lambda: before(replay.turns, now),
            "]": lambda: after(replay.rounds, now),
            "[": lambda: before(replay.rounds, now),
            "home": lambda: 1,
            "end": lambda: replay.last,
        }
        return self._within(ways.get(_NAMES.get(key, key), lambda: now)())

    def _within(self, version: int) -> int:
        return min(max(version, 1), self.replay.last)

    # --- the picture ---

    def picture(self, screen: Console) -> Layout:
        layout = Layout()
        scene = list(self._scene(screen))
        footer = self._footer().wrap(screen, screen.width)
        room = min(len(scene) + 2, max(5, screen.height * 2 // 3))
        title = Text(point_of_view(self.viewer, self.replay.names))
        layout.split_column(
            Layout(self._heading(), size=2),
            Layout(Panel(Group(*scene), title=title, title_align="left"), size=room),
            Layout(self._recent_sentences(screen, max(1, screen.height - room - 2 - len(footer)))),
            Layout(Group(*footer), size=len(footer)),
        )
        return layout

    def _heading(self) -> Text:
        match = self.replay.at(self.version)
        waiting = " and ".join(self.replay.names[seat] for seat in match.to_act)
        parts = [self.title, f"version {self.version} of {self.replay.last}"]
        if (count := round_of(match)) is not None:
            parts.append(f"round {count}")
        parts.append(f"{waiting} to move" if waiting else match.status)
        return with_names(" · ".join(parts), self.replay.coloured, "bold")

    def _scene(self, screen: Console) -> Iterator[Text]:
        for line in self.replay.scene(self.version, self.viewer).splitlines() or ["The table is empty."]:
            yield from indented(screen, Text(""), with_names(line, self.replay.coloured))

    def _recent_sentences(self, screen: Console, room: int) -> Group:
        """Return the newest sentences, with the last one at the bottom and highlighted."""
        lines: list[Text] = []
        for version in range(self.version, 0, -1):
            one = self.replay.tell(version, self.viewer)
            if one.sentence:
                style = "" if version == self.version else "dim"
                lines[:0] = sentence_lines(screen, self.replay, one, style)
            if len(lines) >= room:
                break
        return Group(*lines[-room:])

    def _footer(self) -> Text:
        if self.typed is not None:
            return Text(f"go to version: {self.typed}▏ (Enter to go, any other key to cancel)", "bold yellow")
        return Text(_KEYS.format(last=len(self.replay.names) - 1), "dim")
