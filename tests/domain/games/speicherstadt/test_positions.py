"""The number of legal moves of each kind in difficult positions, counted by hand in positions.json."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from tests.domain.games.speicherstadt.scenario import RULES

POSITIONS = json.loads(Path(__file__).with_name("positions.json").read_text("utf-8"))


@pytest.mark.parametrize("position", POSITIONS, ids=[position["name"] for position in POSITIONS])
def test_a_position_has_the_expected_number_of_legal_moves(position: dict[str, Any]) -> None:
    """S-13, S-14, S-18, S-19."""
    options = SpeicherstadtOptions(simultaneous_loading=position.get("simultaneous_loading", False))
    state = RULES.table(position["seats"], options)
    for fact in position["given"]:
        RULES.fact_codec.decode(fact).fold(state)
    counted = Counter(move.type for move in RULES.legal_moves(state, position["seat"]))
    assert counted == position["expect"], position["why"]
