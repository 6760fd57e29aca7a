"""The index, which is derived from the pieces on the board, is kept up to date."""

from typing import Any, NoReturn

import pytest

from kontor_games.domain.games.europe.options import EuropeOptions
from kontor_games.domain.games.europe.rules.index import Index
from kontor_games.domain.games.europe.state import EuropeState
from tests.domain.games.europe.random_matches import random_match
from tests.domain.games.europe.small import RULES, Small, north


def test_lists_are_the_same_for_equal_states_whatever_their_history() -> None:
    for step in random_match(RULES, 4, 6, EuropeOptions(turn_limit=40)):
        if step.number % 7 == 0:
            twin = step.state.copy()
            twin.restored()
            for seat in range(4):
                assert RULES.legal_moves(twin, seat) == RULES.legal_moves(step.state, seat)


def test_views_are_the_same_for_equal_states_whatever_was_shown_before() -> None:
    """A view reuses the part of the board that has not changed since the last one, of a copy too."""
    boards = list[object]()
    for step in random_match(RULES, 4, 6, EuropeOptions(turn_limit=40)):
        twin = step.state.copy()
        twin.shown_board = (), {}
        assert RULES.view(step.state, step.number % 4) == RULES.view(twin, step.number % 4)
        boards.append(step.state.shown_board[1])
    assert len(boards) / 2 > len({id(board) for board in boards}) > 10


def test_changes_of_an_index_do_not_affect_its_copy() -> None:
    game = Small()
    twin = game.state.copy()
    game.route(0, north(1)).post(1, "m2").caravan(0, 1, north(1))
    fresh = Small().state
    for name in (*Index.LISTS, *Index.SHARED):
        assert getattr(twin.index, name) == getattr(fresh.index, name), name
    assert game.state.index.taken != twin.index.taken


class LockedList(list[Any]):
    """A list that refuses every change."""

    def _refuse(self, *_: object) -> NoReturn:
        raise AssertionError("a list that copies share was changed")

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = remove = pop = reverse = clear = _refuse
    sort = _refuse  # type: ignore[assignment]  # overloaded in list


def lock_shared_lists(state: EuropeState) -> int:
    """Lock every list of a state and of its index that a copy would share; return how many there are."""
    twin, locked = state.copy(), 0
    for own, copied in ((state, twin), (state.index, twin.index)):
        for name in [name for cls in type(own).__mro__ for name in getattr(cls, "__slots__", ())]:
            value = getattr(own, name)
            if isinstance(value, list) and value is getattr(copied, name):
                parts = [LockedList(part) if isinstance(part, list) else part for part in value]
                setattr(own, name, LockedList(parts))
                locked += 1
    return locked


@pytest.mark.parametrize("seats", [3, 4])
def test_a_list_that_copies_share_is_copied_before_it_is_changed(seats: int) -> None:
    """Otherwise a move on one copy would change the other one."""
    for step in random_match(RULES, seats, 6, EuropeOptions(turn_limit=60)):
        assert lock_shared_lists(step.state) > len(Index.LISTS)
