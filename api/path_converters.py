"""Converters of path parameters; a malformed value raises NotFound with an explanation."""

import re
from typing import Any, ClassVar

from werkzeug.routing import BaseConverter

from kontor_games.api.problems import InvalidIdError, InvalidTileError
from kontor_games.api.schemas.fields import GAME_ID, UUID
from kontor_games.domain.tiles import read_tile_path

_ID = re.compile(UUID)
Schema = dict[str, Any]


class PathConverter(BaseConverter):
    """Converts one path parameter, and documents it in openapi.yaml."""

    regex = "[^/]+"
    part_isolating = True
    schema: ClassVar[Schema]
    """The JSON Schema of valid values."""


class IdConverter(PathConverter):
    """The id of a player, token, match, seek or tournament."""

    schema: ClassVar[Schema] = {"type": "string", "format": "uuid", "pattern": f"^{UUID}$"}

    def to_python(self, value: str) -> str:
        """Return the id; raise InvalidIdError if it is malformed."""
        if not _ID.fullmatch(value):
            raise InvalidIdError
        return value


class NameConverter(PathConverter):
    """The name of a data set; the service checks that it exists."""

    schema: ClassVar[Schema] = {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"}


class GameConverter(PathConverter):
    """The id of a game; the service checks that it exists."""

    schema: ClassVar[Schema] = {"type": "string", "pattern": f"^{GAME_ID}$"}


class LevelConverter(PathConverter):
    """The level of a tile."""

    regex = "[0-9]|[1-5][0-9]|6[0-3]"
    schema: ClassVar[Schema] = {"type": "integer", "minimum": 0, "maximum": 63}

    def to_python(self, value: str) -> int:
        return int(value)


class NumberConverter(LevelConverter):
    """A positive number, such as that of a round."""

    regex = "[1-9][0-9]{0,3}"
    schema: ClassVar[Schema] = {"type": "integer", "minimum": 1, "maximum": 9999}


class TileConverter(PathConverter):
    """The index of a tile in groups of three digits, followed by the width if the tile is partial."""

    regex = ".+"
    part_isolating = False
    schema: ClassVar[Schema] = {
        "type": "string",
        "pattern": "^[0-9]{3}$",
        "description": "Index of the tile in groups of three digits, followed by the width if the tile is"
        " partial: `067`, `x001/x234/067`, `067.p/8`. Further groups and the width are separate path"
        " segments, which OpenAPI cannot describe, so the pattern covers only the first 1,000 full tiles.",
    }

    def to_python(self, value: str) -> tuple[int, int]:
        """Return index and width; raise InvalidTileError if the path is malformed."""
        found = read_tile_path(value)
        if found is None:
            raise InvalidTileError
        return found


CONVERTERS: dict[str, type[PathConverter]] = {
    "id": IdConverter,
    "game": GameConverter,
    "name": NameConverter,
    "level": LevelConverter,
    "number": NumberConverter,
    "tile": TileConverter,
}
"""The converters by their names in routes, such as `<id:match_id>`."""
