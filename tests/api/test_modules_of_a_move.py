"""How many of our modules run code for one move (ARCHITECTURE.md describes the steps of a move)."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from kontor_games.domain.games import installed_games
from tests.api.conftest import ApiUser

MOST_SHARED = 21
"""The most modules outside the game; there were 29 before each command became a class."""
MOST = 28
"""The most modules including those of the game, for a move that concerns one chapter of its rules.

There were 38 in The Speicherstadt and 44 in Settlers of Europe."""
MOST_AT_THE_FAIR = 32
"""The same for the toy game, where the move also completes a round and so concerns more chapters."""


def modules_visited(work: Callable[[], Any]) -> set[str]:
    """Our modules of which a Python function runs in this thread during `work()`."""
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
def test_one_move_runs_code_of_few_modules(ada: ApiUser, ben: ApiUser, game: str) -> None:
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
