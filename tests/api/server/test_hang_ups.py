"""Clients that disconnect while they wait are noticed."""

import socket
from threading import Event

from kontor_games.api.server.hang_ups import HangUps
from tests.support.waiting import SOON_S


def test_a_client_that_disconnects_is_noticed_once_although_it_sent_something() -> None:
    watching, gone = HangUps(), Event()
    client, served = socket.socketpair()
    hang_up = watching.watch(served)
    hang_up.on_gone(gone.set)
    client.sendall(b"GET / HTTP/1.1\r\n\r\n")
    client.close()
    assert gone.wait(SOON_S)
    assert hang_up.is_gone
    again = Event()
    hang_up.on_gone(again.set)
    assert again.is_set(), "a function that is given too late is called, too"
    served.close()


def test_a_socket_that_got_the_number_of_a_closed_one_is_watched_by_its_own_request() -> None:
    watching, gone = HangUps(), Event()
    first_client, served = socket.socketpair()
    old, fd = watching.watch(served), served.fileno()
    served.close()
    next_served, client = socket.socketpair()
    assert next_served.fileno() == fd
    hang_up = watching.watch(next_served)
    hang_up.on_gone(gone.set)
    watching.forget(fd, old)
    client.close()
    assert gone.wait(SOON_S)
    assert not old.is_gone
    first_client.close()
    next_served.close()
