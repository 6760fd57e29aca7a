"""Converters of path parameters; a malformed value raises a problem that explains it."""

import re

from werkzeug.routing import BaseConverter

from kontor_games.api.problems import InvalidIdError, InvalidTileError
from kontor_games.api.schemas.patterns import UUID
from kontor_games.domain.tiles import read_tile_path

_ID = re.compile(UUID)


class IdConverter(BaseConverter):
    """The id of a player, token or match; anything else raises a problem that explains it."""

    regex = "[^/]+"
    part_isolating = True

    def to_python(self, value: str) -> str:
        """The id, if it has the form of one."""
        if not _ID.fullmatch(value):
            raise InvalidIdError
        return value


class NameConverter(BaseConverter):
    """The id of a game or the name of a data set; the service says which ones there are."""

    regex = "[^/]+"
    part_isolating = True


class GameConverter(NameConverter):
    """The id of a game."""


class LevelConverter(BaseConverter):
    """The level of a tile."""

    regex = "[0-9]|[1-5][0-9]|6[0-3]"
    part_isolating = True

    def to_python(self, value: str) -> int:
        """The level as a number."""
        return int(value)


class NumberConverter(LevelConverter):
    """A number from 1 on."""

    regex = "[1-9][0-9]{0,3}"


class TileConverter(BaseConverter):
    """The index of a tile, in groups of three digits, with the width of a partial one."""

    regex = ".+"
    part_isolating = False

    def to_python(self, value: str) -> tuple[int, int]:
        """Index and width."""
        found = read_tile_path(value)
        if found is None:
            raise InvalidTileError
        return found
