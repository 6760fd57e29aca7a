"""FAIRNESS.md: the figures are those of the boards, rules and bots that it names."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe.data.board import COLOURS
from kontor_games.service.arena import Contest, outcomes

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

DOCUMENT = (Path(__file__).parents[4] / "domain" / "games" / "europe" / "FAIRNESS.md").read_text(
    encoding="utf-8"
)
FIRST, SECOND = "The measurement of the first drawing", "The second drawing of the board"
LOW, HIGH = 22.0, 28.0
"""25% ± 3%, as the rules ask."""


def section_of(heading: str) -> str:
    return DOCUMENT.partition(f"## {heading}\n")[2].partition("\n## ")[0]


def shares(heading: str) -> dict[str, float]:
    """The share of the wins of each colour, from the table under a heading."""
    rows = re.findall(r"^\| (\w+) \|.*?\| ([\d.]+)% \|", section_of(heading), re.MULTILINE)
    return {name: float(share) for name, share in rows if name in COLOURS}


def figures(heading: str, pattern: str) -> tuple[str, ...]:
    found = re.search(pattern, section_of(heading), re.DOTALL)
    assert found is not None, pattern
    return found.groups()


def test_no_colour_wins_beyond_its_fair_share_on_the_first_drawing() -> None:
    measured = shares(FIRST)
    assert tuple(measured) == COLOURS
    assert sum(measured.values()) == pytest.approx(100, abs=0.21)
    assert all(LOW <= share <= HIGH for share in measured.values())


def test_the_document_says_that_the_second_drawing_is_less_fair() -> None:
    measured = shares(SECOND)
    assert tuple(measured) == COLOURS
    assert not all(LOW <= share <= HIGH for share in measured.values())
    assert "does **not** meet the requirement" in DOCUMENT


@pytest.mark.parametrize("heading", [FIRST, SECOND])
def test_the_measured_boards_are_the_installed_ones(heading: str) -> None:
    name, pinned = figures(heading, r"`(short[-2]*)`.*? with the hash `(\w+)`")
    assert pinned == GAME.rules(name).data.hash


@pytest.mark.parametrize(("heading", "data", "bot"), [(FIRST, "short", 1), (SECOND, "short-2", 2)])
def test_a_second_measurement_gives_the_same_result(heading: str, data: str, bot: int) -> None:
    """Plays a sample again: with other rules, another bot or another board, other colours would win."""
    (seed,) = figures(heading, r"--seed (\w+)")
    matches, *wins = map(
        int, figures(heading, r"first (\d+) matches red won (\d+), blue (\d+), white (\d+), orange (\d+)")
    )
    rules = GAME.rules(data)
    games = {GAME.id: replace(GAME, bots={**GAME.bots, "greedy": GAME.bot("greedy", bot)})}
    contest = Contest(GAME.id, ("greedy",) * 4, seed, rules.options(), rules.data, games=lambda: games)
    won = Counter(
        COLOURS[outcome.places.index(1)]
        for outcome in outcomes(contest, matches)
        if outcome.places.count(1) == 1
    )
    assert [won[colour] for colour in COLOURS] == wins
