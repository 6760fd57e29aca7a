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
from tests.service.tables import Guest, play_to_the_end, table


@pytest.fixture
def grow(service: Service) -> Callable[[], str]:
    """Plays one match more."""
    one, other = Guest(service), Guest(service)

    def play() -> str:
        match_id = table(one, other)
        play_to_the_end(match_id, one, other)
        return match_id

    return play


@pytest.fixture
def kept(kontor: Kontor, url: str, grow: Callable[[], str], tmp_path: Path) -> Path:
    """A checkpoint over two matches, kept in a file."""
    for _ in range(2):
        grow()
    kontor("checkpoint", "take", "--database", url)
    return written(tmp_path / "kept.txt", kontor("checkpoint", "show", "--database", url).stdout)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# --- take, list, show ---------------------------------------------------------------------------------------


def test_a_checkpoint_is_taken_when_something_has_changed(
    kontor: Kontor, url: str, grow: Callable[[], str]
) -> None:
    grow()
    assert kontor("checkpoint", "take", "--database", url).stdout.startswith("2 leaves, root ")
    assert (
        kontor("checkpoint", "take", "--database", url).stdout
        == "Nothing has changed since the last checkpoint.\n"
    )


def test_checkpoints_are_listed_the_newest_first(
    kontor: Kontor, url: str, kept: Path, grow: Callable[[], str]
) -> None:
    grow()
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
    told = kontor("checkpoint", "show", "7", "--database", url)
    assert (told.exit_code, told.stderr) == (1, "Error: This checkpoint does not exist.\n")


# --- verify -------------------------------------------------------------------------------------------------


def verify(kontor: Kontor, url: str, kept: Path, *more: str) -> tuple[int, str]:
    told = kontor("checkpoint", "verify", str(kept), "--database", url, *more)
    return told.exit_code, told.stdout


def test_a_kept_checkpoint_holds_while_the_database_only_grows(
    kontor: Kontor, url: str, kept: Path, grow: Callable[[], str]
) -> None:
    grow()
    code, told = verify(kontor, url, kept)
    assert code == 0
    assert "The database agrees with the checkpoint of " in told
    assert ": signature, leaves, 2 matches, " in told


def test_a_rollback_is_detected(kontor: Kontor, url: str, grow: Callable[[], str], tmp_path: Path) -> None:
    """An old copy of the database is put back."""
    grow()
    kontor("checkpoint", "take", "--database", url)
    backup = tmp_path / "backup.db"
    with closing(sqlite3.connect(tmp_path / "kontor.db")) as now, closing(sqlite3.connect(backup)) as then:
        now.backup(then)
    grow()
    kontor("checkpoint", "take", "--database", url)
    kept = written(tmp_path / "kept.txt", kontor("checkpoint", "show", "--database", url).stdout)
    code, told = verify(kontor, f"sqlite:///{backup}", kept)
    assert code == 1
    assert "failed: it covers 3 leaves, but the database has only 2: the database was rolled back." in told


def test_a_rewritten_database_is_detected(kontor: Kontor, url: str, service: Service, kept: Path) -> None:
    service.database.write(
        ("UPDATE kontor_events SET state = REPLACE(state, '\"meet_bots\":true', '\"meet_bots\":false')", [])
    )
    code, told = verify(kontor, url, kept)
    assert code == 1
    assert "is not what was signed: the database was rewritten." in told


def test_a_rewritten_match_with_new_signatures_is_detected(
    kontor: Kontor, url: str, service: Service, kept: Path
) -> None:
    """Whoever has the database has the key too, but not the file that was kept."""
    service.database.write(
        ("DELETE FROM log_checkpoints", []),
        ("DELETE FROM log_leaves WHERE place = 1", []),
        ("UPDATE log_leaves SET place = 1 WHERE place = 2", []),
    )
    kontor("checkpoint", "take", "--database", url)
    code, told = verify(kontor, url, kept)
    assert code == 1
    assert "failed: " in told


def test_a_replaced_key_is_detected(kontor: Kontor, url: str, service: Service, kept: Path) -> None:
    service.database.write(("DELETE FROM signing_keys", []))
    kontor("keys", "rotate", "--database", url)
    code, told = verify(kontor, url, kept)
    assert code == 1
    assert "it is not signed with a known key of the service" in told


def test_kept_keys_take_precedence_over_those_of_the_database(
    kontor: Kontor, url: str, service: Service, kept: Path, tmp_path: Path
) -> None:
    keys = written(tmp_path / "keys.json", kontor("keys", "list", "--json", "--database", url).stdout)
    service.database.write(("DELETE FROM signing_keys", []))
    assert verify(kontor, url, kept, "--keys", str(keys))[0] == 0


