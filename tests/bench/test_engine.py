"""The engine benchmark runs and its arithmetic is right; its results are not tested."""

import json

import pytest
from rich.console import Console

from kontor_games.domain.games import installed_games
from tests.bench.engine import copy_microseconds, measure, profile, run_slot, subjects_of, table_of, written
from tests.bench.subjects import Catanatron, Installed
from tests.domain.toy.games.fair.state import Fair
from tests.service.fair import GAME


def test_ours_and_the_peer_are_measured_in_turn() -> None:
    ours, peer = measure(subjects_of({"fair": GAME}, every_count=False), seconds=0.01, repeats=2)
    assert (ours.name, ours.players, peer.name, peer.players) == ("fair", 4, "catanatron", 4)
    assert ours.slowest <= ours.decisions_per_second <= ours.fastest
    assert peer.ratio == 1.0
    assert ours.copy_microseconds > 0


def test_every_number_of_players_can_be_measured() -> None:
    assert [subject.seats for subject in subjects_of({"fair": GAME}, every_count=True)] == [2, 3, 4, 4]


def test_a_slot_plays_whole_matches_from_the_number_given() -> None:
    subject = Installed(GAME, 2)
    slot = run_slot(subject, first=3, seconds=0)
    assert (slot.matches, slot.decisions) == (1, subject.play(3))


def test_the_same_number_is_the_same_match() -> None:
    assert Installed(GAME, 3).play(5) == Installed(GAME, 3).play(5)
    assert Catanatron().play(5) == Catanatron().play(5)


def test_the_state_copied_is_one_in_the_middle_of_a_match() -> None:
    copied = Installed(GAME, 2).midway()()
    assert isinstance(copied, Fair)
    assert GAME.rules().result(copied) is None
    assert (copied.round, sum(copied.points)) == (2, 3)
    assert copy_microseconds(Catanatron().midway(), 0.01) > 0


def test_table_and_json_hold_the_figures() -> None:
    measured = measure(subjects_of({"fair": GAME}, every_count=False), seconds=0.01, repeats=1)
    screen = Console(width=160)
    with screen.capture() as shown:
        screen.print(table_of(measured))
    assert f"{measured[0].decisions_per_second:,.0f}" in shown.get()
    assert [engine["name"] for engine in json.loads(written(measured, 0.01, 1))["engines"]] == [
        "fair",
        "catanatron",
    ]


def test_the_profile_names_ten_functions() -> None:
    assert len(profile(Catanatron(), matches=1)) == 10


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_every_installed_game_can_be_measured(game: str) -> None:
    subject = Installed(installed_games()[game], 4)
    assert run_slot(subject, first=0, seconds=0).decisions > 10
