"""The base class of all move rules, and the rules of one version on one board."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
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
    Obstacle,
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
from kontor_games.domain.games.europe.rules.obstacles import FINDERS, obstacles
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
    """The situation of the player on turn that decides which rules are asked for moves.

    The profile justifies each field: without them a decision takes ten calls more.
    """

    phase: int
    steps: bool
    """Whether a caravan has steps left."""
    cards: tuple[int, ...]
    """The development cards that may be played."""
    hand: bytes = b""
    """In the action phase, the counts of resource cards, rounded down to what matters."""
    offers: bool = False
    """In the action phase, whether offers are open."""
    delivers: bool = True
    """In the action phase, whether a caravan stands beside a post that takes a good."""


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
    """Whether it answers an open offer, or withdraws one."""
    ready: ClassVar[Sequence[Any]] = ()
    """All moves of this kind, if they are few."""

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

    def candidates(self, state: EuropeState, seat: int) -> Sequence[M]:
        """Return the moves that may be legal in a phase and turn that are right: those of `ready`."""
        return self.ready

    def fast_listing(self, state: EuropeState, seat: int) -> Sequence[M]:
        """Return the moves that are not blocked, in a phase and turn that are right.

        Kinds that the profile shows override it with a listing of their own; all others check candidates.
        """
        blocked = self.blocked
        return [move for move in self.candidates(state, seat) if blocked(state, seat, move) is None]

    def listed(self, state: EuropeState, seat: int) -> Sequence[M]:
        """Return all listed moves of this kind."""
        if state.phase not in self.phases:
            return ()
        on_turn = seat == state.active and self.fits(Situation(*situation(state, seat)))
        return self.fast_listing(state, seat) if on_turn or self.off_turn else ()

    def counts(self) -> tuple[int, ...]:
        """Return the counts of cards of one kind that make a difference to `fits`."""
        return ()

    def fits(self, now: Situation) -> bool:
        """Return whether the player on turn may have such a move in a situation of one of its phases."""
        if self.card is not None and self.card not in map(kind_of, now.cards):
            return False
        return now.offers or not self.about_offers

    def keeps_steps(self, state: EuropeState, move: M) -> bool:
        """Return whether a caravan keeps the steps it has left when this move is made (E-46)."""
        return self.steps_stay


class PurchaseRule(EuropeRule[M]):
    """A move that is paid for with resource cards."""

    price: ClassVar[Cards]

    def fits(self, now: Situation) -> bool:
        """Check whether the hand holds the price; in other phases such a move is free."""
        return now.phase != ACTION or all(map(ge, now.hand, counts_of(self.price)))

    def counts(self) -> tuple[int, ...]:
        return counts_of(self.price)

    def unpaid(self, state: EuropeState, seat: int) -> Refusal | None:
        """Return the refusal if the player does not hold the price."""
        return lacks_cards(state, seat, counts_of(self.price), "E-40")


def situation(state: EuropeState, seat: int, counted: bytes | None = None) -> tuple[Any, ...]:
    """Return the fields of the situation of the player on turn.

    `counted` maps each count of cards to the largest one, not above it, that makes a difference.
    """
    cards = () if state.card_played else state.cards[seat]
    if state.phase != ACTION:
        return state.phase, state.steps > 0, cards
    customers, delivers = state.index.customers[seat] if state.free_goods[seat] else 0, 0
    if customers:
        first, second = state.caravans[seat * 2 : seat * 2 + 2]
        delivers = (first >= 0 and customers >> first & 1) or (second >= 0 and customers >> second & 1)
    hand = bytes(state.hands[seat * 5 : seat * 5 + 5]).translate(counted)
    return ACTION, state.steps > 0, cards, hand, bool(state.offers), delivers > 0


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

Listing = Callable[[EuropeState, int], Sequence[Move]]
MAX_SITUATIONS = 1 << 13
"""The maximum number of situations whose listings are cached."""


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
        by_phase = [
            [(kind, rule) for kind, rule in zip(self.moves, self._rules, strict=True) if phase in rule.phases]
            for phase in range(len(p.PHASES))
        ]
        self._listing = [[rule for _, rule in found if not rule.opens] for found in by_phase]
        self._open = [{kind: rule.is_open for kind, rule in found if rule.opens} for found in by_phase]
        self._off_turn = [self._listed_by(rule for rule in rules if rule.off_turn) for rules in self._listing]
        counts = {0, *[count for rule in self._rules for count in rule.counts()]}
        self._counted = bytes(max(one for one in counts if one <= count) for count in range(256))
        self._listings: dict[tuple[Any, ...], list[Listing]] = {}
        self._empty_table = lru_cache(maxsize=16)(self._new_table)

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
        return seat in self.to_act(state) or (state.phase == ACTION and self._may_trade(state, seat))

    def _may_trade(self, state: EuropeState, seat: int) -> bool:
        return bool(self.legal_moves(state, seat)) or bool(self.open_moves(state, seat))

    def is_over(self, state: EuropeState) -> bool:
        return state.phase == OVER

    def legal_moves(self, state: EuropeState, seat: int) -> list[Move]:
        """Return everything but new offers and whole sets of cards given back."""
        if seat == state.active:
            now = situation(state, seat, self._counted)
            listings = self._listings.get(now) or self._find_listings(now)
        else:
            listings = self._off_turn[state.phase]
        found: list[Move] = []
        for listing in listings:
            found += listing(state, seat)
        return found

    def _find_listings(self, situation: tuple[Any, ...]) -> list[Listing]:
        """Return what lists the moves of the player on turn in a situation, and cache it; many share it."""
        if len(self._listings) == MAX_SITUATIONS:
            self._listings.clear()
        now = Situation(*situation)
        found = self._listed_by([rule for rule in self._listing[now.phase] if rule.fits(now)])
        self._listings[situation] = found
        return found

    def _listed_by(self, rules: Iterable[EuropeRule[Any]]) -> list[Listing]:
        """Return the listings of these rules, with one for all answers to offers."""
        listings: dict[Listing, None] = {}
        for rule in rules:
            checked = type(rule).blocked is not EuropeRule.blocked
            listing = rule.fast_listing if checked else rule.candidates
            listings[self._list_answers if rule.about_offers else listing] = None
        return list(listings)

    def _list_answers(self, state: EuropeState, seat: int) -> Sequence[Move]:
        """Return answers to open offers and withdrawals, offer by offer."""
        if not state.offers:
            return ()  # Off turn, nothing else is listed.
        answering = [rule for rule in self._listing[ACTION] if rule.about_offers]
        found: list[Any] = [move for rule in answering for move in rule.listed(state, seat)]
        return sorted(found, key=attrgetter("offer"))

    def open_moves(self, state: EuropeState, seat: int) -> Sequence[type[Move]]:
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

    def obstacles(self, state: EuropeState, seat: int) -> Mapping[type[Move], Sequence[Obstacle]]:
        """Return what the player on turn lacks in the action phase."""
        if state.phase != ACTION or seat != state.active:
            return {}
        possible = {*map(type, self.legal_moves(state, seat)), *self.open_moves(state, seat)}
        return {
            kind: obstacles(state, seat, kind, self.move_rules[kind])
            for kind in FINDERS
            if kind not in possible
        }

    def result(self, state: EuropeState) -> Result | None:
        """Return goods delivered, posts and gold of each player once the match is over (E-70)."""
        return ending.result_of(state, self.steps) if state.places else None

    def label(self, state: EuropeState, seat: int, move: Move, names: Sequence[str]) -> Phrase:
        return label(state, seat, move, self.move_rules[type(move)], names)

    def scene(
        self, state: EuropeState, viewer: int, names: Sequence[str], language: str = DEFAULT_LANGUAGE
    ) -> str:
        return scene(state, viewer, names, self.messages[language])
