"""Followers of matches get every fact once; the store is read only for facts that are not cached."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest

from kontor_games.domain.codec import Plain
from kontor_games.service.errors import NotFoundError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches import player_feed
from kontor_games.service.matches.match_spec import SeatSpec
from kontor_games.service.matches.player_feed import KEPT_ROWS, Cursor, FeedPage, PlayerFeed, StoredPositions
from tests.service.tables import ME, LocalPlayer, start_match

MANY = 500


@pytest.fixture
def players_and_match(new_process: Callable[..., Kontor]) -> tuple[LocalPlayer, LocalPlayer, str]:
    """Two players and their match."""
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    return one, other, start_match(one, other)


@pytest.fixture
def reads(
    players_and_match: tuple[LocalPlayer, LocalPlayer, str], monkeypatch: pytest.MonkeyPatch
) -> list[UUID]:
    """The ids of the matches that are read from the store, in order."""
    found: list[UUID] = []
    store = players_and_match[0].kontor.store
    entries = store.entries

    def counted(match_id: UUID, *, after: int = 0) -> Any:
        found.append(match_id)
        return entries(match_id, after=after)

    monkeypatch.setattr(store, "entries", counted)
    return found


def feed_of(player: LocalPlayer) -> PlayerFeed:
    return PlayerFeed(player.kontor.queries, player.kontor.database, player.kontor.clock, player.caller)


def make_move(one: LocalPlayer, other: LocalPlayer, match_id: str) -> int:
    """Make a move for the player who is to act; return the version after it."""
    player = one if one.read_match(match_id).viewer in one.read_match(match_id).match.to_act else other
    return player.play(match_id).match.version


def versions_by_match(page: FeedPage) -> dict[str, list[int]]:
    return {found.match: [event.version for event in found.events] for found in page.events}


def versions(events: Sequence[Plain]) -> list[int]:
    return [event.version for event in events]


def test_cached_matches_are_not_read_again(
    players_and_match: tuple[LocalPlayer, LocalPlayer, str], reads: list[UUID]
) -> None:
    one, other, match_id = players_and_match
    before = one.read_match(match_id).match.version
    after = make_move(one, other, match_id)
    reads.clear()
    for _ in range(20):
        found = one.kontor.queries.events(one.caller, match_id, before, MANY, after)
        assert versions(found.events) == list(range(before + 1, after + 1))
    assert reads == []


def test_entries_of_another_process_are_read_once(
    players_and_match: tuple[LocalPlayer, LocalPlayer, str],
    new_process: Callable[..., Kontor],
    reads: list[UUID],
) -> None:
    one, other, match_id = players_and_match
    elsewhere = new_process()
    before = one.read_match(match_id).match.version
    after = make_move(one.at(elsewhere), other.at(elsewhere), match_id)
    reads.clear()
    for _ in range(20):
        found = one.kontor.queries.events(one.caller, match_id, before, MANY, after)
        assert versions(found.events) == list(range(before + 1, after + 1))
    assert reads == [UUID(match_id)]


def test_only_the_changed_matches_of_a_player_are_read(
    players_and_match: tuple[LocalPlayer, LocalPlayer, str], reads: list[UUID]
) -> None:
    one, other, match_id = players_and_match
    others = [start_match(one, other) for _ in range(5)]
    follow = feed_of(one)
    cursor = follow.begin()
    before = one.read_match(match_id).match.version
    after = make_move(one, other, match_id)
    reads.clear()
    page = follow.read_changed(cursor, MANY, {match_id: after})
    assert versions_by_match(page) == {match_id: list(range(before + 1, after + 1))}
    assert reads == []
    assert versions_by_match(follow.read(page.cursor, MANY)) == {}, "nothing is sent twice"
    assert set(map(UUID, others)) <= set(reads), "without a hint all matches are read"


def test_a_match_that_started_meanwhile_is_sent_from_its_beginning(
    players_and_match: tuple[LocalPlayer, LocalPlayer, str],
) -> None:
    one, other, _ = players_and_match
    follow = feed_of(one)
    cursor = follow.begin()
    begun = start_match(one, other)
    version = one.read_match(begun).match.version
    page = follow.read_changed(cursor, MANY, {begun: version})
    assert versions_by_match(page) == {begun: list(range(1, version + 1))}


def test_facts_beyond_the_limit_are_sent_on_the_next_page(
    players_and_match: tuple[LocalPlayer, LocalPlayer, str],
) -> None:
    one, other, match_id = players_and_match
    begun = start_match(one, other)
    follow = feed_of(one)
    cursor = follow.begin()
    changed = {match: make_move(one, other, match) for match in (match_id, begun)}
    first = follow.read_changed(cursor, 1, changed)
    assert sum(map(len, versions_by_match(first).values())) == 1
    rest = follow.read(first.cursor, MANY)
    whole = follow.read(cursor, MANY)
    both = {
        match: versions_by_match(first).get(match, []) + versions_by_match(rest).get(match, [])
        for match in changed
    }
    assert both == versions_by_match(whole)


def test_a_change_in_a_hidden_match_is_not_sent(
    players_and_match: tuple[LocalPlayer, LocalPlayer, str],
) -> None:
    one, _, _ = players_and_match
    stranger, partner = LocalPlayer(one.kontor), LocalPlayer(one.kontor)
    hidden = stranger.create(private=True)
    follow = feed_of(partner)
    assert versions_by_match(follow.read_changed(follow.begin(), MANY, {hidden: 1})) == {}


# --- the size of cursors ------------------------------------------------------------------------------------


def invite(invited: LocalPlayer, inviter: LocalPlayer, matches: int) -> list[str]:
    seat = SeatSpec("invited", player=invited.id)
    return [inviter.create(ME, seat) for _ in range(matches)]


@pytest.fixture
def invited_and_inviter(new_process: Callable[..., Kontor]) -> tuple[LocalPlayer, LocalPlayer]:
    """A player, and another who invites them."""
    kontor = new_process()
    accounts = (kontor.players.register(name, bot=False, key=None, body="") for name in ("Ann", "Ben"))
    one, other = (LocalPlayer(kontor, kontor.tokens.authenticate(made.token)) for made in accounts)
    return one, other


@pytest.fixture
def _short_cursors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limit, so that a dozen matches are too many for one cursor."""
    monkeypatch.setattr(player_feed, "MAX_BYTES", 200)


