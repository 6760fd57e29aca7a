"""The rules of Settlers of Europe: which part of them answers for which move."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar, Literal

from kontor_games.domain.chance import Chance
from kontor_games.domain.codec import Between, Length
from kontor_games.domain.game import (
    DataSet,
    Fact,
    Ledger,
    MatchOverError,
    Move,
    NoSuchSeatError,
    Options,
    Result,
    Rules,
    UnknownMoveError,
    View,
    record,
)
from kontor_games.domain.games.europe import (
    buying,
    caravans,
    development,
    ending,
    merchants,
    moves,
    producing,
    resampling,
    routes,
    setting_up,
    telling,
    trading,
    turn_moves,
    view,
)
from kontor_games.domain.games.europe.atlas import Atlas
from kontor_games.domain.games.europe.board import COLOURS, Board
from kontor_games.domain.games.europe.facts_build import BUILD_FACTS
from kontor_games.domain.games.europe.facts_setup import SET_UP_FACTS
from kontor_games.domain.games.europe.facts_trade import TRADE_FACTS
from kontor_games.domain.games.europe.facts_travel import TRAVEL_FACTS
from kontor_games.domain.games.europe.facts_turn import TURN_FACTS
from kontor_games.domain.games.europe.refusals import BadOptionsError
from kontor_games.domain.games.europe.resources import PIECES
from kontor_games.domain.games.europe.state import ACTION, DISCARD, OVER, EuropeState, Setting

Colour = Literal["red", "blue", "white", "orange"]
Verify = Callable[[EuropeState, int, Any], None]
Decide = Callable[[Ledger[EuropeState], int, Any], None]

_PARTS: dict[type[Move], tuple[Verify, Decide]] = {
    moves.PlaceStartPost: (setting_up.verify_start_post, setting_up.decide_start_post),
    moves.PlaceNeutralPost: (setting_up.verify_neutral_post, setting_up.decide_neutral_post),
    moves.PlaceStartRoute: (setting_up.verify_start_route, setting_up.decide_start_route),
    moves.RollDice: (producing.verify_roll, producing.decide_roll),
    moves.DiscardCard: (producing.verify_discard, producing.decide_discard),
    moves.DiscardCards: (producing.verify_discards, producing.decide_discards),
    moves.MoveRobber: (producing.verify_robber, producing.decide_robber),
    moves.StealCard: (producing.verify_steal, producing.decide_steal),
    moves.ForgoTheft: (producing.verify_forgo_theft, producing.decide_forgo_theft),
    moves.BuyResource: (buying.verify_buy_resource, buying.decide_buy_resource),
    moves.TradeWithSupply: (buying.verify_supply_trade, buying.decide_supply_trade),
    moves.BuyCard: (buying.verify_buy_card, buying.decide_buy_card),
    moves.HireMerchant: (merchants.verify_hire, merchants.decide_hire),
    moves.FormCaravan: (caravans.verify_form, caravans.decide_form),
    moves.BuildRoute: (routes.verify_build, routes.decide_build),
    moves.ForgoRoute: (routes.verify_forgo, routes.decide_forgo),
    moves.ChooseChain: (routes.verify_chain, routes.decide_chain),
    moves.MoveMerchant: (merchants.verify_move, merchants.decide_move),
    moves.PlaceToken: (merchants.verify_token, merchants.decide_token),
    moves.ShiftToken: (merchants.verify_shift, merchants.decide_shift),
    moves.LeaveHexEmpty: (merchants.verify_leave, merchants.decide_leave),
    moves.MoveCaravan: (caravans.verify_move, caravans.decide_move),
    moves.Halt: (caravans.verify_halt, caravans.decide_halt),
    moves.Deliver: (caravans.verify_deliver, caravans.decide_deliver),
    moves.PlaySafeConduct: (development.verify_safe_conduct, development.decide_safe_conduct),
    moves.PlayTreatyForGold: (development.verify_treaty_gold, development.decide_treaty_gold),
    moves.PlayTreatyForMerchant: (development.verify_treaty, development.decide_treaty),
    moves.PlayLancer: (development.verify_lancer, development.decide_lancer),
    moves.PlayBribe: (development.verify_bribe, development.decide_bribe),
    moves.OfferTrade: (trading.verify_offer, trading.decide_offer),
    moves.CounterOffer: (trading.verify_counter, trading.decide_counter),
    moves.AcceptOffer: (trading.verify_accept, trading.decide_accept),
    moves.DeclineOffer: (trading.verify_decline, trading.decide_decline),
    moves.WithdrawOffer: (trading.verify_withdraw, trading.decide_withdraw),
    moves.EndTurn: (ending.verify_end, ending.decide_end),
}

_ALONE = ((0,), (1,), (2,), (3,), ())
"""A seat to what the match waits for in its turn; before the deal, that is nobody (-1)."""

_KEEPS_STEPS = frozenset(
    (
        moves.MoveCaravan,
        moves.Halt,
        moves.Deliver,
        moves.OfferTrade,
        moves.CounterOffer,
        moves.AcceptOffer,
        moves.DeclineOffer,
        moves.WithdrawOffer,
    )
)
"""What a player may do without losing the steps that a caravan has left."""


@record
class EuropeOptions(Options):
    """What the creator of a match may choose."""

    set_up: Literal["fixed", "free"] | None = None
    """None: the board's own (E-10, E-12)."""
    turn_limit: Annotated[int, Between(1, 1000)] = 500
    """After so many turns of all players together the match ends (E-70)."""
    colours: Annotated[tuple[Colour, ...], Length(0, 4)] = ()
    """One for each seat, or none: then red, blue, white, orange (E-13)."""


