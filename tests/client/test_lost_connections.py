"""Lost answers, cut streams, a restarted service: moves are made once, and no fact is missed."""

import random
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from threading import Thread, Timer

import pytest

from kontor_client import Kontor, KontorError, Match, UnreachableError
from tests.client.service import FlakyProxy, Service, free_port
from tests.client.tables import GAMES, create_bot_match
from tests.support.waiting import SOON_S

GAME = GAMES[-1]
NOBODY = "00000000-0000-0000-0000-000000000000"
LIMITS = ("KONTOR_RATE_LIMIT_READ", "KONTOR_RATE_LIMIT_STREAM")


@pytest.fixture
def proxy(service: Service) -> Iterator[FlakyProxy]:
    with FlakyProxy(service.port).running() as running:
        yield running


@pytest.fixture
def ada_via_proxy(proxy: FlakyProxy, ada: Kontor) -> Iterator[Kontor]:
    """Ada as a client of the proxy."""
    with closing(Kontor(proxy.url, ada.connection.token)) as client:
        yield client


def assert_made_once(player: Kontor, answers: list[Match]) -> None:
    """Check that the facts in all answers are in the log, each once and in its place, without gaps."""
    log = {event.version: event.fact for event in player.events(answers[0].id)}
    received = [
        (answer.data["first"] + place, fact)
        for answer in answers
        for place, fact in enumerate(answer.data["facts"])
    ]
    assert len(dict(received)) == len(received)
    assert [(version, log[version]) for version, _ in received] == received
    assert list(log) == list(range(1, player.match(answers[0].id).version + 1))


@pytest.mark.parametrize("arrived", [0, 1, 200, 1500])
def test_a_move_whose_answer_was_lost_is_made_once(
    proxy: FlakyProxy, ada_via_proxy: Kontor, ada: Kontor, arrived: int
) -> None:
    turn = next(ada.turns(create_bot_match(ada, GAME).id))
    proxy.cut_after(arrived)
    after = ada_via_proxy.play(turn.id, turn.legal_moves[-1])
    assert proxy.lost == 1
    me = ada.connection.get("/v1/me")["id"]
    stored = ada.connection.get(f"/v1/matches/{turn.id}/events", after=turn.version)["events"]
    assert [event["fact"] for event in stored if event["by"] == me] == after.data["facts"]


def test_an_account_and_a_match_whose_answers_were_lost_twice_are_created_once(
    proxy: FlakyProxy, service: Service
) -> None:
    with closing(Kontor(proxy.url)) as client:
        proxy.cut_after(30, 30)
        player = client.register("Lost and found")
        proxy.cut_after(400, 0)
        match = create_bot_match(client, GAME)
        assert proxy.lost == 4
        assert [found["id"] for found in client.matches(player=player.id)] == [match.id]


def test_a_stream_that_is_cut_anywhere_misses_and_repeats_nothing(
    proxy: FlakyProxy, ada_via_proxy: Kontor, ada: Kontor
) -> None:
    match = create_bot_match(ada, GAME)
    for turn in ada.turns(match.id):
        ada.play(turn.id, turn.legal_moves[-1], turn.version)
    received = list(ada.events(match.id))
    chance = random.Random(7)
    proxy.cut_after(*(chance.randrange(500, 6000) for _ in range(12)))
    assert list(ada_via_proxy.events(match.id)) == received
    assert proxy.lost > 3


def test_a_whole_match_is_played_over_an_unreliable_connection(
    proxy: FlakyProxy, ada_via_proxy: Kontor, ada: Kontor
) -> None:
    chance = random.Random(7)
    match = create_bot_match(ada_via_proxy, GAME)
    answers: list[Match] = []
    for turn in ada_via_proxy.turns(match.id):
        if chance.random() < 0.3:
            proxy.cut_after(*(chance.randrange(3000) for _ in range(chance.randrange(1, 3))))
        answers.append(ada_via_proxy.play(turn.id, chance.choice(turn.legal_moves), turn.version))
    assert proxy.lost > 5
    assert_made_once(ada, answers)


def test_the_client_waits_for_a_service_that_is_killed_and_restarted(tmp_path: Path) -> None:
    with Service(tmp_path).running() as service, service.player(retry_s=90) as ada:
        match = create_bot_match(ada, GAME)
        answers: list[Match] = []
        for turn in ada.turns(match.id):
            if len(answers) == 5:
                service.end(signal.SIGKILL)
                service.start()
            answers.append(ada.play(turn.id, turn.legal_moves[-1], turn.version))
        assert len(answers) > 5
        assert_made_once(ada, answers)


