"""Messages: templates with placeholders, plurals, selections and forms."""

import pytest

from kontor_games.domain.toolkit.messages import BadTemplateError, Messages, Value, phrase

TEXTS = {
    "said": "{who} buys {card.the} for {price, plural, =0 {nothing} one {# coin} other {# coins}}.",
    "listed": "{who} {who, plural, one {wins} other {share the win}}.",
    "chosen": "{how, select, lot {By lot {n, plural, one {# is} other {# are}} drawn} other {}}!",
    "first": "{card.a} is here.",
    "number": "{n, plural, =8 {an 8} other {a #}}: {n, spell}",
    "of": "{who.whose} ship",
    "ship": {"a": "a ship", "the": "the ship with {goods}"},
    "hash": "#1 of {n}",
    "nested": "{said};",
}
ENGLISH = Messages("en", TEXTS)


def say(key: str, **values: Value) -> str:
    return ENGLISH.sentence(phrase(key, **values))


def test_values_plurals_and_forms_are_filled_in() -> None:
    ship = phrase("ship", goods=("tea", "salt", "ore"))
    assert (
        say("said", who="Ada", card=ship, price=1) == "Ada buys the ship with tea, salt and ore for 1 coin."
    )
    assert say("said", who="Ada", card=ship, price=2).endswith("for 2 coins.")
    assert say("said", who="Ada", card=ship, price=0).endswith("for nothing.")


def test_a_list_is_joined_and_counts() -> None:
    assert say("listed", who=("Ada",)) == "Ada wins."
    assert say("listed", who=("Ada", "Bela")) == "Ada and Bela share the win."


def test_a_word_selects_a_text_which_can_contain_a_plural() -> None:
    assert say("chosen", how="lot", n=1) == "By lot 1 is drawn!"
    assert say("chosen", how="lot", n=3) == "By lot 3 are drawn!"
    assert say("chosen", how="any", n=3) == "!"


def test_a_sentence_begins_with_a_capital_unless_it_begins_with_a_name() -> None:
    assert say("first", card=phrase("ship")) == "A ship is here."
    assert say("listed", who=("ada", "Bela")) == "ada and Bela share the win."
    assert say("nested", said=phrase("listed", who=("ada",))) == "ada wins.;"
    assert say("number", n=8) == "An 8: eight"
    assert say("number", n=13) == "A 13: 13"


def test_a_name_has_a_genitive() -> None:
    assert [say("of", who=name) for name in ("Ada", "Klaus")] == ["Ada's ship", "Klaus' ship"]


def test_a_hash_sign_outside_a_plural_stays_as_it_is() -> None:
    assert say("hash", n=2) == "#1 of 2"


@pytest.mark.parametrize(
    "text", ["{", "{who", "}", "{n, plural, one {coin}}", "{n, select}", "{}", "{n, spell, other {a}}"]
)
def test_a_template_that_is_not_well_formed_is_refused(text: str) -> None:
    with pytest.raises(BadTemplateError):
        Messages("en", {"said": text}).template("said")


@pytest.mark.parametrize(("key", "values"), [("said", {}), ("nowhere", {})])
def test_a_missing_value_or_message_is_an_error(key: str, values: dict[str, Value]) -> None:
    with pytest.raises(LookupError):
        say(key, **values)
