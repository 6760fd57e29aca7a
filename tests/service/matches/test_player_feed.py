"""Who follows matches is told everything once; the store is read only for what this process lacks."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest

from kontor_games.domain.codec import Plain
from kontor_games.service.errors import NotFoundError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches import feed_cursor
from kontor_games.service.matches.feed_cursor import KEPT_ROWS, Cursor
from kontor_games.service.matches.match_spec import SeatSpec
from kontor_games.service.matches.player_feed import News, PlayerFeed
from tests.service.tables import ME, Guest, table

MANY = 500


@pytest.fixture
def at_table(hall: Callable[..., Kontor]) -> tuple[Guest, Guest, str]:
    """Two players and their match."""
    kontor = hall()
    one, other = Guest(kontor), Guest(kontor)
    return one, other, table(one, other)


@pytest.fixture
def reads(at_table: tuple[Guest, Guest, str], monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """The matches that are read from the store, one by one."""
    found: list[UUID] = []
    store = at_table[0].kontor.store
    entries = store.entries

    def counted(match_id: UUID, *, after: int = 0) -> Any:
        found.append(match_id)
        return entries(match_id, after=after)

    monkeypatch.setattr(store, "entries", counted)
    return found


def following(guest: Guest) -> PlayerFeed:
    return PlayerFeed(guest.kontor.queries, guest.kontor.database, guest.kontor.clock, guest.who)


def moved(one: Guest, other: Guest, match_id: str) -> int:
    """Whoever is waited for moves; the version after it."""
    player = one if one.look(match_id).viewer in one.look(match_id).match.to_act else other
    return player.play(match_id).match.version


def told(news: News) -> dict[str, list[int]]:
    return {found.match: [event.version for event in found.events] for found in news.events}


def versions(events: Sequence[Plain]) -> list[int]:
    return [event.version for event in events]


def test_cached_matches_are_not_read_again(at_table: tuple[Guest, Guest, str], reads: list[UUID]) -> None:
    one, other, match_id = at_table
    before = one.look(match_id).match.version
    after = moved(one, other, match_id)
    reads.clear()
    for _ in range(20):
        found = one.kontor.queries.events(one.who, match_id, before, MANY, after)
        assert versions(found.events) == list(range(before + 1, after + 1))
    assert reads == []


def test_entries_of_another_process_are_read_once(
    at_table: tuple[Guest, Guest, str], hall: Callable[..., Kontor], reads: list[UUID]
) -> None:
    one, other, match_id = at_table
    elsewhere = hall()
    before = one.look(match_id).match.version
    after = moved(one.at(elsewhere), other.at(elsewhere), match_id)
    reads.clear()
    for _ in range(20):
        found = one.kontor.queries.events(one.who, match_id, before, MANY, after)
        assert versions(found.events) == list(range(before + 1, after + 1))
    assert reads == [UUID(match_id)]


def test_only_the_changed_matches_of_a_player_are_read(
    at_table: tuple[Guest, Guest, str], reads: list[UUID]
) -> None:
    one, other, match_id = at_table
    others = [table(one, other) for _ in range(5)]
    follow = following(one)
    cursor = follow.begin()
    before = one.look(match_id).match.version
    after = moved(one, other, match_id)
    reads.clear()
    news = follow.news_of(cursor, MANY, {match_id: after})
    assert told(news) == {match_id: list(range(before + 1, after + 1))}
    assert reads == []
    assert told(follow.news(news.cursor, MANY)) == {}, "nothing is told twice"
    assert set(map(UUID, others)) <= set(reads), "who looks for themselves looks everywhere"


def test_a_match_that_started_meanwhile_is_sent_from_its_beginning(
    at_table: tuple[Guest, Guest, str],
) -> None:
    one, other, _ = at_table
    follow = following(one)
    cursor = follow.begin()
    begun = table(one, other)
    version = one.look(begun).match.version
    news = follow.news_of(cursor, MANY, {begun: version})
    assert told(news) == {begun: list(range(1, version + 1))}


def test_facts_beyond_the_limit_are_sent_on_the_next_page(at_table: tuple[Guest, Guest, str]) -> None:
    one, other, match_id = at_table
    begun = table(one, other)
    follow = following(one)
    cursor = follow.begin()
    changed = {match: moved(one, other, match) for match in (match_id, begun)}
    first = follow.news_of(cursor, 1, changed)
    assert sum(map(len, told(first).values())) == 1
    rest = follow.news(first.cursor, MANY)
    whole = follow.news(cursor, MANY)
    both = {match: told(first).get(match, []) + told(rest).get(match, []) for match in changed}
    assert both == told(whole)


def test_a_change_in_a_hidden_match_is_not_sent(
    at_table: tuple[Guest, Guest, str],
) -> None:
    one, _, _ = at_table
    stranger, partner = Guest(one.kontor), Guest(one.kontor)
    hidden = stranger.create(private=True)
    follow = following(partner)
    assert told(follow.news_of(follow.begin(), MANY, {hidden: 1})) == {}


# --- the size of cursors ------------------------------------------------------------------------------------


def invited_to(victim: Guest, inviter: Guest, matches: int) -> list[str]:
    seat = SeatSpec("invited", player=victim.id)
    return [inviter.create(ME, seat) for _ in range(matches)]


@pytest.fixture
def crowd(hall: Callable[..., Kontor]) -> tuple[Guest, Guest]:
    """A player, and another who invites them."""
    kontor = hall()
    accounts = (kontor.players.register(name, bot=False, key=None, body="") for name in ("Ann", "Ben"))
    one, other = (Guest(kontor, kontor.tokens.authenticate(made.token)) for made in accounts)
    return one, other


@pytest.fixture
def _short_cursors(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a dozen matches were hundreds."""
    monkeypatch.setattr(feed_cursor, "LONGEST_BYTES", 200)


