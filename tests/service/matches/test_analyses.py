"""Analyses are made once for each match that is over, for those who may see it, and a few at a time."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from kontor_games.domain.commands import Resign
from kontor_games.domain.game import Game
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_refusals import StillHiddenError
from kontor_games.service.errors import NotFoundError, RateLimitedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.analyses import RETRY_MS
from kontor_games.service.matches.event_answers import Analysis, AnalysisAwaited
from tests.service.conftest import SettableClock
from tests.service.tables import ME, LocalPlayer, bot, play_to_the_end, start_match


def finished(one: LocalPlayer, other: LocalPlayer) -> str:
    match_id = start_match(one, other, options={"rounds": 1})
    play_to_the_end(match_id, one, other)
    return match_id


def test_an_analysis_is_made_in_the_background_and_kept(service: Kontor, ann: LocalPlayer) -> None:
    ben = LocalPlayer(service)
    match_id = finished(ann, ben)
    analyses = service.analyses
    assert not analyses.is_awaited()
    assert analyses.make_next() == 0
    for _ in range(2):
        assert analyses.get(ann.caller, match_id, None) == AnalysisAwaited(match_id, RETRY_MS)
    assert analyses.is_awaited()
    assert service._needs_bot_processes()
    assert analyses.make_next() == 1
    assert not analyses.is_awaited()
    found = analyses.get(ben.caller, match_id, "de")
    assert isinstance(found, Analysis)
    assert (found.unit, len(found.mistakes)) == ("points", 2)
    assert {one.seat for one in found.decisions} == {0, 1}
    assert all(one.before >= one.after and one.made.label for one in found.decisions)
    assert [one.version for one in found.decisions] == sorted(one.version for one in found.decisions)
    english = analyses.get(ann.caller, match_id, "es")
    assert isinstance(english, Analysis)
    assert english.decisions[0].made.label != found.decisions[0].made.label, (
        "English where a game has no Spanish"
    )
    assert analyses.make_next() == 0


def test_the_mistakes_are_decisions_with_a_better_move(service: Kontor, ann: LocalPlayer) -> None:
    match_id = finished(ann, LocalPlayer(service))
    service.analyses.get(ann.caller, match_id, None)
    service.analyses.make_next()
    found = service.analyses.get(ann.caller, match_id, None)
    assert isinstance(found, Analysis)
    by_version = {one.version: one for one in found.decisions}
    for seat, versions in enumerate(found.mistakes):
        for version in versions:
            assert by_version[version].seat == seat
            assert by_version[version].line[0].move != by_version[version].made.move


def test_a_match_that_is_not_over_cannot_be_analysed(service: Kontor, ann: LocalPlayer) -> None:
    match_id = start_match(ann, LocalPlayer(service))
    with pytest.raises(StillHiddenError):
        service.analyses.get(ann.caller, match_id, None)
    assert not service.analyses.is_awaited()


def test_a_game_that_values_no_positions_has_no_analyses(
    service: Kontor, ann: LocalPlayer, fair: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = finished(ann, LocalPlayer(service))
    monkeypatch.setitem(installed_games(), "fair", replace(fair, appraiser=None))
    with pytest.raises(NotFoundError, match="cannot be analysed"):
        service.analyses.get(ann.caller, match_id, None)


def test_a_private_match_is_analysed_for_its_players_only(service: Kontor, ann: LocalPlayer) -> None:
    match_id = ann.create(ME, bot(), private=True)
    ann.do(match_id, Resign())
    with pytest.raises(NotFoundError):
        service.analyses.get(LocalPlayer(service).caller, match_id, None)
    assert isinstance(service.analyses.get(ann.caller, match_id, None), AnalysisAwaited)


def test_an_account_can_wait_for_three_analyses(service: Kontor, ann: LocalPlayer) -> None:
    ben = LocalPlayer(service)
    matches = [finished(ann, ben) for _ in range(4)]
    for match_id in matches[:3]:
        service.analyses.get(ann.caller, match_id, None)
    with pytest.raises(RateLimitedError, match="3 analyses"):
        service.analyses.get(ann.caller, matches[3], None)
    assert isinstance(service.analyses.get(ann.caller, matches[0], None), AnalysisAwaited)
    assert isinstance(service.analyses.get(ben.caller, matches[3], None), AnalysisAwaited)
    service.analyses.make_next()
    other = finished(ann, ben)
    assert isinstance(service.analyses.get(ann.caller, other, None), AnalysisAwaited)


def test_a_killed_process_leaves_the_analysis_to_another(
    processes: Callable[[], Kontor], fair: Game, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = processes(), processes()
    ann = LocalPlayer(one)
    match_id = finished(ann, LocalPlayer(one))
    one.analyses.get(ann.caller, match_id, None)

    def die(_: str) -> None:
        raise SystemExit

    monkeypatch.setattr(one.analyses, "_made", die)
    with pytest.raises(SystemExit):
        one.analyses.make_next()
    assert other.analyses.make_next() == 0, "it has a lease"
    clock.advance(600_000)
    assert other.analyses.make_next() == 1
