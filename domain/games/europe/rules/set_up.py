"""Before the first turn: the first player, and the first pieces on the board (E-10 to E-14)."""

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from kontor_games.domain.game import Refusal
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import ROUTES, Cards
from kontor_games.domain.games.europe.facts import set_up as f
from kontor_games.domain.games.europe.facts.turn import TurnBegan
from kontor_games.domain.games.europe.moves import PlaceNeutralPost, PlaceStartPost, PlaceStartRoute
from kontor_games.domain.games.europe.options import EuropeOptions2
from kontor_games.domain.games.europe.refusals import (
    BadOptionsError,
    CityTakenError,
    JoinsCitiesError,
    NotBesideError,
    NotVioletError,
    PathTakenError,
    VioletError,
)
from kontor_games.domain.games.europe.rules.base import EuropeRule
from kontor_games.domain.games.europe.rules.conditions import no_such_place
from kontor_games.domain.games.europe.rules.routes import joins_cities
from kontor_games.domain.games.europe.rules.steps import EuropeLedger
from kontor_games.domain.games.europe.state import NOBODY, EuropeState
from kontor_games.domain.games.europe.state.board_tables import numbers
from kontor_games.domain.games.europe.state.phases import SET_UP_NEUTRAL, SET_UP_POST, SET_UP_ROUTE

START_POSTS = 3
"""How many posts each player begins with (E-4)."""
START_CARDS = {
    "red": Cards(lumber=1, grain=1, salt=1),
    "blue": Cards(salt=1, wool=1, ore=1),
    "white": Cards(lumber=1, grain=1, wool=1),
    "orange": Cards(ore=1, salt=1, grain=1),
}
"""The resource cards of each colour in the fixed set-up (E-10)."""


def set_up(ledger: EuropeLedger) -> None:
    """Find the first player; then the fixed set-up, or the first placement of the free one."""
    find_first_player(ledger)
    if ledger.state.setting.free:
        ledger.steps.open_placement(ledger)
    else:
        place_colours(ledger)
        ledger.emit(TurnBegan(ledger.state.first, 1))


def find_first_player(ledger: EuropeLedger) -> None:
    """All roll, those tied for highest again, until one is left (E-13)."""
    tied = tuple(range(ledger.state.seats))
    while len(tied) > 1:
        draws = ledger.chance.draws("first_player", ledger.state.start_rolls)
        rolls = tuple(f.StartRoll(seat, (draws.below(6) + 1, draws.below(6) + 1)) for seat in tied)
        ledger.emit(f.StartRolled(rolls))
        best = max(sum(roll.dice) for roll in rolls)
        tied = tuple(roll.seat for roll in rolls if sum(roll.dice) == best)
    ledger.emit(f.FirstPlayerFound(tied[0]))


def place_colours(ledger: EuropeLedger) -> None:
    """Place the pieces that the board names for each colour; an unused one becomes neutral (E-10, E-11)."""
    setting, tables = ledger.state.setting, ledger.state.tables
    for seat, colour in enumerate(setting.colours):
        start = tables.board.fixed[colour]
        cities = tuple(tables.city_ids[city] for city in start.posts)
        ledger.emit(f.ColourPlaced(seat, cities, tables.path_ids[start.route], START_CARDS[colour]))
    if setting.neutral is not None:
        posts = tables.board.fixed[setting.neutral].posts
        ledger.emit(f.NeutralPostsPlaced(tuple(tables.city_ids[city] for city in posts)))


def open_placement(ledger: EuropeLedger) -> None:
    """Open the next placement of the free set-up: posts, neutral posts, routes; then begin turn 1 (E-12)."""
    state = ledger.state
    order = [(state.first + step) % state.seats for step in range(state.seats)]
    posts = order + order[::-1] + order
    neutral = order[::-1] if state.seats == 3 else []
    if state.placed < len(posts):
        ledger.emit(f.PlacementOpened(posts[state.placed], "post"))
    elif state.placed < len(posts) + len(neutral):
        ledger.emit(f.PlacementOpened(neutral[state.placed - len(posts)], "neutral_post"))
    else:
        # A player without any free path is skipped; this can happen on boards of users.
        waiting = [
            seat for seat in order[::-1] if state.routes_left[seat] == ROUTES and free_paths(state, seat)
        ]
        ledger.emit(f.PlacementOpened(waiting[0], "route") if waiting else TurnBegan(state.first, 1))


def terrain_cards(state: EuropeState, city: str) -> Cards:
    """Return one card for each land hex beside a city, numbered or not (E-12)."""
    tables = state.tables
    found = [tables.yields[h] for h in tables.hexes_of[tables.board.city_index[city]]]
    return Cards(*(found.count(r) for r in range(len(RESOURCES))))


C = TypeVar("C", PlaceStartPost, PlaceNeutralPost)


