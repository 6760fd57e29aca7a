"""Golden excerpts of narrated matches: they change only on purpose, after a native speaker has read them."""

import pytest

from kontor_games.domain.games import installed_games
from kontor_games.domain.toolkit.languages import LANGUAGES
from tests.domain.narrated_matches import FOLDER, excerpt


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", [*installed_games()])
def test_the_excerpt_of_a_narrated_match_has_not_changed(game: str, language: str) -> None:
    known = (FOLDER / f"{game}.{language}.txt").read_text(encoding="utf-8")
    assert excerpt(game, language).splitlines() == known.splitlines()


def test_there_is_an_excerpt_for_every_game_and_language_and_no_other() -> None:
    wanted = {f"{game}.{language}.txt" for game in installed_games() for language in LANGUAGES}
    assert {path.name for path in FOLDER.iterdir()} == wanted
