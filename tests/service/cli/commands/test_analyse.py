"""`kontor analyse`: what each seat of an exported match could have done better."""

import json
from pathlib import Path

from tests.corpus.record import CORPUS
from tests.service.cli.conftest import Kontor

FILE = str(CORPUS / "speicherstadt/v1-bot-greedy-1-2.ndjson")


def test_the_largest_mistakes_of_every_seat_are_shown(kontor: Kontor) -> None:
    shown = kontor("analyse", FILE, "--names", "Ada,Bot")
    assert shown.exit_code == 0
    assert "Ada" in shown.output
    assert "best, points" in shown.output
    assert "better was" in shown.output
    assert "worker" in shown.output


def test_all_decisions_of_one_seat_as_json_in_another_language(kontor: Kontor) -> None:
    result = json.loads(kontor("analyse", FILE, "--seat", "1", "--all", "--json", "--language", "de").stdout)
    [seat] = result["seats"]
    assert (seat["seat"], seat["decisions"]) == (1, len(seat["shown"]))
    assert any("Arbeiter" in one["made"]["label"] for one in seat["shown"])
    assert all(one["before"] >= one["after"] for one in seat["shown"])
    wrong = next(one for one in seat["shown"] if one["line"])
    assert wrong["line"][0]["move"] != wrong["made"]["move"]
    assert set(wrong["line"][0]) == {"seat", "move", "label"}


def test_a_seat_that_is_not_there_and_a_file_that_is_no_export_are_refused(
    kontor: Kontor, tmp_path: Path
) -> None:
    assert "seats 0 to 1" in kontor("analyse", FILE, "--seat", "2").output
    other = tmp_path / "letter"
    other.write_text("Dear match,", encoding="utf-8")
    ended = kontor("analyse", str(other))
    assert (ended.exit_code, "not a valid export" in ended.output) == (1, True)
