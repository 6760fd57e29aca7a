"""A second version of the rules is the table of the first with one entry replaced; nothing else changes."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from kontor_games.domain.chance import Chance, Seeded, seed_from
from kontor_games.domain.game import Fact, Move, Refusal, Ruleset
from kontor_games.domain.games.speicherstadt.facts.ending import GameEnded
from kontor_games.domain.games.speicherstadt.facts.income import IncomePaid
from kontor_games.domain.games.speicherstadt.facts.purchase import (
    BuyerPassedOver,
    CardBought,
    CardDeclined,
    CardOffered,
)
from kontor_games.domain.games.speicherstadt.moves import KeepCube
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from kontor_games.domain.games.speicherstadt.refusals import MarketHallFullError
from kontor_games.domain.games.speicherstadt.rules import VERSION_1, Speicherstadt
from kontor_games.domain.games.speicherstadt.rules.loading_steps import KeepCubeRule
from kontor_games.domain.games.speicherstadt.rules.turn import Steps
from kontor_games.domain.games.speicherstadt.state import Numbers, Table
from kontor_games.domain.games.speicherstadt.state.cubes import EVERY_GOOD, MARK, unpack
from tests.domain.games.speicherstadt.playing import EVERY_MOVE, fast_picks
from tests.domain.games.speicherstadt.scenario import rules_of

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

STEPS = VERSION_1.steps
Decision = tuple[Speicherstadt, Table, int, Move, Chance, list[Fact]]


def one_coin_more(seats: int, idle: tuple[int, ...], bank: int | None) -> tuple[int, ...]:
    """S-22, changed: everybody gets 2 coins."""
    return tuple(coins + 1 for coins in STEPS.wages(seats, idle, bank))


def half_price(line: Sequence[int]) -> int:
    """S-14, changed: half as many coins as there are workers, rounded up."""
    return (len(line) + 1) // 2


def four_workers(seats: int) -> Numbers:
    """S-3, changed: everybody has 4 workers."""
    return replace(STEPS.numbers(seats), workers=4)


def shorter_row(seats: int) -> Numbers:
    """S-10, changed: as many cards in the row as players; with 3 players the rounds still come out even."""
    return replace(STEPS.numbers(seats), row=seats)


class NoTeaInTheMarketHall(KeepCubeRule):
    """S-19, changed: the market hall does not take tea."""

    def accepted(self, state: Table, seat: int) -> int:
        return super().accepted(state, seat) & (EVERY_GOOD - MARK["tea"])

    def not_accepted(self, state: Table, seat: int, move: KeepCube) -> Refusal:
        return MarketHallFullError("Your market hall does not take this.", rule="S-19")


WAGES = VERSION_1.revised(2, steps=replace(STEPS, wages=one_coin_more))
PRICE = VERSION_1.revised(2, steps=replace(STEPS, price=half_price))
WORKERS = VERSION_1.revised(2, steps=replace(STEPS, numbers=four_workers))
ROW = VERSION_1.revised(2, steps=replace(STEPS, numbers=shorter_row))
MARKET_HALL = VERSION_1.revised(2, moves={KeepCube: NoTeaInTheMarketHall()})


ONE = rules_of(VERSION_1)


def decisions(ruleset: Ruleset[Steps], seats: int = 4, matches: int = 3) -> Iterator[Decision]:
    """Random matches to the end: at each decision rules, copy of the state, seat, move, chance and facts."""
    rules = rules_of(ruleset)
    for number in range(matches):
        chance, pick = Seeded(seed_from(f"version 2, {number}")), fast_picks(number)
        state = rules.table(seats, SpeicherstadtOptions(simultaneous_loading=number % 2 == 1))
        rules.deal(state, chance)
        while waited := rules.to_act(state):
            seat = waited[pick(len(waited))]
            legal = rules.legal_moves(state, seat)
            before, move = state.copy(), legal[pick(len(legal))]
            yield rules, before, seat, move, chance, rules.play(state, seat, move, chance)
        result = rules.result(state)
        assert result is not None
        assert result.winners


def passes(rules: Speicherstadt, state: Table, seat: int, move: Move) -> bool:
    try:
        rules.verify(state, seat, move)
    except Refusal:
        return False
    return True


@pytest.mark.parametrize("ruleset", [VERSION_1, WAGES, PRICE, WORKERS, ROW, MARKET_HALL])
def test_every_version_plays_to_the_end_and_lists_what_it_allows(ruleset: Ruleset[Steps]) -> None:
    """S-13, S-14, S-19: list and check agree in each version, and stored facts fold to the same states."""
    for number, (rules, before, seat, move, chance, facts) in enumerate(
        decisions(ruleset, seats=3, matches=2)
    ):
        if number % 9 == 0:
            legal = rules.legal_moves(before, seat)
            assert set(legal) == {each for each in EVERY_MOVE if passes(rules, before, seat, each)}
        played, folded = before.copy(), before.copy()
        assert rules.play(played, seat, move, chance) == facts
        for fact in facts:
            rules.fact_codec.decode(json.loads(json.dumps(rules.fact_codec.encode(fact)))).fold(folded)
        assert folded.digest() == played.digest()


def test_the_first_version_plays_as_before_beside_the_second() -> None:
    """Both versions are held in one process; neither changes the other."""
    alone = [facts for *_, facts in decisions(VERSION_1)]
    for ruleset in (WAGES, PRICE, WORKERS, ROW, MARKET_HALL):
        assert [facts for *_, facts in decisions(ruleset, seats=3, matches=1)]
    assert [facts for *_, facts in decisions(VERSION_1)] == alone
    assert (VERSION_1.version, WAGES.version, ONE.version, rules_of(WAGES).version) == (1, 2, 1, 2)


def test_with_other_wages_only_the_income_differs() -> None:
    """S-22: from each state of a match under version 2, version 1 makes the same facts but for the income."""
    incomes = 0
    for two, before, seat, move, chance, facts in decisions(WAGES):
        assert two.legal_moves(before, seat) == ONE.legal_moves(before, seat)
        assert two.view(before, seat) == ONE.view(before, seat)
        old = ONE.play(before.copy(), seat, move, chance)
        assert [type(fact) for fact in old] == [type(fact) for fact in facts]
        for was, now in zip(old, facts, strict=True):
            if isinstance(was, IncomePaid):
                assert now == replace(was, coins=tuple(coins + 1 for coins in was.coins))
                incomes += 1
            elif isinstance(was, GameEnded):  # Coins of the last income are counted in it.
                assert isinstance(now, GameEnded)
                assert now.coins == tuple(coins + 1 for coins in was.coins)
            else:
                assert now == was
    assert incomes == 3 * 10


def test_with_another_price_only_what_is_paid_differs() -> None:
    """S-14, S-15: offers, purchases and who is passed over follow the new price, in facts and in views."""
    prices = set()
    for two, before, seat, move, chance, facts in decisions(PRICE):
        assert two.legal_moves(before, seat) == ONE.legal_moves(before, seat)
        assert [offer["price"] for offer in two.view(before, 0)["row"]] == list(map(half_price, before.lines))
        state = before.copy()
        for fact in facts:
            if isinstance(fact, CardOffered | CardBought | CardDeclined | BuyerPassedOver):
                assert fact.price == half_price(state.lines[0])
                assert (state.coins[fact.seat] < fact.price) == (type(fact) is BuyerPassedOver)
                prices.add((len(state.lines[0]), fact.price))
            fact.fold(state)
        if before.phase == "loading":
            assert ONE.play(before.copy(), seat, move, chance)[0] == facts[0]
    assert {(1, 1), (2, 1), (3, 2), (4, 2)} <= prices


def test_with_four_workers_everybody_places_four() -> None:
    """S-3, S-13."""
    assert max(before.placed for _, before, *_ in decisions(WORKERS) if before.phase == "demand") == 4 * 4 - 1
    rules, state, *_ = next(iter(decisions(WORKERS)))
    assert {own["workers"] for own in rules.view(state, 0)["seats"]} == {4}


def test_with_a_shorter_row_the_demand_begins_earlier() -> None:
    """S-10: the row of version 1 holds a card more."""
    assert {len(before.row) for _, before, *_ in decisions(ROW, seats=3) if before.phase == "demand"} == {3}
    assert {
        len(before.row) for _, before, *_ in decisions(VERSION_1, seats=3) if before.phase == "demand"
    } == {4}


def test_with_another_market_hall_only_that_step_differs() -> None:
    """S-19: version 2 allows all that version 1 allows, except keeping tea."""
    missed = 0
    for two, before, seat, move, chance, facts in decisions(MARKET_HALL):
        old, new = ONE.legal_moves(before, seat), two.legal_moves(before, seat)
        assert new == [each for each in old if not (isinstance(each, KeepCube) and each.good == "tea")]
        assert ONE.play(before.copy(), seat, move, chance) == facts
        assert "tea" not in unpack(before.market_hall[seat])
        missed += len(old) - len(new)
    assert missed
