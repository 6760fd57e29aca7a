"""The table as a few lines of text, for a person at a terminal."""

from collections.abc import Iterator, Sequence

from kontor_games.domain.codec import ARBITER
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import CARDS, kind_of
from kontor_games.domain.games.europe.state import NEUTRAL, NOBODY, EuropeState
from kontor_games.domain.games.europe.text.phrases import number_of
from kontor_games.domain.games.europe.text.place_names import PlaceNames, place_names
from kontor_games.domain.toolkit.sentences import listed


def scene(state: EuropeState, viewer: int, names: Sequence[str]) -> str:
    """Return three lines for each player, then the robber and what the supply holds."""
    places = place_names(state.tables.board)
    lines = [line for seat in range(state.seats) for line in _player(places, state, seat, viewer, names)]
    lines += [f"  neutral posts: {posts}"] if (posts := _posts(places, state, NEUTRAL)) else []
    hexagon = state.tables.hex_ids[state.robber]
    lines.append(
        f"  robber on {places.hex(hexagon)} · supply {_supply(state)} · pile {number_of(sum(state.pile), 'card')}"
    )
    return "\n".join(lines)


def _player(
    places: PlaceNames, state: EuropeState, seat: int, viewer: int, names: Sequence[str]
) -> Iterator[str]:
    goods = state.setting.goods
    mark = "◆" if seat == state.active else " "
    yield (
        f"{mark} {names[seat]} ({state.setting.colours[seat]}): {state.delivered[seat]} of {goods} goods delivered, {state.free_goods[seat]} free · "
        f"{state.gold[seat]} gold · {_hand(state, seat, viewer)} · {_cards(state, seat, viewer)}"
    )
    laid = state.route.count(seat)
    yield f"    posts: {_posts(places, state, seat) or 'none yet'} · {number_of(laid, 'route')}"
    under_way = [*_merchants(places, state, seat), *_caravans(places, state, seat)]
    if under_way:
        yield f"    {' · '.join(under_way)}"


def _hand(state: EuropeState, seat: int, viewer: int) -> str:
    if viewer in (seat, ARBITER):
        held = [f"{count} {name}" for name, count in zip(RESOURCES, state.hand(seat), strict=True) if count]
        return listed(held) if held else "no resources"
    return number_of(state.sizes[seat], "resource")


def _cards(state: EuropeState, seat: int, viewer: int) -> str:
    held = [kind_of(card) for card in state.cards[seat]]
    if state.fresh != NOBODY and seat == state.active:
        held.append(kind_of(state.fresh))
    if held and viewer in (seat, ARBITER):
        return listed([CARDS[kind].replace("_", " ") for kind in sorted(held)])
    return number_of(len(held), "development card")


def _posts(places: PlaceNames, state: EuropeState, owner: int) -> str:
    """Those that hold a good already with a dot."""
    cities = places.board.cities
    return ", ".join(
        cities[i].name + ("•" if state.good[i] != NOBODY else "")
        for i, whose in enumerate(state.post)
        if whose == owner
    )


def _merchants(places: PlaceNames, state: EuropeState, seat: int) -> list[str]:
    standing = [at for at in state.merchants_of(seat) if at >= 0]
    return [f"merchant at {places.crossroads(places.board.crossroads[at])}" for at in standing]


def _caravans(places: PlaceNames, state: EuropeState, seat: int) -> list[str]:
    standing = [at for at in state.caravans_of(seat) if at >= 0]
    return [f"caravan {places.path(state.tables.path_ids[at])}" for at in standing]


def _supply(state: EuropeState) -> str:
    return ", ".join(f"{count} {name}" for name, count in zip(RESOURCES, state.supply, strict=True))
