"""The first half of a turn: E-20 to E-25."""

from itertools import permutations

import pytest

from kontor_games.domain.codec import ARBITER, SPECTATOR
from kontor_games.domain.game import NotYourTurnError, WrongPhaseError
from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe.data.components import Cards
from kontor_games.domain.games.europe.facts.production import DiceRolled, Gain, ResourcesProduced
from kontor_games.domain.games.europe.facts.robber import (
    CardsDiscarded,
    CardStolen,
    RobberMoved,
    RobberWoken,
    TheftForgone,
)
from kontor_games.domain.games.europe.moves import (
    DiscardCard,
    DiscardCards,
    EndTurn,
    ForgoTheft,
    MoveRobber,
    PlayLancer,
    PlayTreatyForGold,
    RollDice,
    StealCard,
)
from kontor_games.domain.games.europe.refusals import (
    CannotPayError,
    NoSuchPlaceError,
    NoVictimError,
    RobberStaysError,
    WrongCountError,
)
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
    # n0 (seat 0) lies beside the forest 0,0 with its printed 5; s2 (seat 0) and s3 (seat 3) beside salt 2,1 and pasture 3,1 with their tokens 5.
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
    game.state.set_robber(game.board.hex_index["2,1"])
    assert game.play(0, RollDice(), dice=[1, 2])[1] == ResourcesProduced(
        (Gain(0, Cards(lumber=1)), Gain(3, Cards(wool=1))), (1, 2), ()
    )


def test_e22_where_the_supply_cannot_serve_all_nobody_gets_any() -> None:
    game = Small().post(1, "m2").give(2, salt=16)
    assert game.state.supply[4] == 0
    facts = game.play(0, RollDice(), dice=[1, 2])
    assert facts[1] == ResourcesProduced((Gain(0, Cards(lumber=1)), Gain(3, Cards(wool=1))), (2,), ("salt",))
    assert game.state.supply[4] == 0


def test_e22_the_last_cards_are_given_where_they_suffice() -> None:
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


def test_e23_who_has_no_post_beside_the_number_gets_a_gold() -> None:
    game = Small()
    game.play(0, RollDice(), dice=[5, 5])
    assert game.state.gold == [4, 4, 4, 4]


def test_e23_a_post_blocked_by_the_robber_counts_as_lying_there() -> None:
    game = Small()
    game.state.set_robber(game.board.hex_index["1,0"])
    # The only post beside the pasture 1,0 is n1 of seat 1; all others get gold.
    assert game.play(0, RollDice(), dice=[2, 2]) == [
        DiceRolled(0, (3, 3)),
        ResourcesProduced((), (0, 2, 3), ()),
    ]


def test_e23_a_post_that_gets_nothing_for_shortage_counts_as_lying_there() -> None:
    game = Small().give(3, wool=17)
    assert game.play(0, RollDice(), dice=[2, 2])[1] == ResourcesProduced((), (0, 2, 3), ("wool",))


def test_e23_nothing_is_told_where_nobody_gets_anything() -> None:
    game = Small(seats=3, rules=GAME.rules("short"))
    hexagon, cities = next((h, cities) for h, cities in enumerate(game.board.posts_beside) if len(cities) > 2)
    for seat, city in enumerate(cities[:3]):
        game.state.set_post(city, seat)
    game.state.set_number(hexagon, 12)
    game.state.index.hexes_with[12] = (hexagon,)
    game.state.set_robber(hexagon)
    assert game.play(0, RollDice(), dice=[5, 5]) == [DiceRolled(0, (6, 6))]


def seven(**cards: int) -> Small:
    """Seat 0 rolled a 7; seat 1 holds 9 cards, seat 2 holds 8."""
    game = Small().give(1, ore=6).give(2, wool=5, **cards)
    game.play(0, RollDice(), dice=[0, 5])
    return game


def test_e24_on_a_seven_nobody_gets_anything_and_more_than_seven_cards_are_halved() -> None:
    game = Small().give(1, ore=6).give(2, wool=4).give(3, wool=5)
    assert game.play(0, RollDice(), dice=[0, 5]) == [DiceRolled(0, (1, 6)), RobberWoken((0, 4, 0, 4))]
    assert game.state.gold == [3] * 4
    assert list(game.rules.to_act(game.state)) == [1, 3]


def test_e24_cards_are_given_back_one_by_one_or_as_a_set_in_any_order() -> None:
    game = seven()
    assert game.play(2, DiscardCards(Cards(wool=3, lumber=1))) == [CardsDiscarded(2, Cards(wool=3, lumber=1))]
    for left in (3, 2, 1, 0):
        assert game.play(1, DiscardCard("ore")) == [CardsDiscarded(1, Cards(ore=1))]
        assert game.state.due[1] == left
    assert list(game.rules.to_act(game.state)) == [0]
    assert game.hand(1) == {"salt": 1, "wool": 1, "ore": 3}
    assert all(isinstance(move, MoveRobber) for move in game.rules.legal_moves(game.state, 0))


def test_e24_a_set_is_described_not_listed() -> None:
    game = seven()
    assert game.rules.open_moves(game.state, 1) == (DiscardCards,)
    assert game.rules.open_moves(game.state, 0) == ()
    assert game.rules.legal_moves(game.state, 1) == [
        DiscardCard("wool"),
        DiscardCard("ore"),
        DiscardCard("salt"),
    ]
    assert game.rules.legal_moves(game.state, 3) == []


