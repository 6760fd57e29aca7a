"""Revoked tokens, and all tokens of erased players, are refused in every process."""

from collections.abc import Callable

import pytest

from kontor_games.service.errors import ForbiddenError, UnauthorisedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.people.tokens import Caller
from tests.service.conftest import SettableClock
from tests.support.waiting import wait_until


def register(kontor: Kontor) -> tuple[str, Caller]:
    text = kontor.players.register("Ada", bot=False, key=None, body="").token
    return text, kontor.tokens.authenticate(text)


def test_a_token_is_refused_at_once_where_it_was_revoked(kontor: Kontor) -> None:
    text, caller = register(kontor)
    kontor.tokens.revoke(caller, caller.token)
    assert not kontor.tokens.is_valid(caller)
    with pytest.raises(UnauthorisedError):
        kontor.tokens.authenticate(text)


@pytest.mark.parametrize("end", ["revoke", "erase"])
def test_another_process_refuses_the_token_after_its_next_poll(
    processes: Callable[[], Kontor], end: str
) -> None:
    here, there = processes(), processes()
    text, caller = register(here)
    there.tokens.authenticate(text)
    if end == "revoke":
        here.tokens.revoke(caller, caller.token)
    else:
        here.erase(caller)
    there.tokens.revocations.poll()
    assert (here.tokens.is_valid(caller), there.tokens.is_valid(caller)) == (False, False)
    with pytest.raises(UnauthorisedError):
        there.tokens.authenticate(text)


def test_another_process_polls_revocations_and_notifies_its_listeners(
    processes: Callable[[], Kontor],
) -> None:
    here, there = processes(), processes()
    _, caller = register(here)
    notified: list[frozenset[str]] = []
    there.tokens.revocations.on_revoked(notified.append)
    poll = there.tokens.revocations
    poll.start()
    here.tokens.revoke(caller, caller.token)
    wait_until(lambda: bool(notified))
    poll.close()
    assert notified == [frozenset({caller.token})]


def test_an_expired_token_is_invalid(kontor: Kontor, clock: SettableClock) -> None:
    _, caller = register(kontor)
    short = kontor.tokens.authenticate(kontor.tokens.create(caller, "short", ["play"], 1000, None, "").text)
    assert kontor.tokens.is_valid(short)
    clock.advance(1000)
    assert not kontor.tokens.is_valid(short)
    with pytest.raises(UnauthorisedError, match="expired or was revoked"):
        kontor.tokens.require_valid(short)


def test_a_token_can_revoke_itself_but_no_other_without_the_scope_account(kontor: Kontor) -> None:
    _, caller = register(kontor)
    play = kontor.tokens.authenticate(kontor.tokens.create(caller, "bot", ["play"], None, None, "").text)
    with pytest.raises(ForbiddenError, match="lacks the scope account"):
        kontor.tokens.revoke(play, caller.token)
    kontor.tokens.revoke(play, play.token)
    assert [token.id for token in kontor.tokens.list(caller)] == [caller.token]


def test_a_second_revocation_does_not_make_the_first_forgotten(kontor: Kontor) -> None:
    callers = [register(kontor)[1] for _ in range(2)]
    for caller in callers:
        kontor.tokens.revoke(caller, caller.token)
    assert [kontor.tokens.is_valid(caller) for caller in callers] == [False, False]


def test_revocations_are_known_for_less_than_a_second_after_a_poll(
    kontor: Kontor, clock: SettableClock
) -> None:
    fresh = [kontor.tokens.revocations.fresh]
    kontor.tokens.revocations.poll()
    for passed in (0, 899, 1, -2000):
        clock.advance(passed)
        fresh.append(kontor.tokens.revocations.fresh)
    assert fresh == [False, True, True, False, False], "at last the clock was set back"


def test_revocations_are_deleted_after_an_hour(kontor: Kontor, clock: SettableClock) -> None:
    for _ in range(2):
        _, caller = register(kontor)
        kontor.tokens.revoke(caller, caller.token)
        clock.advance(3_600_001)
    assert len(kontor.database.read("SELECT * FROM token_revocations")) == 1
    assert list(kontor.tokens.revocations._ended) == [caller.token]
