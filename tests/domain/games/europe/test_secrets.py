"""Two worlds that differ only in what a viewer may not know look the same to that viewer: E-25.

Over a thousand pairs for each viewer in `make walks`.
"""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import ARBITER, SPECTATOR, canonical
from kontor_games.domain.game import Fact, Refusal
from kontor_games.domain.games.europe.data.components import Terms
from kontor_games.domain.games.europe.facts.buying import CardBought
from kontor_games.domain.games.europe.facts.trade import OfferMade
from kontor_games.domain.games.europe.moves import AcceptOffer, CounterOffer, OfferTrade
from kontor_games.domain.games.europe.state import EuropeState
from tests.domain.games.europe.installed import europe, options_of
from tests.domain.games.europe.random_matches import FastRandom, choose, random_match
from tests.domain.games.europe.small import RULES, Small
from tests.domain.games.europe.test_invariants import check
from tests.support.walks import sample_size

pytestmark = [pytest.mark.sampled, pytest.mark.slow, pytest.mark.untraced]

PAIRS = sample_size(200, 1000)
AHEAD = 3
"""How many moves are made in both worlds after that."""
BOARD = europe("short")
VIEWERS = (0, 1, 2, 3, SPECTATOR)


@cache
def positions() -> tuple[EuropeState, ...]:
    """States with secrets in them, from the middle of matches."""
    found: list[EuropeState] = []
    seed = 0
    while len(found) < PAIRS:
        seed += 1
        rules = (BOARD, RULES)[seed % 2]
        steps = random_match(rules, 4, seed, options_of(rules, turn_limit=140))
        found += [
            step.state.copy()
            for step in steps
            if step.number % 9 == 0 and hides_something(step.state) and not step.state.places
        ]
    return tuple(found[:PAIRS])


def hides_something(state: EuropeState) -> bool:
    return bool(state.thefts) or any(state.cards) or state.fresh >= 0


def rules_of(state: EuropeState) -> Any:
    return RULES if state.tables is RULES.tables else BOARD


def visible_outputs(state: EuropeState, viewer: int) -> bytes:
    """Return every output of the rules for a state that the viewer can see."""
    rules = rules_of(state)
    shown: dict[str, Any] = {
        "view": rules.view(state, viewer),
        "act": [list(rules.to_act(state)), list(rules.may_act(state))],
    }
    if viewer >= 0:
        shown["legal"] = [rules.move_codec.encode(move) for move in rules.legal_moves(state, viewer)]
        shown["open"] = [kind.type for kind in rules.open_moves(state, viewer)]
        shown["refusals"] = [refusal(state, viewer, move) for move in tried(state)]
    return canonical(shown)


def tried(state: EuropeState) -> list[Any]:
    """Moves whose refusals might reveal other hands: answers to all offers, and offers of all kinds."""
    answers = [AcceptOffer(offer.number) for offer in state.offers] + [
        CounterOffer(offer.number, Terms(wool=1), Terms(ore=1)) for offer in state.offers
    ]
    return [*answers, OfferTrade(Terms(wool=1), Terms(ore=1)), OfferTrade(Terms(gold=1), Terms(salt=19))]


def refusal(state: EuropeState, seat: int, move: Any) -> Any:
    try:
        rules_of(state).verify(state, seat, move)
    except Refusal as refused:
        return [refused.code, refused.rule, refused.detail]
    return "may"


def shown(state: EuropeState, facts: list[Fact], viewer: int) -> list[Any]:
    return [rules_of(state).fact_codec.redacted(fact, viewer) for fact in facts]


def reveals_to_viewer(facts: list[Fact], viewer: int) -> bool:
    """Whether a fact legitimately reveals a secret to the viewer: a card bought or stolen."""
    return any(
        viewer in (getattr(fact, "thief", None), getattr(fact, "victim", None))
        or (isinstance(fact, CardBought) and fact.seat == viewer)
        for fact in facts
    )


@pytest.mark.parametrize("viewer", VIEWERS)
def test_e25_a_viewer_cannot_tell_two_worlds_apart_now_or_later(viewer: int) -> None:
    differing = 0
    for number, state in enumerate(positions()):
        rules = rules_of(state)
        twin = rules.resample(state, viewer, Seeded(seed_from(f"twin {number}")))
        differing += twin.digest() != state.digest()
        assert visible_outputs(twin, viewer) == visible_outputs(state, viewer)
        follow(state.copy(), twin, viewer, number)
    assert differing > PAIRS // 10


