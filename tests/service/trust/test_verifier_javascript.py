"""The second verifier, in JavaScript, written from the documents alone: it agrees with the first."""

import subprocess
from pathlib import Path

import pytest

from kontor_games.domain.commands import Leave
from kontor_games.domain.games import installed_games
from tests.domain.installed_fair import the_fair_is_installed
from tests.service.trust.test_verifier_flips import flipped, whole_match
from tests.support.forging import Lines, find, forge, forge_around
from tests.support.recording import OPEN, KnownKeys, Recording, announcement, table_of

__all__ = ["the_fair_is_installed"]

ROOT = Path(__file__).parents[3]
VERIFIER = ROOT / "docs/verifier/verify.mjs"


def node(*arguments: str | Path) -> tuple[int, list[str]]:
    """Exit code and what was said, line by line."""
    told = subprocess.run(
        ["node", VERIFIER, *arguments], capture_output=True, text=True, check=False, timeout=120
    )
    return told.returncode, (told.stdout + told.stderr).splitlines()


def written(folder: Path, contents: list[bytes]) -> list[Path]:
    """The contents as files."""
    files = [folder / f"{number}.ndjson" for number in range(len(contents))]
    for file, content in zip(files, contents, strict=True):
        file.write_bytes(content)
    return files


def test_it_has_no_more_than_300_lines_and_no_dependency() -> None:
    lines = VERIFIER.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 300
    assert all('from "node:' in line for line in lines if line.startswith("import "))


def test_it_agrees_with_all_published_vectors() -> None:
    assert node("--vectors", ROOT / "docs/vectors") == (0, ["all vectors agree"])


@pytest.mark.parametrize("part", ["chain.json", "chance.json"])
def test_it_would_notice_a_wrong_vector(part: str, tmp_path: Path) -> None:
    for name in ("chain.json", "chance.json"):
        text = (ROOT / "docs/vectors" / name).read_text(encoding="utf-8")
        if name == part:
            place = text.rindex('"proof"' if part == "chain.json" else '"answers"')
            digit = next(n for n in range(place, len(text)) if text[n] in "123456789")
            text = text[:digit] + ("1" if text[digit] != "1" else "2") + text[digit + 1 :]
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert node("--vectors", tmp_path)[0] == 2


def test_it_accepts_good_files_of_every_game_and_of_running_matches(tmp_path: Path) -> None:
    contents = [whole_match(game) for game in ("fair", *installed_games())]
    contents += [table_of("fair", 3).play_on(2).export(viewer) for viewer in (-1, 0, 2)]
    sealed = Recording(announcement("fair", OPEN, OPEN, open_seed="7"))
    sealed.join("ann")
    sealed.do("ann", Leave())
    for player in ("ben", "cid"):
        sealed.join(player, contribution=player)
    contents.append(sealed.play_on().export())
    code, told = node(*written(tmp_path, contents))
    assert code == 0, told
    assert all("chain, signatures and commitments are right" in line for line in told)


def test_it_accepts_a_file_with_a_rotated_key(tmp_path: Path) -> None:
    recording = table_of("fair", 2).play_on()
    recording.signer = KnownKeys(("old", 0), ("new", recording.entries[-2].at), ("newer", recording.at + 1))
    assert node(*written(tmp_path, [recording.export()]))[0] == 0


def test_it_refuses_files_with_one_flipped_byte(tmp_path: Path) -> None:
    contents = [
        changed for game in ("fair", *installed_games()) for _, changed in flipped(whole_match(game), 40)
    ]
    code, told = node(*written(tmp_path, contents))
    assert code == 1
    assert [line for line in told if ": refused: " not in line] == []
    assert len(told) == len(contents)


def swap_contributions(facts: Lines) -> None:
    one, two = find(facts, "seat_taken", 0)["fact"], find(facts, "seat_taken", 1)["fact"]
    one["contribution"], two["contribution"] = two["contribution"], one["contribution"]


def replace_secret(facts: Lines) -> None:
    facts[0]["fact"]["server_secret"] = "ab" * 32


def change_draw(facts: Lines) -> None:
    drawn = next(line for line in facts if "draws" in line)["draws"][0]["values"][0]
    drawn[1] = (drawn[1] + 1) % drawn[0]


def test_it_refuses_chance_that_was_tampered_with_though_all_is_hashed_and_signed_anew(
    tmp_path: Path,
) -> None:
    good = whole_match("fair")
    forged = [forge(good, change) for change in (swap_contributions, replace_secret, change_draw)]
    code, told = node(*written(tmp_path, forged))
    assert code == 1
    words = ["is not that of the seed", "the secret is not the one committed to", "is not that of the seed"]
    assert [word in line for word, line in zip(words, told, strict=True)] == [True, True, True]


def test_it_refuses_what_does_not_belong_and_a_key_out_of_its_time(tmp_path: Path) -> None:
    good = whole_match("fair")
    late = KnownKeys(("old", 0))
    keys = KnownKeys(("old", 0), ("new", 1))
    leaked = forge(
        forge_around(good, lambda lines: lines[0].update(keys=keys.published()), late),
        lambda facts: None,
        late,
    )
    more = forge_around(good, lambda lines: lines[5].update(more=1))
    misplaced = forge_around(good, lambda lines: [lines[-2].pop(name) for name in ("key", "signature")])
    code, told = node(*written(tmp_path, [leaked, more, misplaced]))
    assert code == 1
    assert [line.split(": ", 3)[-1] for line in told] == [
        "the signature is not right",
        "there is something that does not belong here",
        "a receipt is missing, or does not belong here",
    ]
