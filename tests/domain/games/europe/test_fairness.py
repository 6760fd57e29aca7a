"""FAIRNESS.md: the fixed set-up is fair, and the figures are those of the current board, rules and bot."""

import re
from collections import Counter
from pathlib import Path

import pytest

from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe.data.board import COLOURS
from kontor_games.service.arena import Contest, outcomes

DOCUMENT = (Path(__file__).parents[4] / "domain" / "games" / "europe" / "FAIRNESS.md").read_text(
    encoding="utf-8"
)
LOW, HIGH = 22.0, 28.0
"""25% ± 3%, as the rules ask."""


def shares(heading: str) -> dict[str, float]:
    """The share of the wins of each colour, from the table under a heading."""
    section = DOCUMENT.partition(f"## {heading}")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\w+) \|.*?\| ([\d.]+)% \|", section, re.MULTILINE)
    return {name: float(share) for name, share in rows if name in COLOURS}


def figures(pattern: str) -> tuple[str, ...]:
    found = re.search(pattern, DOCUMENT)
    assert found is not None, pattern
    return found.groups()


def test_no_colour_wins_beyond_its_fair_share() -> None:
    measured = shares("The measurement")
    assert tuple(measured) == COLOURS
    assert sum(measured.values()) == pytest.approx(100, abs=0.21)
    assert all(LOW <= share <= HIGH for share in measured.values())


def test_the_measured_board_is_the_current_one() -> None:
    assert figures(r"data set `short` with the hash `(\w+)`") == (GAME.rules("short").data.hash,)


def test_a_second_measurement_gives_the_same_result() -> None:
    """Plays a sample again: with other rules, another bot or another board, other colours would win."""
    (seed,) = figures(r"--seed (\w+)")
    matches, *wins = map(
        int, figures(r"first (\d+) matches red won (\d+), blue (\d+), white (\d+), orange (\d+)")
    )
    rules = GAME.rules("short")
    contest = Contest(GAME.id, ("greedy",) * 4, seed, rules.options(), rules.data)
    won = Counter(
        COLOURS[outcome.places.index(1)]
        for outcome in outcomes(contest, matches)
        if outcome.places.count(1) == 1
    )
    assert [won[colour] for colour in COLOURS] == wins
