"""The seam that every game fills.

A *game* is a title. Its `Rules` decide moves: `verify` refuses with the number of a rule, `decide` turns a verified move into
*facts*, and facts alone change a state (`Fact.fold`). What a replay needs is in the facts; folding never refuses, never draws and
never consults a rule. A third game is one new folder under `domain/games/` that ends in a `GAME`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from kontor_games.domain.chance import Chance, Draws
from kontor_games.domain.codec import Codec, Plain, Record, Shape, digest, key_of, record, secret

__all__ = [
    "Bot",
    "DataSet",
    "Fact",
    "Game",
    "Ledger",
    "MatchOverError",
    "Move",
    "NoSuchSeatError",
    "NotYourTurnError",
    "Options",
    "Refusal",
    "Result",
    "Rules",
    "State",
    "UnknownMoveError",
    "View",
    "WrongPhaseError",
    "record",
    "secret",
]

View = dict[str, Plain]
"""What one viewer may know of a state, as plain data, built up from nothing."""


class Refusal(Exception):
    """A move that the rules do not allow now: which rule says so, and why in a sentence for the player."""

    index: int | None = None
    """Which move of a list was refused."""

    def __init__(self, detail: str, *, rule: str) -> None:
        """Every refusal cites its rule."""
        super().__init__(detail)
        self.detail = detail
        self.rule = rule

    def __reduce__(self) -> tuple[Any, ...]:
        # Without this a refusal could not leave a worker process: `rule` is no positional argument.
        return partial(type(self), rule=self.rule), (self.detail,)

    @property
    def code(self) -> str:
        """The stable name of this kind of refusal."""
        return key_of(type(self))


class MatchOverError(Refusal):
    """The match is over, so no more moves are possible."""


class NoSuchSeatError(Refusal):
    """The match has no seat with this number."""


class NotYourTurnError(Refusal):
    """It is not your turn."""


class WrongPhaseError(Refusal):
    """The move is not possible in the current phase of the game."""


class UnknownMoveError(Refusal):
    """The game has no move of this type."""


class State:
    """Where a match stands: a mutable object with `__slots__`, changed by facts only."""

    __slots__ = ()
    STATIC: ClassVar[frozenset[str]] = frozenset()
    """Slots that a fresh state of the same table holds already, or works out anew: they are not part of a position."""
    PARTS: ClassVar[tuple[type, ...]] = ()
    """The named tuples and records that a state may hold."""

    def copy(self) -> "State":
        """An independent state; written by hand in each game, since it must be fast."""
        raise LookupError(f"{type(self).__name__} does not say how it is copied")

    def dump(self) -> Plain:
        """The whole truth as plain data, the same for equal states in every process."""
        names = [name for cls in type(self).__mro__ for name in getattr(cls, "__slots__", ())]
        return {name: _plain(getattr(self, name)) for name in sorted(names)}

    def digest(self) -> str:
        """Equal states, equal digests."""
        return digest(self.dump())


@cache
def _codec_of(cls: type[Record]) -> Codec:
    return Codec([cls])


def _plain(value: Any) -> Plain:
    if isinstance(value, State):
        return value.dump()
    if isinstance(value, Record):
        return _codec_of(type(value)).encode(value)  # type: ignore[arg-type]  # mypy doubts that a class can be hashed
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_plain(item) for item in value), key=repr)
    if isinstance(value, list | tuple | bytearray | bytes):
        return [_plain(item) for item in value]
    return value


S = TypeVar("S", bound=State)


class Move(Record):
    """What a seat does: imperative, small, listable where possible."""

    __slots__ = ()


class Fact(Record):
    """What happened: an outcome, past tense, never recomputed."""

    __slots__ = ()
    reveals: ClassVar[bool] = False
    """Whether it brings to light what was hidden or left to chance. In a list of moves that is carried out whole or not at all,
    nothing may come after such a fact: a refusal of what comes after would tell it without the move having been made."""

    def fold(self, state: Any) -> None:
        """Changes the state accordingly. Never refuses, draws or consults a rule."""
        raise LookupError(f"{self.type} does not say what it changes")


class Options(Record):
    """What the creator of a match may choose; every field has a default."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class DataSet:
    """What is printed on cards or boards, apart from the rules: a name and a plain document."""

    name: str
    document: Mapping[str, Plain]

    @property
    def hash(self) -> str:
        """Pins the document in the matches played with it."""
        return digest(self.document)


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended: for each seat its score by category, and its place (1 is best; equal places share it)."""

    scores: tuple[Mapping[str, int], ...]
    places: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


class Ledger(Generic[S]):
    """The facts of one move as they are made; each is folded into the working state at once."""

    __slots__ = ("chance", "facts", "state")

    def __init__(self, state: S, chance: Chance) -> None:
        """Starts with no fact."""
        self.state = state
        self.chance = chance
        self.facts: list[Fact] = []

    def emit(self, happened: Fact) -> None:
        """Records a fact and folds it."""
        self.facts.append(happened)
        happened.fold(self.state)


class Rules(ABC, Generic[S]):
    """One executable ruleset: a version of a game's rules with the data set it is played with.

    A version that matches were played under is never edited so that it decides differently: it is kept, and a new one stands beside it.
    """

    version: ClassVar[int]
    moves: ClassVar[tuple[type[Move], ...]]
    facts: ClassVar[tuple[type[Fact], ...]]
    options: ClassVar[type[Options]]
    seat_counts: tuple[int, ...]

    def __init__(self, data: DataSet) -> None:
        """Reads the data set, once for all matches."""
        self.data = data

    @cached_property
    def move_codec(self) -> Codec:
        """Plain-data form of this ruleset's moves."""
        return Codec(self.moves)

    @cached_property
    def fact_codec(self) -> Codec:
        """Plain-data form of this ruleset's facts, and who may see what of them."""
        return Codec(self.facts)

    @cached_property
    def options_shape(self) -> Shape:
        """Schema and reader of this ruleset's options."""
        return Shape(self.options)

    @abstractmethod
    def table(self, seats: int, chosen: Any) -> S:
        """The state before the first fact, for so many seats and the chosen options; raises Refusal where they don't fit together."""

    @abstractmethod
    def deal(self, state: S, chance: Chance) -> list[Fact]:
        """Sets the game up: the first facts, folded into the state, up to the first decision of a seat."""

    @abstractmethod
    def to_act(self, state: S) -> Sequence[int]:
        """The seats for which the match waits; none when it is over. Each of them has a legal move."""

    def may_act(self, state: S) -> Sequence[int]:
        """All seats that have a move now: those waited for, and those that may answer or interrupt."""
        return self.to_act(state)

    @abstractmethod
    def verify(self, state: S, seat: int, wanted: Move) -> None:
        """Raises the refusal that says why the seat can't make this move now; returns when it can. Changes nothing."""

    @abstractmethod
    def decide(self, state: S, seat: int, verified: Move, chance: Chance) -> list[Fact]:
        """The facts of a verified move and of all that follows by itself, folded into the state."""

    def play(self, state: S, seat: int, wanted: Move, chance: Chance) -> list[Fact]:
        """Verifies, then decides. A refused move leaves the state untouched."""
        self.verify(state, seat, wanted)
        return self.decide(state, seat, wanted, chance)

    @abstractmethod
    def legal_moves(self, state: S, seat: int) -> list[Move]:
        """Every listable move that `verify` lets the seat make now, in a fixed order."""

    def offered_moves(self, state: S, seat: int) -> list[Move]:
        """The legal moves as players are shown them: those that bring the match forward first."""
        return self.legal_moves(state, seat)

    def open_moves(self, state: S, seat: int) -> Sequence[type[Move]]:
        """Kinds of move that the seat may make now but that are too many to list; their schema stands for them."""
        return ()

    def quiet_moves(self, state: S, seat: int) -> list[Move]:
        """The legal moves that give nothing away, from which an absent player's move is drawn."""
        return self.legal_moves(state, seat)

    @abstractmethod
    def view(self, state: S, viewer: int) -> View:
        """What a seat, a spectator or the arbiter may know, built up from nothing."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """How the match ended, or None while it goes on."""

    @abstractmethod
    def resample(self, state: S, viewer: int, chance: Chance) -> S:
        """Another state that this viewer can't tell from the given one: all that is hidden from them drawn anew."""

    @abstractmethod
    def tell(self, state: S, happened: Fact, viewer: int, names: Sequence[str]) -> str:
        """The fact as a sentence for a person who watches; `state` is the one after it. Empty where there is nothing to say."""

    def scene(self, state: S, viewer: int, names: Sequence[str]) -> str:
        """The table as a few lines of text, for a person at a terminal."""
        return ""


