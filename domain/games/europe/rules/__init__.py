"""The rules of Settlers of Europe: one entry for each kind of move and for each step that follows by itself."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, ClassVar

from kontor_games.domain.chance import Chance
from kontor_games.domain.game import DataSet, Fact, Ledger, Move, Result, Rules, Ruleset, View
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.data.board import COLOURS, Board
from kontor_games.domain.games.europe.data.components import PIECES
from kontor_games.domain.games.europe.facts import FACTS
from kontor_games.domain.games.europe.options import EuropeOptions, EuropeOptions2
from kontor_games.domain.games.europe.refusals import BadOptionsError
from kontor_games.domain.games.europe.resample import resample
from kontor_games.domain.games.europe.rules import (
    caravans,
    development_cards,
    ending,
    merchants,
    production,
    robber,
    routes,
    set_up,
    tokens,
    trade,
    turn,
)
from kontor_games.domain.games.europe.rules.index import Index
from kontor_games.domain.games.europe.rules.steps import Steps
from kontor_games.domain.games.europe.rules.turn import EuropeRule, Situation, situation
from kontor_games.domain.games.europe.state import EuropeState, Setting
from kontor_games.domain.games.europe.state.board_tables import BoardTables
from kontor_games.domain.games.europe.state.phases import ACTION, DISCARD, OVER, PHASES
from kontor_games.domain.games.europe.text import MESSAGES
from kontor_games.domain.games.europe.text.labels import label
from kontor_games.domain.games.europe.text.scene import scene
from kontor_games.domain.games.europe.text.sentences import sentence
from kontor_games.domain.games.europe.view import view
from kontor_games.domain.games.europe.view_schema import VIEW_SCHEMA
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.domain.toolkit.messages import Phrase

_ALONE = ((0,), (1,), (2,), (3,), ())
"""A seat to what the match waits for in its turn; before the deal, that is nobody (-1)."""

Lister = Callable[[EuropeState, int], Sequence[Move]]
MOST_SITUATIONS = 1 << 13
"""For how many situations the listers are kept."""


class EuropeRules(Rules[EuropeState]):
    """Settlers of Europe by one version of the rules, on one board."""

    seat_counts = (3, 4)
    view_schema = VIEW_SCHEMA
    cites: ClassVar = {"seats": "E-1", "moves": "E-1", "end": "E-70"}
    messages: ClassVar = MESSAGES

    def __init__(self, ruleset: Ruleset[Any], data: DataSet) -> None:
        """Work out the board once for all matches on it."""
        super().__init__(ruleset, data)
        self.board = Board.from_document(data.document)
        self.tables = BoardTables(self.board)
        self._rules: list[EuropeRule[Any]] = list(self.move_rules.values())  # type: ignore[arg-type]  # of this game
        self._start_post_rule: set_up.PlaceStartPostRule = self.move_rules[m.PlaceStartPost]  # type: ignore[assignment]  # as above
        self._listing = [
            rule for rule in self._rules if rule.ready or type(rule).choices is not EuropeRule.choices
        ]
        self._listers: dict[tuple[Any, ...], list[Lister]] = {}
        self._blocked = [self._moves_in(phase) for phase in range(len(PHASES))]
        self._open = [self._open_moves_in(phase) for phase in range(len(PHASES))]
        self._facts = {kind: rule.facts for kind, rule in self.move_rules.items()}

    def _moves_in(self, phase: int) -> dict[type[Move], Any]:
        """Return the moves of a phase, each with what says why it is blocked."""
        return {
            kind: rule.blocked
            for kind, rule in zip(self.moves, self._rules, strict=True)
            if phase in rule.phases
        }

    def _open_moves_in(self, phase: int) -> dict[type[Move], Any]:
        """Return the moves of a phase that can't be listed, each with what says whether it is open."""
        return {
            kind: rule.is_open
            for kind, rule in zip(self.moves, self._rules, strict=True)
            if phase in rule.phases and type(rule).is_open is not EuropeRule.is_open
        }

    def _find_listers(self, situation: tuple[Any, ...]) -> list[Lister]:
        """Return what lists the moves of a seat in a situation, and keep it for the next time."""
        now = Situation(*situation)
        fitting = [rule for rule in self._listing if rule.fits(now)]
        answers = [rule.choices for rule in fitting if isinstance(rule, trade.AnswerRule)]

        def answer(state: EuropeState, seat: int) -> Sequence[Move]:
            """List answers offer by offer."""
            found = [move for lister in answers for move in lister(state, seat)]
            return sorted(found, key=attrgetter("offer"))

        if len(self._listers) == MOST_SITUATIONS:
            self._listers.clear()
        listers = [answer if rule.choices in answers else rule.choices for rule in fitting]
        self._listers[situation] = list(dict.fromkeys(listers))
        return self._listers[situation]

    def table(self, seats: int, chosen: EuropeOptions) -> EuropeState:
        """Lay an empty board for three or four colours (E-1, E-3)."""
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
        if free and (refusal := self._start_post_rule.unplayable(state)):
            raise refusal
        return state

    def deal(self, state: EuropeState, chance: Chance) -> list[Fact]:
        """Set up, as far as the first placement of the free set-up or the first turn."""
        ledger = Ledger(state, chance, self.steps)
        self.steps.set_up(ledger)
        return ledger.facts

    def to_act(self, state: EuropeState) -> Sequence[int]:
        """Return the player on turn, or after a 7 all who owe cards."""
        if state.phase == DISCARD:
            return tuple([seat for seat in range(state.seats) if state.due[seat]])
        return () if state.phase == OVER else _ALONE[state.active]

    def may_act(self, state: EuropeState) -> Sequence[int]:
        """Return who has a move: in the action phase also those who have an offer to make or to answer."""
        if state.phase != ACTION:
            return self.to_act(state)
        others = [
            seat for seat in range(state.seats) if seat != state.active and self._may_speak(state, seat)
        ]
        return tuple(sorted([state.active, *others]))

    def has_move(self, state: EuropeState, seat: int) -> bool:
        """Return whether a seat has a move, without a look at the others."""
        return seat in self.to_act(state) or (state.phase == ACTION and self._may_speak(state, seat))

    def _may_speak(self, state: EuropeState, seat: int) -> bool:
        return bool(self.legal_moves(state, seat)) or bool(self.open_moves(state, seat))

    def is_over(self, state: EuropeState) -> bool:
        """Return whether the match has ended."""
        return state.phase == OVER

    def play(self, state: EuropeState, seat: int, move: Move, chance: Chance) -> list[Fact]:
        """Verify, then decide; a move of this phase by the player on turn is asked directly whether it is blocked."""
        blocked = self._blocked[state.phase].get(type(move)) if seat == state.active else None
        refusal = self.refusal(state, seat, move) if blocked is None else blocked(state, seat, move)
        if refusal is not None:
            raise refusal
        return self.decide(state, seat, move, chance)

    def legal_moves(self, state: EuropeState, seat: int) -> list[Move]:
        """Return everything but new offers and whole sets of cards given back."""
        now = situation(state, seat)
        listers = self._listers.get(now)
        if listers is None:
            listers = self._find_listers(now)
        found = [*listers[0](state, seat)] if listers else []
        for lister in listers[1:]:
            found += lister(state, seat)
        return found

    def open_moves(self, state: EuropeState, seat: int) -> Sequence[type[Move]]:
        """Return the kinds of move of this phase that can't be listed and may be made."""
        return tuple([kind for kind, is_open in self._open[state.phase].items() if is_open(state, seat)])

    def decide(self, state: EuropeState, seat: int, verified: Move, chance: Chance) -> list[Fact]:
        """Return the facts of a move; steps left over lapse before another action, offers after it."""
        ledger = Ledger(state, chance, self.steps)
        kind = type(verified)
        if state.steps and not self.move_rules[kind].keeps_steps(state, verified):  # type: ignore[attr-defined]
            self.steps.lapse_steps(ledger, seat)
        hands = state.hands[:] if state.offers else None
        self._facts[kind](ledger, seat, verified)
        if hands is not None:
            self.steps.lapse_offers(ledger, hands)
        return ledger.facts

    def view(self, state: EuropeState, viewer: int) -> View:
        """Return what a viewer may know, built up from nothing."""
        return view(state, viewer)

    def result(self, state: EuropeState) -> Result | None:
        """Return goods delivered, posts and gold of each player once the match is over (E-70)."""
        return ending.result_of(state, self.steps) if state.places else None

    def resample(self, state: EuropeState, viewer: int, chance: Chance) -> EuropeState:
        """Return a state with other cards in other hands, such that all this viewer saw could have happened."""
        return resample(state, viewer, chance)

    def sentence(self, state: EuropeState, fact: Fact, names: Sequence[str]) -> Phrase | None:
        """Return what is said about a fact."""
        return sentence(state, fact, names)

    def label(self, state: EuropeState, seat: int, move: Move, names: Sequence[str]) -> Phrase:
        """Return a label for a legal move."""
        return label(state, seat, move, self.move_rules[type(move)], names)

    def scene(
        self, state: EuropeState, viewer: int, names: Sequence[str], language: str = DEFAULT_LANGUAGE
    ) -> str:
        """Return the table in a few lines."""
        return scene(state, viewer, names, self.messages[language])


