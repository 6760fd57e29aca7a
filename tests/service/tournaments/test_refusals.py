"""Refused moves of entrants are counted by kind, and published when nothing at their table is secret."""

from collections.abc import Callable

import pytest

from kontor_games.domain.codec import MalformedError
from kontor_games.domain.game import Refusal
from kontor_games.service.errors import StaleVersionError, UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.many_moves import MoveRequest
from tests.service.tables import LocalPlayer, start_match
from tests.service.tournaments.cup import Cup


def refusal_counts(cup: Cup) -> list[tuple[int, dict[str, int]]]:
    found = cup.kontor.tournaments.refusals(cup.id)
    return [(one.refused, one.kinds) for one in found.entrants]


def send_refused_moves(match: str, one: LocalPlayer, other: LocalPlayer) -> None:
    """Make refused moves of every kind: the first player three, the second two, with a card of the first."""
    with pytest.raises(MalformedError):
        one.play(match, {"type": "wish"})
    with pytest.raises(StaleVersionError):
        one.play(match, if_version=1)
    with pytest.raises(Refusal):
        other.play(match, *one.legal(match)[:1])
    batch = [
        MoveRequest(one.call(), match, [{"type": "wish"}]),
        MoveRequest(other.call(), match, one.legal(match)[:1]),
    ]
    assert all(isinstance(answer, Exception) for answer in one.kontor.many_moves.play(batch))


def test_refused_moves_are_counted_by_kind_when_all_matches_of_the_table_are_over(service: Kontor) -> None:
    cup = Cup(service, 2, rounds=1, rotated=True).start()
    cup.worker.step_all()
    first, second = cup.open_matches()
    players = cup.players_of(first)
    for player in players:
        player.join(first)
    acting = cup.players[0].read_match(first).match.to_act[0]
    one, other = players[acting], players[1 - acting]
    send_refused_moves(first, one, other)
    assert refusal_counts(cup) == [(0, {}), (0, {})], "the match is being played"
    cup.play_match_on(first)
    cup.worker.step_all()
    assert refusal_counts(cup) == [(0, {}), (0, {})], "another match of the block has the same deal"
    cup.play_match(second)
    cup.worker.step_all()
    expected = {
        one.id: (3, {"malformed": 2, "stale_version": 1}),
        other.id: (2, {"not_your_card": 2}),
    }
    assert refusal_counts(cup) == [expected[player.id] for player in cup.players]


def test_counts_of_several_processes_are_added_and_survive_an_outage(
    service: Kontor, serve: Callable[..., Kontor], store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup, second = Cup(service, 2, rounds=1).start(), serve(store_url)
    cup.worker.step_all()
    (match,) = cup.open_matches()
    for player in cup.players_of(match):
        player.join(match)
    for kontor in (service, second, second):
        with pytest.raises(MalformedError):
            cup.players[1].at(kontor).play(match, {"type": "wish"})
    cup.play_match_on(match)
    cup.worker.step_all()
    with monkeypatch.context() as away:
        away.setattr(second.database, "write", _unavailable)
        with pytest.raises(UnavailableError):
            second.refusals.write()
    second.refusals.write()
    assert refusal_counts(cup) == [(0, {}), (3, {"malformed": 3})]


def _unavailable(*_: object) -> None:
    raise UnavailableError("The database can't be reached.")


def test_matches_of_players_and_moves_of_strangers_are_not_counted(
    service: Kontor, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    cup = Cup(service, 2, rounds=1).start()
    cup.worker.step_all()
    for match in (start_match(ann, ben), *cup.open_matches()):
        with pytest.raises(MalformedError):
            ann.play(match, {"type": "wish"})
    service.refusals.write()
    assert service.database.read("SELECT * FROM tournament_refusals") == []
