"""Invariants, checked after every fact of random matches at all tables."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontor_games.domain.games.europe.data.components import DECK, PIECES, TOKENS
from kontor_games.domain.games.europe.rules import EuropeRules
from kontor_games.domain.games.europe.rules.index import Index
from kontor_games.domain.games.europe.rules.turn import must_go_on
from kontor_games.domain.games.europe.state import NEUTRAL, NOBODY, EuropeState
from kontor_games.domain.games.europe.state.phases import DEALING, SET_UP_ROUTE
from tests.domain.games.europe.installed import europe, options_of
from tests.domain.games.europe.random_matches import random_match
from tests.domain.games.europe.small import EXPERT, RULES
from tests.support.walks import sample_size

pytestmark = [pytest.mark.sampled, pytest.mark.slow, pytest.mark.untraced]

BUILDING = {
    "route_built",
    "post_founded",
    "good_delivered",
    "caravan_formed",
    "token_shifted",
    "start_post_placed",
    "start_route_placed",
    "colour_placed",
}
BOARDS = (RULES, EXPERT, europe("short", 1), europe("short", 2), europe("expert", 2))


def check(state: EuropeState) -> None:
    """Check the invariants in the last section of the rules."""
    check_cards(state)
    check_tokens(state)
    check_pieces(state)
    check_places(state)


def check_cards(state: EuropeState) -> None:
    hands = [state.hand(seat) for seat in range(state.seats)]
    assert all(count >= 0 for hand in hands for count in hand)
    assert all(count >= 0 for count in state.supply)
    assert [sum(kind) for kind in zip(state.supply, *hands, strict=True)] == [19] * 5
    assert state.sizes == [sum(hand) for hand in hands]
    held = Counter(card & 3 for cards in state.cards for card in cards)
    held.update([state.fresh & 3] if state.fresh >= 0 else [])
    assert [state.pile[kind] + state.discarded[kind] + held[kind] for kind in range(4)] == list(DECK)
    assert all(gold >= 0 for gold in state.gold)
    assert all(low <= hand for low, hand in zip(state.low, state.hands, strict=True))


def check_tokens(state: EuropeState) -> None:
    placed = [
        [state.number[h] for h, lies in enumerate(state.token) if lies and state.tables.yields[h] == colour]
        for colour in range(5)
    ]
    assert [sorted([*there, *sea]) for there, sea in zip(placed, state.sea, strict=True)] == [
        list(tokens) for tokens in TOKENS
    ]
    for h, hexagon in enumerate(state.tables.board.hexes):
        if hexagon.number:
            assert (state.number[h], state.token[h]) == (hexagon.number, 0)
        else:
            assert bool(state.number[h]) == bool(state.token[h])


def check_pieces(state: EuropeState) -> None:
    posts, goods = PIECES[state.tables.board.kind, state.seats]
    in_play = state.phase > SET_UP_ROUTE
    for seat in range(state.seats):
        assert state.post.count(seat) + state.posts_left[seat] == posts
        assert state.route.count(seat) + state.routes_left[seat] == 30
        assert state.good.count(seat) == state.delivered[seat]
        covered = goods - state.free_goods[seat] - state.delivered[seat]
        assert state.free_goods[seat] >= 0
        assert covered == state.posts_left[seat] or not in_play
    assert state.post.count(NEUTRAL) == (3 if state.seats == 3 else 0) or not in_play


def check_places(state: EuropeState) -> None:
    board = state.tables.board
    caravans = Counter(at for at in state.caravans if at >= 0)
    allowed = 3 if state.phase > 0 and must_go_on(state) else 2
    assert all(count <= allowed and state.route[path] != NOBODY for path, count in caravans.items())
    merchants = [at for at in state.merchants if at >= 0]
    assert len(set(merchants)) == len(merchants)
    for piece, at in enumerate(state.merchants):
        if at >= 0 and board.city_at[at] >= 0 and not moving_in(state, at):
            assert state.post[board.city_at[at]] == piece // 2
    for city, good in enumerate(state.good):
        assert good == NOBODY or state.post[city] not in (NOBODY, good)


def moving_in(state: EuropeState, at: int) -> bool:
    """Whether a merchant that founds a post is between the two facts: its city has no post yet."""
    return state.post[state.tables.board.city_at[at]] == NOBODY


def check_index(state: EuropeState) -> None:
    """The incrementally updated index equals one that is computed from all pieces at once."""
    kept, fresh = state.index, Index(state)
    by_root = ("root", "crossroads_in", "cities_in", "owners_in", "routes_in")
    for name in {*Index.LISTS, "taken", "full"} - {*by_root, "route_moves"}:
        assert getattr(fresh, name) == getattr(kept, name), name
    assert joined(fresh) == joined(kept)


def joined(index: Index) -> set[tuple[frozenset[int], int, int, int]]:
    """The crossroads that routes join, with the number of cities, the owners and the routes there."""
    roots = {
        root: frozenset(at for at, above in enumerate(index.root) if above == root) for root in index.root
    }
    assert all(frozenset(index.crossroads_in[root]) == together for root, together in roots.items())
    return {
        (together, index.cities_in[root], index.owners_in[root], index.routes_in[root])
        for root, together in roots.items()
    }


@settings(max_examples=sample_size(12, 30), deadline=None, derandomize=True)
@given(
    rules=st.sampled_from(BOARDS),
    seats=st.sampled_from([3, 4]),
    set_up=st.sampled_from(["fixed", "free"]),
    turns=st.integers(1, 90),
    seed=st.integers(0, 10**6),
)
def test_the_invariants_hold_after_every_fact(
    rules: EuropeRules, seats: int, set_up: str, turns: int, seed: int
) -> None:
    options = options_of(rules, set_up=set_up, turn_limit=turns)
    working = rules.table(seats, options)
    check(working)
    for step in random_match(rules, seats, seed, options):
        for fact in step.facts:
            fact.fold(working)
            check(working)
            if fact.type in BUILDING:
                check_index(working)
        assert working.digest() == step.state.digest()
    assert working.phase != DEALING
    assert rules.result(working) is not None


def test_the_invariants_hold_in_a_long_match() -> None:
    for number, step in enumerate(random_match(europe("expert"), 4, 5)):
        if number % 40 == 0:
            check(step.state)
            check_index(step.state)


def test_gold_changes_only_by_facts_that_say_so() -> None:
    speaking = {
        "resources_produced",
        "resource_bought",
        "supply_traded",
        "connection_paid",
        "post_founded",
        "caravan_moved",
        "treaty_played",
        "lancer_played",
        "trade_made",
    }
    rules = europe("short")
    working = rules.table(4, options_of(rules))
    for step in random_match(rules, 4, 11):
        for fact in step.facts:
            before = working.gold[:]
            fact.fold(working)
            assert working.gold == before or fact.type in speaking
