"""Merchants: hired, moved, settled; and the number tokens that new posts bring (E-40, E-43 to E-45, E-61)."""

from itertools import compress

from kontor_games.domain.game import Ledger, Move
from kontor_games.domain.games.europe.atlas import TREATY_STEPS, Walk, grain_for
from kontor_games.domain.games.europe.checks import afford, on_turn, place
from kontor_games.domain.games.europe.facts_build import MerchantHired
from kontor_games.domain.games.europe.facts_travel import (
    HexLeftEmpty,
    MerchantMoved,
    PostFounded,
    TokenPlaced,
    TokenShifted,
)
from kontor_games.domain.games.europe.moves import (
    HireMerchant,
    LeaveHexEmpty,
    MoveMerchant,
    PlaceToken,
    ShiftToken,
)
from kontor_games.domain.games.europe.refusals import (
    CannotPayError,
    NoPieceLeftError,
    NoSuchChoiceError,
    OutOfReachError,
    PieceNotThereError,
    PlaceOccupiedError,
    PriceDiffersError,
)
from kontor_games.domain.games.europe.resources import GRAIN, MERCHANT_COST, counts_of
from kontor_games.domain.games.europe.state import ACTION, NOBODY, TOKEN, EuropeState

LEAVE_HEX_EMPTY = LeaveHexEmpty()
_PRICE = counts_of(MERCHANT_COST)


def check_moved(pieces: list[int], seat: int, moved: int | None, kind: str) -> None:
    """Which piece moves has to be said when both are on the board, and only then (E-40)."""
    both = NOBODY not in pieces[seat * 2 : seat * 2 + 2]
    if both and moved is None:
        raise NoPieceLeftError(f"Both your {kind}s are on the board: say which one is moved.", rule="E-40")
    if moved is not None and not both:
        raise PieceNotThereError(f"You have a {kind} left, so none is moved.", rule="E-40")


def new_piece(pieces: list[int], seat: int, moved: int | None) -> int:
    """The number of the piece that comes to the board."""
    return pieces[seat * 2 : seat * 2 + 2].index(NOBODY) if moved is None else moved


def variants(pieces: list[int], seat: int) -> tuple[int, ...]:
    """Which of the ready-made moves apply: a new piece, or either one moved."""
    return (0,) if NOBODY in pieces[seat * 2 : seat * 2 + 2] else (1, 2)


def verify_hire(state: EuropeState, seat: int, wanted: HireMerchant) -> None:
    """On a post of one's own where no merchant stands (E-40)."""
    on_turn(state, seat, ACTION)
    city = place(state.atlas.board.city_index, wanted.city, "city")
    if state.post[city] != seat:
        raise PlaceOccupiedError("Merchants are hired at posts of your own.", rule="E-40")
    if state.atlas.board.cities[city].crossroads in state.merchants:
        raise PlaceOccupiedError("A merchant stands there already.", rule="E-40")
    check_moved(state.merchants, seat, wanted.moved, "merchant")
    afford(state, seat, _PRICE, "E-40")


def decide_hire(ledger: Ledger[EuropeState], seat: int, wanted: HireMerchant) -> None:
    """New, or moved there."""
    piece = new_piece(ledger.state.merchants, seat, wanted.moved)
    ledger.emit(MerchantHired(seat, piece, wanted.city, MERCHANT_COST))


def hire_moves(state: EuropeState, seat: int) -> list[Move]:
    """Every post where a merchant can be hired; kept until merchants or posts change."""
    if seat not in state.ways:
        cities, ready = state.atlas.board.cities, state.atlas.hire_merchant
        free = [
            city for city in sorted(state.own_posts[seat]) if cities[city].crossroads not in state.merchants
        ]
        state.ways[seat] = [ready[city][which] for city in free for which in variants(state.merchants, seat)]
    return state.ways[seat]


def open_ends(state: EuropeState, seat: int, key: int, walk: Walk) -> list[Move]:
    """The moves of a walk that may end where they do; kept until merchants or posts change."""
    found = state.ways.get((seat, key))
    if found is None:
        picked, moves = walk
        found = state.ways[seat, key] = list(compress(moves, picked(free_ends(state, seat))))
    return found


