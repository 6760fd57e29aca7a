"""Where a match stands: the board, the hands, the turn and what is to be chosen. Changed by facts only.

Resource r of seat s is at `s * 5 + r`.
"""

from collections.abc import Sequence
from operator import add, sub
from typing import Any, NamedTuple

from kontor_games.domain.codec import Plain
from kontor_games.domain.games.europe.board_state import NEUTRAL, NOBODY, STANDING, BoardState, Setting
from kontor_games.domain.games.europe.resources import DECK, START_GOLD, SUPPLY, TERMS, Terms

__all__ = ["NEUTRAL", "NOBODY", "PHASES", "SINGLES", "EuropeState", "Offer", "Setting", "Theft"]

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
) = range(len(PHASES))

SINGLES = tuple(tuple(int(i == r) for i in range(5)) for r in range(5))
"""One card of each resource, as counts."""


class Offer(NamedTuple):
    """A trade that waits for an answer (E-30)."""

    number: int
    maker: int
    to: tuple[int, ...]
    """The seats that have not answered yet."""
    give: Terms
    want: Terms


class Theft(NamedTuple):
    """A theft, and what the two hands were seen to hold at least since their last one."""

    thief: int
    victim: int
    resource: int
    hand: tuple[int, ...]
    """The victim's hand before it."""
    thief_low: tuple[int, ...]
    victim_low: tuple[int, ...]


class EuropeState(BoardState):
    """The whole truth about one match."""

    __slots__ = (
        "active",
        "bonus",
        "bribed",
        "card_played",
        "cards",
        "chains",
        "deck_draws",
        "delivered",
        "dice",
        "discarded",
        "due",
        "ended",
        "epoch",
        "first",
        "free_goods",
        "free_routes",
        "fresh",
        "gold",
        "gold_buys",
        "hands",
        "joined",
        "low",
        "moving",
        "offer_count",
        "offers",
        "offers_made",
        "phase",
        "pile",
        "placed",
        "places",
        "robber_due",
        "rolled",
        "rolls",
        "sizes",
        "start_rolls",
        "steps",
        "supply",
        "theft_draws",
        "thefts",
        "token_draws",
        "token_hexes",
        "tolls",
        "turn",
        "victims",
    )

    STATIC = frozenset(("atlas", "reach", "seats", "setting", "sites", "ways", "yields"))
    PARTS = (Offer, Terms, Theft)

    def __init__(self, setting: Setting) -> None:
        """The table before the first fact."""
        super().__init__(setting)
        self._begin_turns()
        self._begin_hands(setting.seats)
        self._begin_choices(setting.seats)

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
        self.hands = [0] * (seats * 5)
        self.sizes = [0] * seats
        self.low = [0] * (seats * 5)
        """The least that each hand has been seen to hold of each resource since its last theft."""
        self.thefts: tuple[Theft, ...] = ()
        self.supply = [SUPPLY] * 5
        self.gold = [START_GOLD] * seats
        self.free_goods = [1] * seats
        self.delivered = [0] * seats
        self.cards: list[tuple[int, ...]] = [()] * seats
        """Development cards that may be played: 4 × how often the pile had been renewed when it was drawn + kind."""
        self.fresh = NOBODY
        """The card bought this turn, likewise."""
        self.pile = list(DECK)
        self.discarded = [0] * len(DECK)
        self.epoch = 0
        """How often the pile has been renewed."""

    def _begin_choices(self, seats: int) -> None:
        self.tolls = [0, 0]
        """For each caravan of the player on turn the owners already paid, as bits."""
        self.moving = NOBODY
        """The caravan that moved last in this turn."""
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
        """An independent state; everything but lists is only ever replaced, and shared."""
        twin = EuropeState.__new__(EuropeState)
        for name in _NAMES:
            value = getattr(self, name)
            setattr(twin, name, value[:] if type(value) is list else value)
        return twin

    def dump(self) -> Plain:
        """The whole truth as plain data, without what follows from the rest."""
        return {"setting": _plain(self.setting[1:])} | {name: _plain(getattr(self, name)) for name in _DUMPED}

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
        elif self.full and self.crowded():
            self.phase = GO_ON
        else:
            self.phase = ACTION if self.rolled else ROLL

    def crowded(self) -> bool:
        """Whether the caravan that moves stands where it may not stay (E-46)."""
        return self.moving >= 0 and self.caravans.count(self.caravans[self.active * 2 + self.moving]) > 2

    def receive(self, seat: int, counts: Sequence[int]) -> None:
        """Resource cards come from the supply."""
        hand = slice(seat * 5, seat * 5 + 5)
        self.hands[hand] = map(add, self.hands[hand], counts)
        self.supply = list(map(sub, self.supply, counts))
        self.sizes[seat] += sum(counts)

    def pay(self, seat: int, counts: Sequence[int]) -> None:
        """Resource cards go to the supply."""
        hand = slice(seat * 5, seat * 5 + 5)
        self.hands[hand] = map(sub, self.hands[hand], counts)
        self.low[hand] = map(min, self.low[hand], self.hands[hand])
        self.supply = list(map(add, self.supply, counts))
        self.sizes[seat] -= sum(counts)

    def take(self, seat: int, resource: int, count: int) -> None:
        """Resource cards leave a hand, or come to it (less than 0)."""
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
                self.take(taker, r, -count)
        self.gold[giver] -= gold
        self.gold[taker] += gold

    def steal(self, thief: int, victim: int, resource: int) -> None:
        """A card changes hands unseen; what the two hands are seen to hold is counted anew from here."""
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
        """A development card is played: of several alike the one held longest."""
        held = self.cards[seat]
        at = next(i for i, card in enumerate(held) if card & 3 == kind)
        self.cards[seat] = held[:at] + held[at + 1 :]
        self.discarded[kind] += 1
        self.card_played = True


def _plain(value: Any) -> Plain:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Terms):
        return {name: getattr(value, name) for name in TERMS}
    return value


_NAMES = (*BoardState.__slots__, *EuropeState.__slots__)
_DUMPED = (*STANDING, *(name for name in EuropeState.__slots__ if name != "sizes"))
