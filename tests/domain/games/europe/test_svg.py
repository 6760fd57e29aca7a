"""The drawn board shows everything that is on it, and nothing covers a name."""

from itertools import combinations
from xml.etree import ElementTree as Xml

import pytest

from kontor_games.domain.game import DataSet
from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe.data.board import COLOURS, SEA, Board
from kontor_games.domain.games.europe.picture.art import BROWN, COLOUR_FILL, VIOLET, city, coin, token
from kontor_games.domain.games.europe.picture.drawing import draw
from kontor_games.domain.games.europe.picture.labels import FONT, Box, placed, width

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

NAMESPACE = "{http://www.w3.org/2000/svg}"
every_board = pytest.mark.parametrize("data", GAME.data_sets, ids=lambda data: data.name)


def parsed(picture: str) -> Xml.Element:
    return Xml.fromstring(picture)  # noqa: S314  # a picture of our own


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in parsed(picture).iter(f"{NAMESPACE}text")]


@every_board
def test_a_board_is_drawn_as_well_formed_svg_with_title_and_size(data: DataSet) -> None:
    root = parsed(draw(data))
    assert root.tag == f"{NAMESPACE}svg"
    assert [float(part) for part in root.attrib["viewBox"].split()][2:] == [
        float(root.attrib["width"]),
        float(root.attrib["height"]),
    ]
    assert root.findtext(f"{NAMESPACE}title") == f"Settlers of Europe: {data.document['name']}"


@every_board
def test_every_city_is_named_and_coloured(data: DataSet) -> None:
    board, picture = Board(data.document), draw(data)
    assert {c.name for c in board.cities} <= set(texts(picture))
    legend = 1
    assert picture.count(city(violet=True)) == 12 + legend
    assert picture.count(city(violet=False)) == len(board.cities) - 12 + legend
    assert VIOLET != BROWN


@every_board
def test_every_number_is_shown_and_each_ring_with_its_token(data: DataSet) -> None:
    board, picture = Board(data.document), draw(data)
    for number in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        assert picture.count(f')">{token(number)}</g>') == sum(h.number == number for h in board.hexes)
    in_legend = 1
    assert [picture.count(token(number, ringed=True)) for number in (4, 5, 9, 10)] == [1, 2, 1, 1 + in_legend]


@every_board
def test_coastal_gold_and_double_arrows_are_drawn(data: DataSet) -> None:
    board, picture = Board(data.document), draw(data)
    in_legend = 1
    for gold in (1, 2, 3):
        assert picture.count(coin(gold)) == sum(c.gold == gold for c in board.cities) + in_legend * (
            gold == 2
        )
    assert picture.count('<use href="#arrows"/>') == sum(path.double for path in board.paths) + in_legend


@every_board
def test_land_and_sea_are_distinguished(data: DataSet) -> None:
    board, picture = Board(data.document), draw(data)
    for terrain in ("forest", "pasture", "field", "mountain", "salt_works"):
        assert picture.count(f'<use href="#{terrain}"') == sum(h.terrain == terrain for h in board.hexes)
    assert picture.count('href="#wave"') == 2 * (
        sum(h.terrain == SEA for h in board.hexes) - 2
    )  # a compass and a whale


@every_board
def test_the_fixed_set_up_is_shown_in_its_colours(data: DataSet) -> None:
    picture = draw(data)
    for colour in COLOURS:
        assert picture.count(f'fill="{COLOUR_FILL[colour]}"') >= 3 + 1  # three posts and a caravan


@every_board
def test_no_name_covers_another_or_leaves_the_frame(data: DataSet) -> None:
    root = parsed(draw(data))
    size = [float(part) for part in root.attrib["viewBox"].split()]
    boxes = [
        Box(
            x := float(name.attrib["x"]),
            y := float(name.attrib["y"]) - FONT * 0.8,
            x + width(name.text or ""),
            y + FONT,
        )
        for name in root.iter(f"{NAMESPACE}text")
        if name.attrib.get("paint-order") == "stroke"
    ]
    assert len(boxes) == len(data.document["cities"])
    assert all(one.overlap(other) == 0 for one, other in combinations(boxes, 2))
    assert all(
        box.left >= 0 and box.right <= size[2] and box.top >= 0 and box.bottom <= size[3] for box in boxes
    )


def test_names_avoid_each_other_and_other_things() -> None:
    frame = Box(0, 0, 400, 300)
    number = Box(180, 120, 220, 145)
    labels = placed([("Here", 200, 150), ("There", 200, 200)], [number], frame)
    assert [label.text for label in labels] == ["Here", "There"]
    assert labels[0].box.overlap(labels[1].box) == 0
    assert all(label.box.overlap(number) == 0 and label.box.outside(frame) == 0 for label in labels)


def test_a_name_is_written_as_text_whatever_it_holds() -> None:
    document = dict(GAME.data_sets[0].document)
    document["cities"] = [
        {**entry, "name": "<b>&Bern"} if entry["id"] == "bern" else entry for entry in document["cities"]
    ]
    assert "<b>&Bern" in texts(draw(GAME.admit("mine", document)))
