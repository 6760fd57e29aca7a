"""End (T-7, T-8)."""

import pytest

from kontor_games.domain.game import Fact, MatchOverError
from tests.domain.toy.fair.table import RULES, Table
from tests.domain.toy.games.fair.facts.end import MatchScored
from tests.domain.toy.games.fair.facts.trade import FairClosed
from tests.domain.toy.games.fair.moves import CloseFair


@pytest.fixture
def ended() -> tuple[Table, list[Fact]]:
    """A match of one round that is over, and the facts of its last move."""
    table = Table(rounds=1).opened()
    return table, table.play(1, CloseFair())


def test_closing_the_last_fair_ends_the_match_with_a_score(ended: tuple[Table, list[Fact]]) -> None:
    table, facts = ended
    assert facts == [FairClosed(1), MatchScored((0, 3, 0), (5, 5, 5), (2, 1, 2))]
    result = RULES.result(table.state)
    assert result is not None
    assert result.scores[1] == {"points": 3, "coins": 5}
    assert result.winners == (1,)


def test_after_the_end_every_move_is_refused(ended: tuple[Table, list[Fact]]) -> None:
    table, _ = ended
    table.assert_refused(1, CloseFair(), MatchOverError, "T-8")
    assert RULES.legal_moves(table.state, 1) == []
    assert RULES.open_moves(table.state, 1) == ()