def test_an_invitation_to_300_matches_does_not_lengthen_the_cursor(crowd: tuple[Guest, Guest]) -> None:
    victim, inviter = crowd
    feed = following(victim)
    cursor = feed.begin()
    matches = invited_to(victim, inviter, 300)
    seen: dict[str, list[int]] = {}
    for _ in range(10):
        news = following(victim).news(cursor, MANY)
        assert len(news.cursor) <= 3000
        for match, found in told(news).items():
            seen.setdefault(match, []).extend(found)
        cursor = news.cursor
    assert seen == {match: [1, 2] for match in matches}
    last = matches[-1]
    inviter.abort(last)
    assert told(following(victim).news(cursor, MANY)) == {last: [3]}, "and goes on exactly where it was"
    assert len(following(victim).begin()) <= 3000


@pytest.mark.usefixtures("_short_cursors")
def test_the_same_positions_are_stored_once_and_old_ones_are_dropped(crowd: tuple[Guest, Guest]) -> None:
    victim, inviter = crowd
    invited_to(victim, inviter, 12)
    assert len({following(victim).begin() for _ in range(3)}) == 1
    cursor = following(victim).begin()
    rows = victim.kontor.database.read("SELECT id FROM feed_positions WHERE player = ?", [victim.id])
    assert len(rows) == 1
    for _ in range(KEPT_ROWS + 2):
        invited_to(victim, inviter, 1)
        following(victim).begin()
    rows = victim.kontor.database.read("SELECT id FROM feed_positions WHERE player = ?", [victim.id])
    assert len(rows) <= KEPT_ROWS + 1
    victim.kontor.database.write(("DELETE FROM feed_positions WHERE player = ?", [victim.id]))
    with pytest.raises(NotFoundError, match="too old, or not yours"):
        following(victim).news(cursor, MANY)


@pytest.mark.usefixtures("_short_cursors")
def test_a_cursor_of_another_player_is_refused(crowd: tuple[Guest, Guest]) -> None:
    victim, inviter = crowd
    invited_to(victim, inviter, 12)
    with pytest.raises(NotFoundError, match="too old, or not yours"):
        following(inviter).news(following(victim).begin(), MANY)


def test_a_cursor_is_written_as_it_was_read(crowd: tuple[Guest, Guest]) -> None:
    cursors = following(crowd[0]).cursors
    versions = {str(uuid4()): number for number in range(1, 400)}
    text = cursors.write(Cursor(5, dict(versions)))
    known = following(crowd[0]).cursors.read(text)
    assert (known.since, known.versions) == (5, versions)
    dropped, moved_on, new = *list(versions)[:2], str(uuid4())
    del known.versions[dropped]
    known.versions |= {moved_on: 1000, new: 7}
    again = following(crowd[0]).cursors.read(following(crowd[0]).cursors.write(known))
    assert again.versions == {**{m: v for m, v in versions.items() if m != dropped}, moved_on: 1000, new: 7}
    assert again.stored.id == known.stored.id, "only what is different is in the text"


@pytest.mark.parametrize("text", ["", "AAAAAAAAAAA", "Ag", "A" * 3000, "x" * 40])
def test_a_malformed_cursor_is_not_accepted(crowd: tuple[Guest, Guest], text: str) -> None:
    with pytest.raises(NotFoundError, match="not a cursor of this service"):
        following(crowd[0]).news(text, MANY)


@pytest.mark.usefixtures("_short_cursors")
def test_a_cursor_that_points_beyond_its_row_is_refused(crowd: tuple[Guest, Guest]) -> None:
    victim, inviter = crowd
    invited_to(victim, inviter, 12)
    raw = urlsafe_b64decode(following(victim).begin() + "==")
    forged = raw[:25] + (1).to_bytes(2) + (12).to_bytes(2) + (9).to_bytes(4)
    with pytest.raises(NotFoundError, match="not a cursor of this service"):
        following(victim).news(urlsafe_b64encode(forged).decode().rstrip("="), MANY)
