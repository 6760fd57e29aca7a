"""Everything that a view names by id has a name in five languages."""

from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe.data.board import COLOURS, RESOURCES, SEA, TERRAIN_RESOURCE, Board
from kontor_games.domain.games.europe.data.components import CARDS
from kontor_games.domain.games.europe.state.phases import PHASES

LANGUAGES = ("en", "de", "fr", "it", "es")


def test_resources_terrains_cards_colours_and_phases_have_names() -> None:
    ids = {*RESOURCES, "gold", SEA, *TERRAIN_RESOURCE, *CARDS, *COLOURS, *PHASES}
    for language in LANGUAGES:
        assert ids <= set(GAME.words[language])


def test_scores_and_options_have_names() -> None:
    for language in LANGUAGES:
        assert {
            "goods",
            "posts",
            "gold",
            "delivered",
            "turn_limit",
            "fixed",
            "free",
            "not_violet",
            "violet",
            *(data.name for data in GAME.data_sets),
        } <= set(GAME.words[language])


def test_the_data_sets_and_their_option_are_called_as_the_words_say() -> None:
    assert [data.name for data in GAME.data_sets] == ["short-2", "expert-2", "short", "expert"]
    assert GAME.data_option == "board"


def test_every_city_has_a_name_and_the_english_one_stands_on_the_board() -> None:
    for data in GAME.data_sets:
        for city in Board(data.document).cities:
            assert GAME.words["en"][city.id] == city.name
            assert all(GAME.words[language][city.id] for language in LANGUAGES)


def test_cities_go_by_their_own_names_in_each_language() -> None:
    assert [GAME.words[language]["cologne"] for language in LANGUAGES] == [
        "Cologne",
        "Köln",
        "Cologne",
        "Colonia",
        "Colonia",
    ]
    assert [GAME.words[language]["venice"] for language in LANGUAGES] == [
        "Venice",
        "Venedig",
        "Venise",
        "Venezia",
        "Venecia",
    ]
    assert [GAME.words[language]["wroclaw"] for language in LANGUAGES] == [
        "Wroclaw",
        "Breslau",
        "Wroclaw",
        "Breslavia",
        "Breslavia",
    ]
