"""Another match that a viewer can't tell from this one (E-25).

Everything that comes to a hand or leaves it is public, except what thieves took. So a hand is known but for the thefts in which the
viewer had no part; of these, any other course will do in which no hand ever gives, shows or loses a card that it does not hold. Such
courses are walked through at random, each as likely as the thefts that make it up. Development cards in other hands may be any that were in
the pile they were drawn from.

The walk begins in a course that is made up from what the viewer knows and not in the true one: however short it is, where it ends does
not depend on the truth.
"""

from collections.abc import Iterator

from kontor_games.domain.chance import Chance, Draws
from kontor_games.domain.codec import ARBITER
from kontor_games.domain.games.europe.data.components import card_of, kind_of, pile_of
from kontor_games.domain.games.europe.state import NOBODY, EuropeState, Theft

STEPS_PER_THEFT = 8
"""How often each unknown theft is thought over, on average."""
_KINDS = 5
_UNSEEN = _KINDS
"""Stands for the resource of a theft as long as it is not chosen: a sixth kind of card, of which a hand may hold less than nothing."""
_CERTAIN = 1 << 32

_Row = list[int]


class Past:
    """The thefts of a match, and for each hand what it held at least between any two of them, its last row being what it holds now."""

    def __init__(self, state: EuropeState) -> None:
        """As it really was."""
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
        """Another resource was taken in this theft."""
        theft, old = self.thefts[number], self.taken[number]
        self.taken[number] = resource
        self._shift(number, theft.thief, old, resource)
        self._shift(number, theft.victim, resource, old)

    def _shift(self, number: int, seat: int, less: int, more: int) -> None:
        """From this theft on, a hand held one less of a kind and one more of another."""
        later = [
            robbed for i, robbed in enumerate(self.robbed) if i > number and self.thefts[i].victim == seat
        ]
        rows = self.rows[seat][self.since[number][seat] :]
        for row in (*rows, *later):
            row[less] -= 1
            row[more] += 1

    def forget(self, unknown: list[int]) -> None:
        """Nothing is known any more but what the viewer saw."""
        for number in unknown:
            self.change(number, _UNSEEN)

    def imagine(self, unknown: list[int], draws: Draws, dead: set[tuple[int, ...]]) -> bool:
        """Thinks up what was taken, theft by theft as thieves take, and back where it leads to a hand that can't be."""
        if not unknown:
            return True
        number, *later = unknown
        for resource in self._guesses(number, draws):
            self.change(number, resource)
            reached = (len(later), *(count for rows in self.rows for count in rows[-1]))
            if reached not in dead and self._possible(number, later) and self.imagine(later, draws, dead):
                return True
            dead.add(reached)
        self.change(number, _UNSEEN)
        return False

    def _guesses(self, number: int, draws: Draws) -> Iterator[int]:
        """What a blind hand might take from the victim, each card as likely as the other, until all kinds were tried."""
        cards = [kind for kind in range(_KINDS) for _ in range(self.robbed[number][kind])]
        while cards:
            guess = cards[draws.below(len(cards))]
            yield guess
            cards = [kind for kind in cards if kind != guess]

    def _possible(self, number: int, later: list[int]) -> bool:
        """Whether the two hands stay possible until the next theft that is not thought up yet."""
        for seat in self.since[number]:
            until = next((other for other in later if seat in self.since[other]), None)
            rows = self.rows[seat][
                self.since[number][seat] : None if until is None else self.since[until][seat]
            ]
            if min(min(row[:_KINDS]) for row in rows) < 0 or not self._was_robbed_rightly(
                seat, number, until
            ):
                return False
        return True

    def _was_robbed_rightly(self, seat: int, after: int, until: int | None) -> bool:
        """Whether a hand held what thieves took from it before the viewer's eyes."""
        between = range(after + 1, len(self.thefts) if until is None else until)
        return all(self.robbed[i][self.taken[i]] > 0 for i in between if self.thefts[i].victim == seat)

    def likelihood(self) -> int:
        """How likely these thefts were, up to a constant; 0 where a hand would have held less than nothing."""
        if min(min(row[:_KINDS]) for rows in self.rows for row in rows) < 0:
            return 0
        product = 1
        for robbed, resource in zip(self.robbed, self.taken, strict=True):
            product *= robbed[resource]
        return product

    def wander(self, unknown: list[int], draws: Draws) -> None:
        """Steps from course to course, such that each is visited as often as it is likely."""
        likelihood = self.likelihood()
        for _ in range(STEPS_PER_THEFT * len(unknown)):
            first, second = (unknown[draws.below(len(unknown))] for _ in "ab")
            other = draws.below(_KINDS) if first == second else self.taken[second]
            before = {first: self.taken[first], second: self.taken[second]}
            self.change(first, other)
            if first != second:
                self.change(second, before[first])
            found = self.likelihood()
            if draws.below(_CERTAIN) < found * _CERTAIN // likelihood:
                likelihood = found
            else:
                for number, resource in before.items():
                    self.change(number, resource)

    def write(self, state: EuropeState) -> None:
        """Makes a state the outcome of this course."""
        seen = zip(self.thefts, self.taken, self.robbed, self.since, strict=True)
        state.thefts = tuple(
            [self._theft(theft, resource, robbed, since) for theft, resource, robbed, since in seen]
        )
        state.low = [count for rows in self.rows for count in rows[-2][:_KINDS]]
        state.hands = [count for rows in self.rows for count in rows[-1][:_KINDS]]

    def _theft(self, theft: Theft, resource: int, robbed: _Row, since: dict[int, int]) -> Theft:
        lows = [tuple(self.rows[seat][since[seat] - 1][:_KINDS]) for seat in (theft.thief, theft.victim)]
        return Theft(theft.thief, theft.victim, resource, tuple(robbed[:_KINDS]), *lows)


def resample(state: EuropeState, viewer: int, chance: Chance) -> EuropeState:
    """All that is hidden from a viewer drawn anew."""
    twin = state.copy()
    if viewer == ARBITER:
        return twin
    draws = chance.draws("resample", 0)
    unknown = [i for i, theft in enumerate(state.thefts) if viewer not in (theft.thief, theft.victim)]
    if unknown:
        past = Past(state)
        past.forget(unknown)
        past.imagine(unknown, draws, set())
        past.wander(unknown, draws)
        past.write(twin)
    for epoch in range(state.epoch + 1):
        redraw_cards(twin, viewer, epoch, draws)
    return twin


def redraw_cards(state: EuropeState, viewer: int, epoch: int, draws: Draws) -> None:
    """The cards drawn from one pile that others hold, and what is left of that pile, change places."""
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
