"""FAIRNESS.md: the figures are those of the boards, rules and bots that it names."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

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


# --- free set-up --------------------------------------------------------------------------------------------

FREE = "Free set-up, by order of play"


def free_shares() -> dict[tuple[str, int], list[float]]:
    """The shares of the wins by order of play, by data set and number of players."""
    rows = re.findall(r"^\| `([\w-]+)` \| (\d) \| \d+ \|(.*)$", section_of(FREE), re.MULTILINE)
    return {
        (data, int(players)): [*map(float, re.findall(r"([\d.]+)% \(", row))] for data, players, row in rows
    }


def test_the_document_says_that_the_free_set_up_favours_those_who_begin() -> None:
    measured = free_shares()
    assert {("short-2", 3), ("short-2", 4)} <= measured.keys()
    for (_, players), found in measured.items():
        assert len(found) == players
        assert sum(found) == pytest.approx(100, abs=0.21)
        assert max(abs(share - 100 / players) for share in found) > {3: 5, 4: 4}[players]
    assert "is **not** fair by order of play" in section_of(FREE)


@pytest.mark.parametrize("players", [3, 4])
def test_the_same_places_win_again_in_the_free_set_up(players: int) -> None:
    first = figures(FREE, rf"{players} players the places won ([\d, ]+) of the first 40 matches")
    rules: Any = GAME.rules("short-2")
    games = {GAME.id: replace(GAME, bots={**GAME.bots, "greedy": GAME.bot("greedy", 2)})}
    options = rules.options(set_up="free")
    contest = Contest(GAME.id, ("greedy",) * players, "2026", options, rules.data, games=lambda: games)
    won = Counter((outcome.places.index(1) - outcome.starter) % players for outcome in outcomes(contest, 40))
    assert [won[place] for place in range(players)] == [*map(int, first[0].split(","))]
