"""Signatures: the same message always gets the same signature, and keys can be replaced without a gap."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from msgspec.structs import asdict

from kontor_games.domain.match_stream import MATCHES
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.trust.notes import UnreadableKeysError, key_at, read_keys
from kontor_games.service.trust.verifier import verify
from tests.service.conftest import SettableClock, remove_guards
from tests.service.tables import LocalPlayer, play_to_the_end, start_match
from tests.support.forging import lines_of

MINUTE = 60_000


@pytest.fixture
def start(serve: Callable[..., Kontor], store_url: str) -> Callable[[], Kontor]:
    """Return a function that starts processes of the service on one database."""
    return lambda: serve(store_url)


def signed_by(kontor: Kontor, at: int) -> str:
    """Return the id of the key with which a process signs a receipt of a given time."""
    receipt = kontor.signer.receipt("match", 1, "0" * 64, at)
    public = {key.id: key.public for key in kontor.signer.public_keys()}
    assert is_signed(public[receipt.key], receipt.signature, MATCHES.receipt_text("match", 1, "0" * 64, at))
    return receipt.key


def test_a_fresh_database_has_one_key_and_setting_it_up_again_makes_no_other(
    start: Callable[[], Kontor],
) -> None:
    kontor = start()
    (key,) = kontor.signer.public_keys()
    kontor.migrate()
    assert start().signer.public_keys() == [key]
    assert read_keys([key.plain()]) == [key]


def test_what_was_signed_once_is_signed_the_same_way_again_by_every_process(
    start: Callable[[], Kontor], clock: SettableClock
) -> None:
    one, other = start(), start()
    first = one.signer.receipt("match", 7, "ab" * 32, clock.now)
    one.signer.rotate()
    clock.advance(10 * MINUTE)
    assert (
        one.signer.receipt("match", 7, "ab" * 32, first.at)
        == other.signer.receipt("match", 7, "ab" * 32, first.at)
        == first
    )


def test_a_new_key_signs_a_minute_after_it_was_made_and_the_old_one_until_then(
    start: Callable[[], Kontor], clock: SettableClock
) -> None:
    kontor = start()
    (old,) = kontor.signer.public_keys()
    new = kontor.signer.rotate()
    assert [key.id for key in kontor.signer.public_keys()] == [old.id, new.id]
    assert new.valid_from == clock.now + MINUTE
    assert [signed_by(kontor, clock.now + passed) for passed in (0, MINUTE - 1, MINUTE, 10 * MINUTE)] == [
        old.id,
        old.id,
        new.id,
        new.id,
    ]


def test_two_processes_never_sign_one_moment_with_two_keys(
    start: Callable[[], Kontor], clock: SettableClock
) -> None:
    one, other = start(), start()
    signed: dict[int, set[str]] = {}
    for second in range(200):
        if second == 37:
            one.signer.rotate()
        if second == 120:
            other.signer.rotate()
        for kontor in (one, other):
            signed.setdefault(clock.now, set()).add(signed_by(kontor, clock.now))
        clock.advance(1000)
    assert [len(keys) for keys in signed.values()] == [1] * 200
    assert len(set.union(*signed.values())) == 3


def test_old_receipts_verify_after_the_key_was_replaced(
    start: Callable[[], Kontor], clock: SettableClock
) -> None:
    kontor = start()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    answer = one.play(match_id)
    kept = kontor.signer.receipt(answer.id, answer.match.version, answer.head, answer.at)
    kontor.signer.rotate()
    clock.advance(2 * MINUTE)
    play_to_the_end(match_id, one, other)
    published = [key.plain() for key in kontor.signer.public_keys()]
    verdict = verify(kontor.exports.export(None, match_id), published, [asdict(kept)])
    assert (verdict.receipts, verdict.trusted) == (1, True)
    assert set(verdict.keys) == {key["id"] for key in published}, "the match ended in the time of the new key"
    assert kept.key == published[0]["id"]


def test_an_export_written_later_is_signed_with_the_keys_of_the_time(
    start: Callable[[], Kontor], clock: SettableClock
) -> None:
    kontor = start()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    play_to_the_end(match_id, one, other)
    before = lines_of(kontor.exports.export(None, match_id))
    kontor.signer.rotate()
    clock.advance(10 * MINUTE)
    later = lines_of(kontor.exports.export(None, match_id))
    assert later[1:-1] == before[1:-1]
    assert later[-1]["key"] == before[-1]["key"] != kontor.signer.public_keys()[1].id


def test_a_replayed_command_gets_the_same_receipt(start: Callable[[], Kontor], clock: SettableClock) -> None:
    kontor = start()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    move = one.legal(match_id)[0]
    first = one.play(match_id, move, key="a move")
    sent = kontor.signer.receipt(first.id, first.match.version, first.head, first.at)
    other.play(match_id)
    kontor.signer.rotate()
    clock.advance(5 * MINUTE)
    fresh = one.at(start())
    again = fresh.play(match_id, move, key="a move")
    assert again.replayed
    assert fresh.kontor.signer.receipt(again.id, again.match.version, again.head, again.at) == sent


def test_a_database_without_a_key_says_so(store_url: str, clock: SettableClock) -> None:
    kontor = Kontor(Settings(database_url=store_url), clock)
    kontor.migrate()
    remove_guards(kontor)
    kontor.database.write(("DELETE FROM signing_keys", []))
    with pytest.raises(UnavailableError, match="no signing key"):
        kontor.signer.sign(b"anything", clock.now)
    kontor.close()


def test_processes_that_start_at_once_agree_on_the_key(empty_store_url: str, clock: SettableClock) -> None:
    kontors = [Kontor(Settings(database_url=empty_store_url), clock) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(Kontor.migrate, kontors))
    assert len({signed_by(kontor, clock.now) for kontor in kontors}) == 1
    assert [len(kontor.signer.public_keys()) for kontor in kontors] == [1, 1, 1]
    for kontor in kontors:
        kontor.close()


# Reading keys and signatures


def test_keys_are_read_only_as_they_are_published(start: Callable[[], Kontor]) -> None:
    (key,) = (key.plain() for key in start().signer.public_keys())
    wrongs: tuple[Any, ...] = (
        [],
        [1],
        [{}],
        [{**key, "id": "0" * 16}],
        [{**key, "more": 1}],
        [{**key, "valid_from": None}],
        [{**key, "public_key": "?"}],
        5,
    )
    for wrong in wrongs:
        with pytest.raises(UnreadableKeysError):
            read_keys(wrong)


def test_of_several_keys_the_newest_that_is_valid_counts(
    start: Callable[[], Kontor], clock: SettableClock
) -> None:
    kontor = start()
    assert key_at([], clock.now) is None
    new = kontor.signer.rotate()
    keys = read_keys([key.plain() for key in reversed(kontor.signer.public_keys())])
    assert key_at(keys, new.valid_from) == new
    assert key_at(keys, -1) is None
