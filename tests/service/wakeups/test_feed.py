"""Wake-ups: within a process, between processes, and when they get lost."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from uuid import UUID, uuid4

import psycopg
import pytest

from kontor_games.domain.commands import Resign
from kontor_games.domain.match import Match
from kontor_games.service.kontor import Kontor
from kontor_games.service.threads import ThreadGroup
from kontor_games.service.wakeups.feed import Change, Feed, change_of
from kontor_games.service.wakeups.relay import Sweep, payloads
from tests.service.tables import ME, OPEN, LocalPlayer, bot, start_match
from tests.support.waiting import SOON_S, wait_until


def change(match: UUID | None = None, version: int = 1, players: tuple[str, ...] = ()) -> Change:
    return Change(match or uuid4(), version, players, None, bot_may_act=False)


# --- in one process -----------------------------------------------------------------------------------------


def test_waiters_of_a_match_or_a_player_are_woken() -> None:
    feed, match_id = Feed(), uuid4()
    with (
        feed.waiting_for([str(match_id)]) as match,
        feed.waiting_for(["ada"]) as ada,
        feed.waiting_for(["ben"]) as ben,
    ):
        feed.notify(change(match_id, players=("ada",)))
        assert (match.is_set(), ada.is_set(), ben.is_set()) == (True, True, False)


def test_a_waiter_of_several_topics_is_woken_by_each() -> None:
    feed = Feed()
    with feed.waiting_for(["ada", "ben"]) as event:
        for topic in ("ada", "ben"):
            event.clear()
            feed.wake([topic])
            assert event.is_set()


def test_a_waiter_learns_the_new_versions() -> None:
    feed, one, other = Feed(), uuid4(), uuid4()
    with feed.waiting_for(["ada"]) as ada:
        assert ada.take_changes() is None, "a new waiter must read the store"
        for match, version in ((one, 3), (other, 1), (one, 4)):
            feed.notify(change(match, version, players=("ada",)))
        assert ada.take_changes() == {str(one): 4, str(other): 1}
        assert ada.take_changes() == {}


def test_a_late_wake_up_does_not_hide_a_newer_version() -> None:
    feed, match_id = Feed(), uuid4()
    with feed.waiting_for(["ada"]) as ada:
        ada.take_changes()
        for version in (4, 7, 6):
            feed.notify(change(match_id, version, players=("ada",)))
        assert ada.take_changes() == {str(match_id): 7}


def test_a_waiter_woken_without_a_match_must_read_the_store() -> None:
    feed, match_id = Feed(), uuid4()
    with feed.waiting_for([str(match_id)]) as waiter:
        waiter.take_changes()
        feed.notify(change(match_id, 3))
        feed.wake([str(match_id)])
        assert waiter.is_set()
        assert waiter.take_changes() is None
        assert waiter.take_changes() == {}


def test_a_waiter_with_too_many_changes_must_read_the_store() -> None:
    feed, match_id = Feed(), uuid4()
    with feed.waiting_for(["ada"]) as ada:
        ada.take_changes()
        for version in range(1, 1001):
            feed.notify(change(match_id, version, players=("ada",)))
        assert ada.take_changes() == {str(match_id): 1000}
        for version in range(1001, 2003):
            feed.notify(change(match_id, version, players=("ada",)))
        assert ada.take_changes() is None
        assert ada.take_changes() == {}


def test_all_waits_end_when_the_process_stops() -> None:
    feed = Feed()
    with feed.waiting_for(["ada"]) as ada, feed.waiting_for(["ben"]) as ben:
        before = feed.closing
        feed.end_waits()
        assert (before, feed.closing) == (False, True)
        assert ada.is_set()
        assert ben.is_set()


def test_waiters_are_removed_when_they_stop_waiting() -> None:
    feed = Feed()
    for _ in range(100):
        with feed.waiting_for(["ada", "ben"]), feed.waiting_for(["ada"]):
            assert sorted(feed.topics()) == ["ada", "ben"]
    assert feed.topics() == []
    with pytest.raises(ZeroDivisionError), feed.waiting_for(["ada"]):
        raise ZeroDivisionError
    assert feed.topics() == []


def test_waiters_can_come_and_go_while_others_are_woken() -> None:
    feed, stop = Feed(), Event()

    def wait_repeatedly() -> None:
        while not stop.is_set():
            with feed.waiting_for(["ada"]):
                pass

    visitors = [Thread(target=wait_repeatedly) for _ in range(4)]
    for visitor in visitors:
        visitor.start()
    with feed.waiting_for(["ada"]) as event:
        for _ in range(500):
            feed.notify(change(players=("ada",)))
            assert event.wait(SOON_S)
            event.clear()
    stop.set()
    for visitor in visitors:
        visitor.join()
    assert feed.topics() == []


def test_a_change_contains_players_deadline_and_whether_a_bot_may_act(
    new_process: Callable[..., Kontor],
) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    changes: list[Change] = []
    kontor.feed.on_change(changes.append)
    match_id = one.create(ME, OPEN, bot(), clock={"kind": "per_move", "ms": 1000})
    other.join(match_id)
    match = one.read_match(match_id).match
    assert [c.version for c in changes] == [3, match.version]
    assert changes[-1].match == UUID(match_id)
    assert set(changes[-1].players) == {one.id, other.id}
    assert (changes[0].deadline, changes[0].bot_may_act) == (None, False)
    assert (changes[-1].deadline, changes[-1].bot_may_act) == (match.at + 1000, True)


def test_a_change_says_that_a_bot_may_act_only_if_it_can_move(new_process: Callable[..., Kontor]) -> None:
    kontor = new_process()
    player = LocalPlayer(kontor)
    match_id = player.create(ME, bot())
    match: Match = player.read_match(match_id).match
    assert change_of(UUID(match_id), match).bot_may_act
    kontor.house.play_for_house(UUID(match_id), match.version, 1, match.rules.legal_moves(match.state, 1)[0])
    assert not change_of(UUID(match_id), player.read_match(match_id).match).bot_may_act


# --- between processes --------------------------------------------------------------------------------------


@contextmanager
def started(*kontors: Kontor) -> Iterator[None]:
    for kontor in kontors:
        kontor.start()
    yield
    for kontor in kontors:
        kontor.close()


def test_a_move_in_one_process_wakes_waiters_in_another_process(new_process: Callable[..., Kontor]) -> None:
    here, there = new_process(workers_in_process=False), new_process(workers_in_process=False)
    one, other = LocalPlayer(here), LocalPlayer(there)
    with started(here, there):
        match_id = start_match(one, other)
        with there.feed.waiting_for([match_id]) as match, there.feed.waiting_for([other.id]) as mine:
            wait_until_listening(here, there)
            match.clear()
            mine.clear()
            one.play(match_id)
            assert match.wait(SOON_S)
            assert mine.wait(SOON_S)
            assert (
                there.queries.events(other.caller, match_id, 0, 1000).version
                == one.read_match(match_id).match.version
            )


def test_a_wake_up_arrives_although_the_cache_is_already_up_to_date(
    new_process: Callable[..., Kontor],
) -> None:
    here, there = new_process(workers_in_process=False), new_process(workers_in_process=False)
    one, other = LocalPlayer(here), LocalPlayer(there)
    with started(here, there):
        match_id = start_match(one, other)
        with there.feed.waiting_for([match_id]) as event:
            wait_until_listening(here, there)
            event.clear()
            one.play(match_id)
            other.read_match(match_id)
            assert event.wait(SOON_S)


def wait_until_listening(sender: Kontor, listener: Kontor) -> None:
    """Wait until wake-ups of one process arrive in another."""
    player = LocalPlayer(sender)
    with listener.feed.waiting_for([player.id]) as event:
        wait_until(lambda: bool(player.create()) and event.wait(0.1))


def test_the_relay_reconnects_when_its_connections_are_cut(
    database_url: str, serve: Callable[..., Kontor]
) -> None:
    here, there = serve(database_url, workers_in_process=False), serve(database_url, workers_in_process=False)
    with started(here, there):
        wait_until_listening(here, there)
        for _ in range(2):
            cut_connections(database_url)
            wait_until_listening(here, there)


def cut_connections(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_waiters_are_woken_after_the_relay_has_reconnected(
    database_url: str, serve: Callable[..., Kontor]
) -> None:
    kontor = serve(database_url, workers_in_process=False)
    with started(kontor), kontor.feed.waiting_for(["somebody"]) as event:
        wait_until_relay_listens(database_url)
        event.clear()
        cut_connections(database_url)
        assert event.wait(SOON_S)


def wait_until_relay_listens(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        query = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        wait_until(lambda: connection.execute(query).fetchone())


def test_messages_of_another_release_are_ignored(database_url: str, serve: Callable[..., Kontor]) -> None:
    here, there = serve(database_url, workers_in_process=False), serve(database_url, workers_in_process=False)
    with started(here, there):
        wait_until_listening(here, there)
        with psycopg.connect(database_url, autocommit=True) as connection:
            for strange in (
                "",
                "[]",
                '["other", [{"match": 1}]]',
                '["other", [["x", 1, [], null, false]]]',
                "nonsense",
            ):
                connection.execute("SELECT pg_notify('kontor', %s)", (strange,))
        wait_until_listening(here, there)


def test_many_changes_travel_in_messages_that_are_short_enough() -> None:
    changes = [change(players=(str(uuid4()), str(uuid4()))) for _ in range(500)]
    texts = payloads("me", changes + changes)
    assert max(len(text.encode()) for text in texts) < 8000
    assert sum(text.count(str(c.match)) for text in texts for c in changes[:50]) == 50, (
        "only the last change of a match is sent"
    )


# --- lost wake-ups ------------------------------------------------------------------------------------------


def test_the_sweep_replaces_a_lost_wake_up(new_process: Callable[..., Kontor]) -> None:
    here, there = new_process(), new_process()  # no wake-ups are sent between them
    one, other = LocalPlayer(here), LocalPlayer(there)
    match_id = start_match(one, other)
    sweep = Sweep(there.store, there.database, there.feed)
    with there.feed.waiting_for([match_id]) as match, there.feed.waiting_for([other.id]) as mine:
        for event in (match, mine):
            sweep.sweep()
            event.clear()
        sweep.sweep()
        assert not match.is_set()
        assert not mine.is_set(), "nothing new, nobody is woken"
        one.play(match_id)
        other.read_match(match_id)  # reading the match does not wake the waiters
        sweep.sweep()
        assert match.is_set()
        assert mine.is_set()


def test_the_sweep_notices_new_and_finished_matches_of_a_player(new_process: Callable[..., Kontor]) -> None:
    here, there = new_process(), new_process()
    one, other = LocalPlayer(here), LocalPlayer(here)
    sweep = Sweep(there.store, there.database, there.feed)
    with there.feed.waiting_for([one.id]) as event:
        sweep.sweep()
        for step in (
            lambda: start_match(one, other),
            lambda: one.at(here).do(here.queries.of_player(one.id)[0], Resign()),
        ):
            event.clear()
            sweep.sweep()
            assert not event.is_set()
            step()
            sweep.sweep()
            assert event.is_set()


def test_the_sweep_remembers_only_topics_with_waiters(new_process: Callable[..., Kontor]) -> None:
    kontor = new_process()
    sweep = Sweep(kontor.store, kontor.database, kontor.feed)
    for _ in range(3):
        with kontor.feed.waiting_for([LocalPlayer(kontor).create()]):
            sweep.sweep()
            assert len(sweep._versions) == 1
    sweep.sweep()
    assert sweep._versions == {}


def test_the_sweep_repeats(new_process: Callable[..., Kontor]) -> None:
    here, there = new_process(), new_process()
    match_id = LocalPlayer(here).create()
    sweep = Sweep(there.store, there.database, there.feed, pause_s=0.02)
    with there.feed.waiting_for([match_id]) as event:
        sweep.start()
        assert event.wait(SOON_S)
        sweep.close()


# --- threads ------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_dead_thread_is_restarted() -> None:
    begun: list[int] = []

    def work() -> None:
        begun.append(1)
        if len(begun) < 3:
            raise ZeroDivisionError
        group.closing.wait()

    group = ThreadGroup(work)
    group.start()
    for _ in range(500):
        group.restart_dead()
        if len(begun) == 3:
            break
        time.sleep(0.01)
    group.restart_dead()
    assert len(begun) == 3
    group.close()
    group.restart_dead()
    assert len(begun) == 3
