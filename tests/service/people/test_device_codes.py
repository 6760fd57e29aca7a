"""One-time codes: who gets which token for them, when they end, and that they can't be guessed."""

import re
from typing import Any

import pytest

from kontor_games.service.errors import KeyReusedError, RateLimitedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.people.device_codes import CodeNotValidError, IssuedDeviceCode, RedeemedAccount
from kontor_games.service.people.tokens import Caller
from tests.service.conftest import NOON, SettableClock
from tests.service.people.issuing import DAY, KEY, create, player_of

MINUTE, HOUR = 60_000, 3_600_000
HERE, THERE = "192.0.2.1", "192.0.2.2"


def code_of(kontor: Kontor, caller: Caller, **more: Any) -> IssuedDeviceCode:
    return kontor.device_codes.create(caller, more.pop("key", None), "code", **more)


def redeem(kontor: Kontor, text: str, address: str = HERE, key: str | None = None) -> RedeemedAccount:
    return kontor.device_codes.redeem(text, key, "redeem", address)


def refused(kontor: Kontor, text: str, address: str = HERE) -> None:
    with pytest.raises(CodeNotValidError, match="once, for 10 minutes"):
        redeem(kontor, text, address)


def wrong(text: str) -> str:
    return "A" * 8 if text != "A" * 8 else "B" * 8


def test_a_code_has_eight_letters_that_look_like_no_digit(kontor: Kontor) -> None:
    codes = {code_of(kontor, player_of(kontor)).text for _ in range(10)}
    assert len(codes) == 10
    assert all(re.fullmatch("[A-HJ-NP-Z]{8}", code) for code in codes)


def test_a_code_gives_a_token_with_scopes_and_expiry_of_the_one_that_made_it(kontor: Kontor) -> None:
    narrow = create(kontor, player_of(kontor), "play", "account", expires_in_ms=DAY)
    caller = kontor.tokens.authenticate(narrow.text)
    redeemed = redeem(kontor, code_of(kontor, caller).text)
    assert (redeemed.player, redeemed.replayed) == (kontor.players.get(caller.player), False)
    other = kontor.tokens.authenticate(redeemed.token)
    assert (other.player, other.scopes, other.expires_at) == (caller.player, caller.scopes, NOON + DAY)
    assert other.token != caller.token


def test_a_code_can_be_typed_carelessly(kontor: Kontor) -> None:
    text = code_of(kontor, player_of(kontor)).text.lower()
    assert redeem(kontor, f"{text[:4]}-{text[4:]} ").token


def test_a_code_lasts_ten_minutes(kontor: Kontor, clock: SettableClock) -> None:
    code = code_of(kontor, player_of(kontor))
    assert code.expires_at == NOON + 10 * MINUTE
    clock.advance(10 * MINUTE - 1)
    redeem(kontor, code.text)
    late = code_of(kontor, player_of(kontor))
    clock.advance(10 * MINUTE)
    refused(kontor, late.text)


def test_a_code_works_once_and_its_request_can_be_repeated(kontor: Kontor) -> None:
    code = code_of(kontor, player_of(kontor)).text
    first = redeem(kontor, code, key=KEY)
    again = redeem(kontor, code, key=KEY)
    assert (again.token, again.player, again.replayed) == (first.token, first.player, True)
    refused(kontor, code)


def test_a_repeated_request_for_a_code_gets_the_same_one(kontor: Kontor, clock: SettableClock) -> None:
    caller = player_of(kontor)
    code = code_of(kontor, caller, key=KEY)
    clock.advance(MINUTE)
    assert code_of(kontor, caller, key=KEY) == code


def test_a_new_code_replaces_the_one_before(kontor: Kontor) -> None:
    caller, other = player_of(kontor), player_of(kontor)
    first, kept = code_of(kontor, caller).text, code_of(kontor, other).text
    second = code_of(kontor, caller).text
    refused(kontor, first)
    redeem(kontor, second)
    redeem(kontor, kept)


def test_a_code_ends_with_the_token_that_made_it(kontor: Kontor, clock: SettableClock) -> None:
    caller = player_of(kontor)
    short = kontor.tokens.authenticate(create(kontor, caller, "account", expires_in_ms=MINUTE).text)
    code = code_of(kontor, short).text
    clock.advance(MINUTE)
    refused(kontor, code)
    revoked = kontor.tokens.authenticate(create(kontor, caller, "account").text)
    code = code_of(kontor, revoked).text
    kontor.tokens.revoke(caller, revoked.token)
    refused(kontor, code)


def test_what_one_device_seals_is_for_the_code_that_it_made(kontor: Kontor) -> None:
    caller = player_of(kontor)
    sealed = code_of(kontor, caller, sealed="secret").text
    assert redeem(kontor, sealed, key=KEY).sealed == redeem(kontor, sealed, key=KEY).sealed == "secret"
    code = code_of(kontor, caller).text
    assert redeem(kontor, code).sealed is None
    assert redeem(kontor, sealed, key=KEY).sealed is None, "a new code replaces what the last one carried"


def test_an_address_can_try_twenty_wrong_codes_in_an_hour(kontor: Kontor, clock: SettableClock) -> None:
    code = code_of(kontor, player_of(kontor)).text
    for _ in range(20):
        refused(kontor, wrong(code))
        clock.advance(1000)
    with pytest.raises(RateLimitedError) as limited:
        redeem(kontor, code)
    assert limited.value.limit == 20
    assert limited.value.retry_after_ms == limited.value.reset_ms == HOUR - 20_000
    clock.advance(HOUR - 20_001)
    with pytest.raises(RateLimitedError):
        redeem(kontor, wrong(code))
    clock.advance(1)
    refused(kontor, wrong(code))
    with pytest.raises(RateLimitedError):
        redeem(kontor, wrong(code))


def test_right_codes_and_other_addresses_do_not_count(kontor: Kontor) -> None:
    for _ in range(21):
        redeem(kontor, code_of(kontor, player_of(kontor)).text)
    code = code_of(kontor, player_of(kontor)).text
    for _ in range(20):
        refused(kontor, wrong(code), THERE)
    redeem(kontor, code)


def test_the_key_of_one_redeemed_code_is_not_valid_for_another_request(kontor: Kontor) -> None:
    redeem(kontor, code_of(kontor, player_of(kontor)).text, key=KEY)
    with pytest.raises(KeyReusedError):
        kontor.device_codes.redeem("another", KEY, "another body", HERE)
