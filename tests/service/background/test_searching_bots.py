"""Bots that search play in processes of their own, each move once, whatever happens to these processes."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from kontor_games.domain.game import Game
from kontor_games.domain.games import installed_games
from kontor_games.service.background.bot_processes import BotProcesses
from kontor_games.service.background.house_bots import HouseBots
from kontor_games.service.background.searching_bots import (
    LEASE_MS,
    SILENT_MS,
    is_needed,
    is_playing,
)
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.domain.toy.games.fair import GAME as FAIR
from tests.service.background.test_house_bots import check_answered_once, is_over, log_of
from tests.service.conftest import SettableClock
from tests.service.tables import LocalPlayer, bot
from tests.support.waiting import SOON_S, wait_until


@pytest.fixture(autouse=True)
def slow_bot(fair: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one bot of the toy game be one that searches."""
    slow = {"search:1": FAIR.bots["greedy"]}
    # The type is Mapping, but the value is a dict.
    monkeypatch.setitem(installed_games(), "fair", replace(FAIR, slow_bots=slow))


def waiting_match(kontor: Kontor) -> UUID:
    """A match in which a bot that searches has the first move."""
    return UUID(LocalPlayer(kontor).create(bot("search:1"), bot("random")))


def test_the_leader_leaves_matches_with_a_searching_bot_to_the_other_processes(service: Kontor) -> None:
    leader, searching = (
        HouseBots(service.cache, service.house, service.feed, service.clock),
        service.searching_bots("one"),
    )
    for bots in (leader, searching):
        bots.closing.clear()
    ann = LocalPlayer(service)
    quick, slow = ann.create(bot("random"), bot("greedy")), str(waiting_match(service))
    assert [taken and str(taken[0]) for taken in (leader.schedule.take(0), searching.schedule.take(0))] == [
        quick,
        slow,
    ]
    assert (len(leader.schedule), len(searching.schedule)) == (0, 0)
    assert [[str(found) for found in bots.running()] for bots in (leader, searching)] == [[quick], [slow]]


def test_all_bots_of_such_a_match_play_in_those_processes(new_process: Callable[..., Kontor]) -> None:
    kontor = new_process()
    searching = kontor.searching_bots("one")
    searching.start()
    match_id = str(waiting_match(kontor))
    wait_until(is_over(kontor, match_id))
    searching.close()
    check_answered_once(kontor, match_id)


def test_two_processes_play_the_same_matches_each_move_once(new_process: Callable[..., Kontor]) -> None:
    kontors = [new_process(), new_process()]
    both = [kontor.searching_bots(name) for name, kontor in zip("ab", kontors, strict=True)]
    for searching in both:
        searching.scan_interval_s = 0.05
        searching.start()
    matches = [str(waiting_match(kontor)) for kontor in kontors * 2]
    for match_id in matches:
        wait_until(is_over(kontors[0], match_id))
    for searching in both:
        searching.close()
    for match_id in matches:
        check_answered_once(kontors[0], match_id)


def test_a_turn_is_searched_by_one_process_until_its_lease_ends(
    new_process: Callable[..., Kontor], clock: SettableClock
) -> None:
    one, other = new_process(), new_process()
    match_id = waiting_match(one)
    match = log_of(one, str(match_id)).state
    first, second = one.searching_bots("first"), other.searching_bots("second")
    assert first.claim(match_id, match)
    assert not second.claim(match_id, match)
    assert second.process(match_id) is None
    assert log_of(one, str(match_id)).state.version == match.version
    assert second.schedule.take(0) is None, "it looks again when the lease ends"
    assert one.searching_bots("first").claim(match_id, match), "its successor has the same name"
    clock.advance(LEASE_MS)
    assert second.schedule.take(0) == (match_id, "")
    assert second.claim(match_id, match)
    assert not first.claim(match_id, match)


def test_the_next_turn_needs_another_lease(new_process: Callable[..., Kontor]) -> None:
    kontor = new_process()
    match_id = waiting_match(kontor)
    first, second = kontor.searching_bots("first"), kontor.searching_bots("second")
    first.process(match_id)
    assert second.claim(match_id, log_of(kontor, str(match_id)).state)


def test_a_match_of_an_earlier_release_is_found(service: Kontor) -> None:
    match_id = waiting_match(service)
    service.database.write(("UPDATE matches SET bots = 1", ()))
    leader = HouseBots(service.cache, service.house, service.feed, service.clock)
    before = log_of(service, str(match_id)).state.version
    assert leader.process(match_id) is None
    assert log_of(service, str(match_id)).state.version == before
    assert list(service.searching_bots("one").running()) == [match_id]


def test_a_process_reports_and_is_forgotten_when_it_is_silent(service: Kontor, clock: SettableClock) -> None:
    assert not is_needed(service.database)
    match_id = waiting_match(service)
    assert (is_needed(service.database), service._needs_bot_processes()) == (True, True)
    one = service.searching_bots("one")
    one.scan()
    one.claim(match_id, log_of(service, str(match_id)).state)
    assert (is_playing(service.database, clock()), service._needs_bot_processes()) == (True, False)
    clock.advance(SILENT_MS + LEASE_MS + 1)
    assert service._needs_bot_processes()
    service.searching_bots("two").scan()
    names = [row["name"] for row in service.database.read("SELECT name FROM bot_processes")]
    assert names == ["two"]
    assert service.database.read("SELECT * FROM bot_turns") == []


# --- real processes ---------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Kontor]:
    """A process on an SQLite file, whose clock is that of this machine."""
    with closing(Kontor(Settings(database_url=f"sqlite:///{tmp_path}/kontor.db", bot_processes=1))) as kontor:
        kontor.migrate()
        yield kontor


def played(kontor: Kontor, match_id: str) -> int:
    return log_of(kontor, match_id).state.version


def test_a_match_is_played_although_its_process_is_killed_again_and_again(
    file: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kontor_games.service.background.bot_processes._PATIENCE_S", SOON_S)
    processes = BotProcesses(file.settings, lambda: is_needed(file.database), file.feed)
    processes.start()
    assert processes.children == {}, "no process is started before it is needed"
    match_id = LocalPlayer(file).create(bot("search:1"), bot("greedy"), game="speicherstadt")
    for _ in range(2):
        wait_until(lambda: processes.children)
        [child] = processes.children.values()
        before = played(file, match_id)
        wait_until(lambda: played(file, match_id) > before)  # noqa: B023  # waited for within the loop
        assert os.getpriority(os.PRIO_PROCESS, child.pid) == 19
        os.kill(child.pid, signal.SIGKILL)
        wait_until(lambda: next(iter(processes.children.values())) is not child)  # noqa: B023
    wait_until(is_over(file, match_id))
    [child] = processes.children.values()
    processes.close()
    assert child.returncode == 0, "it ended by itself when its standard input did"
    check_answered_once(file, match_id)


def test_a_process_that_does_not_end_is_killed(file: Kontor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor_games.service.background.bot_processes._PATIENCE_S", 0.0)
    processes = BotProcesses(file.settings, lambda: True)
    processes.start()
    wait_until(lambda: processes.children)
    [child] = processes.children.values()
    os.kill(child.pid, signal.SIGSTOP)
    processes.close()
    assert child.returncode == -signal.SIGKILL
