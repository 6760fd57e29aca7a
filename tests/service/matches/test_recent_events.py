"""Readers who may see the same share the newest events."""

from kontor_games.service.answer_fields import Moment
from kontor_games.service.matches.event_answers import EventPage, RecordedEvent
from kontor_games.service.matches.recent_events import Key, RecentEvents


def key(version: int) -> Key:
    return "match", version, 0, 0, 100, None


def made(count: int) -> EventPage:
    events = tuple(RecordedEvent(version, Moment(0), "", {}) for version in range(count))
    return EventPage("match", "running", count, events, count, over=False)


def test_the_same_question_gets_the_same_answer_unless_it_is_long() -> None:
    recent, short, long = RecentEvents[EventPage](), made(64), made(65)
    assert recent.get(key(1), lambda: short) is short
    assert recent.get(key(1), lambda: made(64)) is short
    assert recent.get(key(2), lambda: long) is long
    assert recent.get(key(2), lambda: short) is short


def test_of_more_than_256_answers_the_oldest_is_dropped() -> None:
    recent, first = RecentEvents[EventPage](), made(1)
    recent.get(key(0), lambda: first)
    for version in range(1, 256):
        recent.get(key(version), lambda: made(1))
    assert recent.get(key(0), lambda: made(1)) is first
    recent.get(key(256), lambda: made(1))
    assert recent.get(key(0), lambda: made(1)) is not first
