"""Merchants: hired, moved, and turned into posts (E-40, E-43, E-44)."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from itertools import compress
from operator import itemgetter
from typing import Any, ClassVar

from kontor_games.domain.game import Refusal
from kontor_games.domain.games.europe.data.components import GRAIN, Cards
from kontor_games.domain.games.europe.facts.merchants import MerchantHired, MerchantMoved, PostFounded
from kontor_games.domain.games.europe.moves import HireMerchant, MoveMerchant
from kontor_games.domain.games.europe.refusals import (
    CannotPayError,
    NoPieceLeftError,
    OutOfReachError,
    PieceNotThereError,
    PlaceOccupiedError,
    PriceDiffersError,
)
from kontor_games.domain.games.europe.rules.base import EuropeRule, M, PurchaseRule, Situation
from kontor_games.domain.games.europe.rules.conditions import new_piece, no_such_place, wrong_piece
from kontor_games.domain.games.europe.rules.steps import EuropeLedger
from kontor_games.domain.games.europe.state import NOBODY, EuropeState
from kontor_games.domain.games.europe.state.phases import ACTION

Walk = tuple[Callable[[Any], Any], Sequence[Any]]
"""The crossroads that a merchant can reach, nearest first.

A picker that selects them from a list of all crossroads, and the moves to them.
"""


class HireMerchantRule(PurchaseRule[HireMerchant]):
    """Hire a merchant, or move one, to one of your posts that has no merchant (E-40)."""

    phases: ClassVar = (ACTION,)
    price: ClassVar = Cards(wool=1, grain=1, lumber=1)

    def blocked(self, state: EuropeState, seat: int, move: HireMerchant) -> Refusal | None:
        city = state.tables.board.city_index.get(move.city)
        if city is None:
            return no_such_place("city", move.city)
        if state.post[city] != seat:
            return PlaceOccupiedError("You can hire merchants only at posts of your own.", rule="E-40")
        if not self.is_free(state, city):
            return PlaceOccupiedError("A merchant stands there already.", rule="E-40")
        return wrong_piece(state.merchants_of(seat), move.moved, "merchant") or self.unpaid(state, seat)

    def facts(self, ledger: EuropeLedger, seat: int, move: HireMerchant) -> None:
        merchant = new_piece(ledger.state.merchants_of(seat), move.moved)
        ledger.emit(MerchantHired(seat, merchant, move.city, self.price))

    def fast_listing(self, state: EuropeState, seat: int) -> Sequence[HireMerchant]:
        """Return a move for each such post; they are cached until merchants or posts change."""
        kept: Any = state.index.merchant_moves
        if seat not in kept:
            ready = state.tables.hire_merchant
            pieces: tuple[int | None, ...] = (None,) if NOBODY in state.merchants_of(seat) else (0, 1)
            free = [city for city in state.index.posts_of[seat] if self.is_free(state, city)]
            kept[seat] = [ready[city][moved] for city in free for moved in pieces]
        found: list[HireMerchant] = kept[seat]
        return found

    def is_free(self, state: EuropeState, city: int) -> bool:
        return state.tables.board.cities[city].crossroads not in state.merchants


class WalkRule(EuropeRule[M]):
    """A merchant walks along paths to a crossroads where it may stay (E-43, E-44)."""

    def unreachable(self, state: EuropeState, seat: int, merchant: int, to: str) -> Refusal | None:
        """Return why a merchant can't go there for any price, or None."""
        board, at = state.tables.board, state.merchant(seat, merchant)
        if at == NOBODY:
            return PieceNotThereError("That merchant is not on the board.", rule="E-43")
        end = board.crossroads_index.get(to)
        if end is None:
            return no_such_place("crossroads", to)
        if end in state.merchants:
            return PlaceOccupiedError("A merchant stands there already.", rule="E-43")
        city = board.city_at[end]
        if city >= 0 and not state.index.may_stay(state, seat, city):
            if state.post[city] == NOBODY:
                return NoPieceLeftError("You have no post left to found there.", rule="E-44")
            return PlaceOccupiedError(
                "Your merchants can't stay at a post that is not your own.", rule="E-43"
            )
        if end not in state.tables.distances(at):
            return OutOfReachError("No paths lead there.", rule="E-43")
        return None

    def distance(self, state: EuropeState, seat: int, merchant: int, to: str) -> int:
        at = state.merchant(seat, merchant)
        return state.tables.distances(at)[state.tables.board.crossroads_index[to]]

    def move_merchant(self, ledger: EuropeLedger, seat: int, merchant: int, to: str, grain: int) -> None:
        """Move a merchant the shortest way; in a city without a post it becomes one (E-44)."""
        state, board = ledger.state, ledger.state.tables.board
        end = board.crossroads_index[to]
        way = state.tables.way(state.merchant(seat, merchant), end)
        ledger.emit(MerchantMoved(seat, merchant, way, grain))
        city = board.city_at[end]
        if city >= 0 and state.post[city] == NOBODY:
            ledger.steps.found_post(ledger, seat, merchant, city)

    def walk(self, state: EuropeState, merchant: int, start: int, longest: int) -> Walk:
        """Return where a merchant can go from a crossroads in up to `longest` steps; cached by board."""
        memo, key = state.tables.memo, (self, merchant, start, longest)
        if key not in memo:
            ids, away = state.tables.board.crossroads, state.tables.distances(start)
            ends = {at: steps for at, steps in away.items() if steps <= longest}
            moves = [self.move_to(merchant, ids[at], steps) for at, steps in ends.items()]
            memo[key] = _picker(list(ends)), moves
        walk: Walk = memo[key]
        return walk

    @abstractmethod
    def move_to(self, merchant: int, to: str, steps: int) -> M:
        """Return the move of a merchant to a crossroads at this distance."""

    def all_ends(self, state: EuropeState, seat: int, longest: int) -> Sequence[M]:
        """Return where the merchants can go in `longest` steps; cached until merchants or posts change."""
        kept: Any = state.index.merchant_moves
        found: list[M] | None = kept.get((self, seat, longest))
        if found is None:
            found = kept[self, seat, longest] = []
            free = _free_ends(state, seat)
            for merchant, at in enumerate(state.merchants[seat * 2 : seat * 2 + 2]):
                if at >= 0:
                    picked, moves = self.walk(state, merchant, at, longest)
                    found += compress(moves, picked(free))
        return found


