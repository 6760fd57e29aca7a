"""Replay: stored facts give the same state, in every process and at every version."""

import hashlib
import json
import os
import subprocess
import sys

import pytest

from kontor_games.domain.game import Fact
from kontor_games.domain.games.speicherstadt.facts import FACTS
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from tests.domain.games.speicherstadt.playing import fast_picks, random_match
from tests.domain.games.speicherstadt.scenario import NO_CHANCE, RULES

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

FINGERPRINT = "from tests.domain.games.speicherstadt.test_replay import fingerprint; print(fingerprint())"


def stored(fact: Fact) -> Fact:
    """Encode a fact as the store does, and decode it."""
    again: Fact = RULES.fact_codec.decode(json.loads(json.dumps(RULES.fact_codec.encode(fact))))
    return again


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_replaying_stored_facts_gives_the_same_state_at_every_version(seats: int, simultaneous: bool) -> None:
    """A replay draws nothing: S-6, S-11."""
    options = {"simultaneous_loading": simultaneous}
    followed = RULES.table(seats, SpeicherstadtOptions(**options))
    for played in random_match(seats, "replay", fast_picks(seats), **options):
        for fact in played.facts:
            again = stored(fact)
            assert again == fact
            again.fold(followed)
        assert followed.digest() == played.state.digest()


def test_random_matches_produce_every_kind_of_fact() -> None:
    seen = {
        type(fact)
        for seed in range(12)
        for played in random_match(4, f"kinds {seed}", fast_picks(seed))
        for fact in played.facts
    }
    assert seen | set(FACTS) == set(FACTS)
    assert {cls.__name__ for cls in set(FACTS) - seen} == set()


def fingerprint() -> str:
    """All digests of a few matches, version by version, in one hash."""
    total = hashlib.sha256()
    for seats in (2, 5):
        followed = RULES.table(seats, SpeicherstadtOptions())
        for played in random_match(seats, "fingerprint", fast_picks(seats)):
            for fact in played.facts:
                fact.fold(followed)
                total.update(followed.digest().encode())
    return total.hexdigest()


@pytest.mark.parametrize("hash_seed", ["1", "4242"])
def test_the_digests_are_the_same_whatever_the_hash_seed_of_the_process(hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", FINGERPRINT], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == fingerprint()


def test_a_copy_is_equal_and_independent() -> None:
    """Play on a copy at every fifth decision: the original keeps its digest."""
    for number, played in enumerate(random_match(4, "copies", fast_picks(9))):
        if number % 5 == 0 and (waited := RULES.to_act(played.state)):
            before, twin = played.state.digest(), played.state.copy()
            assert twin.digest() == before
            RULES.play(twin, waited[0], RULES.legal_moves(twin, waited[0])[-1], NO_CHANCE)
            assert played.state.digest() == before != twin.digest()


def test_no_stored_name_of_a_move_or_fact_is_removed() -> None:
    """A stored match must stay readable: never take a name from these lists."""
    assert set(RULES.fact_codec.types) >= {
        "first_player_chosen",
        "pile_stacked",
        "bag_filled",
        "round_begun",
        "cards_revealed",
        "fire_fought",
        "worker_placed",
        "card_offered",
        "card_bought",
        "card_declined",
        "buyer_passed_over",
        "card_discarded",
        "loading_begun",
        "cube_delivered",
        "cube_sold",
        "cube_stored",
        "cube_kept",
        "cube_taken_out",
        "cubes_converted",
        "two_cubes_sold",
        "loading_finished",
        "cubes_lost",
        "income_paid",
        "metal_coin_passed",
        "game_ended",
    }
    assert set(RULES.move_codec.types) >= {
        "place_worker",
        "buy",
        "decline",
        "put_on_contract",
        "sell_to_merchant",
        "store_cube",
        "keep_cube",
        "take_out",
        "convert",
        "sell_two",
        "finish_loading",
    }


def test_every_move_survives_encoding_as_json() -> None:
    from tests.domain.games.speicherstadt.playing import EVERY_MOVE

    for move in EVERY_MOVE:
        assert RULES.move_codec.parse(json.loads(json.dumps(RULES.move_codec.encode(move)))) == move
