"""The base class of all move rules, and the rules of one version on one board."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from operator import attrgetter, ge
from typing import Any, ClassVar, NamedTuple, TypeVar

from kontor_games.domain.chance import Chance
from kontor_games.domain.game import (
    DataSet,
    Fact,
    Ledger,
    Move,
    MoveRule,
    NotYourTurnError,
    Refusal,
    Result,
    Rules,
    Ruleset,
    whose_turn,
)
from kontor_games.domain.games.europe.data.board import COLOURS, RESOURCES, Board
from kontor_games.domain.games.europe.data.components import PIECES, Cards, counts_of, kind_of
from kontor_games.domain.games.europe.moves import PlaceStartPost
from kontor_games.domain.games.europe.options import EuropeOptions
from kontor_games.domain.games.europe.refusals import BadOptionsError, CannotPayError
from kontor_games.domain.games.europe.resample import resample
from kontor_games.domain.games.europe.rules import ending
from kontor_games.domain.games.europe.rules.conditions import wrong_phase
from kontor_games.domain.games.europe.rules.steps import Steps
from kontor_games.domain.games.europe.state import EuropeState, Setting
from kontor_games.domain.games.europe.state import phases as p
from kontor_games.domain.games.europe.state.board_tables import BoardTables
from kontor_games.domain.games.europe.state.phases import ACTION, DISCARD, OVER
from kontor_games.domain.games.europe.text import MESSAGES
from kontor_games.domain.games.europe.text.labels import label
from kontor_games.domain.games.europe.text.scene import scene
from kontor_games.domain.games.europe.text.sentences import sentence
from kontor_games.domain.games.europe.view import view
from kontor_games.domain.games.europe.view_schema import VIEW_SCHEMA
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.toolkit.messages import Phrase
from kontor_games.domain.toolkit.sentences import join_words

M = TypeVar("M", bound=Move)


class Situation(NamedTuple):
    """The situation of a seat that decides which kinds of move are worth listing."""

    phase: int
    on_turn: bool
    moving: bool
    """Whether a caravan of the player on turn has begun to move."""
    offers: bool
    """Whether offers are open."""
    cards: frozenset[int] = frozenset()
    """The kinds of development cards that the seat may play."""
    hand: bytes = b""
    """In the action phase, the resource cards of the player on turn, counts rounded down to what matters."""
    beside_customer: bool = True
    """In the action phase, whether a caravan of the player on turn stands beside a post that takes a good."""
    has_merchant: bool = True
    """In the action phase, whether a merchant of the player on turn is on the board."""
    rolled: bool = True
    """Whether the player on turn has rolled the dice."""


class EuropeRule(MoveRule[EuropeState, M, Steps]):
    """One kind of move and the phases for it. A subclass says who can make it, and under which conditions."""

    phases: ClassVar[tuple[int, ...]]
    """The phases in which such a move can be made."""
    off_turn: ClassVar[bool] = False
    """Whether other players than the one on turn can make it."""
    steps_stay: ClassVar[bool] = False
    """Whether a caravan still has its remaining steps when such a move is made (E-46)."""
    card: ClassVar[int | None] = None
    """The development card that it plays."""
    about_offers: ClassVar[bool] = False
    """Whether it needs an open offer."""
    after_roll: ClassVar[bool] = False
    """Whether it can be made only after the roll, in any phase."""
    fuel: ClassVar[int | None] = None
    """The resource of which it costs at least one card, which only the action phase allows."""
    under_way: ClassVar[tuple[int, ...]] = ()
    """The phases in which it needs a caravan that has begun to move, or its fuel."""
    at_customer: ClassVar[bool] = False
    """Whether it needs a caravan beside a post that takes a good."""
    by_merchant: ClassVar[bool] = False
    """Whether it needs a merchant on the board."""
    ready: ClassVar[Sequence[Any]] = ()
    """All moves of this kind, if they are few."""
    checked: ClassVar[bool] = False
    """Whether `ready` must be checked with `blocked`: a situation that fits does not allow all of them."""

    @property
    def lists(self) -> bool:
        """Whether moves of this kind are listed."""
        return bool(self.ready) or type(self).choices is not EuropeRule.choices

    @property
    def opens(self) -> bool:
        """Whether moves of this kind can be open, which means that they can't be listed."""
        return type(self).is_open is not EuropeRule.is_open

    def refusal(self, state: EuropeState, seat: int, move: M) -> Refusal | None:
        """Return why the move can't be made now, or None."""
        if seat != state.active and not self.off_turn:
            return NotYourTurnError(whose_turn([state.active]), rule="E-13")
        return self.blocked(state, seat, move) if state.phase in self.phases else wrong_phase(state)

    def blocked(self, state: EuropeState, seat: int, move: M) -> Refusal | None:
        """Return why this move can't be made although its phase and turn are right, or None."""
        return None

    def fits(self, now: Situation) -> bool:
        """Return whether any such move may be legal in a situation."""
        if now.phase not in self.phases or not (now.on_turn or self.off_turn):
            return False
        if (self.after_roll and not now.rolled) or (self.at_customer and not now.beside_customer):
            return False
        if (self.by_merchant and not now.has_merchant) or not self._can_move(now):
            return False
        return (self.card is None or self.card in now.cards) and (now.offers or not self.about_offers)

    def _can_move(self, now: Situation) -> bool:
        """Return whether there is fuel or a caravan that has begun to move, if one of them is needed."""
        if now.phase in self.under_way and now.moving:
            return True
        if self.fuel is None:
            return now.phase not in self.under_way
        return now.phase == ACTION and now.hand[self.fuel] > 0

    def counts(self) -> tuple[int, ...]:
        """Return the counts of cards of one kind that make a difference to `fits`."""
        return () if self.fuel is None else (1,)

    def choices(self, state: EuropeState, seat: int) -> Sequence[M]:
        """Return the moves that are not blocked in a situation that fits; by default those of `ready`."""
        if self.checked:
            return [move for move in self.ready if not self.blocked(state, seat, move)]
        return self.ready

    def listed(self, state: EuropeState, seat: int) -> Sequence[M]:
        """Return all moves of this kind that `refusal` allows."""
        return self.choices(state, seat) if self.fits(Situation(*situation(state, seat))) else ()

    def keeps_steps(self, state: EuropeState, move: M) -> bool:
        """Return whether a caravan keeps the steps it has left when this move is made (E-46)."""
        return self.steps_stay


