"""The end and the score: S-30 to S-33."""

import pytest

from kontor_games.domain.games.speicherstadt.data.cards import Good
from kontor_games.domain.games.speicherstadt.facts.ending import GameEnded
from kontor_games.domain.games.speicherstadt.facts.income import IncomePaid, MetalCoinPassed
from kontor_games.domain.games.speicherstadt.facts.loading import CubeDelivered, CubesLost, CubeTakenOut
from kontor_games.domain.games.speicherstadt.facts.purchase import CardBought, CardDeclined, CardDiscarded
from kontor_games.domain.games.speicherstadt.facts.supply import FireFought, RoundBegun
from kontor_games.domain.games.speicherstadt.moves import Buy, Decline
from kontor_games.domain.games.speicherstadt.rules.ending import ranked, score
from kontor_games.domain.games.speicherstadt.state import Score
from tests.domain.games.speicherstadt.scenario import Scenario

NOTHING = Score(0, 0, 0, 0, 0, 0, 0, 0, 0)


def last_purchase(*still_in_the_pile: str, first_card: str = "port") -> Scenario:
    """Seat 0 of 4 is about to decide on the only card of the row; these cards are left in the pile."""
    scenario = Scenario(4)
    rest = [card for card in scenario.state.pile if card not in (first_card, *still_in_the_pile)]
    scenario = Scenario(4, pile=[*rest, first_card, *still_in_the_pile])
    scenario.state.revealed = len(rest)
    return scenario.row(first_card, number=10).lines(**{first_card: [0]}).offered()


def test_when_the_fourth_fire_alone_is_left_the_round_is_the_last_and_the_fire_rages_after_its_income() -> (
    None
):
    """S-30: the metal coin passes before it; nothing replaces the fire."""
    scenario = last_purchase("fire_4")
    assert scenario.when(0, Decline()) == [
        CardDeclined(0, "port", 1),
        CardDiscarded("port", ()),
        IncomePaid((2, 2, 2, 2), (0, 1, 2, 3), None),
        MetalCoinPassed(1),
        FireFought("fire_4", (0, 0, 0, 0), (0, 0, 0, 0)),
        GameEnded((NOTHING,) * 4, (7, 7, 7, 7), (1, 1, 1, 1)),
    ]
    assert scenario.state.phase == "over"
    assert scenario.rules.to_act(scenario.state) == ()


def test_the_fourth_fire_is_carried_out_and_its_points_count() -> None:
    """S-30, ruling: one rule sheet leaves it on the pile; here seat 0 gains 4 points, the others lose 4."""
    scenario = last_purchase("fire_4", first_card="fireman_a1")
    facts = scenario.when(0, Buy())
    assert FireFought("fire_4", (1, 0, 0, 0), (4, -4, -4, -4)) in facts
    assert isinstance(facts[-1], GameEnded)
    assert [score.fires for score in facts[-1].scores] == [4, -4, -4, -4]
    assert scenario.state.discarded[-1] == "fire_4"
    assert scenario.state.unrevealed() == ()


def test_a_third_fire_right_above_the_fourth_rages_with_it_and_this_is_no_further_round() -> None:
    """S-31: no demand, purchase, loading or income, and the row stays empty."""
    scenario = last_purchase("fire_3", "fire_4")
    facts = scenario.when(0, Buy())
    assert facts[:5] == [
        CardBought(0, "port", 1, ()),
        IncomePaid((1, 2, 2, 2), (1, 2, 3), None),
        MetalCoinPassed(1),
        FireFought("fire_3", (0, 0, 0, 0), (0, 0, 0, 0)),
        FireFought("fire_4", (0, 0, 0, 0), (0, 0, 0, 0)),
    ]
    assert type(facts[5]) is GameEnded
    assert scenario.state.row == ()
    assert RoundBegun not in {type(fact) for fact in facts}


def test_if_nothing_but_all_four_fires_is_left_they_rage_together() -> None:
    """S-31: a pile in which every fire lies below all other cards."""
    scenario = last_purchase("fire_1", "fire_2", "fire_3", "fire_4")
    facts = scenario.when(0, Buy())
    assert sum(isinstance(fact, FireFought) for fact in facts) == 4
    assert not any(isinstance(fact, RoundBegun) for fact in facts)
    assert isinstance(facts[-1], GameEnded)


def test_two_fires_in_the_middle_of_the_pile_end_nothing() -> None:
    """S-12, S-31: the first fire as last card of spring and the second as first of summer."""
    scenario = last_purchase(
        "fire_1", "fire_2", "bank", "warehouse", "tea_taster", "vulcanizer", "coffee_roaster", "fire_4"
    )
    facts = scenario.when(0, Buy())
    assert [type(fact) for fact in facts[3:6]] == [RoundBegun, FireFought, FireFought]
    assert scenario.state.phase == "demand"


