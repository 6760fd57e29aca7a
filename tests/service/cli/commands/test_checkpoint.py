"""`kontor checkpoint`, `kontor keys` and `kontor admin`, as an operator runs them on a database."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kontor_games.service.kontor import Kontor as Service
from kontor_games.service.trust.checkpoint_check import read_checkpoint
from tests.service.cli.conftest import Kontor
from tests.service.tables import LocalPlayer, play_to_the_end, start_match


@pytest.fixture
def play_match(service: Service) -> Callable[[], str]:
    """Return a function that plays one more match."""
    one, other = LocalPlayer(service), LocalPlayer(service)

    def play() -> str:
        match_id = start_match(one, other)
        play_to_the_end(match_id, one, other)
        return match_id

    return play


@pytest.fixture
def kept(kontor: Kontor, url: str, play_match: Callable[[], str], tmp_path: Path) -> Path:
    """A checkpoint over two matches, kept in a file."""
    for _ in range(2):
        play_match()
    kontor("checkpoint", "take", "--database", url)
    return write_file(tmp_path / "kept.txt", kontor("checkpoint", "show", "--database", url).stdout)


def write_file(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# --- take, list, show ---------------------------------------------------------------------------------------


def test_a_checkpoint_is_taken_when_something_has_changed(
    kontor: Kontor, url: str, play_match: Callable[[], str]
) -> None:
    play_match()
    assert kontor("checkpoint", "take", "--database", url).stdout.startswith("2 leaves, root ")
    assert (
        kontor("checkpoint", "take", "--database", url).stdout
        == "Nothing has changed since the last checkpoint.\n"
    )


def test_checkpoints_are_listed_the_newest_first(
    kontor: Kontor, url: str, kept: Path, play_match: Callable[[], str]
) -> None:
    play_match()
    kontor("checkpoint", "take", "--database", url)
    lines = kontor("checkpoint", "list", "--database", url).stdout.splitlines()
    roots = [
        read_checkpoint(kontor("checkpoint", "show", size, "--database", url).stdout).root
        for size in ("4", "3")
    ]
    assert [root for line in lines for root in roots if root in line] == roots
    assert (
        len(kontor("checkpoint", "list", "--limit", "1", "--database", url).stdout.splitlines())
        == len(lines) - 1
    )


def test_a_missing_checkpoint_cannot_be_shown(kontor: Kontor, url: str, kept: Path) -> None:
    result = kontor("checkpoint", "show", "7", "--database", url)
    assert (result.exit_code, result.stderr) == (1, "Error: This checkpoint does not exist.\n")


# --- verify -------------------------------------------------------------------------------------------------


def verify(kontor: Kontor, url: str, kept: Path, *more: str) -> tuple[int, str]:
    result = kontor("checkpoint", "verify", str(kept), "--database", url, *more)
    return result.exit_code, result.stdout


def test_a_kept_checkpoint_holds_while_the_database_only_grows(
    kontor: Kontor, url: str, kept: Path, play_match: Callable[[], str]
) -> None:
    play_match()
    code, result = verify(kontor, url, kept)
    assert code == 0
    assert "The database agrees with the checkpoint of " in result
    assert ": signature, leaves, 2 matches, " in result


def test_a_rollback_is_detected(
    kontor: Kontor, url: str, play_match: Callable[[], str], tmp_path: Path
) -> None:
    """An old copy of the database is put back."""
    play_match()
    kontor("checkpoint", "take", "--database", url)
    backup = tmp_path / "backup.db"
    with closing(sqlite3.connect(tmp_path / "kontor.db")) as now, closing(sqlite3.connect(backup)) as then:
        now.backup(then)
    play_match()
    kontor("checkpoint", "take", "--database", url)
    kept = write_file(tmp_path / "kept.txt", kontor("checkpoint", "show", "--database", url).stdout)
    code, result = verify(kontor, f"sqlite:///{backup}", kept)
    assert code == 1
    assert "failed: it covers 3 leaves, but the database has only 2: the database was rolled back." in result


def test_a_rewritten_database_is_detected(kontor: Kontor, url: str, service: Service, kept: Path) -> None:
    service.database.write(
        ("UPDATE kontor_events SET state = REPLACE(state, '\"meet_bots\":true', '\"meet_bots\":false')", [])
    )
    code, result = verify(kontor, url, kept)
    assert code == 1
    assert "is not what was signed: the database was rewritten." in result


def test_a_rewritten_match_with_new_signatures_is_detected(
    kontor: Kontor, url: str, service: Service, kept: Path
) -> None:
    """An operator has the database and the key, but cannot change the file that was kept."""
    service.database.write(
        ("DELETE FROM log_checkpoints", []),
        ("DELETE FROM log_leaves WHERE place = 1", []),
        ("UPDATE log_leaves SET place = 1 WHERE place = 2", []),
    )
    kontor("checkpoint", "take", "--database", url)
    code, result = verify(kontor, url, kept)
    assert code == 1
    assert "failed: " in result


def test_a_replaced_key_is_detected(kontor: Kontor, url: str, service: Service, kept: Path) -> None:
    service.database.write(("DELETE FROM signing_keys", []))
    kontor("keys", "rotate", "--database", url)
    code, result = verify(kontor, url, kept)
    assert code == 1
    assert "it is not signed with a known key of the service" in result


def test_kept_keys_take_precedence_over_those_of_the_database(
    kontor: Kontor, url: str, service: Service, kept: Path, tmp_path: Path
) -> None:
    keys = write_file(tmp_path / "keys.json", kontor("keys", "list", "--json", "--database", url).stdout)
    service.database.write(("DELETE FROM signing_keys", []))
    assert verify(kontor, url, kept, "--keys", str(keys))[0] == 0


@pytest.fixture
def proof(
    kontor: Kontor, url: str, service: Service, kept: Path, play_match: Callable[[], str], tmp_path: Path
) -> list[str]:
    """Return the options of an offline check: a later checkpoint, a proof and the keys."""
    play_match()
    kontor("checkpoint", "take", "--database", url)
    later = write_file(tmp_path / "later.txt", kontor("checkpoint", "show", "--database", url).stdout)
    given = json.dumps({"first": 3, "second": 4, "proof": service.checkpoints.consistency(3, 4)})
    keys = write_file(tmp_path / "keys.json", kontor("keys", "list", "--json", "--database", url).stdout)
    return [
        "--later",
        str(later),
        "--proof",
        str(write_file(tmp_path / "proof.json", given)),
        "--keys",
        str(keys),
    ]


def test_offline_a_later_checkpoint_is_compared_with_the_kept_one(
    kontor: Kontor, kept: Path, proof: list[str]
) -> None:
    result = kontor("checkpoint", "verify", str(kept), *proof)
    assert (result.exit_code, "extends the one of " in result.stdout) == (0, True)


def test_offline_a_wrong_proof_is_refused(kontor: Kontor, kept: Path, proof: list[str]) -> None:
    Path(proof[3]).write_text("[]", encoding="utf-8")
    result = kontor("checkpoint", "verify", str(kept), *proof)
    assert (result.exit_code, "does not show that the later checkpoint grew" in result.stdout) == (1, True)


def test_offline_an_unsigned_later_checkpoint_is_refused(
    kontor: Kontor, kept: Path, proof: list[str]
) -> None:
    later = Path(proof[1]).read_text(encoding="utf-8")
    Path(proof[1]).write_text(later.replace("\n4\n", "\n9\n"), encoding="utf-8")
    result = kontor("checkpoint", "verify", str(kept), *proof)
    assert (result.exit_code, "the later checkpoint is not valid" in result.stdout) == (1, True)


def test_offline_verification_needs_a_later_checkpoint_a_proof_and_keys(
    kontor: Kontor, kept: Path, proof: list[str]
) -> None:
    for some in (proof[:2], proof[:4], proof[2:4]):
        assert kontor("checkpoint", "verify", str(kept), *some).exit_code == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "this is no checkpoint"), ("{}", "this is no checkpoint"), ("[1]", "this is no checkpoint")],
)
def test_a_file_that_is_no_checkpoint_is_refused(
    kontor: Kontor, url: str, tmp_path: Path, content: str, message: str
) -> None:
    result = kontor("checkpoint", "verify", str(write_file(tmp_path / "x.json", content)), "--database", url)
    assert (result.exit_code, message in result.stderr) == (1, True)


def test_a_file_that_holds_no_keys_is_refused(kontor: Kontor, url: str, kept: Path, tmp_path: Path) -> None:
    result = kontor(
        "checkpoint",
        "verify",
        str(kept),
        "--keys",
        str(write_file(tmp_path / "x.json", "[]")),
        "--database",
        url,
    )
    assert (
        result.exit_code,
        "does not contain the keys of a service: there are no keys." in result.stderr,
    ) == (
        1,
        True,
    )


# --- keys and tokens ----------------------------------------------------------------------------------------


def test_keys_are_listed_and_rotated(kontor: Kontor, url: str, service: Service) -> None:
    [first] = json.loads(kontor("keys", "list", "--json", "--database", url).stdout)["keys"]
    result = kontor("keys", "list", "--database", url).stdout
    assert first["id"] in result
    assert "in use" in result
    made = kontor("keys", "rotate", "--database", url).stdout
    both = json.loads(kontor("keys", "list", "--json", "--database", url).stdout)["keys"]
    assert both[0] == first
    assert both[1]["id"] in made
    assert "not yet valid" in kontor("keys", "list", "--database", url).stdout


def test_private_keys_are_never_shown(kontor: Kontor, url: str, service: Service) -> None:
    secret = service.database.read("SELECT private_key FROM signing_keys")[0]["private_key"]
    for args in (("list",), ("list", "--json"), ("rotate",)):
        assert secret not in kontor("keys", *args, "--database", url).output


def test_an_operator_hands_out_a_token_with_every_scope(
    kontor: Kontor, url: str, service: Service, clock: Any
) -> None:
    player = service.players.register("Ada", bot=False, key=None, body="").player.id
    result = kontor("admin", "token", player, "--label", "night shift", "--days", "36500", "--database", url)
    assert result.exit_code == 2
    result = kontor("admin", "token", player, "--label", "night shift", "--days", "3650", "--database", url)
    text, *rest = result.stdout.splitlines()
    assert rest == []
    caller = service.tokens.authenticate(text)
    assert (caller.player, caller.scopes) == (player, frozenset({"play", "organise", "account", "admin"}))
    assert "This token allows everything: keep it secret." in result.stderr


def test_there_is_no_token_for_an_unknown_player(kontor: Kontor, url: str, service: Service) -> None:
    result = kontor("admin", "token", "00000000-0000-4000-8000-000000000000", "--database", url)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", "Error: There is no such player.\n")
    assert kontor("admin", "token", "Ada", "--database", url).exit_code == 2
