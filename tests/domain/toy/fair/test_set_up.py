"""Set-up (T-1, T-2)."""

import pytest

from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.game import NoSuchSeatError
from tests.domain.toy.fair.table import RULES, Table
from tests.domain.toy.games.fair.options import FairOptions


@pytest.mark.parametrize("seats", [1, 5])
def test_the_fair_is_for_two_to_four(seats: int) -> None:
    with pytest.raises(NoSuchSeatError, match=r"^The Fair is for 2 to 4 players\.$"):
        RULES.table(seats, FairOptions())


def test_the_deal_gives_three_hidden_cards_to_each() -> None:
    table = Table()
    kinds = [fact.type for fact in table.dealt]
    assert kinds == ["deck_shuffled", *["card_drawn"] * 6, "round_begun", *["card_drawn"] * 3]
    assert table.state.hands == [[23, 20, 17], [22, 19, 16], [21, 18, 15]]
    assert RULES.view(table.state, 1)["seats"][1]["hand"] == [16, 19, 22]
    assert "hand" not in RULES.view(table.state, SPECTATOR)["seats"][1]


def test_everybody_begins_with_the_chosen_coins() -> None:
    assert Table().state.coins == [5, 5, 5]
    assert Table(coins=0).state.coins == [0, 0, 0]


def test_a_scene_shows_a_player_their_own_hand() -> None:
    table = Table()
    table.lay(23)
    assert RULES.scene(table.state, 0, ("Ada", "Bela", "Caro")).splitlines() == [
        "Round 1 of 3",
        "  Ada: 0 points, 5 coins, 2 cards (60 and 99), has laid a 99",
        "  Bela: 0 points, 5 coins, 3 cards",
        "  Caro: 0 points, 5 coins, 3 cards",
    ]
    assert RULES.scene(table.state, SPECTATOR, ("Ada", "Bela", "Caro")).splitlines()[1] == (
        "  Ada: 0 points, 5 coins, 2 cards, has laid a card"
    )
