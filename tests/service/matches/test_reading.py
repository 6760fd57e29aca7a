"""Reading a match: what is shown now, its events in words, turns, and replays."""

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from kontor_client.replay import patched
from kontor_games.domain.codec import SPECTATOR, MalformedError
from kontor_games.domain.commands import Resign
from kontor_games.domain.match_refusals import StillHiddenError
from kontor_games.service.errors import NotFoundError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import Match, NotModified, SeatHolder
from kontor_games.service.matches.event_answers import Replay
from kontor_games.service.matches.match_spec import SeatSpec
from kontor_games.service.matches.replay import Span
from tests.service.conftest import NOON, SettableClock
from tests.service.tables import ME, OPEN, LocalPlayer, play_to_the_end, start_match
from tests.service.tournaments.cup import register_player

BANK = {"kind": "bank", "ms": 60_000, "increment_ms": 0}


@pytest.fixture
def match(service: Kontor, ann: LocalPlayer, ben: LocalPlayer, clock: SettableClock) -> str:
    """A running match of Ann and Ben with four moves, a second apart."""
    started = start_match(ann, ben, clock=BANK)
    for _ in range(4):
        clock.advance(1000)
        mover = next(one for one in (ann, ben) if one.legal(started))
        mover.play(started)
    return started


# --- one match ----------------------------------------------------------------------------------------------


def test_a_reader_who_knows_this_version_with_these_seats_is_told_so(
    service: Kontor, ann: LocalPlayer, match: str
) -> None:
    shown = service.queries.show(ann.caller, match)
    assert isinstance(shown, Match)
    seen = (shown.position.version, shown.details.seats)
    same = service.queries.show(ann.caller, match, is_known=lambda *now: now == seen)
    assert same == NotModified(*seen, private=False)
    assert isinstance(service.queries.show(ann.caller, match, is_known=lambda *_: False), Match)


def test_what_was_hidden_is_shown_on_demand_only_when_the_match_is_over(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, match: str
) -> None:
    with pytest.raises(StillHiddenError, match="only when it is over"):
        service.queries.show(ann.caller, match, truth=True)
    version = ann.read_match(match).match.version
    play_to_the_end(match, ann, ben)
    shown = service.queries.show(None, match, version, truth=True)
    assert isinstance(shown, Match)
    assert all(seat["hand"] is not None for seat in shown.position.view["seats"])


def test_a_match_began_with_its_first_fact_and_was_changed_by_its_last(
    service: Kontor, ann: LocalPlayer, match: str
) -> None:
    assert service.queries.times_of(None, match) == (NOON, NOON + 4000)
    with pytest.raises(NotFoundError):
        service.queries.times_of(None, ann.create(private=True))


def test_seats_name_their_players(service: Kontor) -> None:
    ada, ben = register_player(service, "Ada"), register_player(service, "Ben", bot=True)
    made = start_match(ada, ben)
    shown = service.queries.show(None, made)
    assert isinstance(shown, Match)
    named = [(seat.player.name, seat.player.bot) for seat in shown.details.seats if seat.player]
    assert named == [("Ada", False), ("Ben", True)]


def test_seats_name_whom_they_wait_for(service: Kontor, ann: LocalPlayer) -> None:
    ada = register_player(service, "Ada", bot=True)
    made = ann.create(ME, SeatSpec("invited", player=ada.id), OPEN)
    shown = service.queries.show(None, made)
    assert isinstance(shown, Match)
    seat = shown.details.seats[1]
    assert (seat.type, seat.player) == ("invited", None)
    assert seat.invited == SeatHolder(ada.id, "Ada", bot=True)


# --- events -------------------------------------------------------------------------------------------------


def test_events_come_after_a_version_and_no_more_than_asked_for(
    service: Kontor, ann: LocalPlayer, match: str
) -> None:
    every = service.queries.events(ann.caller, match, 0, 1000)
    assert [event.version for event in every.events] == list(range(1, every.version + 1))
    some = service.queries.events(ann.caller, match, 2, 3)
    assert some.events == every.events[2:5]
    assert service.queries.events(ann.caller, match, every.version, 10).events == ()


def test_sentences_are_the_same_whichever_part_is_read_first(
    service: Kontor, ann: LocalPlayer, match: str
) -> None:
    def texts(after: int, limit: int) -> list[Any]:
        found = service.queries.events(ann.caller, match, after, limit, language="en").events
        return [event.text for event in found]

    late = texts(4, 2)
    last = texts(5, 1000)
    every = texts(0, 1000)
    assert len(every) == ann.read_match(match).match.version
    assert (late, last) == (every[4:6], every[5:])
    assert texts(3, 2) == every[3:5], "all are known now"
    assert any(text and "lays" in text for text in every), every


def test_a_hand_is_told_to_its_owner_only(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, match: str
) -> None:
    read = [service.queries.events(who.caller, match, 0, 1000, language="en").events for who in (ann, ben)]
    assert read[0] != read[1]


# --- turns --------------------------------------------------------------------------------------------------


