"""Chance: published vectors, limit of rejection, uniformity, independence of order, scripts for tests."""

import json
from collections import Counter, deque
from collections.abc import Hashable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.chance import Seeded, SeededDraws, seed_from
from kontor_games.domain.games import installed_games
from kontor_games.domain.seed import commitment_of, seed_of
from tests.domain import chance_by_the_document as document
from tests.domain import recorded_chance
from tests.support.matches import Table, every_table
from tests.support.scripted_chance import Scripted

DOCS = Path(__file__).parents[2] / "docs"
VECTORS = json.loads((DOCS / "vectors/chance.json").read_text(encoding="utf-8"))
SEED = seed_from("chance")


def drawn(vector: dict[str, Any]) -> SeededDraws:
    return Seeded(bytes.fromhex(vector["seed"])).draws(vector["stream"], int(vector["index"]))


# The document


def test_the_document_alone_is_enough_to_compute_the_published_vectors() -> None:
    assert document.vectors() == VECTORS


@pytest.mark.parametrize("vector", VECTORS["seeds"])
def test_a_text_gives_the_published_seed(vector: dict[str, Any]) -> None:
    assert seed_from(vector["text"]).hex() == vector["seed"]


@pytest.mark.parametrize("vector", VECTORS["match_seeds"])
def test_a_secret_and_contributions_give_the_published_seed(vector: dict[str, Any]) -> None:
    assert commitment_of(vector["secret"]) == vector["commitment"]
    assert seed_of(vector["secret"], vector["contributions"]).hex() == vector["seed"]


@pytest.mark.parametrize("vector", VECTORS["words"])
def test_a_draw_has_the_published_words(vector: dict[str, Any]) -> None:
    draws = drawn(vector)
    assert [f"{draws.below(2**64):016x}" for _ in vector["words"]] == vector["words"]


@pytest.mark.parametrize("vector", VECTORS["below"] + VECTORS["rejected"])
def test_numbers_below_a_bound_are_the_published_ones(vector: dict[str, Any]) -> None:
    draws = drawn(vector)
    assert [str(draws.below(int(bound))) for bound in vector["bounds"]] == vector["values"]


@pytest.mark.parametrize("vector", VECTORS["shuffled"])
def test_shuffles_are_the_published_ones(vector: dict[str, Any]) -> None:
    assert drawn(vector).shuffled(range(vector["count"])) == vector["order"]


@pytest.mark.parametrize("vector", VECTORS["mixed"])
def test_numbers_and_shuffles_of_one_draw_follow_each_other_as_published(vector: dict[str, Any]) -> None:
    draws = drawn(vector)
    answers = [
        draws.shuffled(call) if isinstance(call, list) else draws.below(call) for call in vector["calls"]
    ]
    assert answers == vector["answers"]


def test_the_document_describes_every_part_of_the_vectors() -> None:
    text = (DOCS / "chance.md").read_text(encoding="utf-8")
    assert [part for part in VECTORS if part != "version" and f"| `{part}` |" not in text] == []
    assert f"`{VECTORS['version']}`" in text


# The games


DEALS = json.loads((DOCS / "vectors/deals.json").read_text(encoding="utf-8"))


def test_games_deal_as_published() -> None:
    assert recorded_chance.deals() == DEALS


@pytest.mark.parametrize("game", DEALS)
def test_the_document_alone_is_enough_to_compute_a_deal(game: str) -> None:
    for draw in DEALS[game]["draws"]:
        source = document.words(DEALS[game]["seed"], draw["stream"], int(draw["index"]))
        for asked, answer in draw["calls"]:
            assert answer == (
                document.shuffled(source, asked) if isinstance(asked, list) else document.below(source, asked)
            )


@pytest.mark.parametrize(
    "table", [table for table in every_table() if table.game in installed_games()], ids=str
)
def test_the_document_names_every_stream_of_a_game(table: Table) -> None:
    section = (
        (DOCS / "chance.md")
        .read_text(encoding="utf-8")
        .partition(f"\n### `{table.game}`\n")[2]
        .partition("\n#")[0]
    )
    match = table.match()
    chance = recorded_chance.RecordedChance(match.seed)
    match.chance, match.state = chance, table.initial_state()
    match.rules.deal(match.state, chance)
    deque(islice(match.steps(), 600), maxlen=0)
    streams = {draw["stream"] for draw in chance.record} - {"walk"}
    assert [stream for stream in sorted(streams) if f"| `{stream}` |" not in section] == []


# Rejection


def test_a_word_at_the_limit_is_rejected_and_one_below_it_is_not() -> None:
    draw, word = document.first_word_in_the_upper_half()
    first, second = islice(document.words(*draw), 2)
    chance = Seeded(bytes.fromhex(draw[0]))
    assert first == word
    assert chance.draws(draw[1], draw[2]).below(word + 1) == word
    assert chance.draws(draw[1], draw[2]).below(word) == second % word


def test_some_vectors_reject_words() -> None:
    assert [vector["dropped"] > 0 for vector in VECTORS["rejected"]] == [True, True, False]


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_a_bound_below_1_or_above_the_range_of_a_word_is_an_error(bound: int) -> None:
    with pytest.raises(ValueError, match="at least one possible value, and at most"):
        Seeded(SEED).draws("dice", 0).below(bound)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_of_another_length_is_an_error(length: int) -> None:
    with pytest.raises(ValueError, match="a seed has 32 bytes"):
        Seeded(bytes(length))


@pytest.mark.parametrize(("stream", "index"), [("x" * 256, 0), ("Würfel", 0), ("dice", -1), ("dice", 2**64)])
def test_an_invalid_stream_or_index_is_an_error(stream: str, index: int) -> None:
    with pytest.raises((ValueError, OverflowError)):
        Seeded(SEED).draws(stream, index)


