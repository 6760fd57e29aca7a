"""Names for places of a board without printed names, derived from the cities nearby."""

from functools import cache, cached_property

from kontor_games.domain.games.europe.data.board import SEA
from kontor_games.domain.games.europe.state.board_tables import BoardTables
from kontor_games.domain.games.europe.text import MESSAGES
from kontor_games.domain.games.europe.text.phrases import word
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.toolkit.messages import Phrase, Value, phrase


class PlaceNames:
    """Names for hexes, paths and crossroads, each computed on first use."""

    def __init__(self, tables: BoardTables) -> None:
        self.board = tables.board
        self._distances = tables.distances
        self.path = cache(self._path)
        self.hex = cache(self._hex)
        self.crossroads = cache(self._crossroads)

    def city(self, city: str) -> Value:
        return self._names[self.board.city_index[city]]

    @cached_property
    def _names(self) -> tuple[Value, ...]:
        """The cities: those of built-in boards have a name in each language, others the name on the board."""
        known = MESSAGES[DEFAULT_LANGUAGE].texts
        return tuple(
            word(city.id) if known.get(f"words.{city.id}") == city.name else city.name
            for city in self.board.cities
        )

    @cached_property
    def _near(self) -> tuple[tuple[int, ...], ...]:
        """For each crossroads the cities, nearest first."""
        return tuple(self._by_distance(start) for start in range(len(self.board.crossroads)))

    def _by_distance(self, start: int) -> tuple[int, ...]:
        cities = (self.board.city_at[at] for at in self._distances(start))
        return tuple(city for city in cities if city >= 0)

    def _path(self, path: str) -> Phrase:
        """The two cities between which a path lies."""
        along = self.board.paths[self.board.path_index[path]]
        one = self._near[along.a][0]
        other = self._near[along.b][0]
        if one == other:
            beyond_a, beyond_b = self._near[along.a][1], self._near[along.b][1]
            one, other = (one, beyond_b) if self.board.city_at[along.a] == one else (beyond_a, other)
        return phrase("places.path", one=self._names[one], other=self._names[other])

    def _crossroads(self, crossroads: str) -> Phrase:
        """The city at a crossroads, or the two cities near it."""
        at = self.board.crossroads_index[crossroads]
        if self.board.city_at[at] >= 0:
            return phrase("places.city", city=self._names[self.board.city_at[at]])
        one, other = self._near[at][:2]
        return phrase("places.crossroads", one=self._names[one], other=self._names[other])

    def _hex(self, hexagon: str) -> Phrase:
        """The terrain, and one or two cities at its corners."""
        at = self.board.hex_index[hexagon]
        name = self.board.hexes[at].terrain
        terrain = phrase(f"terrains.{name}")
        cities = [self._names[city] for city in self.board.posts_beside[at]]
        if not cities:
            return phrase("places.hex_at_rim" if name != SEA else "places.sea", terrain=terrain)
        if len(cities) == 1:
            return phrase("places.hex_of", terrain=terrain, city=cities[0])
        return phrase("places.hex_between", terrain=terrain, one=cities[0], other=cities[-1])


place_names = cache(PlaceNames)
"""Returns the names of a board, made once."""
