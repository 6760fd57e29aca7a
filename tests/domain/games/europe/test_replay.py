"""Replay: stored facts give the same states at every version and in every process; matches stay short."""

import json
import os
import subprocess
import sys
from hashlib import sha256

import pytest

from kontor_games.domain.codec import canonical
from kontor_games.domain.games.europe.rules import EuropeRules
from tests.domain.games.europe.installed import europe, options_of
from tests.domain.games.europe.random_matches import random_match
from tests.domain.games.europe.small import EXPERT, RULES

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

TABLES = [
    (RULES, 3, "free"),
    (EXPERT, 4, "fixed"),
    (europe("short"), 4, "fixed"),
    (europe("expert"), 3, "free"),
]
MOST_FACTS = 20_000


@pytest.mark.parametrize(("rules", "seats", "set_up"), TABLES)
def test_replaying_stored_facts_gives_the_same_digest_at_every_version(
    rules: EuropeRules, seats: int, set_up: str
) -> None:
    options = options_of(rules, set_up=set_up, turn_limit=60)
    replayed = rules.table(seats, options)
    for step in random_match(rules, seats, 21, options):
        for fact in step.facts:
            stored = json.loads(canonical(rules.fact_codec.encode(fact)))
            assert rules.fact_codec.decode(stored) == fact
            rules.fact_codec.decode(stored).fold(replayed)
        assert replayed.digest() == step.state.digest()
        assert rules.to_act(replayed) == rules.to_act(step.state)


def digest_of_match() -> str:
    """Return a hash over all states, facts and legal moves of one match."""
    rules = europe("short")
    told = sha256()
    for step in random_match(rules, 4, 33, options_of(rules, turn_limit=60)):
        told.update(step.state.digest().encode())
        told.update(canonical([rules.fact_codec.encode(fact) for fact in step.facts]))
        told.update(
            canonical(
                [
                    rules.move_codec.encode(move)
                    for seat in range(4)
                    for move in rules.legal_moves(step.state, seat)
                ]
            )
        )
    return told.hexdigest()


def test_a_match_is_the_same_whatever_the_hash_seed() -> None:
    script = "from tests.domain.games.europe.test_replay import digest_of_match; print(digest_of_match())"
    runs = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        for seed in ("0", "1", "4242")
    ]
    assert {run.stdout.strip() for run in runs} == {digest_of_match()}


@pytest.mark.parametrize(("board", "seats"), [("short", 3), ("short", 4), ("expert", 3), ("expert", 4)])
def test_e70_no_random_match_needs_more_than_twenty_thousand_facts(board: str, seats: int) -> None:
    for seed in (1, 2):
        steps = [step.facts for step in random_match(europe(board), seats, seed)]
        assert steps[-1][-1].type == "game_ended"
        assert sum(map(len, steps)) < MOST_FACTS // 2