def free_ends(state: EuropeState, seat: int) -> bytearray:
    """Crossroads to whether a merchant of this player may end its move there (E-43, E-44)."""
    free = bytearray(state.welcome[seat])
    for at in state.merchants:
        free[at] = 0
    return free


def merchant_moves(state: EuropeState, seat: int, found: list[Move]) -> None:
    """Where each merchant can go for all the grain in hand (E-43)."""
    grain = state.hands[seat * 5 + GRAIN]
    for merchant in (0, 1):
        at = state.merchants[seat * 2 + merchant]
        if at >= 0:
            found += open_ends(state, seat, grain * 2 + merchant, state.atlas.walks(merchant, at)[grain])


def treaty_moves(state: EuropeState, seat: int, found: list[Move]) -> None:
    """Where a trade treaty can take each merchant (E-61)."""
    for merchant in (0, 1):
        at = state.merchants[seat * 2 + merchant]
        if at >= 0:
            found += open_ends(state, seat, -1 - merchant, state.atlas.treaty_walks(merchant, at))


def verify_walk(state: EuropeState, seat: int, merchant: int, to: str) -> int:
    """A merchant on the board and an end where it may stay; returns the steps (E-43, E-44)."""
    board, at = state.atlas.board, state.merchants[seat * 2 + merchant]
    if at == NOBODY:
        raise PieceNotThereError("That merchant is not on the board.", rule="E-43")
    end = place(board.crossroads_index, to, "crossroads")
    if end in state.merchants:
        raise PlaceOccupiedError("A merchant stands there already.", rule="E-43")
    if board.city_at[end] >= 0:
        verify_settling(state, seat, state.post[board.city_at[end]])
    steps = state.atlas.distances(at).get(end)
    if steps is None:
        raise OutOfReachError("No way leads there.", rule="E-43")
    return steps


def verify_settling(state: EuropeState, seat: int, owner: int) -> None:
    """A city is one's own or empty, and then a post is left (E-43, E-44)."""
    if owner not in (seat, NOBODY):
        raise PlaceOccupiedError("A merchant can't stay at a post that is not its owner's.", rule="E-43")
    if owner == NOBODY and not state.posts_left[seat]:
        raise NoPieceLeftError("You have no post left to found there.", rule="E-44")


def verify_move(state: EuropeState, seat: int, wanted: MoveMerchant) -> None:
    """One grain for every three steps begun (E-43)."""
    on_turn(state, seat, ACTION)
    grain = grain_for(verify_walk(state, seat, wanted.merchant, wanted.to))
    if state.hands[seat * 5 + GRAIN] < grain:
        raise CannotPayError(f"That takes {grain} grain.", rule="E-43")
    if wanted.grain not in (None, grain):
        raise PriceDiffersError(f"That takes {grain} grain.", rule="E-43")


def decide_move(ledger: Ledger[EuropeState], seat: int, wanted: MoveMerchant) -> None:
    """It goes the shortest way."""
    go(ledger, seat, wanted.merchant, wanted.to, paid=True)


def verify_treaty_walk(state: EuropeState, seat: int, merchant: int, to: str) -> None:
    """Up to 7 steps (E-61)."""
    if verify_walk(state, seat, merchant, to) > TREATY_STEPS:
        raise OutOfReachError(
            f"A trade treaty takes a merchant {TREATY_STEPS} crossroads at most.", rule="E-61"
        )


def go(ledger: Ledger[EuropeState], seat: int, merchant: int, to: str, *, paid: bool) -> None:
    """The move as a whole, and the post where it ends in a city without one (E-44)."""
    state, board = ledger.state, ledger.state.atlas.board
    end = board.crossroads_index[to]
    way = state.atlas.way(state.merchants[seat * 2 + merchant], end)
    ledger.emit(MerchantMoved(seat, merchant, way, grain_for(len(way)) if paid else 0))
    city = board.city_at[end]
    if city >= 0 and state.post[city] == NOBODY:
        empty = tuple([state.atlas.hex_ids[h] for h in state.atlas.hexes_of[city] if not state.number[h]])
        ledger.emit(PostFounded(seat, merchant, board.cities[city].id, board.cities[city].gold, empty))
        only = state.token_hexes
        if len(only) == 1 and state.sea[state.atlas.yields[only[0]]]:
            draw_token(ledger, seat, only[0])


