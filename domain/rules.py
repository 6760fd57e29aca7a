"""The rules of a game as a table, and how they are applied.

A *ruleset* is one version of the rules: a table with one `MoveRule` for each kind of move, and one function
for each automatic step. `Rules` is a ruleset applied to a data set (cards, a board). It checks
moves and turns them into *facts*, and only facts change a state (`Fact.fold`). Folding never refuses, never
draws and never consults a rule, so stored facts replay under any later version.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from kontor_games.domain.chance import Chance
from kontor_games.domain.codec import Codec, Plain, Record, Shape, digest
from kontor_games.domain.refusals import (
    MatchOverError,
    NoSuchSeatError,
    Obstacle,
    Refusal,
    UnknownMoveError,
)
from kontor_games.domain.state import State
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.toolkit.messages import Messages, Phrase

View = dict[str, Plain]
"""Everything that one viewer may know of a state, as plain data; never a filtered copy of the state."""


S = TypeVar("S", bound=State)
P = TypeVar("P")


class Move(Record):
    """An action of a seat, named in the imperative; listed in `legal_moves` where possible."""

    __slots__ = ()


M = TypeVar("M", bound=Move)


class Fact(Record):
    """An outcome, named in the past tense and never recomputed."""

    __slots__ = ()
    reveals: ClassVar[bool] = False
    """Whether it reveals hidden information or a random outcome. In a list of moves, which is carried out
    completely or not at all, no move may follow such a fact: if that move were refused, the player would know
    the secret although no move was made."""

    def fold(self, state: Any) -> None:
        """Changes the state accordingly. Never refuses, draws or consults a rule."""
        raise LookupError(f"{self.type} does not implement fold")


class Options(Record):
    """The options of a match; every field has a default."""

    __slots__ = ()


@dataclass(frozen=True)
class DataSet:
    """The printed cards or boards: a name and a plain document."""

    name: str
    document: Mapping[str, Plain] = field(repr=False)

    @cached_property
    def hash(self) -> str:
        """Pins the document in the matches played with it; computed once, since a document never changes."""
        return digest(self.document)


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended: each seat's score by category, and its place (1 is best; equals share a place)."""

    scores: tuple[Mapping[str, int], ...]
    places: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


class Ledger(Generic[S, P]):
    """Collects the facts of one move while they are decided; each is folded into the state immediately."""

    __slots__ = ("chance", "facts", "state", "steps")

    def __init__(self, state: S, chance: Chance, steps: P) -> None:
        """`steps` are the automatic steps of these rules: `ledger.steps.income(ledger)`."""
        self.state, self.chance, self.steps = state, chance, steps
        self.facts: list[Fact] = []

    def emit(self, fact: Fact) -> None:
        """Record a fact and fold it into the state."""
        self.facts.append(fact)
        fact.fold(self.state)


class MoveRule(Generic[S, M, P]):
    """How one kind of move works in one version of the rules.

    `refusal` defines its legality. Legal moves are listed by filtering `candidates` with it. Where a profile
    shows that this takes too long, the rule also has a *fast listing*, a second statement beside the first.
    `test_listing.py` of each such game (`make walks`) proves both equal at every position of its walks.
    """

    quiet: ClassVar[bool] = False
    """Whether such a move is a quiet move, which may be made for an absent player."""
    reversible: ClassVar[bool] = False
    """Whether such moves can undo each other for ever; they are offered after all others."""
    listed_in_full: ClassVar[bool] = True
    """Whether every legal move of this kind is listed. If not, some are, at least one if there is any."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def refusal(self, state: S, seat: int, move: M) -> Refusal | None:
        """Why the seat can't make this move now, or None if it can. Changes nothing."""
        return None

    @abstractmethod
    def facts(self, ledger: Ledger[S, P], seat: int, move: M) -> None:
        """Emit the facts of a legal move and of all that follows, up to the next decision of a seat."""

    def candidates(self, state: S, seat: int) -> Iterable[M]:
        """Moves of this kind that may be legal for the seat now, in a fixed order; none if too many."""
        return ()

    def listed(self, state: S, seat: int) -> Sequence[M]:
        """The candidates that `refusal` allows, or the same moves by a fast listing."""
        return [move for move in self.candidates(state, seat) if self.refusal(state, seat, move) is None]

    def is_open(self, state: S, seat: int) -> bool:
        """Whether the seat may make a move of this kind, which has too many possibilities to list."""
        return False


