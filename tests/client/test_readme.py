"""What README.md says can be typed as it stands: its blocks are run, in their order, against a real service."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.service import ROOT, Service

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(section: str, language: str) -> list[str]:
    """The blocks of one language under a heading."""
    [text] = re.findall(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found, f"nothing to run under {section}"
    return found


@pytest.fixture(scope="module")
def shown(service: Service, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the terminal shows after each block of the match with curl."""
    mark = "-- next --"
    script = f"\necho '{mark}'\n".join(blocks("A match with curl, in five minutes", "sh")).replace("http://localhost:8000", service.url)
    done = subprocess.run(["sh", "-eu"], input=script, cwd=tmp_path_factory.mktemp("curl"), capture_output=True, text=True, timeout=280)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split(f"{mark}\n")


def test_accounts_and_matches_are_made_in_silence(shown: list[str]) -> None:
    assert shown[:2] == ["", ""]


def test_it_is_your_turn_when_you_look(shown: list[str]) -> None:
    assert '"status": "running"' in shown[2]
    assert re.search(r'"to_act": \[\s*0\s*\]', shown[2])
    assert '"legal_moves": [' in shown[2]


def test_a_move_is_answered_with_facts(shown: list[str]) -> None:
    move, facts = shown[3].splitlines()
    assert move.startswith('{"type": "place_worker"')
    assert "'worker_placed'" in facts


def test_the_stream_tells_what_happened_and_the_bots_answer(shown: list[str]) -> None:
    assert shown[4].count('"type":"worker_placed"') >= 2
    assert shown[4].startswith("retry:")


def test_a_refused_move_names_its_rule(shown: list[str]) -> None:
    assert re.match(r"S-\d+: \w", shown[5])


def test_the_match_is_played_to_its_end(shown: list[str]) -> None:
    assert shown[6].startswith("{'places': [")
    assert shown[6].endswith("'reason': 'played'}\n")


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
