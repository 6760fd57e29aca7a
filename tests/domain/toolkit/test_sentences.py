"""Parts of English sentences."""

import pytest

from kontor_games.domain.toolkit.sentences import count_phrase, join_words


@pytest.mark.parametrize(
    ("things", "text"),
    [
        ([], ""),
        (["tea"], "tea"),
        (["tea", "salt"], "tea and salt"),
        (["tea", "salt", "ore"], "tea, salt and ore"),
        ([1, 2], "1 and 2"),
    ],
)
def test_things_are_listed(things: list[object], text: str) -> None:
    assert join_words(things) == text


def test_the_conjunction_can_be_chosen() -> None:
    assert join_words(["tea", "salt", "ore"], "or") == "tea, salt or ore"


def test_any_iterable_can_be_listed() -> None:
    assert join_words(str(number) for number in range(3)) == "0, 1 and 2"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0 coins"),
        (1, "1 coin"),
        (2, "2 coins"),
        ("one", "one coin"),
        ("1", "1 coin"),
        ("two", "two coins"),
    ],
)
def test_one_thing_is_singular(number: int | str, text: str) -> None:
    assert count_phrase(number, "coin") == text
