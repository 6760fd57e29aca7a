"""What follows from the pieces on the board is kept up to date."""

from kontor_games.domain.games.europe.options import EuropeOptions
from kontor_games.domain.games.europe.rules.index import Index
from tests.domain.games.europe.small import RULES, Small, north
from tests.domain.games.europe.wander import wander


def test_lists_are_the_same_for_equal_states_whatever_their_history() -> None:
    for step in wander(RULES, 4, 6, EuropeOptions(turn_limit=40)):
        if step.number % 7 == 0:
            twin = step.state.copy()
            twin.restored()
            for seat in range(4):
                assert RULES.legal_moves(twin, seat) == RULES.legal_moves(step.state, seat)


def test_changes_of_an_index_do_not_affect_its_copy() -> None:
    game = Small()
    twin = game.state.copy()
    game.route(0, north(1)).post(1, "m2").caravan(0, 1, north(1))
    fresh = Small().state
    for name in (*Index.LISTS, *Index.SHARED):
        assert getattr(twin.index, name) == getattr(fresh.index, name), name
    assert game.state.index.taken != twin.index.taken
