"""The conditions that many moves share; each raises its refusal."""

from collections.abc import Mapping, Sequence
from operator import ge

from kontor_games.domain.game import NotYourTurnError, WrongPhaseError
from kontor_games.domain.games.europe.board import RESOURCES
from kontor_games.domain.games.europe.refusals import CannotPayError, NoSuchPlaceError
from kontor_games.domain.games.europe.state import (
    ACTION,
    BONUS_ROUTE,
    CHAIN,
    DEALING,
    DISCARD,
    FREE_ROUTE,
    GO_ON,
    OVER,
    ROBBER,
    ROLL,
    SET_UP_NEUTRAL,
    SET_UP_POST,
    SET_UP_ROUTE,
    THEFT,
    TOKEN,
    EuropeState,
)

_WAITING = {
    DEALING: ("E-13", "nothing is dealt yet"),
    SET_UP_POST: ("E-12", "the first posts are being placed"),
    SET_UP_NEUTRAL: ("E-12", "the neutral posts are being placed"),
    SET_UP_ROUTE: ("E-12", "the first routes are being placed"),
    ROLL: ("E-20", "the dice have not been rolled yet"),
    DISCARD: ("E-24", "cards have to be given back first"),
    ROBBER: ("E-24", "the robber has to move first"),
    THEFT: ("E-24", "the thief has to choose first"),
    ACTION: ("E-20", "the dice have been rolled, and nothing of the kind is to be chosen"),
    CHAIN: ("E-41", "one of the equal chains has to be chosen first"),
    BONUS_ROUTE: ("E-42", "the route of the double arrow is due: lay it or do without"),
    FREE_ROUTE: ("E-60", "the routes of the safe conduct are due: lay one or do without"),
    TOKEN: ("E-45", "the number token of the new post has to be chosen first"),
    GO_ON: ("E-46", "the caravan can't stay where two others stand: it has to go on"),
    OVER: ("E-70", "the match is over"),
}


def on_turn(state: EuropeState, seat: int, *phases: int) -> None:
    """The seat is the one on turn, and it is one of these phases."""
    if seat != state.active:
        raise NotYourTurnError("It is another player's turn.", rule="E-13")
    if state.phase not in phases:
        in_phase(state, *phases)


def in_phase(state: EuropeState, *phases: int) -> None:
    """It is one of these phases."""
    if state.phase not in phases:
        rule, why = _WAITING[state.phase]
        raise WrongPhaseError(f"Not now: {why}.", rule=rule)


def afford(state: EuropeState, seat: int, counts: Sequence[int], rule: str) -> None:
    """The hand holds so many cards."""
    hand = state.hands[seat * 5 : seat * 5 + 5]
    if not all(map(ge, hand, counts)):
        lacking = [
            resource for resource, held, count in zip(RESOURCES, hand, counts, strict=True) if held < count
        ]
        raise CannotPayError(f"You have not enough {' and '.join(lacking)}.", rule=rule)


def afford_gold(state: EuropeState, seat: int, gold: int, rule: str) -> None:
    """The player has so much gold."""
    if state.gold[seat] < gold:
        raise CannotPayError(f"That takes {gold} gold.", rule=rule)


def place(index: Mapping[str, int], name: str, kind: str) -> int:
    """The number of a place on the board."""
    if name not in index:
        raise NoSuchPlaceError(f"The board has no {kind} {name!r}.", rule="E-2")
    return index[name]
