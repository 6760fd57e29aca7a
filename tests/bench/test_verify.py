"""The verifier benchmark runs and its arithmetic is right; its results are not tested."""

import json

from rich.console import Console

from tests.bench.verify import decide_again, measure, table, written
from tests.domain.installed_fair import the_fair_is_installed
from tests.support.recording import Recording, announcement, pinned_bot, table_of

__all__ = ["the_fair_is_installed"]


def test_a_match_is_verified_and_decided_again_in_turn() -> None:
    recording = table_of("fair", 3).play_on()
    measured = measure([recording, table_of("fair", 3).play_on(20)], "at random", seconds=0.01, repeats=2)
    assert (measured.game, measured.seats, measured.facts, measured.commands) == (
        "fair",
        3,
        recording.match.version,
        len(recording.entries),
    )
    assert 0 < measured.facts_per_second <= measured.fastest
    assert measured.bot_moves == 0
    assert measured.cost > 0
    assert 0 < measured.audited_facts_per_second <= measured.audited_fastest
    assert measured.audit_cost > 0


def test_the_moves_of_house_bots_are_counted() -> None:
    recording = Recording(announcement("fair", *[pinned_bot("fair", "random")] * 2)).play_with_bots()
    assert measure([recording], "random", seconds=0.01, repeats=1).bot_moves == len(recording.entries) - 1


def test_deciding_again_carries_every_command_out() -> None:
    recording = table_of("fair", 2).play_on()
    match = decide_again(recording.entries)
    assert (match.version, match.over, match.outcome) == (
        recording.match.version,
        True,
        recording.match.outcome,
    )
    assert match.state.digest() == recording.match.state.digest()


def test_table_and_json_hold_the_figures() -> None:
    measured = [measure([table_of("fair", 2).play_on()], "at random", seconds=0.01, repeats=1)]
    screen = Console(width=200)
    with screen.capture() as shown:
        screen.print(table(measured))
    assert f"{measured[0].fastest:,.0f}" in shown.get()
    assert f"{measured[0].audited_fastest:,.0f}" in shown.get()
    assert json.loads(written(measured))["verified"][0]["game"] == "fair"
