"""Signing keys outside the database: given to the process, or kept by a program that signs."""

import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kontor_games.domain.game import Game
from kontor_games.service.ed25519 import is_signed, key_id
from kontor_games.service.errors import OperatorError, UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.trust import signing
from kontor_games.service.trust.signing import KeyCommand
from kontor_games.service.trust.verifier import verify
from tests.service.conftest import SettableClock
from tests.service.tables import LocalPlayer, play_to_the_end, start_match

FIRST, SECOND = "0f" * 32, "1e" * 32
MINUTE = 60_000

SIGNS = """
import sys
from base64 import b64decode, b64encode
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from kontor_games.service.ed25519 import key_id
keys = [Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key)) for key in sys.argv[1:]]
by_id = {key_id(key.public_key().public_bytes_raw()): key for key in keys}
print(*[b64encode(key.public_key().public_bytes_raw()).decode() for key in keys], flush=True)
for line in sys.stdin:
    name, message = line.split()
    print(b64encode(by_id[name].sign(b64decode(message))).decode(), flush=True)
"""
"""A signing program with the documented protocol."""


def public_of(private: str) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private)).public_key().public_bytes_raw()


@pytest.fixture
def start(store_url: str, clock: SettableClock, fair: Game) -> Iterator[Callable[..., Kontor]]:
    """Return a function that starts processes on one database."""
    started: list[Kontor] = []

    def make(**settings: tuple[str, ...]) -> Kontor:
        started.append(Kontor(Settings(database_url=store_url, **settings), clock))  # type: ignore[arg-type]
        started[-1].migrate()
        return started[-1]

    yield make
    for kontor in started:
        kontor.close()


def signing_program(folder: Path, text: str, *arguments: str) -> tuple[str, ...]:
    """Write a program to a file, and return its command line."""
    file = folder / "signs.py"
    file.write_text(text, encoding="utf-8")
    return (sys.executable, str(file), *arguments)


def verified_match(kontor: Kontor) -> set[str]:
    """Play and verify a whole match; return the ids of the keys that signed its export."""
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    play_to_the_end(match_id, one, other)
    verdict = verify(
        kontor.exports.export(None, match_id), [key.plain() for key in kontor.signer.public_keys()]
    )
    assert verdict.trusted
    return set(verdict.keys)


def test_a_key_outside_signs_and_is_not_in_the_database(start: Callable[..., Kontor]) -> None:
    kontor = start(signing_key=(FIRST,))
    assert verified_match(kontor) == {key_id(public_of(FIRST))}
    rows = kontor.database.read("SELECT * FROM signing_keys")
    assert [(row["public_key"], row["private_key"], row["created_at"]) for row in rows] == [
        (b64encode(public_of(FIRST)).decode(), "", 0)
    ]


def test_a_program_signs_for_the_service(start: Callable[..., Kontor], tmp_path: Path) -> None:
    kontor = start(signing_command=signing_program(tmp_path, SIGNS, FIRST))
    assert verified_match(kontor) == {key_id(public_of(FIRST))}
    assert kontor.signer.stored_private_keys() == []


def test_a_key_outside_follows_one_in_the_database_after_a_minute(
    start: Callable[..., Kontor], clock: SettableClock
) -> None:
    stored = start().signer.public_keys()[0].id
    kontor = start(signing_key=(FIRST,))
    assert verified_match(kontor) == {stored}
    clock.advance(MINUTE)
    assert verified_match(kontor) == {key_id(public_of(FIRST))}


def test_a_new_key_outside_is_published_by_rotating(
    start: Callable[..., Kontor], clock: SettableClock
) -> None:
    start(signing_key=(FIRST,))
    kontor = Kontor(start(signing_key=(FIRST,)).settings, clock)
    with pytest.raises(OperatorError, match="add a new key there first"):
        kontor.signer.rotate()
    kontor.close()
    both = Kontor(Settings(database_url=kontor.settings.database_url, signing_key=(FIRST, SECOND)), clock)
    made = both.signer.rotate()
    assert (made.id, made.valid_from > clock.now) == (key_id(public_of(SECOND)), True)
    clock.advance(2 * MINUTE)
    assert verified_match(both) == {made.id}
    both.close()


