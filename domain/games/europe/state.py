"""Where a match stands: flat lists of numbers, changed by facts only.

Places are numbered as on the board. What belongs to resource r of seat s is at `s * 5 + r`, its caravan or merchant i at `s * 2 + i`.
What is worked out of other fields (sets of paths, joined crossroads) is kept up to date, never recomputed; lists of moves that
depend on little are kept until that changes. Such a cache is replaced, never emptied, so that copies can share it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain.codec import Plain
from domain.game import Move, State
from domain.games.europe.atlas import Atlas
from domain.games.europe.resources import DECK, RINGED, ROUTES, START_GOLD, SUPPLY, TERMS, TOKENS, Terms

(
    DEALING,
    SET_UP_POST,
    SET_UP_NEUTRAL,
    SET_UP_ROUTE,
    ROLL,
    DISCARD,
    ROBBER,
    THEFT,
    ACTION,
    CHAIN,
    BONUS_ROUTE,
    FREE_ROUTE,
    TOKEN,
    GO_ON,
    OVER,
) = range(15)

PHASES = (
    "dealing",
    "set_up_post",
    "set_up_neutral",
    "set_up_route",
    "roll",
    "discard",
    "robber",
    "theft",
    "action",
    "chain",
    "bonus_route",
    "free_route",
    "token",
    "go_on",
    "over",
)

NEUTRAL = 4
"""The owner of neutral posts (E-11); seats are 0 to 3, nobody is -1."""
NOBODY = -1

SINGLES = tuple(tuple(int(i == r) for i in range(5)) for r in range(5))
"""One card of each resource, as counts."""


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


class Offer(NamedTuple):
    """A trade that waits for an answer (E-30)."""

    number: int
    maker: int
    to: tuple[int, ...]
    """The seats that have not answered yet."""
    give: Terms
    want: Terms


class Theft(NamedTuple):
    """A theft, and what the two hands had to hold before it for all that was seen since their last one."""

    thief: int
    victim: int
    resource: int
    hand: tuple[int, ...]
    """The victim's hand before it."""
    thief_low: tuple[int, ...]
    victim_low: tuple[int, ...]


