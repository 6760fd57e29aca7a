"""The seam itself: states, ledgers, refusals, rulesets, and how games are found."""

import pickle
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.chance import Scripted, Seeded, seed_from
from kontor_games.domain.codec import ARBITER, SPECTATOR, Record, record
from kontor_games.domain.game import DataSet, Fact, Ledger, NotYourTurnError, Refusal, Result, State
from kontor_games.domain.games import find_games, installed_games
from tests.domain.test_every_game_keeps_secrets import all_that_is_seen, another_world
from tests.domain.toy.games import toy_games

FAIR = toy_games()["fair"]
NAMES = ("Ada", "Bela", "Caro")


# States


@record
class Mark(Record):
    """A part of a state."""

    place: int


class Board(State):
    """One slot of every kind that has a plain form."""

    __slots__ = ("kept", "lines", "marks", "seen", "tray", "under")

    def __init__(self, seen: set[int]) -> None:
        self.lines: dict[int, list[int]] = {2: [1], 10: []}
        self.marks = (Mark(3), None)
        self.seen = seen
        self.kept = frozenset({"b", "a"})
        self.tray = bytearray(b"\x00\x07")
        self.under: State | None = None


def test_a_state_is_dumped_whole_as_plain_data() -> None:
    board = Board({10, 9})
    board.under = Board(set())
    flat: dict[str, Any] = {
        "kept": ["a", "b"],
        "lines": {"2": [1], "10": []},
        "marks": [{"type": "mark", "place": 3}, None],
        "tray": [0, 7],
    }
    assert board.dump() == {**flat, "seen": [10, 9], "under": {**flat, "seen": [], "under": None}}


def test_equal_states_have_equal_digests_whatever_the_order_in_which_they_grew() -> None:
    one, other = Board({1, 1000, 17}), Board({17, 1, 1000})
    one.lines, other.lines = {1: [2], 2: [3]}, {2: [3], 1: [2]}
    assert one.digest() == other.digest()
    other.tray[0] = 1
    assert one.digest() != other.digest()


def test_a_slot_of_a_base_class_counts_too() -> None:
    class Longer(Board):
        __slots__ = ("extra",)

        def __init__(self) -> None:
            super().__init__(set())
            self.extra = 1

    longer = Longer()
    assert set(longer.dump()) == {*Board.__slots__, "extra"}


def test_a_state_must_say_how_it_is_copied_and_a_fact_what_it_changes() -> None:
    with pytest.raises(LookupError, match="Board does not say how it is copied"):
        Board(set()).copy()
    with pytest.raises(LookupError, match="nothing_said does not say what it changes"):
        NothingSaid().fold(Board(set()))


@record
class NothingSaid(Fact):
    """A fact without a fold."""


@record
class TrayFilled(Fact):
    """A fact for the ledger."""

    value: int

    def fold(self, state: Board) -> None:
        state.tray[0] = self.value


def test_a_ledger_folds_each_fact_at_once_and_keeps_them_in_order() -> None:
    ledger = Ledger(Board(set()), Scripted({}))
    ledger.emit(TrayFilled(4))
    assert ledger.state.tray[0] == 4
    ledger.emit(TrayFilled(9))
    assert ledger.state.tray[0] == 9
    assert ledger.facts == [TrayFilled(4), TrayFilled(9)]


# Refusals and results


def test_a_refusal_has_a_code_a_rule_and_a_sentence() -> None:
    refusal = NotYourTurnError("it is for others to move", rule="T-3")
    assert (refusal.code, refusal.rule, refusal.detail, str(refusal)) == (
        "not_your_turn",
        "T-3",
        "it is for others to move",
        "it is for others to move",
    )


def test_a_refusal_comes_out_of_another_process_whole() -> None:
    refusal: Refusal = pickle.loads(pickle.dumps(NotYourTurnError("not you", rule="T-3")))  # noqa: S301  # our own bytes
    assert (type(refusal), refusal.rule, refusal.detail) == (NotYourTurnError, "T-3", "not you")


def test_winners_are_all_in_first_place() -> None:
    assert Result(({"points": 3}, {"points": 1}, {"points": 3}), (1, 3, 1)).winners == (0, 2)


# Rulesets and data sets


def test_without_a_wish_the_current_ruleset_and_the_first_data_set_are_played() -> None:
    rules = FAIR.rules()
    assert (rules.version, rules.data.name) == (1, "plain")


def test_a_data_set_of_ones_own_is_played_with() -> None:
    assert FAIR.rules(DataSet("mine", {"values": [1] * 20})).data.name == "mine"


@pytest.mark.parametrize("version", [0, 2, -1])
def test_a_ruleset_that_never_was_is_not_guessed(version: int) -> None:
    with pytest.raises(LookupError, match=f"fair has no rules version {version}"):
        FAIR.rules(version=version)


def test_a_data_set_that_is_not_there_is_not_guessed() -> None:
    with pytest.raises(LookupError, match="fair has no cards called marble"):
        FAIR.rules("marble")


# Finding games


def test_a_folder_is_enough_to_be_found() -> None:
    assert [game.id for game in toy_games().values()] == ["fair"]
    assert "fair" not in installed_games()


def test_installed_games_are_found_by_their_ids() -> None:
    assert all(game.id == name for name, game in installed_games().items())


def test_two_games_of_one_id_are_a_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("twin", "twin/one", "twin/other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text("from tests.domain.toy.games.fair import GAME as GAME\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="two games are called fair"):
        find_games("twin", [str(tmp_path / "twin")])


# What the contract test relies on


def test_the_two_world_test_would_notice_a_view_that_knows_too_much() -> None:
    rules = FAIR.rules()
    state = rules.table(3, rules.options())
    rules.deal(state, Seeded(seed_from("leak")))
    world = another_world(rules, state, SPECTATOR)

    class Talkative(type(rules)):  # type: ignore[misc]
        def view(self, state: Any, viewer: int) -> dict[str, Any]:
            return super().view(state, viewer if viewer != SPECTATOR else ARBITER)  # type: ignore[no-any-return]

    assert all_that_is_seen(rules, world, SPECTATOR, NAMES) == all_that_is_seen(rules, state, SPECTATOR, NAMES)
    talkative = Talkative(rules.data)
    assert all_that_is_seen(talkative, world, SPECTATOR, NAMES) != all_that_is_seen(talkative, state, SPECTATOR, NAMES)
