"""Texts of every game in every language: each kind of fact and move has its message, and none is unused."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product

import pytest

from kontor_games.domain.codec import ARBITER, SPECTATOR
from kontor_games.domain.game import Game, MoveRule
from kontor_games.domain.match_facts import MATCH_FACTS
from kontor_games.domain.narration import MESSAGES as OF_THE_MATCH
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE, LANGUAGES
from kontor_games.domain.toolkit.messages import Messages, Slot, slots
from tests.support.matches import Table, all_games, every_table, played_match, states_after_facts

pytestmark = pytest.mark.sampled

every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
every_language = pytest.mark.parametrize("language", LANGUAGES)
LAST_TABLES = {table.game: table for table in every_table()}
at_every_table = pytest.mark.parametrize(
    "table",
    [
        pytest.param(table, marks=() if table == LAST_TABLES[table.game] else pytest.mark.untraced)
        for table in every_table()
    ],
    ids=str,
)
SILENT = {"placement_opened", "turn_ended", "steps_lapsed"}
"""Facts that deliberately have no sentence."""
OFTEN_ENOUGH = 20
"""How often each kind of fact and of move is rendered in each language."""
TEXTS: dict[str, Mapping[str, Messages]] = {
    "match": OF_THE_MATCH,
    **{game.id: game.rules().messages for game in all_games().values()},
}
every_text = pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)


def section(messages: Messages, name: str) -> set[str]:
    """The keys of one section."""
    return {key.removeprefix(f"{name}.") for key in messages.texts if key.startswith(f"{name}.")}


@every_language
def test_every_fact_of_a_match_itself_has_a_sentence(language: str) -> None:
    assert section(OF_THE_MATCH[language], "facts") == {fact.type for fact in MATCH_FACTS}


@every_game
@every_language
def test_every_kind_of_fact_has_a_sentence_or_is_deliberately_silent(game: Game, language: str) -> None:
    known = {fact.type for ruleset in game.rulesets for fact in ruleset.facts}
    assert section(game.rules().messages[language], "facts") == known - SILENT


@every_game
@every_language
def test_every_kind_of_move_has_a_label(game: Game, language: str) -> None:
    messages = game.rules().messages[language]
    assert section(messages, "moves") == {kind.type for ruleset in game.rulesets for kind in ruleset.moves}
    is_open = {
        kind.type
        for ruleset in game.rulesets
        for kind, rule in ruleset.moves.items()
        if type(rule).is_open is not MoveRule.is_open
    }
    assert section(messages, "open_moves") == is_open


@every_text
@every_language
def test_a_translation_has_the_same_messages_with_the_same_placeholders(
    texts: Mapping[str, Messages], language: str
) -> None:
    english, translated = texts[DEFAULT_LANGUAGE], texts[language]
    assert _without_forms(translated) == _without_forms(english)


def _without_forms(messages: Messages) -> dict[str, set[str]]:
    """The placeholders of each message; forms (articles, cases) and words are up to each language."""
    found: dict[str, set[str]] = {}
    for key in messages.texts:
        if not key.startswith("words."):
            names = {slot.name for slot in slots(messages.template(key))}
            found.setdefault(_base(messages, key), set()).update(names)
    return found


def _base(messages: Messages, key: str) -> str:
    """The key of a phrase without its form."""
    return key.rpartition(".")[0] if key.rpartition(".")[2] in _forms(messages) else key


def _forms(messages: Messages) -> set[str]:
    """Every form that some message asks for."""
    return {slot.form for _, slot in _slots(messages) if slot.form}


def _slots(messages: Messages) -> Iterator[tuple[str, Slot]]:
    for key in messages.texts:
        for slot in slots(messages.template(key)):
            yield key, slot


@pytest.mark.slow
@at_every_table
def test_facts_and_moves_of_whole_matches_are_told_in_every_language(table: Table) -> None:
    """Every placeholder has its value and every phrase the form that is asked for, or else this raises."""
    rules, played, counts = table.rules, played_match(table), Counter[str]()
    facts = [fact for batch in played.batches for fact in batch]
    for fact, state in states_after_facts(table.initial_state(), facts):
        counts[fact.type] += 1
        for language, viewer in product(LANGUAGES, (SPECTATOR, ARBITER)):
            if counts[fact.type] <= OFTEN_ENOUGH:
                told = rules.tell(state, fact, viewer, table.names, language)
                assert _is_a_sentence(told) if told else fact.type in SILENT
    for step in played.sampled_steps:
        for move in rules.legal_moves(step.before, step.seat):
            counts[move.type] += 1
            for language in LANGUAGES if counts[move.type] <= OFTEN_ENOUGH else ():
                assert _is_a_label(rules.tell_move(step.before, step.seat, move, table.names, language))
        for kind, language in product(rules.open_moves(step.before, step.seat), LANGUAGES):
            assert _is_a_label(rules.tell_open_move(kind, language))
    for language in LANGUAGES:
        assert isinstance(rules.scene(played.match.state, SPECTATOR, table.names, language), str)


def _is_a_label(told: str) -> bool:
    return told == told.strip() and (told[0].isupper() or told[0].isdigit()) and told[-1] not in ".!"


def _is_a_sentence(told: str) -> bool:
    return (
        (told[0].isupper() or told[0] in "¡")
        and told[-1] in ".!"
        and not {"_", "{", "}", "#"} & {*told}
        and "  " not in told
    )
