"""How long a tool waits, and what wakes it."""

from typing import Any

import pytest

from kontor_games.service.agents import tools
from kontor_games.service.agents.tools import MAX_WAIT_S, call_tool
from tests.service.agents.test_names_and_texts import MATCH, match_with


class Watch:
    """A clock that only sleeping and waiting move on."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert 0 <= seconds <= 1
        self.now += seconds


class Table:
    """A match in which others act `moves` times, after `pause` seconds each, before the model's turn."""

    signs = True

    def __init__(self, watch: Watch, moves: int, pause: float) -> None:
        self._watch, self._left, self._pause = watch, moves, pause
        self.asked = 0

    def match(self, _: str, version: int | None = None) -> dict[str, Any]:
        assert version is None
        self.asked += 1
        found = match_with(0) | {"version": 20 - self._left, "to_act": [1]}
        return found if self._left > 0 else match_with(2) | {"version": 20}

    def wait(self, _: str, __: int, seconds: int) -> bool:
        self._watch.now += min(self._pause, seconds)
        acted = self._pause <= seconds
        self._left -= acted
        return acted

    def get(self, _: str, **query: Any) -> Any:
        return {"events": [{"fact": {"type": "x"}, "text": f"after {query['after']}"}]}


def calls_of(watch: Watch, moves: int, pause: float) -> Any:
    """A table as the service; it has only the calls that a wait needs."""
    return Table(watch, moves, pause)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    made = Watch()
    monkeypatch.setattr(tools, "time", made)
    return made


@pytest.mark.parametrize(
    ("moves", "pause", "seconds", "your_turn"),
    [
        (0, 1, 25, True),
        (3, 2, 25, True),
        (1, 30, 25, False),
        (90, 0.01, 25, False),
        (3, 2, 5, False),
        (1, 1, 0, False),
    ],
)
def test_a_wait_ends_with_the_turn_or_with_its_time(
    watch: Watch, moves: int, pause: float, seconds: int, *, your_turn: bool
) -> None:
    table = calls_of(watch, moves, pause)
    found = call_tool("wait_for_turn", table, {"match": MATCH, "seconds": seconds, "after": 1})
    assert found.data["your_turn"] == your_turn
    assert watch.now <= seconds <= MAX_WAIT_S
    assert table.asked <= 2 + seconds + 4, "quick moves of others cost at most a call a second"


def test_what_the_model_has_seen_is_not_told_again(watch: Watch) -> None:
    found = call_tool("wait_for_turn", calls_of(watch, 0, 1), {"match": MATCH, "after": 17})
    assert found.data["news"] == ["after 17"]
    assert call_tool("wait_for_turn", calls_of(watch, 0, 1), {"match": MATCH, "after": 20}).data["news"] == []
    assert call_tool("wait_for_turn", calls_of(watch, 0, 1), {"match": MATCH}).data["news"] == ["after 0"]


def test_a_longer_wait_is_refused(watch: Watch) -> None:
    found = call_tool("wait_for_turn", calls_of(watch, 0, 1), {"match": MATCH, "seconds": MAX_WAIT_S + 1})
    assert (found.is_error, found.text) == (True, "`seconds` must be between 0 and 25.")
