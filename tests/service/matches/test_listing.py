"""Lists of matches: who sees what, and pages that neither repeat nor leave out."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from kontor_games.domain.commands import Abort, Leave
from kontor_games.service.errors import NotFoundError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.match_spec import SeatSpec
from kontor_games.service.people.tokens import Caller
from tests.service.conftest import SettableClock
from tests.service.tables import ME, OPEN, Guest, bot, table


@pytest.fixture
def kontor(store_url: str, serve: Callable[..., Kontor]) -> Kontor:
    """An empty list to begin with."""
    return serve(store_url)


def listed(kontor: Kontor, who: Caller | None = None, limit: int = 100, **wanted: Any) -> list[str]:
    """All pages, one after the other."""
    found, cursor = list[str](), None
    while True:
        page = kontor.queries.page(
            who, wanted.get("game"), wanted.get("status"), wanted.get("player"), cursor, limit
        )
        assert len(page.matches) <= limit
        found += [look.id for look in page.matches]
        cursor = page.next
        if cursor is None:
            return found


def test_the_newest_match_comes_first(kontor: Kontor, clock: SettableClock) -> None:
    guest = Guest(kontor)
    made = []
    for _ in range(3):
        made.append(guest.create())
        clock.pass_by(1)
    assert listed(kontor) == made[::-1]


def test_lists_are_narrowed_by_game_status_and_player(kontor: Kontor) -> None:
    one, other = Guest(kontor), Guest(kontor)
    waiting = one.create(ME, OPEN)
    running = table(one, other)
    over = table(other, one)
    other.at(kontor).do(over, Abort())
    assert set(listed(kontor, status="open")) == {waiting}
    assert set(listed(kontor, status="running")) == {running}
    assert set(listed(kontor, status="aborted", game="fair")) == {over}
    assert set(listed(kontor, player=other.id)) == {running, over}
    assert listed(kontor, game="chess") == []


def test_pages_neither_repeat_nor_omit_matches_while_new_ones_arrive(
    kontor: Kontor, clock: SettableClock
) -> None:
    guest = Guest(kontor)
    made = []
    for number in range(23):
        made.append(guest.create())
        clock.pass_by(number % 3 == 0)  # so that some share their moment
    seen, cursor = list[str](), None
    while True:
        page = kontor.queries.page(None, None, None, None, cursor, 5)
        seen += [look.id for look in page.matches]
        cursor = page.next
        if cursor is None:
            break
        clock.pass_by(1)
        guest.create()
    assert len(seen) == len(set(seen))
    assert set(seen) == set(made)


def test_a_page_that_fits_exactly_is_the_last(kontor: Kontor) -> None:
    guest = Guest(kontor)
    for _ in range(4):
        guest.create()
    assert kontor.queries.page(None, None, None, None, None, 4).next is None


def test_private_matches_are_listed_for_their_players(kontor: Kontor) -> None:
    ada = kontor.players.register("Ada", bot=False, key=None, body="")
    guest, creator, stranger = (
        Guest(kontor, kontor.tokens.authenticate(ada.token)),
        Guest(kontor),
        Guest(kontor),
    )
    match_id = creator.create(OPEN, OPEN, SeatSpec("invited", player=guest.id), private=True)
    assert listed(kontor, creator.who) == listed(kontor, guest.who) == [match_id]
    assert listed(kontor, stranger.who) == listed(kontor) == []
    assert listed(kontor, stranger.who, player=guest.id) == []


def test_a_player_who_leaves_a_private_match_no_longer_sees_it(kontor: Kontor) -> None:
    creator, other = Guest(kontor), Guest(kontor)
    match_id = creator.create(ME, OPEN, OPEN)
    other.join(match_id)
    assert listed(kontor, player=other.id) == [match_id]
    other.at(kontor).do(match_id, Leave())
    assert listed(kontor, player=other.id) == []
    assert kontor.queries.of_player(other.id) == []


def test_a_list_includes_moves_made_in_another_process(store_url: str, serve: Callable[..., Kontor]) -> None:
    here, elsewhere = serve(store_url), serve(store_url)
    one, other = Guest(here), Guest(elsewhere)
    match_id = table(one, other)
    listed(here)
    other.play(match_id)
    version = other.look(match_id).match.version
    assert [look.version for look in here.queries.page(None, None, None, None, None, 10).matches] == [version]


def test_a_list_does_not_fill_the_match_cache(store_url: str, serve: Callable[..., Kontor]) -> None:
    writer, reader = serve(store_url), serve(store_url)
    made = [Guest(writer).create() for _ in range(3)]
    assert set(listed(reader)) == set(made)
    assert [reader.cache.get_cached(UUID(match_id)) for match_id in made] == [None] * 3


@pytest.mark.parametrize(
    "cursor", ["", "!", "AAAA", "MTIz", "MTIzIGFiYw", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5IGE", "MSAA", "é"]
)
def test_a_malformed_cursor_is_refused(hall: Callable[..., Kontor], cursor: str) -> None:
    with pytest.raises(NotFoundError, match="not a cursor of this service"):
        hall().queries.page(None, None, None, None, cursor, 10)


def test_matches_with_bots_and_with_clocks_are_found_by_their_workers(kontor: Kontor) -> None:
    guest = Guest(kontor)
    with_bot = guest.create(ME, bot())
    with_clock = guest.create(ME, OPEN, clock={"kind": "per_move", "ms": 1000})
    guest.create()
    assert [str(found) for found in kontor.house.running("bots")] == [with_bot]
    assert [str(found) for found in kontor.house.running("clock")] == [with_clock]
