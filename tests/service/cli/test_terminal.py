import pytest
from rich.panel import Panel
from rich.text import Text

from kontor_games.service.cli.terminal import (
    console,
    heading,
    interval_bar,
    names_for,
    seat_styles,
    simple_table,
    with_names,
)


def test_seats_have_the_colours_of_their_pieces_if_the_view_names_them() -> None:
    assert seat_styles({"players": [{"colour": "white"}, {"colour": "red"}]}, 2) == ["grey74", "bright_red"]


@pytest.mark.parametrize(
    "view",
    [
        {},
        {"seats": [{"coins": 1}, {"coins": 2}]},
        {"seats": [{"colour": "red"}]},
        {"seats": [{"colour": "plaid"}] * 2},
    ],
)
def test_otherwise_each_seat_has_a_default_colour(view: dict[str, object]) -> None:
    assert seat_styles(view, 2) == ["bright_blue", "bright_red"]


def test_there_are_names_for_any_number_of_seats() -> None:
    names = names_for([None] * 8)
    assert names[:2] + names[6:] == ["Anna", "Bruno", "Player 6", "Player 7"]


def test_own_bots_keep_their_names_and_all_names_differ() -> None:
    assert names_for(["mine", None, "mine", "Bruno"]) == ["mine", "Player 1", "mine 2", "Bruno"]


def test_names_are_coloured_as_whole_words_only() -> None:
    text = with_names("Anna meets Annabel.", {"Anna": "red"})
    assert [(text.plain[span.start : span.end], span.style) for span in text.spans] == [("Anna", "bold red")]


@pytest.mark.parametrize(
    ("low", "share", "high", "fair", "bar"),
    [
        (0.2, 0.4, 0.6, 0.5, "██▒▒▒┃····"),
        (0.0, 0.0, 0.04, 0.5, "▒····┃····"),
        (0.96, 1.0, 1.0, 1.0, "█████████┃"),
    ],
)
def test_a_bar_shows_the_interval_and_the_fair_share(
    low: float, share: float, high: float, fair: float, bar: str
) -> None:
    assert interval_bar(low, share, high, fair, width=10).plain == bar


def test_names_and_titles_are_shown_as_they_are_and_never_read_as_markup() -> None:
    name = "[/b] [red]Bo[/red] :smile:"
    table = simple_table("player", name)
    table.add_row(name, "")
    screen = console()
    with screen.capture() as shown:
        for one in (table, name, heading(name), Panel("", title=Text(name))):
            screen.print(one)
    assert shown.get().count(name) == 5


def test_a_cell_with_control_characters_has_room_for_what_is_shown() -> None:
    table = simple_table("protest")
    table.add_row("\x1b[2Jmy machine died")
    screen = console()
    with screen.capture() as shown:
        screen.print(table)
    assert "\\u001b[2Jmy machine died" in shown.get()


def test_an_id_is_never_shortened() -> None:
    table = simple_table("id", "title", "names")
    match = "bf815857-a3c3-5afd-9352-359061642bca"
    table.add_row(match, "a title " * 20, "of many people " * 20)
    screen = console()
    with screen.capture() as shown:
        screen.print(table)
    assert match in shown.get()
