"""Number tokens that new posts bring (E-45)."""

from typing import ClassVar

from kontor_games.domain.game import Refusal
from kontor_games.domain.games.europe.facts.tokens import HexLeftEmpty, TokenPlaced, TokenShifted
from kontor_games.domain.games.europe.moves import LeaveHexEmpty, PlaceToken, ShiftToken
from kontor_games.domain.games.europe.refusals import NoSuchChoiceError
from kontor_games.domain.games.europe.rules.base import EuropeRule, M
from kontor_games.domain.games.europe.rules.conditions import no_such_place
from kontor_games.domain.games.europe.rules.steps import EuropeLedger
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.games.europe.state.phases import TOKEN


def in_sea(state: EuropeState, hexagon: int) -> tuple[int, ...]:
    """Return the tokens of a hex's colour that lie in the sea."""
    return state.sea[state.tables.yields[hexagon]]


def place_token(ledger: EuropeLedger, seat: int, hexagon: int) -> None:
    """Put a random token of the hex's colour on it (E-45)."""
    state, left = ledger.state, in_sea(ledger.state, hexagon)
    number = left[ledger.chance.draws("tokens", state.token_draws).below(len(left))]
    ledger.emit(TokenPlaced(seat, state.tables.hex_ids[hexagon], number))


class TokenRule(EuropeRule[M]):
    """The builder chooses one of the hexes without number beside the new post (E-45)."""

    phases: ClassVar = (TOKEN,)

    def blocked_hex(self, state: EuropeState, name: str) -> Refusal | None:
        """Return a refusal unless it is one of these hexes."""
        hexagon = state.tables.board.hex_index.get(name)
        if hexagon is None:
            return no_such_place("hex", name)
        if hexagon not in state.token_hexes:
            return NoSuchChoiceError("Choose a hex without number beside your new post.", rule="E-45")
        return None


class PlaceTokenRule(TokenRule[PlaceToken]):
    """A random token comes from the sea, if it holds one of the colour."""

    def blocked(self, state: EuropeState, seat: int, move: PlaceToken) -> Refusal | None:
        if refusal := self.blocked_hex(state, move.hex):
            return refusal
        if not in_sea(state, state.tables.board.hex_index[move.hex]):
            return NoSuchChoiceError("The sea holds no token of that colour.", rule="E-45")
        return None

    def facts(self, ledger: EuropeLedger, seat: int, move: PlaceToken) -> None:
        ledger.steps.place_token(ledger, seat, ledger.state.tables.board.hex_index[move.hex])

    def candidates(self, state: EuropeState, seat: int) -> list[PlaceToken]:
        return [PlaceToken(state.tables.hex_ids[h]) for h in state.token_hexes]


class ShiftTokenRule(TokenRule[ShiftToken]):
    """If the sea holds no token of the colour, one may be moved from another hex, but no printed number."""

    def blocked(self, state: EuropeState, seat: int, move: ShiftToken) -> Refusal | None:
        if refusal := self.blocked_hex(state, move.hex):
            return refusal
        index = state.tables.board.hex_index
        if in_sea(state, index[move.hex]):
            return NoSuchChoiceError("The sea still holds a token of that colour.", rule="E-45")
        if move.source not in index:
            return no_such_place("hex", move.source)
        if index[move.source] not in self.sources(state, index[move.hex]):
            return NoSuchChoiceError("No token of that colour lies there.", rule="E-45")
        return None

    def facts(self, ledger: EuropeLedger, seat: int, move: ShiftToken) -> None:
        """Move the token; the hex it leaves produces no more."""
        number = ledger.state.number[ledger.state.tables.board.hex_index[move.source]]
        ledger.emit(TokenShifted(seat, move.source, move.hex, number))

    def candidates(self, state: EuropeState, seat: int) -> list[ShiftToken]:
        ids, empty = state.tables.hex_ids, state.token_hexes
        return [ShiftToken(ids[source], ids[h]) for h in empty for source in self.sources(state, h)]

    def sources(self, state: EuropeState, hexagon: int) -> list[int]:
        """Return the hexes of the same colour that bear a token."""
        yields = state.tables.yields
        return [h for h, lies in enumerate(state.token) if lies and yields[h] == yields[hexagon]]


class LeaveHexEmptyRule(TokenRule[LeaveHexEmpty]):
    """A hex may stay empty only if the sea holds no token of its colour."""

    quiet: ClassVar = True
    ready: ClassVar = (LeaveHexEmpty(),)

    def blocked(self, state: EuropeState, seat: int, move: LeaveHexEmpty) -> Refusal | None:
        """Return a refusal if the sea holds a token for each of the hexes."""
        if all(in_sea(state, h) for h in state.token_hexes):
            return NoSuchChoiceError("The sea holds a token, so you must place one.", rule="E-45")
        return None

    def facts(self, ledger: EuropeLedger, seat: int, move: LeaveHexEmpty) -> None:
        ledger.emit(HexLeftEmpty(seat))


class LeaveHexEmptyAllRunOutRule(LeaveHexEmptyRule):
    """Version 3: the hexes stay empty only if the sea holds no token for any of them (E-45)."""

    def blocked(self, state: EuropeState, seat: int, move: LeaveHexEmpty) -> Refusal | None:
        """Return a refusal if the sea holds a token for one of the hexes."""
        if any(in_sea(state, h) for h in state.token_hexes):
            return NoSuchChoiceError("The sea holds a token, so you must place or move one.", rule="E-45")
        return None
