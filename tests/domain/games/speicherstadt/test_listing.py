"""The fast listings are exactly what `verify` accepts, at every position of random matches."""

from collections import Counter

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.game import Fact, Move, Refusal
from kontor_games.domain.games.speicherstadt.moves import (
    DECLINE,
    FINISH_LOADING,
    KeepCube,
    StoreCube,
    TakeOut,
)
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from kontor_games.domain.games.speicherstadt.state import Table
from tests.domain.games.speicherstadt.playing import EVERY_MOVE, fast_picks, random_match
from tests.domain.games.speicherstadt.scenario import NO_CHANCE, RULES
from tests.support.walks import sample_size

pytestmark = [pytest.mark.sampled, pytest.mark.slow, pytest.mark.untraced]


def accepted(state: Table, seat: int) -> list[Move]:
    """Return every conceivable move that `verify` accepts."""
    found = []
    for move in EVERY_MOVE:
        try:
            RULES.verify(state, seat, move)
        except Refusal:
            continue
        found.append(move)
    return found


def test_the_universe_holds_every_kind_of_move_once() -> None:
    assert len(set(EVERY_MOVE)) == len(EVERY_MOVE)
    assert {type(move) for move in EVERY_MOVE} == set(RULES.moves)


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_legal_moves_are_exactly_those_that_verify_accepts(seats: int, simultaneous: bool) -> None:
    """S-13, S-14, S-19: over the whole universe of moves and all seats, in positions of all phases."""
    seen = Counter[str]()
    for number, played in enumerate(
        random_match(seats, "legality", fast_picks(seats), simultaneous_loading=simultaneous)
    ):
        if number % sample_size(7, 1) == 0 or (played.state.phase == "loading" and number % 2):
            seen[played.state.phase] += 1
            for seat in range(-1, seats + 1):
                legal = RULES.legal_moves(played.state, seat)
                assert Counter(legal) == Counter(accepted(played.state, seat))
                assert bool(legal) == (seat in RULES.to_act(played.state))
    assert min(seen[phase] for phase in ("demand", "purchase", "loading")) >= 3


def test_each_rule_lists_the_moves_that_it_accepts_and_together_these_are_the_legal_moves() -> None:
    """S-13, S-14, S-19: `MoveRule.listed` and `MoveRule.refusal` agree for each kind of move and seat."""
    for number, played in enumerate(random_match(4, "rules", fast_picks(6))):
        if number % sample_size(11, 1) == 0 or (played.state.phase == "loading" and number % 3 == 0):
            for seat in range(4):
                lists = {kind: rule.listed(played.state, seat) for kind, rule in RULES.move_rules.items()}
                for move in EVERY_MOVE:
                    rule = RULES.move_rules[type(move)]
                    assert (rule.refusal(played.state, seat, move) is None) == (move in lists[type(move)])
                legal = RULES.legal_moves(played.state, seat)
                for kind, listed in lists.items():
                    assert Counter(move for move in legal if type(move) is kind) == Counter(listed)


def test_a_player_who_always_takes_the_first_offered_move_finishes_soon() -> None:
    """S-20: steps that could be undone for ever are offered last, else in the order of legal moves."""
    for seats in (2, 5):
        state, chance, number = (
            RULES.table(seats, SpeicherstadtOptions()),
            Seeded(seed_from("first offered")),
            0,
        )
        RULES.deal(state, chance)
        while waited := RULES.to_act(state):
            offered = RULES.offered_moves(state, waited[0])
            undone = [isinstance(move, StoreCube | KeepCube | TakeOut) for move in offered]
            assert undone == sorted(undone)
            assert Counter(offered) == Counter(RULES.legal_moves(state, waited[0]))
            RULES.play(state, waited[0], offered[0], chance)
            number += 1
        assert number < 400


def test_cached_situations_do_not_affect_each_other() -> None:
    """After many other matches have filled the caches, each list of moves is the same as before."""
    first = [
        RULES.legal_moves(p.state, s)
        for p in random_match(4, "again", fast_picks(3))
        for s in RULES.to_act(p.state)
    ]
    for seed in range(5):
        for _ in random_match(5, f"other {seed}", fast_picks(seed)):
            pass
    assert first == [
        RULES.legal_moves(p.state, s)
        for p in random_match(4, "again", fast_picks(3))
        for s in RULES.to_act(p.state)
    ]


def test_seats_to_act_have_a_move_and_the_others_have_none() -> None:
    """A player who cannot act is never asked."""
    for played in random_match(5, "waited", fast_picks(1), simultaneous_loading=True):
        waited = RULES.to_act(played.state)
        assert list(RULES.may_act(played.state)) == list(waited)
        for seat in range(5):
            assert bool(RULES.legal_moves(played.state, seat)) == (seat in waited)


def test_an_absent_players_quiet_moves_spend_nothing() -> None:
    for played in random_match(3, "quiet", fast_picks(2)):
        for seat in RULES.to_act(played.state):
            quiet = RULES.quiet_moves(played.state, seat)
            expected = {"purchase": [DECLINE], "loading": [FINISH_LOADING]}
            assert quiet == expected.get(played.state.phase, RULES.legal_moves(played.state, seat))


def test_a_list_of_moves_is_played_whole_or_not_at_all() -> None:
    """S-19: a batch is tried on a copy.

    A refused step leaves the original as it was; an accepted batch gives the same facts.
    """
    for played in random_match(2, "batch", fast_picks(5)):
        state = played.state
        if state.phase == "loading" and state.quay[seat := RULES.to_act(state)[0]]:
            break
    before = state.digest()
    steps = [
        move for move in RULES.legal_moves(state, seat) if move.type == "keep_cube"
    ] or RULES.legal_moves(state, seat)
    with pytest.raises(Refusal):
        play_all(state.copy(), seat, [steps[0], DECLINE, FINISH_LOADING])
    assert state.digest() == before
    twin = state.copy()
    facts = play_all(twin, seat, [steps[0], FINISH_LOADING])
    assert state.digest() == before
    for fact in facts:
        fact.fold(state)
    assert state.digest() == twin.digest() != before


def play_all(state: Table, seat: int, moves: list[Move]) -> list[Fact]:
    return [fact for move in moves for fact in RULES.play(state, seat, move, NO_CHANCE)]
