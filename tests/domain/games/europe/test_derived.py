"""Derived data of a board: the ids that views use, neighbours, and coordinates of the picture."""

from itertools import pairwise
from math import hypot
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import ARBITER
from kontor_games.domain.game import DataSet
from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe.data.derived import derive
from kontor_games.domain.games.europe.picture import art
from kontor_games.domain.games.europe.picture.drawing import draw

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

every_board = pytest.mark.parametrize("data", GAME.data_sets, ids=lambda data: data.name)


def distance(one: dict[str, Any], other: dict[str, Any]) -> float:
    return hypot(one["x"] - other["x"], one["y"] - other["y"])


@every_board
def test_neighbours_are_one_side_apart_and_know_each_other(data: DataSet) -> None:
    board = derive(data)
    crossroads, paths, side = board["crossroads"], board["paths"], board["picture"]["side"]
    for name, place in crossroads.items():
        for other, path in zip(place["neighbours"], place["paths"], strict=True):
            assert sorted(paths[path]["ends"]) == sorted([name, other])
            assert name in crossroads[other]["neighbours"]
            assert distance(place, crossroads[other]) == pytest.approx(side, abs=0.2)
            assert distance(place, paths[path]) == pytest.approx(side / 2, abs=0.2)
        for hexagon in place["hexes"]:
            assert distance(place, board["hexes"][hexagon]) == pytest.approx(side, abs=0.2)
    for name, path in paths.items():
        assert all(name in paths[other]["beside"] for other in path["beside"])


@every_board
def test_a_city_lies_at_its_crossroads_and_on_the_corners_of_its_hexes(data: DataSet) -> None:
    board = derive(data)
    for name, city in board["cities"].items():
        place = board["crossroads"][city["crossroads"]]
        assert (place["city"], place["x"], place["y"]) == (name, city["x"], city["y"])
        assert all(name in board["hexes"][hexagon]["cities"] for hexagon in place["hexes"])
        assert (city["coin"] is not None) == (city["gold"] > 0)


@every_board
def test_coordinates_are_those_of_the_picture(data: DataSet) -> None:
    board, picture = derive(data), draw(data)
    root = Xml.fromstring(picture)  # noqa: S314  # a picture of our own
    size = board["picture"]
    assert root.attrib["viewBox"] == f"0 0 {size['width']} {size['height']}"
    for city in board["cities"].values():
        drawn = art.city(violet=city["violet"])
        assert f'<g transform="translate({city["x"]:.1f} {city["y"]:.1f})">{drawn}' in picture
        assert f'<text x="{city["label"]["x"]:.1f}" y="{city["label"]["y"]:.1f}"' in picture
    for hexagon in board["hexes"].values():
        if hexagon["terrain"] != "sea":
            assert (
                f'<use href="#{hexagon["terrain"]}" x="{hexagon["x"]:.1f}" y="{hexagon["y"]:.1f}"/>'
                in picture
            )


@every_board
def test_a_picture_without_pieces_is_the_same_map(data: DataSet) -> None:
    bare, whole = draw(data, pieces=False), draw(data)
    legend = 1
    assert whole.count(art.robber()) - legend == 1
    assert bare.count(art.robber()) - legend == 0
    for colour in data.document["fixed"]:
        assert (whole.count(art.caravan(colour)), bare.count(art.caravan(colour))) == (1, 0)
        assert (whole.count(art.post(colour)) - legend, bare.count(art.post(colour)) - legend) == (3, 0)
    assert bare.count(art.city(violet=True)) == whole.count(art.city(violet=True))


@every_board
def test_views_name_only_places_of_the_board(data: DataSet) -> None:
    board, rules = derive(data), GAME.rules(data)
    state, chance = rules.table(4, rules.options()), Seeded(seed_from("derived"))
    rules.deal(state, chance)
    for number in range(400):
        seat = rules.to_act(state)[0]
        legal = rules.legal_moves(state, seat)
        rules.play(state, seat, legal[chance.draws("walk", number).below(len(legal))], chance)
        view = rules.view(state, ARBITER)
        assert {view["robber"], *view["numbers"], *view["tokens"]} <= board["hexes"].keys()
        assert view["posts"].keys() <= board["cities"].keys()
        caravans = {at for one in view["players"] for at in one["caravans"] if at}
        merchants = {at for one in view["players"] for at in one["merchants"] if at}
        assert view["routes"].keys() | caravans <= board["paths"].keys()
        assert merchants <= board["crossroads"].keys()


def test_the_longest_way_of_the_examples_can_be_followed() -> None:
    crossroads = derive(GAME.data_set("expert"))["crossroads"]
    rules = GAME.rules("expert")
    state = rules.table(4, rules.options())
    way = [state.tables.board.crossroads[0], *state.tables.way(0, len(crossroads) - 1)]
    assert all(after in crossroads[before]["neighbours"] for before, after in pairwise(way))
