"""Recorded matches, kept for ever: every one is verified and replayed, and a drill shows how a rule is changed without breaking one."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.chance import Chance
from kontor_games.domain.codec import ARBITER
from kontor_games.domain.export_reader import take_apart
from kontor_games.domain.game import Fact, Game, Move
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import fact_codec, find_rules
from kontor_games.service.cli.replay_session import Replay
from kontor_games.service.trust.verifier import BrokenFileError, verify
from tests.corpus.record import CORPUS, MANIFEST, kinds_of
from tests.domain.installed_fair import the_fair_is_installed
from tests.domain.toy.games.fair import GAME as FAIR
from tests.domain.toy.games.fair.records import RoundTaken
from tests.domain.toy.games.fair.rules import FairRules
from tests.domain.toy.games.fair.state import Fair
from tests.support.forging import find, lines_of
from tests.support.recording import KEYS, table_of

__all__ = ["the_fair_is_installed"]

FILES = sorted(CORPUS.glob("*/*.ndjson"))
FAIR_FILES = [file for file in FILES if file.parent.name == "fair"]


def test_no_recorded_match_was_changed_removed_or_left_out_of_the_manifest() -> None:
    kept = dict(reversed(line.split("  ")) for line in MANIFEST.read_text(encoding="utf-8").splitlines())
    there = {str(file.relative_to(CORPUS)): hashlib.sha256(file.read_bytes()).hexdigest() for file in FILES}
    assert there == kept


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_recorded_match_is_verified_and_replayed(file: Path) -> None:
    content = file.read_bytes()
    verdict = verify(content, KEYS.published())
    assert (verdict.complete, verdict.game) == (True, file.parent.name)
    told = Replay(take_apart(content))
    assert told.last == verdict.facts
    for version in (*told.rounds, told.last):
        assert isinstance(told.scene(version, ARBITER), str)
        assert isinstance(told.tell(version, 0).sentence, str)


def test_a_recorded_game_has_every_kind_of_match() -> None:
    for game in {file.parent.name for file in FILES}:
        names = {file.stem.partition("-")[2] for file in FILES if file.parent.name == game}
        assert set(kinds_of(game)) <= names
        kinds = {line["fact"]["type"] for file in FILES if file.parent.name == game for line in lines_of(file.read_bytes())[1:-1]}
        assert kinds >= {
            "match_finished",
            "match_aborted",
            "seat_timed_out",
            "seat_resigned",
            "seat_left",
            "contribution_opened",
            "contribution_withheld",
        }


def test_whatever_can_happen_in_an_installed_game_has_happened_in_a_recorded_match() -> None:
    for game in installed_games().values():
        recorded = {line["fact"]["type"] for file in FILES if file.parent.name == game.id for line in lines_of(file.read_bytes())[1:-1]}
        assert {fact.type for rules in game.rulesets for fact in rules.facts} <= recorded


# The drill: a rule changes


class RicherRules(FairRules):
    """Version 2 of the toy rules: a round is worth five points."""

    version = 2

    def decide(self, state: Fair, seat: int, verified: Move, chance: Chance) -> list[Fact]:
        """As before, but for the points."""
        before = state.points[:]
        facts = super().decide(state, seat, verified, chance)
        richer = [RoundTaken(fact.seat, 5) if isinstance(fact, RoundTaken) else fact for fact in facts]
        state.points = [old + (new - old) // 3 * 5 for old, new in zip(before, state.points, strict=True)]
        return richer


class EditedRules(RicherRules):
    """The same change made in place, as it must never be."""

    version = 1


def install(monkeypatch: pytest.MonkeyPatch, *rulesets: type[FairRules]) -> Game:
    """A release of the game with these versions of its rules."""
    released = replace(FAIR, rulesets=rulesets)
    monkeypatch.setitem(installed_games(), "fair", released)  # type: ignore[arg-type]  # it is a dict
    find_rules.cache_clear()
    fact_codec.cache_clear()
    return released


@pytest.fixture
def second_version(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """Version 2 is released; version 1 stays runnable beside it."""
    yield install(monkeypatch, FairRules, RicherRules)
    find_rules.cache_clear()


def points(content: bytes) -> Any:
    return find(lines_of(content)[1:-1], "round_taken")["fact"]["points"]


def test_matches_of_the_old_version_verify_and_replay_unchanged_beside_the_new_one(second_version: Game) -> None:
    assert FAIR_FILES
    for file in FAIR_FILES:
        content = file.read_bytes()
        assert verify(content, KEYS.published()).complete
        assert Replay(take_apart(content)).at(1).rules.version == 1


def test_new_matches_are_played_under_the_new_version(second_version: Game) -> None:
    content = table_of("fair", 3).play_on().export()
    assert lines_of(content)[0]["ruleset"]["version"] == 2
    assert (points(content), points(FAIR_FILES[0].read_bytes())) == (5, 3)
    assert verify(content, KEYS.published()).complete


def test_a_match_begun_under_the_old_version_is_played_to_its_end_under_it(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = table_of("fair", 3).play_on(2)
    install(monkeypatch, FairRules, RicherRules)
    content = recording.play_on().export()
    assert (lines_of(content)[0]["ruleset"]["version"], points(content)) == (1, 3)
    assert verify(content, KEYS.published()).complete


def test_a_rule_edited_in_place_is_noticed_at_the_first_fact_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, EditedRules)
    content = next(file for file in FAIR_FILES if "whole" in file.name).read_bytes()
    with pytest.raises(BrokenFileError, match="round_taken says points 3, the rules give 5"):
        verify(content, KEYS.published())


def test_cards_printed_anew_under_an_old_name_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    edited = replace(FAIR.data_sets[0], document={"values": [98, *FAIR.data_sets[0].document["values"][1:]]})
    monkeypatch.setitem(installed_games(), "fair", replace(FAIR, data_sets=(edited, *FAIR.data_sets[1:])))  # type: ignore[arg-type]
    find_rules.cache_clear()
    with pytest.raises(BrokenFileError, match="differs from the one used in this match"):
        verify(FAIR_FILES[0].read_bytes())
