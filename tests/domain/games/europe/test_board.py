from kontor_games.domain.games.europe.data.board import COLOURS, Board, Path, Start

SMALL = {
    "name": "A lake with three shores",
    "kind": "short",
    "land": [
        {"at": "0,0", "terrain": "forest", "number": 5},
        {"at": "1,0", "terrain": "field", "ringed": True},
        {"at": "1,-1", "terrain": "mountain"},
    ],
    "sea": ["0,1", "-1,1"],
    "cities": [
        {"id": "middle", "name": "Middle", "at": "0,0SE", "violet": True},
        {"id": "top", "name": "Top", "at": "0,0NE", "gold": 2},
    ],
    "paths": {"land": ["1,0W"], "sea": ["0,0SE"], "double": ["0,1NW"]},
    "robber": "1,-1",
    "fixed": {colour: {"posts": ["middle"], "route": "0,1NW"} for colour in COLOURS},
}


def test_a_place_has_the_same_id_whichever_hex_names_it() -> None:
    board = Board(SMALL)
    assert board.crossroads == ("1,-1S", "0,0S", "0,1N")
    assert [city.crossroads for city in board.cities] == [2, 0]
    assert board.paths == (Path("0,0E", 0, 2, False, False), Path("0,0SE", 2, 1, True, True))


def test_neighbours_are_computed_from_the_document() -> None:
    board = Board(SMALL)
    assert board.hexes_at == ((0, 1, 2), (0,), (0, 1))
    assert board.paths_at == ((0,), (1,), (0, 1))
    assert board.neighbours == (((2, 0),), ((2, 1),), ((0, 0), (1, 1)))
    assert board.beside == ((1,), (0,))
    assert board.city_at == (1, -1, 0)
    assert board.posts_beside == ((0, 1), (0, 1), (1,), (), ())
    assert board.robber == 2
    assert board.fixed["white"] == Start((0,), 1)
