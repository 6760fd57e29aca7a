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
from tests.service.tables import ME, OPEN, LocalPlayer, bot, start_match

PEOPLE, PROGRAMS = Ladder("fair", "people"), Ladder("fair", "programs")
TABLES = ("ratings", "rating_points", "rated_matches")


def register_player(kontor: Kontor, name: str, *, is_bot: bool = False) -> LocalPlayer:
    token = kontor.players.register(name, bot=is_bot, key=None, body="").token
    return LocalPlayer(kontor, kontor.tokens.authenticate(token))


def play_rated_match(winner: LocalPlayer, loser: LocalPlayer, **more: Any) -> str:
    """Play a rated match of two, in which the loser resigns; return its id."""
    match_id = start_match(winner, loser, **{"rated": True, **more})
    loser.do(match_id, Resign())
    return match_id


def figures(kontor: Kontor) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of the projection."""
    rows = {
        name: kontor.database.read(f"SELECT * FROM {name}")  # noqa: S608
        for name in TABLES
    }
    return {name: sorted(found, key=str) for name, found in rows.items()}


def count_all(kontor: Kontor) -> dict[str, list[dict[str, Any]]]:
    while kontor.rating_projection.count_new():
        pass
    return figures(kontor)


def listed(kontor: Kontor, ladder: Ladder = PEOPLE) -> list[LadderEntry]:
    return list(kontor.ratings.page(*ladder, None, 50).ratings)


@pytest.fixture
def three_players(service: Kontor) -> list[LocalPlayer]:
    return [register_player(service, name) for name in ("Ann", "Ben", "Cem")]


def test_a_rated_match_counts_for_its_players(service: Kontor, three_players: list[LocalPlayer]) -> None:
    ann, ben, _ = three_players
    match_id = play_rated_match(ann, ben)
    count_all(service)
    first, second = listed(service)
    assert (first.player.id, second.player.id) == (ann.id, ben.id)
    assert (first.standing.rank, second.standing.rank) == (1, 2)
    assert first.standing.mean > 25.0 > second.standing.mean
    (rating,) = service.ratings.of_player(ann.id)
    (point,) = rating.history
    assert (point.match, point.place, point.mean) == (match_id, 1, first.standing.mean)
    assert listed(service, PROGRAMS) == []


def test_programs_have_a_ladder_of_their_own(service: Kontor, three_players: list[LocalPlayer]) -> None:
    one, other = (register_player(service, name, is_bot=True) for name in ("R2", "D2"))
    play_rated_match(one, other)
    count_all(service)
    assert [entry.player.id for entry in listed(service, PROGRAMS)] == [one.id, other.id]
    assert listed(service) == []
    match_id = three_players[0].create(ME, OPEN, rated=True)
    with pytest.raises(OtherLadderError):
        one.join(match_id)


def test_the_figures_do_not_depend_on_when_matches_become_known(
    service: Kontor, clock: SettableClock, three_players: list[LocalPlayer]
) -> None:
    for winner, loser in (*permutations(three_players, 2), *permutations(three_players, 2)):
        play_rated_match(winner, loser)
        clock.advance(1000)
    at_once = count_all(service)
    assert len(at_once["rating_points"]) == 24
    rows = sorted(at_once["rated_matches"], key=lambda row: row["ended_at"])
    late = rows[3], rows[8]
    for row in late:  # as if the transactions of these matches had been committed last
        service.database.write(("UPDATE rated_matches SET counted = 0 WHERE match_id = ?", [row["match_id"]]))
        service.database.write(("DELETE FROM rating_points WHERE match_id = ?", [row["match_id"]]))
    assert count_all(service) == at_once


def test_a_dropped_projection_is_rebuilt_to_the_same_figures(
    service: Kontor, clock: SettableClock, three_players: list[LocalPlayer]
) -> None:
    for number, (winner, loser) in enumerate(
        (*permutations(three_players, 2), *permutations(three_players, 2))
    ):
        play_rated_match(winner, loser)
        clock.advance(number % 3)  # some end in the same millisecond
        if number % 5 == 0:
            service.rating_projection.count_new()
    before = count_all(service)
    for name in TABLES:
        service.database.write((f"DROP TABLE {name}", ()))
    service.migrate()
    assert figures(service) == {name: [] for name in TABLES}
    assert service.rating_projection.rebuild() == 12
    assert figures(service) == before
    assert service.rating_projection.rebuild() == 12
    assert figures(service) == before


def test_two_processes_count_each_match_once(
    service: Kontor, serve: Any, three_players: list[LocalPlayer]
) -> None:
    other: Kontor = serve(service.settings.database_url)
    play_rated_match(three_players[0], three_players[1])
    count_all(service)
    expected = figures(service)
    assert count_all(other) == expected
    play_rated_match(three_players[1], three_players[2])
    waiting = service.database.read("SELECT * FROM rated_matches WHERE counted = 0")
    expected = count_all(service)
    with pytest.raises(IntegrityError):  # as if it had read before the other process wrote
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
        LocalPlayer(service).create(ME, OPEN, rated=True, **more)
    assert [fault.pointer for fault in wrong.value.faults] == [pointer]


def test_matches_against_house_bots_are_practice(service: Kontor) -> None:
    with pytest.raises(MalformedError) as wrong:
        LocalPlayer(service).create(ME, bot(), rated=True)
    assert [fault.pointer for fault in wrong.value.faults] == ["/seats"]


def test_only_matches_that_were_announced_as_rated_count(
    service: Kontor, three_players: list[LocalPlayer]
) -> None:
    play_rated_match(three_players[0], three_players[1], rated=False)
    three_players[0].abort(start_match(three_players[0], three_players[1], rated=True))
    assert count_all(service) == {name: [] for name in TABLES}


def test_erased_players_are_not_listed(service: Kontor, three_players: list[LocalPlayer]) -> None:
    play_rated_match(three_players[0], three_players[1])
    play_rated_match(three_players[1], three_players[2])
    count_all(service)
    service.erase(three_players[0].caller)
    entries = listed(service)
    assert three_players[0].id not in [entry.player.id for entry in entries]
    assert [entry.standing.rank for entry in entries] == [1, 2]


def test_equal_figures_share_a_rank_across_pages(service: Kontor) -> None:
    players = [register_player(service, f"P{number}") for number in range(6)]
    for winner, loser in zip(players[::2], players[1::2], strict=True):
        play_rated_match(winner, loser)
    count_all(service)
    found, cursor = list[LadderEntry](), None
    while True:
        page = service.ratings.page(*PEOPLE, cursor, 2)
        found += page.ratings
        cursor = page.next
        if cursor is None:
            break
    assert [entry.standing.rank for entry in found] == [1, 1, 1, 4, 4, 4]
    assert {entry.player.id for entry in found} == {player.id for player in players}