@dataclass(frozen=True)
class Ruleset(Generic[P]):
    """One version of a game's rules, as a table. `revised` makes the next version by replacing entries.

    A version that matches were played under is never edited so that it decides differently. It is kept, and
    the new one stands beside it.
    """

    version: int
    apply: "Callable[[Ruleset[P], DataSet], Rules[Any]]"
    """The class of `Rules` that plays by this table."""
    moves: "Mapping[type[Move], MoveRule[Any, Any, P]]"
    """One entry for each kind of move, in the order in which legal moves are listed."""
    steps: P
    """The automatic steps: a frozen dataclass with one function for each step of the rule book; `set_up`
    sets the game up, until the first decision of a seat."""
    facts: tuple[type[Fact], ...]
    options: type[Options]

    def revised(
        self,
        version: int,
        *,
        moves: "Mapping[type[Move], MoveRule[Any, Any, P]] | None" = None,
        **changes: Any,
    ) -> "Ruleset[P]":
        """The next version: entries of `moves` replaced or added, other parts (such as `steps`) replaced."""
        return replace(self, version=version, moves={**self.moves, **(moves or {})}, **changes)

    def rules(self, data: DataSet) -> "Rules[Any]":
        """The rules to play by with this data set."""
        return self.apply(self, data)

    def __repr__(self) -> str:
        return f"<Ruleset version {self.version}: {len(self.moves)} kinds of move>"