def test_a_process_without_the_key_signs_nothing(start: Callable[..., Kontor], clock: SettableClock) -> None:
    start(signing_key=(FIRST,))
    with pytest.raises(UnavailableError, match="does not have the signing key"):
        start().signer.sign(b"anything", clock.now)


def test_keys_moved_out_of_the_database_go_on_signing(
    start: Callable[..., Kontor], clock: SettableClock
) -> None:
    before = start()
    private = before.signer.stored_private_keys()
    before.signer.clear_private_keys()
    assert before.signer.stored_private_keys() == []
    with pytest.raises(UnavailableError):
        before.signer.sign(b"anything", clock.now)
    after = start(signing_key_file=tuple(private))
    assert verified_match(after) == {key.id for key in before.signer.public_keys()}


# A program that fails


@pytest.mark.parametrize(
    "text",
    [
        "",
        "print('no key', flush=True); input()",
        "print('AAAA', flush=True); input()",
        SIGNS.replace("sign(b64decode(message))", "sign(b'something else')"),
        SIGNS.replace("print(b64encode(by_id", "sys.exit(1); print(b64encode(by_id"),
    ],
    ids=["ends", "no Base64", "too short", "wrong signature", "ends later"],
)
def test_a_program_that_does_not_sign_is_reported(tmp_path: Path, text: str) -> None:
    keys = KeyCommand(signing_program(tmp_path, text, FIRST))
    with pytest.raises(UnavailableError, match="cannot sign now"):
        keys.public_keys()
    keys.close()


def test_a_program_that_cannot_be_started_is_reported(tmp_path: Path) -> None:
    keys = KeyCommand((str(tmp_path / "none"),))
    with pytest.raises(UnavailableError):
        keys.sign("0" * 16, b"anything")


def test_a_silent_program_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signing, "_ANSWER_S", 0.2)
    keys = KeyCommand(signing_program(tmp_path, "input()"))
    with pytest.raises(UnavailableError):
        keys.public_keys()


def test_a_program_that_died_is_started_again(tmp_path: Path) -> None:
    once = SIGNS.replace("    name, message", "    if 'ZGll' in line: sys.exit(1)\n    name, message")
    keys, public = KeyCommand(signing_program(tmp_path, once, FIRST)), public_of(FIRST)
    with pytest.raises(UnavailableError):
        keys.sign(key_id(public), b"die")
    signature = keys.sign(key_id(public), b"live")
    assert is_signed(b64encode(public).decode(), b64encode(signature).decode(), b"live")
    keys.close()


def test_rows_of_keys_that_are_not_outside_are_neither_published_nor_used(
    start: Callable[..., Kontor], clock: SettableClock
) -> None:
    """Somebody who can write to the database, but does not have the keys, puts a key of his own there."""
    start(signing_key=(FIRST,))
    clock.advance(MINUTE)
    kontor = start(signing_key=(FIRST,))
    mine = public_of(FIRST)
    for private, valid_from in ((SECOND, clock.now - 1), ("2d" * 32, 5)):
        public = public_of(private)
        values = (key_id(public), private, b64encode(public).decode(), valid_from)
        kontor.database.write(("INSERT INTO signing_keys VALUES (?, ?, ?, ?)", values))
    clock.advance(10 * MINUTE)
    assert [key.id for key in kontor.signer.public_keys()] == [key_id(mine)]
    assert kontor.signer.sign(b"text", clock.now)[0] == key_id(mine)


@pytest.mark.parametrize(
    "row", [("a", "zz", "b", 5), ("a" * 16, "", "AAAA", 5), ("a" * 16, "", b64encode(b"x" * 32).decode(), 5)]
)
def test_a_malformed_row_is_left_out_and_everything_else_goes_on(
    start: Callable[..., Kontor], row: tuple[object, ...]
) -> None:
    kontor = start()
    [key] = kontor.signer.public_keys()
    kontor.database.write(("INSERT INTO signing_keys VALUES (?, ?, ?, ?)", row))
    again = start()
    assert again.signer.public_keys() == [key]
    again.signer.check()
