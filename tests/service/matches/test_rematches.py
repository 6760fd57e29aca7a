"""Rematches: one for all players of a match that is over, with everybody one seat further on."""

from collections.abc import Callable
from typing import Any

import pytest

from kontor_games.domain.commands import Resign
from kontor_games.domain.match_refusals import NotSeatedError
from kontor_games.domain.stream import HOUSE
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import CommandAnswer, SeatHolder
from kontor_games.service.matches.rematches import RematchNotPossibleError
from tests.service.tables import ME, OPEN, LocalPlayer, bot
from tests.service.tournaments.cup import register_player


@pytest.fixture
def ada(service: Kontor) -> LocalPlayer:
    return register_player(service, "Ada")


@pytest.fixture
def cem(service: Kontor) -> LocalPlayer:
    return register_player(service, "Cem")


def ended(one: LocalPlayer, other: LocalPlayer, *more: Any, **fields: Any) -> str:
    """A match that is over because everybody has resigned."""
    match = one.create(ME, OPEN, *more, **fields)
    other.join(match)
    for player in (one, other)[: 1 + len(more)]:
        player.do(match, Resign())
    return match


def rematch(player: LocalPlayer, match: str, key: str | None = None) -> CommandAnswer:
    return player.kontor.rematches.rematch(player.call(key), match)


def test_everybody_moves_on_by_one_seat_and_house_bots_sit_down_at_once(
    ada: LocalPlayer, cem: LocalPlayer
) -> None:
    made = rematch(cem, ended(ada, cem, bot("random")))
    invited = [seat.invited and seat.invited.id for seat in made.details.seats]
    assert invited == [None, ada.id, cem.id]
    assert made.details.seats[0].player == SeatHolder(HOUSE, "random", bot=True)
    assert (made.details.creator, made.position.status) == (cem.id, "open")


def test_a_rematch_has_the_settings_of_the_match_but_no_open_seed(ada: LocalPlayer, cem: LocalPlayer) -> None:
    fields: dict[str, Any] = {
        "clock": {"kind": "bank", "ms": 60_000, "increment_ms": 1000},
        "on_timeout": "forfeit",
        "private": False,
        "practice": True,
        "meet_bots": False,
        "max_returned_ms": 7,
        "tags": ("cup",),
        "seed": "open",
    }
    made = rematch(ada, ended(ada, cem, **fields)).details
    assert (made.on_timeout, made.practice, made.meet_bots) == ("forfeit", True, False)
    assert (made.max_returned_ms, made.tags, made.chance.open_seed) == (7, ("cup",), None)


def test_all_players_get_the_same_rematch(ada: LocalPlayer, cem: LocalPlayer) -> None:
    match = ended(ada, cem)
    first, second, again = rematch(ada, match), rematch(cem, match), rematch(ada, match, "again")
    assert first.position.id == second.position.id == again.position.id
    assert [one.replayed for one in (first, second, again)] == [False, True, True]


def test_of_two_processes_one_creates_the_rematch_and_both_answer_with_it(
    service: Kontor,
    serve: Callable[..., Kontor],
    store_url: str,
    ada: LocalPlayer,
    cem: LocalPlayer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The other process is quicker while this one still plans the rematch."""
    match, quicker = ended(ada, cem), list[CommandAnswer]()
    other, exists = cem.at(serve(store_url)), service.players.exists

    def slowly(player: str) -> bool:
        if not quicker:
            quicker.append(rematch(other, match))
        return exists(player)

    monkeypatch.setattr(service.players, "exists", slowly)
    late = rematch(ada, match)
    assert (late.position.id, late.replayed) == (quicker[0].position.id, True)
    assert late.details.creator == cem.id


def test_only_players_of_a_match_that_was_played_and_is_over_get_one(
    service: Kontor, ada: LocalPlayer, cem: LocalPlayer
) -> None:
    with pytest.raises(NotSeatedError):
        rematch(LocalPlayer(service), ended(ada, cem))
    running = ada.create(ME, OPEN)
    cem.join(running)
    with pytest.raises(RematchNotPossibleError, match="not over"):
        rematch(ada, running)
    aborted = ada.create(ME, OPEN)
    ada.abort(aborted)
    with pytest.raises(RematchNotPossibleError, match="never started"):
        rematch(ada, aborted)


def test_no_rematch_waits_for_a_deleted_account(service: Kontor, ada: LocalPlayer, cem: LocalPlayer) -> None:
    match = ended(ada, cem)
    service.erase(cem.caller)
    with pytest.raises(RematchNotPossibleError, match="deleted"):
        rematch(ada, match)
