"""The list of players: search by name, and who is online."""

from kontor_games.service.kontor import Kontor
from kontor_games.service.people.tokens import Caller
from tests.service.conftest import SettableClock
from tests.service.people.issuing import create


def register_player(kontor: Kontor, name: str, *, bot: bool = False) -> Caller:
    """Register a player, and authenticate them once."""
    token = kontor.players.register(name, bot=bot, key=None, body="").token
    return kontor.tokens.authenticate(token)


def names(
    kontor: Kontor, q: str | None = None, *, online: bool = False, bot: bool | None = None
) -> list[str | None]:
    page = kontor.directory.page(q, online=online, bot=bot, cursor=None, limit=50)
    return [one.player.name for one in page.players]


def test_players_are_found_by_the_beginning_of_their_names(service: Kontor) -> None:
    for name in ("Émile", "Emil", "emma", "Straße", "Zoë", "100%", "1_0"):
        register_player(service, name)
    assert names(service, "EM") == ["Emil", "emma"]
    assert names(service, "é") == ["Émile"]
    assert names(service, "STRASS") == ["Straße"]
    assert names(service, "100") == names(service, "100%") == ["100%"]
    assert names(service, "1_") == ["1_0"]
    assert names(service, "x") == []


def test_a_renamed_player_has_the_new_name_and_an_erased_one_none(service: Kontor) -> None:
    ann, ben = register_player(service, "Ann"), register_player(service, "Ben")
    service.players.rename(ann, "Zed")
    service.erase(ben)
    assert names(service) == ["Zed"]
    assert names(service, "a") == names(service, "b") == []


def test_pages_follow_each_other(service: Kontor) -> None:
    for number in range(5):
        register_player(service, f"Player {number % 2}")
    found, cursor = list[str](), None
    for _ in range(3):
        page = service.directory.page(None, online=False, bot=None, cursor=cursor, limit=2)
        found += [one.player.id for one in page.players]
        cursor = page.next
    assert cursor is None
    assert len(set(found)) == 5


def test_a_full_page_without_more_players_is_the_last(service: Kontor) -> None:
    for name in ("Ann", "Ben"):
        register_player(service, name)
    page = service.directory.page(None, online=False, bot=None, cursor=None, limit=2)
    assert ([one.player.name for one in page.players], page.next) == (["Ann", "Ben"], None)


def test_players_were_last_seen_at_their_last_call(service: Kontor, clock: SettableClock) -> None:
    ann, ben = register_player(service, "Ann"), register_player(service, "Ben")
    service.presence.write()
    first = clock.now
    clock.advance(1000)
    service.tokens.take_last_seen()
    service.tokens.authenticate(create(service, ann).text)
    service.presence.write()
    ids = [ann.player, ben.player, "stranger"]
    assert service.presence.last_seen(ids) == {ann.player: clock.now, ben.player: first}


def test_a_player_is_online_for_some_minutes_after_a_request(service: Kontor, clock: SettableClock) -> None:
    register_player(service, "Cem")
    service.tokens.take_last_seen()  # so that Cem does not count as online
    ann, _ = register_player(service, "Ann"), register_player(service, "R2", bot=True)
    assert names(service, online=True) == [], "requests alone write nothing"
    service.presence.write()
    assert names(service, online=True) == ["Ann", "R2"]
    assert names(service, online=True, bot=True) == ["R2"]
    page = service.directory.page(None, online=False, bot=None, cursor=None, limit=9)
    assert [(one.player.name, one.online) for one in page.players] == [
        ("Ann", True), ("Cem", False), ("R2", True),
    ]  # fmt: skip
    assert names(service, bot=False) == ["Ann", "Cem"]
    assert service.directory.is_online(ann.player)
    clock.advance(300_000)
    assert names(service, online=True) == []
    assert not service.directory.is_online(ann.player)


def test_a_player_with_an_open_stream_is_online(service: Kontor, clock: SettableClock) -> None:
    ann = register_player(service, "Ann")
    service.tokens.take_last_seen()
    close = service.streams.open("192.0.2.1", ann)
    clock.advance(3_600_000)
    service.presence.write()
    assert names(service, online=True) == ["Ann"]
    close()
    clock.advance(300_000)
    service.presence.write()
    assert names(service, online=True) == []
