"""Conditions that rules of several chapters share: the phase, places, pieces that come to the board."""

from kontor_games.domain.game import Refusal, WrongPhaseError
from kontor_games.domain.games.europe.refusals import NoPieceLeftError, NoSuchPlaceError, PieceNotThereError
from kontor_games.domain.games.europe.state import NOBODY, EuropeState
from kontor_games.domain.games.europe.state import phases as p

_WAITING = {
    p.DEALING: ("E-13", "The match has not been set up yet."),
    p.SET_UP_POST: ("E-12", "The first posts are being placed now."),
    p.SET_UP_NEUTRAL: ("E-12", "The neutral posts are being placed now."),
    p.SET_UP_ROUTE: ("E-12", "The first routes are being placed now."),
    p.ROLL: ("E-20", "The dice must be rolled first."),
    p.DISCARD: ("E-24", "Players who hold too many cards must give cards back first."),
    p.ROBBER: ("E-24", "The robber must be moved first."),
    p.THEFT: ("E-24", "The player on turn must first choose whom to steal from."),
    p.ACTION: ("E-20", "The dice have already been rolled, and no choice of this kind is pending."),
    p.CHAIN: ("E-41", "One of the equally short chains must be chosen first."),
    p.BONUS_ROUTE: ("E-42", "The free route of the double arrow must be built or given up first."),
    p.FREE_ROUTE: ("E-60", "The free routes of the safe conduct must be built or given up first."),
    p.TOKEN: ("E-45", "The number token of the new post must be chosen first."),
    p.GO_ON: ("E-46", "The caravan can't stay where two others stand: it must move on first."),
    p.OVER: ("E-70", "The match is over."),
}
"""For each phase, the rule and the sentence with which a move of another phase is refused."""


def wrong_phase(state: EuropeState) -> Refusal:
    """Return the refusal of a move that belongs to another phase."""
    rule, sentence = _WAITING[state.phase]
    return WrongPhaseError(sentence, rule=rule)


def no_such_place(kind: str, name: str) -> Refusal:
    """Return the refusal of a move that names a place which is not on the board."""
    return NoSuchPlaceError(f"The board has no {kind} {name!r}.", rule="E-2")


# --- merchants and caravans come to the board in the same way (E-40) ----------------------------------------


def wrong_piece(pieces: list[int], moved: int | None, kind: str) -> Refusal | None:
    """Return a refusal if both pieces are on the board and none is named, or one is named with one left."""
    both = NOBODY not in pieces
    if both and moved is None:
        return NoPieceLeftError(f"Both your {kind}s are on the board: say which one to move.", rule="E-40")
    if moved is not None and not both:
        return PieceNotThereError(f"You have a {kind} left, so you can't move one.", rule="E-40")
    return None


def new_piece(pieces: list[int], moved: int | None) -> int:
    """Return the number of the piece that is placed."""
    return pieces.index(NOBODY) if moved is None else moved
