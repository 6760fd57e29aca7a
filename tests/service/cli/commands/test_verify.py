import json
import re
import subprocess
import sys
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kontor_games.domain.codec import canonical
from kontor_games.domain.commands import Abort, Create
from kontor_games.domain.export import footer_text
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import SeatPlan, find_rules
from kontor_games.domain.match_stream import MATCHES
from kontor_games.service.cli import main
from kontor_games.service.ed25519 import key_id
from kontor_games.service.trust.notes import PublicKey
from tests.domain.installed_fair import the_fair_is_installed
from tests.domain.toy.games import toy_games
from tests.service.cli.conftest import Kontor
from tests.support.forging import find, forge
from tests.support.recording import (
    KEYS,
    OPEN,
    KnownKeys,
    Recording,
    announcement,
    house_bot,
    pinned_bot,
    table_of,
)

__all__ = ["the_fair_is_installed"]

ROOT = Path(__file__).parents[4]
CORPUS = ROOT / "tests" / "corpus"


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return write_file(tmp_path / "good.ndjson", table_of("fair", 3).play_on().export())


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    return write_file(tmp_path / "keys.json", json.dumps({"keys": KEYS.published()}).encode())


def write_file(file: Path, content: bytes) -> Path:
    file.write_bytes(content)
    return file


def write_forgery(good: Path, name: str) -> Path:
    content = forge(good.read_bytes(), lambda facts: find(facts, "round_taken")["fact"].update(points=9))
    return write_file(good.parent / name, content)


def test_a_valid_file_is_reported_check_by_check(kontor: Kontor, good: Path, keys: Path) -> None:
    result = kontor("verify", str(good), "--keys", str(keys))
    assert result.exit_code == 0
    first, *rows = result.stdout.splitlines()
    assert first.startswith("✓ good.ndjson: fair, match ")
    assert [row.split("  ")[0] for row in rows] == ["✓"] * 8 + ["–"] + ["✓"] * 2
    assert (
        "seats 0, 1 and 2 contributed to the seed after the service was bound to its secret" in result.stdout
    )
    assert "no player signed; seats 0, 1 and 2 unsigned" in result.stdout
    checks = [
        "form",
        "chain",
        "signatures",
        "commitments",
        "seed",
        "contributions",
        "draws",
        "moves and facts",
        "players",
        "clocks",
        "result",
    ]
    assert [check for check, row in zip(checks, rows, strict=True) if check not in row] == []
    assert "published by the service" in result.stdout


def test_the_result_names_the_players_where_names_are_given(kontor: Kontor, good: Path) -> None:
    result = kontor("verify", str(good)).stdout.splitlines()[-1].rstrip()
    assert sorted(re.findall(r"\d\. (seat \d \(\w+\))", result)) == [
        "seat 0 (ann)",
        "seat 1 (ben)",
        "seat 2 (cid)",
    ]
    named = kontor("verify", str(good), "--names", "Ada,Greta,Carl").stdout.splitlines()[-1].rstrip()
    by_seat = {"seat 0 (ann)": "Ada", "seat 1 (ben)": "Greta", "seat 2 (cid)": "Carl"}
    assert named == re.sub(r"seat \d \(\w+\)", lambda seat: by_seat[seat.group()], result)


def test_names_are_for_one_file_and_all_its_seats(kontor: Kontor, good: Path) -> None:
    assert (
        "--names is for a single file."
        in kontor("verify", str(good), str(good), "--names", "Ada,Greta,Carl").stderr
    )
    assert "--names must give 3 names" in kontor("verify", str(good), "--names", "Ada,Greta").stderr


def test_without_the_keys_of_the_service_the_signatures_are_not_confirmed(kontor: Kontor, good: Path) -> None:
    result = kontor("verify", str(good))
    assert result.exit_code == 0
    assert "!  signatures" in result.stdout
    assert "taken from the file itself; use --keys" in result.stdout


def test_an_invalid_file_is_refused_with_its_first_wrong_line(kontor: Kontor, good: Path, keys: Path) -> None:
    bad = write_forgery(good, "bad.ndjson")
    result = kontor("verify", str(bad), "--keys", str(keys))
    line = next(n for n, text in enumerate(bad.read_bytes().splitlines(), 1) if b"round_taken" in text)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "✗ bad.ndjson is invalid",
        f"  line {line}: round_taken says points 9, the rules give 3",
    ]


