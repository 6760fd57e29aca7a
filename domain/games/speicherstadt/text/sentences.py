"""The sentence about each fact. The texts are in `messages/`, under `facts` and the type of the fact."""

from collections.abc import Sequence

from kontor_games.domain.game import Fact
from kontor_games.domain.games.speicherstadt.data.cards import CONTRACT_POINTS, MERCHANTS
from kontor_games.domain.games.speicherstadt.facts import (
    demand,
    ending,
    income,
    loading,
    purchase,
    set_up,
    supply,
)
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from kontor_games.domain.games.speicherstadt.text.phrases import (
    card,
    card_with_cubes,
    good,
    goods,
    in_row,
    ordinal,
)
from kontor_games.domain.toolkit.messages import Phrase, Value, phrase

Names = Sequence[str]
Values = dict[str, Value]
MERCHANT_OF = {good: merchant for merchant, good in MERCHANTS.items()}


class _Values:
    """For each fact a method with its name: the values of its message. The state is the one after it."""

    def first_player_chosen(self, state: Table, fact: set_up.FirstPlayerChosen, names: Names) -> Values:
        return {"who": names[fact.seat], "how": "lot" if fact.by_lot else "agreed"}

    def pile_stacked(self, state: Table, fact: set_up.PileStacked, names: Names) -> Values:
        return {"n": len(state.pile), "removed": tuple(card(state, name) for name in fact.removed)}

    def bag_filled(self, state: Table, fact: set_up.BagFilled, names: Names) -> Values:
        return {}

    def round_begun(self, state: Table, fact: supply.RoundBegun, names: Names) -> Values:
        return {"round": fact.round, "first": names[state.first]}

    def cards_revealed(self, state: Table, fact: supply.CardsRevealed, names: Names) -> Values:
        shown = [
            card_with_cubes(state, name, cubes) for name, cubes in zip(fact.cards, fact.cubes, strict=True)
        ]
        return {"cards": tuple(shown), "left": len(state.unrevealed())}

    def fire_fought(self, state: Table, fact: supply.FireFought, names: Names) -> Values:
        stake = max(fact.points)
        shared = list(zip(names, fact.points, strict=True))
        won, lost, others = (tuple(name for name, n in shared if n == x) for x in (stake, -stake, 0))
        number = ordinal(int(fact.fire.removeprefix("fire_")))
        values: Values = {"number": number, "stake": stake, "won": won, "lost": lost, "others": others}
        return {**values, "most": max(fact.firemen), "least": min(fact.firemen)}

    def worker_placed(self, state: Table, fact: demand.WorkerPlaced, names: Names) -> Values:
        line = state.lines[state.row.index(fact.card)]
        again = "yes" if fact.seat in line[:-1] else "no"
        values: Values = {"who": names[fact.seat], "card": in_row(state, fact.card)}
        return {**values, "place": len(line), "ordinal": ordinal(len(line)), "again": again}

    def card_offered(self, state: Table, fact: purchase.CardOffered, names: Names) -> Values:
        return {"who": names[fact.seat], "card": in_row(state, fact.card), "price": fact.price}

    def card_bought(self, state: Table, fact: purchase.CardBought, names: Names) -> Values:
        values: Values = {"who": names[fact.seat], "card": card(state, fact.card), "price": fact.price}
        return {**values, "goods": goods(fact.cubes)}

    def card_declined(self, state: Table, fact: purchase.CardDeclined, names: Names) -> Values:
        return {"who": names[fact.seat], "card": in_row(state, fact.card)}

    def buyer_passed_over(self, state: Table, fact: purchase.BuyerPassedOver, names: Names) -> Values:
        values: Values = {"who": names[fact.seat], "card": in_row(state, fact.card), "price": fact.price}
        return {**values, "coins": state.coins[fact.seat]}

    def card_discarded(self, state: Table, fact: purchase.CardDiscarded, names: Names) -> Values:
        return {"card": card(state, fact.card), "goods": goods(fact.cubes)}

    def loading_begun(self, state: Table, fact: loading.LoadingBegun, names: Names) -> Values:
        who = tuple(names[seat] for seat in fact.seats)
        order = "alone" if len(who) == 1 else "together" if state.simultaneous else "in_turn"
        in_turn: Value = who[0]
        for name in who[1:]:
            in_turn = phrase("then", before=in_turn, who=name)
        return {"who": who, "order": order, "in_turn": in_turn}

    def cube_delivered(self, state: Table, fact: loading.CubeDelivered, names: Names) -> Values:
        contract, missing = card(state, fact.contract), unpack(state.open_places[fact.contract])
        points = CONTRACT_POINTS[len(state.deck.goods[fact.contract])]
        return {
            **_moved(fact.seat, fact.good, fact.origin, names),
            "contract": contract,
            "missing": goods(missing),
            "points": points,
        }

    def cube_sold(self, state: Table, fact: loading.CubeSold, names: Names) -> Values:
        merchant = phrase(f"cards.{MERCHANT_OF[fact.good]}")
        return {**_moved(fact.seat, fact.good, fact.origin, names), "merchant": merchant}

    def cube_stored(self, state: Table, fact: loading.CubeStored, names: Names) -> Values:
        stored = len(unpack(state.warehouse[fact.seat]))
        values = _moved(fact.seat, fact.good, fact.origin, names)
        return {**values, "stored": stored, "room": state.numbers.warehouse}

    def cube_kept(self, state: Table, fact: loading.CubeKept | loading.CubeTakenOut, names: Names) -> Values:
        return _moved(fact.seat, fact.good, fact.origin, names)

    cube_taken_out = cube_kept

    def cubes_converted(self, state: Table, fact: loading.CubesConverted, names: Names) -> Values:
        return {"who": names[fact.seat], "given": goods(fact.given), "taken": good(fact.taken)}

    def two_cubes_sold(self, state: Table, fact: loading.TwoCubesSold, names: Names) -> Values:
        return {"who": names[fact.seat], "goods": goods(fact.goods)}

    def loading_finished(self, state: Table, fact: loading.LoadingFinished, names: Names) -> Values:
        return {"who": names[fact.seat], "reason": fact.reason, "steps": state.steps[fact.seat]}

    def cubes_lost(self, state: Table, fact: loading.CubesLost, names: Names) -> Values:
        return {"who": names[fact.seat], "goods": goods(fact.cubes)}

    def income_paid(self, state: Table, fact: income.IncomePaid, names: Names) -> Values:
        each = fact.coins[0] - (0 in fact.bought_nothing) - (fact.bank == 0)
        bank = () if fact.bank is None else (names[fact.bank],)
        return {"each": each, "idle": tuple(names[seat] for seat in fact.bought_nothing), "bank": bank}

    def metal_coin_passed(self, state: Table, fact: income.MetalCoinPassed, names: Names) -> Values:
        return {"who": names[fact.seat]}

    def game_ended(self, state: Table, fact: ending.GameEnded, names: Names) -> Values:
        order = sorted(range(len(names)), key=fact.places.__getitem__)
        totals = [score.total for score in fact.scores]
        winners = tuple(names[seat] for seat in order if fact.places[seat] == 1)
        others = tuple(f"{names[seat]} ({totals[seat]})" for seat in order if fact.places[seat] > 1)
        by_coins = "yes" if len(winners) == 1 < totals.count(totals[order[0]]) else "no"
        values: Values = {"winners": winners, "others": others, "by_coins": by_coins}
        return {**values, "points": totals[order[0]], "coins": fact.coins[order[0]]}


def _moved(seat: int, name: str, origin: str, names: Names) -> Values:
    return {"who": names[seat], "good": good(name), "origin": phrase(f"origins.{origin}")}


_VALUES = _Values()


def sentence(state: Table, fact: Fact, names: Names) -> Phrase:
    """Return the sentence about a fact; the state is the one after it."""
    return Phrase(f"facts.{fact.type}", getattr(_VALUES, fact.type)(state, fact, names))
