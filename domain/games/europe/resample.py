"""Redraws everything in a match that is hidden from a viewer (E-25).

All changes of a hand are public, except the cards that thieves took. So a hand is known except for the
thefts in which the viewer had no part. A course of these thefts is possible if no player ever pays, shows or
loses a card that they did not hold. One possible course is drawn, with the probability of its thefts.
Development cards in other hands may be any that were in the pile they were drawn from.

The courses are counted exactly, position by position, if there are few enough positions. Otherwise a random
walk visits courses in proportion to their probability. It starts at a course constructed from the viewer's
knowledge, not at the true one: even if it is short, its end does not depend on the hidden cards.
"""

from collections.abc import Iterator
from itertools import accumulate
from operator import add
from typing import NamedTuple

from kontor_games.domain.chance import Chance, Draws
from kontor_games.domain.codec import ARBITER
from kontor_games.domain.games.europe.data.components import card_of, kind_of, pile_of
from kontor_games.domain.games.europe.state import NOBODY, EuropeState, Theft

MAX_POSITIONS = 20_000
"""The maximum number of positions that are counted exactly; a search over more takes too long."""
_MAX_THEFTS = 200
"""The maximum number of unknown thefts that are counted exactly, because each adds a level of recursion."""
STEPS_PER_THEFT = 40
"""The steps of the random walk for each unknown theft."""
_KINDS = 5
_UNSEEN = _KINDS
"""The resource of a theft until it is chosen: a sixth kind of card; a hand may hold fewer than 0 of it."""
_CERTAIN = 1 << 32
_WORD_BITS = 32

_Row = list[int]


class TheftHistory:
    """The thefts of a match, and each hand's minimum between any two of them; the last row is its content."""

    def __init__(self, state: EuropeState) -> None:
        """Start with the true thefts."""
        self.thefts = state.thefts
        self.taken = [theft.resource for theft in state.thefts]
        self.robbed = [[*theft.hand, 0] for theft in state.thefts]
        self.rows: list[list[_Row]] = [[] for _ in range(state.seats)]
        self.since: list[dict[int, int]] = []
        for theft in state.thefts:
            self.rows[theft.thief].append([*theft.thief_low, 0])
            self.rows[theft.victim].append([*theft.victim_low, 0])
            self.since.append({seat: len(self.rows[seat]) for seat in (theft.thief, theft.victim)})
        for seat, rows in enumerate(self.rows):
            rows += [[*state.low[seat * _KINDS : (seat + 1) * _KINDS], 0], [*state.hand(seat), 0]]

    def change(self, number: int, resource: int) -> None:
        """Change the resource that was taken in this theft."""
        theft, old = self.thefts[number], self.taken[number]
        self.taken[number] = resource
        self._shift(number, theft.thief, old, resource)
        self._shift(number, theft.victim, resource, old)

    def _shift(self, number: int, seat: int, less: int, more: int) -> None:
        """From this theft on, take one card of a kind from a hand and add one of another kind."""
        later = [
            robbed for i, robbed in enumerate(self.robbed) if i > number and self.thefts[i].victim == seat
        ]
        rows = self.rows[seat][self.since[number][seat] :]
        for row in (*rows, *later):
            row[less] -= 1
            row[more] += 1

    def forget(self, unknown: list[int]) -> None:
        """Clear the resource of each theft that the viewer did not see."""
        for number in unknown:
            self.change(number, _UNSEEN)

    def guess(self, unknown: list[int], draws: Draws, dead: set[tuple[int, ...]]) -> bool:
        """Choose random resources for unknown thefts one by one; backtrack when a hand becomes impossible."""
        if not unknown:
            return True
        number, *later = unknown
        for resource in self._guesses(number, draws):
            self.change(number, resource)
            reached = (len(later), *(count for rows in self.rows for count in rows[-1]))
            if reached not in dead and self._possible(number, later) and self.guess(later, draws, dead):
                return True
            dead.add(reached)
        self.change(number, _UNSEEN)
        return False

    def _guesses(self, number: int, draws: Draws) -> Iterator[int]:
        """Yield the kinds that a thief might take, in random order; each card is equally likely."""
        cards = [kind for kind in range(_KINDS) for _ in range(self.robbed[number][kind])]
        while cards:
            guess = cards[draws.below(len(cards))]
            yield guess
            cards = [kind for kind in cards if kind != guess]

    def span(self, number: int, seat: int, later: list[int]) -> tuple[list[_Row], list[tuple[int, int]]]:
        """Return the rows of a hand up to the next theft in `later`, and what known thefts took meanwhile.

        For each card taken, that is its kind and how many of this kind the hand held.
        """
        until = next((other for other in later if seat in self.since[other]), None)
        rows = self.rows[seat][self.since[number][seat] : None if until is None else self.since[until][seat]]
        between = range(number + 1, len(self.thefts) if until is None else until)
        robbed = [i for i in between if self.thefts[i].victim == seat]
        return rows, [(self.taken[i], self.robbed[i][self.taken[i]]) for i in robbed]

    def _possible(self, number: int, later: list[int]) -> bool:
        """Whether the two hands stay possible until the next theft that is not yet chosen."""
        for seat in self.since[number]:
            rows, robbed = self.span(number, seat, later)
            if min(min(row[:_KINDS]) for row in rows) < 0 or any(held <= 0 for _, held in robbed):
                return False
        return True

    def likelihood(self) -> int:
        """The probability of these thefts, up to a constant; 0 if a hand would hold fewer than 0 cards."""
        if min(min(row[:_KINDS]) for rows in self.rows for row in rows) < 0:
            return 0
        product = 1
        for robbed, resource in zip(self.robbed, self.taken, strict=True):
            product *= robbed[resource]
        return product

    def random_walk(self, unknown: list[int], draws: Draws) -> None:
        """Visit courses in proportion to their probability (Metropolis); a step changes 1 to 3 thefts."""
        likelihood = self.likelihood()
        for _ in range(STEPS_PER_THEFT * len(unknown)):
            changed = {unknown[draws.below(len(unknown))]: draws.below(_KINDS) for _ in "abc"}
            before = {number: self.taken[number] for number in changed}
            self._change_all(changed)
            found = self.likelihood()
            if draws.below(_CERTAIN) < found * _CERTAIN // likelihood:
                likelihood = found
            else:
                self._change_all(before)

    def _change_all(self, taken: dict[int, int]) -> None:
        for number, resource in taken.items():
            self.change(number, resource)

    def write(self, state: EuropeState) -> None:
        """Write the outcome of this course to a state."""
        seen = zip(self.thefts, self.taken, self.robbed, self.since, strict=True)
        state.thefts = tuple(
            [self._theft(theft, resource, robbed, since) for theft, resource, robbed, since in seen]
        )
        state.low = [count for rows in self.rows for count in rows[-2][:_KINDS]]
        state.hands = [count for rows in self.rows for count in rows[-1][:_KINDS]]

    def _theft(self, theft: Theft, resource: int, robbed: _Row, since: dict[int, int]) -> Theft:
        lows = [tuple(self.rows[seat][since[seat] - 1][:_KINDS]) for seat in (theft.thief, theft.victim)]
        return Theft(theft.thief, theft.victim, resource, tuple(robbed[:_KINDS]), *lows)


