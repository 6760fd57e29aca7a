"""`kontor witness`, `kontor verify --checkpoint` and `kontor checkpoint search` against a real service."""

import json
import re
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kontor_games.domain.codec import Plain
from kontor_games.domain.signed_note import read_note
from kontor_games.service.kontor import Kontor as Service
from kontor_games.service.trust.notes import cosigners
from tests.api.cosigning import WITNESS, witness
from tests.corpus.record import CORPUS
from tests.service.cli.conftest import Kontor
from tests.service.conftest import SettableClock
from tests.service.tables import LocalPlayer, play_to_the_end, start_match
from tests.support.live import serve_http
from tests.support.rewriting import backdated_key, rewritten

pytestmark = pytest.mark.e2e


@pytest.fixture
def service(serve: Callable[..., Service], url: str, clock: SettableClock) -> Service:
    """A service whose clock agrees with that of the witness."""
    clock.now = int(time.time() * 1000)
    return serve(url, witnesses=(WITNESS.public,))


@pytest.fixture
def address(service: Service) -> Iterator[str]:
    with serve_http(service) as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a witness, with its key."""
    (made := tmp_path / "witness").mkdir()
    (made / "witness.key").write_text(WITNESS.text, encoding="utf-8")
    return made


def download(address: str, path: str) -> bytes:
    with urllib.request.urlopen(address + path, timeout=30) as answer:  # noqa: S310
        content: bytes = answer.read()
    return content


def cut_log(service: Service) -> None:
    """Remove the second leaf and the checkpoint over it."""
    service.database.write(
        ("DELETE FROM log_leaves WHERE place = 1", ()), ("DELETE FROM log_checkpoints WHERE size = 2", ())
    )


def one_line(text: str) -> str:
    return " ".join(text.split())


def save(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)


class KeptFiles:
    """The keys and the checkpoint that an organiser has downloaded and kept, and exports."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self.keys = save(folder / "keys.json", download(address, "/.well-known/kontor-keys.json"))
        self.checkpoint = save(folder / "kept.txt", download(address, "/v1/log/checkpoint"))

    def export(self, address: str, match_id: str) -> str:
        return save(self.folder / "match.ndjson", download(address, f"/v1/matches/{match_id}/export"))


@pytest.fixture
def finished_match(service: Service, ann: LocalPlayer, ben: LocalPlayer) -> str:
    """A finished match, covered by a checkpoint."""
    match_id = start_match(ann, ben)
    play_to_the_end(match_id, ann, ben)
    service.checkpoints.take()
    return match_id


# --- verify -------------------------------------------------------------------------------------------------


def test_an_export_is_compared_with_a_kept_checkpoint(
    kontor: Kontor, tmp_path: Path, address: str, finished_match: str
) -> None:
    kept = KeptFiles(tmp_path, address)
    export = kept.export(address, finished_match)
    result = kontor("verify", export, "--keys", kept.keys, "--checkpoint", kept.checkpoint, "--url", address)
    assert result.exit_code == 0, result.output
    assert "the kept checkpoint of 2 leaves has the head of version" in result.stdout
    assert "does not say whether it is the last one" not in result.stdout
    proof = save(tmp_path / "proof.json", download(address, f"/v1/matches/{finished_match}/inclusion?size=2"))
    result = kontor("verify", export, "--keys", kept.keys, "--checkpoint", kept.checkpoint, "--proof", proof)
    assert result.exit_code == 0, result.output


def test_a_rewritten_match_whose_old_leaf_is_kept_is_detected(
    kontor: Kontor,
    tmp_path: Path,
    service: Service,
    address: str,
    finished_match: str,
    ann: LocalPlayer,
    ben: LocalPlayer,
) -> None:
    """The match is played again, its old leaf is kept, a new one is added, and all proofs are valid."""
    kept = KeptFiles(tmp_path, address)
    other = rewritten(service, finished_match, ann, ben)
    service.database.write(("UPDATE log_leaves SET version = 0 WHERE subject = ?", [finished_match]))
    later = other.checkpoints.take()
    assert later is not None
    assert later.size == 3
    with serve_http(other) as dishonest:
        export = kept.export(dishonest, finished_match)
        newest = save(tmp_path / "newest.txt", download(dishonest, "/v1/log/checkpoint"))
        proof = save(
            tmp_path / "proof.json", download(dishonest, "/v1/checkpoints/consistency?first=2&second=3")
        )
        plain = kontor("verify", export, "--keys", kept.keys)
        later_tree = ("--later", newest, "--proof", proof, "--keys", kept.keys)
        grown = kontor("checkpoint", "verify", kept.checkpoint, *later_tree)
        with_checkpoint = kontor(
            "verify", export, "--keys", kept.keys, "--checkpoint", kept.checkpoint, "--url", dishonest
        )
        found = kontor("checkpoint", "search", dishonest, "--export", export)
    other.close()
    assert (plain.exit_code, grown.exit_code) == (0, 0), (
        "checks without the leaf in the kept checkpoint detect nothing"
    )
    assert with_checkpoint.exit_code == 1
    assert "the service has signed another history" in with_checkpoint.stdout
    assert found.exit_code == 1
    assert "is not what the export has" in found.stdout