class Bot(Protocol):
    """A house player. It keeps nothing between two moves and sees only what its seat may see."""

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        """The move to make; None where the match does not wait for this seat and it has nothing to say."""


@dataclass(frozen=True)
class Game:
    """A title: its rules in every version, its data sets, its words, its bots."""

    id: str
    titles: Mapping[str, str]
    """Language to title: en, de, fr, it."""
    rulesets: tuple[type[Rules[Any]], ...]
    """Every version that a match was ever played under, the current one last."""
    data_sets: tuple[DataSet, ...]
    """The data sets that come with the game, the default first."""
    data_option: str
    """What the choice of a data set is called among the options of a match: `cards`, `board`."""
    rules_text: str
    """The rules document for players, in Markdown."""
    words: Mapping[str, Mapping[str, str]]
    """Language to id to name, for everything the views name by id."""
    bots: Mapping[str, Callable[[Rules[Any]], Bot]]
    admit: Callable[[str, Plain], DataSet]
    """A data set from a document of a user's own; raises MalformedError that names each violation."""
    draw: Callable[[DataSet], str] | None = None
    """A data set as an SVG picture, where there is something to see."""

    def data_set(self, name: str) -> DataSet:
        """The data set of this name."""
        for known in self.data_sets:
            if known.name == name:
                return known
        raise LookupError(f"{self.id} has no {self.data_option} called {name}")

    def rules(self, data: DataSet | str | None = None, version: int | None = None) -> Rules[Any]:
        """The rules to play by; without a version the current one, without a data set the default one."""
        chosen = self.data_sets[0] if data is None else self.data_set(data) if isinstance(data, str) else data
        wanted = self.rulesets[-1].version if version is None else version
        for rules in self.rulesets:
            if rules.version == wanted:
                return rules(chosen)
        raise LookupError(f"{self.id} has no rules version {version}")