VERSION_1: Ruleset[Steps] = Ruleset(
    version=1,
    apply=EuropeRules,
    moves={
        m.PlaceStartPost: set_up.PlaceStartPostRule(),
        m.PlaceNeutralPost: set_up.PlaceNeutralPostRule(),
        m.PlaceStartRoute: set_up.PlaceStartRouteRule(),
        m.RollDice: production.RollDiceRule(),
        m.DiscardCard: robber.DiscardCardRule(),
        m.DiscardCards: robber.DiscardCardsRule(),
        m.MoveRobber: robber.MoveRobberRule(),
        m.StealCard: robber.StealCardRule(),
        m.ForgoTheft: robber.ForgoTheftRule(),
        m.ChooseChain: routes.ChooseChainRule(),
        m.PlaceToken: tokens.PlaceTokenRule(),
        m.ShiftToken: tokens.ShiftTokenRule(),
        m.LeaveHexEmpty: tokens.LeaveHexEmptyRule(),
        m.Deliver: caravans.DeliverRule(),
        m.MoveCaravan: caravans.MoveCaravanRule(),
        m.Halt: caravans.HaltRule(),
        m.MoveMerchant: merchants.MoveMerchantRule(),
        m.HireMerchant: merchants.HireMerchantRule(),
        m.BuildRoute: routes.BuildRouteRule(),
        m.ForgoRoute: routes.ForgoRouteRule(),
        m.FormCaravan: caravans.FormCaravanRule(),
        m.BuyCard: development_cards.BuyCardRule(),
        m.BuyResource: trade.BuyResourceRule(),
        m.TradeWithSupply: trade.TradeWithSupplyRule(),
        m.PlayLancer: development_cards.PlayLancerRule(),
        m.PlaySafeConduct: development_cards.PlaySafeConductRule(),
        m.PlayTreatyForGold: development_cards.PlayTreatyForGoldRule(),
        m.PlayTreatyForMerchant: development_cards.PlayTreatyForMerchantRule(),
        m.PlayBribe: development_cards.PlayBribeRule(),
        m.OfferTrade: trade.OfferTradeRule(),
        m.CounterOffer: trade.CounterOfferRule(),
        m.AcceptOffer: trade.AcceptOfferRule(),
        m.DeclineOffer: trade.DeclineOfferRule(),
        m.WithdrawOffer: trade.WithdrawOfferRule(),
        m.EndTurn: turn.EndTurnRule(),
    },
    steps=Steps(
        index=Index,
        find_phase=turn.find_phase,
        set_up=set_up.set_up,
        open_placement=set_up.open_placement,
        produce=production.produce,
        wake_robber=robber.wake_robber,
        connect=routes.connect,
        lapse_routes=routes.lapse_routes,
        found_post=merchants.found_post,
        place_token=tokens.place_token,
        lapse_steps=caravans.lapse_steps,
        lapse_offers=trade.lapse_offers,
        begin_turn=turn.begin_turn,
        end_if_delivered=ending.end_if_delivered,
        worth=ending.worth,
    ),
    facts=FACTS,
    options=EuropeOptions,
)

VERSION_2 = VERSION_1.revised(
    2,
    moves={
        m.PlaceStartPost: set_up.PlaceStartPostByOptionRule(),
        m.FormCaravan: caravans.FormCaravanElsewhereRule(),
        m.MoveCaravan: caravans.MoveCaravanPastFullRule(),
    },
    options=EuropeOptions2,
)
"""First posts by option (E-12), a caravan that is moved comes elsewhere (E-40), caravans may come back (E-46)."""

RULESETS = (VERSION_1, VERSION_2)
"""Every version that matches were played under, the current one last."""
