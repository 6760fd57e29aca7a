"""The set-up: who begins, and what stands on the board before the first turn (E-10 to E-14)."""

from kontor_games.domain.chance import Chance
from kontor_games.domain.game import Ledger, Move
from kontor_games.domain.games.europe.atlas import numbers
from kontor_games.domain.games.europe.board import RESOURCES
from kontor_games.domain.games.europe.checks import on_turn, place
from kontor_games.domain.games.europe.facts_setup import (
    ColourPlaced,
    FirstPlayerFound,
    NeutralPostPlaced,
    NeutralPostsPlaced,
    PlacementOpened,
    StartCardsTaken,
    StartPostPlaced,
    StartRoll,
    StartRolled,
    StartRoutePlaced,
)
from kontor_games.domain.games.europe.facts_turn import TurnBegan
from kontor_games.domain.games.europe.moves import PlaceNeutralPost, PlaceStartPost, PlaceStartRoute
from kontor_games.domain.games.europe.refusals import (
    CityTakenError,
    JoinsCitiesError,
    NotBesideError,
    NotVioletError,
    PathTakenError,
)
from kontor_games.domain.games.europe.resources import FIXED_RESOURCES, Cards
from kontor_games.domain.games.europe.state import (
    NOBODY,
    SET_UP_NEUTRAL,
    SET_UP_POST,
    SET_UP_ROUTE,
    EuropeState,
)

START_POSTS = 3


def deal(ledger: Ledger[EuropeState]) -> None:
    """Finds the first player; then the fixed set-up, or the first placement of the free one."""
    find_first(ledger)
    if ledger.state.setting.free:
        open_next(ledger)
    else:
        place_colours(ledger)
        ledger.emit(TurnBegan(ledger.state.first, 1))


def find_first(ledger: Ledger[EuropeState]) -> None:
    """All roll, those tied for highest again, until one is left (E-13)."""
    tied = tuple(range(ledger.state.seats))
    while len(tied) > 1:
        rolls = start_rolls(ledger.chance, ledger.state.start_rolls, tied)
        ledger.emit(StartRolled(rolls))
        best = max(sum(roll.dice) for roll in rolls)
        tied = tuple(roll.seat for roll in rolls if sum(roll.dice) == best)
    ledger.emit(FirstPlayerFound(tied[0]))


def start_rolls(chance: Chance, index: int, seats: tuple[int, ...]) -> tuple[StartRoll, ...]:
    """Two dice for each of these seats."""
    draws = chance.draws("first_player", index)
    return tuple(StartRoll(seat, (draws.below(6) + 1, draws.below(6) + 1)) for seat in seats)


def place_colours(ledger: Ledger[EuropeState]) -> None:
    """What the board names for each colour; the fourth stands as neutral posts with three players (E-10, E-11)."""
    setting, atlas = ledger.state.setting, ledger.state.atlas
    for seat, colour in enumerate(setting.colours):
        start = atlas.board.fixed[colour]
        cities = tuple(atlas.city_ids[city] for city in start.posts)
        ledger.emit(ColourPlaced(seat, cities, atlas.path_ids[start.route], FIXED_RESOURCES[colour]))
    if setting.neutral is not None:
        ledger.emit(
            NeutralPostsPlaced(
                tuple(atlas.city_ids[city] for city in atlas.board.fixed[setting.neutral].posts)
            )
        )


def open_next(ledger: Ledger[EuropeState]) -> None:
    """Whose placement is next, or the first turn (E-12)."""
    state = ledger.state
    order = [(state.first + step) % state.seats for step in range(state.seats)]
    posts = order + order[::-1] + order
    neutral = order[::-1] if state.seats == 3 else []
    if state.placed < len(posts):
        ledger.emit(PlacementOpened(posts[state.placed], "post"))
    elif state.placed < len(posts) + len(neutral):
        ledger.emit(PlacementOpened(neutral[state.placed - len(posts)], "neutral_post"))
    else:
        open_route(ledger, order[::-1])


