"""Every view of every played match fits the schema of its ruleset, in which every field is described."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kontor_games.domain.codec import ARBITER, SPECTATOR
from tests.support.matches import Table, all_games, all_rulesets, every_table, played_match

pytestmark = [pytest.mark.sampled, pytest.mark.slow, pytest.mark.untraced]

Check = Callable[[Any], bool]
KEYWORDS = {
    *("type", "minimum", "description", "enum", "items", "anyOf"),
    *("properties", "required", "additionalProperties"),
}
TYPES = {"string": str, "boolean": bool, "array": list, "object": dict, "null": type(None)}


def fast_check(schema: dict[str, Any]) -> Check:
    """A check by a schema with only the keywords that our games use: a full validator takes too long."""
    assert schema.keys() <= KEYWORDS
    if "anyOf" in schema:
        choices = [fast_check(choice) for choice in schema["anyOf"]]
        return lambda value: any(choice(value) for choice in choices)
    if "enum" in schema:
        return lambda value: value in schema["enum"]
    if schema["type"] == "integer":
        least = schema.get("minimum", -(10**9))
        return lambda value: type(value) is int and value >= least
    if schema["type"] == "array":
        item = fast_check(schema["items"])
        return lambda value: type(value) is list and all(map(item, value))
    if schema["type"] == "object":
        return _fast_object(schema)
    kind = TYPES[schema["type"]]
    return lambda value: type(value) is kind


def _fast_object(schema: dict[str, Any]) -> Check:
    known = {name: fast_check(part) for name, part in schema.get("properties", {}).items()}
    other, required = schema["additionalProperties"], set(schema.get("required", ()))
    others: Check = fast_check(other) if other else lambda _: False
    return lambda value: (
        type(value) is dict
        and required <= value.keys()
        and all(known.get(name, others)(part) for name, part in value.items())
    )


@pytest.mark.parametrize("table", every_table(), ids=str)
def test_every_view_of_a_played_match_fits_the_schema(table: Table) -> None:
    rules, state, played = table.rules, table.initial_state(), played_match(table)
    fits = fast_check(dict(rules.view_schema))
    exact = Draft202012Validator(rules.view_schema)
    for number, facts in enumerate(played.batches):
        for fact in facts:
            fact.fold(state)
        viewers = (*range(table.seats), SPECTATOR, ARBITER)
        for viewer in viewers if number % 7 == 0 else (viewers[number % len(viewers)],):
            view = rules.view(state, viewer)
            assert fits(view), [error.message for error in exact.iter_errors(view)]
            if number % 97 == 0:
                exact.validate(view)


def described(schema: dict[str, Any], place: str) -> Iterator[tuple[str, bool]]:
    """Every field of a schema, and whether it says what it means."""
    for name, part in schema.get("properties", {}).items():
        yield f"{place}/{name}", len(part.get("description", "")) > 4 and part["description"].endswith(".")
        yield from described(part, f"{place}/{name}")
    parts = [schema.get("items"), schema.get("additionalProperties"), *schema.get("anyOf", ())]
    for part in parts:
        if isinstance(part, dict):
            yield from described(part, place)


@pytest.mark.parametrize("rules", all_rulesets(), ids=repr)
def test_every_field_is_described(rules: Any) -> None:
    Draft202012Validator.check_schema(rules.view_schema)
    fields = dict(described(rules.view_schema, ""))
    assert len(fields) > 8
    assert [place for place, good in fields.items() if not good] == []


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_a_schema_refuses_a_malformed_view(game: Any) -> None:
    rules = game.rules()
    state = rules.table(rules.seat_counts[0], rules.options())
    view = rules.view(state, SPECTATOR)
    exact, fits = Draft202012Validator(rules.view_schema), fast_check(dict(rules.view_schema))
    wrong_ones: list[Any] = [{}, {**view, "other": 1}, {**view, "round": "1"}, {**view, "round": -1}, []]
    for wrong in wrong_ones:
        assert (exact.is_valid(wrong), fits(wrong)) == (False, False)
