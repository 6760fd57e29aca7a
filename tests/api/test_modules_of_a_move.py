"""How many of our own modules one move visits (ARCHITECTURE.md walks through them)."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from kontor_games.domain.games import installed_games
from tests.api.conftest import Someone

MOST_SHARED = 18
"""Modules that the moves of all games visit; there were 29 before commands were types."""
MOST = 25
"""With the modules of the game, for a move within one chapter of its rules.

There were 38 in The Speicherstadt and 44 in Settlers of Europe."""
MOST_AT_THE_FAIR = 29
"""The move of the toy game also completes a round, and visits the files of those chapters too."""


def modules_visited(work: Callable[[], Any]) -> set[str]:
    """The modules of ours in which a Python function runs in this thread while the work is done."""
    seen: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            seen.add(frame.f_globals.get("__name__", ""))

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return {name for name in seen if name.startswith("kontor_games.") or ".games." in name}


@pytest.mark.parametrize("game", sorted({*installed_games(), "fair"}))
def test_one_move_visits_few_of_our_modules(ada: Someone, ben: Someone, game: str) -> None:
    seats = min(installed_games()[game].rules().seat_counts)
    rest = [{"type": "bot", "bot": "random"}] * (seats - 2)
    match = ada.match({"type": "me"}, {"type": "invited", "player": ben.id}, *rest, game=game, seed="7")["id"]
    ben.post(f"/v1/matches/{match}/seats")

    def move() -> None:
        now = ada.get(f"/v1/matches/{match}").json
        who = (ada, ben)[now["to_act"][0]]
        path, choice = f"/v1/matches/{match}/moves", who.get(f"/v1/matches/{match}").json["legal_moves"][0]
        made.append(modules_visited(lambda: answers.append(who.post(path, choice))))
        assert answers[-1].status_code == 201, answers[-1].text

    answers, made = list[Any](), list[set[str]]()
    for _ in range(3):
        move()
    shared = {name for name in made[-1] if ".games." not in name}
    assert 15 < len(shared) <= MOST_SHARED, "\n".join(sorted(shared))
    assert len(made[-1]) <= (MOST_AT_THE_FAIR if game == "fair" else MOST), sorted(made[-1])
