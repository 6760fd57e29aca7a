"""Data sets: S-4, S-5 and S-8."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from kontor_games.domain.codec import MalformedError
from kontor_games.domain.games.speicherstadt import GAME
from kontor_games.domain.games.speicherstadt.data import DATA_SETS, admit
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from kontor_games.domain.games.speicherstadt.rules import VERSION_1
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from tests.domain.games.speicherstadt.scenario import rules_of

(STANDARD,) = DATA_SETS
Document = dict[str, Any]
Change = Callable[[Document], object]


def changed(change: Change) -> Document:
    document = copy.deepcopy(dict(STANDARD.document))
    change(document)
    return document


def faults_of(document: Any) -> list[tuple[str, str]]:
    with pytest.raises(MalformedError) as malformed:
        admit("mine", document)
    return [(fault.pointer, fault.detail) for fault in malformed.value.faults]


def test_the_standard_cards_are_the_default_of_a_match_and_pinned_by_their_hash() -> None:
    """S-8."""
    assert GAME.data_sets == (STANDARD,)
    assert GAME.rules().data.hash == STANDARD.hash
    assert GAME.data_option == "cards"


def test_a_group_can_play_with_the_values_printed_on_its_own_cards() -> None:
    """S-8: a contract may even show a good twice."""

    def print_others(document: Document) -> None:
        document["winter"][0]["goods"] = ["coffee", "coffee"]
        document["winter"][3]["value"] = 5
        document["end"][0]["points"] = 6

    rules = rules_of(VERSION_1, admit("mine", changed(print_others)))
    assert rules.deck.goods["contract_a1"] == ("coffee", "coffee")
    assert rules.deck.value["fireman_a1"] == 5
    assert rules.deck.points["fire_4"] == 6
    assert unpack(rules.table(2, SpeicherstadtOptions()).open_places["contract_a1"]) == ("coffee", "coffee")
    assert rules.data.hash != STANDARD.hash


def test_the_order_of_the_cards_in_a_document_makes_no_difference_between_kinds() -> None:
    """S-8."""
    rules = rules_of(VERSION_1, admit("mine", changed(lambda document: document["spring"].reverse())))
    assert rules.deck.goods["contract_b1"] == ("coffee", "saffron", "rubber", "carpet")
    assert rules.deck.points["fire_1"] == 1


def test_of_several_autumn_firemen_of_value_three_the_first_is_taken_out() -> None:
    """S-5, S-8."""

    def three_threes(document: Document) -> None:
        for card in document["autumn"]:
            if card["kind"] == "fireman":
                card["value"] = 3

    assert rules_of(VERSION_1, admit("mine", changed(three_threes))).deck.removed(3) == (
        "boatsmen_church",
        "fireman_d1",
    )


def test_a_fireman_of_value_three_further_down_is_found() -> None:
    """S-5, S-8."""

    def swap(document: Document) -> None:
        document["autumn"][0]["value"], document["autumn"][2]["value"] = 5, 3

    assert rules_of(VERSION_1, admit("mine", changed(swap))).deck.removed(2) == ("port", "fireman_d3")


def test_an_autumn_without_a_fireman_of_value_three_is_refused() -> None:
    """S-8."""
    document = changed(lambda document: document["autumn"][0].update(value=4))
    assert faults_of(document) == [
        ("/autumn", "must hold a fireman of value 3, which is removed with 2, 3 or 5 players (S-8)")
    ]


def test_every_season_must_have_its_number_of_cards_of_each_kind() -> None:
    """S-4: a bank too many in winter is also one card too many."""
    document = changed(lambda document: document["winter"].append({"kind": "bank"}))
    assert faults_of(document) == [("/winter", "must hold 0 of kind bank, not 1 (S-4)")]
    document = changed(lambda document: document["spring"].pop())
    assert faults_of(document) == [("/spring", "must hold 1 of kind fire, not 0 (S-4)")]


GOODS = "must be one of coffee, tea, saffron, rubber, carpet"


@pytest.mark.parametrize(
    ("change", "pointer", "detail"),
    [
        (
            lambda d: d["winter"][0].update(goods=["tea"]),
            "/winter/0/goods",
            "must be a list of 2, 3 or 4 goods (S-4)",
        ),
        (
            lambda d: d["winter"][0].update(goods=None),
            "/winter/0/goods",
            "must be a list of 2, 3 or 4 goods (S-4)",
        ),
        (lambda d: d["winter"][0].update(goods=["tea", "silk"]), "/winter/0/goods/1", GOODS),
        (lambda d: d["winter"][0].update(goods=["tea", []]), "/winter/0/goods/1", GOODS),
        (
            lambda d: d["winter"][3].update(value=6),
            "/winter/3/value",
            "must be a whole number from 1 to 5 (S-8)",
        ),
        (
            lambda d: d["winter"][3].update(value=True),
            "/winter/3/value",
            "must be a whole number from 1 to 5 (S-8)",
        ),
        (
            lambda d: d["winter"][3].update(value="1"),
            "/winter/3/value",
            "must be a whole number from 1 to 5 (S-8)",
        ),
        (lambda d: d["end"][0].pop("points"), "/end/0/points", "must be a whole number from 1 to 9 (S-8)"),
        (
            lambda d: d["winter"][5].update({"a/b~": 1}),
            "/winter/5/a~1b~0",
            "is not printed on a card of kind counting_office",
        ),
        (
            lambda d: d["winter"][0].update(value=1),
            "/winter/0/value",
            "is not printed on a card of kind contract",
        ),
        (lambda d: d.update({"mon/soon": []}), "/mon~1soon", "is not a season"),
        (lambda d: d.pop("end"), "/end", "is missing"),
        (lambda d: d.update(end="fire"), "/end", "must be a list of cards"),
    ],
)
def test_each_violation_is_named_by_its_place(change: Change, pointer: str, detail: str) -> None:
    """S-4, S-8."""
    assert faults_of(changed(change)) == [(pointer, detail)]


@pytest.mark.parametrize("card", ["bank", {"kind": "casino"}, {"kind": ["bank"]}, {}])
def test_an_entry_that_is_not_a_card_is_named_and_does_not_count(card: object) -> None:
    """S-4."""
    faults = faults_of(changed(lambda document: document["summer"].__setitem__(11, card)))
    assert faults[0][0].startswith("/summer/11")
    assert faults[1] == ("/summer", "must hold 1 of kind bank, not 0 (S-4)")


def test_all_violations_are_named_at_once() -> None:
    """S-8."""

    def spoil(document: Document) -> None:
        document["winter"][0]["goods"] = ["silk", "tea", "gold"]
        document["end"] = []

    assert [pointer for pointer, _ in faults_of(changed(spoil))] == [
        "/winter/0/goods/0",
        "/winter/0/goods/2",
        "/end",
    ]


@pytest.mark.parametrize("document", [None, [], "cards", 7])
def test_a_data_set_must_be_an_object(document: Document) -> None:
    assert faults_of(document) == [("", "must be an object with a list of cards for each season")]
