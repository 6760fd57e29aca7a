from pathlib import Path

import pytest

from kontor_games.service.arena import Journal, JournalError, outcomes
from kontor_games.service.arena.journal import decode_outcome, encode_outcome
from tests.service.arena.test_arena import fair_contest

CONTEST = fair_contest("random", "greedy")


def write_journal(path: Path, matches: int) -> bytes:
    with Journal(path, CONTEST) as journal:
        before = sum(1 for _ in journal.recorded(matches))
        for outcome in outcomes(CONTEST, matches, first=before):
            journal.add(outcome)
    return path.read_bytes()


def test_an_outcome_survives_writing_and_reading() -> None:
    outcome = CONTEST.outcome(3)
    assert decode_outcome(encode_outcome(outcome)) == outcome


def test_an_interrupted_run_gives_the_same_journal_as_an_uninterrupted_one(tmp_path: Path) -> None:
    whole = write_journal(tmp_path / "whole", 12)
    part = tmp_path / "part"
    write_journal(part, 5)
    assert write_journal(part, 12) == whole


@pytest.mark.parametrize("cut", [1, 40, 120])
def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path, cut: int) -> None:
    whole = write_journal(tmp_path / "journal", 6)
    (tmp_path / "journal").write_bytes(whole[:-cut])
    assert write_journal(tmp_path / "journal", 6) == whole


def test_a_run_of_fewer_matches_leaves_the_others_in_the_file(tmp_path: Path) -> None:
    whole = write_journal(tmp_path / "journal", 6)
    assert write_journal(tmp_path / "journal", 4) == whole


def test_a_journal_of_another_contest_is_refused_with_the_differences(tmp_path: Path) -> None:
    write_journal(tmp_path / "journal", 2)
    with pytest.raises(JournalError, match='is not the journal of these matches: its seed is "7"'):
        Journal(tmp_path / "journal", fair_contest("random", "greedy", seed="8"))


@pytest.mark.parametrize("content", [b"hello\n", b"[1]\n", b"{}\n"])
def test_a_file_that_is_no_journal_is_refused_and_not_changed(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal").write_bytes(content)
    with pytest.raises(JournalError, match="is not the journal of these matches"):
        Journal(tmp_path / "journal", CONTEST)
    assert (tmp_path / "journal").read_bytes() == content


def test_an_error_names_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="can't be opened"):
        Journal(tmp_path / "nowhere" / "journal", CONTEST)


@pytest.mark.parametrize(
    "change", [lambda line: b"{}\n", lambda line: line.replace(b'"number":1', b'"number":2')]
)
def test_an_error_names_a_line_with_a_wrong_outcome(tmp_path: Path, change) -> None:  # type: ignore[no-untyped-def]
    lines = write_journal(tmp_path / "journal", 3).splitlines(keepends=True)
    lines[2] = change(lines[2])
    (tmp_path / "journal").write_bytes(b"".join(lines))
    with Journal(tmp_path / "journal", CONTEST) as journal, pytest.raises(JournalError, match="line 3: "):
        list(journal.recorded(3))
