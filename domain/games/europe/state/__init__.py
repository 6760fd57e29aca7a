"""The state of a match: the pieces on the board, the hands, the turn and pending choices.

It contains no rules. Values derived from the pieces by a version of the rules are in `index`, whose class the
ruleset provides and which is notified of every piece that changes. Places are numbered as on the board.
"""

from collections.abc import Callable, Sequence
from operator import add, sub
from typing import TYPE_CHECKING, Any, NamedTuple

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import State
from kontor_games.domain.games.europe.data.components import (
    DECK,
    RINGED,
    ROUTES,
    SINGLES,
    START_GOLD,
    SUPPLY,
    TERMS,
    TOKENS,
    Terms,
    kind_of,
)
from kontor_games.domain.games.europe.options import EuropeOptions
from kontor_games.domain.games.europe.state.board_tables import BoardTables
from kontor_games.domain.games.europe.state.phases import DEALING, PHASES

if TYPE_CHECKING:
    from kontor_games.domain.games.europe.rules.index import Index

NOBODY = -1
"""No seat, no place, no card."""
NEUTRAL = 4
"""The owner of neutral posts (E-11); seats are 0 to 3."""


class Setting(NamedTuple):
    """The constants of a match, fixed before its first fact."""

    tables: BoardTables
    options: EuropeOptions
    seats: int
    colours: tuple[str, ...]
    neutral: str | None
    """The unused colour, with three players."""
    free: bool
    """Free set-up (E-12) rather than the fixed one (E-10)."""
    turn_limit: int
    posts: int
    goods: int


class Offer(NamedTuple):
    """A trade that waits for an answer (E-30)."""

    number: int
    maker: int
    to: tuple[int, ...]
    """The seats that have not answered yet."""
    give: Terms
    want: Terms


class Theft(NamedTuple):
    """A theft, and the minimum that the two hands were seen to hold since the theft before it."""

    thief: int
    victim: int
    resource: int
    hand: tuple[int, ...]
    """The victim's hand before the theft."""
    thief_low: tuple[int, ...]
    victim_low: tuple[int, ...]


_BOARD = ("good", "number", "post", "route", "token")
"""Slots with a list for the whole board. Copies share it, so it is replaced when a piece changes."""
_LISTS = (
    *("caravans", "cards", "delivered", "discarded", "due", "free_goods", "gold", "hands", "low"),
    *("merchants", "offers_made", "pile", "posts_left", "routes_left", "sea", "sizes", "supply", "tolls"),
)
"""Slots that hold a list of their own."""
_VALUES = (
    *("active", "bonus", "bribed", "card_played", "chains", "deck_draws", "dice", "ended", "epoch"),
    *("first", "free_routes", "fresh", "gold_buys", "joined", "moving", "offer_count", "offers", "phase"),
    *("placed", "places", "robber", "robber_due", "rolled", "rolls", "start_rolls", "steps", "theft_draws"),
    *("thefts", "token_draws", "token_hexes", "turn", "victims"),
)
"""Slots whose values are replaced, never changed."""
_FIXED = ("find_phase", "seats", "setting", "tables")
"""Slots that stay as they are for a whole match."""
_DUMPED = tuple(name for name in (*sorted((*_BOARD, *_LISTS)), *_VALUES) if name != "sizes")


_new = object.__new__


