from collections.abc import Callable

import pytest
from jsonschema import Draft202012Validator

from kontor_games.domain.games import installed_games
from tests.api.conftest import ApiUser


def test_every_installed_game_is_listed(anonymous: ApiUser) -> None:
    answer = anonymous.get("/v1/games")
    assert [game["id"] for game in answer.json["games"]] == list(installed_games())
    assert answer.json["games"][-1] == {
        "id": "fair",
        "title": "The Fair",
        "titles": {"en": "The Fair", "de": "Der Markt"},
        "seats": [2, 3, 4],
        "bots": ["random", "greedy"],
        "bot_versions": {"random": 1, "greedy": 1},
    }


@pytest.mark.parametrize(
    ("wanted", "language", "title", "rules"),
    [
        ("de", "de", "Die Speicherstadt", "# Die Speicherstadt: Spielregeln"),
        ("fr-CH, en;q=0.5", "fr", "Speicherstadt", "# Speicherstadt : règles du jeu"),
        ("it;q=0.9, nl", "it", "The Speicherstadt", "# The Speicherstadt: regole"),
        ("es", "es", "La Speicherstadt", "# La Speicherstadt: reglas"),
        ("ja", "en", "The Speicherstadt", "# The Speicherstadt: rules"),
        ("", "en", "The Speicherstadt", "# The Speicherstadt: rules"),
    ],
)
def test_title_rules_and_words_are_in_the_requested_language(
    anonymous: ApiUser, wanted: str, language: str, title: str, rules: str
) -> None:
    answer = anonymous.get("/v1/games/speicherstadt", headers={"Accept-Language": wanted} if wanted else {})
    assert (answer.json["language"], answer.headers["Content-Language"]) == (language, language)
    assert (answer.json["title"], answer.json["rules_text"].splitlines()[0]) == (title, rules)
    assert answer.json["words"] == installed_games()["speicherstadt"].words[language]
    assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize("language", ["de", "fr", "it", "es"])
def test_every_game_is_available_in_the_announced_languages(anonymous: ApiUser, language: str) -> None:
    for game in ("speicherstadt", "europe"):
        answer = anonymous.get(f"/v1/games/{game}", headers={"Accept-Language": language})
        assert (answer.json["language"], answer.headers["Content-Language"]) == (language, language)
        assert answer.json["rules_text"] == installed_games()[game].rules_texts[language]


@pytest.mark.parametrize(
    ("wanted", "language", "title"),
    [("de-AT", "de", "Der Markt"), ("es", "en", "The Fair"), ("es, de;q=0.1", "de", "Der Markt")],
)
def test_the_answer_names_the_language_of_an_untranslated_game(
    anonymous: ApiUser, wanted: str, language: str, title: str
) -> None:
    for answer in [
        anonymous.get(path, headers={"Accept-Language": wanted}) for path in ("/v1/games/fair", "/v1/games")
    ]:
        assert answer.headers["Content-Language"] == language
        shown = answer.json.get("games", [answer.json])[-1]
        assert shown["title"] == title
    game = anonymous.get("/v1/games/fair", headers={"Accept-Language": wanted}).json
    assert (game["language"], game["rules_text"].splitlines()[0]) == (language, f"# {title}")


def test_a_game_describes_itself(anonymous: ApiUser) -> None:
    game = anonymous.get("/v1/games/fair").json
    assert game["rules_text"].startswith("# The Fair")
    assert game["options"]["properties"]["cards"] == {
        "enum": [one["name"] for one in game["data_sets"]],
        "default": game["data_sets"][0]["name"],
    }
    assert [(one["version"], one["current"]) for one in game["rulesets"]] == [(1, True)]
    assert {"lay_card", "offer_card"} <= game["moves"].keys()
    assert {"match_created", "seat_taken", "match_finished"} <= game["facts"].keys()


@pytest.mark.parametrize("name", ["moves", "facts"])
def test_every_schema_is_a_json_schema(anonymous: ApiUser, name: str) -> None:
    for game in installed_games():
        for schema in anonymous.get(f"/v1/games/{game}").json[name].values():
            Draft202012Validator.check_schema(schema)


