"""Derived data of a data set: its cards by the ids that views use."""

from kontor_games.domain.codec import ARBITER
from kontor_games.domain.games.speicherstadt import GAME
from kontor_games.domain.games.speicherstadt.data.cards import CARDS
from kontor_games.domain.games.speicherstadt.data.derived import derive
from tests.api.two_services import mid_game

DATA = GAME.data_sets[0]


def test_every_card_is_listed_with_its_printed_values() -> None:
    cards = derive(DATA)["cards"]
    assert list(cards) == [card.id for card in CARDS]
    assert cards["contract_a1"] == {
        "kind": "contract",
        "season": "winter",
        "goods": ["coffee", "rubber"],
        "points": 5,
    }
    assert cards["fireman_c2"] == {"kind": "fireman", "season": "summer", "value": 5}
    assert cards["fire_4"] == {"kind": "fire", "season": "end", "points": 4}
    assert cards["st_michaelis"] == {"kind": "st_michaelis", "season": "autumn", "points": 4}
    assert cards["spice_trader"] == {"kind": "spice_trader", "season": "winter", "buys": "saffron"}
    assert cards["ship_b1"] == {"kind": "ship", "season": "spring"}


def test_views_show_the_same_cards() -> None:
    cards, rules = derive(DATA)["cards"], GAME.rules()
    for moves in range(0, 240, 20):
        view = rules.view(mid_game(rules, 3, moves, "derived"), ARBITER)
        shown = [*view["row"], *(card for seat in view["seats"] for card in seat["contracts"])]
        for card in shown:
            assert {name: card[name] for name in cards[card["card"]] if name in card}.items() <= cards[
                card["card"]
            ].items()
        assert {*view["pile_order"], *view["discarded"], *view["removed"]} <= cards.keys()


def test_the_cards_that_stay_in_the_box_are_named_for_each_number_of_players() -> None:
    rules = GAME.rules()
    for seats, removed in derive(DATA)["removed"].items():
        assert rules.view(mid_game(rules, int(seats), 1, "box"), 0)["removed"] == removed
