"""A move out of turn is refused with the seats whose turn it is."""

import pytest

from kontor_games.domain.commands import Play
from kontor_games.domain.game import Game, NotYourTurnError, whose_turn
from kontor_games.domain.games import installed_games
from tests.support.recording import PLAYERS, table_of


def test_the_sentence_names_one_seat_or_several() -> None:
    assert whose_turn([2]) == "It is not your turn, but that of seat 2 (counted from 0)."
    assert whose_turn((0, 3)) == "It is not your turn, but that of the seats 0 and 3 (counted from 0)."
    assert whose_turn(()) == "It is not your turn."


@pytest.mark.parametrize("game", installed_games().values(), ids=lambda game: game.id)
def test_the_refusal_in_a_match_names_the_seat_to_move(game: Game) -> None:
    seats = min(game.rules().seat_counts)
    match = table_of(game.id, seats).match
    [seat] = match.to_act
    move = match.rules.legal_moves(match.state, seat)[0]
    with pytest.raises(NotYourTurnError) as refused:
        Play((move,)).decide(match.copy(), PLAYERS[(seat + 1) % seats], match.at)
    assert f"that of seat {seat} " in refused.value.detail
