"""Players who are away are called once to whatever waits for them, by a message that only they can read."""

import json
from collections.abc import Callable
from uuid import UUID

import pytest

from kontor_games.domain.codec import MalformedError
from kontor_games.service.calls.devices import MAX_DEVICES, MAX_FAILURES, PushNotOfferedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.match_spec import SeatSpec
from tests.service.conftest import SettableClock
from tests.service.tables import ME, LocalPlayer
from tests.support.push_receiver import Browser, PushService, claims_of

Passing = Callable[..., list[int | None]]
BROWSER = Browser()


def register(kontor: Kontor, name: str) -> LocalPlayer:
    token = kontor.players.register(name, bot=False, key=None, body=name).token
    return LocalPlayer(kontor, kontor.tokens.authenticate(token))


def subscribe(player: LocalPlayer, receiver: PushService, name: str = "a", language: str = "en") -> None:
    subscription = BROWSER.subscription(receiver.endpoint(name))
    player.kontor.push_devices.add(player.caller, name, subscription, language)


def texts(receiver: PushService) -> list[str]:
    """What the messages say that came since the last call."""
    said = [json.loads(BROWSER.decrypt(one.body)) for one in receiver.messages]
    receiver.messages.clear()
    return [one["text"] for one in said]


@pytest.fixture
def two(calling: Kontor) -> tuple[LocalPlayer, LocalPlayer]:
    return register(calling, "Ada"), register(calling, "Ben")


def invite(host: LocalPlayer, guest: LocalPlayer) -> str:
    return host.create(ME, SeatSpec("invited", player=guest.id))


def test_an_invited_player_is_called_once_and_then_at_each_of_their_turns(
    calling: Kontor, two: tuple[LocalPlayer, LocalPlayer], receiver: PushService, pass_time: Passing
) -> None:
    ada, ben = two
    subscribe(ben, receiver)
    match = invite(ada, ben)
    pass_time()
    [message] = receiver.messages
    key = str(calling.push.public_key)
    assert claims_of(message.headers["Authorization"], key)["sub"] == "https://kontor.example"
    assert {name: message.headers[name] for name in ("TTL", "Urgency", "Content-Encoding")} == {
        "TTL": "86400", "Urgency": "normal", "Content-Encoding": "aes128gcm"
    }  # fmt: skip
    assert json.loads(BROWSER.decrypt(message.body)) == {
        "match": match,
        "text": "Ada invites you to The Fair.",
    }
    receiver.messages.clear()
    pass_time()
    assert texts(receiver) == []
    ben.join(match)
    called = []
    for _ in range(6):
        pass_time()
        called.append(texts(receiver))
        before = ben.read_match(match).match
        for player, seat in ((ada, 0), (ben, 1)):
            if before.has_move(seat):
                player.play(match, player.legal(match)[0])
                break
    assert [text for some in called for text in some] == ["It is your turn in The Fair."] * sum(
        map(bool, called)
    )
    assert 0 < sum(map(bool, called)) < len(called)


def test_nobody_is_called_while_they_are_here_or_think_for_a_moment(
    calling: Kontor,
    two: tuple[LocalPlayer, LocalPlayer],
    receiver: PushService,
    pass_time: Passing,
    clock: SettableClock,
) -> None:
    ada, ben = two
    subscribe(ben, receiver)
    calling.presence.write()
    calling.tokens.take_last_seen()
    invite(ada, ben)
    assert pass_time(4000) == [clock.now + 56_000]
    assert pass_time(55_000) == [clock.now + 1000]
    assert texts(receiver) == []
    assert pass_time(1000) == [None]
    assert texts(receiver) == ["Ada invites you to The Fair."]


def test_two_leading_processes_call_once(
    calling: Kontor,
    two: tuple[LocalPlayer, LocalPlayer],
    receiver: PushService,
    serve: Callable[..., Kontor],
    store_url: str,
    clock: SettableClock,
) -> None:
    ada, ben = two
    subscribe(ben, receiver)
    match = UUID(invite(ada, ben))
    clock.advance(100_000)
    other = serve(store_url, public_url="https://kontor.example", push_hosts=(receiver.host,))
    for worker in (calling.call_worker(), other.call_worker()):
        worker.running()
        worker.process(match)
    assert len(receiver.messages) == 1


