"""The first half of a turn: dice, what the hexes give, and the robber (E-20 to E-24)."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from kontor_games.domain.game import Ledger, Move, NotYourTurnError
from kontor_games.domain.games.europe.board import RESOURCES
from kontor_games.domain.games.europe.checks import afford, in_phase, on_turn, place
from kontor_games.domain.games.europe.facts_trade import OffersLapsed
from kontor_games.domain.games.europe.facts_turn import (
    CardsDiscarded,
    CardStolen,
    DiceRolled,
    Gain,
    ResourcesProduced,
    RobberMoved,
    RobberWoken,
    TheftForgone,
)
from kontor_games.domain.games.europe.moves import (
    DiscardCard,
    DiscardCards,
    ForgoTheft,
    MoveRobber,
    RollDice,
    StealCard,
)
from kontor_games.domain.games.europe.refusals import NoVictimError, RobberStaysError, WrongCountError
from kontor_games.domain.games.europe.resources import SINGLE, Cards, counts_of
from kontor_games.domain.games.europe.state import DISCARD, ROBBER, ROLL, SINGLES, THEFT, EuropeState

SEVEN = 7
MOST_CARDS = 7
"""Whoever holds more gives half of them back on a 7 (E-24)."""

_dice_rolled = cache(DiceRolled)
"""A fact is no other for happening again, and finding one costs less than making it."""
_CARD_DISCARDED = tuple(tuple(CardsDiscarded(seat, single) for single in SINGLE) for seat in range(4))
ROLL_DICE = RollDice()
FORGO_THEFT = ForgoTheft()
STEAL_CARD = tuple(StealCard(seat) for seat in range(4))
DISCARD_CARD = tuple(DiscardCard(resource) for resource in RESOURCES)  # type: ignore[arg-type]  # mypy does not know the names of a tuple


class Harvest(NamedTuple):
    """What a number yields while nothing changes on its hexes."""

    claims: list[list[int]]
    """By seat and resource."""
    total: tuple[tuple[int, int], ...]
    """Resources with how many of them are claimed."""
    gold: tuple[int, ...]
    """Who gets gold instead."""
    whole: ResourcesProduced
    """The fact, if the supply can serve all."""


def verify_roll(state: EuropeState, seat: int, wanted: RollDice) -> None:
    """Once a turn, and first of all but a card."""
    on_turn(state, seat, ROLL)


def decide_roll(ledger: Ledger[EuropeState], seat: int, wanted: RollDice) -> None:
    """A 7 wakes the robber, every other sum produces."""
    state = ledger.state
    draws = ledger.chance.draws("dice", state.rolls)
    dice = (draws.below(6) + 1, draws.below(6) + 1)
    ledger.emit(_dice_rolled(seat, dice))
    if sum(dice) == SEVEN:
        ledger.emit(RobberWoken(tuple([size // 2 if size > MOST_CARDS else 0 for size in state.sizes])))
    else:
        produce(ledger, sum(dice))


def produce(ledger: Ledger[EuropeState], number: int) -> None:
    """What the hexes with this number give (E-21 to E-23)."""
    state = ledger.state
    if number not in state.yields:
        state.yields[number] = harvest(state, number)
    harvested = state.yields[number]
    short = [r for r, count in harvested.total if count > state.supply[r]]
    produced = produced_without(harvested.claims, harvested.gold, short) if short else harvested.whole
    if produced.gains or produced.gold or produced.short:
        ledger.emit(produced)


def harvest(state: EuropeState, number: int) -> Harvest:
    """Who claims what, and who gets gold for having no post there (E-21, E-23)."""
    claims = [[0] * 5 for _ in range(state.seats)]
    total = [0] * 5
    beside: list[int] = []
    for hexagon in state.bearing[number]:
        beside += state.holders[hexagon]
        if hexagon != state.robber:
            for owner in state.holders[hexagon]:
                claims[owner][state.atlas.yields[hexagon]] += 1
                total[state.atlas.yields[hexagon]] += 1
    gold = tuple([seat for seat in range(state.seats) if seat not in beside])
    return Harvest(
        claims,
        tuple([(r, count) for r, count in enumerate(total) if count]),
        gold,
        produced_without(claims, gold, ()),
    )


def produced_without(
    claims: Sequence[Sequence[int]], gold: tuple[int, ...], short: Sequence[int]
) -> ResourcesProduced:
    """The fact, with nothing of what is short (E-22)."""
    if short:
        claims = [[0 if r in short else count for r, count in enumerate(counts)] for counts in claims]
    gains = tuple([Gain(seat, Cards(*counts)) for seat, counts in enumerate(claims) if any(counts)])
    return ResourcesProduced(gains, gold, tuple(RESOURCES[r] for r in short))  # type: ignore[misc]  # as above


def verify_due(state: EuropeState, seat: int) -> None:
    """Whoever owes cards gives them back, in any order (E-24)."""
    in_phase(state, DISCARD)
    if not state.due[seat]:
        raise NotYourTurnError("No cards are due from you.", rule="E-24")


def verify_discard(state: EuropeState, seat: int, wanted: DiscardCard) -> None:
    """One card of those that are due."""
    verify_due(state, seat)
    afford(state, seat, SINGLES[RESOURCES.index(wanted.resource)], "E-24")


def decide_discard(ledger: Ledger[EuropeState], seat: int, wanted: DiscardCard) -> None:
    """For all to see."""
    ledger.emit(_CARD_DISCARDED[seat][RESOURCES.index(wanted.resource)])


def verify_discards(state: EuropeState, seat: int, wanted: DiscardCards) -> None:
    """Exactly what is due."""
    verify_due(state, seat)
    counts = counts_of(wanted.cards)
    if sum(counts) != state.due[seat]:
        raise WrongCountError(f"You have to give back {state.due[seat]} cards.", rule="E-24")
    afford(state, seat, counts, "E-24")


def decide_discards(ledger: Ledger[EuropeState], seat: int, wanted: DiscardCards) -> None:
    """For all to see."""
    ledger.emit(CardsDiscarded(seat, wanted.cards))


def discard_moves(state: EuropeState, seat: int) -> list[Move]:
    """One card of each kind in hand."""
    return [DISCARD_CARD[r] for r in range(5) if state.hands[seat * 5 + r]]


def verify_robber(state: EuropeState, seat: int, wanted: MoveRobber) -> None:
    """To another hex that bears a number (E-24)."""
    on_turn(state, seat, ROBBER)
    hexagon = place(state.atlas.board.hex_index, wanted.hex, "hex")
    if hexagon == state.robber or not state.number[hexagon]:
        raise RobberStaysError("The robber moves to another hex that bears a number.", rule="E-24")


def decide_robber(ledger: Ledger[EuropeState], seat: int, wanted: MoveRobber) -> None:
    """From whom may be stolen is public."""
    state = ledger.state
    hexagon = state.atlas.board.hex_index[wanted.hex]
    owners = {state.post[city] for city in state.atlas.board.posts_beside[hexagon]}
    victims = tuple(
        [other for other in range(state.seats) if other != seat and other in owners and state.sizes[other]]
    )
    ledger.emit(RobberMoved(seat, wanted.hex, victims))


def robber_moves(state: EuropeState) -> list[Move]:
    """Every hex the robber may move to."""
    ready = state.atlas.move_robber
    return [ready[h] for hexes in state.bearing[1:] for h in hexes if h != state.robber]


def verify_steal(state: EuropeState, seat: int, wanted: StealCard) -> None:
    """From a player beside the robber who has a card (E-24)."""
    on_turn(state, seat, THEFT)
    if wanted.victim not in state.victims:
        raise NoVictimError("There is nothing to steal from that player.", rule="E-24")


def decide_steal(ledger: Ledger[EuropeState], seat: int, wanted: StealCard) -> None:
    """Every card of the hand is equally likely; since nobody sees which it is, all offers of the victim lapse."""
    state, victim = ledger.state, wanted.victim
    card = ledger.chance.draws("theft", state.theft_draws).below(state.sizes[victim])
    resource = 0
    while card >= state.hands[victim * 5 + resource]:
        card -= state.hands[victim * 5 + resource]
        resource += 1
    ledger.emit(CardStolen(seat, victim, RESOURCES[resource]))  # type: ignore[arg-type]  # as above
    lapsed = tuple([offer.number for offer in state.offers if offer.maker == victim])
    if lapsed:
        ledger.emit(OffersLapsed(lapsed))


def verify_forgo_theft(state: EuropeState, seat: int, wanted: ForgoTheft) -> None:
    """Nobody has to steal."""
    on_turn(state, seat, THEFT)


def decide_forgo_theft(ledger: Ledger[EuropeState], seat: int, wanted: ForgoTheft) -> None:
    """The turn goes on."""
    ledger.emit(TheftForgone(seat))


def theft_moves(state: EuropeState) -> list[Move]:
    """One for each victim, or none."""
    return [*(STEAL_CARD[victim] for victim in state.victims), FORGO_THEFT]
