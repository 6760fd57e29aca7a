"""Derived data of a board: the ids that views use, neighbours, and coordinates in the picture."""

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import DataSet
from kontor_games.domain.games.europe.data.board import COLOURS, TERRAIN_RESOURCE, Board
from kontor_games.domain.games.europe.data.grid import Point
from kontor_games.domain.games.europe.picture import art
from kontor_games.domain.games.europe.picture.drawing import Picture


def derive(data: DataSet) -> dict[str, Plain]:
    """Everything that a client needs to draw a board and to find its way on it (FORMAT.md)."""
    board = Board(data.document)
    picture = Picture(board)
    return {
        "picture": _frame(picture),
        "resources": dict(TERRAIN_RESOURCE),
        "hexes": _hexes(board, picture),
        "crossroads": _crossroads(board, picture),
        "cities": _cities(board, picture),
        "paths": _paths(board, picture),
        "robber": board.hexes[board.robber].id,
        "fixed": {colour: _start(board, colour) for colour in COLOURS},
    }


def _frame(picture: Picture) -> Plain:
    box = picture.frame
    return {
        "width": round(picture.width),
        "height": round(picture.height),
        "map": {
            **_at((box.left, box.top)),
            "width": round(box.right - box.left, 1),
            "height": round(box.bottom - box.top, 1),
        },
        "side": art.SIDE,
    }


def _at(point: Point) -> dict[str, Plain]:
    return {"x": round(point[0], 1), "y": round(point[1], 1)}


def _hexes(board: Board, picture: Picture) -> Plain:
    return {
        hexagon.id: {
            **_at(picture.middle(hexagon)),
            "terrain": hexagon.terrain,
            "resource": TERRAIN_RESOURCE.get(hexagon.terrain),
            "number": hexagon.number,
            "ringed": hexagon.ringed,
            "cities": [board.cities[city].id for city in board.posts_beside[i]],
        }
        for i, hexagon in enumerate(board.hexes)
    }


def _crossroads(board: Board, picture: Picture) -> Plain:
    return {
        name: {
            **_at(picture.crossroads(i)),
            "city": board.cities[board.city_at[i]].id if board.city_at[i] >= 0 else None,
            "hexes": [board.hexes[h].id for h in board.hexes_at[i]],
            "paths": [board.paths[path].id for path in board.paths_at[i]],
            "neighbours": [board.crossroads[other] for other, _ in board.neighbours[i]],
        }
        for i, name in enumerate(board.crossroads)
    }


def _cities(board: Board, picture: Picture) -> Plain:
    return {
        city.id: {
            **_at(picture.crossroads(city.crossroads)),
            "name": city.name,
            "label": _at((label.x, label.y)),
            "crossroads": board.crossroads[city.crossroads],
            "violet": city.violet,
            "gold": city.gold,
            "coin": _at(picture.coin(city)) if city.gold else None,
        }
        for city, label in zip(board.cities, picture.labels(), strict=True)
    }


def _paths(board: Board, picture: Picture) -> Plain:
    return {
        path.id: {
            **_at(picture.halfway(path)),
            "ends": [board.crossroads[path.a], board.crossroads[path.b]],
            "sea": path.sea,
            "double": path.double,
            "beside": [board.paths[other].id for other in board.beside[i]],
        }
        for i, path in enumerate(board.paths)
    }


def _start(board: Board, colour: str) -> Plain:
    start = board.fixed[colour]
    return {
        "posts": [board.cities[city].id for city in start.posts],
        "route": board.paths[start.route].id,
    }
