"""Requirements of every installed game that need no match. A new game is tested automatically."""

import re
from typing import Any, get_type_hints

import pytest
from jsonschema import Draft202012Validator

from kontor_games.domain.codec import ARBITER, MalformedError, Plain, Record, canonical
from kontor_games.domain.game import DataSet, Fact, Game, Options, Refusal, Rules
from tests.support.matches import all_games, all_rulesets, assert_cites_rule_and_reason

pytestmark = [pytest.mark.sampled, pytest.mark.untraced]

every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
every_ruleset = pytest.mark.parametrize(
    "rules", all_rulesets(), ids=lambda rules: f"{rules.__module__}-{rules.version}-{rules.data.name}"
)


def test_there_are_games_to_test() -> None:
    assert "fair" in all_games()
    assert len(all_games()) > 1


@every_game
def test_a_game_has_an_id_and_titles(game: Game) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]*", game.id)
    assert all(game.titles.values())


@every_game
def test_a_game_has_title_rules_and_words_in_the_same_languages_english_first(game: Game) -> None:
    assert game.languages == tuple(game.titles)
    assert game.languages[0] == "en"
    assert set(game.titles) == set(game.rules_texts) == set(game.words)


@every_game
def test_a_game_has_words_for_the_same_things_in_every_language(game: Game) -> None:
    assert game.words["en"]
    for language, words in game.words.items():
        assert set(words) == set(game.words["en"]), language
        assert all(words.values()), language


@every_game
def test_a_game_has_words_for_its_options(game: Game) -> None:
    options = get_type_hints(game.rules().options).keys() - get_type_hints(Options).keys()
    assert options <= game.words["en"].keys()


@every_game
def test_a_game_has_rules_that_a_player_can_read(game: Game) -> None:
    for language, text in game.rules_texts.items():
        assert text.startswith("# "), language
        assert len(text) > 500, language


@every_game
def test_a_game_keeps_all_its_rulesets_in_order(game: Game) -> None:
    versions = [rules.version for rules in game.rulesets]
    assert versions == sorted(set(versions))
    assert game.rules().version == versions[-1]
    assert [game.rules(version=version).version for version in versions] == versions


@every_game
def test_data_sets_have_names_of_their_own_and_hashes_that_stay(game: Game) -> None:
    names = [data.name for data in game.data_sets]
    assert len(set(names)) == len(names)
    assert re.fullmatch(r"[a-z][a-z0-9_]*", game.data_option)
    for data in game.data_sets:
        assert game.data_set(data.name) is data
        assert game.rules(data.name).data == data
        assert DataSet("other name", _reordered(data.document)).hash == data.hash
        assert re.fullmatch(r"[0-9a-f]{64}", data.hash)
    assert len({data.hash for data in game.data_sets}) == len(names)


def _reordered(document: Plain) -> Plain:
    """The same document, with every object's keys in another order."""
    if isinstance(document, dict):
        return {key: _reordered(document[key]) for key in reversed(document)}
    return [_reordered(item) for item in document] if isinstance(document, list) else document


@every_game
def test_a_game_admits_its_own_documents(game: Game) -> None:
    for data in game.data_sets:
        assert game.admit("mine", data.document).hash == data.hash


@every_game
@pytest.mark.parametrize("document", [None, [], 7, "x", {}, {"unheard_of": 1}])
def test_a_game_refuses_a_document_of_another_kind(game: Game, document: Plain) -> None:
    _assert_faults_are_named(game, document)


@every_game
def test_a_game_reports_the_faults_of_a_malformed_document(game: Game) -> None:
    whole = game.data_sets[0].document
    for key in whole:
        _assert_faults_are_named(game, {name: value for name, value in whole.items() if name != key})
        _assert_faults_are_named(game, {**whole, key: 1.5})
    _assert_faults_are_named(game, {**whole, "unheard_of": 1})


def _assert_faults_are_named(game: Game, document: Plain) -> None:
    with pytest.raises(MalformedError) as caught:
        game.admit("mine", document)
    assert caught.value.faults
    assert all(fault.detail for fault in caught.value.faults)
    assert all(fault.pointer == "" or fault.pointer.startswith("/") for fault in caught.value.faults)