_Hands = tuple[tuple[int, ...], ...]
"""For each seat, the cards of each kind gained or lost in the unknown thefts so far."""


class TooManyError(Exception):
    """There are too many positions to count."""


class _Step(NamedTuple):
    """An unknown theft, and the conditions on thief and victim until their next one."""

    thief: int
    victim: int
    hand: _Row
    """The victim's hand, without the cards of unknown thefts."""
    checks: list[tuple[int, list[int], list[tuple[int, int]]]]
    """A seat, its minimum of each kind, and the kind and number of cards of each known theft from it."""


class Courses:
    """All possible courses of the unknown thefts, each with its exact weight.

    The weight is the product of the numbers of cards to choose from.
    """

    def __init__(self, past: TheftHistory, unknown: list[int]) -> None:
        """Take a past in which the unknown thefts are forgotten."""
        self._steps = [_step(past, number, unknown[i + 1 :]) for i, number in enumerate(unknown)]
        self._nobody: _Hands = ((0,) * _KINDS,) * len(past.rows)
        self._totals: dict[tuple[int, _Hands], int] = {}
        self._active = [
            sorted({s for step in self._steps[i:] for s in step[:2]}) for i in range(len(unknown) + 1)
        ]

    def options(self, place: int, hands: _Hands) -> Iterator[tuple[int, int, _Hands]]:
        """Yield the kinds that a theft can have taken, each with its weight and the hands afterwards."""
        thief, victim, held, checks = self._steps[place]
        for kind in range(_KINDS):
            weight, after = held[kind] + hands[victim][kind], list(hands)
            if weight > 0:
                after[thief], after[victim] = (
                    _changed_hand(hands[thief], kind, 1),
                    _changed_hand(hands[victim], kind, -1),
                )
                for seat, fewest, robbed in checks:
                    weight = weight if min(map(add, fewest, after[seat])) >= 0 else 0
                    for taken, count in robbed:
                        weight *= max(0, count + after[seat][taken])
                if weight:
                    yield kind, weight, tuple(after)

    def total(self, place: int, hands: _Hands) -> int:
        """Return the weight of all courses from a position on; raise TooManyError at too many positions."""
        if place == len(self._steps):
            return 1
        key = place, tuple([hands[seat] for seat in self._active[place]])
        if key not in self._totals:
            if len(self._totals) >= MAX_POSITIONS:
                raise TooManyError
            self._totals[key] = sum(
                w * self.total(place + 1, after) for _, w, after in self.options(place, hands)
            )
        return self._totals[key]

    def draw(self, draws: Draws) -> list[int]:
        """Draw a course by its weight; return the kind taken in each unknown theft."""
        taken, hands = list[int](), self._nobody
        self.total(0, hands)  # count everything before the first draw
        for place in range(len(self._steps)):
            options = list(self.options(place, hands))
            weights = [weight * self.total(place + 1, after) for _, weight, after in options]
            kind, _, hands = options[_chosen(weights, draws)]
            taken.append(kind)
        return taken


