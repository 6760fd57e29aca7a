"""The processes of one server send requests to each other over sockets in a directory."""

from collections.abc import Callable, Iterator
from pathlib import Path
from socket import AF_UNIX, SOCK_STREAM, socket
from threading import Event
from uuid import uuid4

import pytest

from kontor_games.service import siblings
from kontor_games.service.siblings import Siblings

IDS = [str(uuid4()) for _ in range(100)]
Join = Callable[..., Siblings]


@pytest.fixture
def join(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Join]:
    """Return a function that adds a named process, which answers with its name and the message."""
    directory, joined = tmp_path_factory.mktemp("s"), list[Siblings]()

    def make(name: str, answer: Callable[[bytes], bytes] | None = None) -> Siblings:
        made = Siblings()
        made.join(answer or (lambda message: f"{name}: ".encode() + message), directory, name)
        joined.append(made)
        return made

    yield make
    for one in joined:
        one.leave()


def test_a_single_process_owns_all_matches(join: Join) -> None:
    assert Siblings().indices_by_owner(IDS) == {"": list(range(100))}
    assert join("1").indices_by_owner(IDS) == {"": list(range(100))}


def test_all_processes_divide_matches_in_the_same_way(join: Join) -> None:
    one, two, three = join("1"), join("2"), join("3")
    of_one, of_two = one.indices_by_owner(IDS), two.indices_by_owner(IDS)
    assert sorted(of_one) == ["", "2", "3"]
    assert (of_one[""], of_one["2"], of_one["3"]) == (of_two["1"], of_two[""], of_two["3"])
    assert sorted(index for share in of_one.values() for index in share) == list(range(100))
    assert three.indices_by_owner(IDS)[""] == of_one["3"]


def test_messages_of_any_size_are_answered_also_several_at_once(join: Join) -> None:
    one, _ = join("1"), join("2")
    large = b"x" * 3_000_000
    first, second, third = (one.ask("2", message) for message in (b"", b"hello", large))
    assert (third(), second(), first()) == (b"2: " + large, b"2: hello", b"2: ")
    assert one.ask("2", b"again")() == b"2: again"


def test_a_process_that_has_left_gets_no_matches_and_gives_no_answer(join: Join) -> None:
    one, two = join("1"), join("2")
    assert one.ask("2", b"hello")() == b"2: hello"
    two.leave()
    one._names_read_at = 0.0
    assert one.indices_by_owner(IDS) == {"": list(range(100))}
    assert one.ask("3", b"hello")() is None


def test_the_socket_of_a_killed_process_is_removed(join: Join) -> None:
    one = join("1")
    assert one._directory is not None
    with socket(AF_UNIX, SOCK_STREAM) as killed:
        killed.bind(str(one._directory / "2"))
    assert sorted(one.indices_by_owner(IDS)) == ["", "2"]
    assert one.ask("2", b"hello")() is None
    assert one.indices_by_owner(IDS) == {"": list(range(100))}


def test_a_crash_of_the_handler_gives_no_answer_and_ends_only_its_connection(
    join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Event()
    monkeypatch.setattr("threading.excepthook", lambda _: seen.set())

    def fail_at_first(message: bytes) -> bytes:
        if not seen.is_set():
            raise ValueError(message)
        return message

    one, _ = join("1"), join("2", fail_at_first)
    assert one.ask("2", b"hello")() is None
    assert seen.wait(10)
    assert one.ask("2", b"hello")() == b"hello"


def test_waiting_for_an_answer_times_out(join: Join, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(siblings, "_ANSWER_S", 0.01)
    done = Event()

    def wait(message: bytes) -> bytes:
        done.wait(10)
        return message

    one, _ = join("1"), join("2", wait)
    assert one.ask("2", b"hello")() is None
    done.set()


def test_a_process_that_cannot_listen_stays_alone(tmp_path: Path) -> None:
    one = Siblings()
    one.join(bytes, tmp_path / "missing")
    assert one.indices_by_owner(IDS) == {"": list(range(100))}
    one.leave()
