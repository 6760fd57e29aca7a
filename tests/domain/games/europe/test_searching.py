"""The searching bot: what it knows, what it values, and what it does within a turn."""

from collections import Counter
from typing import Any

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.game import Move, Sight
from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.searching.beam import Beam
from kontor_games.domain.games.europe.bots.searching.position import Valuer
from kontor_games.domain.games.europe.bots.terrain import Terrain
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.toolkit.searching import read_weights
from tests.support.chi_square import fits

RULES: Any = GAME.rules("short-2")
TERRAIN = Terrain(RULES)
WEIGHTS = read_weights("kontor_games.domain.games.europe.bots.searching", 1)
QUICK = GAME.all_bots["search:1"](RULES)
SEED = Seeded(seed_from("searching"))


def choice(state: EuropeState, seat: int, number: int = 0) -> Move | None:
    legal = RULES.legal_moves(state, seat)
    return QUICK.choose(seat, Sight(RULES, state, seat), legal, SEED.draws("bot", number))


def positions(seed: str, rules: Any = RULES, turns: int = 40) -> list[tuple[EuropeState, int, Move]]:
    """The decisions of a match between quick searching bots, with the moves they make."""
    state, chance = rules.table(4, rules.options()), Seeded(seed_from(seed))
    rules.deal(state, chance)
    found: list[tuple[EuropeState, int, Move]] = []
    while (waited := rules.to_act(state)) and state.turn < turns:
        seats = (waited[0], *(seat for seat in rules.may_act(state) if seat != waited[0]))
        for seat in reversed(seats):
            move = choice(state, seat, len(found))
            if move is not None:
                found.append((state.copy(), seat, move))
                rules.play(state, seat, move, chance)
                break
    return found


@pytest.fixture(scope="module")
def played() -> list[tuple[EuropeState, int, Move]]:
    return positions("a match")


# --- what it knows ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.untraced
def test_it_makes_the_same_move_in_worlds_that_it_cannot_tell_apart(
    played: list[tuple[EuropeState, int, Move]],
) -> None:
    differing = 0
    for number, (state, seat, _) in enumerate(played[::6]):
        twin = RULES.resample(state, seat, Seeded(seed_from(f"twin {number}")))
        differing += twin.digest() != state.digest()
        assert choice(twin, seat) == choice(state, seat)
    assert differing > 5


@pytest.mark.slow
def test_development_cards_are_redrawn_as_often_as_they_are_likely() -> None:
    """Four cards of the pile, two of them in the hand of seat 1: all six pairs, by how many there are."""
    state = RULES.table(4, RULES.options())
    RULES.deal(state, SEED)
    state.pile, state.cards[1] = [1, 1, 0, 0], (0, 2)
    drawn = Counter[Any]()
    for number in range(1200):
        imagined = RULES.resample(state, SPECTATOR, Seeded(seed_from(f"world {number}")))
        drawn[tuple(imagined.cards[1]), tuple(imagined.pile)] += 1
    pool = [0, 0, 1, 2]
    expected: dict[Any, float] = {}
    for first in range(4):
        for second in range(4):
            if first != second:
                left = [kind for place, kind in enumerate(pool) if place not in (first, second)]
                held = pool[first], pool[second]
                world = held, tuple(left.count(kind) for kind in range(4))
                expected[world] = expected.get(world, 0.0) + 1 / 12
    assert fits(drawn, expected)


# --- what it values -----------------------------------------------------------------------------------------


def value(state: EuropeState, seat: int = 0) -> float:
    return Valuer(TERRAIN, state, WEIGHTS).value(state, seat)


def dealt() -> EuropeState:
    state: EuropeState = RULES.table(4, RULES.options())
    RULES.deal(state, SEED)
    return state


def test_goods_delivered_gold_and_cards_are_worth_something_and_those_of_others_cost() -> None:
    state = dealt()
    before = value(state)
    changes: Any = (
        (lambda s: s.delivered.__setitem__(0, 1), 1),
        (lambda s: s.gold.__setitem__(0, 9), 1),
        (lambda s: s.receive(0, (1, 0, 0, 0, 0)), 1),
        (lambda s: s.delivered.__setitem__(1, 1), -1),
        (lambda s: s.gold.__setitem__(1, 9), -1),
    )
    for change, sign in changes:
        other = state.copy()
        change(other)
        assert (value(other) - before) * sign > 0


def test_more_cards_of_a_kind_are_worth_less_and_cards_above_the_limit_cost() -> None:
    values = []
    for count in (0, 1, 2, 9, 10):
        state = dealt()
        state.receive(0, tuple(count - held if not r else 0 for r, held in enumerate(state.hand(0))))
        values.append(value(state))
    assert values[1] - values[0] > values[2] - values[1] > values[4] - values[3]


def test_a_match_that_is_won_is_worth_more_than_any_other() -> None:
    state = dealt()
    best = value(state)
    state.delivered[0] = state.setting.goods
    assert value(state) > best + 500


def test_the_robber_beside_a_post_costs() -> None:
    state = dealt()
    beside = [h for city in state.index.posts_of[0] for h in TERRAIN.hexes[city] if state.number[h] in (6, 8)]
    free = state.copy()
    state.robber = (beside or [TERRAIN.hexes[state.index.posts_of[0][0]][0]])[0]
    assert value(state) < value(free)


# --- what it does -------------------------------------------------------------------------------------------


def test_a_sequence_is_worth_its_end_and_making_none_is_one_of_them() -> None:
    state = next(
        s for s, _, move in positions("beam", turns=6) if isinstance(move, m.EndTurn) and not s.offers
    )
    seat = state.active
    valuer = Valuer(TERRAIN, state, WEIGHTS)
    beam = Beam(RULES, valuer, seat, SEED)
    found = beam.best(state, 200)
    assert found[None] == valuer.value(state, seat)
    assert all(first is None or first in RULES.legal_moves(state, seat) for first in found)


@pytest.mark.slow
@pytest.mark.untraced
def test_it_delivers_founds_builds_and_trades(played: list[tuple[EuropeState, int, Move]]) -> None:
    kinds = {type(move) for *_, move in played}
    assert {m.Deliver, m.MoveMerchant, m.BuildRoute, m.HireMerchant, m.MoveCaravan, m.OfferTrade} <= kinds
    assert {m.AcceptOffer, m.DeclineOffer} & kinds


@pytest.mark.slow
@pytest.mark.untraced
def test_a_turn_never_returns_to_a_position_of_the_same_turn(
    played: list[tuple[EuropeState, int, Move]],
) -> None:
    seen = Counter(
        (state.digest(), seat) for state, seat, move in played if not isinstance(move, m.DeclineOffer)
    )
    assert max(seen.values()) == 1


@pytest.mark.slow
@pytest.mark.untraced
@pytest.mark.parametrize("board", ["expert-2"])
def test_a_free_set_up_and_a_whole_match_are_played_to_the_end(board: str) -> None:
    rules: Any = GAME.rules(board)
    bots = [GAME.all_bots["search:1"](rules), *[GAME.bots["greedy"](rules)] * 2]
    state, chance, asked = rules.table(3, rules.options()), Seeded(seed_from("whole")), 0
    rules.deal(state, chance)
    while waited := rules.to_act(state):
        for seat in (*(seat for seat in rules.may_act(state) if seat != waited[0]), waited[0]):
            asked += 1
            legal = rules.legal_moves(state, seat)
            move = bots[seat].choose(seat, Sight(rules, state, seat), legal, chance.draws("bots", asked))
            if move is not None:
                rules.play(state, seat, move, chance)
                break
    assert max(state.delivered) == state.setting.goods
