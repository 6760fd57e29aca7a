"""Tokens: their text, the secret of the server, and authentication."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from kontor_games.service.errors import ForbiddenError, UnauthorisedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.people.server_secret import Secret, find_secret
from kontor_games.service.people.token_requests import is_token, write_token
from kontor_games.service.settings import Settings
from tests.service.conftest import SettableClock
from tests.service.people.issuing import create, player_of

# --- text ---------------------------------------------------------------------------------------------------


def test_a_token_has_a_prefix_43_characters_and_a_checksum() -> None:
    text = write_token(bytes(range(32)))
    assert text == "kontor_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8" + text[-6:]
    assert re.fullmatch(r"kontor_[A-Za-z0-9_-]{49}", text)
    assert is_token(text)


def test_every_change_of_one_character_is_detected() -> None:
    text = write_token(b"\x5a" * 32)
    for place in range(len(text)):
        slip = "A" if text[place] != "A" else "B"
        assert not is_token(text[:place] + slip + text[place + 1 :])


@pytest.mark.parametrize(
    "text",
    ["", "kontor_", "kontor_" + "A" * 48, "kontor_" + "ä" * 49, write_token(bytes(32)) + "\n", "x" * 10_000],
)
def test_malformed_tokens_are_refused_without_a_query(text: str, kontor: Kontor) -> None:
    kontor.close()
    with pytest.raises(UnauthorisedError, match="not a token of this service"):
        kontor.tokens.authenticate(text)


# --- the secret ---------------------------------------------------------------------------------------------


def test_the_secret_of_the_operator_takes_precedence_over_the_one_in_the_database(kontor: Kontor) -> None:
    given = find_secret(Settings(secret_key="s" * 32), kontor.database)
    assert given.derive("x") == Secret("s" * 32).derive("x")
    assert kontor.database.read("SELECT * FROM settings") == []


def test_a_secret_is_made_once_and_the_same_in_every_process(processes: Callable[[], Kontor]) -> None:
    here, there = processes(), processes()
    first = find_secret(here.settings, here.database)
    assert find_secret(there.settings, there.database).derive("x") == first.derive("x")
    assert len(here.database.read("SELECT * FROM settings")) == 1


def test_derived_bytes_differ_by_purpose_and_by_every_part() -> None:
    secret = Secret("s" * 32)
    derived = {
        secret.derive("a", "b", "c"),
        secret.derive("a", "bc"),
        secret.derive("ab", "c"),
        secret.derive("b", "a", "c"),
    }
    assert len(derived) == 4
    assert {len(one) for one in derived} == {32}


# --- authentication -----------------------------------------------------------------------------------------


def test_a_well_formed_token_that_was_never_issued_is_refused(kontor: Kontor) -> None:
    with pytest.raises(UnauthorisedError, match="is unknown or was revoked"):
        kontor.tokens.authenticate(write_token(bytes(32)))


def test_an_unknown_token_is_looked_up_once_in_two_seconds(
    kontor: Kontor, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    read = kontor.database.read

    def note(sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
        asked.append(sql)
        return read(sql, values)

    monkeypatch.setattr(kontor.database, "read", note)

    def ask() -> None:
        with pytest.raises(UnauthorisedError, match="is unknown or was revoked"):
            kontor.tokens.authenticate(write_token(bytes(32)))

    ask()
    clock.advance(1999)
    ask()
    assert len(asked) == 1
    clock.advance(1)
    ask()
    assert len(asked) == 2


def test_a_token_that_was_tried_before_it_was_issued_is_valid_at_once(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller, text = player_of(kontor), write_token(bytes(32))
    with pytest.raises(UnauthorisedError):
        kontor.tokens.authenticate(text)
    monkeypatch.setattr(kontor.tokens.requests, "token_text", lambda request, ids: text)
    assert create(kontor, caller).text == text
    assert kontor.tokens.authenticate(text).player == caller.player


def test_a_known_caller_is_not_looked_up_again_for_five_seconds_while_revocations_are_polled(
    kontor: Kontor, clock: SettableClock
) -> None:
    text = kontor.players.register("Ada", bot=False, key=None, body="").token
    caller = kontor.tokens.authenticate(text)
    kontor.database.write(("DELETE FROM tokens", ()))
    clock.advance(4999)
    kontor.tokens.revocations.poll()
    assert kontor.tokens.authenticate(text) is caller
    clock.advance(1)
    with pytest.raises(UnauthorisedError):
        kontor.tokens.authenticate(text)


def test_a_known_caller_is_looked_up_again_within_a_second_if_revocations_are_not_polled(
    kontor: Kontor, clock: SettableClock
) -> None:
    text = kontor.players.register("Ada", bot=False, key=None, body="").token
    caller = kontor.tokens.authenticate(text)
    kontor.database.write(("DELETE FROM tokens", ()))
    clock.advance(899)
    assert kontor.tokens.authenticate(text) is caller
    clock.advance(1)
    with pytest.raises(UnauthorisedError):
        kontor.tokens.authenticate(text)


def test_a_clock_set_back_does_not_keep_a_caller_cached(kontor: Kontor, clock: SettableClock) -> None:
    text = kontor.players.register("Ada", bot=False, key=None, body="").token
    kontor.tokens.authenticate(text)
    kontor.database.write(("DELETE FROM tokens", ()))
    clock.advance(-3_600_000)
    with pytest.raises(UnauthorisedError):
        kontor.tokens.authenticate(text)


def test_the_cache_of_callers_is_bounded(kontor: Kontor) -> None:
    kontor.tokens._callers._size = 3
    for _ in range(6):
        player_of(kontor)
        assert len(kontor.tokens._callers) <= 3


def test_a_token_revoked_while_it_is_looked_up_is_not_cached(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = kontor.players.register("Ada", bot=False, key=None, body="").token
    caller = kontor.tokens.authenticate(text)
    kontor.tokens._remove_from_cache(frozenset({caller.token}))
    read = kontor.database.read

    def read_slowly(sql: str, values: tuple[object, ...] = ()) -> list[dict[str, object]]:
        rows = read(sql, values)
        monkeypatch.setattr(kontor.database, "read", read)
        kontor.tokens.revoke(caller, caller.token)
        return rows

    monkeypatch.setattr(kontor.database, "read", read_slowly)
    kontor.tokens.authenticate(text)
    with pytest.raises(UnauthorisedError):
        kontor.tokens.authenticate(text)


def test_a_missing_scope_is_named(kontor: Kontor) -> None:
    caller = player_of(kontor)
    caller.require("play")
    with pytest.raises(ForbiddenError, match="This token lacks the scope admin"):
        caller.require("admin")