def draw_token(ledger: Ledger[EuropeState], seat: int, hexagon: int) -> None:
    """A random one of the hex's colour (E-45)."""
    state = ledger.state
    left = state.sea[state.atlas.yields[hexagon]]
    number = left[ledger.chance.draws("tokens", state.token_draws).below(len(left))]
    ledger.emit(TokenPlaced(seat, state.atlas.hex_ids[hexagon], number))


def verify_token_hex(state: EuropeState, seat: int, name: str) -> int:
    """One of the hexes beside the new post that bear no number."""
    on_turn(state, seat, TOKEN)
    hexagon = place(state.atlas.board.hex_index, name, "hex")
    if hexagon not in state.token_hexes:
        raise NoSuchChoiceError("That is no hex without number beside the new post.", rule="E-45")
    return hexagon


def verify_token(state: EuropeState, seat: int, wanted: PlaceToken) -> None:
    """The sea holds a token of that colour."""
    hexagon = verify_token_hex(state, seat, wanted.hex)
    if not state.sea[state.atlas.yields[hexagon]]:
        raise NoSuchChoiceError("The sea holds no token of that colour.", rule="E-45")


def decide_token(ledger: Ledger[EuropeState], seat: int, wanted: PlaceToken) -> None:
    """Which one it is, chance says."""
    draw_token(ledger, seat, ledger.state.atlas.board.hex_index[wanted.hex])


def verify_shift(state: EuropeState, seat: int, wanted: ShiftToken) -> None:
    """The sea holds none, and the other hex bears a token of that colour."""
    hexagon = verify_token_hex(state, seat, wanted.hex)
    if state.sea[state.atlas.yields[hexagon]]:
        raise NoSuchChoiceError("The sea still holds a token of that colour.", rule="E-45")
    source = place(state.atlas.board.hex_index, wanted.source, "hex")
    if source not in token_sources(state, hexagon):
        raise NoSuchChoiceError("No token of that colour lies there.", rule="E-45")


def decide_shift(ledger: Ledger[EuropeState], seat: int, wanted: ShiftToken) -> None:
    """A hex that loses its token produces no more."""
    state = ledger.state
    number = state.number[state.atlas.board.hex_index[wanted.source]]
    ledger.emit(TokenShifted(seat, wanted.source, wanted.hex, number))


def verify_leave(state: EuropeState, seat: int, wanted: LeaveHexEmpty) -> None:
    """Only a hex whose colour has run out may stay empty."""
    on_turn(state, seat, TOKEN)
    if all(state.sea[state.atlas.yields[h]] for h in state.token_hexes):
        raise NoSuchChoiceError("The sea holds a token, so one must be placed.", rule="E-45")


def decide_leave(ledger: Ledger[EuropeState], seat: int, wanted: LeaveHexEmpty) -> None:
    """No token moves."""
    ledger.emit(HexLeftEmpty(seat))


def token_sources(state: EuropeState, hexagon: int) -> list[int]:
    """The hexes from which a token may be moved to this one: same colour, never a printed number."""
    colour = state.atlas.yields[hexagon]
    return [h for h, lies in enumerate(state.token) if lies and state.atlas.yields[h] == colour]


def token_moves(state: EuropeState) -> list[Move]:
    """A token from the sea where it holds the colour, else one from another hex, or none."""
    ids, found = state.atlas.hex_ids, list[Move]()
    dry = [h for h in state.token_hexes if not state.sea[state.atlas.yields[h]]]
    found += [PlaceToken(ids[h]) for h in state.token_hexes if h not in dry]
    found += [ShiftToken(ids[source], ids[h]) for h in dry for source in token_sources(state, h)]
    return [*found, LEAVE_HEX_EMPTY] if dry else found
