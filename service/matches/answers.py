"""What the use cases of a match answer."""

from dataclasses import dataclass

from kontor_games.domain.game import Fact
from kontor_games.domain.match import Match


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command did: its facts, and the match after them as the caller may see it."""

    id: str
    match: Match
    viewer: int
    first: int
    facts: tuple[Fact, ...]
    at: int
    head: str
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """A match at a version, and through whose eyes it is seen."""

    id: str
    match: Match
    viewer: int
    at: int
    head: str
    truth: bool = False
    """Whether nothing is hidden any more from the viewer, since the match is over and they asked for it."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One fact with its place and moment."""

    version: int
    at: int
    by: str
    fact: Fact


@dataclass(frozen=True, slots=True)
class Events:
    """Facts of a match from a version on, in order; the match as it stands now says who may see what."""

    id: str
    match: Match
    viewer: int
    happenings: tuple[Happening, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Some matches, newest first, and where the next page begins."""

    looks: tuple[Look, ...]
    next: str | None
