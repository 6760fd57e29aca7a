"""The first half of a turn: E-20 to E-25."""

from itertools import permutations

from kontor_games.domain.codec import ARBITER, SPECTATOR
from kontor_games.domain.game import WrongPhaseError
from kontor_games.domain.games.europe.data.components import Cards
from kontor_games.domain.games.europe.facts.production import DiceRolled, Gain, ResourcesProduced
from kontor_games.domain.games.europe.moves import (
    EndTurn,
    PlayTreatyForGold,
    RollDice,
)
from tests.domain.games.europe.installed import europe
from tests.domain.games.europe.small import Small


def test_e20_before_the_roll_a_card_may_be_played_and_nothing_else() -> None:
    game = Small().card(0, "trade_treaty").give(0, ore=5, lumber=5, wool=5)
    assert game.rules.legal_moves(game.state, 0) == [RollDice(), PlayTreatyForGold()]
    assert type(game.refuse(0, EndTurn())) is WrongPhaseError
    game.play(0, PlayTreatyForGold())
    assert game.rules.legal_moves(game.state, 0) == [RollDice()]


def test_e20_the_dice_are_rolled_once_a_turn() -> None:
    game = Small().rolled()
    refusal = game.refuse(0, RollDice())
    assert (type(refusal), refusal.rule) == (WrongPhaseError, "E-20")


def test_e21_each_hex_with_the_number_gives_each_post_beside_it_a_card() -> None:
    # n0 (seat 0) lies beside the forest 0,0 with its printed 5; s2 (seat 0) and s3 (seat 3) beside salt 2,1
    # and pasture 3,1 with their tokens 5.
    facts = Small().play(0, RollDice(), dice=[1, 2])
    assert facts == [
        DiceRolled(0, (2, 3)),
        ResourcesProduced((Gain(0, Cards(lumber=1, salt=1)), Gain(3, Cards(wool=1))), (1, 2), ()),
    ]


def test_e21_a_post_between_two_such_hexes_gets_from_both() -> None:
    game = Small().post(1, "m2")
    # m2 lies beside the field 2,0 (8), the salt works 2,1 (5) and the mountain 1,1 (9).
    facts = game.play(0, RollDice(), dice=[2, 1])
    assert facts[1] == ResourcesProduced(
        (Gain(0, Cards(lumber=1, salt=1)), Gain(1, Cards(salt=1)), Gain(3, Cards(wool=1))), (2,), ()
    )


def test_e21_the_hex_with_the_robber_gives_nothing() -> None:
    game = Small()
    game.state.robber = game.board.hex_index["2,1"]
    assert game.play(0, RollDice(), dice=[1, 2])[1] == ResourcesProduced(
        (Gain(0, Cards(lumber=1)), Gain(3, Cards(wool=1))), (1, 2), ()
    )


def test_e22_if_the_supply_is_too_small_for_all_nobody_gets_any() -> None:
    game = Small().post(1, "m2").give(2, salt=16)
    assert game.state.supply[4] == 0
    facts = game.play(0, RollDice(), dice=[1, 2])
    assert facts[1] == ResourcesProduced((Gain(0, Cards(lumber=1)), Gain(3, Cards(wool=1))), (2,), ("salt",))
    assert game.state.supply[4] == 0


def test_e22_the_last_cards_are_given_if_they_suffice() -> None:
    game = Small().give(2, salt=15)
    game.play(0, RollDice(), dice=[1, 2])
    assert game.state.supply[4] == 0


def test_e22_neutral_posts_claim_nothing() -> None:
    game = Small(seats=3).give(2, wool=16)
    assert game.state.supply[1] == 1
    # The neutral post at s3 lies beside the pasture 3,1 with its 5.
    assert game.play(0, RollDice(), dice=[1, 2])[1] == ResourcesProduced(
        (Gain(0, Cards(lumber=1, salt=1)),), (1, 2), ()
    )


def test_e23_a_player_without_a_post_beside_the_number_gets_one_gold() -> None:
    game = Small()
    game.play(0, RollDice(), dice=[5, 5])
    assert game.state.gold == [4, 4, 4, 4]


def test_e23_a_post_blocked_by_the_robber_counts_as_lying_there() -> None:
    game = Small()
    game.state.robber = game.board.hex_index["1,0"]
    # The only post beside the pasture 1,0 is n1 of seat 1; all others get gold.
    assert game.play(0, RollDice(), dice=[2, 2]) == [
        DiceRolled(0, (3, 3)),
        ResourcesProduced((), (0, 2, 3), ()),
    ]


def test_e23_a_post_that_gets_nothing_for_shortage_counts_as_lying_there() -> None:
    game = Small().give(3, wool=17)
    assert game.play(0, RollDice(), dice=[2, 2])[1] == ResourcesProduced((), (0, 2, 3), ("wool",))


def test_e23_there_is_no_fact_if_nobody_gets_anything() -> None:
    game = Small(seats=3, rules=europe("short"))
    hexagon, cities = next((h, cities) for h, cities in enumerate(game.board.posts_beside) if len(cities) > 2)
    for seat, city in enumerate(cities[:3]):
        game.state.set_post(city, seat)
    game.state.set_number(hexagon, 12)
    game.state.index.hexes_with[12] = (hexagon,)
    game.state.robber = hexagon
    assert game.play(0, RollDice(), dice=[5, 5]) == [DiceRolled(0, (6, 6))]


def test_e25_a_view_shows_own_cards_and_others_counts() -> None:
    game = Small().card(1, "bribe").give(1, ore=2)
    for viewer, seat in permutations((*range(4), SPECTATOR), 2):
        player = game.rules.view(game.state, viewer)["players"][seat] if seat >= 0 else {}
        assert not {"resources", "cards", "new_card"} & set(player)
    own = game.rules.view(game.state, 1)["players"][1]
    assert own["resources"] == {"lumber": 0, "wool": 1, "grain": 0, "ore": 3, "salt": 1}
    assert own["cards"] == {"lancer": 0, "safe_conduct": 0, "trade_treaty": 0, "bribe": 1}
    assert (own["hand_size"], own["card_count"]) == (5, 1)
    everything = game.rules.view(game.state, ARBITER)["players"]
    assert all("resources" in player for player in everything)


def test_e25_of_the_sea_only_the_colours_are_shown() -> None:
    game = Small()
    assert game.rules.view(game.state, 0)["sea"] == {"lumber": 2, "wool": 2, "grain": 2, "ore": 2, "salt": 2}
