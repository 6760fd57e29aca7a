"""The interface of games: states, ledgers, refusals, rulesets, and how games are found."""

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import ARBITER, SPECTATOR, Record, record
from kontor_games.domain.game import (
    DataSet,
    Fact,
    Ledger,
    Move,
    MoveRule,
    NoSuchSeatError,
    NotYourTurnError,
    Refusal,
    Result,
    State,
    UnknownMoveError,
)
from kontor_games.domain.games import find_games, installed_games
from kontor_games.domain.match_refusals import NotSeatedError, SignatureRequiredError
from kontor_games.domain.tournaments.refusals import NotOrganiserError
from tests.domain.test_every_game_keeps_secrets import indistinguishable_state, visible_outputs
from tests.domain.toy.fair.table import Table as FairTable
from tests.domain.toy.games import toy_games
from tests.domain.toy.games.fair.moves import LayCard, OfferCard
from tests.domain.toy.games.fair.rules import VERSION_1
from tests.domain.toy.games.fair.rules.rounds import LayCardRule
from tests.domain.toy.games.fair.rules.trade import OfferCardRule
from tests.support.scripted_chance import Scripted

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


def test_a_state_must_implement_copy_and_a_fact_must_implement_fold() -> None:
    with pytest.raises(LookupError, match="Board does not implement copy"):
        Board(set()).copy()
    with pytest.raises(LookupError, match="fact_without_fold does not implement fold"):
        FactWithoutFold().fold(Board(set()))


@record
class FactWithoutFold(Fact):
    """A fact without a fold."""


@record
class TrayFilled(Fact):
    """A fact for the ledger."""

    value: int

    def fold(self, state: Board) -> None:
        state.tray[0] = self.value


def test_a_ledger_folds_each_fact_at_once_and_keeps_them_in_order() -> None:
    ledger = Ledger(Board(set()), Scripted({}), None)
    ledger.emit(TrayFilled(4))
    assert ledger.state.tray[0] == 4
    ledger.emit(TrayFilled(9))
    assert ledger.state.tray[0] == 9
    assert ledger.facts == [TrayFilled(4), TrayFilled(9)]


# Refusals and results


def test_a_refusal_has_a_code_a_rule_and_a_sentence() -> None:
    refusal = NotYourTurnError("It is for others to move.", rule="T-3")
    assert (refusal.code, refusal.rule, refusal.detail, str(refusal)) == (
        "not_your_turn",
        "T-3",
        "It is for others to move.",
        "It is for others to move.",
    )


@pytest.mark.parametrize(
    "refusal",
    [
        NotYourTurnError("not you", rule="T-3"),
        NotSeatedError("no seat"),
        SignatureRequiredError("not signed", "the text to sign"),
        NotOrganiserError("not you"),
    ],
    ids=lambda refusal: refusal.code,
)
def test_a_refusal_survives_pickling(refusal: Refusal) -> None:
    read = pickle.loads(pickle.dumps(refusal))  # noqa: S301  # our own bytes
    assert (type(read), str(read), vars(read)) == (type(refusal), str(refusal), vars(refusal))


def test_winners_are_all_in_first_place() -> None:
    assert Result(({"points": 3}, {"points": 1}, {"points": 3}), (1, 3, 1)).winners == (0, 2)


# Reprs


def test_reprs_are_short() -> None:
    table = FairTable()
    shuffled, *_, drawn = table.dealt
    assert repr(table.state) == f"<Fair: 3 seats, {table.state.digest()[:8]}>"
    assert repr(table.rules) == "<FairRules version 1 with steep>"
    assert repr(VERSION_1) == "<Ruleset version 1: 4 kinds of move>"
    assert repr(FAIR) == "<Game fair: The Fair>"
    assert repr(FAIR.data_sets[0]) == "DataSet(name='plain')"
    assert repr(OfferCard(22, price=4)) == "OfferCard(card=22, price=4)"
    assert repr(drawn) == "CardDrawn(seat=2, card=15)"
    assert repr(shuffled) == "DeckShuffled(order=(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...))"


# Rulesets and data sets


def test_the_current_ruleset_and_the_first_data_set_are_the_defaults() -> None:
    rules = FAIR.rules()
    assert (rules.version, rules.data.name) == (1, "plain")


def test_a_revised_ruleset_has_one_entry_replaced_and_does_not_change_the_old_one() -> None:
    offers = OfferCardRule(limit=1)
    second = VERSION_1.revised(2, moves={OfferCard: offers})
    assert (VERSION_1.version, second.version) == (1, 2)
    assert second.moves == {**VERSION_1.moves, OfferCard: offers}
    assert list(second.moves) == list(VERSION_1.moves), "legal moves are listed in the order of the table"
    assert VERSION_1.moves[OfferCard] is not offers
    assert (second.steps, second.facts, second.options) == (
        VERSION_1.steps,
        VERSION_1.facts,
        VERSION_1.options,
    )


