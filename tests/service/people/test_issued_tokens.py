"""Tokens that a player issues: scopes, expiry, retries, lists and revocation."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from kontor_games.domain.codec import Fault, MalformedError
from kontor_games.service.answer_fields import Moment
from kontor_games.service.errors import ForbiddenError, KeyReusedError, NotFoundError, UnauthorisedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.people import tokens as tokens_module
from kontor_games.service.people.names import NameNotAllowedError
from kontor_games.service.people.token_requests import REPLAY_MS
from kontor_games.service.people.tokens import (
    MAX_LIFETIME_MS,
    MAX_TOKENS,
    Caller,
    IssuedToken,
    Token,
    TooManyTokensError,
)
from tests.service.conftest import NOON, SettableClock
from tests.service.people.issuing import DAY, KEY, create, player_of

# --- creating -----------------------------------------------------------------------------------------------


def test_an_issued_token_authenticates_the_same_player_with_fewer_scopes(kontor: Kontor) -> None:
    caller = player_of(kontor)
    issued = create(kontor, caller, "play")
    assert issued.token == Token(issued.token.id, "my bot", ("play",), Moment(NOON), None, issued.text[-4:])
    assert not issued.replayed
    assert kontor.tokens.authenticate(issued.text) == Caller(
        caller.player, bot=False, scopes=frozenset({"play"}), token=issued.token.id
    )


def test_scopes_are_sorted_and_not_repeated(kontor: Kontor) -> None:
    assert create(kontor, player_of(kontor), "organise", "play", "play").token.scopes == ("play", "organise")


def test_a_token_cannot_issue_scopes_that_it_lacks(kontor: Kontor) -> None:
    weak = kontor.tokens.authenticate(create(kontor, player_of(kontor), "play").text)
    with pytest.raises(ForbiddenError, match="lacks the scope organise"):
        create(kontor, weak, "play", "organise")


def test_an_admin_token_comes_from_the_operator_only(kontor: Kontor) -> None:
    caller = player_of(kontor)
    issued = kontor.tokens.issue_admin(caller.player, "operator", DAY)
    assert (issued.token.scopes, issued.token.expires_at) == (
        ("play", "organise", "account", "admin"),
        NOON + DAY,
    )
    admin = kontor.tokens.authenticate(issued.text)
    with pytest.raises(ForbiddenError, match="Only the operator"):
        create(kontor, admin, "admin")


def test_unknown_and_erased_players_get_no_admin_token(kontor: Kontor) -> None:
    with pytest.raises(NotFoundError):
        kontor.tokens.issue_admin("nobody", "operator", None)
    caller = player_of(kontor)
    kontor.players.erase(caller)
    with pytest.raises(NotFoundError):
        kontor.tokens.issue_admin(caller.player, "operator", None)


def test_every_fault_of_a_request_is_named(kontor: Kontor) -> None:
    caller = player_of(kontor)
    with pytest.raises(MalformedError) as refused:
        create(kontor, caller, "play", "fly", expires_in_ms=0)
    assert refused.value.faults == (
        Fault("/scopes/1", "must be one of play, organise, account, admin"),
        Fault("/expires_in_ms", f"must be between 1 and {MAX_LIFETIME_MS}"),
    )
    with pytest.raises(MalformedError) as refused:
        kontor.tokens.create(caller, "my bot", (), MAX_LIFETIME_MS + 1, None, "")
    assert [fault.pointer for fault in refused.value.faults] == ["/scopes", "/expires_in_ms"]
    with pytest.raises(NameNotAllowedError, match="The label must not contain control characters"):
        kontor.tokens.create(caller, "a\nb", ("play",), None, None, "")


@pytest.mark.parametrize("lifetime", [1, MAX_LIFETIME_MS])
def test_the_shortest_and_the_longest_lifetime_are_accepted(kontor: Kontor, lifetime: int) -> None:
    assert create(kontor, player_of(kontor), expires_in_ms=lifetime).token.expires_at == NOON + lifetime


def test_a_token_expires_to_the_millisecond(kontor: Kontor, clock: SettableClock) -> None:
    issued = create(kontor, player_of(kontor), expires_in_ms=4000)
    assert issued.token.expires_at == NOON + 4000
    clock.advance(3999)
    kontor.tokens.authenticate(issued.text)
    clock.advance(1)
    with pytest.raises(UnauthorisedError, match="expired"):
        kontor.tokens.authenticate(issued.text)


def test_no_token_outlives_the_one_that_made_it(kontor: Kontor) -> None:
    parent = kontor.tokens.authenticate(create(kontor, player_of(kontor), expires_in_ms=DAY).text)
    assert create(kontor, parent).token.expires_at == NOON + DAY
    assert create(kontor, parent, expires_in_ms=2 * DAY).token.expires_at == NOON + DAY
    assert create(kontor, parent, expires_in_ms=5).token.expires_at == NOON + 5


def test_the_number_of_tokens_of_a_player_is_limited(kontor: Kontor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens_module, "MAX_TOKENS", 3)
    caller = player_of(kontor)
    first = create(kontor, caller, key=KEY)
    create(kontor, caller)
    with pytest.raises(TooManyTokensError) as refused:
        create(kontor, caller)
    assert (refused.value.code, refused.value.rule) == ("too_many_tokens", "")
    assert create(kontor, caller, key=KEY).text == first.text
    kontor.tokens.revoke(caller, first.token.id)
    create(kontor, caller)
    assert MAX_TOKENS == 50


# --- retries ------------------------------------------------------------------------------------------------


def test_a_retry_gets_the_same_token(kontor: Kontor) -> None:
    caller = player_of(kontor)
    first = create(kontor, caller, key=KEY)
    assert create(kontor, caller, key=KEY) == IssuedToken(first.token, first.text, replayed=True)
    assert len(kontor.tokens.list(caller)) == 2


def test_a_retry_of_a_token_that_was_revoked_since_is_given_the_first_answer(kontor: Kontor) -> None:
    caller = player_of(kontor)
    first = create(kontor, caller, key=KEY)
    kontor.tokens.revoke(caller, first.token.id)
    assert create(kontor, caller, key=KEY) == IssuedToken(first.token, first.text, replayed=True)
    with pytest.raises(UnauthorisedError):
        kontor.tokens.authenticate(first.text)


def test_the_same_key_for_another_token_request_is_refused(kontor: Kontor) -> None:
    caller = player_of(kontor)
    create(kontor, caller, key=KEY, body="one")
    with pytest.raises(KeyReusedError):
        create(kontor, caller, key=KEY, body="two")


def test_the_same_key_can_be_used_by_different_players(kontor: Kontor) -> None:
    first, second = create(kontor, player_of(kontor), key=KEY), create(kontor, player_of(kontor), key=KEY)
    assert first.text != second.text
    assert not second.replayed


def test_a_key_used_again_after_a_day_makes_another_token(kontor: Kontor, clock: SettableClock) -> None:
    caller = player_of(kontor)
    first = create(kontor, caller, key=KEY)
    clock.advance(REPLAY_MS)
    later = create(kontor, caller, key=KEY)
    assert not later.replayed
    assert later.text != first.text
    assert kontor.tokens.authenticate(first.text).token == first.token.id


def test_concurrent_retries_issue_one_token(kontor: Kontor) -> None:
    caller = player_of(kontor)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: create(kontor, caller, key=KEY), range(8)))
    assert len({answer.text for answer in answers}) == 1
    assert len(kontor.tokens.list(caller)) == 2


def test_a_short_idempotency_key_is_refused(kontor: Kontor) -> None:
    with pytest.raises(MalformedError, match="at least 16 characters"):
        create(kontor, player_of(kontor), key="1")


# --- listing and revoking -----------------------------------------------------------------------------------


def test_a_player_sees_their_own_tokens_the_oldest_first(kontor: Kontor, clock: SettableClock) -> None:
    caller = player_of(kontor)
    player_of(kontor)
    clock.advance(10)
    issued = create(kontor, caller)
    first, second = kontor.tokens.list(caller)
    assert (first.id, first.label, first.scopes, first.created_at) == (
        caller.token,
        "registration",
        ("play", "organise", "account"),
        NOON,
    )
    assert second == issued.token


def test_expired_and_revoked_tokens_are_not_listed_and_later_deleted(
    kontor: Kontor, clock: SettableClock
) -> None:
    caller = player_of(kontor)
    create(kontor, caller, expires_in_ms=10)
    revoked = create(kontor, caller)
    kontor.tokens.revoke(caller, revoked.token.id)
    clock.advance(10)
    assert [token.label for token in kontor.tokens.list(caller)] == ["registration"]
    assert len(kontor.database.read("SELECT id FROM tokens")) == 3
    clock.advance(REPLAY_MS)
    create(kontor, caller)
    assert len(kontor.database.read("SELECT id FROM tokens")) == 2


def test_a_revoked_token_is_refused_at_once_in_the_same_process(kontor: Kontor) -> None:
    caller = player_of(kontor)
    issued = create(kontor, caller)
    kontor.tokens.authenticate(issued.text)
    kontor.tokens.revoke(caller, issued.token.id)
    with pytest.raises(UnauthorisedError):
        kontor.tokens.authenticate(issued.text)


def test_a_revoked_token_is_refused_within_five_seconds_in_other_processes(
    processes: Callable[[], Kontor], clock: SettableClock
) -> None:
    here, there = processes(), processes()
    caller = player_of(here)
    issued = create(here, caller)
    there.tokens.authenticate(issued.text)
    here.tokens.revoke(caller, issued.token.id)
    clock.advance(5000)
    with pytest.raises(UnauthorisedError):
        there.tokens.authenticate(issued.text)


def test_a_token_can_revoke_itself(kontor: Kontor) -> None:
    caller = player_of(kontor)
    kontor.tokens.revoke(caller, caller.token)
    assert kontor.tokens.list(caller) == []


def test_missing_and_revoked_tokens_and_those_of_others_get_the_same_error(kontor: Kontor) -> None:
    caller, other = player_of(kontor), player_of(kontor)
    ended = create(kontor, caller).token.id
    kontor.tokens.revoke(caller, ended)
    for token in (other.token, "no such id", ended):
        with pytest.raises(NotFoundError, match="You have no such token"):
            kontor.tokens.revoke(caller, token)
    assert len(kontor.tokens.list(other)) == 1