class PurchaseRule(EuropeRule[M]):
    """A move that is paid for with resource cards."""

    price: ClassVar[Cards]

    def fits(self, now: Situation) -> bool:
        """Check also whether the hand holds the price."""
        return super().fits(now) and all(map(ge, now.hand, counts_of(self.price)))

    def counts(self) -> tuple[int, ...]:
        return counts_of(self.price)

    def unpaid(self, state: EuropeState, seat: int) -> Refusal | None:
        """Return the refusal if the player does not hold the price."""
        return lacks_cards(state, seat, counts_of(self.price), "E-40")


_NO_CARDS: frozenset[int] = frozenset()


@lru_cache(maxsize=1 << 12)
def _kinds(cards: tuple[int, ...]) -> frozenset[int]:
    return frozenset(map(kind_of, cards))


def situation(state: EuropeState, seat: int, counted: bytes | None = None) -> tuple[Any, ...]:
    """Return the fields of the seat's situation; phases without purchases have no hand.

    `counted` maps each count of cards to the largest one, not above it, that makes a difference.
    """
    phase = state.phase
    if seat != state.active:
        return phase, False, False, bool(state.offers)
    held = state.cards[seat]
    cards = _kinds(held) if held and not state.card_played else _NO_CARDS
    if phase != ACTION:
        return phase, True, state.moving >= 0, False, cards, b"", True, True, state.rolled
    hand = bytes(state.hands[seat * 5 : seat * 5 + 5]).translate(counted)
    has_merchant = state.merchants[seat * 2] >= 0 or state.merchants[seat * 2 + 1] >= 0
    customers, beside = state.index.customers[seat], 0
    if customers:
        first, second = state.caravans[seat * 2 : seat * 2 + 2]
        beside = (first >= 0 and customers >> first & 1) or (second >= 0 and customers >> second & 1)
    return phase, True, state.moving >= 0, bool(state.offers), cards, hand, beside > 0, has_merchant