def test_a_revised_ruleset_is_played_by_its_own_entries() -> None:
    one_offer = replace(
        FAIR, rulesets=(VERSION_1, VERSION_1.revised(2, moves={OfferCard: OfferCardRule(limit=1)}))
    )
    refusals = []
    for version in (1, 2):
        table = FairTable(one_offer.rules("steep", version)).opened()
        table.play(1, OfferCard(22, price=4))
        refusals.append(table.rules.refusal(table.state, 1, OfferCard(22, price=5)))
    assert [refusal and refusal.detail for refusal in refusals] == [None, "You have already made 1 offer."]


def test_reversible_moves_are_offered_after_all_others_in_the_same_order() -> None:
    class Undoable(LayCardRule):
        reversible = True

    table = FairTable(
        VERSION_1.revised(2, moves={LayCard: Undoable(), Wave: WaveRule()}).rules(FAIR.data_set("steep"))
    )
    cards = [LayCard(17), LayCard(20), LayCard(23)]
    assert table.rules.legal_moves(table.state, 0) == [*cards, Wave()]
    assert table.rules.offered_moves(table.state, 0) == [Wave(), *cards]


@record
class Wave(Move):
    """A move that is always legal."""


class WaveRule(MoveRule[Any, Wave, Any]):
    """Nothing happens."""

    quiet = True

    def candidates(self, state: Any, seat: int) -> list[Wave]:
        return [Wave()]

    def facts(self, ledger: Ledger[Any, Any], seat: int, move: Wave) -> None:
        return None


def test_quiet_moves_are_preferred_for_absent_players_and_without_any_all_are_quiet() -> None:
    table = FairTable()
    assert table.rules.quiet_moves(table.state, 0) == table.rules.legal_moves(table.state, 0)
    waving = FairTable(VERSION_1.revised(2, moves={Wave: WaveRule()}).rules(FAIR.data_set("steep")))
    assert waving.rules.quiet_moves(waving.state, 0) == [Wave()]


def test_an_unknown_move_and_an_unknown_seat_are_refused_without_consulting_a_move_rule() -> None:
    table = FairTable()
    unknown, nobody = (table.rules.refusal(table.state, *tried) for tried in ((0, Wave()), (3, LayCard(23))))
    assert (type(unknown), str(unknown)) == (UnknownMoveError, "This game has no such move.")
    assert (type(nobody), str(nobody)) == (NoSuchSeatError, "There is no seat 3 at this table.")


def test_a_data_set_of_a_user_can_be_played_with() -> None:
    assert FAIR.rules(DataSet("mine", {"values": [1] * 20})).data.name == "mine"


@pytest.mark.parametrize("version", [0, 2, -1])
def test_an_unknown_ruleset_is_an_error(version: int) -> None:
    with pytest.raises(LookupError, match=f"fair has no rules version {version}"):
        FAIR.rules(version=version)


def test_an_unknown_data_set_is_an_error() -> None:
    with pytest.raises(LookupError, match="fair has no cards called marble"):
        FAIR.rules("marble")


# Finding games


def test_a_folder_is_enough_to_be_found() -> None:
    assert [game.id for game in toy_games().values()] == ["fair"]
    assert "fair" not in installed_games()


def test_installed_games_are_found_by_their_ids() -> None:
    assert all(game.id == name for name, game in installed_games().items())


def test_two_games_with_the_same_id_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("twin", "twin/one", "twin/other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text(
            "from tests.domain.toy.games.fair import GAME as GAME\n", encoding="utf-8"
        )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="two games are called fair"):
        find_games("twin", [str(tmp_path / "twin")])


# What the contract test relies on


def test_the_two_world_test_detects_a_view_with_hidden_information() -> None:
    rules = FAIR.rules()
    state = rules.table(3, rules.options())
    rules.deal(state, Seeded(seed_from("leak")))
    world = indistinguishable_state(rules, state, SPECTATOR)

    class LeakyRules(type(rules)):  # type: ignore[misc]
        def view(self, state: Any, viewer: int) -> dict[str, Any]:
            view: dict[str, Any] = super().view(state, viewer if viewer != SPECTATOR else ARBITER)
            return view

    assert visible_outputs(rules, world, SPECTATOR, NAMES) == visible_outputs(rules, state, SPECTATOR, NAMES)
    leaky = LeakyRules(rules.ruleset, rules.data)
    assert visible_outputs(leaky, world, SPECTATOR, NAMES) != visible_outputs(leaky, state, SPECTATOR, NAMES)