def test_a_turn_is_sent_at_its_version_to_the_player_who_may_act(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, match: str
) -> None:
    version = ann.read_match(match).match.version
    mover, other = (ann, ben) if ann.legal(match) else (ben, ann)
    turn = service.queries.turn(mover.caller, match, version)
    assert turn is not None
    assert (turn.version, turn.legal_moves) == (version, mover.legal(match))
    narrated = service.queries.turn(mover.caller, match, version, "en")
    assert narrated is not None
    assert len(narrated.labels or ()) == len(turn.legal_moves)
    assert service.queries.turn(other.caller, match, version) is None
    assert service.queries.turn(mover.caller, match, version - 1) is None
    assert service.queries.turn(mover.caller, "00000000-0000-4000-8000-000000000000", 1) is None


# --- replays ------------------------------------------------------------------------------------------------


def replay(service: Kontor, caller: Any, match: str, span: Span, **more: Any) -> Replay:
    _, found = service.queries.replay(caller, match, span, **more)
    assert found is not None
    return found


def test_a_replay_has_a_position_for_each_command(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, match: str
) -> None:
    found = replay(service, ann.caller, match, Span(1, None, 100))
    versions = [one.version for one in found.positions]
    last = ann.read_match(match).match.version
    assert (versions[-1], found.version, found.next) == (last, last, None)
    assert [one.first for one in found.positions] == [1, *(version + 1 for version in versions[:-1])]
    assert [one.at for one in found.positions] == [
        NOON,
        NOON,
        *(NOON + 1000 * number for number in range(1, 5)),
    ]
    shown = service.queries.show(None, match)
    assert isinstance(shown, Match)
    left = tuple(seat.remaining_ms for seat in shown.position.clock.seats or ())
    assert found.positions[-1].remaining_ms == left != (60_000, 60_000)


def test_patches_lead_from_each_view_to_the_next(service: Kontor, ann: LocalPlayer, match: str) -> None:
    found = replay(service, ann.caller, match, Span(1, None, 100))
    created, started, *later = found.positions
    assert (created.view, created.patch, started.patch) == (None, UNSET, UNSET)
    view = started.view
    for one in later:
        assert one.view is UNSET
        view = patched(view, msgspec.to_builtins(one.patch))
        shown = service.queries.show(ann.caller, match, one.version)
        assert isinstance(shown, Match)
        assert view == shown.position.view


def test_a_replay_is_read_in_parts(service: Kontor, ann: LocalPlayer, match: str) -> None:
    every = replay(service, ann.caller, match, Span(1, None, 100)).positions
    first = replay(service, ann.caller, match, Span(1, None, 2))
    assert first.positions == every[:2]
    assert first.next == every[2].first
    assert replay(service, ann.caller, match, Span(1, None, len(every))).next is None
    third = every[2]
    for version in (third.first, third.version):
        [one] = replay(service, ann.caller, match, Span(version, third.version, 100)).positions
        assert (one.version, one.view is not None) == (third.version, True)
    assert replay(service, ann.caller, match, Span(third.version + 1, third.version, 100)).positions == ()


def test_a_running_match_is_replayed_from_ones_own_seat_or_as_a_spectator(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, match: str
) -> None:
    span = Span(1, None, 100)
    own, spectator = (replay(service, ann.caller, match, span, viewer=seat) for seat in (0, SPECTATOR))
    assert own == replay(service, ann.caller, match, span)
    assert spectator == replay(service, None, match, span) != own
    with pytest.raises(StillHiddenError):
        service.queries.replay(ann.caller, match, span, viewer=1)
    with pytest.raises(MalformedError):
        service.queries.replay(ann.caller, match, span, viewer=2)
    play_to_the_end(match, ann, ben)
    assert replay(service, ann.caller, match, span, viewer=1) == replay(service, ben.caller, match, span)


def test_a_replay_in_words_has_a_text_for_each_fact(service: Kontor, ann: LocalPlayer, match: str) -> None:
    told = replay(service, ann.caller, match, Span(1, None, 100), language="en")
    assert all(len(one.texts or ()) == len(one.facts) for one in told.positions)
    events = service.queries.events(ann.caller, match, 0, 1000, language="en").events
    assert [text for one in told.positions for text in one.texts or ()] == [event.text for event in events]
    middle = told.positions[3]
    for version in (middle.first, middle.version):
        part = replay(service, ann.caller, match, Span(version, middle.version, 1), language="en")
        assert part.positions[0].texts == middle.texts


def test_a_reader_who_knows_a_replay_gets_only_its_tag(service: Kontor, ann: LocalPlayer, match: str) -> None:
    tag, found = service.queries.replay(ann.caller, match, Span(1, None, 1), is_known=lambda _: True)
    assert (tag.over, tag.private, tag.names, found) == (False, False, None, None)


# --- the matches of a player --------------------------------------------------------------------------------


def test_the_current_matches_of_a_player_are_those_that_are_not_over(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer, match: str
) -> None:
    ended = start_match(ann, ben)
    ben.do(ended, Resign())
    created = ann.create()
    versions = {one: ann.read_match(one).match.version for one in (match, created)}
    assert service.queries.current_versions(ann.caller) == versions
    assert [one.id for one in service.queries.current(ann.caller)] == [match, created]
    assert [one.id for one in service.queries.current(ben.caller)] == [match]