def lacks_cards(state: EuropeState, seat: int, counts: Sequence[int], rule: str) -> Refusal | None:
    """Return a refusal if a hand does not hold these cards."""
    hand = state.hand(seat)
    if all(map(ge, hand, counts)):
        return None
    lacking = [
        resource for resource, held, count in zip(RESOURCES, hand, counts, strict=True) if held < count
    ]
    return CannotPayError(f"You do not have enough {join_words(lacking)}.", rule=rule)


def lacks_gold(state: EuropeState, seat: int, gold: int, rule: str) -> Refusal | None:
    """Return the refusal if a player has less gold than this."""
    return CannotPayError(f"This costs {gold} gold.", rule=rule) if state.gold[seat] < gold else None


# --- a table of rules on a board --------------------------------------------------

_ALONE = ((0,), (1,), (2,), (3,), ())
"""For each active seat, the seats to act; the last entry is for nobody (-1), before the deal."""

Lister = Callable[[EuropeState, int], Sequence[Move]]
Listers = tuple[tuple[Lister, ...], Sequence[Move]]
"""Functions that list moves, and the moves after those, which are the same in every state."""
MAX_SITUATIONS = 1 << 13
"""The maximum number of situations whose listers are cached."""


def _listers_of(rules: tuple[EuropeRule[Any], ...]) -> Listers:
    fitting = list(rules)
    last: tuple[Move, ...] = ()
    while fitting and type(fitting[-1]).choices is EuropeRule.choices and not fitting[-1].checked:
        last = (*fitting.pop().ready, *last)
    answers = [rule.choices for rule in fitting if rule.about_offers]

    def answer(state: EuropeState, seat: int) -> Sequence[Move]:
        """List answers offer by offer."""
        found = [move for lister in answers for move in lister(state, seat)]
        return sorted(found, key=attrgetter("offer"))

    listers = [answer if rule.about_offers else rule.choices for rule in fitting]
    return tuple(dict.fromkeys(listers)), last