def test_a_stream_resumes_when_the_service_is_restarted(tmp_path: Path) -> None:
    with Service(tmp_path).running() as service, service.player(retry_s=90) as ada:
        match = create_bot_match(ada, GAME)
        with closing(ada.events(match.id)) as events:
            seen = list(islice(events, match.version))
            service.end(signal.SIGKILL)
            service.start()
            ada.resign(match.id)
            seen += events
        assert [event.version for event in seen] == list(range(1, ada.match(match.id).version + 1))
        assert seen[-1].fact["type"] == "match_finished"


def test_the_client_soon_gives_up_on_a_service_that_has_never_answered() -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    message = f"{nowhere} does not answer: Connection refused."
    with Kontor(nowhere, connect_s=0.5, retry_s=3600) as client:
        for request in (client.games, lambda: next(client.events(NOBODY))):
            began = time.monotonic()
            with pytest.raises(UnreachableError, match=f"^{re.escape(message)}$") as failed:
                request()
            assert 0.1 < time.monotonic() - began < SOON_S
            assert (failed.value.status, failed.value.code) == (0, "unreachable")


def test_the_client_waits_longer_for_a_service_that_has_answered_before_and_logs_it_once(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        FlakyProxy(service.port).running() as proxy,
        closing(Kontor(proxy.url, connect_s=0.1, retry_s=1.5)) as client,
    ):
        assert client.games()
        client.close()
        proxy.answer_with(b"HTTP/1.1")
        for request in (client.games, lambda: next(client.events(NOBODY))):
            caplog.clear()
            began = time.monotonic()
            with pytest.raises(UnreachableError):
                request()
            assert 0.5 < time.monotonic() - began < SOON_S
            [message] = caplog.messages
            assert re.fullmatch(rf"{proxy.url} does not respond \(.+\); retrying for up to 1\.5 s\.", message)


def test_the_timeout_for_a_silent_service_can_be_set() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        began = time.monotonic()
        with (
            closing(Kontor(url, timeout_s=0.3, retry_s=0.2)) as client,
            pytest.raises(UnreachableError, match="timed out"),
        ):
            client.games()
        assert 0.3 <= time.monotonic() - began < SOON_S


def test_an_idle_stream_that_ends_is_resumed() -> None:
    """The stream ends after a pause that is longer than the time for retries."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    fact = b'event: fact\nid: 1\ndata: {"version": 1, "at": "", "fact": {"type": "match_created"}}\n\n'
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            for pause, message in ((1.0, b": still here\n\n"), (0.0, fact)):
                connection, _ = listener.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(head)
                    time.sleep(pause)
                    connection.sendall(message)

        serving = Thread(target=serve)
        serving.start()
        with closing(Kontor(f"http://127.0.0.1:{listener.getsockname()[1]}", retry_s=0.5)) as client:
            assert next(client.events(NOBODY)).version == 1
        serving.join()


def test_an_answer_of_another_server_is_refused(service: Service) -> None:
    with FlakyProxy(service.port).running() as proxy, closing(Kontor(proxy.url)) as client:
        for status, body in ((200, b"<html>"), (404, b'{"detail": "Not Found"}'), (500, b"")):
            head = b"HTTP/1.1 %d Status\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % (
                status,
                len(body),
            )
            proxy.answer_with(head + body)
            with pytest.raises(
                KontorError, match=rf"^The response \(status {status}\) is not from a Kontor service"
            ):
                client.games()


def test_a_rate_limited_client_waits_and_retries(tmp_path: Path) -> None:
    with Service(tmp_path, **dict.fromkeys(LIMITS, "60")).running() as service, service.player() as ada:
        match = create_bot_match(ada, GAME)
        began = time.monotonic()
        for _ in range(63):
            assert ada.games()
        assert time.monotonic() - began > 3
        began = time.monotonic()
        for _ in range(63):
            assert next(ada.events(match.id)).version == 1
        assert time.monotonic() - began > 3


def test_a_client_that_would_have_to_wait_too_long_fails_at_once(tmp_path: Path) -> None:
    with Service(tmp_path, KONTOR_RATE_LIMIT_REGISTER="1").running() as service, service.player():
        began = time.monotonic()
        with pytest.raises(KontorError) as refused, service.player(retry_s=30):
            pytest.fail("the registration should be refused")
        assert (refused.value.status, refused.value.code) == (429, "rate_limited")
        assert time.monotonic() - began < 30


def test_a_gateway_error_while_the_service_starts_is_retried(service: Service, ada: Kontor) -> None:
    """A gateway answers 502 with a page of its own until the service is ready."""
    with (
        FlakyProxy(service.port).running() as proxy,
        closing(Kontor(proxy.url, ada.connection.token)) as client,
    ):
        proxy.answer_with(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>")
        Timer(0.5, proxy.answer_with, [b""]).start()
        assert client.games() == ada.games()
        proxy.answer_with(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>")
        client.close()
        with pytest.raises(KontorError, match="status 400"):
            client.games()