def test_a_backdated_key_is_detected(
    kontor: Kontor, tmp_path: Path, service: Service, address: str, finished_match: str
) -> None:
    kept = KeptFiles(tmp_path, address)
    added = backdated_key(service, valid_from=1)
    other = Service(service.settings, service.clock)
    with serve_http(other) as dishonest:
        export = kept.export(dishonest, finished_match)
        keys = save(tmp_path / "new-keys.json", download(dishonest, "/.well-known/kontor-keys.json"))
        plain = kontor("verify", export, "--keys", keys)
        with_checkpoint = kontor(
            "verify", export, "--keys", keys, "--checkpoint", kept.checkpoint, "--url", dishonest
        )
    other.close()
    assert plain.exit_code == 0
    assert with_checkpoint.exit_code == 1
    assert f"signed with the key {added}, which the log did not bind" in one_line(with_checkpoint.stdout)


def test_a_match_that_is_not_in_the_checkpoint_is_not_checked(
    kontor: Kontor, tmp_path: Path, address: str, finished_match: str, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    kept = KeptFiles(tmp_path, address)
    later = start_match(ann, ben)
    result = kontor(
        *("verify", kept.export(address, later), "--checkpoint", kept.checkpoint, "--url", address)
    )
    assert (result.exit_code, "The match is not in this checkpoint." in one_line(result.stdout)) == (2, True)
    result = kontor(
        *("verify", kept.export(address, finished_match), "--checkpoint", kept.checkpoint),
        *("--url", "http://127.0.0.1:9"),
    )
    assert (result.exit_code, "does not answer" in result.stdout) == (2, True)


def test_a_malformed_proof_is_refused(
    kontor: Kontor, tmp_path: Path, address: str, finished_match: str
) -> None:
    kept = KeptFiles(tmp_path, address)
    proof = save(tmp_path / "proof.json", b'{"size": 2, "index": 1, "leaf": {}, "proof": [], "keys": []}')
    result = kontor(
        "verify", kept.export(address, finished_match), "--checkpoint", kept.checkpoint, "--proof", proof
    )
    assert (result.exit_code, "the inclusion proof is not right" in result.stdout) == (1, True)


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
    kontor: Kontor, tmp_path: Path, address: str, finished_match: str, options: tuple[str, ...]
) -> None:
    kept = KeptFiles(tmp_path, address)
    given = [one.format(kept=kept.checkpoint) for one in options]
    assert kontor("verify", kept.export(address, finished_match), *given).exit_code == 2


def test_a_checkpoint_needs_the_witnesses_that_are_required(
    kontor: Kontor, tmp_path: Path, address: str, finished_match: str, folder: Path
) -> None:
    result = kontor("witness", address, "--folder", str(folder), "--once")
    assert result.exit_code == 0, result.output
    kept = KeptFiles(tmp_path, address)
    export, stranger = kept.export(address, finished_match), witness("w.example/2", 2)
    lines = f"# two witnesses\n{WITNESS.public.text}\n\n{stranger.public.text}\n"
    known = save(tmp_path / "witnesses.txt", lines.encode())
    options = ("--keys", kept.keys, "--checkpoint", kept.checkpoint, "--url", address, "--witnesses", known)
    result = kontor("verify", export, *options, "--require-witnesses", "1")
    cosigned = (
        r"The checkpoint is cosigned by witness\.example/w1 at 20[\d-]+ [\d:]+( UTC)?:"
        r" its quorum of 1 is \d+ s old\."
    )
    assert result.exit_code == 0
    assert re.fullmatch(cosigned, one_line(result.stderr)), result.stderr
    result = kontor("verify", export, *options, "--require-witnesses", "2")
    assert (result.exit_code, "by 1 of the known witnesses, and 2 are required." in result.stderr) == (
        1,
        True,
    )