def test_the_report_on_a_running_match_says_what_can_be_checked_only_later(
    kontor: Kontor, tmp_path: Path
) -> None:
    file = str(write_file(tmp_path / "running.ndjson", table_of("fair", 2).export(0)))
    result = kontor("verify", file)
    assert result.exit_code == 0
    assert result.stdout.count("not possible before the match is over") == 6
    assert kontor("verify", file, "--names", "Ada,Greta").stdout == result.stdout


def test_the_report_warns_of_an_open_seed(kontor: Kontor, tmp_path: Path) -> None:
    result = kontor(
        "verify",
        str(write_file(tmp_path / "open.ndjson", table_of("fair", 2, open_seed="7").play_on().export())),
    )
    assert "!  seed" in result.stdout
    assert "everybody could compute the deal in advance" in result.stdout


def against_bots(tmp_path: Path, *seats: SeatPlan) -> Path:
    recording = Recording(announcement("fair", *seats)).play_with_bots()
    return write_file(tmp_path / "bots.ndjson", recording.export())


def test_the_moves_of_house_bots_are_recomputed(kontor: Kontor, tmp_path: Path) -> None:
    file = against_bots(tmp_path, pinned_bot("fair", "greedy"), pinned_bot("fair", "random"))
    moves = sum(b'"by":"house"' in line and b'"command"' in line for line in file.read_bytes().splitlines())
    result = kontor("verify", str(file))
    assert result.exit_code == 0
    assert "✓  house bots" in result.stdout
    assert f"house bot moves recomputed: {moves}" in result.stdout
    arguments = json.loads(kontor("verify", "--json", str(file)).stdout)
    assert sum(bot["recomputed"] for bot in arguments[0]["bots"]) == moves


def test_the_report_says_why_moves_of_house_bots_are_not_recomputed(kontor: Kontor, tmp_path: Path) -> None:
    file = against_bots(tmp_path, house_bot("greedy"), house_bot("random", 9))
    result = kontor("verify", str(file))
    assert result.exit_code == 0
    assert "!  house bots" in result.stdout
    shown = " ".join(result.stdout.split())
    assert "of greedy on seat 0, because its version is not recorded, as in old matches" in shown
    assert "of random on seat 1, because version 9 is not installed here" in shown


def test_several_files_get_one_line_each_and_the_worst_sets_the_exit_code(
    kontor: Kontor, good: Path, keys: Path
) -> None:
    bad = write_forgery(good, "bad.ndjson")
    result = kontor("verify", str(good), str(bad), str(good), "--keys", str(keys))
    assert result.exit_code == 1
    assert [row[0] for row in result.stdout.splitlines() if ".ndjson" in row] == ["✓", "✗", "✓"]
    assert (
        result.stdout.splitlines()[-1] == "2 valid, 1 invalid, 0 not checked; keys published by the service."
    )


def test_several_valid_files_exit_with_0(kontor: Kontor, good: Path) -> None:
    assert kontor("verify", str(good), str(good)).exit_code == 0


@pytest.mark.slow
def test_several_processes_give_the_same_results_in_the_same_order(tmp_path: Path) -> None:
    files = [
        file
        for file in sorted(CORPUS.glob("*/v1-broken-off-*.ndjson"))
        if file.parent.name not in toy_games()
    ]
    bad = tmp_path / "bad.ndjson"
    bad.write_bytes(files[0].read_bytes().replace(b'"seat":1', b'"seat":0', 1))
    arguments = ["verify", "--json", *map(str, [files[0], bad, *files[1:]])]
    one, two = (CliRunner().invoke(main, [*arguments, "--jobs", jobs]) for jobs in ("1", "2"))
    assert (one.exit_code, two.exit_code) == (1, 1)
    assert [found["good"] for found in json.loads(one.stdout)] == [True, False, *[True] * (len(files) - 1)]
    assert two.stdout == one.stdout


