"""The interface that every game implements.

A *game* is a title: its rules in every version (`domain/rules.py`), its data sets, its words and its bots.
Every package in `domain/games/` is a game.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from kontor_games.domain.chance import Chance, Draws
from kontor_games.domain.codec import Plain, record, secret
from kontor_games.domain.refusals import (
    MatchOverError,
    NoSuchSeatError,
    NotYourTurnError,
    Obstacle,
    Refusal,
    UnknownMoveError,
    WrongPhaseError,
    whose_turn,
)
from kontor_games.domain.rules import (
    DataSet,
    Fact,
    Ledger,
    Move,
    MoveRule,
    Options,
    Result,
    Rules,
    Ruleset,
    View,
)
from kontor_games.domain.state import State

__all__ = [
    "Bot",
    "BotClass",
    "DataSet",
    "Fact",
    "Game",
    "Ledger",
    "MatchOverError",
    "Move",
    "MoveRule",
    "NoSuchSeatError",
    "NotYourTurnError",
    "Obstacle",
    "Options",
    "Refusal",
    "Renderer",
    "Result",
    "Rules",
    "Ruleset",
    "Sight",
    "State",
    "UnknownMoveError",
    "View",
    "WrongPhaseError",
    "record",
    "secret",
    "whose_turn",
]


class Sight:
    """What one seat may know of a position: called, it returns the view."""

    def __init__(self, rules: Rules[Any], state: Any, seat: int) -> None:
        self._rules, self._state, self._seat = rules, state, seat

    def __call__(self) -> View:
        """Return the view of the seat."""
        return self._rules.view(self._state, self._seat)

    def imagined(self, chance: Chance) -> Any:
        """Return a state that looks the same to the seat, with everything hidden from it drawn again."""
        return self._rules.resample(self._state, self._seat, chance)


class Bot(Protocol):
    """A house bot. It is stateless between moves and knows only what its seat may know.

    Its choice is recomputed in audits: it must follow from seat, view, legal moves and draws alone, in every
    process and on every machine.
    """

    def choose(self, seat: int, view: Sight, legal: Sequence[Move], draws: Draws) -> Move | None:
        """The move to make; None if the bot makes none, which is allowed while the match waits for others."""


class BotClass(Protocol):
    """One version of a house bot."""

    @property
    def version(self) -> int:
        """Pinned in the matches in which the bot plays; raised whenever the bot would choose another move."""

    def __call__(self, rules: Rules[Any]) -> Bot:
        """Return the bot for these rules."""


class Appraiser(Protocol):
    """Values positions of a game for the analysis of matches."""

    unit: str
    """What one is in a value, such as `points`."""

    def moment(self, state: Any) -> Hashable:
        """What stays the same until a position is quiet enough to be valued."""

    def value(self, state: Any, seat: int) -> float:
        """What the position is worth to a seat; for equal prospects of all seats about 0."""


class Renderer(Protocol):
    """Renders the data sets of a game as pictures."""

    def __call__(self, data: DataSet, *, pieces: bool = True) -> str:
        """Return a data set as SVG, with or without the pieces of the set-up."""


@dataclass(frozen=True)
class Game:
    """A title: its rules in every version, its data sets, its words, its bots."""

    id: str
    titles: Mapping[str, str]
    """Language to title."""
    rulesets: tuple[Ruleset[Any], ...]
    """Every version that a match was ever played under, the current one last."""
    data_sets: tuple[DataSet, ...]
    """The data sets that come with the game, the default first."""
    data_option: str
    """The name of the option that chooses the data set: `cards`, `board`."""
    rules_texts: Mapping[str, str]
    """Language to the rules document for players, in Markdown."""
    words: Mapping[str, Mapping[str, str]]
    """Language to id to name, for everything the views name by id."""
    bots: Mapping[str, BotClass]
    """By name, each in its current version; the last is the usual opponent."""
    admit: Callable[[str, Plain], DataSet]
    """Builds a data set from a document of a user; raises MalformedError that names each violation."""
    derive: Callable[[DataSet], dict[str, Plain]]
    """Computes derived data of a data set for clients: everything in it by id, neighbours, coordinates."""
    data_format: str
    """How a data set is written, in Markdown."""
    draw: Renderer | None = None
    """Renders a data set as SVG; None if the game has no picture."""
    slow_bots: Mapping[str, BotClass] = field(default_factory=dict)
    """Bots that may take a second for a move: on the service they play in processes of their own."""
    appraiser: Callable[[Rules[Any]], Appraiser] | None = None
    """Values positions; None if matches of the game cannot be analysed."""
    old_bots: Mapping[str, tuple[BotClass, ...]] = field(default_factory=dict)
    """Earlier versions of the bots by name: running matches keep them, and audits recompute their moves."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in which title, rules and words are all available; every game has English."""
        return tuple(
            language for language in self.titles if language in self.rules_texts and language in self.words
        )

    @cached_property
    def all_bots(self) -> Mapping[str, BotClass]:
        """All bots in their current versions; the usual opponent last."""
        *others, (name, usual) = self.bots.items()
        return {**dict(others), **self.slow_bots, name: usual}

    def data_set(self, name: str) -> DataSet:
        for known in self.data_sets:
            if known.name == name:
                return known
        raise LookupError(f"{self.id} has no {self.data_option} called {name}")

    def bot(self, name: str, version: int | None = None) -> BotClass:
        """The house bot of this name; without a version the current one."""
        known = [self.all_bots[name]] if name in self.all_bots else []
        for one in [*known, *self.old_bots.get(name, ())]:
            if version in (None, one.version):
                return one
        raise LookupError(f"{self.id} has no version {version} of the bot {name}")

    def rules(self, data: DataSet | str | None = None, version: int | None = None) -> Rules[Any]:
        """The rules to play by; without a version the current one, without a data set the default one."""
        chosen = self.data_sets[0] if data is None else self.data_set(data) if isinstance(data, str) else data
        number = self.rulesets[-1].version if version is None else version
        for ruleset in self.rulesets:
            if ruleset.version == number:
                return ruleset.rules(chosen)
        raise LookupError(f"{self.id} has no rules version {version}")

    def __repr__(self) -> str:
        return f"<Game {self.id}: {self.titles['en']}>"
