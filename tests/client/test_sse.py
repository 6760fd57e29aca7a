"""Server-sent events are parsed as the standard says, in every form that it allows."""

import pytest

from kontor_client.connection import ServerEvent, read_events


def events(text: str, last_id: str = "") -> list[ServerEvent]:
    return list(read_events(text.encode().splitlines(keepends=True), last_id))


def test_an_event_has_a_kind_an_id_and_data() -> None:
    assert events('event: fact\nid: 7\ndata: {"version": 7}\n\n') == [
        ServerEvent("fact", "7", {"version": 7})
    ]


def test_an_event_without_a_kind_is_a_message_and_keeps_the_id_before() -> None:
    assert events("id: 7\ndata: 1\n\ndata: 2\n\n") == [
        ServerEvent("message", "7", 1),
        ServerEvent("message", "7", 2),
    ]


def test_comments_heartbeats_and_waiting_times_are_not_events() -> None:
    assert events(": still here\n\n:\n\nretry: 2000\n\n") == []


@pytest.mark.parametrize(
    "text", ['data:{"a":1}\n\n', 'data: {"a":\ndata: 1}\n\n', 'data: {"a":1}\r\n\r\n', ':\ndata: {"a":1}\n\n']
)
def test_every_way_to_write_data_is_understood(text: str) -> None:
    assert events(text) == [ServerEvent("message", "", {"a": 1})]


def test_an_incomplete_event_is_dropped_wherever_it_breaks() -> None:
    whole = 'event: fact\nid: 7\ndata: {"name": "Ä"}\n\n'.encode()
    for length in range(len(whole)):
        assert list(read_events(whole[:length].splitlines(keepends=True), "6")) == []
    assert list(read_events(whole.splitlines(keepends=True), "6")) == [
        ServerEvent("fact", "7", {"name": "Ä"})
    ]
