"""The label of each move. The texts are in `messages/`, under `moves` and the type of the move."""

from typing import Any

from kontor_games.domain.game import Move
from kontor_games.domain.games.speicherstadt import moves as m
from kontor_games.domain.games.speicherstadt.rules.turn import Steps
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from kontor_games.domain.games.speicherstadt.text.phrases import card, good, goods, in_row
from kontor_games.domain.games.speicherstadt.text.sentences import MERCHANT_OF, Values
from kontor_games.domain.toolkit.messages import Phrase, phrase


class _Values:
    """For each kind of move a method with its name, which gives the values of its message."""

    def place_worker(self, steps: Steps, state: Table, seat: int, move: m.PlaceWorker) -> Values:
        line = state.lines[state.row.index(move.card)]
        return {"card": in_row(state, move.card), "price": steps.price((*line, seat))}

    def buy(self, steps: Steps, state: Table, seat: int, move: m.Buy) -> Values:
        return {"card": in_row(state, state.row[0]), "price": steps.price(state.lines[0])}

    def decline(self, steps: Steps, state: Table, seat: int, move: m.Decline) -> Values:
        return {"card": in_row(state, state.row[0])}

    def put_on_contract(self, steps: Steps, state: Table, seat: int, move: m.PutOnContract) -> Values:
        return {**_cube(move), "contract": card(state, move.contract)}

    def sell_to_merchant(self, steps: Steps, state: Table, seat: int, move: m.SellToMerchant) -> Values:
        return {**_cube(move), "merchant": phrase(f"cards.{MERCHANT_OF[move.good]}")}

    def store_cube(
        self, steps: Steps, state: Table, seat: int, move: m.StoreCube | m.KeepCube | m.TakeOut
    ) -> Values:
        return _cube(move)

    keep_cube = take_out = store_cube

    def convert(self, steps: Steps, state: Table, seat: int, move: m.Convert) -> Values:
        return {"given": goods(move.give), "taken": good(move.take)}

    def sell_two(self, steps: Steps, state: Table, seat: int, move: m.SellTwo) -> Values:
        return {"goods": goods(move.goods)}

    def finish_loading(self, steps: Steps, state: Table, seat: int, move: m.FinishLoading) -> Values:
        return {"lost": goods(unpack(state.quay[seat]))}


def _cube(move: Any) -> Values:
    return {"good": good(move.good), "origin": phrase(f"origins.{move.origin}")}


_VALUES = _Values()


def label(steps: Steps, state: Table, seat: int, move: Move) -> Phrase:
    """Return a short imperative sentence for a legal move."""
    return Phrase(f"moves.{move.type}", getattr(_VALUES, move.type)(steps, state, seat, move))