def follow(here: EuropeState, there: EuropeState, viewer: int, number: int) -> None:
    """Make the same moves in both worlds until one refuses, or a fact legitimately reveals a secret."""
    rules, luck, chance = rules_of(here), FastRandom(number), Seeded(seed_from(f"ahead {number}"))
    for _ in range(AHEAD):
        if not rules.to_act(here):
            return
        seat, move = choose(rules, here, luck)
        if refusal(there, seat, move) != "may":
            assert seat != viewer
            return
        facts = rules.play(here, seat, move, chance), rules.play(there, seat, move, chance)
        if reveals_to_viewer(facts[0], viewer):
            return
        assert shown(here, facts[0], viewer) == shown(there, facts[1], viewer)
        assert visible_outputs(here, viewer) == visible_outputs(there, viewer)


def test_e25_a_resampled_state_keeps_the_invariants() -> None:
    for number, state in enumerate(positions()[::10]):
        for viewer in VIEWERS:
            twin = rules_of(state).resample(state, viewer, Seeded(seed_from(str(number))))
            check(twin)
            assert twin.supply == state.supply
            assert twin.sizes == state.sizes


def test_e25_the_arbiter_knows_everything_so_nothing_is_redrawn() -> None:
    for state in positions()[::50]:
        assert rules_of(state).resample(state, ARBITER, Seeded(seed_from("x"))).digest() == state.digest()


def robbed() -> Small:
    """Seat 2 holds two ore and two wool; seat 3 stole one of them: seats 0 and 1 can't tell which."""
    game = Small()
    for seat in range(4):
        game.empty(seat)
    game.give(2, ore=2, wool=2)
    game.state.low = game.state.hands[:]
    game.state.steal(3, 2, 3)
    return game


def hands_of_the_thief(game: Small, viewer: int) -> Counter[str]:
    worlds = [
        game.rules.resample(game.state, viewer, Seeded(seed_from(str(number)))) for number in range(200)
    ]
    return Counter(
        next(kind for kind, count in zip("lwgos", world.hands[15:20], strict=True) if count)
        for world in worlds
    )


def test_e25_to_others_each_card_is_equally_likely_to_have_been_stolen() -> None:
    for viewer in (0, 1, SPECTATOR):
        found = hands_of_the_thief(robbed(), viewer)
        assert set(found) == {"w", "o"}
        assert 60 < found["w"] < 140


def test_e25_thief_and_victim_know_it() -> None:
    for viewer in (2, 3):
        assert set(hands_of_the_thief(robbed(), viewer)) == {"o"}


def test_e25_cards_given_away_later_reveal_what_was_stolen() -> None:
    game = robbed()
    game.state.pay(2, (0, 2, 0, 0, 0))
    assert set(hands_of_the_thief(game, 0)) == {"o"}


def test_e25_an_offer_reveals_what_its_maker_holds() -> None:
    game = robbed()
    OfferMade(1, 2, (0,), Terms(wool=2), Terms(gold=1), None).fold(game.state)
    assert set(hands_of_the_thief(game, 0)) == {"o"}
    other = robbed()
    OfferMade(1, 2, (0,), Terms(wool=1), Terms(gold=1), None).fold(other.state)
    assert set(hands_of_the_thief(other, 0)) == {"w", "o"}


def test_e64_cards_of_an_older_pile_are_not_mixed_with_those_of_a_new_one() -> None:
    game = Small()
    # All lancers but one were drawn and played, then the pile was renewed: the card of seat 1 is known to be
    # the bribe that was left.
    game.state.pile, game.state.discarded, game.state.epoch = [10, 5, 5, 4], [0, 0, 0, 0], 1
    game.state.cards[1] = (3,)
    worlds = [game.rules.resample(game.state, 0, Seeded(seed_from(str(number)))) for number in range(20)]
    assert {world.cards[1] for world in worlds} == {(3,)}
    game.state.cards[1] = (7,)
    fresh = [game.rules.resample(game.state, 0, Seeded(seed_from(str(number)))) for number in range(60)]
    assert {world.cards[1] for world in fresh} == {(4,), (5,), (6,), (7,)}


def test_e25_the_card_bought_this_turn_is_redrawn_for_all_but_its_buyer() -> None:
    game = Small()
    game.state.pile[0] -= 1
    game.state.fresh = 0
    assert {game.rules.resample(game.state, 1, Seeded(seed_from(str(n)))).fresh for n in range(60)} == {
        0,
        1,
        2,
        3,
    }
    assert {game.rules.resample(game.state, 0, Seeded(seed_from(str(n)))).fresh for n in range(20)} == {0}