# --- the score ----------------------------------------------------------------------------------------------


def score_of(scenario: Scenario, seat: int = 0) -> Score:
    return score(scenario.state, seat)


def filled(scenario: Scenario, contract: str, *goods: Good) -> Scenario:
    return scenario.given(*(CubeDelivered(0, contract, good, "quay") for good in goods))


@pytest.mark.parametrize(
    ("contract", "goods", "points"),
    [
        ("contract_b1", ["tea", "carpet"], 5),
        ("contract_b2", ["coffee", "tea", "rubber"], 8),
        ("contract_a3", ["tea", "saffron", "rubber", "carpet"], 11),
    ],
)
def test_a_contract_scores_when_it_is_complete_and_nothing_before(
    contract: str, goods: list[Good], points: int
) -> None:
    """S-32, S-4."""
    scenario = Scenario().owns(0, contract).owns(0, "ship_b1", cubes=goods)
    assert score_of(filled(scenario, contract, *goods[:-1])) == NOTHING
    assert score_of(filled(scenario, contract, goods[-1])).contracts == points


@pytest.mark.parametrize(("number", "points"), [(1, 2), (2, 5), (3, 9), (4, 14)])
def test_counting_offices_are_worth_more_the_more_one_has(number: int, points: int) -> None:
    """S-32, S-4."""
    offices = ["counting_office_a1", "counting_office_b1", "counting_office_d1", "counting_office_d2"]
    assert score_of(Scenario().owns(0, *offices[:number])).counting_offices == points


def test_each_merchant_is_worth_a_point_and_the_churches_three_and_four() -> None:
    """S-32."""
    scenario = (
        Scenario()
        .owns(0, "tea_taster", "vulcanizer", "boatsmen_church", "st_michaelis")
        .owns(1, "st_michaelis")
    )
    assert score_of(scenario) == Score(0, 0, 0, 2, 7, 0, 0, 0, 9)
    assert score_of(scenario, 1).churches == 4


def test_the_port_scores_a_point_a_ship_and_the_chamber_of_commerce_a_point_a_coin() -> None:
    """S-32."""
    ships = Scenario().owns(0, "ship_b1", "ship_b2", cubes=[]).owns(1, "ship_b3", cubes=[])
    assert score_of(ships) == NOTHING
    assert score_of(ships.owns(0, "port")).port == 2
    assert score_of(ships.owns(0, "chamber_of_commerce", price=2)).chamber_of_commerce == 3


def test_a_cube_in_the_warehouse_is_worth_a_point_and_one_in_the_market_hall_nothing() -> None:
    """S-32."""
    scenario = Scenario().owns(0, "warehouse").stored(0, ["tea", "tea"], "ship_b1").kept(0, "tea", "ship_b2")
    assert score_of(scenario) == Score(0, 0, 0, 0, 0, 0, 0, 2, 2)


def test_the_total_is_the_sum_of_all_categories() -> None:
    """S-32."""
    scenario = (
        Scenario().owns(0, "tea_taster", "counting_office_a1").given(FireFought("fire_1", (0, 0), (-3, 3)))
    )
    assert score_of(scenario) == Score(-3, 0, 2, 1, 0, 0, 0, 0, 0)


def scores(*totals: int) -> tuple[Score, ...]:
    return tuple(Score(0, total, 0, 0, 0, 0, 0, 0, total) for total in totals)


def test_the_highest_score_wins() -> None:
    """S-33."""
    assert ranked(scores(4, 9, 7), (0, 0, 9)) == (3, 1, 2)


def test_coins_break_ties() -> None:
    """S-33."""
    assert ranked(scores(9, 9, 2), (3, 4, 9)) == (2, 1, 3)


def test_players_who_are_still_tied_share_the_win() -> None:
    """S-33, ruling."""
    assert ranked(scores(9, 9, 2), (3, 3, 9)) == (1, 1, 3)


def test_the_result_names_scores_places_and_winners_once_the_match_is_over() -> None:
    """S-32, S-33."""
    scenario = last_purchase("fire_4")
    assert scenario.rules.result(scenario.state) is None
    scenario.when(0, Buy())
    result = scenario.rules.result(scenario.state)
    assert result is not None
    assert result.winners == (1, 2, 3)
    assert result.scores[0] == {
        "fires": 0,
        "contracts": 0,
        "counting_offices": 0,
        "merchants": 0,
        "churches": 0,
        "port": 0,
        "chamber_of_commerce": 0,
        "warehouse": 0,
        "total": 0,
    }


def test_a_cube_taken_out_of_the_warehouse_and_lost_scores_nothing() -> None:
    """S-20, S-32."""
    scenario = Scenario().owns(0, "warehouse").stored(0, ["tea"], "ship_b1")
    scenario.given(CubeTakenOut(0, "tea", "warehouse"), CubesLost(0, ("tea",)))
    assert score_of(scenario) == NOTHING
