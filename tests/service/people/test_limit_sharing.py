"""Limits over several processes."""

import json
from hashlib import sha256

import pytest

from kontor_games.service.errors import RateLimitedError, UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.people.limits import Limits, LimitSharing
from kontor_games.service.people.server_secret import Secret
from kontor_games.service.settings import Settings
from tests.service.conftest import SettableClock


def sharing(kontor: Kontor, clock: SettableClock) -> tuple[Limits, LimitSharing]:
    limits = Limits(Settings(rate_limit_read=60), clock)
    shared = LimitSharing(limits, kontor.database, clock, lambda: kontor.tokens.requests.secret)
    shared.exchange()
    return limits, shared


def remaining(limits: Limits, address: str = "192.0.2.1") -> int:
    return limits.check(address, "read").remaining


def test_calls_to_one_process_count_in_the_others_within_a_second(
    kontor: Kontor, clock: SettableClock
) -> None:
    (here, report), (there, read) = sharing(kontor, clock), sharing(kontor, clock)
    assert [remaining(here) for _ in range(20)][-1] == 40
    assert remaining(there) == 59
    report.exchange()
    read.exchange()
    assert (remaining(there), remaining(there, "192.0.2.2")) == (38, 59)
    read.exchange()
    assert remaining(there) == 37


def test_a_process_does_not_count_its_own_reports_again(kontor: Kontor, clock: SettableClock) -> None:
    here, report = sharing(kontor, clock)
    for _ in range(10):
        here.check("192.0.2.1", "read")
    report.exchange()
    report.exchange()
    assert remaining(here) == 49
    later, _ = sharing(kontor, clock)
    assert remaining(later) == 59


def test_a_client_that_spreads_its_calls_over_processes_is_refused_by_all(
    kontor: Kontor, clock: SettableClock
) -> None:
    processes = [sharing(kontor, clock) for _ in range(3)]
    for limits, _ in processes:
        for _ in range(30):
            limits.check("192.0.2.1", "read")
    for _ in range(2):
        for _, shared in processes:
            shared.exchange()
    for limits, _ in processes:
        with pytest.raises(RateLimitedError):
            limits.check("192.0.2.1", "read")


def test_a_bucket_with_fewer_than_five_calls_a_second_is_not_reported(
    kontor: Kontor, clock: SettableClock
) -> None:
    (here, report), (there, read) = sharing(kontor, clock), sharing(kontor, clock)
    for address, calls in (("192.0.2.4", 4), ("192.0.2.5", 5)):
        for _ in range(calls):
            here.check(address, "read")
    report.exchange()
    read.exchange()
    assert (remaining(there, "192.0.2.4"), remaining(there, "192.0.2.5")) == (59, 54)


def reported_keys(kontor: Kontor) -> set[str]:
    rows = kontor.database.read("SELECT calls FROM limit_reports")
    return {key for row in rows for spent in json.loads(row["calls"]).values() for key in spent}


def test_a_report_names_addresses_only_by_a_hash_that_needs_the_secret(
    kontor: Kontor, clock: SettableClock
) -> None:
    here, report = sharing(kontor, clock)
    for _ in range(10):
        here.check("192.0.2.1", "read")
    report.exchange()
    [stored] = reported_keys(kontor)
    assert stored != sha256(b"192.0.2.1").hexdigest()[:16]
    assert stored == kontor.tokens.requests.secret.derive("rate limit", "192.0.2.1").hex()[:16]
    assert stored != Secret("another").derive("rate limit", "192.0.2.1").hex()[:16]


def test_limits_apply_locally_while_the_secret_cannot_be_read(kontor: Kontor, clock: SettableClock) -> None:
    def secret() -> Secret:
        if is_down:
            raise UnavailableError("The database can't be reached.")
        return kontor.tokens.requests.secret

    is_down, limits = True, Limits(Settings(rate_limit_read=60), clock)
    shared = LimitSharing(limits, kontor.database, clock, secret)
    with pytest.raises(UnavailableError):
        shared.exchange()
    assert [remaining(limits) for _ in range(60)][-1] == 0
    with pytest.raises(RateLimitedError):
        limits.check("192.0.2.1", "read")
    assert reported_keys(kontor) == set()
    is_down = False
    shared.exchange()
    there, read = sharing(kontor, clock)
    for _ in range(20):
        limits.check("192.0.2.2", "read")
    shared.exchange()
    read.exchange()
    assert remaining(there, "192.0.2.2") == 39


def test_calls_that_take_long_are_charged_more(clock: SettableClock) -> None:
    limits = Limits(Settings(rate_limit_read=60), clock)
    limits.check("192.0.2.1", "read")
    limits.charge("192.0.2.1", "read", 19)
    assert remaining(limits) == 58
    limits.charge("192.0.2.1", "read", 200)
    assert remaining(limits) == 47
    limits.charge("192.0.2.1", "read", 100_000)
    with pytest.raises(RateLimitedError):
        limits.check("192.0.2.1", "read")
    clock.now += 130_000
    assert remaining(limits) == 59
