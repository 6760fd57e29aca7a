"""Lost answers, cut streams, a service that dies and comes back: every move is made once, and no fact is missed."""

import random
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from threading import Timer

import pytest

from kontor_client import Kontor, KontorError, Match, UnreachableError
from tests.client.service import Ferry, Service, free_port
from tests.client.tables import GAMES, with_house_bots

GAME = GAMES[-1]
LIMITS = ("KONTOR_RATE_LIMIT_READ", "KONTOR_RATE_LIMIT_STREAM")


@pytest.fixture
def ferry(service: Service) -> Iterator[Ferry]:
    with Ferry(service.port).running() as running:
        yield running


@pytest.fixture
def passenger(ferry: Ferry, ada: Kontor) -> Iterator[Kontor]:
    """Ada again, but her answers come by ferry."""
    with closing(Kontor(ferry.url, ada.connection.token)) as client:
        yield client


def were_made_once(player: Kontor, answers: list[Match]) -> None:
    """The facts in the answers to one's moves stand in the log, each in a place of its own, and the log has no gaps."""
    log = {event.version: event.fact for event in player.events(answers[0].id)}
    told = [(answer.data["first"] + place, fact) for answer in answers for place, fact in enumerate(answer.data["facts"])]
    assert len(dict(told)) == len(told)
    assert [(version, log[version]) for version, _ in told] == told
    assert list(log) == list(range(1, player.match(answers[0].id).version + 1))


@pytest.mark.parametrize("arrived", [0, 1, 200, 1500])
def test_a_move_whose_answer_was_lost_is_made_once(ferry: Ferry, passenger: Kontor, ada: Kontor, arrived: int) -> None:
    turn = next(ada.turns(with_house_bots(ada, GAME).id))
    ferry.sink(arrived)
    after = passenger.play(turn.id, turn.legal_moves[-1])
    assert ferry.lost == 1
    me = ada.connection.get("/v1/me")["id"]
    stored = ada.connection.get(f"/v1/matches/{turn.id}/events", after=turn.version)["events"]
    assert [event["fact"] for event in stored if event["by"] == me] == after.data["facts"]


def test_an_account_and_a_match_whose_answers_were_lost_twice_are_made_once(ferry: Ferry, service: Service) -> None:
    with closing(Kontor(ferry.url)) as client:
        ferry.sink(30, 30)
        player = client.register("Lost and found")
        ferry.sink(400, 0)
        match = with_house_bots(client, GAME)
        assert ferry.lost == 4
        assert [found["id"] for found in client.matches(player=player.id)] == [match.id]


def test_a_stream_that_is_cut_anywhere_misses_and_repeats_nothing(ferry: Ferry, passenger: Kontor, ada: Kontor) -> None:
    match = with_house_bots(ada, GAME)
    for turn in ada.turns(match.id):
        ada.play(turn.id, turn.legal_moves[-1], turn.version)
    told = list(ada.events(match.id))
    chance = random.Random(7)
    ferry.sink(*(chance.randrange(500, 6000) for _ in range(12)))
    assert list(passenger.events(match.id)) == told
    assert ferry.lost > 3


def test_a_whole_match_is_played_over_a_bad_line(ferry: Ferry, passenger: Kontor, ada: Kontor) -> None:
    chance = random.Random(7)
    match = with_house_bots(passenger, GAME)
    answers: list[Match] = []
    for turn in passenger.turns(match.id):
        if chance.random() < 0.3:
            ferry.sink(*(chance.randrange(3000) for _ in range(chance.randrange(1, 3))))
        answers.append(passenger.play(turn.id, chance.choice(turn.legal_moves), turn.version))
    assert ferry.lost > 5
    were_made_once(ada, answers)


def test_a_service_that_is_killed_and_comes_back_is_waited_for(tmp_path: Path) -> None:
    with Service(tmp_path).running() as service, service.player() as ada:
        match = with_house_bots(ada, GAME)
        answers: list[Match] = []
        for turn in ada.turns(match.id):
            if len(answers) == 5:
                service.end(signal.SIGKILL)
                service.start()
            answers.append(ada.play(turn.id, turn.legal_moves[-1], turn.version))
        assert len(answers) > 5
        were_made_once(ada, answers)


def test_a_stream_goes_on_when_the_service_comes_back(tmp_path: Path) -> None:
    with Service(tmp_path).running() as service, service.player() as ada:
        match = with_house_bots(ada, GAME)
        with closing(ada.events(match.id)) as events:
            seen = list(islice(events, match.version))
            service.end(signal.SIGKILL)
            service.start()
            ada.resign(match.id)
            seen += events
        assert [event.version for event in seen] == list(range(1, ada.match(match.id).version + 1))
        assert seen[-1].fact["type"] == "match_finished"


def test_patience_has_an_end() -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    began = time.monotonic()
    with closing(Kontor(nowhere, patience_s=0.5)) as client, pytest.raises(UnreachableError, match="does not answer"):
        client.games()
    with closing(Kontor(nowhere, patience_s=0.5)) as client, pytest.raises(UnreachableError, match="does not answer"):
        next(client.events("00000000-0000-0000-0000-000000000000"))
    assert time.monotonic() - began < 5


def test_a_client_that_is_told_to_come_back_later_does_so(tmp_path: Path) -> None:
    with Service(tmp_path, **dict.fromkeys(LIMITS, "60")).running() as service, service.player() as ada:
        match = with_house_bots(ada, GAME)
        began = time.monotonic()
        for _ in range(63):
            assert ada.games()
        assert time.monotonic() - began > 3
        began = time.monotonic()
        for _ in range(63):
            assert next(ada.events(match.id)).version == 1
        assert time.monotonic() - began > 3


def test_a_client_that_would_have_to_wait_too_long_says_so_at_once(tmp_path: Path) -> None:
    with Service(tmp_path, KONTOR_RATE_LIMIT_REGISTER="1").running() as service, service.player():
        began = time.monotonic()
        with pytest.raises(KontorError) as refused, service.player(patience_s=20):
            pytest.fail("nobody else was to be let in")
        assert (refused.value.status, refused.value.code) == (429, "rate_limited")
        assert time.monotonic() - began < 10


def test_a_proxy_before_a_service_that_starts_is_asked_again(service: Service, ada: Kontor) -> None:
    """A gateway says 502 with a page of its own until the service is there."""
    with Ferry(service.port).running() as ferry, closing(Kontor(ferry.url, ada.connection.token)) as client:
        ferry.greet(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>")
        Timer(0.5, ferry.greet, [b""]).start()
        assert client.games() == ada.games()
        ferry.greet(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>")
        client.close()
        with pytest.raises(KontorError, match="the service said 400"):
            client.games()
