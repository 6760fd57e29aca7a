"""The match as a story: each fact as a sentence, and the table as a few lines."""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.game import Fact
from kontor_games.domain.games.speicherstadt import facts as f
from kontor_games.domain.games.speicherstadt.cards import CONTRACT_POINTS, KIND, MERCHANTS, Deck
from kontor_games.domain.games.speicherstadt.cubes import unpack
from kontor_games.domain.games.speicherstadt.moves.loading import WAREHOUSE_ROOM
from kontor_games.domain.games.speicherstadt.prose import coins, goods, listed, ordinal, points, they
from kontor_games.domain.games.speicherstadt.state import Place, Table

_MERCHANT_OF = {good: merchant.replace("_", " ") for merchant, good in MERCHANTS.items()}
_FROM: dict[Place, str] = {
    "quay": "",
    "market_hall": " from the market hall",
    "warehouse": " from the warehouse",
}


class Teller:
    """Tells what happened; it knows what is printed on the cards."""

    def __init__(self, deck: Deck) -> None:
        """One for each data set."""
        self._deck = deck
        self._tellers: dict[type[Fact], Callable[[Table, Any, Sequence[str]], str]] = {
            f.FirstPlayerChosen: self._first_player,
            f.PileStacked: self._pile,
            f.BagFilled: lambda state, fact, names: "All 45 cubes go into the bag, nine of each good.",
            f.RoundBegun: self._round,
            f.CardsRevealed: self._supply,
            f.FireFought: self._fire,
            f.WorkerPlaced: self._worker,
            f.CardOffered: self._offer,
            f.CardBought: self._purchase,
            f.CardDeclined: lambda state, fact, names: (
                f"{names[fact.seat]} lets {self.in_row(state, fact.card)} go."
            ),
            f.BuyerPassedOver: self._passed_over,
            f.CardDiscarded: self._discard,
            f.LoadingBegun: self._loading,
            f.CubeDelivered: self._delivery,
            f.CubeSold: self._sale,
            f.CubeStored: self._storing,
            f.CubeKept: self._keeping,
            f.CubeTakenOut: self._taking_out,
            f.CubesConverted: self._conversion,
            f.TwoCubesSold: self._pair,
            f.LoadingFinished: self._finish,
            f.CubesLost: self._loss,
            f.IncomePaid: self._income,
            f.MetalCoinPassed: lambda state, fact, names: f"The metal coin goes to {names[fact.seat]}.",
            f.GameEnded: self._end,
        }

    def tell(self, state: Table, happened: Fact, names: Sequence[str]) -> str:
        """The sentence for a fact; the state is the one after it."""
        return self._tellers[type(happened)](state, happened, names)

    # --- cards -------------------------------------------------------------------------------------------------------------

    def bare(self, card: str) -> str:
        """What a card is, without an article."""
        if card in self._deck.goods:
            return f"contract for {goods(self._deck.goods[card])}"
        if card in self._deck.value:
            return f"fireman of value {self._deck.value[card]}"
        return "St. Michaelis" if card == "st_michaelis" else KIND[card].replace("_", " ")

    def the(self, card: str) -> str:
        """A card that has been spoken of."""
        return self.bare(card) if card == "st_michaelis" else f"the {self.bare(card)}"

    def in_row(self, state: Table, card: str) -> str:
        """A card of the row; of several ships, the one with this cargo."""
        ships = [KIND[other] for other in state.row].count("ship")
        aboard = unpack(state.cargo[state.row.index(card)])
        return f"the ship with {goods(aboard)}" if aboard and ships > 1 else self.the(card)

    def a(self, card: str, cubes: Sequence[str] = ()) -> str:
        """A card that appears, with what lies on it."""
        aboard = f" with {goods(cubes)}" if cubes else ""
        unique = KIND[card] == card
        return (self.the(card) if unique else f"a {self.bare(card)}") + aboard

    # --- set-up, supply, fires ---------------------------------------------------------------------------------------------

    def _first_player(self, state: Table, fact: f.FirstPlayerChosen, names: Sequence[str]) -> str:
        how = "by lot" if fact.by_lot else "as agreed"
        return f"{names[fact.seat]} holds the metal coin and goes first, {how}."

    def _pile(self, state: Table, fact: f.PileStacked, names: Sequence[str]) -> str:
        stacked = f"The pile is stacked, winter on top: {len(state.pile)} cards"
        return (
            f"{stacked}; {listed([self.the(card) for card in fact.removed])} stay in the box."
            if fact.removed
            else f"{stacked}."
        )

    def _round(self, state: Table, fact: f.RoundBegun, names: Sequence[str]) -> str:
        return f"Round {fact.round} begins, and {names[state.first]} is first player."

    def _supply(self, state: Table, fact: f.CardsRevealed, names: Sequence[str]) -> str:
        shown = [self.a(card, cubes) for card, cubes in zip(fact.cards, fact.cubes, strict=True)]
        last = (
            " Only the last fire is left in the pile: this is the last round."
            if len(state.unrevealed()) == 1
            else ""
        )
        return f"Into the row {'come' if len(shown) > 1 else 'comes'} {listed(shown)}.{last}"

    def _fire(self, state: Table, fact: f.FireFought, names: Sequence[str]) -> str:
        fire = f"Fire, the {ordinal(int(fact.fire.removeprefix('fire_')))}!"
        if not any(fact.points):
            return f"{fire} Everybody's firemen are equal, so nobody gains and nobody loses."
        gaining, losing, others = (
            [names[s] for s, won in enumerate(fact.points) if (won > 0) - (won < 0) == sign]
            for sign in (1, -1, 0)
        )
        stake, least = points(max(fact.points)), min(fact.firemen)
        told = f"{fire} Firemen worth {max(fact.firemen)} bring {listed(gaining)} {stake}"
        told += f"; {listed(losing)}, with {f'firemen worth {least}' if least else 'no fireman'}, {they(losing, 'loses', 'lose')} {stake}"
        return f"{told}; {listed(others)} {they(others, 'stays', 'stay')} unharmed." if others else f"{told}."

    # --- demand and purchase -----------------------------------------------------------------------------------------------

    def _worker(self, state: Table, fact: f.WorkerPlaced, names: Sequence[str]) -> str:
        line = state.lines[state.row.index(fact.card)]
        if len(line) == 1:
            return f"{names[fact.seat]} opens the line for {self.in_row(state, fact.card)}."
        another = "another worker" if fact.seat in line[:-1] else "a worker"
        return f"{names[fact.seat]} puts {another} on {self.in_row(state, fact.card)}, {ordinal(len(line))} in line."

    def _offer(self, state: Table, fact: f.CardOffered, names: Sequence[str]) -> str:
        return f"{names[fact.seat]} may have {self.in_row(state, fact.card)} for {coins(fact.price)}."

    def _purchase(self, state: Table, fact: f.CardBought, names: Sequence[str]) -> str:
        bought = f"{names[fact.seat]} buys {self.the(fact.card)} for {coins(fact.price)}"
        return f"{bought}; {goods(fact.cubes)} land on the quay." if fact.cubes else f"{bought}."

    def _passed_over(self, state: Table, fact: f.BuyerPassedOver, names: Sequence[str]) -> str:
        has = coins(state.coins[fact.seat]) if state.coins[fact.seat] else "no coin"
        return f"{names[fact.seat]} has {has}, too little for {self.in_row(state, fact.card)} at {fact.price}, and is passed over."

    def _discard(self, state: Table, fact: f.CardDiscarded, names: Sequence[str]) -> str:
        if fact.cubes:
            return f"Nobody takes {self.the(fact.card)}; {goods(fact.cubes)} go to the stock."
        return f"Nobody takes {self.the(fact.card)}."

    # --- loading -----------------------------------------------------------------------------------------------------------

    def _loading(self, state: Table, fact: f.LoadingBegun, names: Sequence[str]) -> str:
        who = [names[seat] for seat in fact.seats]
        if len(who) == 1:
            return f"Loading: {who[0]} alone has cubes."
        return (
            f"Loading: {listed(who)}, all at once."
            if state.simultaneous
            else f"Loading: first {', then '.join(who)}."
        )

    def _delivery(self, state: Table, fact: f.CubeDelivered, names: Sequence[str]) -> str:
        put = f"{names[fact.seat]} puts {fact.good}{_FROM[fact.origin]} on {self.the(fact.contract)}"
        if open_places := unpack(state.open_places[fact.contract]):
            return f"{put}; {goods(open_places)} still to come."
        return f"{put} and completes it: {points(CONTRACT_POINTS[len(self._deck.goods[fact.contract])])}!"

    def _sale(self, state: Table, fact: f.CubeSold, names: Sequence[str]) -> str:
        return f"{names[fact.seat]} sells {fact.good}{_FROM[fact.origin]} to the {_MERCHANT_OF[fact.good]} for 1 coin."

    def _storing(self, state: Table, fact: f.CubeStored, names: Sequence[str]) -> str:
        stored = len(unpack(state.warehouse[fact.seat]))
        return f"{names[fact.seat]} stores {fact.good}{_FROM[fact.origin]} in the warehouse, now {stored} of {WAREHOUSE_ROOM}."

    def _keeping(self, state: Table, fact: f.CubeKept, names: Sequence[str]) -> str:
        return f"{names[fact.seat]} keeps {fact.good}{_FROM[fact.origin]} in the market hall."

    def _taking_out(self, state: Table, fact: f.CubeTakenOut, names: Sequence[str]) -> str:
        return f"{names[fact.seat]} takes {fact.good}{_FROM[fact.origin]} back to the quay."

    def _conversion(self, state: Table, fact: f.CubesConverted, names: Sequence[str]) -> str:
        return f"{names[fact.seat]} changes {goods(fact.given)} for {fact.taken} in the market hall."

    def _pair(self, state: Table, fact: f.TwoCubesSold, names: Sequence[str]) -> str:
        return f"{names[fact.seat]} sells {goods(fact.goods)} in the market hall for 1 coin."

    def _finish(self, state: Table, fact: f.LoadingFinished, names: Sequence[str]) -> str:
        who = names[fact.seat]
        told = {
            "done": f"{who} has finished loading."
            if state.steps[fact.seat]
            else f"{who} leaves all cubes where they are.",
            "no_cubes": f"{who} has no cube left to load.",
            "step_limit": f"{who} has made {state.steps[fact.seat]} steps, and no more are allowed.",
        }
        return told[fact.reason]

    def _loss(self, state: Table, fact: f.CubesLost, names: Sequence[str]) -> str:
        return f"Left on the quay by {names[fact.seat]} and lost: {goods(fact.cubes)}."

    # --- income and end ----------------------------------------------------------------------------------------------------

    def _income(self, state: Table, fact: f.IncomePaid, names: Sequence[str]) -> str:
        told = ["Income: 1 coin each"]
        if fact.bought_nothing:
            told.append(
                f"1 more for {listed([names[seat] for seat in fact.bought_nothing])}, who bought nothing"
            )
        if fact.bank is not None:
            told.append(f"1 more for {names[fact.bank]} from the bank")
        return "; ".join(told) + "."

    def _end(self, state: Table, fact: f.GameEnded, names: Sequence[str]) -> str:
        order = sorted(range(len(names)), key=lambda seat: fact.places[seat])
        totals = [score.total for score in fact.scores]
        winners = [seat for seat in order if fact.places[seat] == 1]
        others = [f"{names[seat]} ({totals[seat]})" for seat in order if fact.places[seat] > 1]
        behind = f", before {listed(others)}" if others else ""
        money = self._tie_break(fact, winners[0])
        if len(winners) > 1:
            return f"The game is over: {listed([names[seat] for seat in winners])} share the win with {points(totals[winners[0]])}{behind}."
        return f"The game is over: {names[winners[0]]} wins with {points(totals[winners[0]])}{money}{behind}."

    def _tie_break(self, fact: f.GameEnded, winner: int) -> str:
        equals = [seat for seat, score in enumerate(fact.scores) if score.total == fact.scores[winner].total]
        return f" and more coins ({fact.coins[winner]})" if len(equals) > 1 else ""