@pytest.mark.parametrize(
    ("status", "rounds", "left"),
    [(201, MAX_FAILURES, 1), (404, 1, 0), (410, 1, 0), (400, MAX_FAILURES - 1, 1), (400, MAX_FAILURES, 0),
     (429, 2 * MAX_FAILURES, 1), (503, 2 * MAX_FAILURES, 1)],
)  # fmt: skip
def test_a_device_is_removed_when_it_is_gone_or_fails_again_and_again(
    calling: Kontor,
    two: tuple[LocalPlayer, LocalPlayer],
    receiver: PushService,
    pass_time: Passing,
    status: int,
    rounds: int,
    left: int,
) -> None:
    ada, ben = two
    subscribe(ben, receiver)
    receiver.statuses["/a"] = status
    for _ in range(rounds):
        invite(ada, ben)
        pass_time()
    assert len(receiver.messages) == rounds
    assert len(calling.push_devices.of([ben.id])) == left


def test_each_device_is_called_in_its_language_and_none_after_it_was_removed(
    calling: Kontor, two: tuple[LocalPlayer, LocalPlayer], receiver: PushService, pass_time: Passing
) -> None:
    ada, ben = two
    for name, language in (("phone", "de"), ("laptop", "fr")):
        subscribe(ben, receiver, name, language)
    invite(ada, ben)
    pass_time()
    assert sorted(texts(receiver)) == ["Ada lädt dich ein: Der Markt.", "Ada vous invite à jouer : The Fair."]
    calling.push_devices.remove(ben.caller, "phone")
    invite(ada, ben)
    pass_time()
    assert texts(receiver) == ["Ada vous invite à jouer : The Fair."]


def test_a_browser_is_called_for_the_account_that_used_it_last(
    calling: Kontor, two: tuple[LocalPlayer, LocalPlayer], receiver: PushService
) -> None:
    ada, ben = two
    subscribe(ada, receiver)
    subscribe(ben, receiver)
    assert [one.player for one in calling.push_devices.of([ada.id, ben.id])] == [ben.id]


def test_the_oldest_device_makes_room(
    calling: Kontor, two: tuple[LocalPlayer, LocalPlayer], receiver: PushService, clock: SettableClock
) -> None:
    for number in range(MAX_DEVICES + 2):
        clock.advance(1)
        subscribe(two[0], receiver, f"d{number:02}")
    kept = [one.device for one in calling.push_devices.of([two[0].id])]
    assert kept == [f"d{number:02}" for number in range(2, MAX_DEVICES + 2)]


def test_nothing_about_devices_and_calls_is_left_of_an_erased_account(
    calling: Kontor, two: tuple[LocalPlayer, LocalPlayer], receiver: PushService, pass_time: Passing
) -> None:
    ada, ben = two
    subscribe(ben, receiver)
    invite(ada, ben)
    pass_time()
    calling.erase(ben.caller)
    for table in ("push_devices", "sent_calls"):
        assert calling.database.read(f"SELECT * FROM {table}") == []  # noqa: S608


def test_without_a_public_address_there_are_no_push_messages(
    serve: Callable[..., Kontor], store_url: str, receiver: PushService
) -> None:
    kontor = serve(store_url)
    assert kontor.push.public_key is None
    with pytest.raises(PushNotOfferedError):
        subscribe(register(kontor, "Ada"), receiver)


@pytest.mark.parametrize(
    ("change", "pointer"),
    [({"endpoint": "https://10.0.0.1:99/x"}, "/endpoint"), ({"p256dh": "A" * 87}, "/p256dh")],
)
def test_a_subscription_that_cannot_work_is_refused(
    two: tuple[LocalPlayer, LocalPlayer], receiver: PushService, change: dict[str, str], pointer: str
) -> None:
    wrong = BROWSER.subscription(receiver.endpoint()) | change
    with pytest.raises(MalformedError) as refused:
        two[0].kontor.push_devices.add(two[0].caller, "a", wrong, "en")
    assert [fault.pointer for fault in refused.value.faults] == [pointer]


def test_a_change_of_a_match_is_looked_at_if_it_concerns_somebody_who_can_be_called(
    calling: Kontor, two: tuple[LocalPlayer, LocalPlayer], receiver: PushService
) -> None:
    ada, ben = two
    worker = calling.call_worker()
    worker.closing.clear()  # it takes part, but its threads do not run
    worker.scan()
    invite(ada, ben)
    assert len(worker.schedule) == 0
    subscribe(ben, receiver)
    worker.scan()
    assert len(worker.schedule) == 1
    invite(ada, ben)
    assert len(worker.schedule) == 2
