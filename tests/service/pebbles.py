"""A game for the tests of arena and command line: whoever takes the last pebble wins; onlookers may cheer once a turn."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from domain.chance import Chance, Draws
from domain.codec import ARBITER, Between, Fault, MalformedError, Plain
from domain.game import (
    DataSet,
    Fact,
    Game,
    Ledger,
    MatchOverError,
    Move,
    NotYourTurnError,
    Options,
    Refusal,
    Result,
    Rules,
    State,
    View,
    record,
    secret,
)


class Heap(State):
    __slots__ = ("cheered", "cheers", "heap", "lucky", "seats", "taken", "turn")

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.heap = -1
        self.lucky = 0
        self.turn = 0
        self.taken = [0] * seats
        self.cheers = [0] * seats
        self.cheered: list[int] = []

    def copy(self) -> "Heap":
        twin = Heap(self.seats)
        twin.heap, twin.lucky, twin.turn = self.heap, self.lucky, self.turn
        twin.taken, twin.cheers, twin.cheered = self.taken[:], self.cheers[:], self.cheered[:]
        return twin


@record
class Take(Move):
    """Takes pebbles from the heap."""

    pebbles: Annotated[int, Between(1, 9)]


@record
class Cheer(Move):
    """Encourages whoever is on turn."""


@record
class HeapPoured(Fact):
    """The pebbles lie on the table; one of them hides a lucky number."""

    pebbles: int
    starter: int
    lucky: int = secret()

    def fold(self, state: Any) -> None:
        state.heap, state.turn, state.lucky = self.pebbles, self.starter, self.lucky


@record
class PebblesTaken(Fact):
    """A seat took pebbles."""

    seat: int
    pebbles: int

    def fold(self, state: Any) -> None:
        state.heap -= self.pebbles
        state.taken[self.seat] += self.pebbles
        state.turn = (self.seat + 1) % state.seats
        state.cheered = []


@record
class Cheered(Fact):
    """An onlooker cheered."""

    seat: int

    def fold(self, state: Any) -> None:
        state.cheers[self.seat] += 1
        state.cheered.append(self.seat)


@record
class PebbleOptions(Options):
    """What may be chosen."""

    least: Annotated[int, Between(5, 50)] = 10
    mood: Literal["calm", "loud"] = "loud"
    lone: bool = False


class TooManyPebblesError(Refusal):
    """The heap is not so large."""


class PebbleRules(Rules[Heap]):
    version = 1
    moves = (Take, Cheer)
    facts = (HeapPoured, PebblesTaken, Cheered)
    options = PebbleOptions
    seat_counts = (2, 3, 4)

    def table(self, seats: int, chosen: Any) -> Heap:
        if chosen.lone and seats > 2:
            raise Refusal("the lone heap is for two", rule="P-1")
        state = Heap(seats)
        state.lucky = chosen.least
        return state

    def deal(self, state: Heap, chance: Chance) -> list[Fact]:
        ledger = Ledger(state, chance)
        pour = chance.draws("pour", 0)
        ledger.emit(HeapPoured(state.lucky + pour.below(10), pour.below(state.seats), pour.below(100)))
        return ledger.facts

    def to_act(self, state: Heap) -> Sequence[int]:
        return (state.turn,) if state.heap > 0 else ()

    def may_act(self, state: Heap) -> Sequence[int]:
        return [seat for seat in range(state.seats) if seat not in state.cheered] if state.heap > 0 else ()

    def verify(self, state: Heap, seat: int, wanted: Move) -> None:
        if state.heap < 1:
            raise MatchOverError("the heap is gone", rule="P-9")
        if isinstance(wanted, Take) != (seat == state.turn):
            raise NotYourTurnError("one takes, the others cheer", rule="P-2")
        if isinstance(wanted, Take) and wanted.pebbles > min(self.most, state.heap):
            raise TooManyPebblesError("so many can't be taken", rule="P-3")

    @property
    def most(self) -> int:
        return int(self.data.document["most"])

    def decide(self, state: Heap, seat: int, verified: Move, chance: Chance) -> list[Fact]:
        ledger = Ledger(state, chance)
        ledger.emit(PebblesTaken(seat, verified.pebbles) if isinstance(verified, Take) else Cheered(seat))
        return ledger.facts

    def legal_moves(self, state: Heap, seat: int) -> list[Move]:
        if state.heap < 1:
            return []
        if seat != state.turn:
            return [] if seat in state.cheered else [Cheer()]
        return [Take(n) for n in range(1, min(self.most, state.heap) + 1)]

    def view(self, state: Heap, viewer: int) -> View:
        hidden = {"lucky": state.lucky} if viewer == ARBITER else {}
        return {"heap": state.heap, "round": sum(state.taken) and 1 + sum(state.taken) // 5, "taken": list(state.taken), **hidden}

    def result(self, state: Heap) -> Result | None:
        if state.heap:
            return None
        last = (state.turn - 1) % state.seats
        scores = tuple({"taken": taken, "cheers": cheers} for taken, cheers in zip(state.taken, state.cheers, strict=True))
        return Result(scores, tuple(1 if seat == last else 2 for seat in range(state.seats)))

    def resample(self, state: Heap, viewer: int, chance: Chance) -> Heap:
        twin = state.copy()
        twin.lucky = chance.draws("lucky", 0).below(100)
        return twin

    def tell(self, state: Heap, happened: Fact, viewer: int, names: Sequence[str]) -> str:
        if isinstance(happened, HeapPoured):
            return f"{happened.pebbles} pebbles" + (f", lucky {happened.lucky}" if viewer == ARBITER else "")
        if isinstance(happened, PebblesTaken):
            return f"{names[happened.seat]} takes {happened.pebbles}, {state.heap} left."
        return f"{names[happened.seat]} cheers." if isinstance(happened, Cheered) else ""

    def scene(self, state: Heap, viewer: int, names: Sequence[str]) -> str:
        return "o" * state.heap


class AnyBot:
    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        return legal[draws.below(len(legal))]


class WiseBot:
    """Leaves a multiple of one more than the most; never cheers."""

    def __init__(self, most: int) -> None:
        self._most = most

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        if isinstance(legal[0], Cheer):
            return None
        return Take(view()["heap"] % (self._most + 1) or 1)


class CheatBot:
    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        return Take(9)


class SleepyBot:
    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        return None


def admit(name: str, document: Plain) -> DataSet:
    if not isinstance(document, dict) or not isinstance(document.get("most"), int):
        raise MalformedError([Fault("/most", "must be an integer"), Fault("/colour", "is missing")])
    return DataSet(name, document)


GAME = Game(
    id="pebbles",
    titles={"en": "Pebbles"},
    rulesets=(PebbleRules,),
    data_sets=(DataSet("small", {"most": 3}), DataSet("large", {"most": 5})),
    data_option="hand",
    rules_text="# Pebbles\n\nWhoever takes the *last* pebble wins.\n",
    words={"en": {}},
    bots={
        "any": lambda rules: AnyBot(),
        "cheat": lambda rules: CheatBot(),
        "sleepy": lambda rules: SleepyBot(),
        "wise": lambda rules: WiseBot(rules.data.document["most"]),
    },
    admit=admit,
    draw=lambda data: f"<svg>{data.document['most']}</svg>",
)


def pebble_games() -> Mapping[str, Game]:
    """What the command line finds in these tests."""
    return {"pebbles": GAME}