def open_route(ledger: Ledger[EuropeState], order: list[int]) -> None:
    """The next player without a route who has a free path beside a post; on boards of other groups there may be none."""
    state = ledger.state
    waiting = [seat for seat in order if not state.laid[seat] and state.doors[seat] & ~state.taken]
    ledger.emit(PlacementOpened(waiting[0], "route") if waiting else TurnBegan(state.first, 1))


def verify_city(state: EuropeState, name: str) -> None:
    """A violet city where no post stands (E-12)."""
    city = place(state.atlas.board.city_index, name, "city")
    if not state.atlas.board.cities[city].violet:
        raise NotVioletError("The first posts go to violet cities.", rule="E-12")
    if state.post[city] != NOBODY:
        raise CityTakenError("A post stands there already.", rule="E-12")


def free_violet(state: EuropeState) -> list[int]:
    """The violet cities without post."""
    return [city for city in state.atlas.violet if state.post[city] == NOBODY]


def verify_start_post(state: EuropeState, seat: int, wanted: PlaceStartPost) -> None:
    """One's own posts come first."""
    on_turn(state, seat, SET_UP_POST)
    verify_city(state, wanted.city)


def decide_start_post(ledger: Ledger[EuropeState], seat: int, wanted: PlaceStartPost) -> None:
    """The third one gives a card for each terrain beside it."""
    ledger.emit(StartPostPlaced(seat, wanted.city))
    state = ledger.state
    if len(state.own_posts[seat]) == START_POSTS:
        ledger.emit(StartCardsTaken(seat, terrain_cards(state, state.own_posts[seat][-1])))
    open_next(ledger)


def terrain_cards(state: EuropeState, city: int) -> Cards:
    """One card for each land hex beside a city, numbered or not (E-12)."""
    found = [state.atlas.yields[h] for h in state.atlas.hexes_of[city]]
    return Cards(*(found.count(r) for r in range(len(RESOURCES))))


def verify_neutral_post(state: EuropeState, seat: int, wanted: PlaceNeutralPost) -> None:
    """With three players only; the phase says so."""
    on_turn(state, seat, SET_UP_NEUTRAL)
    verify_city(state, wanted.city)


def decide_neutral_post(ledger: Ledger[EuropeState], seat: int, wanted: PlaceNeutralPost) -> None:
    """It belongs to nobody."""
    ledger.emit(NeutralPostPlaced(seat, wanted.city))
    open_next(ledger)


def start_paths(state: EuropeState, seat: int) -> list[int]:
    """The paths for a first route; where none keeps all cities isolated, that ban is waived (E-12)."""
    free = numbers(state.doors[seat] & ~state.taken)
    return [path for path in free if not joins_cities(state, path)] or free


def joins_cities(state: EuropeState, path: int) -> bool:
    """Whether a route there would join two cities."""
    along = state.atlas.board.paths[path]
    a, b = state.root[along.a], state.root[along.b]
    return a != b and state.cities_in[a] > 0 and state.cities_in[b] > 0


def verify_start_route(state: EuropeState, seat: int, wanted: PlaceStartRoute) -> None:
    """A free path beside a post of one's own that joins no cities (E-12)."""
    on_turn(state, seat, SET_UP_ROUTE)
    path = place(state.atlas.board.path_index, wanted.path, "path")
    if state.route[path] != NOBODY:
        raise PathTakenError("A route lies there already.", rule="E-12")
    if not state.doors[seat] >> path & 1:
        raise NotBesideError("The first route begins at a post of your own.", rule="E-12")
    if path not in start_paths(state, seat):
        raise JoinsCitiesError("In the set-up no routes may join two cities.", rule="E-12")


def decide_start_route(ledger: Ledger[EuropeState], seat: int, wanted: PlaceStartRoute) -> None:
    """With a caravan on it."""
    ledger.emit(StartRoutePlaced(seat, wanted.path))
    open_next(ledger)


def set_up_moves(state: EuropeState, seat: int) -> list[Move]:
    """What can be placed now."""
    atlas = state.atlas
    if state.phase == SET_UP_POST:
        return [atlas.start_post[city] for city in free_violet(state)]
    if state.phase == SET_UP_NEUTRAL:
        return [atlas.neutral_post[city] for city in free_violet(state)]
    return [atlas.start_route[path] for path in start_paths(state, seat)]