class EuropeState(State):
    """The complete state of one match, with everything hidden."""

    __slots__ = (*_BOARD, *_LISTS, *_VALUES, *_FIXED, "index", "shown_board")
    STATIC = frozenset((*_FIXED, "index", "shown_board"))
    PARTS = (Offer, Terms, Theft)

    def __init__(
        self,
        setting: Setting,
        index: "Callable[[EuropeState], Index]",
        find_phase: "Callable[[EuropeState], int]",
    ) -> None:
        """Set the table: tokens on the ring-marked spaces (E-6), everything else in stock."""
        self.setting = setting
        self.seats = setting.seats
        self.tables = setting.tables
        self.find_phase = find_phase
        self._begin_board(setting)
        self._begin_hands(setting.seats)
        self._begin_turns()
        self._begin_choices(setting.seats)
        self.index = index(self)
        self.shown_board: tuple[tuple[list[int], ...], dict[str, Plain]] = ((), {})
        """The lists of the board of which a view was made last, and that part of the view."""

    def _begin_board(self, setting: Setting) -> None:
        board, seats, yields = setting.tables.board, setting.seats, setting.tables.yields
        self.number = [h.number or (RINGED[yields[i]] if h.ringed else 0) for i, h in enumerate(board.hexes)]
        self.token = [int(h.ringed) for h in board.hexes]
        self.sea = [tuple(n for n in TOKENS[r] if n != RINGED[r]) for r in range(5)]
        self.robber = board.robber
        self.post = [NOBODY] * len(board.cities)
        self.good = [NOBODY] * len(board.cities)
        self.route = [NOBODY] * len(board.paths)
        self.posts_left = [setting.posts] * seats
        self.routes_left = [ROUTES] * seats
        self.caravans = [NOBODY] * (seats * 2)
        self.merchants = [NOBODY] * (seats * 2)

    def _begin_hands(self, seats: int) -> None:
        self.hands = [0] * (seats * 5)
        self.sizes = [0] * seats
        self.low = [0] * (seats * 5)
        """The minimum of each resource that each hand has been seen to hold since its last theft."""
        self.thefts: tuple[Theft, ...] = ()
        self.supply = [SUPPLY] * 5
        self.gold = [START_GOLD] * seats
        self.free_goods = [1] * seats
        self.delivered = [0] * seats
        self.cards: list[tuple[int, ...]] = [()] * seats
        """Development cards that may be played."""
        self.fresh = NOBODY
        """The development card bought this turn."""
        self.pile = list(DECK)
        self.discarded = [0] * len(DECK)
        self.epoch = 0
        """How often the pile has been renewed."""

    def _begin_turns(self) -> None:
        self.phase = DEALING
        self.first = self.active = NOBODY
        self.turn = self.placed = 0
        self.rolled = False
        self.dice = (0, 0)
        self.ended = ""
        self.places: tuple[int, ...] = ()
        self.start_rolls = self.rolls = self.deck_draws = self.token_draws = self.theft_draws = 0

    def _begin_choices(self, seats: int) -> None:
        self.tolls = [0, 0]
        """For each caravan of the player on turn the owners already paid, as bits."""
        self.moving = NOBODY
        """The caravan that moved last in this turn."""
        self.steps = 0
        """The steps that this caravan has left."""
        self.bribed = self.card_played = self.robber_due = False
        self.gold_buys = 0
        self.due = [0] * seats
        self.victims: tuple[int, ...] = ()
        self.chains: tuple[tuple[str, ...], ...] = ()
        self.joined: tuple[str, ...] = ()
        """The cities for which one of the chains pays."""
        self.bonus = NOBODY
        self.free_routes = 0
        self.token_hexes: tuple[int, ...] = ()
        self.offers: tuple[Offer, ...] = ()
        self.offer_count = 0
        self.offers_made = [0] * seats

    def __repr__(self) -> str:
        return f"<EuropeState: turn {self.turn}, seat {self.active} of {self.seats}, {PHASES[self.phase]}>"

    def copy(self) -> "EuropeState":
        """Return an independent state; it shares everything that is replaced and never changed."""
        twin = _new(EuropeState)
        twin.good, twin.number, twin.post = self.good, self.number, self.post
        twin.route, twin.token = self.route, self.token
        twin.caravans, twin.cards, twin.delivered = self.caravans[:], self.cards[:], self.delivered[:]
        twin.discarded, twin.due, twin.free_goods = self.discarded[:], self.due[:], self.free_goods[:]
        twin.gold, twin.hands, twin.low = self.gold[:], self.hands[:], self.low[:]
        twin.merchants, twin.offers_made, twin.pile = self.merchants[:], self.offers_made[:], self.pile[:]
        twin.posts_left, twin.routes_left, twin.sea = self.posts_left[:], self.routes_left[:], self.sea[:]
        twin.sizes, twin.supply, twin.tolls = self.sizes[:], self.supply[:], self.tolls[:]
        twin.active, twin.bonus, twin.bribed = self.active, self.bonus, self.bribed
        twin.card_played, twin.chains, twin.deck_draws = self.card_played, self.chains, self.deck_draws
        twin.dice, twin.ended, twin.epoch = self.dice, self.ended, self.epoch
        twin.first, twin.free_routes, twin.fresh = self.first, self.free_routes, self.fresh
        twin.gold_buys, twin.joined, twin.moving = self.gold_buys, self.joined, self.moving
        twin.offer_count, twin.offers, twin.phase = self.offer_count, self.offers, self.phase
        twin.placed, twin.places, twin.robber = self.placed, self.places, self.robber
        twin.robber_due, twin.rolled, twin.rolls = self.robber_due, self.rolled, self.rolls
        twin.start_rolls, twin.steps, twin.theft_draws = self.start_rolls, self.steps, self.theft_draws
        twin.thefts, twin.token_draws, twin.token_hexes = self.thefts, self.token_draws, self.token_hexes
        twin.turn, twin.victims, twin.find_phase = self.turn, self.victims, self.find_phase
        twin.seats, twin.setting, twin.tables = self.seats, self.setting, self.tables
        twin.index, twin.shown_board = _copied_index(self.index), self.shown_board
        return twin

    def dump(self) -> Plain:
        """Return the complete state as plain data, without derived values."""
        return {"setting": _plain(self.setting[2:])} | {name: _plain(getattr(self, name)) for name in _DUMPED}

    def restored(self) -> None:
        """Recompute the index from the pieces."""
        self.index = type(self.index)(self)

    # --- places in the lists --------------------------------------------------------------------------------

    def hand(self, seat: int) -> list[int]:
        """Return how many cards of each resource a player holds."""
        return self.hands[seat * 5 : seat * 5 + 5]

    def held(self, seat: int, resource: int) -> int:
        """Return how many cards of one resource a player holds."""
        return self.hands[seat * 5 + resource]

    def merchant(self, seat: int, merchant: int) -> int:
        """Return the crossroads of one merchant, or NOBODY."""
        return self.merchants[seat * 2 + merchant]

    def merchants_of(self, seat: int) -> list[int]:
        """Return the crossroads of a player's two merchants, or NOBODY."""
        return self.merchants[seat * 2 : seat * 2 + 2]

    def caravans_of(self, seat: int) -> list[int]:
        """Return the paths of a player's two caravans, or NOBODY."""
        return self.caravans[seat * 2 : seat * 2 + 2]

    def caravan(self, seat: int, caravan: int) -> int:
        """Return the path of one caravan, or NOBODY."""
        return self.caravans[seat * 2 + caravan]

    def holds_card(self, seat: int, kind: int) -> bool:
        """Return whether a player has a development card of this kind that was not bought this turn."""
        return any(kind_of(card) == kind for card in self.cards[seat])

    def offer(self, number: int) -> Offer:
        return next(offer for offer in self.offers if offer.number == number)

    # --- pieces: what facts change --------------------------------------------------------------------------

    def set_post(self, city: int, owner: int) -> None:
        self.post = _replaced(self.post, city, owner)
        if owner != NEUTRAL:
            self.posts_left[owner] -= 1
        self.index.post_placed(self, city, owner)

    def set_good(self, city: int, owner: int) -> None:
        """Put a good on the post of a city."""
        self.good = _replaced(self.good, city, owner)
        self.index.good_placed(self, city)

    def set_number(self, hexagon: int, number: int) -> None:
        """Put a token on a hex, or take it away (0)."""
        before, self.number = self.number[hexagon], _replaced(self.number, hexagon, number)
        self.token = _replaced(self.token, hexagon, int(number > 0))
        self.index.number_changed(hexagon, before, number)

    def set_route(self, path: int, owner: int) -> None:
        self.route = _replaced(self.route, path, owner)
        self.routes_left[owner] -= 1
        self.index.route_placed(self, path, owner)

    def set_caravan(self, seat: int, caravan: int, path: int) -> None:
        """Put a caravan on a route."""
        piece = seat * 2 + caravan
        before, self.caravans[piece] = self.caravans[piece], path
        self.index.caravan_moved(self, before, path)

    def set_merchant(self, seat: int, merchant: int, crossroads: int) -> None:
        """Put a merchant on a crossroads, or give it back to its owner (NOBODY)."""
        self.merchants[seat * 2 + merchant] = crossroads
        self.index.merchant_moved()

    # --- cards and gold -------------------------------------------------------------------------------------

    def receive(self, seat: int, counts: Sequence[int]) -> None:
        """Move resource cards from the supply to a hand."""
        hand = slice(seat * 5, seat * 5 + 5)
        self.hands[hand] = map(add, self.hands[hand], counts)
        self.supply = list(map(sub, self.supply, counts))
        self.sizes[seat] += sum(counts)

    def pay(self, seat: int, counts: Sequence[int]) -> None:
        """Move resource cards from a hand to the supply."""
        hand = slice(seat * 5, seat * 5 + 5)
        self.hands[hand] = map(sub, self.hands[hand], counts)
        self.low[hand] = map(min, self.low[hand], self.hands[hand])
        self.supply = list(map(add, self.supply, counts))
        self.sizes[seat] -= sum(counts)

    def take(self, seat: int, resource: int, count: int) -> None:
        """Take cards of one resource out of a hand, or add them to it (a count below 0)."""
        at = seat * 5 + resource
        left = self.hands[at] - count
        self.hands[at] = left
        self.sizes[seat] -= count
        if left < self.low[at]:
            self.low[at] = left

    def pay_one_kind(self, seat: int, resource: int, count: int) -> None:
        """Move cards of one resource from a hand to the supply, or back to the hand if `count` is below 0."""
        self.take(seat, resource, count)
        self.supply[resource] += count

    def show(self, seat: int, counts: Sequence[int]) -> None:
        """Record that everybody has seen these cards in a hand, as if they had been given away and back."""
        at = seat * 5
        for r, count in enumerate(counts):
            self.low[at + r] = min(self.low[at + r], self.hands[at + r] - count)

    def hand_over(self, giver: int, taker: int, counts: Sequence[int], gold: int) -> None:
        """Move resource cards and gold from one player to another."""
        for r, count in enumerate(counts):
            if count:
                self.take(giver, r, count)
                self.take(taker, r, -count)
        self.gold[giver] -= gold
        self.gold[taker] += gold

    def steal(self, thief: int, victim: int, resource: int) -> None:
        """Move a card from hand to hand unseen, and restart the counts of cards that the two have shown."""
        thieves, victims = slice(thief * 5, thief * 5 + 5), slice(victim * 5, victim * 5 + 5)
        low = self.low
        seen = Theft(
            thief, victim, resource, tuple(self.hands[victims]), tuple(low[thieves]), tuple(low[victims])
        )
        self.thefts += (seen,)
        self.hand_over(victim, thief, SINGLES[resource], 0)
        low[thieves] = self.hands[thieves]
        low[victims] = self.hands[victims]

    def discard_card(self, seat: int, kind: int) -> None:
        """Put a played development card aside: of several alike the one held longest."""
        held = self.cards[seat]
        at = next(i for i, card in enumerate(held) if kind_of(card) == kind)
        self.cards[seat] = held[:at] + held[at + 1 :]
        self.discarded[kind] += 1
        self.card_played = True


def _copied_index(index: "Index") -> "Index":
    """Return an independent index of the same class; values are shared, because they are never changed."""
    twin = _new(type(index))
    twin.beside_own, twin.routes_of = index.beside_own, index.routes_of
    twin.cities_in, twin.crossroads_in = index.cities_in, index.crossroads_in
    twin.customers, twin.hexes_with = index.customers, index.hexes_with
    twin.next_routes, twin.own_paths = index.next_routes, index.own_paths
    twin.owners_beside, twin.owners_in = index.owners_beside, index.owners_in
    twin.posts_of, twin.root, twin.routes_in = index.posts_of, index.root, index.routes_in
    twin.stays, twin.taken = index.stays, index.taken
    twin.beside_full, twin.caravan_moves, twin.full = index.beside_full, index.caravan_moves, index.full
    twin.harvests, twin.merchant_moves = index.harvests, index.merchant_moves
    return twin


def _replaced(pieces: list[int], place: int, piece: int) -> list[int]:
    changed = pieces[:]
    changed[place] = piece
    return changed


def _plain(value: Any) -> Plain:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Terms):
        return {name: getattr(value, name) for name in TERMS}
    return value