def test_an_invitation_to_300_matches_does_not_lengthen_the_cursor(
    invited_and_inviter: tuple[LocalPlayer, LocalPlayer],
) -> None:
    invited, inviter = invited_and_inviter
    feed = feed_of(invited)
    cursor = feed.begin()
    matches = invite(invited, inviter, 300)
    seen: dict[str, list[int]] = {}
    for _ in range(10):
        page = feed_of(invited).read(cursor, MANY)
        assert len(page.cursor) <= 3000
        for match, found in versions_by_match(page).items():
            seen.setdefault(match, []).extend(found)
        cursor = page.cursor
    assert seen == {match: [1, 2] for match in matches}
    last = matches[-1]
    inviter.abort(last)
    assert versions_by_match(feed_of(invited).read(cursor, MANY)) == {last: [3]}, (
        "the feed continues exactly where it was"
    )
    assert len(feed_of(invited).begin()) <= 3000


@pytest.mark.usefixtures("_short_cursors")
def test_the_same_positions_are_stored_once_and_old_ones_are_dropped(
    invited_and_inviter: tuple[LocalPlayer, LocalPlayer],
) -> None:
    invited, inviter = invited_and_inviter
    invite(invited, inviter, 12)
    assert len({feed_of(invited).begin() for _ in range(3)}) == 1
    cursor = feed_of(invited).begin()
    rows = invited.kontor.database.read("SELECT id FROM feed_positions WHERE player = ?", [invited.id])
    assert len(rows) == 1
    for _ in range(KEPT_ROWS + 2):
        invite(invited, inviter, 1)
        feed_of(invited).begin()
    rows = invited.kontor.database.read("SELECT id FROM feed_positions WHERE player = ?", [invited.id])
    assert len(rows) <= KEPT_ROWS + 1
    invited.kontor.database.write(("DELETE FROM feed_positions WHERE player = ?", [invited.id]))
    with pytest.raises(NotFoundError, match="too old, or not yours"):
        feed_of(invited).read(cursor, MANY)


@pytest.mark.usefixtures("_short_cursors")
def test_a_cursor_of_another_player_is_refused(invited_and_inviter: tuple[LocalPlayer, LocalPlayer]) -> None:
    invited, inviter = invited_and_inviter
    invite(invited, inviter, 12)
    with pytest.raises(NotFoundError, match="too old, or not yours"):
        feed_of(inviter).read(feed_of(invited).begin(), MANY)


def test_a_cursor_is_written_as_it_was_read(invited_and_inviter: tuple[LocalPlayer, LocalPlayer]) -> None:
    cursors = feed_of(invited_and_inviter[0]).cursors
    versions = {str(uuid4()): number for number in range(1, 400)}
    text = cursors.write(Cursor(5, dict(versions)))
    known = feed_of(invited_and_inviter[0]).cursors.read(text)
    assert (known.since, known.versions) == (5, versions)
    dropped, moved_on, new = *list(versions)[:2], str(uuid4())
    del known.versions[dropped]
    known.versions |= {moved_on: 1000, new: 7}
    again = feed_of(invited_and_inviter[0]).cursors.read(feed_of(invited_and_inviter[0]).cursors.write(known))
    assert again.versions == {**{m: v for m, v in versions.items() if m != dropped}, moved_on: 1000, new: 7}
    assert again.stored.id == known.stored.id, "only the differences are in the text"


@pytest.mark.parametrize("text", ["", "AAAAAAAAAAA", "Ag", "A" * 3000, "x" * 40])
def test_a_malformed_cursor_is_not_accepted(
    invited_and_inviter: tuple[LocalPlayer, LocalPlayer], text: str
) -> None:
    with pytest.raises(NotFoundError, match="not a cursor of this service"):
        feed_of(invited_and_inviter[0]).read(text, MANY)


@pytest.mark.usefixtures("_short_cursors")
def test_a_cursor_that_points_beyond_its_row_is_refused(
    invited_and_inviter: tuple[LocalPlayer, LocalPlayer],
) -> None:
    invited, inviter = invited_and_inviter
    invite(invited, inviter, 12)
    raw = urlsafe_b64decode(feed_of(invited).begin() + "==")
    forged = raw[:25] + (1).to_bytes(2) + (12).to_bytes(2) + (9).to_bytes(4)
    with pytest.raises(NotFoundError, match="not a cursor of this service"):
        feed_of(invited).read(urlsafe_b64encode(forged).decode().rstrip("="), MANY)


def test_a_cursor_holds_only_what_differs_from_the_stored_versions() -> None:
    ids = [str(uuid4()) for _ in range(5)]
    stored = StoredPositions(uuid4(), dict.fromkeys(ids, 7))

    def size(**changed: int) -> int:
        versions = {**stored.versions, **{ids[int(place[1:])]: version for place, version in changed.items()}}
        return len(Cursor(1, versions, stored).pack())

    same = size()
    assert size(_0=8) - same == size(_0=8, _1=9) - size(_0=8) == 6
    assert len(Cursor(1, {**stored.versions, str(uuid4()): 1}, stored).pack()) - same == 20
