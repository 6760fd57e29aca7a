"""Seeks and the matchmaker, on both databases."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from kontor_games.domain.commands import Decline, Resign
from kontor_games.service.errors import KeyReusedError, NotFoundError
from kontor_games.service.kontor import Kontor
from kontor_games.service.seeks.matchmaker import ABSENT_MS, ACCEPT_MS, AVOID_MS
from kontor_games.service.seeks.store import Seek
from kontor_games.service.seeks.use_cases import MOST_SEEKS, SeekOverError, SeekSpec, TooManySeeksError
from tests.service.conftest import SettableClock
from tests.service.ratings.test_projection import account, counted
from tests.service.tables import Guest, table


def seek(guest: Guest, key: str | None = None, body: str = "b", **more: Any) -> Seek:
    spec = SeekSpec(**{"game": "fair", "seats": 2, **more})
    return guest.kontor.seeks.create(guest.call(key, body), spec).seek


def now(guest: Guest, made: Seek) -> Seek:
    return guest.kontor.seeks.get(guest.who, made.id)


def hold_streams(service: Kontor, *guests: Guest) -> None:
    """Let players hold a stream, and have it written down."""
    for guest in guests:
        service.streams.open("127.0.0.1", guest.who)
    service.presence.write()


def invited(guest: Guest) -> list[str]:
    return guest.kontor.queries.of_player(guest.id)


@pytest.fixture
def step(service: Kontor) -> Callable[[], int]:
    return service.matchmaker().step


@pytest.fixture
def trio(service: Kontor) -> list[Guest]:
    return [account(service, name) for name in ("Ann", "Ben", "Cem")]


def test_two_equal_seeks_lead_to_one_match(
    service: Kontor, step: Callable[[], int], trio: list[Guest]
) -> None:
    ann, ben, _ = trio
    clock = {"kind": "per_move", "ms": 60_000}
    first = seek(ann, clock=clock, rated=True)
    assert step() == 0
    second = seek(ben, clock=clock, rated=True)
    assert step() == 1
    (match_id,) = invited(ann)
    assert invited(ben) == [match_id]
    assert [
        (now(guest, made).status, now(guest, made).match_id) for guest, made in ((ann, first), (ben, second))
    ] == [("offered", match_id)] * 2
    created = ann.look(match_id).match.created
    assert (created.rated, created.clock.ms, created.creator) == (True, 60_000, "house")
    assert step() == 0
    for guest in (ann, ben):
        guest.join(match_id)
    step()
    assert {now(ann, first).status, now(ben, second).status} == {"matched"}


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
    step: Callable[[], int], trio: list[Guest], other: dict[str, Any]
) -> None:
    seek(trio[0])
    seek(trio[1], **other)
    assert step() == 0


def test_terms_with_defaults_written_out_are_equal_to_terms_without_them(
    step: Callable[[], int], trio: list[Guest]
) -> None:
    seek(trio[0])
    seek(trio[1], clock={"kind": "none", "ms": 0, "increment_ms": 0}, options={})
    assert step() == 1


def test_rated_seeks_pair_people_with_people_and_programs_with_programs(
    service: Kontor, step: Callable[[], int], trio: list[Guest]
) -> None:
    robot = account(service, "R2", is_bot=True)
    assert (seek(trio[0], rated=True).opponents, seek(robot, rated=True).opponents) == ("people", "programs")
    assert step() == 0
    seek(trio[1])
    seek(robot)
    assert step() == 1


def test_players_with_different_ratings_are_paired_only_after_a_while(
    service: Kontor, clock: SettableClock, step: Callable[[], int], trio: list[Guest]
) -> None:
    ann, ben, cem = trio
    for _ in range(8):
        ben.do(table(ann, ben, rated=True), Resign())
        clock.pass_by(1)
    counted(service)
    strong, weak = seek(ann), seek(ben)
    assert step() == 0, "too far apart at first"
    clock.pass_by(120_000)
    hold_streams(service, ann, ben)
    assert step() == 1
    assert {now(ann, strong).status, now(ben, weak).status} == {"offered"}
    seek(cem)
    assert step() == 0


def test_declining_ends_a_seek_and_the_other_seek_continues(
    clock: SettableClock, step: Callable[[], int], trio: list[Guest]
) -> None:
    ann, ben, cem = trio
    first = seek(ann)
    clock.pass_by(1)
    second = seek(ben)
    step()
    (match_id,) = invited(ann)
    ann.join(match_id)
    ben.do(match_id, Decline())
    assert step() == 0
    assert (now(ann, first).status, now(ben, second).status) == ("waiting", "declined")
    assert (ann.look(match_id).match.status, now(ann, first).created_at) == ("aborted", first.created_at)
    again = seek(ben)
    assert step() == 0, "they were just declined"
    seek(cem)
    assert step() == 1
    assert now(ann, first).status == "offered"
    clock.pass_by(AVOID_MS)
    assert now(ben, again).status == "waiting"


def test_a_seek_ends_if_its_player_does_not_join_within_a_minute(
    clock: SettableClock, step: Callable[[], int], trio: list[Guest]
) -> None:
    ann, ben, _ = trio
    first, second = seek(ann), seek(ben)
    step()
    ann.join(invited(ann)[0])
    clock.pass_by(ACCEPT_MS - 1)
    step()
    assert now(ben, second).status == "offered"
    clock.pass_by(1)
    step()
    assert (now(ann, first).status, now(ben, second).status) == ("waiting", "missed")


def test_a_seek_ends_soon_after_its_player_has_left(
    service: Kontor, clock: SettableClock, step: Callable[[], int], trio: list[Guest]
) -> None:
    ann, ben, cem = trio
    left, stays = seek(ann), seek(ben, game="fair", seats=3)
    clock.pass_by(ABSENT_MS - 1)
    step()
    assert now(ann, left).status == "waiting"
    hold_streams(service, ben)
    clock.pass_by(1)
    again = seek(cem)
    assert step() == 0, "there is nobody any more for the one who comes now"
    assert [now(guest, made).status for guest, made in ((ann, left), (ben, stays), (cem, again))] == [
        *("expired", "waiting", "waiting")
    ]


def test_an_outage_of_the_service_does_not_make_players_absent(
    service: Kontor, clock: SettableClock, step: Callable[[], int], trio: list[Guest]
) -> None:
    waits = seek(trio[0])
    clock.pass_by(ABSENT_MS)
    service.database.write(("INSERT INTO outages VALUES (?, ?)", (clock.now - 50_000, clock.now - 1)))
    service.outages.read()
    step()
    assert now(trio[0], waits).status == "waiting"


def test_a_seek_expires_and_is_forgotten(
    clock: SettableClock, step: Callable[[], int], trio: list[Guest]
) -> None:
    ann, ben, _ = trio
    old = seek(ann, lifetime_ms=10_000)
    clock.pass_by(10_000)
    seek(ben)
    assert step() == 0
    assert now(ann, old).status == "expired"
    clock.pass_by(24 * 3600 * 1000)
    step()
    with pytest.raises(NotFoundError):
        now(ann, old)


def test_a_cancelled_seek_is_not_paired(step: Callable[[], int], trio: list[Guest]) -> None:
    ann, ben, _ = trio
    first, second = seek(ann), seek(ben)
    for _ in range(2):
        assert ann.kontor.seeks.cancel(ann.who, first.id).status == "cancelled"
    assert step() == 0
    with pytest.raises(NotFoundError):
        ann.kontor.seeks.cancel(ann.who, second.id)
    seek(ann)
    step()
    with pytest.raises(SeekOverError, match="offered"):
        ben.kontor.seeks.cancel(ben.who, second.id)


def test_a_repeated_request_makes_one_seek(trio: list[Guest]) -> None:
    ann = trio[0]
    assert seek(ann, key="k") == seek(ann, key="k")
    assert len(ann.kontor.seeks.mine(ann.who)) == 1
    with pytest.raises(KeyReusedError):
        seek(ann, key="k", body="other", seats=3)


def test_a_player_has_a_limited_number_of_seeks(trio: list[Guest]) -> None:
    made = [seek(trio[0]) for _ in range(MOST_SEEKS)]
    with pytest.raises(TooManySeeksError):
        seek(trio[0])
    trio[0].kontor.seeks.cancel(trio[0].who, made[0].id)
    seek(trio[0])


def test_nobody_is_paired_with_themselves_or_twice(step: Callable[[], int], trio: list[Guest]) -> None:
    for guest in (trio[0], trio[0], trio[0], trio[1]):
        seek(guest)
    assert step() == 1
    assert len(invited(trio[0])) == len(invited(trio[1])) == 1


def test_several_processes_create_each_match_once(
    service: Kontor, serve: Callable[..., Kontor], clock: SettableClock
) -> None:
    guests = [account(service, f"P{number}") for number in range(8)]
    for guest in guests:
        seek(guest)
    makers = [service.matchmaker(), serve(service.settings.database_url).matchmaker()]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda maker: maker.step(), makers))
    makers[0].step()
    assert [len(invited(guest)) for guest in guests] == [1] * 8
    rows = service.database.read("SELECT COUNT(*) AS count FROM matches")
    assert rows[0]["count"] == 4


def test_a_match_that_was_planned_but_not_created_is_created_by_the_next_process(
    service: Kontor, step: Callable[[], int], trio: list[Guest], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, _ = trio
    seek(ann)
    seek(ben)
    dying = service.matchmaker()
    monkeypatch.setattr(dying, "_create", lambda *_: None)
    assert dying.step() == 1
    assert invited(ann) == []
    step()
    assert invited(ann) == invited(ben) != []


def test_the_seek_of_a_deleted_account_is_cancelled(
    service: Kontor, step: Callable[[], int], trio: list[Guest]
) -> None:
    made = seek(trio[0])
    service.erase(trio[0].who)
    seek(trio[1])
    assert step() == 0
    assert now(trio[0], made).status == "cancelled"
