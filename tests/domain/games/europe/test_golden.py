"""Golden matches: the same seed gives the same facts and states."""

import pytest

from tests.domain.games.europe.golden import FOLDER, MATCHES, written


@pytest.mark.parametrize("name", MATCHES)
def test_a_golden_match_gives_the_recorded_facts(name: str) -> None:
    assert written(name).splitlines() == (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def test_golden_matches_contain_the_important_facts() -> None:
    told = "\n".join((FOLDER / f"{name}.txt").read_text(encoding="utf-8") for name in MATCHES)
    for fact in (
        "connection_paid",
        "post_founded",
        "token_placed",
        "good_delivered",
        "trade_made",
        "card_stolen",
        "cards_discarded",
        "steps_lapsed",
    ):
        assert f"    {fact} " in told, fact


def test_every_file_of_the_folder_is_a_golden_match() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(MATCHES)
