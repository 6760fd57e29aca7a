"""The commands in README.md and in the first documents work as printed, in order, against a real service."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.client.service import ROOT, Service


def blocks(page: str, language: str) -> list[str]:
    """Return the code blocks in a language on a page of the documentation."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found, f"nothing to run in {page}"
    return found


def test_a_match_is_played_with_curl_alone(service: Service, tmp_path: Path) -> None:
    mark = "-- next --"
    script = f"\necho '{mark}'\n".join(blocks("docs/first-match.md", "sh")).replace(
        "http://localhost:8000", service.url
    )
    script = script.replace(".venv/bin/", f"{Path(sys.executable).parent}/")
    wide = {**os.environ, "COLUMNS": "120"}
    done = subprocess.run(
        ["sh", "-eu"], input=script, cwd=tmp_path, env=wide, capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")
    register, create, join, look, move, stream, refused, finish, check, replay = done.stdout.split(
        f"{mark}\n"
    )
    assert register == "Hello, Ada!\n"
    assert re.fullmatch(r"The service is committed to [0-9a-f]{64}\n", create)
    assert re.fullmatch(rf"Your match: {service.url}/v1/matches/[0-9a-f-]{{36}}\n", join)
    assert re.fullmatch(
        r"Round 1, and these cards are for sale:\n(\{\"card\".*\n)+Your legal moves:\n(\{\"type\".*\n)+", look
    )
    assert re.fullmatch(
        r"You play (\{\"type\": \"place_worker\".*)\n\{\"type\": \"worker_placed\", .*\n", move
    )
    assert stream.startswith('{"type":"match_created",')
    assert stream.count('"type":"worker_placed"') >= 2
    assert re.fullmatch(r"S-\d+: \w.*\n", refused)
    assert re.fullmatch(r"\.{20,}\n1\. \w+\n[12]\. \w+\n", finish)
    ticked = [line.split()[1] for line in check.splitlines() if line.startswith("✓")]
    assert {"chain", "signatures", "contributions", "draws", "receipts"} < {*ticked}
    [unticked] = [line for line in check.splitlines() if not line.startswith("✓")]
    assert re.match(r"[!–]  players +no player signed; seat 0 unsigned", unticked)
    answers = (tmp_path / "answers.ndjson").read_text(encoding="utf-8").splitlines()
    assert re.search(rf"✓  receipts +{len(answers)} receipts", check)
    assert re.search(r"✓  result +1\. \S+, [12]\. ", check)
    assert "Ada takes a seat." in replay
    printed = (look + move + stream + refused + finish + check).splitlines()
    assert max(map(len, printed)) <= 160, "no line is too long to read"
    written = sorted(
        file.name for file in tmp_path.iterdir() if not file.name.startswith((".", "log", "kontor.db"))
    )
    ignored = subprocess.run(["git", "check-ignore", *written], cwd=ROOT, capture_output=True, text=True)
    assert sorted(ignored.stdout.split()) == written
    assert written == ["answers.ndjson", "kontor-keys.json", "match.json", "match.ndjson"]


def test_the_bot_in_python_plays_a_match(service: Service, tmp_path: Path) -> None:
    home = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}  # where the client keeps its token
    for program in blocks("README.md", "python"):
        program = program.replace("http://localhost:8000", service.url)
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=home, capture_output=True, text=True, timeout=240
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert "'reason': 'played'" in done.stdout


def test_a_tournament_is_run_from_the_announcement_to_the_verified_file(
    service: Service, tmp_path: Path
) -> None:
    announce, finish = blocks("docs/first-tournament.md", "sh")
    entered = "until organise list | grep -q '4 entrants'; do sleep 0.2; done"
    script = "\n".join([announce, entered, finish])
    script = script.replace("rounds = 2", "rounds = 1")  # one is enough here
    script = script.replace("http://localhost:8000", service.url)
    script = script.replace(".venv/bin/", f"{Path(sys.executable).parent}/")
    given = {"XDG_STATE_HOME": str(tmp_path), "COLUMNS": "120"}
    done = subprocess.run(
        ["bash", "-eu"],
        input=script,
        cwd=tmp_path,
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = " ".join(done.stdout.split())
    assert "Autumn cup: provisional, round 1 of 1, 0 matches running" in shown
    assert "All matches are played. Entrants can protest until" in shown
    assert "Then make the standings final: kontor tournament sign" in shown
    assert "Autumn cup is final: edition signed." in shown
    assert "1 round paired again" in shown
    assert "1 match verified move by move" in shown
    assert "<h1>Autumn cup</h1>" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_bots_can_be_watched(tmp_path: Path) -> None:
    [script] = blocks("docs/command-line.md", "sh")
    script = script.replace(".venv/bin/", f"{Path(sys.executable).parent}/").replace(
        "--matches 1000", "--matches 20"
    )
    done = subprocess.run(
        ["sh", "-eu"], input=script, cwd=tmp_path, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr


def test_every_linked_picture_and_page_exists() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(links) > 8
    assert [link for link in links if not (ROOT / link).exists()] == []