class StartCityRule(EuropeRule[C]):
    """A post goes to a violet city without a post (E-12)."""

    def allows(self, state: EuropeState, city: int) -> bool:
        """Return whether such a post may go to a city."""
        return state.tables.board.cities[city].violet

    def blocked(self, state: EuropeState, seat: int, move: C) -> Refusal | None:
        city = state.tables.board.city_index.get(move.city)
        if city is None:
            return no_such_place("city", move.city)
        if not self.allows(state, city):
            return self.wrong_site(state)
        taken = state.post[city] != NOBODY
        return CityTakenError("A post stands there already.", rule="E-12") if taken else None

    def wrong_site(self, state: EuropeState) -> Refusal:
        """Return the refusal of a city of the other kind."""
        return NotVioletError("The first posts go to violet cities.", rule="E-12")


class PlaceStartPostRule(StartCityRule[PlaceStartPost]):
    """Everybody places three posts; the third one gives a card for each terrain beside it (E-12)."""

    phases: ClassVar = (SET_UP_POST,)

    def too_few_sites(self, state: EuropeState) -> Refusal | None:
        """Return a refusal if the board has too few such cities for all first posts of the players."""
        if not state.setting.free:
            return None
        allowed = [city for city in range(len(state.post)) if self.allows(state, city)]
        if len(allowed) >= START_POSTS * state.seats:
            return None
        return BadOptionsError("This board has too few such cities for the first posts.", rule="E-12")

    def facts(self, ledger: EuropeLedger, seat: int, move: PlaceStartPost) -> None:
        ledger.emit(f.StartPostPlaced(seat, move.city))
        if ledger.state.post.count(seat) == START_POSTS:
            ledger.emit(f.StartCardsTaken(seat, terrain_cards(ledger.state, move.city)))
        ledger.steps.open_placement(ledger)

    def candidates(self, state: EuropeState, seat: int) -> Sequence[PlaceStartPost]:
        return state.tables.start_post


class PlaceStartPostByOptionRule(PlaceStartPostRule):
    """Version 2: the option `start_cities` says if first posts go to violet cities or to others (E-12)."""

    def allows(self, state: EuropeState, city: int) -> bool:
        """Return whether a first post may go to a city by the option."""
        return super().allows(state, city) == self._go_to_violet(state)

    def wrong_site(self, state: EuropeState) -> Refusal:
        """Return the refusal that fits the option."""
        if self._go_to_violet(state):
            return super().wrong_site(state)
        return VioletError("In this match the first posts go to cities that are not violet.", rule="E-12")

    def _go_to_violet(self, state: EuropeState) -> bool:
        # This rule belongs to the version with these options.
        options: EuropeOptions2 = state.setting.options  # type: ignore[assignment]
        return options.start_cities == "violet"


class PlaceNeutralPostRule(StartCityRule[PlaceNeutralPost]):
    """With three players, everybody places a neutral post (E-12)."""

    phases: ClassVar = (SET_UP_NEUTRAL,)

    def facts(self, ledger: EuropeLedger, seat: int, move: PlaceNeutralPost) -> None:
        ledger.emit(f.NeutralPostPlaced(seat, move.city))
        ledger.steps.open_placement(ledger)

    def candidates(self, state: EuropeState, seat: int) -> Sequence[PlaceNeutralPost]:
        return state.tables.neutral_post


class PlaceStartRouteRule(EuropeRule[PlaceStartRoute]):
    """The first route goes beside a post of one's own and joins no cities (E-12)."""

    phases: ClassVar = (SET_UP_ROUTE,)

    def blocked(self, state: EuropeState, seat: int, move: PlaceStartRoute) -> Refusal | None:
        path = state.tables.board.path_index.get(move.path)
        if path is None:
            return no_such_place("path", move.path)
        if state.route[path] != NOBODY:
            return PathTakenError("A route lies there already.", rule="E-12")
        if not state.index.own_paths[seat] >> path & 1:
            return NotBesideError("Your first route begins at a post of your own.", rule="E-12")
        if path not in self.sites(state, seat):
            return JoinsCitiesError("In the set-up, routes may not join two cities.", rule="E-12")
        return None

    def facts(self, ledger: EuropeLedger, seat: int, move: PlaceStartRoute) -> None:
        ledger.emit(f.StartRoutePlaced(seat, move.path))
        ledger.steps.open_placement(ledger)

    def candidates(self, state: EuropeState, seat: int) -> list[PlaceStartRoute]:
        return [state.tables.start_route[path] for path in numbers(free_paths(state, seat))]

    def sites(self, state: EuropeState, seat: int) -> list[int]:
        """Return the paths for a first route; if each would join two cities, all of them (E-12)."""
        free = numbers(free_paths(state, seat))
        return [path for path in free if not joins_cities(state, path)] or free


def free_paths(state: EuropeState, seat: int) -> int:
    """Return the free paths that end at a player's posts, as bits."""
    return state.index.own_paths[seat] & ~state.index.taken
