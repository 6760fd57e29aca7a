"""`kontor audit`, as an operator runs it on a database."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from kontor_games.service.cli import main
from kontor_games.service.kontor import Kontor as Service
from kontor_games.service.matches.match_spec import MatchSpec
from tests.service.cli.conftest import Kontor
from tests.service.tables import ME, OPEN, LocalPlayer, play_to_the_end, start_match

pytestmark = pytest.mark.e2e


@pytest.fixture
def matches(service: Service) -> list[str]:
    """Two finished matches and a running one, with a checkpoint over all of them."""
    one, other = LocalPlayer(service), LocalPlayer(service)
    made = [start_match(one, other) for _ in range(3)]
    for match_id in made[:2]:
        play_to_the_end(match_id, one, other)
    service.checkpoints.take()
    return made


def corrupt(service: Service, match_id: str) -> None:
    """Change a stored row directly in the database."""
    own = match_id.replace("-", "")
    sql = (
        "UPDATE kontor_events SET state = REPLACE(state, '\"meet_bots\":true', '\"meet_bots\":false')"
        " WHERE originator_id = ?"
    )
    service.database.write((sql, [own]))


def test_an_intact_database_passes_the_audit(kontor: Kontor, url: str, matches: list[str]) -> None:
    result = kontor("audit", "--all", "--database", url)
    assert result.exit_code == 0
    assert "3 of 3 matches passed the audit" in result.stdout
    assert re.search(
        r"The newest checkpoint, with 4 leaves, of \S+ \S+ UTC, is signed and agrees with the database\.",
        result.stdout,
    )
    assert "The Fair" in result.stdout
    assert "deck" in result.stdout
    assert result.stderr == ""


def test_a_corrupted_row_is_named(kontor: Kontor, url: str, service: Service, matches: list[str]) -> None:
    corrupt(service, matches[1])
    result = kontor("audit", "--all", "--database", url)
    assert result.exit_code == 1
    assert "2 of 3 matches passed the audit" in result.stdout
    assert matches[1] in result.stdout
    assert "the stored hash is not that of the" in result.stdout
    assert matches[0] not in result.stdout


def test_the_report_is_written_for_programs(
    kontor: Kontor, url: str, service: Service, matches: list[str]
) -> None:
    corrupt(service, matches[0])
    result = kontor("audit", "--all", "--database", url, "--json")
    report = json.loads(result.stdout)
    assert (result.exit_code, report["matches"], report["verified"]) == (1, 3, 2)
    [anomaly] = report["anomalies"]
    assert anomaly["match"] == matches[0]
    assert anomaly["problem"].startswith("at version 2: the stored hash is not that of the record")


def test_the_report_is_written_as_html(
    kontor: Kontor, url: str, service: Service, matches: list[str], tmp_path: Path
) -> None:
    corrupt(service, matches[0])
    result = kontor("audit", "--all", "--database", url, "--html", str(tmp_path / "report.html"))
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"Report written to {tmp_path / 'report.html'}." in result.stdout
    assert "<h1>Audit</h1>" in page
    assert matches[0] in page
    assert "One problem was found; 2 of 3 matches are correct." in page
    assert "http://" not in page


def test_the_html_report_is_in_the_chosen_language(
    kontor: Kontor, url: str, service: Service, matches: list[str], tmp_path: Path
) -> None:
    corrupt(service, matches[0])
    report = tmp_path / "report.html"
    result = kontor("audit", "--all", "--database", url, "--html", str(report), "--language", "de")
    page = report.read_text(encoding="utf-8")
    assert "<td>bei Version 2: der gespeicherte Hash ist nicht der der Aufzeichnung</td>" in page
    assert "mit 4 Blättern ist unterschrieben und stimmt mit der Datenbank überein." in page
    assert 'lang="en"' not in page
    assert "is signed and agrees with the database." in result.stdout


def test_names_and_titles_cannot_break_the_page(
    service: Service, url: str, kontor: Kontor, tmp_path: Path
) -> None:
    one = LocalPlayer(service)
    match_id = one.create(ME, OPEN)
    own = match_id.replace("-", "")
    service.database.write(
        ("UPDATE kontor_events SET state = ? WHERE originator_id = ?", ['{"<script>": 1}', own])
    )
    service.database.write(("UPDATE matches SET game = '<script>'", []))
    kontor("audit", "--all", "--database", url, "--html", str(tmp_path / "report.html"))
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert match_id in page


def test_a_few_matches_can_be_audited_alone(
    kontor: Kontor, url: str, service: Service, matches: list[str]
) -> None:
    corrupt(service, matches[1])
    assert "1 of 1 matches" in kontor("audit", matches[0], "--database", url).stdout
    assert kontor("audit", matches[1], "--database", url).exit_code == 1
    unknown = kontor("audit", "00000000-0000-4000-8000-000000000000", "--database", url)
    assert (unknown.exit_code, unknown.stderr) == (
        1,
        "Error: The database has no match 00000000-0000-4000-8000-000000000000.\n",
    )


def test_a_checkpoint_that_was_tampered_with_is_an_anomaly_too(
    kontor: Kontor, url: str, service: Service, matches: list[str]
) -> None:
    service.database.write(("UPDATE log_checkpoints SET note = replace(note, '4\n', '3\n')", []))
    result = json.loads(kontor("audit", "--all", "--database", url, "--json").stdout)
    assert result["anomalies"] == [
        {
            "match": None,
            "problem": "the newest checkpoint: its signature is not right: the service never signed this",
        }
    ]
    assert result["checkpoint"].endswith(
        ", is wrong: its signature is not right: the service never signed this."
    )
    assert (result["matches"], result["verified"]) == (3, 3), "the matches themselves are intact"


def test_a_missing_or_unchecked_checkpoint_is_reported(kontor: Kontor, url: str, service: Service) -> None:
    match_id = start_match(LocalPlayer(service), LocalPlayer(service))
    assert "There is no checkpoint yet." in kontor("audit", "--all", "--database", url).stdout
    assert "Checkpoints are checked only with --all." in kontor("audit", match_id, "--database", url).stdout


def test_several_processes_give_the_same_result_as_one(serve: Callable[..., Service], store_url: str) -> None:
    service = serve(store_url)
    one, other = LocalPlayer(service), LocalPlayer(service)
    made = []
    for _ in range(5):
        spec = MatchSpec("speicherstadt", (ME, OPEN), {}, {})
        made.append(one.make(spec).id)
        other.join(made[-1])
    service.database.write(("DELETE FROM matches WHERE id = ?", [made[3]]))
    first, *others = (
        CliRunner().invoke(main, ["audit", "--all", "--database", store_url, "--json", "--jobs", jobs, *bots])
        for jobs, bots in (("1", ()), ("3", ()), ("1", ("--bots",)), ("2", ("--bots",)))
    )
    assert [result.exit_code for result in (first, *others)] == [1] * 4
    assert [anomaly["match"] for anomaly in json.loads(first.stdout)["anomalies"]] == [made[3]]
    assert {result.stdout for result in others} == {first.stdout}


def test_the_matches_to_audit_must_be_named(kontor: Kontor, url: str) -> None:
    for args in ((), ("--all", "00000000-0000-4000-8000-000000000000")):
        result = kontor("audit", *args, "--database", url)
        assert (result.exit_code, "Name the matches to audit, or use --all." in result.stderr) == (2, True)


def test_a_missing_database_is_not_created(kontor: Kontor, tmp_path: Path) -> None:
    result = kontor("audit", "--all", "--database", f"sqlite:///{tmp_path}/nothing.db")
    assert (result.exit_code, "There is no database at" in result.stderr) == (1, True)
    assert not (tmp_path / "nothing.db").exists()


def test_an_error_about_missing_tables_says_what_to_do(kontor: Kontor, tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    result = kontor("audit", "--all", "--database", f"sqlite:///{tmp_path}/empty.db")
    assert result.exit_code == 1
    assert "`kontor migrate`" in result.stderr


def test_an_error_about_missing_tables_on_postgresql_says_what_to_do(
    kontor: Kontor, database_url: str
) -> None:
    result = kontor("audit", "--all", "--database", database_url)
    assert (result.exit_code, "`kontor migrate`" in result.stderr) == (1, True)


def test_a_wrong_address_is_reported_without_a_traceback(kontor: Kontor) -> None:
    result = kontor("audit", "--all", "--database", "mysql://x")
    assert (result.exit_code, "must be sqlite:///path/to/file.db" in result.stderr) == (1, True)
