"""Ladders as a projection of facts, on both databases."""

from itertools import permutations
from typing import Any

import pytest
from eventsourcing.persistence import IntegrityError

from kontor_games.domain.codec import MalformedError
from kontor_games.domain.commands import Resign
from kontor_games.domain.ladders import Ladder
from kontor_games.domain.match_refusals import OtherLadderError
from kontor_games.service.kontor import Kontor
from kontor_games.service.ratings.projection import _counted
from kontor_games.service.ratings.queries import LadderEntry
from tests.service.conftest import SettableClock
from tests.service.tables import ME, OPEN, Guest, bot, table

PEOPLE, PROGRAMS = Ladder("fair", "people"), Ladder("fair", "programs")
TABLES = ("ratings", "rating_points", "rated_matches")


def account(kontor: Kontor, name: str, *, is_bot: bool = False) -> Guest:
    token = kontor.players.register(name, bot=is_bot, key=None, body="").token
    return Guest(kontor, kontor.tokens.authenticate(token))


def won(winner: Guest, loser: Guest, **more: Any) -> str:
    """A rated match of two that the loser has given up."""
    match_id = table(winner, loser, **{"rated": True, **more})
    loser.do(match_id, Resign())
    return match_id


def figures(kontor: Kontor) -> dict[str, list[dict[str, Any]]]:
    """Everything that the projection holds."""
    rows = {
        name: kontor.database.read(f"SELECT * FROM {name}")  # noqa: S608
        for name in TABLES
    }
    return {name: sorted(found, key=str) for name, found in rows.items()}


def counted(kontor: Kontor) -> dict[str, list[dict[str, Any]]]:
    while kontor.rating_projection.count_new():
        pass
    return figures(kontor)


def listed(kontor: Kontor, ladder: Ladder = PEOPLE) -> list[LadderEntry]:
    return list(kontor.ratings.page(*ladder, None, 50).entries)


@pytest.fixture
def trio(service: Kontor) -> list[Guest]:
    return [account(service, name) for name in ("Ann", "Ben", "Cem")]


def test_a_rated_match_counts_for_its_players(service: Kontor, trio: list[Guest]) -> None:
    ann, ben, _ = trio
    match_id = won(ann, ben)
    counted(service)
    first, second = listed(service)
    assert (first.player.id, second.player.id) == (ann.id, ben.id)
    assert (first.standing.rank, second.standing.rank) == (1, 2)
    assert first.standing.mean > 25.0 > second.standing.mean
    (rating,) = service.ratings.of_player(ann.id)
    (point,) = rating.history
    assert (point.match, point.place, point.mean) == (match_id, 1, first.standing.mean)
    assert listed(service, PROGRAMS) == []


def test_programs_have_a_ladder_of_their_own(service: Kontor, trio: list[Guest]) -> None:
    one, other = (account(service, name, is_bot=True) for name in ("R2", "D2"))
    won(one, other)
    counted(service)
    assert [entry.player.id for entry in listed(service, PROGRAMS)] == [one.id, other.id]
    assert listed(service) == []
    match_id = trio[0].create(ME, OPEN, rated=True)
    with pytest.raises(OtherLadderError):
        one.join(match_id)


def test_the_figures_do_not_depend_on_when_matches_become_known(
    service: Kontor, clock: SettableClock, trio: list[Guest]
) -> None:
    for winner, loser in (*permutations(trio, 2), *permutations(trio, 2)):
        won(winner, loser)
        clock.pass_by(1000)
    at_once = counted(service)
    assert len(at_once["rating_points"]) == 24
    rows = sorted(at_once["rated_matches"], key=lambda row: row["ended_at"])
    late = rows[3], rows[8]
    for row in late:  # as if the transactions of these matches had been committed last
        service.database.write(("UPDATE rated_matches SET counted = 0 WHERE match_id = ?", [row["match_id"]]))
        service.database.write(("DELETE FROM rating_points WHERE match_id = ?", [row["match_id"]]))
    assert counted(service) == at_once


def test_a_dropped_projection_is_rebuilt_to_the_same_figures(
    service: Kontor, clock: SettableClock, trio: list[Guest]
) -> None:
    for number, (winner, loser) in enumerate((*permutations(trio, 2), *permutations(trio, 2))):
        won(winner, loser)
        clock.pass_by(number % 3)  # some end in the same millisecond
        if number % 5 == 0:
            service.rating_projection.count_new()
    before = counted(service)
    for name in TABLES:
        service.database.write((f"DROP TABLE {name}", ()))
    service.migrate()
    assert figures(service) == {name: [] for name in TABLES}
    assert service.rating_projection.rebuild() == 12
    assert figures(service) == before
    assert service.rating_projection.rebuild() == 12
    assert figures(service) == before


def test_two_processes_count_each_match_once(service: Kontor, serve: Any, trio: list[Guest]) -> None:
    other: Kontor = serve(service.settings.database_url)
    won(trio[0], trio[1])
    counted(service)
    expected = figures(service)
    assert counted(other) == expected
    won(trio[1], trio[2])
    waiting = service.database.read("SELECT * FROM rated_matches WHERE counted = 0")
    expected = counted(service)
    with pytest.raises(IntegrityError):  # it had read before the other process wrote
        other.rating_projection._count([_counted(row) for row in waiting], PEOPLE)
    assert figures(other) == expected


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"seed": "open"}, "/seed"),
        ({"practice": True}, "/practice"),
        ({"private": True}, "/private"),
    ],
)
def test_matches_that_never_count_cannot_be_created_as_rated(
    service: Kontor, more: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(MalformedError) as wrong:
        Guest(service).create(ME, OPEN, rated=True, **more)
    assert [fault.pointer for fault in wrong.value.faults] == [pointer]


def test_matches_against_house_bots_are_practice(service: Kontor) -> None:
    with pytest.raises(MalformedError) as wrong:
        Guest(service).create(ME, bot(), rated=True)
    assert [fault.pointer for fault in wrong.value.faults] == ["/seats"]


def test_only_matches_that_were_announced_as_rated_count(service: Kontor, trio: list[Guest]) -> None:
    won(trio[0], trio[1], rated=False)
    trio[0].abort(table(trio[0], trio[1], rated=True))
    assert counted(service) == {name: [] for name in TABLES}


def test_erased_players_are_not_listed(service: Kontor, trio: list[Guest]) -> None:
    won(trio[0], trio[1])
    won(trio[1], trio[2])
    counted(service)
    service.erase(trio[0].who)
    entries = listed(service)
    assert trio[0].id not in [entry.player.id for entry in entries]
    assert [entry.standing.rank for entry in entries] == [1, 2]


def test_equal_figures_share_a_rank_across_pages(service: Kontor) -> None:
    guests = [account(service, f"P{number}") for number in range(6)]
    for winner, loser in zip(guests[::2], guests[1::2], strict=True):
        won(winner, loser)
    counted(service)
    found, cursor = list[LadderEntry](), None
    while True:
        page = service.ratings.page(*PEOPLE, cursor, 2)
        found += page.entries
        cursor = page.next
        if cursor is None:
            break
    assert [entry.standing.rank for entry in found] == [1, 1, 1, 4, 4, 4]
    assert {entry.player.id for entry in found} == {guest.id for guest in guests}
