"""Lists of matches: who sees which, and pages without repetitions and gaps."""

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
from tests.service.tables import ME, OPEN, LocalPlayer, bot, play_to_the_end, start_match


@pytest.fixture
def kontor(store_url: str, serve: Callable[..., Kontor]) -> Kontor:
    """A service on an empty database."""
    return serve(store_url)


def listed(kontor: Kontor, who: Caller | None = None, limit: int = 100, **filters: Any) -> list[str]:
    """Return the ids of the matches on all pages."""
    found, cursor = list[str](), None
    while True:
        page = kontor.queries.page(who, cursor, limit, **filters)
        assert len(page.matches) <= limit
        found += [look.id for look in page.matches]
        cursor = page.next
        if cursor is None:
            return found


def test_the_newest_match_comes_first(kontor: Kontor, clock: SettableClock) -> None:
    player = LocalPlayer(kontor)
    made = []
    for _ in range(3):
        made.append(player.create())
        clock.advance(1)
    assert listed(kontor) == made[::-1]


def test_lists_are_narrowed_by_game_status_and_player(kontor: Kontor) -> None:
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    waiting = one.create(ME, OPEN)
    running = start_match(one, other)
    over = start_match(other, one)
    other.at(kontor).do(over, Abort())
    assert set(listed(kontor, status="open")) == {waiting}
    assert set(listed(kontor, status="running")) == {running}
    assert set(listed(kontor, status="aborted", game="fair")) == {over}
    assert set(listed(kontor, player=other.id)) == {running, over}
    assert listed(kontor, game="chess") == []


def test_pages_neither_repeat_nor_omit_matches_while_new_ones_arrive(
    kontor: Kontor, clock: SettableClock
) -> None:
    player = LocalPlayer(kontor)
    made = []
    for number in range(23):
        made.append(player.create())
        clock.advance(number % 3 == 0)  # some have the same time of creation
    seen, cursor = list[str](), None
    while True:
        page = kontor.queries.page(None, cursor, 5)
        seen += [look.id for look in page.matches]
        cursor = page.next
        if cursor is None:
            break
        clock.advance(1)
        player.create()
    assert len(seen) == len(set(seen))
    assert set(seen) == set(made)


def test_a_page_that_fits_exactly_is_the_last(kontor: Kontor) -> None:
    player = LocalPlayer(kontor)
    for _ in range(4):
        player.create()
    assert kontor.queries.page(None, None, 4).next is None


def test_private_matches_are_listed_for_their_players(kontor: Kontor) -> None:
    ada = kontor.players.register("Ada", bot=False, key=None, body="")
    player, creator, stranger = (
        LocalPlayer(kontor, kontor.tokens.authenticate(ada.token)),
        LocalPlayer(kontor),
        LocalPlayer(kontor),
    )
    match_id = creator.create(OPEN, OPEN, SeatSpec("invited", player=player.id), private=True)
    assert listed(kontor, creator.caller) == listed(kontor, player.caller) == [match_id]
    assert listed(kontor, stranger.caller) == listed(kontor) == []
    assert listed(kontor, stranger.caller, player=player.id) == []


def test_a_player_who_leaves_a_private_match_no_longer_sees_it(kontor: Kontor) -> None:
    creator, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = creator.create(ME, OPEN, OPEN)
    other.join(match_id)
    assert listed(kontor, player=other.id) == [match_id]
    other.at(kontor).do(match_id, Leave())
    assert listed(kontor, player=other.id) == []
    assert kontor.queries.of_player(other.id) == []


def test_a_list_includes_moves_made_in_another_process(store_url: str, serve: Callable[..., Kontor]) -> None:
    here, elsewhere = serve(store_url), serve(store_url)
    one, other = LocalPlayer(here), LocalPlayer(elsewhere)
    match_id = start_match(one, other)
    listed(here)
    other.play(match_id)
    version = other.read_match(match_id).match.version
    assert [look.version for look in here.queries.page(None, None, 10).matches] == [version]


def test_a_list_does_not_fill_the_match_cache(store_url: str, serve: Callable[..., Kontor]) -> None:
    writer, reader = serve(store_url), serve(store_url)
    made = [LocalPlayer(writer).create() for _ in range(3)]
    assert set(listed(reader)) == set(made)
    assert [reader.cache.get_cached(UUID(match_id)) for match_id in made] == [None] * 3


def test_a_list_loads_an_ended_match_once_and_a_running_one_each_time(
    serve: Callable[..., Kontor], store_url: str
) -> None:
    writer, reader = serve(store_url), serve(store_url)
    one, other = LocalPlayer(writer), LocalPlayer(writer)
    ended, running = start_match(one, other), start_match(one, other)
    play_to_the_end(ended, one, other)
    before = reader.queries.page(None, None, 10).matches
    one.play(running)
    entries = reader.store.entries
    loaded: list[UUID] = []
    reader.store.entries = lambda match, **more: loaded.append(match) or entries(match, **more)  # type: ignore[func-returns-value,method-assign]
    after = reader.queries.page(None, None, 10).matches
    assert loaded == [UUID(running)]
    assert {match.id: match.version for match in after} == {
        match.id: match.version + (match.id == running) for match in before
    }


@pytest.mark.parametrize(
    "cursor", ["", "!", "AAAA", "MTIz", "MTIzIGFiYw", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5IGE", "MSAA", "é"]
)
def test_a_malformed_cursor_is_refused(new_process: Callable[..., Kontor], cursor: str) -> None:
    with pytest.raises(NotFoundError, match="not a cursor of this service"):
        new_process().queries.page(None, cursor, 10)


def test_matches_with_bots_and_with_clocks_are_found_by_their_workers(kontor: Kontor) -> None:
    player = LocalPlayer(kontor)
    with_bot = player.create(ME, bot())
    with_clock = player.create(ME, OPEN, clock={"kind": "per_move", "ms": 1000})
    player.create()
    assert [str(found) for found in kontor.house.running("bots", {})] == [with_bot]
    assert [str(found) for found in kontor.house.running("clock", {})] == [with_clock]