def test_a_file_whose_rules_are_not_installed_is_uncheckable_and_not_invalid(
    kontor: Kontor, good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(installed_games(), "fair")
    find_rules.cache_clear()
    result = kontor("verify", str(good))
    assert result.exit_code == 2
    assert result.stdout.splitlines()[0] == "? good.ndjson could not be checked here"
    assert "the rules of this match are not installed here: fair version 1" in result.stdout


def test_the_findings_can_be_printed_as_json(kontor: Kontor, good: Path, keys: Path) -> None:
    result = kontor(
        "verify", str(good), str(write_forgery(good, "bad.ndjson")), "--keys", str(keys), "--json"
    )
    fine, bad = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (fine["good"], fine["game"], fine["trusted"], fine["complete"]) == (True, "fair", True, True)
    assert (bad["good"], bad["checkable"], bad["problem"]) == (
        False,
        True,
        "round_taken says points 9, the rules give 3",
    )


def test_kept_receipts_are_compared(kontor: Kontor, tmp_path: Path, keys: Path) -> None:
    recording = table_of("fair", 2)
    answer = {"version": recording.match.version, "receipt": recording.receipt()}
    kept = write_file(
        tmp_path / "receipts.ndjson",
        json.dumps(answer).encode() + b"\n" + json.dumps(recording.receipt()).encode() + b"\n",
    )
    true = write_file(tmp_path / "true.ndjson", recording.play_on().export())
    result = kontor("verify", str(true), "--keys", str(keys), "--receipts", str(kept))
    assert (result.exit_code, "2 receipts agree with the file" in result.stdout) == (0, True)
    false = write_file(
        tmp_path / "false.ndjson", table_of("fair", 2, server_secret="ab" * 32).play_on().export()
    )
    result = kontor("verify", str(false), "--receipts", str(kept))
    assert (result.exit_code, "the service has signed another history" in result.stdout) == (1, True)


def with_many_keys(content: bytes) -> bytes:
    """Return the same export with forty later keys of the service in its header."""
    lines = content.split(b"\n")
    header = json.loads(lines[0])
    later = [Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32).public_key() for n in range(40)]
    raw = [key.public_bytes_raw() for key in later]
    keys = [PublicKey(key_id(one), b64encode(one).decode(), 10**15).plain() for one in raw]
    header["keys"] += keys
    return with_new_footer(b"\n".join([canonical(dict(sorted(header.items()))), *lines[1:]]))


def with_new_footer(content: bytes) -> bytes:
    """Return the export with a new signature in its last line."""
    *before, last, _ = content.split(b"\n")
    body = b"".join(line + b"\n" for line in before)
    footer = {name: value for name, value in json.loads(last).items() if name not in ("key", "signature")}
    footer["file"] = sha256(body).hexdigest()
    key, signature = KEYS.sign(footer_text(MATCHES, footer), footer["at"])
    return body + canonical({**footer, "key": key, "signature": signature}) + b"\n"


def test_each_of_several_files_is_compared_with_its_own_receipts(
    kontor: Kontor, good: Path, tmp_path: Path
) -> None:
    """A header of more than 4,096 bytes: the id of the match was once searched only in that part."""
    recording = table_of("fair", 2, server_secret="ab" * 32)
    kept = write_file(tmp_path / "receipts.json", json.dumps([recording.receipt()]).encode())
    true = write_file(tmp_path / "true.ndjson", with_many_keys(recording.play_on().export()))
    assert len(true.read_bytes().split(b"\n")[0]) > 4096
    result = kontor("verify", str(true), str(true), "--receipts", str(kept))
    assert result.exit_code == 0, result.output
    assert "2 valid, 0 invalid, 0 not checked; 1 of 1 receipts used;" in result.stdout
    false = write_file(tmp_path / "false.ndjson", with_many_keys(table_of("fair", 2).play_on().export()))
    result = kontor("verify", str(false), str(false), "--receipts", str(kept))
    assert (result.exit_code, result.stdout.count("the service has signed another history")) == (1, 2)


def test_receipts_that_belong_to_no_file_are_an_error(kontor: Kontor, good: Path, tmp_path: Path) -> None:
    recording = table_of("fair", 2)
    other = {**recording.receipt(), "match": "00000000-0000-4000-8000-00000000000f"}
    kept = write_file(tmp_path / "receipts.json", json.dumps([other]).encode())
    result = kontor("verify", str(good), str(good), "--receipts", str(kept))
    assert result.exit_code == 1
    assert "1 of 1 receipts are for matches or tournaments that none of these files" in result.stderr
    assert kontor("verify", str(good), "--receipts", str(kept)).exit_code == 1


@pytest.mark.parametrize("name", ["--receipts", "--keys"])
def test_a_duplicate_key_is_an_error(kontor: Kontor, good: Path, tmp_path: Path, name: str) -> None:
    doubled = b'{"version": 1, "keys": [], "version": 2}'
    result = kontor("verify", str(good), name, str(write_file(tmp_path / "doubled.json", doubled)))
    assert (result.exit_code, "the key 'version' is there twice" in result.stderr) == (2, True)


