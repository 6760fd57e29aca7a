"""Golden matches: the same seed gives the same facts and the same sentences.

After an intended change, `python -m tests.domain.games.speicherstadt.golden` regenerates them; read the diff
before committing it.
"""

import pytest

from tests.domain.games.speicherstadt.golden import FOLDER, MATCHES, text


@pytest.mark.parametrize("name", MATCHES)
def test_a_golden_match_gives_the_recorded_facts_and_texts(name: str) -> None:
    """S-10 to S-33, in one."""
    assert text(name) == (FOLDER / f"{name}.txt").read_text("utf-8")


def test_every_golden_file_has_its_match() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(MATCHES)
