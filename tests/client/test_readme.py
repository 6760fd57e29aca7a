"""What README.md says can be typed as it stands: its blocks are run, in their order, against a real service."""

import re
import subprocess
import sys
from pathlib import Path

from tests.client.service import ROOT, Service

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(section: str, language: str) -> list[str]:
    """The blocks of one language under a heading."""
    [text] = re.findall(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found, f"nothing to run under {section}"
    return found


def test_a_match_is_played_with_curl_alone(service: Service, tmp_path: Path) -> None:
    mark = "-- next --"
    script = f"\necho '{mark}'\n".join(blocks("A match with curl, in five minutes", "sh")).replace("http://localhost:8000", service.url)
    script = script.replace(".venv/bin/", f"{Path(sys.executable).parent}/")
    done = subprocess.run(["sh", "-eu"], input=script, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    register, create, look, move, stream, refused, finish, check = done.stdout.split(f"{mark}\n")
    assert register + create == ""
    assert re.search(r'"status": "running".*"to_act": \[\s*0\s*\].*"legal_moves": \[', look, re.DOTALL)
    assert re.match(r'\{"type": "place_worker".*\n\[\{.*\'worker_placed\'', move)
    assert stream.startswith("retry:")
    assert stream.count('"type":"worker_placed"') >= 2
    assert re.match(r"S-\d+: \w", refused)
    assert re.fullmatch(r"\{'places': \[.*'reason': 'played'\}\n", finish)
    assert "✓" in check


def test_the_bot_in_python_plays_a_match(service: Service) -> None:
    for program in blocks("A bot in Python", "python"):
        program = program.replace("http://localhost:8000", service.url)
        done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=240)
        assert (done.returncode, done.stderr) == (0, "")
        assert "'reason': 'played'" in done.stdout


def test_bots_can_be_watched(tmp_path: Path) -> None:
    [script] = blocks("Watch bots play", "sh")
    script = script.replace(".venv/bin/", f"{Path(sys.executable).parent}/").replace("--matches 1000", "--matches 20")
    done = subprocess.run(["sh", "-eu"], input=script, cwd=tmp_path, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr


def test_every_picture_and_every_page_it_points_to_is_there() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert len(links) > 8
    assert [link for link in links if not (ROOT / link).exists()] == []
