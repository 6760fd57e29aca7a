"""Random matches with all kinds of moves: cards, the robber, and trade between players."""

from collections.abc import Iterator
from typing import NamedTuple

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.game import Fact, Move
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import Cards, Terms
from kontor_games.domain.games.europe.moves import AcceptOffer, DeclineOffer, DiscardCards, OfferTrade
from kontor_games.domain.games.europe.options import EuropeOptions
from kontor_games.domain.games.europe.rules import EuropeRules
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.games.europe.state.phases import ACTION, DISCARD
from tests.domain.games.europe.installed import options_of


class Step(NamedTuple):
    """A move that was made; `state` is the live state of the match, which later moves change."""

    number: int
    seat: int
    move: Move | None
    facts: list[Fact]
    state: EuropeState


class FastRandom:
    """A fast pseudo-random generator, the same for the same seed on every machine."""

    def __init__(self, seed: int) -> None:
        self.word = seed * 2 + 1

    def below(self, bound: int) -> int:
        """Return the next number, from 0 to bound - 1."""
        self.word = (self.word * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.word >> 33) % bound


def random_match(
    rules: EuropeRules, seats: int, seed: int, options: EuropeOptions | None = None
) -> Iterator[Step]:
    """A match from the deal to the end."""
    state = rules.table(seats, options or options_of(rules))
    chance, random = Seeded(seed_from(f"wander {seed}")), FastRandom(seed)
    yield Step(0, -1, None, rules.deal(state, chance), state)
    number = 0
    while rules.to_act(state):
        seat, move = choose(rules, state, random)
        number += 1
        yield Step(number, seat, move, rules.play(state, seat, move, chance), state)


def choose(rules: EuropeRules, state: EuropeState, random: FastRandom) -> tuple[int, Move]:
    """Mostly a listed move of a seat to act; now and then an offer, an answer, or a whole set of cards."""
    seats = rules.to_act(state)
    seat = seats[random.below(len(seats))]
    if state.phase == ACTION and random.below(4) == 0:
        offered = offer_or_answer(rules, state, random)
        if offered:
            return offered
    if state.phase == DISCARD and random.below(2):
        return seat, DiscardCards(discards(state, seat))
    legal = rules.legal_moves(state, seat)
    return seat, legal[random.below(len(legal))]


def offer_or_answer(rules: EuropeRules, state: EuropeState, random: FastRandom) -> tuple[int, Move] | None:
    """Return an answer to an open offer if there is one, otherwise an offer; None if neither is possible."""
    seat = random.below(state.seats)
    answers = [
        move for move in rules.legal_moves(state, seat) if isinstance(move, AcceptOffer | DeclineOffer)
    ]
    if answers:
        return seat, answers[random.below(len(answers))]
    give, want = random.below(5), random.below(6)
    if OfferTrade not in rules.open_moves(state, seat) or not state.hands[seat * 5 + give] or give == want:
        return None
    name = "gold" if want == 5 else RESOURCES[want]
    return seat, OfferTrade(Terms(**{RESOURCES[give]: 1}), Terms(**{name: 1}))


def discards(state: EuropeState, seat: int) -> Cards:
    """The first cards of the hand."""
    due, counts = state.due[seat], []
    for held in state.hand(seat):
        counts.append(min(held, due))
        due -= counts[-1]
    return Cards(*counts)
