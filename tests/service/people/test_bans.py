"""Bans and closed registration: what the operator decides takes effect in every process."""

from collections.abc import Callable

import pytest

from kontor_games.service.errors import BannedError, NotFoundError, RegistrationClosedError, UnauthorisedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.people.players import Registered
from tests.service.conftest import SettableClock

NewProcess = Callable[[], Kontor]


def register(kontor: Kontor, name: str = "Ada", key: str | None = None) -> Registered:
    return kontor.players.register(name, bot=False, key=key, body=name)


def test_a_ban_in_one_process_refuses_the_tokens_in_another_that_has_them_in_its_cache(
    processes: NewProcess,
) -> None:
    here, there = processes(), processes()
    ada = register(here)
    caller = there.tokens.authenticate(ada.token)
    ended: list[frozenset[str]] = []
    there.tokens.revocations.on_revoked(ended.append)
    here.ban(ada.player.id, "spam")
    there.tokens.revocations.poll()
    with pytest.raises(BannedError, match=r"has banned this account\. Reason: spam"):
        there.tokens.authenticate(ada.token)
    with pytest.raises(UnauthorisedError):
        there.tokens.require_valid(caller)
    there.tokens.revocations.poll()
    assert ended == [{caller.token}], "streams end once"


def test_without_polling_a_cached_token_is_trusted_for_less_than_a_second(
    processes: NewProcess, clock: SettableClock
) -> None:
    here, there = processes(), processes()
    ada = register(here)
    there.tokens.authenticate(ada.token)
    here.ban(ada.player.id, "")
    clock.advance(1000)
    with pytest.raises(BannedError):
        there.tokens.authenticate(ada.token)


def test_when_the_ban_is_lifted_the_tokens_work_again(processes: NewProcess) -> None:
    here, there = processes(), processes()
    ada = register(here)
    here.ban(ada.player.id, "")
    there.tokens.revocations.poll()
    here.bans.lift(ada.player.id)
    there.tokens.revocations.poll()
    caller = there.tokens.authenticate(ada.token)
    there.tokens.require_valid(caller)
    with pytest.raises(NotFoundError):
        here.bans.lift(ada.player.id)


def test_a_banned_player_gets_no_further_token(kontor: Kontor) -> None:
    ada = register(kontor)
    caller = kontor.tokens.authenticate(ada.token)
    code = kontor.device_codes.create(caller, None, "")
    kontor.ban(ada.player.id, "")
    with pytest.raises(BannedError):
        kontor.device_codes.redeem(code.text, None, "", "192.0.2.1")
    with pytest.raises(BannedError):
        kontor.tokens.create(caller, "another", ["play"], None, None, "")
    with pytest.raises(BannedError):
        kontor.tokens.issue_admin(ada.player.id, "night shift", None)


def test_only_players_can_be_banned_and_the_reason_can_be_changed(kontor: Kontor) -> None:
    with pytest.raises(NotFoundError):
        kontor.ban("0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11", "")
    ada = register(kontor)
    for reason in ("one", "another"):
        kontor.ban(ada.player.id, reason)
    [account] = kontor.bans.accounts("ad", banned=True, limit=10)
    assert (account.id, account.reason, account.tokens, account.matches) == (ada.player.id, "another", 1, 0)


def test_closed_registration_refuses_new_accounts_in_every_process_at_once_but_not_a_retry(
    processes: NewProcess,
) -> None:
    here, there = processes(), processes()
    first = register(there, "Ada", "a key that is long enough")
    assert here.bans.registration_open
    here.bans.open_registration(is_open=False)
    assert not there.bans.registration_open
    with pytest.raises(RegistrationClosedError, match="accepts no new accounts"):
        register(there, "Ben")
    assert register(there, "Ada", "a key that is long enough").token == first.token
    here.bans.open_registration(is_open=True)
    register(there, "Ben")
