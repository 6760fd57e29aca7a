"""The searching bot: what it knows, what it values, and what it does within a turn."""

from collections import Counter
from typing import Any

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.game import Move, Sight
from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.greedy import Seen
from kontor_games.domain.games.europe.bots.searching.playout import Playout
from kontor_games.domain.games.europe.bots.searching.position import Income, Valuer, rolls_to_pay
from kontor_games.domain.games.europe.bots.searching.proposals import MOST_OFFERS, offers, worth_trying
from kontor_games.domain.games.europe.bots.searching.roads import Roads
from kontor_games.domain.games.europe.bots.terrain import Terrain
from kontor_games.domain.games.europe.data.components import TERMS, Terms
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.toolkit.searching import read_weights
from tests.support.chi_square import fits

RULES: Any = GAME.rules("short-2")
TERRAIN = Terrain(RULES)
WEIGHTS = read_weights("kontor_games.domain.games.europe.bots.searching", 2)
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
def test_a_level_with_worlds_makes_the_same_legal_move_again() -> None:
    """The only test of whole decisions that is traced: it has few of them."""
    replaying, decided = GAME.all_bots["search:2"](RULES), 0
    for state, seat, _ in positions("a short match", turns=4)[-4:]:
        legal, sight = RULES.legal_moves(state, seat), Sight(RULES, state, seat)
        moves = [replaying.choose(seat, sight, legal, SEED.draws("bot", 0)) for _ in range(2)]
        assert moves[0] == moves[1]
        if moves[0] is not None:
            assert RULES.refusal(state, seat, moves[0]) is None
            decided += 1
    assert decided > 0


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
        (lambda s: s.free_goods.__setitem__(0, 0), 1),
        (lambda s: s.gold.__setitem__(0, 9), 1),
        (lambda s: s.receive(0, (1, 0, 0, 0, 0)), 1),
        (lambda s: s.free_goods.__setitem__(1, 0), -1),
        (lambda s: s.gold.__setitem__(1, 9), -1),
    )
    for change, sign in changes:
        other = state.copy()
        change(other)
        assert (value(other) - before) * sign > 0


def test_a_card_that_is_needed_is_worth_more_than_one_of_which_there_are_plenty() -> None:
    state = dealt()
    state.receive(0, (0, 0, 0, 0, 9))
    before = value(state)
    gains = []
    for counts in ((1, 0, 0, 0, 0), (0, 0, 0, 0, 1)):
        other = state.copy()
        other.receive(0, counts)
        gains.append(value(other) - before)
    assert gains[0] > gains[1]


def test_rolls_until_all_needs_are_paid_are_counted_with_gold_and_with_swapped_cards() -> None:
    def rolls(needs: list[float], rates: tuple[float, ...], gold: float = 0.0, earned: float = 0.0) -> float:
        return rolls_to_pay(needs, Income(rates, earned, 0.0), gold, 0.5)

    one = (0.5, 0.0, 0.0, 0.0, 0.0)
    assert rolls([2.0, -1.0, 0.0, 0.0, 0.0], (0.0, 0.0, 0.0, 0.0, 0.0), gold=3.0) == 0.0
    assert rolls([2.0, 0.0, 0.0, 0.0, 0.0], one) == 4.0
    assert rolls([2.0, -2.0, 0.0, 0.0, 0.0], one) == 2.0
    assert rolls([0.0, 2.0, 0.0, 0.0, 0.0], one) == pytest.approx(8.0)
    assert rolls([0.0, 2.0, 0.0, 0.0, 0.0], one, gold=2.0) == pytest.approx(4.0)
    assert rolls([2.0, 0.0, 0.0, 0.0, 0.0], (0.25, 0.0, 0.0, 0.0, 0.0), earned=0.5) == pytest.approx(4.0)
    assert rolls([2.0, 0.0, 0.0, 0.0, 0.0], (0.0, 0.0, 0.0, 0.0, 0.0)) == 150.0
    assert rolls([2.0, 0.0, 0.0, 0.0, 0.0], (0.001, 0.0, 0.0, 0.0, 0.0)) == 150.0


