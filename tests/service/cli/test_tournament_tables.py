"""The tables of `kontor tournament`."""

import io
from typing import Any

from rich.console import Console

from kontor_games.service.cli.tournament_tables import protests_table, standings_table


def printed(table: Any) -> list[str]:
    """Return the lines of a table, with single spaces."""
    file = io.StringIO()
    Console(file=file, width=120).print(table)
    return [" ".join(line.split()) for line in file.getvalue().splitlines()]


def line(place: int, name: str | None, **more: Any) -> dict[str, Any]:
    player = {"id": f"{place}2345678-long", "name": name, "bot": False}
    measures = {"low": None, "high": None, "strength": None, "separated": False}
    return {
        "place": place,
        "entrant": place,
        "player": player,
        "points": 2 / 3,
        "played": 5,
        "wins": 1.0,
        **measures,
        **more,
    }


def test_standings_show_intervals_and_strengths_where_there_are_any() -> None:
    now = {"title": "Cup", "status": "running", "round": 5, "rounds": 6, "unfinished": 1}
    lines = [
        line(1, "Ada", low=0.25, high=1, strength=0.5, separated=True),
        line(2, None, low=0.1, high=0.9, strength=-0.125),
        line(3, "Cem", low=0, high=0.5),
    ]
    title, *rows = printed(standings_table(now, lines))
    assert title == "Cup: running, round 5 of 6, 1 match running"
    assert "1 Ada 0.67 5 1 0.25 – 1.00 +0.50" in rows
    assert "2 22345678 0.67 5 1 0.10 – 0.90 -0.12 not separated from the next" in rows
    assert "3 Cem 0.67 5 1 0.00 – 0.50" in rows
    assert "No intervals or strengths" in " ".join(printed(standings_table(now, [line(1, "Ada")])))


def test_protests_say_whether_more_are_possible() -> None:
    now = {
        "status": "provisional",
        "acknowledged": 1,
        "protests": [{"entrant": 2, "why": "The clock stopped."}],
        "correction_until": "2026-11-18T12:00:00Z",
    }
    lines = [line(1, "Ada"), line(2, "Ben")]
    shown = printed(protests_table(now, lines))
    assert shown[0] == "1 protest, 1 of 2 entrants agreed"
    assert "Ben The clock stopped." in shown
    assert "Protests are possible until 2026-11-18 12:00:00 UTC" in shown[-1]
    over = printed(protests_table({**now, "status": "final"}, lines))
    assert over[-1] == "The tournament is final; protests are possible while it is provisional."