# Uniformity: with these fixed seeds the outcome never changes; the critical values are those of p = 0.001.


def chi_square(outcomes: Iterable[Hashable], kinds: int) -> float:
    counts = Counter(outcomes)
    expected = counts.total() / kinds
    return (
        sum((seen - expected) ** 2 for seen in counts.values()) / expected + (kinds - len(counts)) * expected
    )


@pytest.mark.parametrize(("bound", "critical"), [(2, 10.83), (6, 20.52), (45, 78.75), (100, 148.23)])
def test_numbers_of_one_long_draw_are_uniform(bound: int, critical: float) -> None:
    draws = Seeded(SEED).draws("dice", 0)
    assert chi_square((draws.below(bound) for _ in range(200 * bound)), bound) < critical


@pytest.mark.parametrize(("bound", "critical"), [(2, 10.83), (6, 20.52), (45, 78.75)])
def test_first_numbers_of_many_draws_are_uniform(bound: int, critical: float) -> None:
    chance = Seeded(SEED)
    assert (
        chi_square((chance.draws("dice", index).below(bound) for index in range(200 * bound)), bound)
        < critical
    )


def test_two_dice_of_one_draw_are_independent() -> None:
    draws = (Seeded(SEED).draws("dice", index) for index in range(7200))
    assert chi_square(((dice.below(6), dice.below(6)) for dice in draws), 36) < 66.62


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    chance = Seeded(SEED)
    assert (
        chi_square((tuple(chance.draws("deck", index).shuffled("abcd")) for index in range(4800)), 24) < 49.73
    )


def test_every_card_is_equally_likely_at_every_place() -> None:
    chance = Seeded(SEED)
    orders = [chance.draws("deck", index).shuffled(range(12)) for index in range(2400)]
    for place in range(12):
        assert chi_square((order[place] for order in orders), 12) < 31.26


def test_the_chi_square_would_notice_a_skew() -> None:
    draws = Seeded(SEED).draws("dice", 0)
    assert chi_square((draws.below(256) % 6 % 5 for _ in range(1200)), 6) > 20.52
    assert chi_square((draws.below(256) % 100 for _ in range(20_000)), 100) > 148.23


# Addressed draws


def test_a_draw_does_not_depend_on_earlier_draws() -> None:
    chance, other = Seeded(SEED), Seeded(SEED)
    addresses = [("dice", 0), ("dice", 1), ("deck", 0), ("deck", 1)]
    forwards = {address: chance.draws(*address).shuffled(range(20)) for address in addresses}
    backwards = {address: other.draws(*address).shuffled(range(20)) for address in reversed(addresses)}
    assert forwards == backwards
    assert len({tuple(order) for order in forwards.values()}) == len(addresses)


def test_another_seed_gives_another_draw() -> None:
    assert Seeded(SEED).draws("deck", 0).shuffled(range(20)) != Seeded(seed_from("other")).draws(
        "deck", 0
    ).shuffled(range(20))


def test_stream_and_index_are_encoded_unambiguously() -> None:
    chance = Seeded(bytes(32))
    near = [("a", 0), ("", 0x61 << 56), ("a\0", 0), ("ab", 0), ("b", 0)]
    assert len({chance.draws(*address).below(2**64) for address in near}) == len(near)


def test_a_shuffle_does_not_change_its_input() -> None:
    items = [3, 1, 2, 5, 4]
    assert sorted(Seeded(SEED).draws("deck", 0).shuffled(items)) == [1, 2, 3, 4, 5]
    assert items == [3, 1, 2, 5, 4]


# Scripts


def test_a_script_dictates_numbers_and_orders_in_the_order_written() -> None:
    chance = Scripted({"dice": [5, 0], "deck": [["b", "a"]]})
    assert [chance.draws("dice", index).below(6) for index in (9, 4)] == [5, 0]
    assert chance.draws("deck", 0).shuffled(["a", "b"]) == ["b", "a"]


def test_a_stream_without_a_script_falls_through_to_another_chance() -> None:
    chance = Scripted({"dice": [5]}, otherwise=Seeded(SEED))
    assert chance.draws("deck", 3).shuffled(range(9)) == Seeded(SEED).draws("deck", 3).shuffled(range(9))
    assert chance.draws("dice", 0).below(6) == 5


@pytest.mark.parametrize("chance", [Scripted({}), Scripted({"dice": []}, otherwise=Seeded(SEED))])
def test_a_script_that_is_used_up_is_an_error(chance: Scripted) -> None:
    with pytest.raises(LookupError, match="the script of stream 'dice' is used up"):
        chance.draws("dice", 0).below(6)


@pytest.mark.parametrize("value", [6, -1, "5", [1]])
def test_a_scripted_number_must_be_possible(value: object) -> None:
    with pytest.raises(ValueError, match="is not a number below 6"):
        Scripted({"dice": [value]}).draws("dice", 0).below(6)


@pytest.mark.parametrize("order", [["a"], ["a", "a"], ["a", "c"], 1])
def test_a_scripted_order_must_hold_the_same_items(order: object) -> None:
    with pytest.raises(ValueError, match="is no order of"):
        Scripted({"deck": [order]}).draws("deck", 0).shuffled(["a", "b"])


def test_one_use_of_a_script_does_not_use_up_another() -> None:
    script: dict[str, list[object]] = {"dice": [5], "deck": [["b", "a"]]}
    for _ in range(2):
        chance = Scripted(script)
        chance.draws("deck", 0).shuffled("ab").append("c")
        assert chance.draws("dice", 0).below(6) == 5