class MoveMerchantRule(WalkRule[MoveMerchant]):
    """A merchant moves for grain: one card per started group of steps (E-43)."""

    phases: ClassVar = (ACTION,)
    listed_in_full: ClassVar = False
    steps_per_grain: ClassVar = 3

    def grain_for(self, steps: int) -> int:
        """Return the grain that a number of steps costs."""
        return -(-steps // self.steps_per_grain)

    def blocked(self, state: EuropeState, seat: int, move: MoveMerchant) -> Refusal | None:
        if refusal := self.unreachable(state, seat, move.merchant, move.to):
            return refusal
        grain = self.grain_for(self.distance(state, seat, move.merchant, move.to))
        if state.held(seat, GRAIN) < grain:
            return CannotPayError(f"This costs {grain} grain.", rule="E-43")
        if move.grain not in (None, grain):
            return PriceDiffersError(f"This costs {grain} grain, not {move.grain}.", rule="E-43")
        return None

    def facts(self, ledger: EuropeLedger, seat: int, move: MoveMerchant) -> None:
        grain = self.grain_for(self.distance(ledger.state, seat, move.merchant, move.to))
        self.move_merchant(ledger, seat, move.merchant, move.to, grain)

    def fits(self, now: Situation) -> bool:
        return now.hand[GRAIN] > 0

    def counts(self) -> tuple[int, ...]:
        """Return the least grain that is paid."""
        return (1,)

    def fast_listing(self, state: EuropeState, seat: int) -> Sequence[MoveMerchant]:
        return self.all_ends(state, seat, state.hands[seat * 5 + GRAIN] * self.steps_per_grain)

    def move_to(self, merchant: int, to: str, steps: int) -> MoveMerchant:
        return MoveMerchant(merchant, to, self.grain_for(steps))


def found_post(ledger: EuropeLedger, seat: int, merchant: int, city: int) -> None:
    """Turn a merchant into a post (E-44, E-45).

    If just one hex beside it has no number, it gets a token, provided that the sea holds one.
    """
    state, tables = ledger.state, ledger.state.tables
    empty = tuple([tables.hex_ids[h] for h in tables.hexes_of[city] if not state.number[h]])
    ledger.emit(PostFounded(seat, merchant, tables.city_ids[city], tables.board.cities[city].gold, empty))
    only = state.token_hexes
    if len(only) == 1 and state.sea[tables.yields[only[0]]]:
        ledger.steps.place_token(ledger, seat, only[0])


def _free_ends(state: EuropeState, seat: int) -> bytearray:
    """Return for each crossroads whether a merchant of this player may end its move there (E-43, E-44)."""
    free = bytearray(state.index.stays[seat])
    for at in state.merchants:
        free[at] = 0
    return free


def _picker(ends: Sequence[int]) -> Callable[[Any], Any]:
    """Return a function that picks these places from a list; the last one twice, to always get a tuple."""
    return itemgetter(*ends, -1, -1)