class EuropeState(State):
    """The whole truth about one match."""

    __slots__ = (
        "active",
        "atlas",
        "bonus",
        "bribed",
        "caravans",
        "card_played",
        "cards",
        "chains",
        "cities_in",
        "deck_draws",
        "delivered",
        "dice",
        "discarded",
        "doors",
        "due",
        "ended",
        "epoch",
        "first",
        "free_goods",
        "free_routes",
        "fresh",
        "fringe",
        "gold",
        "gold_buys",
        "good",
        "hands",
        "joined",
        "laid",
        "low",
        "merchants",
        "moving",
        "number",
        "offer_count",
        "offers",
        "offers_made",
        "own_posts",
        "phase",
        "pile",
        "placed",
        "places",
        "post",
        "posts_left",
        "reach",
        "robber",
        "robber_due",
        "rolled",
        "rolls",
        "root",
        "route",
        "routes_left",
        "sea",
        "seats",
        "setting",
        "sites",
        "sizes",
        "start_rolls",
        "steps",
        "supply",
        "taken",
        "theft_draws",
        "thefts",
        "token",
        "token_draws",
        "token_hexes",
        "tolls",
        "turn",
        "victims",
        "ways",
        "yields",
    )

    _DERIVED = frozenset(
        (
            "atlas",
            "cities_in",
            "doors",
            "fringe",
            "laid",
            "own_posts",
            "reach",
            "root",
            "setting",
            "sites",
            "sizes",
            "taken",
            "ways",
            "yields",
        )
    )

    def __init__(self, setting: Setting) -> None:
        """The table before the first fact: tokens on the ring-marked spaces (E-6), everything else in stock."""
        self.setting = setting
        self._begin_turns()
        self._begin_hands(setting.seats)
        self._begin_board(setting.atlas)
        self._begin_pieces(setting)
        self._begin_choices(setting.seats)
        self.yields: dict[int, Any] = {}
        """Number rolled to what it gives; kept until posts, numbers or the robber change."""
        self.sites: dict[Any, list[Move]] = {}
        """Where routes and caravans can be built; kept until routes or posts change."""
        self.ways: dict[Any, list[Move]] = {}
        """Where merchants can go or be hired; kept until merchants or posts change."""
        self.reach: dict[Any, Any] = {}
        """Where caravans can go; kept until routes change."""

    def _begin_turns(self) -> None:
        self.phase = DEALING
        self.first = self.active = NOBODY
        self.turn = self.placed = 0
        self.rolled = False
        self.dice = (0, 0)
        self.ended = ""
        self.places: tuple[int, ...] = ()
        self.start_rolls = self.rolls = self.deck_draws = self.token_draws = self.theft_draws = 0

    def _begin_hands(self, seats: int) -> None:
        self.seats = seats
        self.hands = [0] * (seats * 5)
        self.sizes = [0] * seats
        self.low = [0] * (seats * 5)
        """The least that each hand has been seen to hold of each resource since its last theft."""
        self.thefts: tuple[Theft, ...] = ()
        self.supply = [SUPPLY] * 5
        self.gold = [START_GOLD] * seats
        self.cards: list[tuple[int, ...]] = [()] * seats
        """Development cards that may be played: 4 × how often the pile had been renewed when it was drawn + kind."""
        self.fresh = NOBODY
        """The card bought this turn, likewise."""
        self.pile = list(DECK)
        self.discarded = [0] * 4
        self.epoch = 0

    def _begin_board(self, atlas: Atlas) -> None:
        board = atlas.board
        self.atlas = atlas
        self.number = [h.number or (RINGED[atlas.yields[i]] if h.ringed else 0) for i, h in enumerate(board.hexes)]
        self.token = [int(h.ringed) for h in board.hexes]
        self.sea: list[tuple[int, ...]] = [_without(TOKENS[r], RINGED[r]) for r in range(5)]
        self.robber = board.robber
        self.post = [NOBODY] * len(board.cities)
        self.good = [NOBODY] * len(board.cities)
        self.route = [NOBODY] * len(board.paths)
        self.taken = 0
        self.root = list(range(len(board.crossroads)))
        """Crossroads joined by routes have the same one."""
        self.cities_in = [int(city >= 0) for city in board.city_at]
        """How many cities are joined under each root."""

    def _begin_pieces(self, setting: Setting) -> None:
        seats = setting.seats
        self.posts_left = [setting.posts] * seats
        self.free_goods = [1] * seats
        self.delivered = [0] * seats
        self.own_posts: list[tuple[int, ...]] = [()] * seats
        self.routes_left = [ROUTES] * seats
        self.laid = [0] * seats
        self.doors = [0] * seats
        """The paths that end at a post of one's own."""
        self.fringe = [0] * seats
        """The paths beside a post or route of one's own, taken or not."""
        self.caravans = [NOBODY] * (seats * 2)
        self.merchants = [NOBODY] * (seats * 2)

    def _begin_choices(self, seats: int) -> None:
        self.tolls = [0, 0]
        """For each caravan of the player on turn the owners already paid, as bits."""
        self.moving = NOBODY
        self.steps = 0
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

    def copy(self) -> "EuropeState":
        """An independent state; tuples, caches and the lists that are only ever replaced are shared."""
        twin = EuropeState.__new__(EuropeState)
        for name in _SHARED:
            setattr(twin, name, getattr(self, name))
        for name in _COPIED:
            setattr(twin, name, getattr(self, name)[:])
        return twin

    def dump(self) -> Plain:
        """The whole truth as plain data, without what is worked out of the rest."""
        names = (name for name in self.__slots__ if name not in self._DERIVED)
        return {"setting": _plain(self.setting[1:])} | {name: _plain(getattr(self, name)) for name in names}

    def settle(self) -> None:
        """Finds the phase by what is still to be chosen, the most urgent first."""
        if self.chains:
            self.phase = CHAIN
        elif self.bonus >= 0:
            self.phase = BONUS_ROUTE
        elif self.free_routes:
            self.phase = FREE_ROUTE
        elif self.token_hexes:
            self.phase = TOKEN
        elif self.robber_due:
            self.phase = DISCARD if any(self.due) else ROBBER
        elif self.victims:
            self.phase = THEFT
        elif self.crowded():
            self.phase = GO_ON
        else:
            self.phase = ACTION if self.rolled else ROLL

    def crowded(self) -> bool:
        """Whether the caravan that moves stands where it may not stay (E-46)."""
        if self.moving < 0:
            return False
        return self.caravans.count(self.caravans[self.active * 2 + self.moving]) > 2

    def receive(self, seat: int, counts: Sequence[int]) -> None:
        """Resource cards come from the supply."""
        at = seat * 5
        for r, count in enumerate(counts):
            if count:
                self.hands[at + r] += count
                self.supply[r] -= count
                self.sizes[seat] += count

    def pay(self, seat: int, counts: Sequence[int]) -> None:
        """Resource cards go to the supply."""
        for r, count in enumerate(counts):
            if count:
                self.take(seat, r, count)
                self.supply[r] += count

    def take(self, seat: int, resource: int, count: int) -> None:
        """Resource cards leave a hand."""
        at = seat * 5 + resource
        left = self.hands[at] - count
        self.hands[at] = left
        self.sizes[seat] -= count
        if left < self.low[at]:
            self.low[at] = left

    def show(self, seat: int, counts: Sequence[int]) -> None:
        """Everybody learns that a hand holds so many cards: as if they had been given away and back."""
        at = seat * 5
        for r, count in enumerate(counts):
            self.low[at + r] = min(self.low[at + r], self.hands[at + r] - count)

    def hand_over(self, giver: int, taker: int, counts: Sequence[int], gold: int) -> None:
        """Resource cards and gold go from one player to another."""
        for r, count in enumerate(counts):
            if count:
                self.take(giver, r, count)
                self.hands[taker * 5 + r] += count
                self.sizes[taker] += count
        self.gold[giver] -= gold
        self.gold[taker] += gold

    def steal(self, thief: int, victim: int, resource: int) -> None:
        """A card changes hands unseen; what the two hands are seen to hold is counted anew from here."""
        thieves, victims = slice(thief * 5, thief * 5 + 5), slice(victim * 5, victim * 5 + 5)
        low = self.low
        seen = Theft(thief, victim, resource, tuple(self.hands[victims]), tuple(low[thieves]), tuple(low[victims]))
        self.thefts += (seen,)
        self.hand_over(victim, thief, SINGLES[resource], 0)
        low[thieves] = self.hands[thieves]
        low[victims] = self.hands[victims]

    def discard_card(self, seat: int, kind: int) -> None:
        """A development card is played: of several alike the one held longest."""
        held = self.cards[seat]
        at = next(i for i, card in enumerate(held) if card & 3 == kind)
        self.cards[seat] = held[:at] + held[at + 1 :]
        self.discarded[kind] += 1
        self.card_played = True

    def set_post(self, city: int, owner: int) -> None:
        """A post comes to the board."""
        self.post[city] = owner
        if owner != NEUTRAL:
            doors = self.atlas.door_bits[city]
            self.posts_left[owner] -= 1
            self.own_posts[owner] += (city,)
            self.doors[owner] |= doors
            self.fringe[owner] |= doors
        self.sites, self.ways, self.yields = {}, {}, {}

    def set_number(self, hexagon: int, number: int) -> None:
        """A token comes to a hex, or leaves it (0)."""
        self.number[hexagon] = number
        self.token[hexagon] = int(number > 0)
        self.yields = {}

    def set_route(self, path: int, owner: int) -> None:
        """A route comes to the board and joins what lies at its ends."""
        bit = 1 << path
        self.route[path] = owner
        self.routes_left[owner] -= 1
        self.taken |= bit
        self.laid[owner] |= bit
        self.fringe[owner] |= self.atlas.beside_bits[path]
        self.sites, self.reach = {}, {}
        along = self.atlas.board.paths[path]
        kept, joined = self.root[along.a], self.root[along.b]
        if kept != joined:
            self.root = [kept if root == joined else root for root in self.root]
            self.cities_in = self.cities_in[:]
            self.cities_in[kept] += self.cities_in[joined]

    def set_merchant(self, piece: int, crossroads: int) -> None:
        """A merchant comes to a crossroads, or back to its owner (-1)."""
        self.merchants[piece] = crossroads
        self.ways = {}


def _plain(value: Any) -> Plain:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Terms):
        return {name: getattr(value, name) for name in TERMS}
    return value


def _without(values: tuple[int, ...], value: int) -> tuple[int, ...]:
    at = values.index(value)
    return values[:at] + values[at + 1 :]


_COPIED = (
    "hands",
    "sizes",
    "low",
    "supply",
    "gold",
    "cards",
    "pile",
    "discarded",
    "number",
    "token",
    "sea",
    "post",
    "good",
    "route",
    "posts_left",
    "free_goods",
    "delivered",
    "own_posts",
    "routes_left",
    "laid",
    "doors",
    "fringe",
    "caravans",
    "merchants",
    "tolls",
    "due",
    "offers_made",
)
_SHARED = tuple(name for name in EuropeState.__slots__ if name not in _COPIED)
