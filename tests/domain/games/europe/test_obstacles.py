"""What a player lacks for a move: named for each kind of which none is possible, and for no other."""

import pytest

from kontor_games.domain.codec import key_of
from kontor_games.domain.game import Move, Refusal
from kontor_games.domain.games.europe import moves, refusals
from kontor_games.domain.games.europe.data.components import CARDS, Terms
from kontor_games.domain.games.europe.rules.obstacles import FINDERS
from kontor_games.domain.games.europe.state.phases import ACTION
from kontor_games.domain.games.europe.text.phrases import amount
from kontor_games.domain.toolkit.languages import LANGUAGES
from kontor_games.domain.toolkit.messages import Phrase
from tests.domain.games.europe.installed import europe
from tests.domain.games.europe.random_matches import random_match
from tests.domain.games.europe.small import RULES, Small, north

CODES = {key_of(one) for one in vars(refusals).values() if isinstance(one, type) and issubclass(one, Refusal)}


def lacked(game: Small, kind: type[Move], seat: int = 0) -> dict[str, str]:
    """The rule of each thing that a player lacks for a kind of move, by its text."""
    found = game.rules.obstacles(game.state, seat).get(kind, ())
    return {game.rules.messages["en"].sentence(one.phrase): one.rule for one in found}


@pytest.mark.parametrize("seats", [3, 4])
def test_every_kind_that_is_not_possible_has_obstacles_and_no_other(seats: int) -> None:
    rules, seen = europe(), set[str]()
    for step in random_match(rules, seats, seats):
        state = step.state
        for seat in range(seats):
            found = rules.obstacles(state, seat)
            if seat != state.active or state.phase != ACTION:
                assert found == {}
                continue
            legal = {*map(type, rules.legal_moves(state, seat)), *rules.open_moves(state, seat)}
            assert found.keys() == set(FINDERS) - legal
            assert all(found.values())
            seen |= {one.phrase.key for obstacles in found.values() for one in obstacles}
            assert {one.code for obstacles in found.values() for one in obstacles} <= CODES
    assert {"obstacles.missing", "obstacles.no_free_good", "obstacles.no_merchant"} <= seen


def test_a_poor_player_is_told_what_each_purchase_still_costs() -> None:
    game = Small().empty(0).give(0, ore=1, wool=1).rolled().gold(0, 1)
    assert lacked(game, moves.BuildRoute) == {"You lack 1 lumber.": "E-40"}
    assert lacked(game, moves.HireMerchant) == {"You lack 1 lumber and 1 grain.": "E-40"}
    assert lacked(game, moves.BuyCard) == {"You lack 1 salt.": "E-40"}
    assert lacked(game, moves.BuyResource) == {"You lack 1 gold.": "E-31"}
    assert lacked(game, moves.TradeWithSupply) == {"You need 3 cards of one kind.": "E-32"}
    assert lacked(game, moves.OfferTrade) == {}
    assert lacked(game, moves.MoveMerchant) == {
        "You lack 1 grain.": "E-43",
        "None of your merchants is on the board: hire one first.": "E-43",
    }


def test_a_caravan_needs_salt_and_a_route_onward_or_a_toll() -> None:
    game = Small().empty(0).rolled().gold(0, 0)
    onward = "No route leads on from your caravan: build one beside it."
    assert lacked(game, moves.MoveCaravan) == {"You lack 1 salt.": "E-46", onward: "E-46"}
    game.give(0, salt=1).route(1, north(1))
    toll = "You need a route of your own beside the caravan, or 1 gold for the toll on somebody else’s."
    assert lacked(game, moves.MoveCaravan) == {toll: "E-47"}
    assert lacked(game.gold(0, 1), moves.MoveCaravan) == {}
    game.caravan(0, 0, north(0)).caravan(0, 1, north(0))
    assert lacked(game, moves.FormCaravan).keys() >= {
        "You need a route of your own beside a post of your own, with fewer than two caravans on it."
    }


def test_a_delivery_needs_a_free_good_and_a_post_that_takes_it() -> None:
    game = Small().rolled().goods(0, 0)
    assert list(lacked(game, moves.Deliver).values()) == ["E-48", "E-48"]
    game.post(1, "n1").route(0, north(1), north(2)).caravan(0, 0, north(2))
    assert lacked(game, moves.Deliver) == {"None of your goods is free: found another post first.": "E-48"}
    assert lacked(game.goods(0, 1), moves.Deliver) == {}


def test_limits_of_a_turn_are_obstacles() -> None:
    game = Small().give(0, wool=2, salt=2).rolled().gold(0, 9)
    game.play(0, moves.BuyCard())
    assert lacked(game, moves.BuyCard) == {"You have bought a development card in this turn.": "E-40"}
    for _ in range(2):
        game.play(0, moves.BuyResource("ore"))
    often = "You have bought 2 cards for gold in this turn; more are not allowed."
    assert lacked(game, moves.BuyResource) == {often: "E-31"}
    terms = {"give": Terms(salt=1), "want": Terms(ore=1)}
    for _ in range(3):
        game.play(0, moves.OfferTrade(**terms, to=()))
    assert list(lacked(game, moves.OfferTrade).values()) == ["E-30"]
    assert lacked(Small().empty(0).rolled().gold(0, 0), moves.OfferTrade) == {
        "You have nothing to offer.": "E-30"
    }


def test_what_is_left_of_a_supply_is_an_obstacle() -> None:
    game = Small().give(0, wool=3).rolled().gold(0, 9)
    for resource in range(5):
        game.state.supply[resource] = 0
    assert lacked(game, moves.BuyResource) == {"The supply holds nothing that you could take.": "E-32"}
    game.state.pile[:] = [0] * len(CARDS)
    assert "No development card is left." in lacked(game, moves.BuyCard)
    game.state.routes_left[0] = 0
    assert "You have built all your routes." in lacked(game, moves.BuildRoute)


def test_every_obstacle_can_be_read_in_every_language_and_names_a_rule_of_the_rule_book() -> None:
    for language in LANGUAGES:
        messages = RULES.messages[language]
        for key in [key for key in messages.texts if key.startswith("obstacles.")]:
            told = messages.sentence(Phrase(key, {"what": amount("ore"), "n": 2}))
            assert (told[-1], "{" in told) == (".", False)
