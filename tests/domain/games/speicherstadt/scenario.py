"""Positions for tests, reached by facts alone: given facts, when a move, then facts."""

from collections.abc import Mapping, Sequence

import pytest

from kontor_games.domain.chance import Chance
from kontor_games.domain.game import DataSet, Fact, Move, Refusal, Ruleset
from kontor_games.domain.games.speicherstadt import GAME
from kontor_games.domain.games.speicherstadt.data.cards import CARDS, KIND, Good
from kontor_games.domain.games.speicherstadt.facts.demand import WorkerPlaced
from kontor_games.domain.games.speicherstadt.facts.loading import CubeKept, CubeStored, LoadingBegun
from kontor_games.domain.games.speicherstadt.facts.purchase import CardBought, CardDiscarded, CardOffered
from kontor_games.domain.games.speicherstadt.facts.set_up import BagFilled, FirstPlayerChosen, PileStacked
from kontor_games.domain.games.speicherstadt.facts.supply import CardsRevealed, RoundBegun
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from kontor_games.domain.games.speicherstadt.rules import Speicherstadt
from kontor_games.domain.games.speicherstadt.rules.turn import Steps
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import ALL_CUBES, unpack
from tests.support.scripted_chance import Scripted


def rules_of(ruleset: Ruleset[Steps], data: DataSet = GAME.data_sets[0]) -> Speicherstadt:
    """The rules to play by, with the standard cards unless said otherwise."""
    rules = ruleset.rules(data)
    assert isinstance(rules, Speicherstadt)
    return rules


RULES = rules_of(GAME.rulesets[-1])
NO_CHANCE = Scripted({})
"""Chance for moves that must not draw anything."""
NAMES = ("Anna", "Bruno", "Clara", "Detlev", "Emma")

Cubes = Sequence[Good]


class Scenario:
    """A table whose position is built by folding facts."""

    def __init__(
        self,
        seats: int = 2,
        first: int = 0,
        *,
        simultaneous: bool = False,
        pile: Sequence[str] = (),
        bag: Cubes = (),
    ) -> None:
        """Pile and bag begin with the given cards and cubes; the rest follows in the order of the box."""
        self.rules = RULES
        self.state = RULES.table(seats, SpeicherstadtOptions(simultaneous_loading=simultaneous))
        removed = RULES.deck.removed(seats)
        rest = [card.id for card in CARDS if card.id not in (*pile, *removed)]
        self.given(
            FirstPlayerChosen(first, False),
            PileStacked(removed, (*pile, *rest)),
            BagFilled((*bag, *_without(unpack(ALL_CUBES), bag))),
        )

    def given(self, *facts: Fact) -> "Scenario":
        """Fold facts into the state."""
        for fact in facts:
            fact.fold(self.state)
        return self

    def owns(self, seat: int, *cards: str, cubes: Cubes = (), price: int = 0) -> "Scenario":
        """The seat bought cards earlier, at the price given for each; a ship's cubes lie on its quay."""
        for card in cards:
            aboard = tuple(cubes) if KIND[card] == "ship" else ()
            self.given(CardsRevealed((card,), (aboard,)), CardBought(seat, card, price, aboard))
        return self

    def kept(self, seat: int, good: Good, ship: str) -> "Scenario":
        """A cube of an earlier ship lies in the market hall."""
        return self.owns(seat, ship, cubes=[good]).given(CubeKept(seat, good, "quay"))

    def stored(self, seat: int, goods: Cubes, ship: str) -> "Scenario":
        """Cubes of an earlier ship lie in the warehouse."""
        return self.owns(seat, ship, cubes=goods).given(*(CubeStored(seat, good, "quay") for good in goods))

    def stock(self, goods: Cubes, ship: str) -> "Scenario":
        """The cubes of an earlier ship that nobody bought lie in the stock."""
        return self.given(CardsRevealed((ship,), (tuple(goods),)), CardDiscarded(ship, tuple(goods)))

    def row(self, *cards: str, cubes: Mapping[str, Cubes] | None = None, number: int = 1) -> "Scenario":
        """A round has begun, with these cards in the row."""
        aboard = tuple(tuple((cubes or {}).get(card, ())) for card in cards)
        return self.given(RoundBegun(number), CardsRevealed(cards, aboard))

    def lines(self, **lines: Sequence[int]) -> "Scenario":
        """Workers stand in line at cards of the row; all other workers are not placed."""
        for card, line in lines.items():
            self.given(*(WorkerPlaced(seat, card) for seat in line))
        self.state.placed = 3 * self.state.seats
        return self

    def offered(self) -> "Scenario":
        """The first card of the row is offered to the first in line."""
        line = self.state.lines[0]
        return self.given(CardOffered(line[0], self.state.row[0], len(line)))

    def loading(self, *seats: int) -> "Scenario":
        """The seats load."""
        return self.given(LoadingBegun(seats))

    def when(self, seat: int, move: Move, chance: Chance = NO_CHANCE) -> list[Fact]:
        """The facts of a move."""
        return self.rules.play(self.state, seat, move, chance)

    def legal(self, seat: int) -> list[Move]:
        """The legal moves of a seat."""
        return self.rules.legal_moves(self.state, seat)


def refusal_of(scenario: Scenario, seat: int, move: Move) -> Refusal:
    """Why a move is refused; the state must be the same before and after."""
    before = scenario.state.digest()
    with pytest.raises(Refusal) as refused:
        scenario.rules.play(scenario.state, seat, move, NO_CHANCE)
    assert scenario.state.digest() == before
    return refused.value


def _without(cubes: Cubes, taken: Cubes) -> list[Good]:
    rest = list(cubes)
    for good in taken:
        rest.remove(good)
    return rest


def replay(rules: Speicherstadt, seats: int, chosen: SpeicherstadtOptions, facts: Sequence[Fact]) -> Table:
    """Return the state that results from folding facts."""
    state = rules.table(seats, chosen)
    for fact in facts:
        fact.fold(state)
    return state
