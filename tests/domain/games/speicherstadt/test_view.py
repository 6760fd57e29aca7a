"""Views, and resampling of what is hidden: S-9."""

import json

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import ARBITER, SPECTATOR
from kontor_games.domain.games.speicherstadt.data.cards import CARD
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from kontor_games.domain.games.speicherstadt.state import Phase, Table
from tests.domain.games.speicherstadt.playing import fast_picks, random_match
from tests.domain.games.speicherstadt.scenario import NAMES, RULES, Scenario


def midway(seats: int = 3, phase: Phase = "loading", seed: str = "midway") -> Table:
    for number, played in enumerate(random_match(seats, seed, fast_picks(4))):
        if number > 60 and played.state.phase == phase and played.state.round < 8:
            return played.state.copy()
    raise AssertionError("the match is too short")


def test_a_view_shows_the_row_its_lines_and_prices() -> None:
    scenario = Scenario(2).row(
        "ship_b1", "contract_b1", "fireman_a2", cubes={"ship_b1": ["tea", "tea", "tea"]}
    )
    scenario.lines(ship_b1=[1, 0]).offered()
    shown = RULES.view(scenario.state, 0)
    assert shown["row"] == [
        {
            "card": "ship_b1",
            "kind": "ship",
            "season": "spring",
            "cubes": ["tea", "tea", "tea"],
            "line": [1, 0],
            "price": 2,
        },
        {
            "card": "contract_b1",
            "kind": "contract",
            "season": "spring",
            "goods": ["tea", "carpet"],
            "points": 5,
            "cubes": [],
            "line": [],
            "price": 0,
        },
        {
            "card": "fireman_a2",
            "kind": "fireman",
            "season": "winter",
            "value": 2,
            "cubes": [],
            "line": [],
            "price": 0,
        },
    ]
    assert (shown["phase"], shown["buyer"], shown["loading"]) == ("purchase", 1, [])


def test_a_view_shows_what_each_player_has() -> None:
    scenario = (
        Scenario(2)
        .owns(0, "contract_b1", "warehouse", "fireman_a2", price=1)
        .stored(0, ["tea"], "ship_b1")
        .kept(1, "coffee", "ship_b2")
    )
    mine, other = RULES.view(scenario.row("bank").state, SPECTATOR)["seats"]
    assert mine == {
        "coins": 2,
        "points": 0,
        "score": 1,
        "workers": 3,
        "cards": ["contract_b1", "warehouse", "fireman_a2", "ship_b1"],
        "firemen": 2,
        "bought": False,
        "contracts": [
            {
                "card": "contract_b1",
                "kind": "contract",
                "season": "spring",
                "goods": ["tea", "carpet"],
                "points": 5,
                "open": ["tea", "carpet"],
            }
        ],
        "quay": [],
        "market_hall": [],
        "warehouse": ["tea"],
        "steps": 1,
    }
    assert (other["market_hall"], other["warehouse"]) == (["coffee"], None)


def test_before_the_set_up_the_view_shows_an_empty_table() -> None:
    shown = RULES.view(RULES.table(3, SpeicherstadtOptions()), 0)
    assert (shown["phase"], shown["round"], shown["rounds"], shown["first_player"]) == ("set_up", 0, 12, None)


@pytest.mark.parametrize("phase", ["demand", "purchase", "loading"])
def test_a_view_is_plain_data_and_the_same_for_all_but_the_arbiter(phase: Phase) -> None:
    """S-9: everything is public but two orders."""
    state = midway(phase=phase)
    shown = [RULES.view(state, viewer) for viewer in (SPECTATOR, 0, 1, 2)]
    assert json.loads(json.dumps(shown[0])) == shown[0] == shown[1] == shown[2] == shown[3]
    assert RULES.view(state, ARBITER) == {
        **shown[0],
        "pile_order": list(state.unrevealed()),
        "bag_order": list(state.bag[state.drawn :]),
    }


def test_changing_a_view_does_not_change_the_state_or_other_views() -> None:
    state = midway()
    before, shown = state.digest(), RULES.view(state, 0)
    shown["seats"][0]["cards"].append("bank")
    shown["stock"]["tea"] = 99
    shown["row"].clear()
    assert (state.digest(), RULES.view(state, 0)["stock"]["tea"] == 99) == (before, False)


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 2])
def test_two_worlds_that_differ_only_in_hidden_order_look_the_same(viewer: int) -> None:
    """S-9: view, legal moves, scene and resampling do not depend on the hidden order."""
    state = midway()
    other = RULES.resample(state, viewer, Seeded(seed_from("other world")))
    assert other.pile != state.pile
    assert other.bag != state.bag
    assert RULES.view(other, viewer) == RULES.view(state, viewer)
    assert RULES.scene(other, viewer, NAMES[:3]) == RULES.scene(state, viewer, NAMES[:3])
    assert [RULES.legal_moves(other, seat) for seat in range(3)] == [
        RULES.legal_moves(state, seat) for seat in range(3)
    ]
    again = Seeded(seed_from("third world"))
    assert RULES.resample(other, viewer, again).digest() == RULES.resample(state, viewer, again).digest()


def test_resampling_keeps_seasons_and_cubes() -> None:
    """S-6, S-9."""
    state = midway()
    other = RULES.resample(state, 1, Seeded(seed_from("other")))
    assert [CARD[card].season for card in other.pile] == [CARD[card].season for card in state.pile]
    assert other.pile[: state.revealed] == state.pile[: state.revealed]
    assert other.bag[: state.drawn] == state.bag[: state.drawn]
    assert sorted(other.pile) == sorted(state.pile)
    assert sorted(other.bag) == sorted(state.bag)


def test_resampling_for_the_arbiter_changes_nothing() -> None:
    state = midway()
    twin = RULES.resample(state, ARBITER, Seeded(seed_from("any")))
    assert twin is not state
    assert twin.digest() == state.digest()


def test_a_view_never_holds_the_hidden_order_in_any_form() -> None:
    """S-9: the unseen cards are named in the order of the box, the bag is counted."""
    state = midway()
    shown = RULES.view(state, 0)
    box = list(CARD)
    for season, cards in shown["pile"].items():
        assert cards == sorted(cards, key=box.index)
        assert {CARD[card].season for card in cards} <= {season}
    assert sum(shown["bag"].values()) == len(state.bag) - state.drawn
