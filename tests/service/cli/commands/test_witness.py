"""`kontor witness`, `kontor verify --checkpoint` and `kontor checkpoint search` against a real service."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kontor_games.domain.codec import Plain
from kontor_games.domain.signed_note import read_note
from kontor_games.service.kontor import Kontor as Service
from kontor_games.service.trust.notes import cosigners
from tests.api.cosigning import WITNESS, witness
from tests.service.cli.conftest import Kontor
from tests.service.tables import Guest, play_to_the_end, table
from tests.support.live import answering
from tests.support.rewriting import backdated_key, rewritten


@pytest.fixture
def service(serve: Callable[..., Service], url: str) -> Service:
    return serve(url, witnesses=(WITNESS.public,))


@pytest.fixture
def address(service: Service) -> Iterator[str]:
    with answering(service) as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the witness, with its key."""
    made = tmp_path / "witness"
    made.mkdir()
    (made / "witness.key").write_text(WITNESS.text, encoding="utf-8")
    return made


def got(address: str, path: str) -> bytes:
    with urllib.request.urlopen(address + path, timeout=30) as answer:  # noqa: S310
        content: bytes = answer.read()
    return content


def one_line(text: str) -> str:
    return " ".join(text.split())


def saved(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)


class Organiser:
    """Somebody who keeps what the service publishes, and trusts nobody."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self.keys = saved(folder / "keys.json", got(address, "/.well-known/kontor-keys.json"))
        self.checkpoint = saved(folder / "kept.txt", got(address, "/v1/log/checkpoint"))

    def export(self, address: str, match_id: str) -> str:
        return saved(self.folder / "match.ndjson", got(address, f"/v1/matches/{match_id}/export"))


@pytest.fixture
def done(service: Service, ann: Guest, ben: Guest) -> str:
    """A match that is over, with a checkpoint over it."""
    match_id = table(ann, ben)
    play_to_the_end(match_id, ann, ben)
    service.checkpoints.take()
    return match_id


# --- verify -------------------------------------------------------------------------------------------------


def test_an_export_is_compared_with_a_kept_checkpoint(
    kontor: Kontor, tmp_path: Path, address: str, done: str
) -> None:
    kept = Organiser(tmp_path, address)
    export = kept.export(address, done)
    told = kontor("verify", export, "--keys", kept.keys, "--checkpoint", kept.checkpoint, "--url", address)
    assert told.exit_code == 0, told.output
    assert "the file has the head that the kept checkpoint of 2 leaves holds" in told.stdout
    proof = saved(tmp_path / "proof.json", got(address, f"/v1/matches/{done}/inclusion?size=2"))
    told = kontor("verify", export, "--keys", kept.keys, "--checkpoint", kept.checkpoint, "--proof", proof)
    assert told.exit_code == 0, told.output


def test_a_rewritten_match_whose_old_leaf_is_kept_is_detected(
    kontor: Kontor, tmp_path: Path, service: Service, address: str, done: str, ann: Guest, ben: Guest
) -> None:
    """The attack: history is played again, the old leaf stays, a new one is added, all proofs are right."""
    kept = Organiser(tmp_path, address)
    other = rewritten(service, done, ann, ben)
    service.database.write(("UPDATE log_leaves SET version = 0 WHERE subject = ?", [done]))
    later = other.checkpoints.take()
    assert later is not None
    assert later.size == 3
    with answering(other) as evil:
        export = kept.export(evil, done)
        newest = saved(tmp_path / "newest.txt", got(evil, "/v1/log/checkpoint"))
        proof = saved(tmp_path / "proof.json", got(evil, "/v1/checkpoints/consistency?first=2&second=3"))
        plain = kontor("verify", export, "--keys", kept.keys)
        grown = kontor(
            *(
                "checkpoint",
                "verify",
                kept.checkpoint,
                "--later",
                newest,
                "--proof",
                proof,
                "--keys",
                kept.keys,
            )
        )
        held = kontor("verify", export, "--keys", kept.keys, "--checkpoint", kept.checkpoint, "--url", evil)
        found = kontor("checkpoint", "search", evil, "--export", export)
    other.close()
    assert (plain.exit_code, grown.exit_code) == (0, 0), "what there was before notices nothing"
    assert held.exit_code == 1
    assert "the service has signed another history" in held.stdout
    assert found.exit_code == 1
    assert "is not what the export has" in found.stdout


def test_a_backdated_key_is_detected(
    kontor: Kontor, tmp_path: Path, service: Service, address: str, done: str
) -> None:
    kept = Organiser(tmp_path, address)
    added = backdated_key(service, valid_from=1)
    other = Service(service.settings, service.clock)
    with answering(other) as evil:
        export = kept.export(evil, done)
        keys = saved(tmp_path / "new-keys.json", got(evil, "/.well-known/kontor-keys.json"))
        plain = kontor("verify", export, "--keys", keys)
        held = kontor("verify", export, "--keys", keys, "--checkpoint", kept.checkpoint, "--url", evil)
    other.close()
    assert plain.exit_code == 0
    assert held.exit_code == 1
    assert f"signed with the key {added}, which the log did not bind" in one_line(held.stdout)


def test_a_match_that_is_not_in_the_checkpoint_is_not_checked(
    kontor: Kontor, tmp_path: Path, address: str, done: str, ann: Guest, ben: Guest
) -> None:
    kept = Organiser(tmp_path, address)
    later = table(ann, ben)
    told = kontor(*("verify", kept.export(address, later), "--checkpoint", kept.checkpoint, "--url", address))
    assert (told.exit_code, "The match is not in this checkpoint." in one_line(told.stdout)) == (2, True)
    told = kontor(
        *("verify", kept.export(address, done), "--checkpoint", kept.checkpoint),
        *("--url", "http://127.0.0.1:9"),
    )
    assert (told.exit_code, "does not answer" in told.stdout) == (2, True)


def test_a_malformed_proof_is_refused(kontor: Kontor, tmp_path: Path, address: str, done: str) -> None:
    kept = Organiser(tmp_path, address)
    proof = saved(tmp_path / "proof.json", b'{"size": 2, "index": 1, "leaf": {}, "proof": [], "keys": []}')
    told = kontor("verify", kept.export(address, done), "--checkpoint", kept.checkpoint, "--proof", proof)
    assert (told.exit_code, "the inclusion proof is not right" in told.stdout) == (1, True)


@pytest.mark.parametrize(
    "options",
    [
        ("--checkpoint", "{kept}"),
        ("--url", "http://x"),
        ("--proof", "{kept}"),
        ("--checkpoint", "{kept}", "--url", "http://x", "--proof", "{kept}"),
        ("--checkpoint", "{kept}", "--url", "ftp://x"),
        ("--witnesses", "{kept}"),
        ("--require-witnesses", "1"),
        ("--witnesses", "{kept}", "--require-witnesses", "1"),
    ],
)
def test_incomplete_combinations_of_options_are_usage_errors(
    kontor: Kontor, tmp_path: Path, address: str, done: str, options: tuple[str, ...]
) -> None:
    kept = Organiser(tmp_path, address)
    given = [one.format(kept=kept.checkpoint) for one in options]
    assert kontor("verify", kept.export(address, done), *given).exit_code == 2


def test_a_checkpoint_needs_the_witnesses_that_are_required(
    kontor: Kontor, tmp_path: Path, address: str, done: str, folder: Path
) -> None:
    told = kontor("witness", address, "--folder", str(folder), "--once")
    assert told.exit_code == 0, told.output
    kept = Organiser(tmp_path, address)
    export, stranger = kept.export(address, done), witness("w.example/2", 2)
    lines = f"# two witnesses\n{WITNESS.public.text}\n\n{stranger.public.text}\n"
    known = saved(tmp_path / "witnesses.txt", lines.encode())
    options = ("--keys", kept.keys, "--checkpoint", kept.checkpoint, "--url", address, "--witnesses", known)
    told = kontor("verify", export, *options, "--require-witnesses", "1")
    assert (told.exit_code, told.stderr) == (0, "The checkpoint is cosigned by witness.example/w1.\n")
    told = kontor("verify", export, *options, "--require-witnesses", "2")
    assert (told.exit_code, "by 1 of the known witnesses, and 2 are required." in told.stderr) == (1, True)


# --- witness ------------------------------------------------------------------------------------------------


def test_a_new_witness_prints_its_key_and_cosigns_once_the_operator_has_listed_it(
    kontor: Kontor, address: str, done: str, tmp_path: Path
) -> None:
    folder = tmp_path / "new"
    assert kontor("witness", address, "--folder", str(folder), "--once").exit_code == 2
    told = kontor("witness", address, "--folder", str(folder), "--name", "w.example/new", "--once")
    assert "New key of this witness, for the operator's KONTOR_WITNESSES:\nw.example/new+" in told.stdout
    assert (told.exit_code, "does not know a witness of this name" in told.stderr) == (1, True)
    assert "only check with --no-submit" in told.stderr
    assert (folder / "witness.key").stat().st_mode & 0o777 == 0o600
    told = kontor("witness", address, "--folder", str(folder), "--once", "--no-submit")
    assert told.exit_code == 0
    assert kontor("witness", address, "--folder", str(folder), "--name", "other", "--once").exit_code == 2


def test_a_witness_follows_and_cosigns(
    kontor: Kontor, address: str, done: str, folder: Path, service: Service, ann: Guest, ben: Guest
) -> None:
    told = kontor("witness", address, "--folder", str(folder), "--once")
    assert told.stdout == "✓ checkpoint of 2 leaves, the first one, cosigned\n"
    table(ann, ben)
    service.checkpoints.take()
    told = kontor("witness", address, "--folder", str(folder), "--once")
    assert told.stdout == "✓ checkpoint of 3 leaves, extends 2, cosigned\n"
    assert kontor("witness", address, "--folder", str(folder), "--once").stdout == ""
    note = read_note(got(address, "/v1/log/checkpoint").decode())
    assert cosigners(note, [WITNESS.public]) == ["witness.example/w1"]


def test_a_fork_is_refused_and_its_evidence_kept(
    kontor: Kontor, address: str, done: str, folder: Path, service: Service, ann: Guest, ben: Guest
) -> None:
    kontor("witness", address, "--folder", str(folder), "--once")
    kept = got(address, "/v1/log/checkpoint").decode()
    service.database.write(
        ("DELETE FROM log_leaves WHERE place = 1", ()), ("DELETE FROM log_checkpoints WHERE size = 2", ())
    )
    service.database.write(("DELETE FROM kontor_events", ()))
    table(ann, ben)
    service.checkpoints.take()
    told = kontor("witness", address, "--folder", str(folder), "--once")
    assert told.exit_code == 1
    assert "This log is not consistent: it signed two trees of 2 leaves." in told.stderr
    [evidence] = folder.glob("*.fork-*.json")
    found: Plain = json.loads(evidence.read_bytes())
    assert read_note(found["kept"]).text == read_note(kept).text
    assert read_note(found["offered"]).text != read_note(kept).text


def test_damaged_files_and_unreachable_services_are_reported(
    kontor: Kontor, address: str, done: str, folder: Path
) -> None:
    told = kontor("witness", "http://127.0.0.1:9", "--folder", str(folder), "--once")
    assert (told.exit_code, "does not answer" in told.stderr) == (1, True)
    kontor("witness", address, "--folder", str(folder), "--once")
    [state] = folder.glob("127*.json")
    state.write_text("{", encoding="utf-8")
    told = kontor("witness", address, "--folder", str(folder), "--once")
    assert (told.exit_code, "is damaged" in told.stderr) == (1, True)
    (folder / "witness.key").write_text("x", encoding="utf-8")
    told = kontor("witness", address, "--folder", str(folder), "--once")
    assert (told.exit_code, "this is not the key of a witness" in told.stderr) == (1, True)


def test_the_newest_checkpoint_that_enough_witnesses_cosigned_is_fetched(
    kontor: Kontor,
    tmp_path: Path,
    address: str,
    done: str,
    folder: Path,
    service: Service,
    ann: Guest,
    ben: Guest,
) -> None:
    kontor("witness", address, "--folder", str(folder), "--once")
    table(ann, ben)
    service.checkpoints.take()
    known = saved(tmp_path / "witnesses.txt", WITNESS.public.text.encode())
    newest = kontor("checkpoint", "fetch", address)
    assert newest.stdout == got(address, "/v1/log/checkpoint").decode()
    cosigned = kontor("checkpoint", "fetch", address, "--witnesses", known, "--require-witnesses", "1")
    assert cosigned.stdout.splitlines()[1] == "2"
    assert len(read_note(cosigned.stdout).signatures) == 2
    too_many = kontor("checkpoint", "fetch", address, "--witnesses", known, "--require-witnesses", "2")
    assert (too_many.exit_code, too_many.stdout) == (1, "")
    assert kontor("checkpoint", "fetch", address, "--witnesses", known).exit_code == 2
    assert kontor("checkpoint", "fetch", "http://127.0.0.1:9").exit_code == 1


# --- search -------------------------------------------------------------------------------------------------


def test_all_leaves_of_a_service_are_searched(
    kontor: Kontor, tmp_path: Path, address: str, done: str
) -> None:
    kept = Organiser(tmp_path, address)
    export = kept.export(address, done)
    for options in ((), ("--checkpoint", kept.checkpoint, "--keys", kept.keys, "--export", export)):
        told = kontor("checkpoint", "search", address, *options)
        assert told.stdout == "2 leaves of 1 matches and 1 keys, 0 contradictions.\n"
        assert told.exit_code == 0


def test_a_log_that_cannot_be_trusted_is_not_searched(
    kontor: Kontor, tmp_path: Path, address: str, done: str
) -> None:
    kept = Organiser(tmp_path, address)
    forged = Path(kept.checkpoint).read_text(encoding="utf-8").replace("\n2\n", "\n1\n")
    told = kontor("checkpoint", "search", address, "--checkpoint", saved(tmp_path / "x", forged.encode()))
    assert (told.exit_code, "the service never signed this" in told.stderr) == (1, True)
    assert kontor("checkpoint", "search", "http://127.0.0.1:9").exit_code == 1
    assert kontor("checkpoint", "search", "nowhere").exit_code == 2
    told = kontor("checkpoint", "search", address, "--export", kept.checkpoint)
    assert (told.exit_code, "is not a valid export" in told.stderr) == (1, True)
