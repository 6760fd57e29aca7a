"""A database that becomes unavailable and returns: calls fail soon, nothing is lost, everything resumes."""

import os
import time
from collections.abc import Callable, Iterator

import pytest

from kontor_games.service.errors import UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.store import database
from tests.service.conftest import SettableClock
from tests.service.tables import ME, OPEN, LocalPlayer, bot, start_match, stored_rows
from tests.service.wakeups.test_feed import wait_until_listening
from tests.support.postgres import Cluster
from tests.support.waiting import SOON_S, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def short_connection_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the wait for a connection."""
    monkeypatch.setattr(database, "_CONNECTION_WAIT_S", 0.5)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A server that tests may crash: it is durable."""
    cluster = Cluster.create(durable=True, owner=os.getpid())
    cluster.start()
    yield cluster
    cluster.remove()


@pytest.fixture
def kontor(cluster: Cluster, serve: Callable[..., Kontor]) -> Kontor:
    return serve(cluster.fresh_database())


def test_a_process_starts_while_the_database_is_unavailable_and_serves_when_it_returns(
    cluster: Cluster, serve: Callable[..., Kontor], clock: SettableClock
) -> None:
    url = cluster.fresh_database()
    serve(url).close()
    cluster.stop()
    kontor = Kontor(Settings(database_url=url, smallest_clock_ms=1), clock)
    kontor.start()
    with pytest.raises(UnavailableError):
        kontor.queries.page(None, None, 10)
    cluster.start()
    wait_until(lambda: answers(kontor))
    match_id = LocalPlayer(kontor).create(bot(), bot())
    wait_until(lambda: kontor.queries.visible_match(None, match_id).match.over)
    kontor.close()


def test_calls_fail_soon_while_the_database_is_unavailable_and_acknowledged_moves_survive(
    cluster: Cluster, kontor: Kontor
) -> None:
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    move = other.legal(match_id)[0]
    answer = one.play(match_id)
    rows = len(stored_rows(kontor, match_id))
    cluster.crash()
    for call in (
        lambda: other.play(match_id, move, key="same"),
        lambda: kontor.queries.visible_match(None, match_id),
        lambda: kontor.queries.page(None, None, 10),
        lambda: kontor.players.register("Ada", bot=False, key=None, body=""),
        lambda: one.create(ME, OPEN),
    ):
        began = time.monotonic()
        with pytest.raises(UnavailableError):
            call()
        assert time.monotonic() - began < SOON_S / 2
    cluster.start()
    wait_until(lambda: answers(kontor))
    assert kontor.queries.visible_match(None, match_id).head == answer.head
    other.play(match_id, move, key="same")
    assert len(stored_rows(kontor, match_id)) == rows + 1


def answers(kontor: Kontor) -> bool:
    try:
        kontor.database.read("SELECT 1 AS one")
    except UnavailableError:
        return False
    return True


def test_all_background_work_resumes(
    cluster: Cluster, serve: Callable[..., Kontor], clock: SettableClock
) -> None:
    url = cluster.fresh_database()
    here, there = serve(url), serve(url)
    here.start()
    there.start()
    player = LocalPlayer(here)
    timed = start_match(player, LocalPlayer(there), clock={"kind": "per_move", "ms": 1000})
    cluster.crash()
    time.sleep(1.5)  # long enough for every thread to notice
    cluster.start()
    wait_until(lambda: answers(here) and answers(there))
    wait_until_listening(here, there)
    wait_until_listening(there, here)
    match_id = player.create(bot(), bot())
    wait_until(lambda: here.queries.visible_match(None, match_id).match.over)
    clock.advance(1000)
    wait_until(lambda: "match.time_out" in [row["topic"] for row in stored_rows(here, timed)])