@pytest.fixture
def proof(
    kontor: Kontor, url: str, service: Service, kept: Path, grow: Callable[[], str], tmp_path: Path
) -> list[str]:
    """What an offline check takes: a later checkpoint, a proof, the keys."""
    grow()
    kontor("checkpoint", "take", "--database", url)
    later = written(tmp_path / "later.txt", kontor("checkpoint", "show", "--database", url).stdout)
    given = json.dumps({"first": 3, "second": 4, "proof": service.checkpoints.consistency(3, 4)})
    keys = written(tmp_path / "keys.json", kontor("keys", "list", "--json", "--database", url).stdout)
    return [
        "--later",
        str(later),
        "--proof",
        str(written(tmp_path / "proof.json", given)),
        "--keys",
        str(keys),
    ]


def test_offline_a_later_checkpoint_is_compared_with_the_kept_one(
    kontor: Kontor, kept: Path, proof: list[str]
) -> None:
    told = kontor("checkpoint", "verify", str(kept), *proof)
    assert (told.exit_code, "extends the one of " in told.stdout) == (0, True)


def test_offline_a_wrong_proof_is_refused(kontor: Kontor, kept: Path, proof: list[str]) -> None:
    Path(proof[3]).write_text("[]", encoding="utf-8")
    told = kontor("checkpoint", "verify", str(kept), *proof)
    assert (told.exit_code, "does not show that the later checkpoint grew" in told.stdout) == (1, True)


def test_offline_an_unsigned_later_checkpoint_is_refused(
    kontor: Kontor, kept: Path, proof: list[str]
) -> None:
    later = Path(proof[1]).read_text(encoding="utf-8")
    Path(proof[1]).write_text(later.replace("\n4\n", "\n9\n"), encoding="utf-8")
    told = kontor("checkpoint", "verify", str(kept), *proof)
    assert (told.exit_code, "the later checkpoint is not valid" in told.stdout) == (1, True)


def test_offline_verification_needs_a_later_checkpoint_a_proof_and_keys(
    kontor: Kontor, kept: Path, proof: list[str]
) -> None:
    for some in (proof[:2], proof[:4], proof[2:4]):
        assert kontor("checkpoint", "verify", str(kept), *some).exit_code == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [("{", "this is no checkpoint"), ("{}", "this is no checkpoint"), ("[1]", "this is no checkpoint")],
)
def test_a_file_that_is_no_checkpoint_is_refused(
    kontor: Kontor, url: str, tmp_path: Path, content: str, said: str
) -> None:
    told = kontor("checkpoint", "verify", str(written(tmp_path / "x.json", content)), "--database", url)
    assert (told.exit_code, said in told.stderr) == (1, True)


def test_a_file_that_holds_no_keys_is_refused(kontor: Kontor, url: str, kept: Path, tmp_path: Path) -> None:
    told = kontor(
        "checkpoint",
        "verify",
        str(kept),
        "--keys",
        str(written(tmp_path / "x.json", "[]")),
        "--database",
        url,
    )
    assert (told.exit_code, "does not contain the keys of a service: there are no keys." in told.stderr) == (
        1,
        True,
    )


# --- keys and tokens ----------------------------------------------------------------------------------------


def test_keys_are_listed_and_rotated(kontor: Kontor, url: str, service: Service) -> None:
    [first] = json.loads(kontor("keys", "list", "--json", "--database", url).stdout)["keys"]
    told = kontor("keys", "list", "--database", url).stdout
    assert first["id"] in told
    assert "in use" in told
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
    told = kontor("admin", "token", player, "--label", "night shift", "--days", "36500", "--database", url)
    assert told.exit_code == 2
    told = kontor("admin", "token", player, "--label", "night shift", "--days", "3650", "--database", url)
    text, *rest = told.stdout.splitlines()
    assert rest == []
    caller = service.tokens.authenticate(text)
    assert (caller.player, caller.scopes) == (player, frozenset({"play", "organise", "account", "admin"}))
    assert "This token allows everything: keep it secret." in told.stderr


def test_there_is_no_token_for_an_unknown_player(kontor: Kontor, url: str, service: Service) -> None:
    told = kontor("admin", "token", "00000000-0000-4000-8000-000000000000", "--database", url)
    assert (told.exit_code, told.stdout, told.stderr) == (1, "", "Error: There is no such player.\n")
    assert kontor("admin", "token", "Ada", "--database", url).exit_code == 2
