"""Names: one line of visible text, in any script."""

import pytest

from kontor_games.service.people.names import NameNotAllowedError, read_name


@pytest.mark.parametrize(
    "name",
    [
        "A",
        "Ada Lovelace",
        "x" * 40,
        "Łukasz 🎲",
        "李雷",
        "O'Neill <b>",
        "👩‍👩‍👧",
        "نویسنده‌ها",
        "-",
        "'; DROP TABLE players; --",
        "é" * 40,
        "\U0001fae8",
        "\u2764\ufe0f",
        "1\ufe0f\u20e3",
        "🏃🏽\u200d♀\ufe0f",
        "\u0915\u094d\u200d\u0937",
    ],
)
def test_a_name_is_one_line_of_visible_text_in_any_script(name: str) -> None:
    assert read_name(name) == name


def test_a_name_is_kept_in_one_form() -> None:
    assert read_name("Ame\u0301lie") == "Am\u00e9lie"
    assert read_name("e\u0301" * 40) == "\u00e9" * 40


@pytest.mark.parametrize("name", ["", "x" * 41, "\u0958" * 21])
def test_a_name_has_one_to_forty_characters(name: str) -> None:
    with pytest.raises(NameNotAllowedError) as refused:
        read_name(name)
    assert refused.value.detail == "The name must have between 1 and 40 characters."


@pytest.mark.parametrize(
    "name",
    [
        "a\0b",
        "a\nb",
        "a\tb",
        "a\x7fb",
        "a\x9bb",
        "a\u202eb",
        "a\u2066b",
        "a\u200fb",
        "a\u200bb",
        "\ufeffa",
        "a\u2028b",
        "a\u00a0b",
        "a\u3000b",
        "a\ud800b",
        "a\ue000b",
        "a\uffffb",
        "a\ufdd0b",
        "\u3164",
        "a\u2800b",
        "a\U000e0041b",
        "Mag\u200dnus",
        "Mag\u200cnus",
        "Mag\u034fnus",
        "Mag\ufe0fnus",
        "Mag\U000e0101nus",
        "Mag\u17b4nus",
    ],
)
def test_a_name_has_no_invisible_characters_and_none_that_change_the_direction(name: str) -> None:
    with pytest.raises(NameNotAllowedError) as refused:
        read_name(name)
    assert refused.value.detail.startswith("The name must not contain control characters")


@pytest.mark.parametrize("name", [" ", " a", "a ", "\u0301"])
def test_a_name_is_visible_and_has_no_spaces_at_its_ends(name: str) -> None:
    with pytest.raises(NameNotAllowedError) as refused:
        read_name(name, "label")
    assert refused.value.detail == "The label must be visible, and neither begin nor end with a space."
