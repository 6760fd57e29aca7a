"""The built-in boards: requirements in the last section of the rules, and examples of the rule sheet."""

from collections import Counter
from collections.abc import Iterator
from math import dist

import pytest

from kontor_games.domain.data import read_json
from kontor_games.domain.games.europe.data.board import RESOURCES, SEA, TERRAIN_RESOURCE, Board
from kontor_games.domain.games.europe.data.check import admit
from kontor_games.domain.games.europe.data.grid import (
    ends_of_side,
    hexes_of_corner,
    hexes_of_side,
    parse,
    place_of,
    point_of,
)

WEST = {
    "paris",
    "london",
    "york",
    "edinburgh",
    "dublin",
    "nantes",
    "bordeaux",
    "lisbon",
    "seville",
    "madrid",
    "barcelona",
    "valencia",
}


def read(name: str) -> Board:
    return Board(admit(name, read_json("kontor_games.domain.games.europe.data", f"{name}.json")).document)


BOARDS = {name: read(name) for name in ("short", "expert", "short-2", "expert-2")}
both = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS.keys())


@pytest.fixture(params=["expert", "expert-2"])
def expert(request: pytest.FixtureRequest) -> Board:
    return BOARDS[request.param]


def distances_from(board: Board, start: int) -> dict[int, int]:
    found, wave = {start: 0}, [start]
    for at in wave:
        for other, _ in board.neighbours[at]:
            if other not in found:
                found[other] = found[at] + 1
                wave.append(other)
    return found


def distance(board: Board, one: str, other: str) -> int:
    at = {city.id: city.crossroads for city in board.cities}
    return distances_from(board, at[one])[at[other]]


def hexes_beside(board: Board, city: str) -> list[tuple[str, int | None, bool]]:
    here = board.hexes_at[board.cities[board.city_index[city]].crossroads]
    return [(board.hexes[i].terrain, board.hexes[i].number, board.hexes[i].ringed) for i in here]


def shortest_ways(board: Board, start: int, end: int) -> Iterator[list[int]]:
    rest = distances_from(board, end)
    if start == end:
        yield []
    for other, path in board.neighbours[start]:
        if rest[other] == rest[start] - 1:
            yield from ([path, *way] for way in shortest_ways(board, other, end))


@both
def test_three_hexes_meet_at_every_crossroads_and_every_path_is_a_border_of_two(board: Board) -> None:
    listed = {(h.q, h.r) for h in board.hexes}
    for crossroads in board.crossroads:
        corner = parse("corner", crossroads)
        assert corner is not None
        assert listed.issuperset(hexes_of_corner(corner))
    for path in board.paths:
        side = parse("side", path.id)
        assert side is not None
        assert listed.issuperset(hexes_of_side(side))
        assert [str(end) for end in ends_of_side(side)] == [
            board.crossroads[path.a],
            board.crossroads[path.b],
        ]


@both
def test_there_is_land_and_sea_and_paths_on_both(board: Board) -> None:
    assert {h.terrain for h in board.hexes} == {SEA, *TERRAIN_RESOURCE}
    assert {path.sea for path in board.paths} == {True, False}


@pytest.mark.parametrize(
    ("name", "count"), [("short", 30), ("expert", 42), ("short-2", 30), ("expert-2", 42)]
)
def test_the_boards_have_the_right_number_of_cities_twelve_of_them_violet(name: str, count: int) -> None:
    cities = BOARDS[name].cities
    assert len(cities) == count
    assert sum(city.violet for city in cities) == 12


@pytest.mark.parametrize("drawing", ["", "-2"])
def test_the_short_board_is_the_expert_one_without_its_west(drawing: str) -> None:
    short, expert = BOARDS[f"short{drawing}"], BOARDS[f"expert{drawing}"]
    assert {c.id for c in expert.cities} - {c.id for c in short.cities} == WEST
    assert {c[:2] + c[3:] for c in short.cities} <= {c[:2] + c[3:] for c in expert.cities}
    assert {path.id for path in short.paths} <= {path.id for path in expert.paths}


