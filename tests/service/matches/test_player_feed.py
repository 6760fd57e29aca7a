"""Who follows matches is told everything once; the store is read only for what this process does not hold yet."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import pytest

from kontor_games.domain.codec import Plain
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.player_feed import Following, News
from tests.service.tables import Guest, table

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


def following(guest: Guest) -> Following:
    return Following(guest.kontor.queries, guest.kontor.database, guest.kontor.clock)


def moved(one: Guest, other: Guest, match_id: str) -> int:
    """Whoever is waited for moves; the version after it."""
    player = one if one.look(match_id).viewer in one.look(match_id).match.to_act else other
    return player.play(match_id).match.version


def told(news: News) -> dict[str, list[int]]:
    return {found.match: [event.version for event in found.events] for found in news.events}


def versions(events: Sequence[Plain]) -> list[int]:
    return [event.version for event in events]


def test_what_this_process_holds_is_not_read_again(
    at_table: tuple[Guest, Guest, str], reads: list[UUID]
) -> None:
    one, other, match_id = at_table
    before = one.look(match_id).match.version
    after = moved(one, other, match_id)
    reads.clear()
    for _ in range(20):
        found = one.kontor.queries.events(one.who, match_id, before, MANY, after)
        assert versions(found.events) == list(range(before + 1, after + 1))
    assert reads == []


def test_what_another_process_stored_is_read_once(
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


def test_of_all_my_matches_only_the_changed_ones_are_looked_at(
    at_table: tuple[Guest, Guest, str], reads: list[UUID]
) -> None:
    one, other, match_id = at_table
    others = [table(one, other) for _ in range(5)]
    follow = following(one)
    cursor = follow.begin(one.who)
    before = one.look(match_id).match.version
    after = moved(one, other, match_id)
    reads.clear()
    news = follow.news_of(one.who, cursor, MANY, {match_id: after})
    assert told(news) == {match_id: list(range(before + 1, after + 1))}
    assert reads == []
    assert told(follow.news(one.who, news.cursor, MANY)) == {}, "nothing is told twice"
    assert set(map(UUID, others)) <= set(reads), "who looks for themselves looks everywhere"


def test_a_match_that_began_meanwhile_is_told_from_its_beginning(at_table: tuple[Guest, Guest, str]) -> None:
    one, other, _ = at_table
    follow = following(one)
    cursor = follow.begin(one.who)
    begun = table(one, other)
    version = one.look(begun).match.version
    news = follow.news_of(one.who, cursor, MANY, {begun: version})
    assert told(news) == {begun: list(range(1, version + 1))}


def test_what_does_not_fit_is_told_the_next_time(at_table: tuple[Guest, Guest, str]) -> None:
    one, other, match_id = at_table
    begun = table(one, other)
    follow = following(one)
    cursor = follow.begin(one.who)
    changed = {match: moved(one, other, match) for match in (match_id, begun)}
    first = follow.news_of(one.who, cursor, 1, changed)
    assert sum(map(len, told(first).values())) == 1
    rest = follow.news(one.who, first.cursor, MANY)
    whole = follow.news(one.who, cursor, MANY)
    both = {match: told(first).get(match, []) + told(rest).get(match, []) for match in changed}
    assert both == told(whole)


def test_a_change_in_a_match_that_is_not_mine_to_see_tells_nothing(
    at_table: tuple[Guest, Guest, str],
) -> None:
    one, _, _ = at_table
    stranger, partner = Guest(one.kontor), Guest(one.kontor)
    hidden = stranger.create(private=True)
    follow = following(partner)
    assert told(follow.news_of(partner.who, follow.begin(partner.who), MANY, {hidden: 1})) == {}
