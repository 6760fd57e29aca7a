"""What stands on the board, and what follows from it: who can build, go or gain where.

Places are numbered as on the board; a player's caravan or merchant i is at `seat * 2 + i`. What follows is kept up to date with every piece,
never worked out anew; lists of moves are kept until what they depend on changes. Copies share everything but lists: it is replaced, never changed.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from kontor_games.domain.game import Move, State
from kontor_games.domain.games.europe.atlas import Atlas
from kontor_games.domain.games.europe.resources import RINGED, ROUTES, TOKENS

NEUTRAL = 4
"""The owner of neutral posts (E-11); seats are 0 to 3, nobody is -1."""
NOBODY = -1


STANDING = (
    "caravans",
    "good",
    "merchants",
    "number",
    "post",
    "posts_left",
    "robber",
    "route",
    "routes_left",
    "sea",
    "token",
)
"""What is seen on the board; all else in its state follows from it."""


class Setting(NamedTuple):
    """What a match is played with, fixed before its first fact."""

    atlas: Atlas
    seats: int
    colours: tuple[str, ...]
    neutral: str | None
    """The fourth colour, with three players."""
    free: bool
    """Free set-up (E-12) rather than the fixed one (E-10)."""
    turn_limit: int
    posts: int
    goods: int


class BoardState(State):
    """Pieces and numbers on the board."""

    __slots__ = (
        "atlas",
        "bearing",
        "caravans",
        "cities_in",
        "doors",
        "free_sites",
        "fringe",
        "full",
        "good",
        "holders",
        "laid",
        "merchants",
        "number",
        "onward",
        "own_posts",
        "owners_in",
        "post",
        "posts_left",
        "reach",
        "robber",
        "root",
        "route",
        "routes_left",
        "sea",
        "seats",
        "setting",
        "sites",
        "stations",
        "taken",
        "targets",
        "token",
        "under",
        "ways",
        "welcome",
        "yields",
    )

    def __init__(self, setting: Setting) -> None:
        """Tokens on the ring-marked spaces (E-6), everything else in stock."""
        self.setting = setting
        self.seats = setting.seats
        self.atlas = setting.atlas
        self._begin_numbers(setting.atlas)
        self._begin_pieces(setting)
        self._begin_links(setting.seats)

    def _begin_numbers(self, atlas: Atlas) -> None:
        hexes = atlas.board.hexes
        self.number = [h.number or (RINGED[atlas.yields[i]] if h.ringed else 0) for i, h in enumerate(hexes)]
        self.token = [int(h.ringed) for h in hexes]
        self.sea: list[tuple[int, ...]] = [_without(TOKENS[r], RINGED[r]) for r in range(5)]
        self.robber = atlas.board.robber
        self.bearing = [
            tuple(i for i, number in enumerate(self.number) if number == wanted) for wanted in range(13)
        ]
        """Number to the hexes that bear it."""
        self.holders: list[tuple[int, ...]] = [()] * len(hexes)
        """Hex to the players beside it, once for each post."""
        self.yields: dict[int, Any] = {}
        """Number to what a roll of it gives; kept while neither its hexes nor the posts and robber there change."""

    def _begin_pieces(self, setting: Setting) -> None:
        board, seats = setting.atlas.board, setting.seats
        self.post = [NOBODY] * len(board.cities)
        self.good = [NOBODY] * len(board.cities)
        self.route = [NOBODY] * len(board.paths)
        self.posts_left = [setting.posts] * seats
        self.routes_left = [ROUTES] * seats
        self.own_posts: list[tuple[int, ...]] = [()] * seats
        self.caravans = [NOBODY] * (seats * 2)
        self.merchants = [NOBODY] * (seats * 2)
        self.full: tuple[int, ...] = ()
        """The routes on which two caravans stand."""
        self.welcome = [bytes([1] * len(board.crossroads) + [0])] * seats
        """Crossroads to whether a player's merchants may stay there as far as posts are concerned; the last one is nowhere (-1)."""
        self.ways: dict[Any, list[Move]] = {}
        """Where merchants can go or be hired; kept until merchants or posts change."""

    def _begin_links(self, seats: int) -> None:
        board = self.atlas.board
        self.taken = 0
        self.laid = [0] * seats
        self.doors = [0] * seats
        """The paths that end at a post of one's own."""
        self.fringe = [0] * seats
        """The paths beside a post or route of one's own, taken or not."""
        self.free_sites: list[list[int]] = [[]] * seats
        """Those not taken, ascending."""
        self.stations: list[list[int]] = [[]] * seats
        """A player's routes beside posts of the same player, ascending."""
        self.root = list(range(len(board.crossroads)))
        """Crossroads joined by routes have the same one."""
        self.under: list[tuple[int, ...]] = [(crossroads,) for crossroads in self.root]
        """The crossroads joined under each root."""
        self.cities_in = [int(city >= 0) for city in board.city_at]
        """How many cities are joined under each root."""
        self.targets = [0] * seats
        """The routes beside a post that takes a good of the player's, as bits."""
        self.onward: list[tuple[tuple[int, int, int], ...]] = [()] * (2 * len(board.paths))
        """Route p towards its end e (0 or 1), as 2 p + e, to the next routes: path, the same with its far end, owner as a bit."""
        self.owners_in = [0] * len(board.crossroads)
        """Who owns routes under each root, as bits."""
        self.sites: list[list[Move] | None] = [None] * seats
        """Where each player can build a route; kept while that stays the same."""
        self.reach: dict[int, dict[Any, Any]] = {}
        """Root to where caravans there can go; kept until a route is laid there."""

    def set_post(self, city: int, owner: int) -> None:
        """A post comes to the board."""
        atlas, crossroads = self.atlas, self.atlas.board.cities[city].crossroads
        self.post[city] = owner
        for seat in range(self.seats):
            if seat != owner:
                self._bar(seat, [crossroads])
        self.ways = {}
        self._aim(self.atlas.board.paths_at[crossroads])
        if owner != NEUTRAL:
            paths, bits = atlas.board.paths_at[crossroads], atlas.door_bits[city]
            self.posts_left[owner] -= 1
            self.own_posts[owner] += (city,)
            self.doors[owner] |= bits
            self._widen(owner, paths, bits)
            self._open_stations(owner, [path for path in paths if self.route[path] == owner])
            self._settle_hexes(owner, atlas.hexes_of[city])
            if not self.posts_left[owner]:
                self._bar(
                    owner,
                    [
                        atlas.board.cities[empty].crossroads
                        for empty, other in enumerate(self.post)
                        if other == NOBODY
                    ],
                )

    def set_good(self, city: int, owner: int) -> None:
        """A good comes to a post."""
        self.good[city] = owner
        self._aim(self.atlas.board.paths_at[self.atlas.board.cities[city].crossroads])

    def _aim(self, paths: Sequence[int]) -> None:
        """Whether goods can be left beside these paths may have changed."""
        for path in paths:
            if self.route[path] >= 0 and self.atlas.cities_of[path]:
                takers = [
                    self.post[city]
                    for city in self.atlas.cities_of[path]
                    if self.post[city] >= 0 > self.good[city]
                ]
                for seat in range(self.seats):
                    open_now = any(taker != seat for taker in takers)
                    self.targets[seat] = (
                        self.targets[seat] | 1 << path if open_now else self.targets[seat] & ~(1 << path)
                    )

    def takes_good(self, seat: int, city: int) -> bool:
        """A foreign or neutral post without a good (E-48)."""
        return self.post[city] not in (seat, NOBODY) and self.good[city] == NOBODY

    def _bar(self, seat: int, crossroads: Sequence[int]) -> None:
        """A player's merchants may not stay there any more."""
        welcome = bytearray(self.welcome[seat])
        for at in crossroads:
            welcome[at] = 0
        self.welcome[seat] = bytes(welcome)

    def _settle_hexes(self, owner: int, hexes: tuple[int, ...]) -> None:
        for h in hexes:
            self.holders[h] = tuple(sorted((*self.holders[h], owner)))
            self._forget(self.number[h])

    def _forget(self, *numbers: int) -> None:
        """What these numbers yield has changed."""
        self.yields = {number: known for number, known in self.yields.items() if number not in numbers}

    def set_number(self, hexagon: int, number: int) -> None:
        """A token comes to a hex, or leaves it (0)."""
        before = self.number[hexagon]
        self.number[hexagon] = number
        self.token[hexagon] = int(number > 0)
        self.bearing[before] = tuple([h for h in self.bearing[before] if h != hexagon])
        self.bearing[number] = tuple(sorted((*self.bearing[number], hexagon)))
        self._forget(before, number)

    def set_robber(self, hexagon: int) -> None:
        """The robber comes to a hex."""
        self._forget(self.number[self.robber], self.number[hexagon])
        self.robber = hexagon

    def set_route(self, path: int, owner: int) -> None:
        """A route comes to the board and joins what lies at its ends."""
        bit = 1 << path
        self.route[path] = owner
        self.routes_left[owner] -= 1
        self.taken |= bit
        self.laid[owner] |= bit
        self._widen(owner, self.atlas.board.beside[path], self.atlas.beside_bits[path])
        for seat in range(self.seats):
            if self.fringe[seat] & bit:
                self.free_sites[seat] = [site for site in self.free_sites[seat] if site != path]
                self.sites[seat] = None
        if self.doors[owner] & bit:
            self._open_stations(owner, [path])
        self._link(path)
        self._join(path)
        self._aim([path])

    def _link(self, path: int) -> None:
        """Caravans can go on from here to the routes at either end, and from there to here."""
        board, route, onward = self.atlas.board, self.route, self.onward
        for end, at in enumerate((board.paths[path].a, board.paths[path].b)):
            here = (path, 2 * path + 1 - end, 1 << route[path])
            for other in board.paths_at[at]:
                if other != path and route[other] >= 0:
                    far = int(board.paths[other].a == at)
                    onward[2 * path + end] += ((other, 2 * other + far, 1 << route[other]),)
                    onward[2 * other + 1 - far] = tuple(sorted((*onward[2 * other + 1 - far], here)))

    def _join(self, path: int) -> None:
        """The crossroads at both ends have the same root from now on."""
        along = self.atlas.board.paths[path]
        kept, joined = self.root[along.a], self.root[along.b]
        self.reach = {root: known for root, known in self.reach.items() if root not in (kept, joined)}
        self.owners_in[kept] |= self.owners_in[joined] | 1 << self.route[path]
        if kept != joined:
            for crossroads in self.under[joined]:
                self.root[crossroads] = kept
            self.under[kept] += self.under[joined]
            self.cities_in[kept] += self.cities_in[joined]

    def _widen(self, seat: int, paths: Sequence[int], bits: int) -> None:
        """A player may build beside a new route or post."""
        known = self.fringe[seat] | self.taken
        self.fringe[seat] |= bits
        if bits & ~known:
            self.free_sites[seat] = sorted(
                [*self.free_sites[seat], *[path for path in paths if not known >> path & 1]]
            )
            self.sites[seat] = None

    def _open_stations(self, seat: int, paths: Sequence[int]) -> None:
        """A player may form caravans there; a path between two of one's posts counts once."""
        self.stations[seat] = sorted({*self.stations[seat], *paths})

    def set_caravan(self, piece: int, path: int) -> None:
        """A caravan comes to a route."""
        caravans, left = self.caravans, self.caravans[piece]
        caravans[piece] = path
        if left in self.full or caravans.count(path) > 1:
            self.full = tuple(sorted({path for path in caravans if path >= 0 and caravans.count(path) > 1}))

    def set_merchant(self, piece: int, crossroads: int) -> None:
        """A merchant comes to a crossroads, or back to its owner (-1)."""
        self.merchants[piece] = crossroads
        self.ways = {}


def _without(values: tuple[int, ...], value: int) -> tuple[int, ...]:
    at = values.index(value)
    return values[:at] + values[at + 1 :]
