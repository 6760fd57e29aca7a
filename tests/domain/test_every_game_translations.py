"""A translated rule book says what the English one says: the same rules, figures, tables and rulings."""

import re
from collections.abc import Callable

import pytest

from kontor_games.domain.data import read_rules
from kontor_games.domain.game import Game
from kontor_games.domain.games import installed_games
from tests.support.game_folders import package_of
from tests.support.matches import all_games

pytestmark = pytest.mark.sampled

LANGUAGES = ("en", "de", "fr", "it", "es")
RULING = {"en": "ruling", "de": "festlegung", "fr": "décision", "it": "decisione", "es": "decisión"}
RULE = re.compile(r"^- \*\*([A-Z]+-\d+)\b", re.MULTILINE)

every_translation = pytest.mark.parametrize(
    ("game", "language"),
    [
        pytest.param(game, language, id=f"{game.id}-{language}")
        for game in all_games().values()
        for language in game.rules_texts
        if language != "en"
    ],
)


def passages(text: str) -> dict[str, str]:
    """Return each rule's text by its number; what stands before the first rule is under `opening`."""
    opening, *parts = RULE.split(text)
    return {"opening": opening, **dict(zip(parts[::2], parts[1::2], strict=True))}


def differences(game: Game, language: str, look: Callable[[str], object]) -> dict[str, tuple[object, object]]:
    """Return what `look` finds in the English passages and not in the translated ones, or the reverse."""
    english, translated = (passages(game.rules_texts[known]) for known in ("en", language))
    seen = {number: (look(english[number]), look(translated[number])) for number in english}
    return {number: (here, there) for number, (here, there) in seen.items() if here != there}


def tables(text: str) -> list[int]:
    """The number of cells in each row."""
    return [row.count("|") - 1 for row in re.findall(r"^\|.*\|$", text, re.MULTILINE)]


def structure(text: str) -> list[str]:
    """Headings, lists inside a rule and emphasis, in their order."""
    return re.findall(r"^#+ |^ +- |\*+", text, re.MULTILINE)


@pytest.mark.parametrize("game", installed_games().values(), ids=lambda game: game.id)
def test_an_installed_game_is_available_in_five_languages(game: Game) -> None:
    assert set(game.languages) == set(game.rules_texts) == set(LANGUAGES)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_the_rules_of_a_game_are_those_of_its_folder(game: Game) -> None:
    assert game.rules_texts == read_rules(package_of(game))


@every_translation
def test_a_translation_has_the_same_rules_in_the_same_order(game: Game, language: str) -> None:
    assert list(passages(game.rules_texts[language])) == list(passages(game.rules_texts["en"]))


@every_translation
def test_a_translation_has_the_same_figures_in_each_rule(game: Game, language: str) -> None:
    assert differences(game, language, lambda text: sorted(re.findall(r"\d+", text))) == {}


@every_translation
def test_a_translation_has_tables_of_the_same_size_with_the_same_figures(game: Game, language: str) -> None:
    assert differences(game, language, tables) == {}
    assert differences(game, language, lambda text: re.findall(r"(?<=\|) (?:\d+ )?(?=\|)", text)) == {}


@every_translation
def test_a_translation_has_the_same_headings_lists_and_emphasis(game: Game, language: str) -> None:
    assert differences(game, language, structure) == {}


@every_translation
def test_a_translation_names_the_same_options_and_files(game: Game, language: str) -> None:
    assert differences(game, language, lambda text: sorted(re.findall(r"`[^`]+`", text))) == {}


@every_translation
def test_a_translation_marks_the_same_rulings(game: Game, language: str) -> None:
    marks = re.compile(rf"\*(?:{RULING['en']}|{RULING[language]})\b", re.IGNORECASE)
    assert differences(game, language, lambda text: len(marks.findall(text))) == {}
    assert RULING["en"] not in game.rules_texts[language].lower()


@every_translation
def test_a_translation_leaves_no_rule_in_english(game: Game, language: str) -> None:
    english, translated = (passages(game.rules_texts[known]) for known in ("en", language))
    assert [number for number in english if english[number].split() == translated[number].split()] == []