def test_further_deliveries_continue_the_road_of_the_first() -> None:
    state = dealt()
    first, both = (Roads(TERRAIN, state, 0).journeys(goods) for goods in (1, 2))
    assert first.next_cost == both.next_cost > 0
    assert first.routes <= both.routes <= 2 * first.routes + 3
    state.good = [9] * len(state.good)
    assert Roads(TERRAIN, state, 0).journeys(2).routes == 6.0


def test_nothing_leads_to_a_post_without_routes_to_build() -> None:
    state = dealt()
    state.routes_left = [0] * 4
    assert Roads(TERRAIN, state, 0).journeys(1).next_cost == 14.0


def test_a_match_that_is_won_is_worth_more_than_any_other() -> None:
    state = dealt()
    best = value(state)
    state.delivered[0] = state.setting.goods
    state.ended = "delivered"
    assert value(state) > best + 500
    assert value(state, 1) < -500


def test_the_robber_beside_a_post_costs() -> None:
    state = dealt()
    beside = [h for city in state.index.posts_of[0] for h in TERRAIN.hexes[city] if state.number[h] in (6, 8)]
    free = state.copy()
    state.robber = (beside or [TERRAIN.hexes[state.index.posts_of[0][0]][0]])[0]
    assert value(state) < value(free)


# --- what it does -------------------------------------------------------------------------------------------


def acting(played: list[tuple[EuropeState, int, Move]]) -> EuropeState:
    """A position at which a turn could end, with cards in the hand."""
    return next(
        state
        for state, seat, move in played
        if isinstance(move, m.EndTurn) and not state.offers and state.sizes[seat] > 4
    )


@pytest.mark.slow
def test_a_playout_ends_with_the_turn_and_answers_offers(
    played: list[tuple[EuropeState, int, Move]],
) -> None:
    state = acting(played).copy()
    turn, seat = state.turn, state.active
    given = next(r for r in range(5) if state.hand(seat)[r])
    give, want = (Terms(**{TERMS[r]: 1}) for r in (given, (given + 1) % 5))
    RULES.decide(state, seat, m.OfferTrade(give, want), SEED)
    Playout(RULES, TERRAIN).play(state, turn + 1, SEED)
    assert (state.turn, state.offers) == (turn + 1, ())
    Playout(RULES, TERRAIN).play(state, 500, SEED)
    assert max(state.delivered) == state.setting.goods


@pytest.mark.slow
def test_offers_give_what_no_goal_needs_for_what_one_misses(
    played: list[tuple[EuropeState, int, Move]],
) -> None:
    tried = 0
    for state, seat, _ in played:
        if state.active != seat or m.OfferTrade not in RULES.open_moves(state, seat):
            continue
        features = Seen(TERRAIN, RULES.view(state, seat), seat)
        made: Any = offers(features, RULES.legal_moves(state, seat))
        assert len({*made}) == len(made)
        assert all(RULES.refusal(state, seat, offer) is None for offer in made)
        assert not made or state.offers_made[seat] < MOST_OFFERS
        tried += len(made)
    assert tried > 100


@pytest.mark.slow
def test_of_the_ways_of_a_caravan_the_cheapest_to_each_post_is_tried(
    played: list[tuple[EuropeState, int, Move]],
) -> None:
    fewer = 0
    for state, seat, _ in played[::3]:
        legal = RULES.legal_moves(state, seat)
        tried: Any = worth_trying(Seen(TERRAIN, RULES.view(state, seat), seat), legal)
        ends = [(move.caravan, move.path[-1]) for move in tried if isinstance(move, m.MoveCaravan)]
        assert len({*ends}) == len(ends)
        assert {*tried} <= {*legal}
        fewer += len(tried) < len(legal)
    assert fewer


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