class EuropeRules(Rules[EuropeState]):
    """Settlers of Europe, on one board."""

    version = 1
    moves: ClassVar[tuple[type[Move], ...]] = moves.MOVES
    facts: ClassVar[tuple[type[Fact], ...]] = (
        *SET_UP_FACTS,
        *TURN_FACTS,
        *BUILD_FACTS,
        *TRAVEL_FACTS,
        *TRADE_FACTS,
    )
    options: ClassVar[type[Options]] = EuropeOptions
    seat_counts = (3, 4)

    def __init__(self, data: DataSet) -> None:
        """Works out the board once for all matches on it."""
        super().__init__(data)
        self.board = Board.from_document(data.document)
        self.atlas = Atlas(self.board)

    def table(self, seats: int, chosen: EuropeOptions) -> EuropeState:
        """An empty board for three or four colours (E-1, E-3)."""
        if seats not in self.seat_counts:
            raise BadOptionsError("Settlers of Europe is for three or four players.", rule="E-1")
        colours = chosen.colours or COLOURS[:seats]
        if len(colours) != seats or len(set(colours)) != seats:
            raise BadOptionsError("Choose one colour for each seat, or none.", rule="E-13")
        neutral = next((colour for colour in COLOURS if colour not in colours), None)
        free = (chosen.set_up or ("free" if self.board.kind == "expert" else "fixed")) == "free"
        posts, goods = PIECES[self.board.kind, seats]
        return EuropeState(
            Setting(self.atlas, seats, colours, neutral, free, chosen.turn_limit, posts, goods)
        )

    def deal(self, state: EuropeState, chance: Chance) -> list[Fact]:
        """Up to the first placement of the free set-up, or the first turn."""
        ledger = Ledger(state, chance)
        setting_up.deal(ledger)
        return ledger.facts

    def to_act(self, state: EuropeState) -> Sequence[int]:
        """The player on turn, or after a 7 all who owe cards."""
        if state.phase == DISCARD:
            return tuple([seat for seat in range(state.seats) if state.due[seat]])
        return () if state.phase == OVER else _ALONE[state.active]

    def may_act(self, state: EuropeState) -> Sequence[int]:
        """In the action phase also those who have an offer to make or to answer."""
        if state.phase != ACTION:
            return self.to_act(state)
        return tuple(
            [seat for seat in range(state.seats) if seat == state.active or turn_moves.may_speak(state, seat)]
        )

    def verify(self, state: EuropeState, seat: int, wanted: Move) -> None:
        """Asks the part of the rules that answers for such a move."""
        if state.phase == OVER:
            raise MatchOverError("The match is over.", rule="E-70")
        if not 0 <= seat < state.seats:
            raise NoSuchSeatError("There is no such seat.", rule="E-1")
        part = _PARTS.get(type(wanted))
        if part is None:
            raise UnknownMoveError("There is no such move.", rule="E-1")
        part[0](state, seat, wanted)

    def decide(self, state: EuropeState, seat: int, verified: Move, chance: Chance) -> list[Fact]:
        """Steps left over lapse before another action, offers after it."""
        ledger = Ledger(state, chance)
        kind = type(verified)
        if state.steps and not (kind in _KEEPS_STEPS and turn_moves.goes_on(state, seat, verified)):
            caravans.lapse_steps(ledger, seat)
        if state.offers:
            before = state.hands[:]
            _PARTS[kind][1](ledger, seat, verified)
            trading.lapse_offers(ledger, before)
        else:
            _PARTS[kind][1](ledger, seat, verified)
        return ledger.facts

    def legal_moves(self, state: EuropeState, seat: int) -> list[Move]:
        """Everything but new offers and whole sets of cards given back."""
        return turn_moves.legal_moves(state, seat)

    def open_moves(self, state: EuropeState, seat: int) -> Sequence[type[Move]]:
        """Offers, and cards given back as one set."""
        if state.phase == DISCARD and state.due[seat]:
            return (moves.DiscardCards,)
        return trading.open_trades(state, seat) if state.phase == ACTION else ()

    def quiet_moves(self, state: EuropeState, seat: int) -> list[Move]:
        """Rolling, ending the turn, doing without; where something must be chosen, all there is."""
        listed = self.legal_moves(state, seat)
        return [move for move in listed if type(move) in turn_moves.QUIET] or listed

    def view(self, state: EuropeState, viewer: int) -> View:
        """Built up from nothing."""
        return view.view(state, viewer)

    def result(self, state: EuropeState) -> Result | None:
        """Goods delivered, then posts, then gold (E-70)."""
        return ending.result(state)

    def resample(self, state: EuropeState, viewer: int, chance: Chance) -> EuropeState:
        """Other cards in other hands, such that all this viewer saw could have happened."""
        return resampling.resample(state, viewer, chance)

    def tell(self, state: EuropeState, happened: Fact, viewer: int, names: Sequence[str]) -> str:
        """The fact as a sentence."""
        return telling.tell(self, state, happened, viewer, names)

    def scene(self, state: EuropeState, viewer: int, names: Sequence[str]) -> str:
        """The table in a few lines."""
        return telling.scene(self, state, viewer, names)
