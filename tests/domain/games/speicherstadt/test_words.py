"""Names in five languages for everything that views name by id."""

from collections.abc import Iterator
from typing import Any

import pytest

from kontor_games.domain.games.speicherstadt import GAME
from tests.domain.games.speicherstadt.playing import fast_picks, random_match
from tests.domain.games.speicherstadt.scenario import RULES

_KEYS_OF_IDS = {
    "card",
    "kind",
    "season",
    "phase",
    "cards",
    "quay",
    "market_hall",
    "warehouse",
    "cubes",
    "open",
    "goods",
    "discarded",
    "removed",
}


def named(shown: Any) -> Iterator[str]:
    """Every id in a view: values of the keys above, and keys that are goods or seasons."""
    if isinstance(shown, list):
        for item in shown:
            yield from named(item)
    elif isinstance(shown, dict):
        for key, value in shown.items():
            if key in _KEYS_OF_IDS:
                yield from (
                    [value]
                    if isinstance(value, str)
                    else [item for item in value or () if isinstance(item, str)]
                )
            if key in ("stock", "bag", "pile"):
                yield from value
            yield from named(value)


@pytest.mark.parametrize("language", ["en", "de", "fr", "it", "es"])
def test_everything_a_view_names_has_a_word(language: str) -> None:
    words = GAME.words[language]
    for number, played in enumerate(random_match(4, "words", fast_picks(8))):
        if number % 5 == 0:
            for name in named(RULES.view(played.state, 0)):
                assert words[name]
    result = RULES.result(played.state)
    assert result is not None
    for category in result.scores[0]:
        assert words[category]


def test_all_languages_name_the_same_things() -> None:
    assert GAME.words.keys() == GAME.titles.keys() == {"en", "de", "fr", "it", "es"}
    assert len({frozenset(words) for words in GAME.words.values()}) == 1


def test_cards_have_the_names_on_the_sheets() -> None:
    assert [GAME.words[language]["counting_office_a1"] for language in GAME.titles] == [
        "counting office",
        "Kontor",
        "comptoir",
        "ufficio contabile",
        "contaduría",
    ]
    assert [GAME.words[language]["vulcanizer"] for language in GAME.titles] == [
        "vulcanizer",
        "Vulkaniseur",
        "vulcaniseur",
        "vulcanizzatore",
        "vulcanizador",
    ]
    assert [GAME.words[language]["rubber"] for language in GAME.titles] == [
        "rubber",
        "Kautschuk",
        "caoutchouc",
        "gomma",
        "caucho",
    ]
