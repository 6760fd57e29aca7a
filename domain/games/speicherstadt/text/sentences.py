"""Each fact as a sentence for people who watch."""

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
from kontor_games.domain.games.speicherstadt.text.phrases import a, goods, in_row, ordinal, the
from kontor_games.domain.toolkit.sentences import counted, listed

Names = Sequence[str]
_MERCHANT_OF = {good: merchant.replace("_", " ") for merchant, good in MERCHANTS.items()}
_FROM = {"quay": "", "market_hall": " from the market hall", "warehouse": " from the warehouse"}


class _Sentences:
    """For each fact a method with its name; the state is the one after the fact."""

    def first_player_chosen(self, state: Table, fact: set_up.FirstPlayerChosen, names: Names) -> str:
        how = "by lot" if fact.by_lot else "as agreed"
        return f"{names[fact.seat]} holds the metal coin and goes first, {how}."

    def pile_stacked(self, state: Table, fact: set_up.PileStacked, names: Names) -> str:
        removed = listed(the(state, card) for card in fact.removed)
        box = removed and f"; {removed} stay in the box"
        return f"The pile is stacked, winter on top: {len(state.pile)} cards{box}."

    def bag_filled(self, state: Table, fact: set_up.BagFilled, names: Names) -> str:
        return "All 45 cubes go into the bag, nine of each good."

    def round_begun(self, state: Table, fact: supply.RoundBegun, names: Names) -> str:
        return f"Round {fact.round} begins, and {names[state.first]} is first player."

    def cards_revealed(self, state: Table, fact: supply.CardsRevealed, names: Names) -> str:
        shown = [a(state, card, cubes) for card, cubes in zip(fact.cards, fact.cubes, strict=True)]
        is_last = len(state.unrevealed()) == 1
        last = " Only the last fire is left in the pile: this is the last round." if is_last else ""
        return f"Into the row {'come' if len(shown) > 1 else 'comes'} {listed(shown)}.{last}"

    def fire_fought(self, state: Table, fact: supply.FireFought, names: Names) -> str:
        fire = f"Fire, the {ordinal(int(fact.fire.removeprefix('fire_')))}!"
        most, least = max(fact.points), min(fact.firemen)
        if most == 0:
            return f"{fire} Everybody's firemen are equal, so nobody gains and nobody loses."
        shared = list(zip(names, fact.points, strict=True))
        won, lost, others = ([name for name, n in shared if n == x] for x in (most, -most, 0))
        stake, equipped = counted(most, "point"), f"firemen worth {least}" if least else "no fireman"
        told = f"{fire} Firemen worth {max(fact.firemen)} bring {listed(won)} {stake}"
        told += f"; {listed(lost)}, with {equipped}, {'loses' if len(lost) == 1 else 'lose'} {stake}"
        rest = f"; {listed(others)} {'stays' if len(others) == 1 else 'stay'} unharmed" if others else ""
        return f"{told}{rest}."

    def worker_placed(self, state: Table, fact: demand.WorkerPlaced, names: Names) -> str:
        line, card = state.lines[state.row.index(fact.card)], in_row(state, fact.card)
        if len(line) == 1:
            return f"{names[fact.seat]} opens the line for {card}."
        another = "another worker" if fact.seat in line[:-1] else "a worker"
        return f"{names[fact.seat]} puts {another} on {card}, {ordinal(len(line))} in line."

    def card_offered(self, state: Table, fact: purchase.CardOffered, names: Names) -> str:
        return f"{names[fact.seat]} may have {in_row(state, fact.card)} for {counted(fact.price, 'coin')}."

    def card_bought(self, state: Table, fact: purchase.CardBought, names: Names) -> str:
        landed = f"; {goods(fact.cubes)} land on the quay" if fact.cubes else ""
        return f"{names[fact.seat]} buys {the(state, fact.card)} for {counted(fact.price, 'coin')}{landed}."

    def card_declined(self, state: Table, fact: purchase.CardDeclined, names: Names) -> str:
        return f"{names[fact.seat]} lets {in_row(state, fact.card)} go."

    def buyer_passed_over(self, state: Table, fact: purchase.BuyerPassedOver, names: Names) -> str:
        coins = counted(state.coins[fact.seat], "coin") if state.coins[fact.seat] else "no coin"
        card = in_row(state, fact.card)
        return f"{names[fact.seat]} has {coins}, too little for {card} at {fact.price}, and is passed over."

    def card_discarded(self, state: Table, fact: purchase.CardDiscarded, names: Names) -> str:
        unloaded = f"; {goods(fact.cubes)} go to the stock" if fact.cubes else ""
        return f"Nobody takes {the(state, fact.card)}{unloaded}."

    def loading_begun(self, state: Table, fact: loading.LoadingBegun, names: Names) -> str:
        who = [names[seat] for seat in fact.seats]
        if len(who) == 1:
            return f"Loading: {who[0]} alone has cubes."
        return (
            f"Loading: {listed(who)}, all at once."
            if state.simultaneous
            else f"Loading: first {', then '.join(who)}."
        )

    def cube_delivered(self, state: Table, fact: loading.CubeDelivered, names: Names) -> str:
        put = f"{names[fact.seat]} puts {fact.good}{_FROM[fact.origin]} on {the(state, fact.contract)}"
        if open_places := unpack(state.open_places[fact.contract]):
            return f"{put}; {goods(open_places)} still to come."
        return f"{put} and completes it: {CONTRACT_POINTS[len(state.deck.goods[fact.contract])]} points!"

    def cube_sold(self, state: Table, fact: loading.CubeSold, names: Names) -> str:
        merchant = _MERCHANT_OF[fact.good]
        return f"{names[fact.seat]} sells {fact.good}{_FROM[fact.origin]} to the {merchant} for 1 coin."

    def cube_stored(self, state: Table, fact: loading.CubeStored, names: Names) -> str:
        filled = f"{len(unpack(state.warehouse[fact.seat]))} of {state.numbers.warehouse}"
        return f"{names[fact.seat]} stores {fact.good}{_FROM[fact.origin]} in the warehouse, now {filled}."

    def cube_kept(self, state: Table, fact: loading.CubeKept, names: Names) -> str:
        return f"{names[fact.seat]} keeps {fact.good}{_FROM[fact.origin]} in the market hall."

    def cube_taken_out(self, state: Table, fact: loading.CubeTakenOut, names: Names) -> str:
        return f"{names[fact.seat]} takes {fact.good}{_FROM[fact.origin]} back to the quay."

    def cubes_converted(self, state: Table, fact: loading.CubesConverted, names: Names) -> str:
        return f"{names[fact.seat]} changes {goods(fact.given)} for {fact.taken} in the market hall."

    def two_cubes_sold(self, state: Table, fact: loading.TwoCubesSold, names: Names) -> str:
        return f"{names[fact.seat]} sells {goods(fact.goods)} in the market hall for 1 coin."

    def loading_finished(self, state: Table, fact: loading.LoadingFinished, names: Names) -> str:
        who, steps = names[fact.seat], state.steps[fact.seat]
        told = {
            "done": f"{who} has finished loading." if steps else f"{who} leaves all cubes where they are.",
            "no_cubes": f"{who} has no cube left to load.",
            "step_limit": f"{who} has made {steps} steps, and no more are allowed.",
        }
        return told[fact.reason]

    def cubes_lost(self, state: Table, fact: loading.CubesLost, names: Names) -> str:
        return f"Left on the quay by {names[fact.seat]} and lost: {goods(fact.cubes)}."

    def income_paid(self, state: Table, fact: income.IncomePaid, names: Names) -> str:
        each = fact.coins[0] - (0 in fact.bought_nothing) - (fact.bank == 0)
        told = [f"Income: {counted(each, 'coin')} each"]
        if fact.bought_nothing:
            told.append(
                f"1 more for {listed(names[seat] for seat in fact.bought_nothing)}, who bought nothing"
            )
        if fact.bank is not None:
            told.append(f"1 more for {names[fact.bank]} from the bank")
        return "; ".join(told) + "."

    def metal_coin_passed(self, state: Table, fact: income.MetalCoinPassed, names: Names) -> str:
        return f"The metal coin goes to {names[fact.seat]}."

    def game_ended(self, state: Table, fact: ending.GameEnded, names: Names) -> str:
        order = sorted(range(len(names)), key=fact.places.__getitem__)
        totals = [score.total for score in fact.scores]
        winners = [seat for seat in order if fact.places[seat] == 1]
        others = [f"{names[seat]} ({totals[seat]})" for seat in order if fact.places[seat] > 1]
        win = "wins" if len(winners) == 1 else "share the win"
        by_coins = len(winners) == 1 < totals.count(totals[order[0]])
        coins = f" and more coins ({fact.coins[order[0]]})" if by_coins else ""
        behind = f", before {listed(others)}" if others else ""
        told = f"{listed(names[seat] for seat in winners)} {win} with {counted(totals[order[0]], 'point')}"
        return f"The game is over: {told}{coins}{behind}."


_SENTENCES = _Sentences()


def tell(state: Table, fact: Fact, names: Names) -> str:
    """Return the sentence for a fact; the state is the one after it."""
    sentence: str = getattr(_SENTENCES, fact.type)(state, fact, names)
    return sentence
