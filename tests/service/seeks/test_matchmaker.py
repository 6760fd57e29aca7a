"""Seeks and the matchmaker, on both databases."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from kontor_games.domain.commands import Decline, Resign
from kontor_games.domain.matchmaking import drawn_seats
from kontor_games.service.errors import KeyReusedError, NotFoundError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.use_cases import Matches
from kontor_games.service.seeks.matchmaker import ABSENT_MS, ACCEPT_MS, AVOID_MS
from kontor_games.service.seeks.store import Seek
from kontor_games.service.seeks.use_cases import MAX_SEEKS, SeekOverError, SeekSpec, TooManySeeksError
from tests.service.conftest import SettableClock
from tests.service.ratings.test_projection import count_all, register_player
from tests.service.tables import LocalPlayer, start_match


def seek(player: LocalPlayer, key: str | None = None, body: str = "b", **more: Any) -> Seek:
    spec = SeekSpec(**{"game": "fair", "seats": 2, **more})
    return player.kontor.seeks.create(player.call(key, body), spec).seek


def reload(player: LocalPlayer, made: Seek) -> Seek:
    return player.kontor.seeks.get(player.caller, made.id)


def hold_streams(service: Kontor, *players: LocalPlayer) -> None:
    """Open a stream for each player, and store that they are online."""
    for player in players:
        service.streams.open("127.0.0.1", player.caller)
    service.presence.write()


def invited(player: LocalPlayer) -> list[str]:
    return player.kontor.queries.of_player(player.id)


@pytest.fixture
def step(service: Kontor) -> Callable[[], int]:
    return service.matchmaker().step


@pytest.fixture
def three_players(service: Kontor) -> list[LocalPlayer]:
    return [register_player(service, name) for name in ("Ann", "Ben", "Cem")]


def test_two_equal_seeks_lead_to_one_match(
    service: Kontor, step: Callable[[], int], three_players: list[LocalPlayer]
) -> None:
    ann, ben, _ = three_players
    clock = {"kind": "per_move", "ms": 60_000}
    first = seek(ann, clock=clock, rated=True)
    assert step() == 0
    second = seek(ben, clock=clock, rated=True)
    assert step() == 1
    (match_id,) = invited(ann)
    assert invited(ben) == [match_id]
    assert [
        (reload(player, made).status, reload(player, made).match_id)
        for player, made in ((ann, first), (ben, second))
    ] == [("offered", match_id)] * 2
    created = ann.read_match(match_id).match.created
    assert (created.rated, created.clock.ms, created.creator) == (True, 60_000, "house")
    assert step() == 0
    for player in (ann, ben):
        player.join(match_id)
    step()
    assert {reload(ann, first).status, reload(ben, second).status} == {"matched"}


@pytest.mark.parametrize(
    "other",
    [
        {"seats": 3},
        {"clock": {"kind": "bank", "ms": 60_000}},
        {"rated": True},
        {"on_timeout": "forfeit"},
        {"opponents": "programs"},
    ],
)
def test_different_seeks_are_not_paired(
    step: Callable[[], int], three_players: list[LocalPlayer], other: dict[str, Any]
) -> None:
    seek(three_players[0])
    seek(three_players[1], **other)
    assert step() == 0


def test_terms_with_defaults_written_out_are_equal_to_terms_without_them(
    step: Callable[[], int], three_players: list[LocalPlayer]
) -> None:
    seek(three_players[0])
    seek(three_players[1], clock={"kind": "none", "ms": 0, "increment_ms": 0}, options={})
    assert step() == 1


def test_rated_seeks_pair_people_with_people_and_programs_with_programs(
    service: Kontor, step: Callable[[], int], three_players: list[LocalPlayer]
) -> None:
    robot = register_player(service, "R2", is_bot=True)
    assert (seek(three_players[0], rated=True).opponents, seek(robot, rated=True).opponents) == (
        "people",
        "programs",
    )
    assert step() == 0
    seek(three_players[1])
    seek(robot)
    assert step() == 1


def test_players_with_different_ratings_are_paired_only_after_a_while(
    service: Kontor, clock: SettableClock, step: Callable[[], int], three_players: list[LocalPlayer]
) -> None:
    ann, ben, cem = three_players
    for _ in range(8):
        ben.do(start_match(ann, ben, rated=True), Resign())
        clock.advance(1)
    count_all(service)
    strong, weak = seek(ann), seek(ben)
    assert step() == 0, "too far apart at first"
    clock.advance(120_000)
    hold_streams(service, ann, ben)
    assert step() == 1
    assert {reload(ann, strong).status, reload(ben, weak).status} == {"offered"}
    seek(cem)
    assert step() == 0


def test_declining_ends_a_seek_and_the_other_seek_continues(
    clock: SettableClock, step: Callable[[], int], three_players: list[LocalPlayer]
) -> None:
    ann, ben, cem = three_players
    first = seek(ann)
    clock.advance(1)
    second = seek(ben)
    step()
    (match_id,) = invited(ann)
    ann.join(match_id)
    ben.do(match_id, Decline())
    assert step() == 0
    assert (reload(ann, first).status, reload(ben, second).status) == ("waiting", "declined")
    assert (ann.read_match(match_id).match.status, reload(ann, first).created_at) == (
        "aborted",
        first.created_at,
    )
    again = seek(ben)
    assert step() == 0, "they have just been declined"
    seek(cem)
    assert step() == 1
    assert reload(ann, first).status == "offered"
    clock.advance(AVOID_MS)
    assert reload(ben, again).status == "waiting"


def test_a_seek_ends_if_its_player_does_not_join_within_a_minute(
    clock: SettableClock, step: Callable[[], int], three_players: list[LocalPlayer]
) -> None:
    ann, ben, _ = three_players
    first, second = seek(ann), seek(ben)
    step()
    ann.join(invited(ann)[0])
    clock.advance(ACCEPT_MS - 1)
    step()
    assert reload(ben, second).status == "offered"
    clock.advance(1)
    step()
    assert (reload(ann, first).status, reload(ben, second).status) == ("waiting", "missed")


def test_a_seek_ends_soon_after_its_player_has_left(
    service: Kontor, clock: SettableClock, step: Callable[[], int], three_players: list[LocalPlayer]
) -> None:
    ann, ben, cem = three_players
    left, stays = seek(ann), seek(ben, game="fair", seats=3)
    clock.advance(ABSENT_MS - 1)
    step()
    assert reload(ann, left).status == "waiting"
    hold_streams(service, ben)
    clock.advance(1)
    again = seek(cem)
    assert step() == 0, "the other player has left"
    assert [reload(player, made).status for player, made in ((ann, left), (ben, stays), (cem, again))] == [
        *("expired", "waiting", "waiting")
    ]


def test_an_outage_of_the_service_does_not_make_players_absent(
    service: Kontor, clock: SettableClock, step: Callable[[], int], three_players: list[LocalPlayer]
) -> None:
    waits = seek(three_players[0])
    clock.advance(ABSENT_MS)
    service.database.write(("INSERT INTO outages VALUES (?, ?)", (clock.now - 50_000, clock.now - 1)))
    service.outages.read()
    step()
    assert reload(three_players[0], waits).status == "waiting"


def test_a_seek_expires_and_is_forgotten(
    clock: SettableClock, step: Callable[[], int], three_players: list[LocalPlayer]
) -> None:
    ann, ben, _ = three_players
    old = seek(ann, lifetime_ms=10_000)
    clock.advance(10_000)
    seek(ben)
    assert step() == 0
    assert reload(ann, old).status == "expired"
    clock.advance(24 * 3600 * 1000)
    step()
    with pytest.raises(NotFoundError):
        reload(ann, old)


def test_a_cancelled_seek_is_not_paired(step: Callable[[], int], three_players: list[LocalPlayer]) -> None:
    ann, ben, _ = three_players
    first, second = seek(ann), seek(ben)
    for _ in range(2):
        assert ann.kontor.seeks.cancel(ann.caller, first.id).status == "cancelled"
    assert step() == 0
    with pytest.raises(NotFoundError):
        ann.kontor.seeks.cancel(ann.caller, second.id)
    seek(ann)
    step()
    with pytest.raises(SeekOverError, match="offered"):
        ben.kontor.seeks.cancel(ben.caller, second.id)


def test_a_repeated_request_makes_one_seek(three_players: list[LocalPlayer]) -> None:
    ann = three_players[0]
    assert seek(ann, key="k") == seek(ann, key="k")
    assert len(ann.kontor.seeks.of_caller(ann.caller)) == 1
    with pytest.raises(KeyReusedError):
        seek(ann, key="k", body="other", seats=3)


def test_a_player_has_a_limited_number_of_seeks(three_players: list[LocalPlayer]) -> None:
    made = [seek(three_players[0]) for _ in range(MAX_SEEKS)]
    with pytest.raises(TooManySeeksError):
        seek(three_players[0])
    three_players[0].kontor.seeks.cancel(three_players[0].caller, made[0].id)
    seek(three_players[0])


def test_nobody_is_paired_with_themselves_or_twice(
    step: Callable[[], int], three_players: list[LocalPlayer]
) -> None:
    for player in (three_players[0], three_players[0], three_players[0], three_players[1]):
        seek(player)
    assert step() == 1
    assert len(invited(three_players[0])) == len(invited(three_players[1])) == 1


def test_several_processes_create_each_match_once(
    service: Kontor, serve: Callable[..., Kontor], clock: SettableClock
) -> None:
    players = [register_player(service, f"P{number}") for number in range(8)]
    for player in players:
        seek(player)
    makers = [service.matchmaker(), serve(service.settings.database_url).matchmaker()]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda maker: maker.step(), makers))
    makers[0].step()
    assert [len(invited(player)) for player in players] == [1] * 8
    rows = service.database.read("SELECT COUNT(*) AS count FROM matches")
    assert rows[0]["count"] == 4


def test_the_secret_of_a_match_decides_its_seats(
    service: Kontor,
    step: Callable[[], int],
    three_players: list[LocalPlayer],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not the ids of seeks, which follow from keys that players choose."""
    ann, ben, _ = three_players
    found: set[tuple[str, tuple[str | None, ...]]] = set()
    for number in range(8):
        secret = f"{number:064x}"
        monkeypatch.setattr("secrets.token_hex", lambda _, secret=secret: secret)
        seek(ann, f"ann-{number}")
        seek(ben, f"ben-{number}")
        step()
        (match_id,) = set(invited(ann)) - {one for one, _ in found}
        created = ann.read_match(match_id).match.created
        players = [plan.player for plan in created.seats]
        assert players == drawn_seats(created.server_secret, [ann.id, ben.id])
        found.add((match_id, tuple(players)))
        for player in (ann, ben):
            player.join(match_id)
        step()
    assert {players for _, players in found} == {(ann.id, ben.id), (ben.id, ann.id)}