@both
def test_violet_cities_lie_in_the_middle_of_the_others(board: Board) -> None:
    def rank(city: str) -> int:
        return sum(distance(board, city, other.id) for other in board.cities)

    ranked = sorted((rank(city.id), not city.violet) for city in board.cities)
    in_the_nearer_half = sum(not brown for _, brown in ranked[: len(ranked) * 3 // 5])
    assert in_the_nearer_half == 12


def test_the_cities_that_the_sheet_names_are_on_the_expert_board(expert: Board) -> None:
    named = (
        "Lyon Paris Brussels Cologne Nuremberg Bern Turin Venice Prague Wroclaw Kaliningrad Budapest Belgrade"
    )
    assert set(named.split()) <= {city.name for city in expert.cities}


@pytest.mark.parametrize(
    ("west", "east"),
    [
        ("lisbon", "madrid"),
        ("madrid", "barcelona"),
        ("dublin", "london"),
        ("paris", "cologne"),
        ("cologne", "prague"),
        ("kiev", "moscow"),
        ("bergen", "stockholm"),
        ("lubeck", "kaliningrad"),
        ("turin", "venice"),
        ("pisa", "dubrovnik"),
        ("athens", "istanbul"),
    ],
)
def test_cities_farther_east_lie_farther_right(expert: Board, west: str, east: str) -> None:
    assert place(expert, west)[0] < place(expert, east)[0]


@pytest.mark.parametrize(
    ("north", "south"),
    [
        ("edinburgh", "london"),
        ("london", "paris"),
        ("bordeaux", "madrid"),
        ("madrid", "seville"),
        ("bergen", "lubeck"),
        ("lubeck", "nuremberg"),
        ("nuremberg", "venice"),
        ("pisa", "naples"),
        ("stockholm", "kaliningrad"),
        ("kaliningrad", "wroclaw"),
        ("kiev", "odessa"),
        ("varna", "istanbul"),
    ],
)
def test_cities_farther_north_lie_higher_up(expert: Board, north: str, south: str) -> None:
    assert place(expert, north)[1] < place(expert, south)[1]


def place(board: Board, city: str) -> tuple[float, float]:
    return point_of(place_of("corner", board.crossroads[board.cities[board.city_index[city]].crossroads]))


@pytest.mark.parametrize(
    ("one", "other", "paths"),
    [
        ("paris", "brussels", 1),
        ("brussels", "cologne", 1),
        ("bern", "paris", 2),
        ("turin", "bern", 2),
        ("turin", "venice", 3),
        ("prague", "wroclaw", 3),
        ("wroclaw", "kaliningrad", 3),
    ],
)
def test_distances_are_those_of_the_examples(expert: Board, one: str, other: str, paths: int) -> None:
    assert distance(expert, one, other) == paths


def test_a_caravan_near_bern_passes_paris_and_brussels_and_reaches_cologne_with_one_salt(
    expert: Board,
) -> None:
    """The example stands on the second path from Bern to Paris after one step.

    After three it stands on that from Brussels to Cologne.
    """
    at = {city.id: city.crossroads for city in expert.cities}
    starts = {way[0] for way in shortest_ways(expert, at["bern"], at["paris"])}
    last = next(shortest_ways(expert, at["brussels"], at["cologne"]))[0]
    one = {
        path for start in starts for path in expert.beside[start] if at["paris"] in expert.paths[path][1:3]
    }
    two = {
        path
        for start in one
        for path in expert.beside[start]
        if {at["paris"], at["brussels"]} == set(expert.paths[path][1:3])
    }
    assert len(two) == 1
    assert last in expert.beside[two.pop()]


def test_a_merchant_of_budapest_reaches_belgrade_with_one_grain(expert: Board) -> None:
    assert distance(expert, "budapest", "belgrade") <= 3


def test_kaliningrads_first_link_takes_three_routes_and_a_double_arrow(expert: Board) -> None:
    at = {city.id: city.crossroads for city in expert.cities}
    steps = distances_from(expert, at["kaliningrad"])
    assert min(steps[at[city.id]] for city in expert.cities if city.id != "kaliningrad") == 3
    ways = list(shortest_ways(expert, at["kaliningrad"], at["wroclaw"]))
    assert any(expert.paths[path].double for way in ways for path in way)


def test_lyon_lies_beside_a_pasture_showing_5(expert: Board) -> None:
    """The ringed token of the pastures is a 5 (E-6)."""
    assert ("pasture", None, True) in hexes_beside(expert, "lyon")


def test_cologne_and_nuremberg_share_a_field_with_a_printed_5(expert: Board) -> None:
    cologne, nuremberg = (
        expert.hexes_at[expert.cities[expert.city_index[city]].crossroads]
        for city in ("cologne", "nuremberg")
    )
    assert [(expert.hexes[i].terrain, expert.hexes[i].number) for i in set(cologne) & set(nuremberg)] == [
        ("field", 5)
    ]


def test_kaliningrad_lies_beside_a_salt_works_without_number(expert: Board) -> None:
    assert ("salt_works", None, False) in hexes_beside(expert, "kaliningrad")


def test_belgrade_lies_beside_a_mountain_and_a_field_without_number(expert: Board) -> None:
    assert {("mountain", None, False), ("field", None, False)} <= set(hexes_beside(expert, "belgrade"))


@both
def test_eighteen_numbers_are_printed(board: Board) -> None:
    printed = Counter(h.number for h in board.hexes if h.number is not None)
    assert printed == {2: 1, 12: 1, 3: 2, 4: 2, 5: 2, 6: 2, 8: 2, 9: 2, 10: 2, 11: 2}


@both
def test_printed_numbers_lie_on_the_central_hexes(board: Board) -> None:
    """Beside the violet cities, that is."""
    central = {i for city in board.cities if city.violet for i in board.hexes_at[city.crossroads]}
    assert {i for i, h in enumerate(board.hexes) if h.number is not None} <= central


@both
def test_one_space_of_each_terrain_bears_a_ring_and_the_rest_are_empty(board: Board) -> None:
    assert sorted(h.terrain for h in board.hexes if h.ringed) == sorted(TERRAIN_RESOURCE)
    empty = Counter(h.terrain for h in board.hexes if h.terrain != SEA and h.number is None and not h.ringed)
    assert (
        min(empty[terrain] for terrain in TERRAIN_RESOURCE) >= 2
    )  # two tokens of each colour lie in the sea (E-6)


@both
def test_coastal_gold_rises_from_the_centre_to_the_rim(board: Board) -> None:
    violet = [place(board, city.id) for city in board.cities if city.violet]
    centre = tuple(sum(values) / len(violet) for values in zip(*violet, strict=True))
    coast = sorted((dist(place(board, city.id), centre), city.gold) for city in board.cities if city.gold)
    gold = [gold for _, gold in coast]
    assert gold == sorted(gold)
    assert set(gold) == {1, 2, 3}


@both
def test_five_to_eight_double_arrows_lie_on_long_links(board: Board) -> None:
    """Long: whichever two cities such a path helps to link are at least three paths apart."""
    double = [path for path in board.paths if path.double]
    assert 5 <= len(double) <= 8
    for path in double:
        from_a, from_b = distances_from(board, path.a), distances_from(board, path.b)
        pairs = (
            (one.crossroads, other.crossroads)
            for one in board.cities
            for other in board.cities
            if one is not other
        )
        assert min(from_a[one] + 1 + from_b[other] for one, other in pairs) >= 3


@both
def test_every_city_can_be_reached_from_every_other(board: Board) -> None:
    assert all(len(distances_from(board, city.crossroads)) == len(board.crossroads) for city in board.cities)


@both
def test_every_violet_city_has_two_paths_to_plain_crossroads(board: Board) -> None:
    for city in board.cities:
        plain = [other for other, _ in board.neighbours[city.crossroads] if board.city_at[other] < 0]
        assert len(plain) >= 2 or not city.violet


@both
def test_every_violet_city_lies_beside_two_numbered_hexes_of_different_terrain(board: Board) -> None:
    for city in board.cities:
        numbered = {terrain for terrain, number, _ in hexes_beside(board, city.id) if number is not None}
        assert len(numbered) >= 2 or not city.violet


@both
def test_the_fixed_set_up_takes_the_violet_cities_and_leaves_all_cities_isolated(board: Board) -> None:
    posts = [board.cities[i] for start in board.fixed.values() for i in start.posts]
    assert len(set(posts)) == 12
    assert all(city.violet for city in posts)
    laid = [set(board.paths[start.route][1:3]) for start in board.fixed.values()]
    cities = {city.crossroads for city in board.cities}
    chains = [a | b for a in laid for b in laid if a & b]
    assert all(len(chain & cities) == 1 for chain in chains)


@both
def test_each_colour_of_the_fixed_set_up_can_produce_every_resource(board: Board) -> None:
    for start in board.fixed.values():
        hexes = [
            board.hexes[i] for city in start.posts for i in board.hexes_at[board.cities[city].crossroads]
        ]
        given = {TERRAIN_RESOURCE[h.terrain] for h in hexes if h.number is not None or h.ringed}
        assert given == set(RESOURCES)


@both
def test_no_city_lies_beside_two_red_numbers(board: Board) -> None:
    """A requirement of our own: 6 and 8 are spread over the map."""
    assert all(
        sum(number in (6, 8) for _, number, _ in hexes_beside(board, city.id)) < 2 for city in board.cities
    )
