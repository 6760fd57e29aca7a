"""Components and set-up: S-1 to S-9."""

from collections import Counter
from typing import Any

import pytest

from kontor_games.domain.chance import Chance, Seeded, seed_from
from kontor_games.domain.codec import ARBITER, SPECTATOR
from kontor_games.domain.game import Fact, NoSuchSeatError
from kontor_games.domain.games.speicherstadt.data.cards import CARD, CARDS, COUNTS, SEASONS
from kontor_games.domain.games.speicherstadt.facts.set_up import BagFilled, FirstPlayerChosen, PileStacked
from kontor_games.domain.games.speicherstadt.facts.supply import CardsRevealed, RoundBegun
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from kontor_games.domain.games.speicherstadt.refusals import SeatCountError
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import ALL_CUBES, unpack
from tests.domain.games.speicherstadt.scenario import RULES
from tests.support.scripted_chance import Scripted

CHANCE = Seeded(seed_from("set-up"))
BOX = {season: [card.id for card in CARDS if card.season == season] for season in SEASONS}


def deal(seats: int, chance: Chance = CHANCE, **options: Any) -> tuple[Table, list[Fact]]:
    state = RULES.table(seats, SpeicherstadtOptions(**options))
    return state, RULES.deal(state, chance)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_game_is_for_two_to_five_players(seats: int) -> None:
    """S-1."""
    state, _ = deal(seats)
    assert state.seats == seats


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_no_other_number_of_players_is_allowed(seats: int) -> None:
    """S-1."""
    with pytest.raises(SeatCountError) as refused:
        RULES.table(seats, SpeicherstadtOptions())
    assert refused.value.rule == "S-1"


def test_the_bag_holds_nine_cubes_of_each_of_five_goods() -> None:
    """S-2."""
    state, _ = deal(4)
    assert Counter(state.bag) == {"coffee": 9, "tea": 9, "saffron": 9, "rubber": 9, "carpet": 9}


@pytest.mark.parametrize("seats", [2, 5])
def test_everybody_begins_with_five_coins_three_workers_an_empty_market_hall_and_no_points(
    seats: int,
) -> None:
    """S-3."""
    state, _ = deal(seats)
    assert state.coins == [5] * seats
    assert [state.workers_at_home(seat) for seat in range(seats)] == [3] * seats
    assert state.market_hall == [0] * seats
    assert state.points == [0] * seats


def test_there_are_54_cards_of_which_each_season_has_its_share() -> None:
    """S-4."""
    assert len(CARDS) == len(CARD) == 54
    assert [sum(card.season == season for card in CARDS) for season in SEASONS] == [12, 13, 13, 15, 1]
    assert {kind: sum(counts) for kind, counts in COUNTS.items()} == {
        "contract": 10,
        "fireman": 10,
        "counting_office": 4,
        "coffee_roaster": 1,
        "tea_taster": 1,
        "spice_trader": 1,
        "vulcanizer": 1,
        "carpet_trader": 1,
        "warehouse": 1,
        "ship": 15,
        "bank": 1,
        "fire": 4,
        "chamber_of_commerce": 1,
        "boatsmen_church": 1,
        "st_michaelis": 1,
        "port": 1,
    }


@pytest.mark.parametrize(
    ("seats", "removed", "rounds"),
    [
        (2, ("port", "fireman_d1"), 16),
        (3, ("boatsmen_church", "fireman_d1"), 12),
        (4, (), 10),
        (5, ("boatsmen_church", "fireman_d1"), 8),
    ],
)
def test_autumn_cards_are_taken_out_so_that_rounds_come_out_even(
    seats: int, removed: tuple[str, ...], rounds: int
) -> None:
    """S-5; the fireman taken out has value 3."""
    state, facts = deal(seats)
    assert isinstance(facts[1], PileStacked)
    assert facts[1].removed == state.removed == removed
    assert set(state.pile) == set(CARD) - set(removed)
    assert RULES.view(state, 0)["rounds"] == rounds
    assert RULES.deck.value["fireman_d1"] == 3


def test_each_season_is_shuffled_by_itself_with_winter_on_top_and_the_fourth_fire_at_the_bottom() -> None:
    """S-6."""
    state, _ = deal(4)
    other, _ = deal(4, Seeded(seed_from("another")))
    assert [CARD[card].season for card in state.pile] == ["winter"] * 12 + ["spring"] * 13 + [
        "summer"
    ] * 13 + ["autumn"] * 15 + ["end"]
    assert state.pile[-1] == "fire_4"
    assert state.pile != other.pile


def test_the_facts_of_a_set_up_are_first_player_pile_bag_and_first_supply() -> None:
    """S-7: `first_player` draws; S-6: `deck` gives an order for each season; S-2: `bag` one for the cubes."""
    cubes = list(unpack(ALL_CUBES))
    winter = BOX["winter"][::-1]
    chance = Scripted(
        {
            "first_player": [2],
            "deck": [winter, BOX["spring"], BOX["summer"], BOX["autumn"], BOX["end"]],
            "bag": [cubes],
        }
    )
    _, facts = deal(4, chance)
    assert facts == [
        FirstPlayerChosen(2, True),
        PileStacked((), (*winter, *BOX["spring"], *BOX["summer"], *BOX["autumn"], "fire_4")),
        BagFilled(tuple(cubes)),
        RoundBegun(1),
        CardsRevealed(
            ("warehouse", "carpet_trader", "vulcanizer", "spice_trader", "tea_taster"), ((), (), (), (), ())
        ),
    ]


def test_the_creator_can_name_the_first_player() -> None:
    """S-7."""
    state, facts = deal(3, first_seat=1)
    assert facts[0] == FirstPlayerChosen(1, False)
    assert RULES.to_act(state) == (1,)


def test_a_first_player_must_sit_at_the_table() -> None:
    """S-7."""
    with pytest.raises(NoSuchSeatError, match="seats 0 to 2") as refused:
        RULES.table(3, SpeicherstadtOptions(first_seat=3))
    assert refused.value.rule == "S-7"


def test_the_standard_cards_have_the_ruled_values() -> None:
    """S-8."""
    deck = RULES.deck
    assert list(deck.goods.values()) == [
        ("coffee", "rubber"),
        ("coffee", "tea", "saffron"),
        ("tea", "saffron", "rubber", "carpet"),
        ("tea", "carpet"),
        ("coffee", "tea", "rubber"),
        ("coffee", "saffron", "rubber", "carpet"),
        ("saffron", "rubber"),
        ("coffee", "saffron", "carpet"),
        ("tea", "saffron", "carpet"),
        ("coffee", "tea", "rubber", "carpet"),
    ]
    assert set(Counter(good for goods in deck.goods.values() for good in goods).values()) == {6}
    assert list(deck.value.values()) == [1, 2, 1, 2, 3, 4, 5, 3, 4, 5]
    assert list(deck.points.values()) == [1, 2, 3, 4]


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 3])
def test_the_order_of_pile_and_bag_is_hidden_from_everybody(viewer: int) -> None:
    """S-9."""
    _, (_, pile, bag, *_) = deal(4)
    assert isinstance(bag, BagFilled)
    assert RULES.fact_codec.redacted(pile, viewer) == {
        "type": "pile_stacked",
        "removed": [],
        "hidden": ["pile"],
    }
    assert RULES.fact_codec.redacted(bag, viewer) == {"type": "bag_filled", "hidden": ["cubes"]}
    assert RULES.fact_codec.redacted(bag, ARBITER)["cubes"] == list(bag.cubes)