# --- witness ------------------------------------------------------------------------------------------------


def test_a_new_witness_prints_its_key_and_cosigns_once_the_operator_has_listed_it(
    kontor: Kontor, address: str, finished_match: str, tmp_path: Path
) -> None:
    folder = tmp_path / "new"
    assert kontor("witness", address, "--folder", str(folder), "--once").exit_code == 2
    result = kontor("witness", address, "--folder", str(folder), "--name", "w.example/new", "--once")
    assert "New key of this witness, for the operator's KONTOR_WITNESSES:\nw.example/new+" in result.stdout
    assert (result.exit_code, "does not know a witness of this name" in result.stderr) == (1, True)
    assert "only check with --no-submit" in result.stderr
    assert (folder / "witness.key").stat().st_mode & 0o777 == 0o600
    result = kontor("witness", address, "--folder", str(folder), "--once", "--no-submit")
    assert result.exit_code == 0
    assert kontor("witness", address, "--folder", str(folder), "--name", "other", "--once").exit_code == 2


@pytest.mark.usefixtures("finished_match")
def test_a_witness_follows_and_cosigns(
    kontor: Kontor, address: str, folder: Path, service: Service, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    result = kontor("witness", address, "--folder", str(folder), "--once")
    assert result.stdout == "✓ checkpoint of 2 leaves, the first one, cosigned\n"
    start_match(ann, ben)
    service.checkpoints.take()
    result = kontor("witness", address, "--folder", str(folder), "--once")
    assert result.stdout == "✓ checkpoint of 3 leaves, extends 2, cosigned\n"
    assert kontor("witness", address, "--folder", str(folder), "--once").stdout == ""
    note = read_note(download(address, "/v1/log/checkpoint").decode())
    assert [one.name for one in cosigners(note, [WITNESS.public])] == ["witness.example/w1"]


@pytest.mark.usefixtures("finished_match")
def test_a_fork_is_refused_and_its_evidence_kept(
    kontor: Kontor, address: str, folder: Path, service: Service, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    kontor("witness", address, "--folder", str(folder), "--once")
    kept = download(address, "/v1/log/checkpoint").decode()
    cut_log(service)
    service.database.write(("DELETE FROM kontor_events", ()))
    start_match(ann, ben)
    service.checkpoints.take()
    result = kontor("witness", address, "--folder", str(folder), "--once")
    assert result.exit_code == 1
    assert "This log is not consistent: it signed two trees of 2 leaves." in result.stderr
    [evidence] = folder.glob("*.fork-*.json")
    found: Plain = json.loads(evidence.read_bytes())
    assert read_note(found["kept"]).text == read_note(kept).text
    assert read_note(found["offered"]).text != read_note(kept).text


def test_two_logs_of_one_origin_are_refused_at_a_second_address(
    kontor: Kontor, address: str, finished_match: str, folder: Path, service: Service, ann: LocalPlayer,
    ben: LocalPlayer,
) -> None:  # fmt: skip
    """One operator with one key shows a copy of the database, in which another match follows, elsewhere."""
    other = rewritten(service, finished_match, ann, ben)
    assert kontor("witness", address, "--folder", str(folder), "--once").exit_code == 0
    cut_log(service)
    service.database.write(("DELETE FROM log_cosignatures", ()))
    other.checkpoints.take()
    with serve_http(other) as elsewhere:
        result = kontor("witness", elsewhere, "--folder", str(folder), "--once")
        shown = read_note(download(elsewhere, "/v1/log/checkpoint").decode())
    other.close()
    assert (result.exit_code, "it signed two trees of 2 leaves" in result.stderr) == (1, True)
    assert cosigners(shown, [WITNESS.public]) == []


def test_damaged_files_and_unreachable_services_are_reported(
    kontor: Kontor, address: str, finished_match: str, folder: Path
) -> None:
    result = kontor("witness", "http://127.0.0.1:9", "--folder", str(folder), "--once")
    assert (result.exit_code, "does not answer" in result.stderr) == (1, True)
    kontor("witness", address, "--folder", str(folder), "--once")
    [state] = folder.glob("log-*.json")
    state.write_text("{", encoding="utf-8")
    result = kontor("witness", address, "--folder", str(folder), "--once")
    assert (result.exit_code, "is damaged" in result.stderr) == (1, True)
    (folder / "witness.key").write_text("x", encoding="utf-8")
    result = kontor("witness", address, "--folder", str(folder), "--once")
    assert (result.exit_code, "this is not the key of a witness" in result.stderr) == (1, True)


def test_the_newest_checkpoint_that_enough_witnesses_cosigned_is_fetched(
    kontor: Kontor,
    tmp_path: Path,
    address: str,
    finished_match: str,
    folder: Path,
    service: Service,
    ann: LocalPlayer,
    ben: LocalPlayer,
) -> None:
    kontor("witness", address, "--folder", str(folder), "--once")
    start_match(ann, ben)
    service.checkpoints.take()
    known = save(tmp_path / "witnesses.txt", WITNESS.public.text.encode())
    newest = kontor("checkpoint", "fetch", address)
    assert newest.stdout == download(address, "/v1/log/checkpoint").decode()
    cosigned = kontor("checkpoint", "fetch", address, "--witnesses", known, "--require-witnesses", "1")
    assert cosigned.stdout.splitlines()[1] == "2"
    assert "the log has grown by 1 leaf since" in one_line(cosigned.stderr)
    assert len(read_note(cosigned.stdout).signatures) == 2
    too_many = kontor("checkpoint", "fetch", address, "--witnesses", known, "--require-witnesses", "2")
    assert (too_many.exit_code, too_many.stdout) == (1, "")
    assert kontor("checkpoint", "fetch", address, "--witnesses", known).exit_code == 2
    assert kontor("checkpoint", "fetch", "http://127.0.0.1:9").exit_code == 1


# --- search -------------------------------------------------------------------------------------------------


def test_all_leaves_of_a_service_are_searched(
    kontor: Kontor, tmp_path: Path, address: str, finished_match: str
) -> None:
    kept = KeptFiles(tmp_path, address)
    export = kept.export(address, finished_match)
    for options in ((), ("--checkpoint", kept.checkpoint, "--keys", kept.keys, "--export", export)):
        result = kontor("checkpoint", "search", address, *options)
        assert result.stdout == "2 leaves of 1 match and 1 key, 0 contradictions.\n"
        assert result.exit_code == 0


def test_leaves_that_do_not_reach_the_end_of_a_complete_file_are_not_enough(
    kontor: Kontor, tmp_path: Path, service: Service, address: str, ann: LocalPlayer, ben: LocalPlayer
) -> None:
    match_id = start_match(ann, ben)
    service.checkpoints.take()
    kept = KeptFiles(tmp_path, address)
    options = ("checkpoint", "search", address, "--checkpoint", kept.checkpoint, "--export")
    ann.play(match_id)
    running = kontor(*options, kept.export(address, match_id))
    assert (running.exit_code, running.stdout[0]) == (0, "–")
    play_to_the_end(match_id, ann, ben)
    export = kept.export(address, match_id)
    ended = kontor(*options, export)
    assert (ended.exit_code, "nothing binds the end of this file" in ended.stdout) == (2, True)
    verified = kontor("verify", export, "--checkpoint", kept.checkpoint, "--url", address)
    assert (verified.exit_code, "the proof covers only the first" in one_line(verified.stdout)) == (2, True)


def test_a_file_without_a_leaf_in_the_log_is_not_called_free_of_contradictions(
    kontor: Kontor, tmp_path: Path, address: str, finished_match: str
) -> None:
    """For example a file of another service."""
    foreign = next(CORPUS.rglob("*.ndjson"))
    result = kontor("checkpoint", "search", address, "--export", str(foreign))
    assert (result.exit_code, "has no leaf in this log" in result.stdout) == (1, True)


def test_a_log_that_cannot_be_trusted_is_not_searched(
    kontor: Kontor, tmp_path: Path, address: str, finished_match: str
) -> None:
    kept = KeptFiles(tmp_path, address)
    forged = Path(kept.checkpoint).read_bytes().replace(b"\n2\n", b"\n1\n")
    result = kontor("checkpoint", "search", address, "--checkpoint", save(tmp_path / "x", forged))
    assert (result.exit_code, "the service never signed this" in result.stderr) == (1, True)
    assert kontor("checkpoint", "search", "http://127.0.0.1:9").exit_code == 1
    assert kontor("checkpoint", "search", "nowhere").exit_code == 2
    result = kontor("checkpoint", "search", address, "--export", kept.checkpoint)
    assert (result.exit_code, "is not a valid export" in result.stderr) == (1, True)