@every_game
def test_a_game_has_the_two_house_bots(game: Game) -> None:
    assert {"random", "greedy"} <= set(game.bots)
    for name in {*game.all_bots, *game.old_bots}:
        current = [game.all_bots[name]] if name in game.all_bots else []
        versions = [kind.version for kind in [*current, *game.old_bots.get(name, ())]]
        assert versions == sorted({*versions}, reverse=True), "the newest first, each version once"
        assert [game.bot(name, version).version for version in (None, *versions)] == [versions[0], *versions]


@every_game
def test_a_game_with_a_picture_draws_it_as_svg(game: Game) -> None:
    pictures = [game.draw(data) for data in game.data_sets] if game.draw else []
    assert all(picture.lstrip().startswith("<svg") for picture in pictures)


@every_ruleset
def test_every_option_has_a_default_and_a_schema(rules: Rules[Any]) -> None:
    schema = rules.options_shape.schema()
    Draft202012Validator.check_schema(schema)
    canonical(schema)
    assert issubclass(rules.options, Options)
    assert "required" not in schema
    faults: list[Any] = []
    assert rules.options_shape.parse({}, "", faults) == rules.options()
    assert faults == []
    Draft202012Validator(schema).validate(rules.options_shape.encode(rules.options()))


def _choices(schema: Plain) -> list[Plain]:
    """The values of an option, if there are few enough to try each of them."""
    if "anyOf" in schema:
        return [value for part in schema["anyOf"] for value in _choices(part)]
    if "enum" in schema:
        return list(schema["enum"])
    if schema.get("type") == "integer" and schema["maximum"] - schema["minimum"] <= 20:
        return list(range(schema["minimum"], schema["maximum"] + 1))
    few: dict[str, list[Plain]] = {"boolean": [False, True], "null": [None]}
    return few.get(schema.get("type", ""), [])


@every_ruleset
def test_every_value_of_an_option_can_be_played_or_is_refused_by_a_rule(rules: Rules[Any]) -> None:
    for name, schema in rules.options_shape.schema()["properties"].items():
        playable = [_is_playable(rules, {name: value}) for value in _choices(schema)]
        assert any(playable) or not playable, name


def _is_playable(rules: Rules[Any], values: dict[str, Plain]) -> bool:
    faults: list[Any] = []
    chosen = rules.options_shape.parse(values, "", faults)
    assert faults == []
    for seats in rules.seat_counts:
        try:
            state = rules.table(seats, chosen)
        except Refusal as refusal:
            assert_cites_rule_and_reason(refusal)
        else:
            canonical(rules.view(state, ARBITER))
            return True
    return False


@every_ruleset
@pytest.mark.parametrize("seats", [-1, 0, 1, 99])
def test_a_table_of_the_wrong_size_is_refused_by_a_rule(rules: Rules[Any], seats: int) -> None:
    with pytest.raises(Refusal) as caught:
        rules.table(seats, rules.options())
    assert_cites_rule_and_reason(caught.value)


@every_ruleset
def test_every_move_and_fact_has_a_docstring(rules: Rules[Any]) -> None:
    kinds: tuple[type[Record], ...] = (*rules.moves, *rules.facts)
    # A dataclass without a docstring is given its signature as one.
    assert [
        kind.type for kind in kinds if not kind.__doc__ or kind.__doc__.startswith(f"{kind.__name__}(")
    ] == []


@every_ruleset
def test_every_fact_folds(rules: Rules[Any]) -> None:
    assert [kind.type for kind in rules.facts if kind.fold is Fact.fold] == []


@pytest.mark.slow
@every_ruleset
def test_moves_and_facts_have_valid_schemas(rules: Rules[Any]) -> None:
    for codec in (rules.move_codec, rules.fact_codec):
        for name in codec.types:
            Draft202012Validator.check_schema(codec.schema(name))
            canonical(codec.schema(name))


@every_ruleset
def test_moves_hide_nothing(rules: Rules[Any]) -> None:
    assert [
        name for name in rules.move_codec.types if "hidden" in rules.move_codec.schema(name)["properties"]
    ] == []