def test_the_table_of_several_files_shows_open_seeds_branches_and_unsigned_players(
    kontor: Kontor, good: Path, tmp_path: Path
) -> None:
    open_seed = table_of("fair", 2, open_seed="7").play_on().export()
    result = kontor("verify", str(good), str(write_file(tmp_path / "open.ndjson", open_seed)))
    rows = {line.split()[1]: line for line in result.stdout.splitlines() if ".ndjson" in line}
    assert "open seed" not in rows["good.ndjson"]
    assert "unsigned" in rows["good.ndjson"]
    assert "open seed, unsigned" in rows["open.ndjson"]


@pytest.mark.parametrize("content", [b"", b"{}", b'{"keys": []}', b"[1]", b"nonsense"])
def test_a_file_without_keys_is_a_usage_error(
    kontor: Kontor, good: Path, tmp_path: Path, content: bytes
) -> None:
    result = kontor("verify", str(good), "--keys", str(write_file(tmp_path / "none.json", content)))
    assert (result.exit_code, "does not contain the keys of a service" in result.stderr) == (2, True)


@pytest.mark.parametrize("content", [b"nonsense", b"[1]", b'[{"version": 1}]'])
def test_a_file_without_receipts_is_a_usage_error(
    kontor: Kontor, good: Path, tmp_path: Path, content: bytes
) -> None:
    result = kontor("verify", str(good), "--receipts", str(write_file(tmp_path / "none.json", content)))
    assert (result.exit_code, "receipt" in result.stderr) == (2, True)


def test_a_missing_file_is_a_usage_error(kontor: Kontor) -> None:
    assert kontor("verify", "nowhere.ndjson").exit_code == 2


def test_another_key_than_the_services_is_refused(kontor: Kontor, good: Path, tmp_path: Path) -> None:
    other = write_file(
        tmp_path / "other.json", json.dumps(KnownKeys(("somebody else", 0)).published()).encode()
    )
    result = kontor("verify", str(good), "--keys", str(other))
    assert (result.exit_code, "is not one that the service publishes" in result.stdout) == (1, True)


@pytest.mark.slow
def test_neither_service_nor_database_is_needed(tmp_path: Path) -> None:
    game = next(iter(installed_games()))
    recording = table_of(game, 3).play_on(20)
    for player in ("ben", "cid", "ann"):
        if not recording.match.over:
            recording.do(player, Abort())
    file = write_file(tmp_path / "match.ndjson", recording.export())
    program = f"""
import sys
from kontor_games.service.cli import main
from kontor_games.service.ed25519 import key_id
from kontor_games.service.trust.notes import PublicKey
try:
    main(["verify", {str(file)!r}])
except SystemExit as ended:
    print("ended", ended.code)
print("brought in", sorted({{"eventsourcing", "psycopg", "sqlite3", "flask", "kontor_games.service.kontor",
    "kontor_games.service.store.event_store"}} & set(sys.modules)))
"""
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-2:] == ["ended 0", "brought in []"]


def test_verify_is_listed_among_the_commands() -> None:
    # The group of commands needs no context for this.
    assert "verify" in main.list_commands(None)  # type: ignore[arg-type]


def verified(kontor: Kontor, file: Path, match: Recording) -> str:
    result = kontor("verify", str(write_file(file, match.play_on().export())))
    assert result.exit_code == 0
    return " ".join(result.stdout.split())


def test_the_report_says_whose_contributions_counted(kontor: Kontor, tmp_path: Path) -> None:
    nobody = Recording(announcement("fair", OPEN, OPEN))
    nobody.join("ann")
    nobody.join("ben")
    result = verified(kontor, tmp_path / "nobody.ndjson", nobody)
    assert "! contributions nobody contributed: the service alone could have chosen the deal" in result
    early = Create(takes_seat=True, bot=False, contribution="a" * 64)
    creator = Recording(announcement("fair", OPEN, OPEN), early)
    creator.join("ben")
    result = verified(kontor, tmp_path / "early.ndjson", creator)
    assert "nobody made a contribution that counts: the service alone could have chosen the deal" in result
    assert "the contribution of seat 0 came before that and does not count" in result
    both = Recording(announcement("fair", OPEN, OPEN), early)
    both.join("ben", contribution="b" * 64)
    result = verified(kontor, tmp_path / "both.ndjson", both)
    assert "! contributions" not in result
    assert "seat 1 contributed to the seed after" in result


def test_with_an_open_seed_the_report_does_not_mention_contributions(kontor: Kontor, tmp_path: Path) -> None:
    match = Recording(announcement("fair", OPEN, OPEN, open_seed="7"))
    match.join("ann")
    match.join("ben")
    assert "contributions" not in verified(kontor, tmp_path / "open.ndjson", match)
