"""The toy game for tests of arena and command line: more options, a picture, and faulty bots."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from kontor_games.domain.chance import Draws
from kontor_games.domain.codec import record
from kontor_games.domain.game import Game, Move, Refusal, Rules, View
from tests.domain.toy.games.fair import GAME as FAIR
from tests.domain.toy.games.fair.moves import CloseFair, LayCard, OfferCard, TakeOffer
from tests.domain.toy.games.fair.options import FairOptions
from tests.domain.toy.games.fair.rules import VERSION_1, FairRules
from tests.domain.toy.games.fair.state import Fair


@record
class FairgroundOptions(FairOptions):
    """Three further options, of kinds that the toy game lacks."""

    mood: Literal["calm", "loud"] = "loud"
    lone: bool = False
    music: tuple[Literal["drum", "flute"], ...] = ()


class FairgroundRules(FairRules):
    """The toy rules, with an option that does not fit every number of seats, and a scene of its own."""

    def table(self, seats: int, chosen: Any) -> Fair:
        if chosen.lone and seats > 2:
            raise Refusal("The lone fair is for two.", rule="T-9")
        return super().table(seats, chosen)

    def scene(self, state: Fair, viewer: int, names: Sequence[str], language: str = "en") -> str:
        return "\n".join(f"{name} has {coins} coins" for name, coins in zip(names, state.coins, strict=True))


class TraderBot:
    """Offers a card once a round, and takes every offer."""

    version = 1

    def __init__(self, rules: Rules[Any]) -> None:
        pass

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        seen = view()
        if seat not in seen["waits_for"]:
            return TakeOffer()
        if isinstance(legal[0], LayCard):
            return legal[0]
        hand = seen["seats"][seat]["hand"]
        return OfferCard(hand[0], 1) if hand and not seen["offers"] else CloseFair()


class QuietBot:
    """Moves only when it has to."""

    version = 1

    def __init__(self, rules: Rules[Any]) -> None:
        pass

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        return legal[0] if seat in view()["waits_for"] else None


class CheatBot:
    """Closes a fair that is not open."""

    version = 1

    def __init__(self, rules: Rules[Any]) -> None:
        pass

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        return CloseFair()


class SleepyBot:
    """Never chooses a move."""

    version = 1

    def __init__(self, rules: Rules[Any]) -> None:
        pass

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        return None


GAME = replace(
    FAIR,
    rulesets=(replace(VERSION_1, apply=FairgroundRules, options=FairgroundOptions),),
    bots={
        "random": FAIR.bots["random"],
        "cheat": CheatBot,
        "sleepy": SleepyBot,
        "quiet": QuietBot,
        "trader": TraderBot,
        "greedy": FAIR.bots["greedy"],
    },
    draw=lambda data, pieces=True: f"<svg>{len(data.document['values'])}</svg>",
)


def fairground() -> Mapping[str, Game]:
    """Return the games that are installed for the command line in these tests."""
    return {"fair": GAME}
