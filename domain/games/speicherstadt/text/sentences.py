"""The sentence about each fact: the values of its message in `messages/`, under `facts` and its type.

Most values are fields of the fact; `_MORE` adds the others.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from kontor_games.domain.game import Fact
from kontor_games.domain.games.speicherstadt import facts
from kontor_games.domain.games.speicherstadt.data.cards import CONTRACT_POINTS
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from kontor_games.domain.games.speicherstadt.text.phrases import (
    card,
    card_with_cubes,
    good,
    goods,
    in_row,
    merchant_for,
    ordinal,
)
from kontor_games.domain.toolkit.message_values import MessageValues, Values
from kontor_games.domain.toolkit.messages import Phrase, Value, phrase


class SentenceContext(NamedTuple):
    """What sentences need: the state after a fact, and the names of the players."""

    state: Table
    names: Sequence[str]


def sentence(state: Table, fact: Fact, names: Sequence[str]) -> Phrase:
    """Return the sentence about a fact; the state is the one after it."""
    return _SENTENCES.phrase("facts", fact, SentenceContext(state, names))


SHOWN: dict[str, Callable[[Any, Any], Value]] = {
    "seat": lambda context, seat: context.names[seat],
    "card": lambda context, name: in_row(context.state, name),
    "contract": lambda context, name: card(context.state, name),
    "good": lambda _, name: good(name),
    "goods": lambda _, cubes: goods(cubes),
    "origin": lambda _, place: phrase(f"origins.{place}"),
}
"""How fields of these names are shown."""


def _pile_stacked(context: SentenceContext, fact: facts.set_up.PileStacked) -> Values:
    removed = tuple(card(context.state, name) for name in fact.removed)
    return {"n": len(context.state.pile), "removed": removed}


def _cards_revealed(context: SentenceContext, fact: facts.supply.CardsRevealed) -> Values:
    laid_out = zip(fact.cards, fact.cubes, strict=True)
    cards = tuple(card_with_cubes(context.state, name, cubes) for name, cubes in laid_out)
    return {"cards": cards, "left": len(context.state.unrevealed())}


def _fire_fought(context: SentenceContext, fact: facts.supply.FireFought) -> Values:
    stake = max(fact.points)
    shared = list(zip(context.names, fact.points, strict=True))
    won, lost, others = (tuple(name for name, n in shared if n == x) for x in (stake, -stake, 0))
    number = ordinal(int(fact.fire.removeprefix("fire_")))
    values: Values = {"number": number, "stake": stake, "won": won, "lost": lost, "others": others}
    return {**values, "most": max(fact.firemen), "least": min(fact.firemen)}


def _worker_placed(context: SentenceContext, fact: facts.demand.WorkerPlaced) -> Values:
    line = context.state.lines[context.state.row.index(fact.card)]
    again = "yes" if fact.seat in line[:-1] else "no"
    return {"place": len(line), "ordinal": ordinal(len(line)), "again": again}


def _loading_begun(context: SentenceContext, fact: facts.loading.LoadingBegun) -> Values:
    who = tuple(context.names[seat] for seat in fact.seats)
    order = "alone" if len(who) == 1 else "together" if context.state.simultaneous else "in_turn"
    in_turn: Value = who[0]
    for name in who[1:]:
        in_turn = phrase("then", before=in_turn, who=name)
    return {"who": who, "order": order, "in_turn": in_turn}


def _cube_delivered(context: SentenceContext, fact: facts.loading.CubeDelivered) -> Values:
    missing = goods(unpack(context.state.open_places[fact.contract]))
    return {"missing": missing, "points": CONTRACT_POINTS[len(context.state.deck.goods[fact.contract])]}


def _cube_stored(context: SentenceContext, fact: facts.loading.CubeStored) -> Values:
    stored = len(unpack(context.state.warehouse[fact.seat]))
    return {"stored": stored, "room": context.state.numbers.warehouse}


def _income_paid(context: SentenceContext, fact: facts.income.IncomePaid) -> Values:
    each = fact.coins[0] - (0 in fact.bought_nothing) - (fact.bank == 0)
    bank = () if fact.bank is None else (context.names[fact.bank],)
    return {"each": each, "idle": tuple(context.names[seat] for seat in fact.bought_nothing), "bank": bank}


def _game_ended(context: SentenceContext, fact: facts.ending.GameEnded) -> Values:
    names, order = context.names, sorted(range(context.state.seats), key=fact.places.__getitem__)
    totals = [score.total for score in fact.scores]
    winners = tuple(names[seat] for seat in order if fact.places[seat] == 1)
    others = tuple(f"{names[seat]} ({totals[seat]})" for seat in order if fact.places[seat] > 1)
    by_coins = "yes" if len(winners) == 1 < totals.count(totals[order[0]]) else "no"
    values: Values = {"winners": winners, "others": others, "by_coins": by_coins}
    return {**values, "points": totals[order[0]], "coins": fact.coins[order[0]]}


_MORE: dict[type[Fact], Callable[[SentenceContext, Any], Values]] = {
    facts.set_up.FirstPlayerChosen: lambda _, fact: {"how": "lot" if fact.by_lot else "agreed"},
    facts.set_up.PileStacked: _pile_stacked,
    facts.supply.RoundBegun: lambda context, _: {"first": context.names[context.state.first]},
    facts.supply.CardsRevealed: _cards_revealed,
    facts.supply.FireFought: _fire_fought,
    facts.demand.WorkerPlaced: _worker_placed,
    facts.purchase.CardBought: lambda _, fact: {"goods": goods(fact.cubes)},
    facts.purchase.BuyerPassedOver: lambda context, fact: {"coins": context.state.coins[fact.seat]},
    facts.purchase.CardDiscarded: lambda _, fact: {"goods": goods(fact.cubes)},
    facts.loading.LoadingBegun: _loading_begun,
    facts.loading.CubeDelivered: _cube_delivered,
    facts.loading.CubeSold: lambda _, fact: {"merchant": merchant_for(fact.good)},
    facts.loading.CubeStored: _cube_stored,
    facts.loading.CubesConverted: lambda _, fact: {"given": goods(fact.given), "taken": good(fact.taken)},
    facts.loading.LoadingFinished: lambda context, fact: {"steps": context.state.steps[fact.seat]},
    facts.loading.CubesLost: lambda _, fact: {"goods": goods(fact.cubes)},
    facts.income.IncomePaid: _income_paid,
    facts.ending.GameEnded: _game_ended,
}
"""The values of a message that are not fields of its fact."""
_SENTENCES = MessageValues(SHOWN, _MORE)