def test_moves_and_facts_in_answers_fit_their_schemas(anonymous: ApiUser, ada: ApiUser) -> None:
    game = anonymous.get("/v1/games/fair").json
    match = ada.match()
    for move in match["legal_moves"]:
        Draft202012Validator(game["moves"][move["type"]]).validate(move)
    for reader in (anonymous, ada):
        for event in reader.get(f"/v1/matches/{match['id']}/events").json["events"]:
            Draft202012Validator(game["facts"][event["fact"]["type"]]).validate(event["fact"])


def test_views_in_answers_fit_their_schema(anonymous: ApiUser, ada: ApiUser) -> None:
    match = ada.match()
    [ruleset] = anonymous.get("/v1/games/fair").json["rulesets"]
    Draft202012Validator.check_schema(ruleset["view_schema"])
    for reader in (anonymous, ada):
        view = reader.get(f"/v1/matches/{match['id']}").json["view"]
        Draft202012Validator(ruleset["view_schema"]).validate(view)


def test_options_accept_the_same_values_as_their_schema(anonymous: ApiUser, ada: ApiUser) -> None:
    schema = anonymous.get("/v1/games/fair").json["options"]
    chosen = {"cards": schema["properties"]["cards"]["enum"][-1], "rounds": 2}
    Draft202012Validator(schema).validate(chosen)
    match = ada.match({"type": "me"}, {"type": "open"}, options=chosen)
    assert (match["ruleset"]["data"], match["options"]["rounds"]) == (chosen["cards"], 2)


def test_a_data_set_is_shown_with_its_hash(anonymous: ApiUser) -> None:
    first = anonymous.get("/v1/games/fair").json["data_sets"][0]
    shown = anonymous.get(f"/v1/games/fair/data-sets/{first['name']}").json
    assert (shown["name"], shown["hash"]) == (first["name"], first["hash"])
    assert shown["document"]["values"]
    assert shown["format"].startswith("# Cards of your own")
    assert shown["derived"]["cards"]["3"] == {"value": shown["document"]["values"][3]}


@pytest.mark.parametrize("game", installed_games())
def test_the_picture_of_a_data_set_is_served_if_there_is_one(
    anonymous: ApiUser, game: str, stop_tracing: Callable[[], None]
) -> None:
    title = installed_games()[game]
    for data in title.data_sets:
        path = f"/v1/games/{game}/data-sets/{data.name}"
        shown = anonymous.get(path, headers={"Accept": "image/svg+xml, application/json;q=0.5"})
        if title.draw is None:
            assert (shown.status_code, shown.json["code"]) == (406, "not_acceptable")
        else:
            assert (shown.mimetype, shown.text) == ("image/svg+xml", title.draw(data))
            assert "Accept" in shown.headers["Vary"]
            bare = anonymous.get(f"{path}?pieces=false", headers={"Accept": "image/svg+xml"})
            assert bare.text == title.draw(data, pieces=False)
            known = {"Accept": "image/svg+xml", "If-None-Match": shown.headers["ETag"]}
            assert anonymous.get(path, headers=known).status_code == 304
            stop_tracing()


def test_a_picture_is_sent_only_on_request(anonymous: ApiUser) -> None:
    for accept in ("*/*", "application/json", "application/json, image/svg+xml;q=0.9"):
        answer = anonymous.get("/v1/games/europe/data-sets/short", headers={"Accept": accept})
        assert answer.mimetype == "application/json"


def test_unchanged_content_is_not_sent_twice(anonymous: ApiUser) -> None:
    first = anonymous.get("/v1/games/fair")
    assert first.headers["Cache-Control"] == "public, max-age=300"
    again = anonymous.get("/v1/games/fair", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert (
        anonymous.get(
            "/v1/games/fair", headers={"If-None-Match": first.headers["ETag"], "Accept-Language": "de"}
        ).status_code
        == 200
    )


@pytest.mark.parametrize(
    "path",
    [
        "/v1/games/chess",
        "/v1/games/fair/data-sets/none",
        "/v1/games/chess/data-sets/plain",
        "/v1/games/UPPER",
    ],
)
def test_unknown_games_and_data_sets_are_not_found(anonymous: ApiUser, path: str) -> None:
    assert anonymous.get(path).status_code == 404
