"""The numbers of the rules in derived data, which pages show as prices and as a player's aid."""

from typing import Any

from kontor_games.domain.game import DataSet
from kontor_games.domain.games import installed_games
from kontor_games.domain.games.europe import moves
from kontor_games.domain.games.europe.facts.routes import RouteBuilt
from tests.domain.games.europe.small import DOCUMENT, Small, north


def derived(game: str, data: DataSet | None = None) -> Any:
    one = installed_games()[game]
    return one.derive(data or one.data_sets[0])


def test_prices_in_derived_data_are_those_that_a_match_takes() -> None:
    figures = derived("europe", DataSet("small", DOCUMENT))
    game = Small().give(0, ore=1, lumber=1).rolled()
    (built,) = [fact for fact in game.play(0, moves.BuildRoute(north(1))) if isinstance(fact, RouteBuilt)]
    assert figures["prices"]["build_route"] == dict(built.paid.amounts())
    assert figures["prices"]["buy_card"] == {"wool": 1, "salt": 1}
    assert figures["steps"] == {"merchant": 3, "caravan": 3}
    assert figures["supply"] == {"gold": 2, "times_a_turn": 2, "alike": 3}
    assert figures["hand_limit"] == 7


def test_pieces_follow_the_board_and_the_number_of_players() -> None:
    boards = installed_games()["europe"].data_sets
    kinds = {data.document["kind"]: derived("europe", data)["pieces"] for data in boards}
    assert kinds["short"] == {"3": {"posts": 8, "goods": 6}, "4": {"posts": 7, "goods": 5}}
    assert kinds["expert"] == {"3": {"posts": 12, "goods": 10}, "4": {"posts": 10, "goods": 8}}


def test_numbers_of_the_speicherstadt_follow_the_number_of_players() -> None:
    numbers = derived("speicherstadt")["numbers"]
    assert {seats: one["row"] for seats, one in numbers.items()} == {"2": 3, "3": 4, "4": 5, "5": 6}
    assert {one["workers"] for one in numbers.values()} == {3}
    assert {one["coins"] for one in numbers.values()} == {5}