class Rules(ABC, Generic[S]):
    """A ruleset applied to a data set. One object serves all matches played by it."""

    seat_counts: ClassVar[tuple[int, ...]]
    cites: ClassVar[Mapping[str, str]]
    """The rules to cite in refusals that concern no particular kind of move: `seats`, `moves` and `end`."""
    messages: ClassVar[Mapping[str, Messages]]
    """The texts for facts and moves, by language."""

    def __init__(self, ruleset: Ruleset[Any], data: DataSet) -> None:
        """Read the data set once for all matches."""
        self.ruleset = ruleset
        self.data = data
        self.version = ruleset.version
        self.move_rules = dict(ruleset.moves)
        self._refusals = {kind: rule.refusal for kind, rule in ruleset.moves.items()}
        self._facts = {kind: rule.facts for kind, rule in ruleset.moves.items()}
        self.steps: Any = ruleset.steps
        self.moves = tuple(ruleset.moves)
        self.facts = ruleset.facts
        self.options = ruleset.options

    def __repr__(self) -> str:
        return f"<{type(self).__name__} version {self.version} with {self.data.name}>"

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
        """The state before the first fact; raises Refusal if seats and options don't fit together."""

    def deal(self, state: S, chance: Chance) -> list[Fact]:
        """Set the game up: the first facts, folded into the state, up to the first decision of a seat."""
        ledger = Ledger(state, chance, self.steps)
        self.steps.set_up(ledger)
        return ledger.facts

    @abstractmethod
    def to_act(self, state: S) -> Sequence[int]:
        """The seats that the match waits for; none when it is over. Each of them has a legal move."""

    def may_act(self, state: S) -> Sequence[int]:
        """All seats that have a move now: those waited for, and those that may answer or interrupt."""
        return self.to_act(state)

    def has_move(self, state: S, seat: int) -> bool:
        """Whether one seat has a move now. Override it only for speed, with the same result."""
        return seat in self.may_act(state)

    def is_over(self, state: S) -> bool:
        """Whether the game has ended."""
        return self.result(state) is not None

    def refusal(self, state: S, seat: int, move: Move) -> Refusal | None:
        """Why the seat can't make this move now, or None if it can. Changes nothing."""
        rule = self.move_rules.get(type(move))
        if rule is None:
            return UnknownMoveError("This game has no such move.", rule=self.cites["moves"])
        if self.is_over(state):
            return MatchOverError("The match is over.", rule=self.cites["end"])
        if not 0 <= seat < state.seats:
            return NoSuchSeatError(f"There is no seat {seat} at this table.", rule=self.cites["seats"])
        return rule.refusal(state, seat, move)

    def verify(self, state: S, seat: int, move: Move) -> None:
        """Raise the refusal if there is one. Changes nothing."""
        refusal = self.refusal(state, seat, move)
        if refusal is not None:
            raise refusal

    def decide(self, state: S, seat: int, verified: Move, chance: Chance) -> list[Fact]:
        """The facts of a verified move and of everything that follows from it, folded into the state."""
        ledger = Ledger(state, chance, self.steps)
        self._facts[type(verified)](ledger, seat, verified)
        return ledger.facts

    def play(self, state: S, seat: int, move: Move, chance: Chance) -> list[Fact]:
        """Verify, then decide. A refused move leaves the state untouched.

        Written out for speed: with fewer calls for a legal move than `verify`, which finds the refusal.
        """
        refusal = self._refusals.get(type(move))
        if (
            refusal is None
            or self.is_over(state)
            or not 0 <= seat < state.seats
            or refusal(state, seat, move) is not None
        ):
            self.verify(state, seat, move)
        return self.decide(state, seat, move, chance)

    def legal_moves(self, state: S, seat: int) -> list[Move]:
        """Every listed move of the seat, in a fixed order that recorded matches depend on."""
        if self.is_over(state):
            return []
        return [move for rule in self.move_rules.values() for move in rule.listed(state, seat)]

    def offered_moves(self, state: S, seat: int) -> list[Move]:
        """The legal moves in the order in which players see them: reversible kinds last."""
        return sorted(self.legal_moves(state, seat), key=lambda move: self.move_rules[type(move)].reversible)

    def open_moves(self, state: S, seat: int) -> Sequence[type[Move]]:
        """Kinds of move that the seat may make now, with too many possibilities to list."""
        if self.is_over(state):
            return ()
        return tuple(kind for kind, rule in self.move_rules.items() if rule.is_open(state, seat))

    def obstacles(self, state: S, seat: int) -> Mapping[type[Move], Sequence[Obstacle]]:
        """What the seat lacks for each kind of move that it may want to make now and can't.

        It depends on nothing that is hidden from the seat. A game that shows only legal moves needs none.
        """
        return {}

    def quiet_moves(self, state: S, seat: int) -> list[Move]:
        """The moves from which an absent player's move is drawn: the quiet ones, or else all legal ones."""
        legal = self.legal_moves(state, seat)
        return [move for move in legal if self.move_rules[type(move)].quiet] or legal

    view_schema: ClassVar[Mapping[str, Plain]]
    """JSON Schema of all views, with a description of each field."""

    @abstractmethod
    def view(self, state: S, viewer: int) -> View:
        """Everything that a seat, a spectator or the arbiter may know."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """The result, or None while the match is running."""

    @abstractmethod
    def resample(self, state: S, viewer: int, chance: Chance) -> S:
        """A state that looks the same to this viewer, with everything hidden from them redrawn."""

    @abstractmethod
    def sentence(self, state: S, fact: Fact, names: Sequence[str]) -> Phrase | None:
        """The sentence about a fact, if any; `state` is the one after it.

        A field of the fact that its reader may not know is None.
        """

    @abstractmethod
    def label(self, state: S, seat: int, move: Move, names: Sequence[str]) -> Phrase:
        """A short imperative sentence for a legal move, based on what its seat may know."""

    def tell(
        self, state: S, fact: Fact, viewer: int, names: Sequence[str], language: str = DEFAULT_LANGUAGE
    ) -> str:
        """The fact as a sentence for this viewer, or an empty text; `state` is the one after the fact."""
        phrase = self.sentence(state, self.fact_codec.blinded(fact, viewer), names)
        return "" if phrase is None else self.messages[language].sentence(phrase)

    def tell_move(
        self, state: S, seat: int, move: Move, names: Sequence[str], language: str = DEFAULT_LANGUAGE
    ) -> str:
        """The label of a legal move."""
        return self.messages[language].sentence(self.label(state, seat, move, names))

    def tell_open_move(self, kind: type[Move], language: str = DEFAULT_LANGUAGE) -> str:
        """The label of an open move, a kind with too many possibilities to list."""
        return self.messages[language].sentence(Phrase(f"open_moves.{kind.type}"))

    def scene(self, state: S, viewer: int, names: Sequence[str], language: str = DEFAULT_LANGUAGE) -> str:
        """The table as a few lines of text, for a person at a terminal."""
        return ""
