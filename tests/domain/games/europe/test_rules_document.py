"""The rules document for players says what the code does."""

import re
from pathlib import Path
from typing import Any

import pytest

import kontor_games.domain.games.europe
from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.data.components import (
    DECK,
    PIECES,
    RINGED,
    ROUTES,
    START_GOLD,
    SUPPLY,
    TOKENS,
    Cards,
    counts_of,
)
from kontor_games.domain.games.europe.rules import VERSION_1, robber
from kontor_games.domain.games.europe.rules.set_up import START_CARDS
from tests.domain.games.europe.installed import europe, options_of

TEXT = GAME.rules_texts["en"]
RULE: Any = VERSION_1.moves
NUMBERS = [
    "1", "2", "3", "4", "5", "6", "7", "8", "10", "11", "12", "13", "14", "20", "21", "22", "23", "24", "25",
    "30", "31", "32", "40", "41", "42", "43", "44", "45", "46", "47", "48", "49", "50", "60", "61", "62",
    "63", "64", "70",
]  # fmt: skip

WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven")


def rule(number: int | str) -> str:
    """The text of one rule, on one line."""
    found = re.search(rf"^- \*\*E-{number}\b(.*?)(?=^- \*\*E-|^## |\Z)", TEXT, re.DOTALL | re.MULTILINE)
    assert found is not None, number
    return " ".join(found[1].split())


def names(price: Cards) -> str:
    return ", ".join(
        sorted(name for name in ("lumber", "wool", "grain", "ore", "salt") if getattr(price, name))
    )


def test_every_rule_is_there_once_and_in_order() -> None:
    assert re.findall(r"^- \*\*E-(\d+)", TEXT, re.MULTILINE) == NUMBERS


def test_every_rule_that_the_code_cites_is_in_the_document() -> None:
    folder = Path(kontor_games.domain.games.europe.__file__).parent
    cited = {
        number
        for source in folder.rglob("*.py")
        for number in re.findall(r"\bE-(\d+)", source.read_text(encoding="utf-8"))
    }
    assert cited <= set(NUMBERS)


def test_rulings_are_marked() -> None:
    for number in (5, 6, 7, 8, 12, 13, 14, 24, 25, 30, 40, 42, 43, 44, 47, 48, 70):
        assert re.search(r"\*ruling", rule(number), re.IGNORECASE), number
    assert "(*ruling: a card for each hex" in rule(12)
    assert "where no merchant stands (*ruling" in rule(40)


@pytest.mark.parametrize(("kind", "players"), PIECES)
def test_the_table_of_pieces_is_that_of_the_code(kind: str, players: int) -> None:
    posts, goods = PIECES[kind, players]
    assert f"| `{kind}` | {players} | {posts} | {goods} | {goods - 1} |" in TEXT


def test_the_stock_is_that_of_the_code() -> None:
    assert f"{ROUTES} routes, 2 caravans, 2 merchants and {START_GOLD} gold" in rule(3)
    assert (
        f"{SUPPLY} cards of each resource, {sum(DECK)} development cards and "
        f"{sum(map(len, TOKENS))} number tokens" in rule(5)
    )
    assert DECK == (10, 5, 5, 5)
    assert "ten are lancers, five safe conducts, five trade treaties, five bribes" in rule(7)


@pytest.mark.parametrize(
    ("terrain", "r"), [("forests", 0), ("pastures", 1), ("fields", 2), ("mountains", 3), ("salt works", 4)]
)
def test_the_tokens_are_those_of_the_code(terrain: str, r: int) -> None:
    assert f"{terrain} {', '.join(map(str, TOKENS[r]))}" in rule(6)
    assert f"the {RINGED[r]} of the {terrain}" in rule(6)


def test_the_first_cards_are_those_of_the_code() -> None:
    told = {
        colour: set(re.findall(r"lumber|wool|grain|ore|salt", part))
        for colour, part in _by_colour(rule(10)).items()
    }
    assert told == {colour: set(names(cards).split(", ")) for colour, cards in START_CARDS.items()}


def _by_colour(text: str) -> dict[str, str]:
    parts = re.split(r"\b(red|blue|white|orange)\b", text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        ("route", m.BuildRoute),
        ("merchant", m.HireMerchant),
        ("caravan", m.FormCaravan),
        ("development card", m.BuyCard),
    ],
)
def test_prices_are_those_of_the_code(what: str, kind: type[Move]) -> None:
    price = RULE[kind].price
    row = re.search(rf"^\| {what} \| (.*?) \|", TEXT, re.MULTILINE)
    assert row is not None
    assert ", ".join(sorted(row[1].split(", "))) == names(price)
    assert set(counts_of(price)) == {0, 1}


def test_the_limits_on_offers_are_those_of_the_code() -> None:
    offers = RULE[m.OfferTrade]
    assert f"nobody may have more than {offers.at_once} offers open at once" in rule(30)
    assert f"may make {offers.on_turn} offers and every other player {offers.others}" in rule(30)
    assert f"with four players {offers.on_turn + 3 * offers.others} in total" in rule(30)


def test_other_figures_are_those_of_the_code() -> None:
    assert (
        f"For {RULE[m.BuyResource].price} gold you buy any card from the supply, at most twice a turn"
        in rule(31)
    )
    assert RULE[m.BuyResource].times_a_turn == 2
    assert f"For {WORDS[RULE[m.TradeWithSupply].alike]} cards of one kind" in rule(32)
    assert f"more than {WORDS[robber.HAND_LIMIT]} resource cards" in rule(24)
    assert f"1 grain moves a merchant up to {WORDS[RULE[m.MoveMerchant].steps_per_grain]} crossroads" in rule(
        43
    )
    assert f"1 salt moves a caravan up to {WORDS[RULE[m.MoveCaravan].steps_per_salt]} routes" in rule(46)
    assert f"up to {WORDS[RULE[m.PlaySafeConduct].routes]} routes" in rule(60)
    assert (
        f"up to {WORDS[RULE[m.PlayTreatyForMerchant].steps]} crossroads free of charge, "
        f"or you take {RULE[m.PlayTreatyForGold].gold} gold" in rule(61)
    )
    assert f"You take {RULE[m.PlayLancer].gold} gold" in rule(62)
    assert f"up to {WORDS[RULE[m.PlayBribe].steps]} routes" in rule(63)
    assert f"({options_of(europe()).turn_limit} by default)" in rule(70)


def test_the_format_of_boards_is_documented_field_by_field() -> None:
    folder = Path(kontor_games.domain.games.europe.__file__).parent
    told = (folder / "data" / "FORMAT.md").read_text(encoding="utf-8")
    document = GAME.data_sets[0].document
    fields = {
        *document,
        *document["land"][0],
        *document["cities"][0],
        *document["paths"],
        *document["fixed"],
        *document["fixed"]["red"],
    }
    assert [field for field in sorted(fields) if f"`{field}" not in told] == []