def test_a_match_that_was_planned_but_not_created_is_created_by_the_next_process(
    service: Kontor,
    step: Callable[[], int],
    three_players: list[LocalPlayer],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann, ben, _ = three_players
    seek(ann)
    seek(ben)
    dying = service.matchmaker()
    monkeypatch.setattr(dying, "_create", lambda *_: None)
    assert dying.step() == 1
    assert invited(ann) == []
    step()
    assert invited(ann) == invited(ben) != []


def test_the_seek_of_a_deleted_account_is_cancelled(
    service: Kontor, step: Callable[[], int], three_players: list[LocalPlayer]
) -> None:
    made = seek(three_players[0])
    service.erase(three_players[0].caller)
    seek(three_players[1])
    assert step() == 0
    assert reload(three_players[0], made).status == "cancelled"


def test_a_match_is_offered_only_once_it_exists(
    service: Kontor,
    step: Callable[[], int],
    three_players: list[LocalPlayer],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann, ben, _ = three_players
    seeks = {player: seek(player) for player in (ann, ben)}
    seen: list[tuple[str, str | None]] = []
    announce = Matches.announce

    def look_first(*arguments: Any, **more: Any) -> Any:
        for player, made in seeks.items():
            shown = reload(player, made)
            seen.append((shown.status, shown.match_id))
            with pytest.raises(SeekOverError, match="The seek is offered"):
                player.kontor.seeks.cancel(player.caller, made.id)
        return announce(*arguments, **more)

    monkeypatch.setattr(Matches, "announce", look_first)
    assert step() == 1
    assert seen == [("waiting", None), ("waiting", None)]
    assert reload(ann, seeks[ann]).status == "offered"
    assert invited(ann) == [reload(ann, seeks[ann]).match_id]