def test_e24_what_is_given_back_is_what_is_due_and_in_hand() -> None:
    game = seven()
    assert type(game.refuse(1, DiscardCards(Cards(ore=3)))) is WrongCountError
    assert type(game.refuse(1, DiscardCards(Cards(ore=2, grain=2)))) is CannotPayError
    assert type(game.refuse(1, DiscardCard("grain"))) is CannotPayError
    assert type(game.refuse(0, DiscardCard("grain"))) is NotYourTurnError
    assert type(game.refuse(0, MoveRobber("0,0"))) is WrongPhaseError


def test_e24_when_nobody_owes_cards_the_robber_moves_at_once() -> None:
    game = Small()
    game.play(0, RollDice(), dice=[2, 3])
    assert list(game.rules.to_act(game.state)) == [0]
    assert type(game.refuse(1, DiscardCard("ore"))) is WrongPhaseError


def woken() -> Small:
    game = Small()
    game.play(0, RollDice(), dice=[0, 5])
    return game


def test_e24_the_robber_must_move_to_another_hex_that_bears_a_number() -> None:
    game = woken()
    game.state.set_robber(game.board.hex_index["0,0"])
    for hexagon in ("0,0", "4,1", "0,-1"):
        refusal = game.refuse(0, MoveRobber(hexagon))
        assert (type(refusal), refusal.rule) == (RobberStaysError, "E-24")
    assert type(game.refuse(0, MoveRobber("9,9"))) is NoSuchPlaceError
    numbered = {h.id for i, h in enumerate(game.board.hexes) if game.state.number[i]}
    assert {move.hex for move in game.legal(MoveRobber)} == numbered - {"0,0"}


def test_e24_the_roller_may_steal_from_a_player_beside_the_robber() -> None:
    game = woken()
    # Beside the pasture 1,0 lies n1 of seat 1, who holds wool, ore and salt, in this order.
    assert game.play(0, MoveRobber("1,0")) == [RobberMoved(0, "1,0", (1,))]
    assert game.rules.legal_moves(game.state, 0) == [StealCard(1), ForgoTheft()]
    assert game.play(0, StealCard(1), theft=[1]) == [CardStolen(0, 1, "ore")]
    assert game.hand(1) == {"wool": 1, "salt": 1}
    assert game.hand(0) == {"lumber": 1, "grain": 1, "salt": 1, "ore": 1}
    assert EndTurn() in game.rules.legal_moves(game.state, 0)


@pytest.mark.parametrize(("card", "resource"), [(0, "wool"), (1, "ore"), (2, "salt")])
def test_e24_every_card_of_the_hand_can_be_stolen(card: int, resource: str) -> None:
    game = woken()
    game.play(0, MoveRobber("1,0"))
    assert game.play(0, StealCard(1), theft=[card]) == [CardStolen(0, 1, resource)]  # type: ignore[arg-type]


def test_e24_the_roller_may_do_without_stealing() -> None:
    game = woken()
    game.play(0, MoveRobber("1,0"))
    assert game.play(0, ForgoTheft()) == [TheftForgone(0)]
    assert type(game.refuse(0, ForgoTheft())) is WrongPhaseError


def test_e24_nobody_steals_from_those_without_cards_from_neutral_posts_or_from_oneself() -> None:
    game = woken().empty(1)
    assert game.play(0, MoveRobber("1,0")) == [RobberMoved(0, "1,0", ())]
    neutral = Small(seats=3)
    neutral.play(0, RollDice(), dice=[0, 5])
    # Beside the mountain 3,0 lies n3, neutral with three players.
    assert neutral.play(0, MoveRobber("3,0")) == [RobberMoved(0, "3,0", ())]
    own = woken()
    assert own.play(0, MoveRobber("0,0")) == [RobberMoved(0, "0,0", ())]
    assert EndTurn() in own.rules.legal_moves(own.state, 0)


def test_e24_a_victim_must_be_one_of_those_beside_the_robber() -> None:
    game = woken()
    game.play(0, MoveRobber("1,0"))
    for victim in (0, 2, 3):
        assert type(game.refuse(0, StealCard(victim))) is NoVictimError
    assert type(game.refuse(0, EndTurn())) is WrongPhaseError


def test_e25_only_thief_and_victim_see_what_was_stolen() -> None:
    game = woken()
    game.play(0, MoveRobber("1,0"))
    (stolen,) = game.play(0, StealCard(1), theft=[0])
    shown = {
        viewer: game.rules.fact_codec.redacted(stolen, viewer) for viewer in (0, 1, 2, 3, SPECTATOR, ARBITER)
    }
    assert all(shown[viewer]["resource"] == "wool" for viewer in (0, 1, ARBITER))
    for viewer in (2, 3, SPECTATOR):
        assert shown[viewer] == {"type": "card_stolen", "thief": 0, "victim": 1, "hidden": ["resource"]}


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


def test_e62_a_lancer_takes_nobody_s_cards_back() -> None:
    game = Small().card(0, "lancer").give(1, ore=9)
    game.play(0, PlayLancer())
    assert list(game.rules.to_act(game.state)) == [0]
    assert all(isinstance(move, MoveRobber) for move in game.rules.legal_moves(game.state, 0))
