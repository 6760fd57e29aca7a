"""Recorded matches are never changed: all must verify and replay, also after a rule has changed."""

import hashlib
import inspect
import os
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from kontor_games.domain.codec import ARBITER
from kontor_games.domain.export_reader import split_export
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import find_rules
from kontor_games.service.cli.replay_screen import Replay
from kontor_games.service.trust.verifier import BrokenFileError, verify
from tests.corpus.bots import PINNED, recomputed
from tests.corpus.record import CORPUS, MANIFEST, aborted, kinds_of
from tests.domain.installed_fair import the_fair_is_installed
from tests.domain.toy.games.fair import GAME as FAIR
from tests.support.forging import lines_of
from tests.support.game_folders import own_tests
from tests.support.recording import KEYS, Recording, table_of
from tests.support.releases import Release, RuleChange, for_each_rule_change, release, rule_changes

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

__all__ = ["release", "the_fair_is_installed"]

FILES = sorted(CORPUS.glob("*/*.ndjson"))


def test_no_recorded_match_was_changed_removed_or_left_out_of_the_manifest() -> None:
    listed = (line.partition("  ") for line in MANIFEST.read_text(encoding="utf-8").splitlines())
    kept = {name: digest for digest, _, name in listed}
    there = {str(file.relative_to(CORPUS)): hashlib.sha256(file.read_bytes()).hexdigest() for file in FILES}
    assert there == kept


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_recorded_match_is_verified_and_replayed(file: Path) -> None:
    content = file.read_bytes()
    verdict = verify(content, KEYS.published())
    assert (verdict.complete, verdict.game) == (True, file.parent.name)
    replay = Replay(split_export(content))
    assert replay.last == verdict.facts
    for version in (*replay.rounds, replay.last):
        assert isinstance(replay.scene(version, ARBITER), str)
        assert isinstance(replay.tell(version, 0).sentence, str)


def test_a_recorded_game_has_every_kind_of_match() -> None:
    for game in {file.parent.name for file in FILES}:
        names = {file.stem.partition("-")[2] for file in FILES if file.parent.name == game}
        assert set(kinds_of(game)) <= names
        kinds = {
            line["fact"]["type"]
            for file in FILES
            if file.parent.name == game
            for line in lines_of(file.read_bytes())[1:-1]
        }
        assert kinds >= {
            "match_finished",
            "match_aborted",
            "seat_timed_out",
            "seat_resigned",
            "seat_left",
            "contribution_opened",
            "contribution_withheld",
        }


def test_every_kind_of_fact_of_an_installed_game_occurs_in_a_recorded_match() -> None:
    for game in installed_games().values():
        recorded = {
            line["fact"]["type"]
            for file in FILES
            if file.parent.name == game.id
            for line in lines_of(file.read_bytes())[1:-1]
        }
        assert {fact.type for rules in game.rulesets for fact in rules.facts} <= recorded


# House bots


@pytest.mark.parametrize("file", PINNED, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_house_bots_make_their_recorded_moves_again(file: Path) -> None:
    moves = [
        line for line in lines_of(file.read_bytes())[1:-1] if line.get("command", {}).get("type") == "play"
    ]
    assert sum(recomputed(file).values()) == sum(line["by"] == "house" for line in moves) > 0


def test_a_house_bot_that_chooses_differently_is_reported_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    changed = replace(FAIR, bots={**FAIR.bots, "greedy": FAIR.bots["random"]})
    monkeypatch.setitem(installed_games(), "fair", changed)
    with pytest.raises(
        AssertionError, match=r"the house bot greedy \(version 1\) on seat .*a higher `version`"
    ):
        recomputed(CORPUS / "fair" / "v1-bots-random-1-greedy-1-4.ndjson")


def test_house_bots_do_not_depend_on_the_hash_seed_of_the_process() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-m", "tests.corpus.bots"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == len(PINNED)


# A rule changes, in every game


def old_files(rule_change: RuleChange) -> list[Path]:
    return [
        file
        for file in FILES
        if file.parent.name == rule_change.game.id and file.name.startswith(f"v{rule_change.first.version}-")
    ]


def begun(rule_change: RuleChange, version: int | None = None) -> Recording:
    """A match with the fewest players after two moves, always with the same deal and draws."""
    return table_of(rule_change.game.id, rule_change.game.rules().seat_counts[0], version=version).play_on(2)


def ended(recording: Recording) -> bytes:
    """The export of the match, which is aborted after 80 moves unless it ends before."""
    return aborted(recording.play_on(80)).export()


def facts_of(content: bytes) -> list[Any]:
    """All facts but the first, which names the version of the rules."""
    return [line["fact"] for line in lines_of(content)[2:-1]]


@for_each_rule_change
def test_matches_of_the_old_version_verify_and_replay_unchanged_beside_the_new_one(
    rule_change: RuleChange, release: Release
) -> None:
    release(rule_change, rule_change.first, rule_change.second)
    assert old_files(rule_change)
    for file in old_files(rule_change):
        content = file.read_bytes()
        assert verify(content, KEYS.published()).complete
        assert Replay(split_export(content)).at(1).rules.version == rule_change.first.version


@for_each_rule_change
def test_new_matches_are_played_under_the_new_version(rule_change: RuleChange, release: Release) -> None:
    release(rule_change, rule_change.first, rule_change.second)
    old, new = ended(begun(rule_change, rule_change.first.version)), ended(begun(rule_change))
    assert [lines_of(content)[0]["ruleset"]["version"] for content in (old, new)] == [
        rule_change.first.version,
        rule_change.second.version,
    ]
    assert all(verify(content, KEYS.published()).complete for content in (old, new))
    assert facts_of(old) != facts_of(new)


@for_each_rule_change
def test_a_match_begun_under_the_old_version_is_played_to_its_end_under_it(
    rule_change: RuleChange, release: Release
) -> None:
    release(rule_change, rule_change.first)
    undisturbed, recording = ended(begun(rule_change)), begun(rule_change)
    release(rule_change, rule_change.first, rule_change.second)
    content = ended(recording)
    assert content == undisturbed
    assert verify(content, KEYS.published()).complete


@for_each_rule_change
def test_a_rule_edited_in_place_is_noticed_at_the_first_fact_it_changes(
    rule_change: RuleChange, release: Release
) -> None:
    release(rule_change, rule_change.edited)
    content = next(file for file in old_files(rule_change) if "whole" in file.name).read_bytes()
    with pytest.raises(BrokenFileError, match=rule_change.noticed):
        verify(content, KEYS.published())


def test_the_worked_example_of_the_guide_is_the_rule_change_of_a_real_game() -> None:
    guide = (CORPUS.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    example = dedent(guide.split("   ```python\n")[1].split("   ```\n")[0])
    sources = [
        inspect.getsource(import_module(f"{own_tests(rule_change.game)}.second_version"))
        for rule_change in rule_changes()
    ]
    assert [source for source in sources if example in source] != []


def test_a_data_set_that_is_changed_under_its_old_name_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    edited = replace(FAIR.data_sets[0], document={"values": [98, *FAIR.data_sets[0].document["values"][1:]]})
    released = replace(FAIR, data_sets=(edited, *FAIR.data_sets[1:]))
    monkeypatch.setitem(installed_games(), "fair", released)
    find_rules.cache_clear()
    with pytest.raises(BrokenFileError, match="differs from the one used in this match"):
        verify(next(CORPUS.glob("fair/*.ndjson")).read_bytes())
