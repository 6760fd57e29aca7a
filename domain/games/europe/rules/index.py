"""The index of a board under these rules: where players can build, move, deliver or collect.

The state reports every piece that changes. The index is updated incrementally and never recomputed; lists of
moves are cached until their inputs change. Values are replaced and never changed (copy on write), so copies
of a state share them. A version of the rules that differs in one of these points has a subclass
(`Steps.index`).
"""

from collections.abc import Sequence
from typing import Any

from kontor_games.domain.game import Move
from kontor_games.domain.games.europe.state import NEUTRAL, NOBODY, EuropeState


class Index:
    """The index of one match."""

    LISTS = (
        *("beside_own", "cities_in", "crossroads_in", "customers", "hexes_with", "next_routes", "own_paths"),
        *("owners_beside", "owners_in", "posts_of", "root", "routes_in", "routes_of", "stays"),
    )
    """Slots with a list."""
    SHARED = ("beside_full", "caravan_moves", "full", "harvests", "merchant_moves", "taken")
    """Slots with another value: a number, a tuple or a cache."""
    __slots__ = (*LISTS, *SHARED)
    CARAVANS_ON_A_ROUTE = 2
    """Maximum number of caravans on one route (E-40, E-46)."""

    def __init__(self, state: EuropeState) -> None:
        """Compute everything from the pieces on the board."""
        self._begin_hexes(state)
        self._begin_routes(state)
        self.posts_of: list[tuple[int, ...]] = [()] * state.seats
        """Each player's cities, ascending."""
        self.stays = [bytes([1] * len(state.tables.board.crossroads) + [0])] * state.seats
        """For each player and crossroads, whether posts let a merchant stay; the last, for NOBODY, is 0."""
        self.merchant_moves: dict[Any, list[Move]] = {}
        """Where merchants can go or be hired; cached until merchants or posts change."""
        for path, owner in enumerate(state.route):
            if owner != NOBODY:
                self.route_placed(state, path, owner)
        for city, owner in enumerate(state.post):
            if owner != NOBODY:
                self.post_placed(state, city, owner)
        self._note_full(state)

    def _begin_hexes(self, state: EuropeState) -> None:
        self.hexes_with = [
            tuple(h for h, n in enumerate(state.number) if n == number) for number in range(13)
        ]
        """The hexes with each number."""
        self.owners_beside: list[tuple[int, ...]] = [()] * len(state.number)
        """The players beside each hex, once for each post."""
        self.harvests: dict[tuple[int, int], Any] = {}
        """By number and the hex with it where the robber is; cached until the hexes or their posts change."""

    def _begin_routes(self, state: EuropeState) -> None:
        board, seats = state.tables.board, state.seats
        self.taken = 0
        """The paths with a route, as a bit mask, like all sets of paths here."""
        self.own_paths = [0] * seats
        """The paths that end at a post of one's own."""
        self.beside_own = [0] * seats
        """The paths beside a post or route of one's own, taken or not."""
        self.routes_of = [0] * seats
        """Each player's routes."""
        self.customers = [0] * seats
        """The routes beside a post that takes a good of the player's."""
        self.root = list(range(len(board.crossroads)))
        """The root of each crossroads: one of those that routes join with it, the same for all of them."""
        self.crossroads_in: list[tuple[int, ...]] = [(crossroads,) for crossroads in self.root]
        """By root, the crossroads joined with it."""
        self.cities_in = [int(city >= 0) for city in board.city_at]
        """By root, the number of cities joined with it."""
        self.routes_in = [0] * len(board.crossroads)
        """By root, the routes that join them."""
        self.owners_in = [0] * len(board.crossroads)
        """By root, the owners of these routes, as bits."""
        self.next_routes: list[tuple[tuple[int, int, int], ...]] = [()] * (2 * len(board.paths))
        """At 2 p + e, for route p and its end e (0 or 1), the next routes, each as a triple.

        The triple is the path, the path with its far end (2 p + e), and the owner as a bit.
        """
        self.caravan_moves: dict[Any, list[Any]] = {}
        """Where caravans can go; cached until routes, customers or full routes change."""

    # --- the rules ------------------------------------------------------------------------------------------

    def takes_good(self, state: EuropeState, seat: int, city: int) -> bool:
        """Return whether a city takes a good of the player: it has another's post without a good (E-48)."""
        return state.post[city] not in (seat, NOBODY) and state.good[city] == NOBODY

    def may_stay(self, state: EuropeState, seat: int, city: int) -> bool:
        """Return whether a merchant may end its move in a city: at its post, or to found one (E-43, E-44)."""
        owner = state.post[city]
        return owner == seat or (owner == NOBODY and state.posts_left[seat] > 0)

    # --- posts and goods ------------------------------------------------------------------------------------

    def post_placed(self, state: EuropeState, city: int, owner: int) -> None:
        """A post came to the board."""
        board = state.tables.board
        paths = board.paths_at[board.cities[city].crossroads]
        self.stays = self.stays[:]
        for seat in range(state.seats):
            last = seat == owner and not state.posts_left[seat]
            self._note_stays(state, seat, range(len(board.cities)) if last else (city,))
        self.merchant_moves = {}
        self._note_customers(state, paths)
        if owner != NEUTRAL:
            path_bits = state.tables.city_path_bits[city]
            self.posts_of, self.own_paths = self.posts_of[:], self.own_paths[:]
            self.posts_of[owner] = tuple(sorted((*self.posts_of[owner], city)))
            self.own_paths[owner] |= path_bits
            self._widen(owner, path_bits)
            self.owners_beside = self.owners_beside[:]
            for h in state.tables.hexes_of[city]:
                self.owners_beside[h] = tuple(sorted((*self.owners_beside[h], owner)))
                self._forget_harvests(state.number[h])

    def good_placed(self, state: EuropeState, city: int) -> None:
        """A good came to a post."""
        board = state.tables.board
        self._note_customers(state, board.paths_at[board.cities[city].crossroads])

    def _note_stays(self, state: EuropeState, seat: int, cities: Sequence[int]) -> None:
        stays = bytearray(self.stays[seat])
        for city in cities:
            stays[state.tables.board.cities[city].crossroads] = self.may_stay(state, seat, city)
        self.stays[seat] = bytes(stays)

    def _note_customers(self, state: EuropeState, paths: Sequence[int]) -> None:
        """Recompute from which of these paths goods can be delivered."""
        self.caravan_moves = {}
        self.customers = self.customers[:]
        for path in paths:
            cities = state.tables.cities_of[path]
            if cities and self.taken >> path & 1:
                for seat in range(state.seats):
                    self.customers[seat] &= ~(1 << path)
                    for city in cities:
                        if self.takes_good(state, seat, city):
                            self.customers[seat] |= 1 << path

    # --- numbers --------------------------------------------------------------------------------------------

    def number_changed(self, hexagon: int, before: int, number: int) -> None:
        """A token came to a hex, or left it (0)."""
        self.hexes_with = self.hexes_with[:]
        self.hexes_with[before] = tuple([h for h in self.hexes_with[before] if h != hexagon])
        self.hexes_with[number] = tuple(sorted((*self.hexes_with[number], hexagon)))
        self._forget_harvests(before, number)

    def _forget_harvests(self, *numbers: int) -> None:
        """Forget the yield of these numbers; an empty cache is replaced too, because copies share it."""
        self.harvests = {key: known for key, known in self.harvests.items() if key[0] not in numbers}

    # --- routes ---------------------------------------------------------------------------------------------

    def route_placed(self, state: EuropeState, path: int, owner: int) -> None:
        """A route was built and joins the crossroads at its ends."""
        bit, tables = 1 << path, state.tables
        self._link(state, path)
        self.taken |= bit
        self._widen(owner, tables.beside_bits[path])
        self.routes_of = self.routes_of[:]
        self.routes_of[owner] |= bit
        self._join(state, path)
        self._note_customers(state, [path])

    def _link(self, state: EuropeState, path: int) -> None:
        """Caravans can go from here to the routes at either end, and from there to here."""
        route, steps, taken = state.route, state.tables.steps, self.taken
        self.next_routes = next_routes = self.next_routes[:]
        for end, other_end in state.tables.joints[path]:
            other = other_end >> 1
            if taken >> other & 1:
                next_routes[end] += (steps[other_end ^ 1][route[other]],)
                next_routes[other_end] = tuple(sorted((*next_routes[other_end], steps[end ^ 1][route[path]])))

    def _join(self, state: EuropeState, path: int) -> None:
        """The crossroads at both ends have the same root from now on."""
        along, owner = state.tables.board.paths[path], state.route[path]
        kept, joined = self.root[along.a], self.root[along.b]
        self.owners_in, self.routes_in = self.owners_in[:], self.routes_in[:]
        self.owners_in[kept] |= self.owners_in[joined] | 1 << owner
        self.routes_in[kept] |= self.routes_in[joined] | 1 << path
        if kept != joined:
            self.root, self.crossroads_in = self.root[:], self.crossroads_in[:]
            self.cities_in = self.cities_in[:]
            for crossroads in self.crossroads_in[joined]:
                self.root[crossroads] = kept
            self.crossroads_in[kept] += self.crossroads_in[joined]
            self.cities_in[kept] += self.cities_in[joined]

    def _widen(self, seat: int, path_bits: int) -> None:
        """A player may build beside a new route or post (E-40)."""
        self.beside_own = self.beside_own[:]
        self.beside_own[seat] |= path_bits

    # --- caravans and merchants -----------------------------------------------------------------------------

    def caravan_moved(self, state: EuropeState, before: int, path: int) -> None:
        """A caravan came from one route to another, or to the board."""
        if before in self.full or state.caravans.count(path) >= self.CARAVANS_ON_A_ROUTE:
            self._note_full(state)

    def _note_full(self, state: EuropeState) -> None:
        self.caravan_moves = {}
        standing = state.caravans
        self.full = tuple(
            sorted({at for at in standing if at >= 0 and standing.count(at) >= self.CARAVANS_ON_A_ROUTE})
        )
        """The routes on which no other caravan may stay."""
        self.beside_full = 0
        """The paths beside them, as bits."""
        for route in self.full:
            self.beside_full |= state.tables.beside_bits[route]

    def merchant_moved(self) -> None:
        """A merchant came to the board, moved, or left it."""
        self.merchant_moves = {}
