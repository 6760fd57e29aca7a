"""Invariants, checked after every fact of random matches of all sizes and both ways of loading."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kontor_games.domain.game import Fact
from kontor_games.domain.games.speicherstadt.data.cards import CARD, GOODS, KIND
from kontor_games.domain.games.speicherstadt.facts.ending import GameEnded
from kontor_games.domain.games.speicherstadt.facts.income import IncomePaid, MetalCoinPassed
from kontor_games.domain.games.speicherstadt.facts.loading import CubeSold, TwoCubesSold
from kontor_games.domain.games.speicherstadt.facts.purchase import CardBought
from kontor_games.domain.games.speicherstadt.facts.supply import CardsRevealed, RoundBegun
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from tests.domain.games.speicherstadt.playing import Pick, fast_picks, random_match
from tests.domain.games.speicherstadt.scenario import RULES

pytestmark = [pytest.mark.slow, pytest.mark.untraced]


def check_cubes(state: Table) -> None:
    """Bag, ships in the row, quays, warehouses, market halls, contracts, stock: 9 of each good (S-2)."""
    heaps = [*state.cargo, *state.quay, *state.market_hall, *state.warehouse, state.stock]
    lying = Counter[str](good for heap in heaps for good in unpack(heap))
    lying.update(state.bag[state.drawn :])
    for card, goods in RULES.deck.goods.items():
        lying.update(Counter(goods) - Counter(unpack(state.open_places[card])))
    assert lying == dict.fromkeys(GOODS, 9)


def check_cards(state: Table) -> None:
    """Pile + row + owned + discarded + removed = 54, each once (S-4)."""
    owned = [card for cards in state.cards for card in cards]
    everywhere = [*state.unrevealed(), *state.row, *owned, *state.discarded, *state.removed]
    assert sorted(everywhere) == sorted(CARD)


def check_workers(state: Table) -> None:
    """Three a player, in lines or at home (S-3, S-13)."""
    assert all(0 <= state.workers_at_home(seat) <= 3 for seat in range(state.seats))
    assert all(len(line) <= 8 for line in state.lines)
    assert len(state.lines) == len(state.row) == len(state.cargo)


def check_places(state: Table) -> None:
    """A market hall holds 1 cube, a warehouse 4 of its owner's (S-19); a quay is for loading (S-20)."""
    for seat in range(state.seats):
        assert len(unpack(state.market_hall[seat])) <= 1
        assert len(unpack(state.warehouse[seat])) <= (4 if state.warehouse_owner == seat else 0)
        assert state.coins[seat] >= 0
        assert state.steps[seat] <= 200
    for card, missing in state.open_places.items():
        assert (
            not missing
            or any(card in contracts for contracts in state.contracts)
            or Counter(unpack(missing)) == Counter(RULES.deck.goods[card])
        )


def check_between_rounds(state: Table, fact: Fact) -> None:
    """When a round begins, workers are at home and quays empty; after the last supply the bag is empty."""
    if type(fact) in (MetalCoinPassed, RoundBegun, GameEnded):
        assert [state.workers_at_home(seat) for seat in range(state.seats)] == [3] * state.seats
        assert not any(state.quay)
        assert not state.row
    if type(fact) is CardsRevealed and not any(KIND[card] == "ship" for card in state.unrevealed()):
        assert len(state.bag) == state.drawn == 45


def coin_changes(state: Table, fact: Fact) -> list[int]:
    """Coins change by S-14, S-19 and S-22 only."""
    changes = [0] * state.seats
    if isinstance(fact, CardBought):
        changes[fact.seat] = -fact.price
    elif isinstance(fact, CubeSold | TwoCubesSold):
        changes[fact.seat] = 1
    elif isinstance(fact, IncomePaid):
        changes = list(fact.coins)
    return changes


def check_match(seats: int, seed: str, pick: Pick, simultaneous: bool) -> None:
    options = {"simultaneous_loading": simultaneous}
    followed = RULES.table(seats, SpeicherstadtOptions(**options))
    coins = [5] * seats
    rounds = 0
    for played in random_match(seats, seed, pick, **options):
        for fact in played.facts:
            fact.fold(followed)
            coins = [had + change for had, change in zip(coins, coin_changes(followed, fact), strict=True)]
            rounds += type(fact) is RoundBegun
            assert followed.coins == coins
            if followed.pile and followed.bag:
                check_cubes(followed)
                check_cards(followed)
            check_workers(followed)
            check_places(followed)
            check_between_rounds(followed, fact)
    assert rounds == RULES.view(followed, 0)["rounds"]
    assert followed.phase == "over"


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(
    seats=st.integers(2, 5),
    seed=st.text("abc", max_size=6),
    start=st.integers(0, 2**32 - 1),
    simultaneous=st.booleans(),
)
def test_cubes_cards_coins_and_workers_are_never_lost(
    seats: int, seed: str, start: int, simultaneous: bool
) -> None:
    """S-2, S-3, S-4, S-14, S-19, S-20, S-22."""
    check_match(seats, seed, fast_picks(start), simultaneous)


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
@given(
    seats=st.integers(2, 5),
    choices=st.lists(st.integers(0, 500), min_size=40, max_size=120),
    simultaneous=st.booleans(),
)
def test_choices_that_repeat_for_ever_do_not_break_the_game(
    seats: int, choices: list[int], simultaneous: bool
) -> None:
    """S-20: the same choices again and again, such as storing a cube and taking it out."""
    turns = iter(range(10**9))
    check_match(seats, "stubborn", lambda bound: choices[next(turns) % len(choices)] % bound, simultaneous)