def _step(past: TheftHistory, number: int, later: list[int]) -> _Step:
    theft, checks = past.thefts[number], []
    for seat in past.since[number]:
        rows, robbed = past.span(number, seat, later)
        checks.append((seat, [min(row[kind] for row in rows) for kind in range(_KINDS)], robbed))
    return _Step(theft.thief, theft.victim, past.robbed[number], checks)


def _changed_hand(hand: tuple[int, ...], kind: int, change: int) -> tuple[int, ...]:
    return (*hand[:kind], hand[kind] + change, *hand[kind + 1 :])


def _chosen(weights: list[int], draws: Draws) -> int:
    """Return an index drawn by weight; the sum of weights can exceed the range of one draw."""
    total, bits = sum(weights), (sum(weights) - 1).bit_length()
    while True:
        value = 0
        for start in range(0, bits, _WORD_BITS):
            size = min(_WORD_BITS, bits - start)
            value = value << size | draws.below(1 << size)
        if value < total:
            return next(i for i, bound in enumerate(accumulate(weights)) if value < bound)


def redraw_thefts(state: EuropeState, unknown: list[int], draws: Draws) -> None:
    """Redraw the cards taken in the unknown thefts."""
    past = TheftHistory(state)
    past.forget(unknown)
    try:
        if len(unknown) > _MAX_THEFTS:
            raise TooManyError
        for number, resource in zip(unknown, Courses(past, unknown).draw(draws), strict=True):
            past.change(number, resource)
    except TooManyError:
        past.guess(unknown, draws, set())
        past.random_walk(unknown, draws)
    past.write(state)


def resample(state: EuropeState, viewer: int, chance: Chance) -> EuropeState:
    """Redraw everything hidden from a viewer."""
    twin = state.copy()
    if viewer == ARBITER:
        return twin
    draws = chance.draws("resample", 0)
    unknown = [i for i, theft in enumerate(state.thefts) if viewer not in (theft.thief, theft.victim)]
    if unknown:
        redraw_thefts(twin, unknown, draws)
    for epoch in range(state.epoch + 1):
        redraw_cards(twin, viewer, epoch, draws)
    return twin


def redraw_cards(state: EuropeState, viewer: int, epoch: int, draws: Draws) -> None:
    """Shuffle the cards of one pile that the viewer can't see: those of other players and those left."""
    others = [seat for seat in range(state.seats) if seat != viewer]
    pool = [kind_of(card) for seat in others for card in state.cards[seat] if pile_of(card) == epoch]
    hides_fresh = state.fresh != NOBODY and pile_of(state.fresh) == epoch and state.active != viewer
    pool += [kind_of(state.fresh)] if hides_fresh else []
    last = epoch == state.epoch
    pool += [kind for kind, count in enumerate(state.pile) for _ in range(count)] if last else []
    order = draws.shuffled(sorted(pool))
    for seat in others:
        state.cards[seat] = tuple(
            [card_of(epoch, order.pop()) if pile_of(card) == epoch else card for card in state.cards[seat]]
        )
    if hides_fresh:
        state.fresh = card_of(epoch, order.pop())
    if last:
        state.pile = [order.count(kind) for kind in range(4)]