class EuropeRules(Rules[EuropeState]):
    """Settlers of Europe by one version of the rules, on one board."""

    seat_counts = (3, 4)
    view_schema = VIEW_SCHEMA
    cites: ClassVar = {"seats": "E-1", "moves": "E-1", "end": "E-70"}
    messages: ClassVar = MESSAGES
    view = staticmethod(view)
    resample = staticmethod(resample)
    sentence = staticmethod(sentence)

    def __init__(self, ruleset: Ruleset[Any], data: DataSet) -> None:
        """Compute the tables of the board once for all matches on it."""
        super().__init__(ruleset, data)
        self.board = Board(data.document)
        self.tables = BoardTables(self.board)
        # All are rules of this game.
        self._rules: list[EuropeRule[Any]] = list(self.move_rules.values())  # type: ignore[arg-type]
        counts = {0, *[count for rule in self._rules for count in rule.counts()]}
        self._counted = bytes(max(one for one in counts if one <= count) for count in range(256))
        self._listers: dict[tuple[Any, ...], Listers] = {}
        self._listers_of = cache(_listers_of)
        by_phase = [
            [(kind, rule) for kind, rule in zip(self.moves, self._rules, strict=True) if phase in rule.phases]
            for phase in range(len(p.PHASES))
        ]
        self._blocked = [{kind: rule.blocked for kind, rule in found} for found in by_phase]
        self._listing = [[rule for _, rule in found if rule.lists] for found in by_phase]
        self._open = [{kind: rule.is_open for kind, rule in found if rule.opens} for found in by_phase]
        self._facts = {kind: rule.facts for kind, rule in self.move_rules.items()}
        self._empty_table = lru_cache(maxsize=16)(self._new_table)

    def _find_listers(self, situation: tuple[Any, ...]) -> Listers:
        """Return what lists the moves of a seat in a situation, and cache it; many situations share it."""
        if len(self._listers) == MAX_SITUATIONS:
            self._listers.clear()
        now = Situation(*situation)
        fitting = tuple([rule for rule in self._listing[now.phase] if rule.fits(now)])
        found = self._listers[situation] = self._listers_of(fitting)
        return found

    def table(self, seats: int, chosen: EuropeOptions) -> EuropeState:
        """Return an empty board for 3 or 4 colours (E-1, E-3): a copy, because computing it takes 1 ms."""
        return self._empty_table(seats, chosen).copy()

    def _new_table(self, seats: int, chosen: EuropeOptions) -> EuropeState:
        if seats not in self.seat_counts:
            raise BadOptionsError("Settlers of Europe is for three or four players.", rule="E-1")
        colours = chosen.colours or COLOURS[:seats]
        if len(colours) != seats or len(set(colours)) != seats:
            raise BadOptionsError("Choose one colour for each seat, or none.", rule="E-13")
        neutral = next((colour for colour in COLOURS if colour not in colours), None)
        free = (chosen.set_up or ("free" if self.board.kind == "expert" else "fixed")) == "free"
        pieces = PIECES[self.board.kind, seats]
        setting = Setting(self.tables, chosen, seats, colours, neutral, free, chosen.turn_limit, *pieces)
        state = EuropeState(setting, self.steps.index, self.steps.find_phase)
        start_posts: Any = self.move_rules[PlaceStartPost]
        if refusal := start_posts.too_few_sites(state):
            raise refusal
        return state

    def to_act(self, state: EuropeState) -> Sequence[int]:
        """Return the player on turn, or after a 7 all who owe cards."""
        if state.phase == DISCARD:
            return tuple([seat for seat in range(state.seats) if state.due[seat]])
        return () if state.phase == OVER else _ALONE[state.active]

    def may_act(self, state: EuropeState) -> Sequence[int]:
        """Return the seats with a move: in the action phase also those who can make or answer an offer."""
        if state.phase != p.ACTION:
            return self.to_act(state)
        others = [
            seat for seat in range(state.seats) if seat != state.active and self._may_trade(state, seat)
        ]
        return tuple(sorted([state.active, *others]))

    def has_move(self, state: EuropeState, seat: int) -> bool:
        """Return whether a seat has a move, without checking the others."""
        return seat in self.to_act(state) or (state.phase == ACTION and self._may_trade(state, seat))

    def _may_trade(self, state: EuropeState, seat: int) -> bool:
        return bool(self.legal_moves(state, seat)) or bool(self.open_moves(state, seat))

    def is_over(self, state: EuropeState) -> bool:
        """Return whether the match has ended."""
        return state.phase == p.OVER

    def play(self, state: EuropeState, seat: int, move: Move, chance: Chance) -> list[Fact]:
        """Verify, then decide; for a move of this phase by the player on turn, only `blocked` is checked."""
        blocked = self._blocked[state.phase].get(type(move)) if seat == state.active else None
        refusal = self.refusal(state, seat, move) if blocked is None else blocked(state, seat, move)
        if refusal is not None:
            raise refusal
        return self.decide(state, seat, move, chance)

    def legal_moves(self, state: EuropeState, seat: int) -> list[Move]:
        """Return everything but new offers and whole sets of cards given back."""
        now = situation(state, seat, self._counted)
        listers, last = self._listers.get(now) or self._find_listers(now)
        found: list[Move] = []
        for lister in listers:
            found += lister(state, seat)
        found += last
        return found

    def open_moves(self, state: EuropeState, seat: int) -> Sequence[type[Move]]:
        """Return the kinds of move of this phase that can't be listed and may be made."""
        return tuple([kind for kind, is_open in self._open[state.phase].items() if is_open(state, seat)])

    def decide(self, state: EuropeState, seat: int, verified: Move, chance: Chance) -> list[Fact]:
        """Return the facts of a move; remaining steps lapse before another action, offers after it."""
        ledger = Ledger(state, chance, self.steps)
        kind = type(verified)
        if state.steps and not self.move_rules[kind].keeps_steps(state, verified):  # type: ignore[attr-defined]
            self.steps.lapse_steps(ledger, seat)
        hands = state.hands[:] if state.offers else None
        self._facts[kind](ledger, seat, verified)
        if hands is not None:
            self.steps.lapse_offers(ledger, hands)
        return ledger.facts

    def result(self, state: EuropeState) -> Result | None:
        """Return goods delivered, posts and gold of each player once the match is over (E-70)."""
        return ending.result_of(state, self.steps) if state.places else None

    def label(self, state: EuropeState, seat: int, move: Move, names: Sequence[str]) -> Phrase:
        """Return a label for a legal move."""
        return label(state, seat, move, self.move_rules[type(move)], names)

    def scene(
        self, state: EuropeState, viewer: int, names: Sequence[str], language: str = DEFAULT_LANGUAGE
    ) -> str:
        """Return the table in a few lines."""
        return scene(state, viewer, names, self.messages[language])
