"""The features that a bot reads from its view."""

from functools import cached_property

from kontor_games.domain.game import View
from kontor_games.domain.games.europe.bots.terrain import Terrain
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import PIPS, ROUTES
from kontor_games.domain.games.europe.state import NEUTRAL, NOBODY


class Features:
    """The table as one seat sees it; every value is computed on first use."""

    def __init__(self, terrain: Terrain, view: View, seat: int) -> None:
        self.terrain = terrain
        self.view = view
        self.seat = seat
        self.me = view["players"][seat]
        self.players = view["players"]
        self.gold: int = self.me["gold"]
        self.hand: list[int] = [self.me["resources"][resource] for resource in RESOURCES]
        goods = self.me["goods"]
        self.free: int = goods["free"]
        self.covered: int = goods["covered"]
        self.to_deliver: int = self.free + self.covered
        self.routes_left = ROUTES
        self.worths: dict[int, float] = {}
        """Cache of the values of posts in empty cities."""

    @cached_property
    def post(self) -> list[int]:
        """The owner of the post in each city, if any."""
        index = self.terrain.board.city_index
        owners = [NOBODY] * len(index)
        for city, post in self.view["posts"].items():
            owners[index[city]] = NEUTRAL if post["owner"] is None else post["owner"]
        return owners

    @cached_property
    def customers(self) -> set[int]:
        """The cities whose posts take a good from this seat (E-48)."""
        index, seat = self.terrain.board.city_index, self.seat
        return {
            index[city]
            for city, post in self.view["posts"].items()
            if post["owner"] != seat and post["good"] is None
        }

    @cached_property
    def own(self) -> list[int]:
        """The cities with a post of one's own."""
        return [city for city, owner in enumerate(self.post) if owner == self.seat]

    @cached_property
    def empty(self) -> list[int]:
        """The cities without a post."""
        return [city for city, owner in enumerate(self.post) if owner == NOBODY]

    @cached_property
    def route(self) -> list[int]:
        """The owner of the route on each path, if any."""
        index = self.terrain.board.path_index
        owners = [NOBODY] * len(index)
        for path, owner in self.view["routes"].items():
            owners[index[path]] = owner
        return owners

    @cached_property
    def pips(self) -> list[int]:
        """How often each hex produces in 36 rolls; 0 without a number."""
        index = self.terrain.board.hex_index
        found = [0] * len(index)
        for hexagon, number in self.view["numbers"].items():
            found[index[hexagon]] = PIPS[number]
        return found

    @cached_property
    def income(self) -> list[int]:
        """The expected cards of each resource in 36 rolls from this seat's posts."""
        found, terrain, pips = [0] * 5, self.terrain, self.pips
        for city in self.own:
            for hexagon in terrain.hexes[city]:
                found[terrain.yields[hexagon]] += pips[hexagon]
        return found

    @cached_property
    def merchants(self) -> list[int]:
        """The positions of this seat's merchants."""
        index = self.terrain.board.crossroads_index
        return [NOBODY if at is None else index[at] for at in self.me["merchants"]]

    @cached_property
    def caravans(self) -> list[int]:
        """The positions of this seat's caravans."""
        index = self.terrain.board.path_index
        return [NOBODY if at is None else index[at] for at in self.me["caravans"]]

    @cached_property
    def rolls_left(self) -> float:
        """Estimated number of remaining rolls, from the goods still to be delivered."""
        nearest: int = min(
            player["goods"]["covered"] * 2 + player["goods"]["free"] for player in self.players
        )
        return 6.0 + 4.0 * nearest
