"""Forgeries by the holder of the service's key: hashes and signatures fit, but the match is impossible."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.domain.installed_fair import the_fair_is_installed
from tests.support.exports import fair_match, refusal
from tests.support.forging import Lines, drop, find, forge, forge_around, lines_of
from tests.support.recording import KEYS, NOON

__all__ = ["the_fair_is_installed"]


@pytest.fixture
def good() -> bytes:
    return fair_match().export()


def change_command(kind: str, nth: int, **values: Any) -> Callable[[Lines], None]:
    """Return a change of the command that caused a fact."""

    def change(facts: Lines) -> None:
        find(facts, kind, nth)["command"] = {**find(facts, kind, nth)["command"], **values}

    return change


def change_fact(kind: str, nth: int, **values: Any) -> Callable[[Lines], None]:
    """Return a change of a fact."""
    return lambda facts: find(facts, kind, nth)["fact"].update(values)


def change_line(kind: str, nth: int, **values: Any) -> Callable[[Lines], None]:
    """Return a change of the line of a fact, such as its time, author or seat."""
    return lambda facts: find(facts, kind, nth).update(values)


def from_here(facts: Lines, kind: str, nth: int, later: int) -> None:
    """Shift the times of a command and of all lines after it."""
    place = facts.index(find(facts, kind, nth))
    for line in facts[place:]:
        line["at"] += later


def insert_early_time_out(facts: Lines) -> None:
    first = find(facts, "card_laid")
    command = {"type": "time_out", "seat": 0}
    fact = {"type": "seat_timed_out", "seat": 0, "consequence": "bot"}
    line = {**first, "fact": fact, "sealed": {}, "by": "house", "command": command, "seat": 0}
    line.pop("sealed_command")
    facts.insert(facts.index(first), line)


def swap_places(facts: Lines) -> None:
    find(facts, "match_finished")["fact"]["places"].reverse()


def double(facts: Lines) -> None:
    laid = find(facts, "card_laid")
    facts.insert(facts.index(laid), json.loads(json.dumps(laid)))


FORGERIES: list[tuple[str, Callable[[Lines], object], str]] = [
    (
        "a card that is not in the hand",
        change_command("card_laid", 0, moves=[{"type": "lay_card", "card": 999}]),
        "the command was not allowed: Card 999 is not in your hand. (T-3)",
    ),
    ("a move of the wrong phase", change_command("card_laid", 0, moves=[{"type": "close_fair"}]), "(T-5)"),
    (
        "a command without a move",
        change_command("card_laid", 0, moves=[]),
        "the command is malformed: /moves: must have between 1 and 1000 items",
    ),
    (
        "an unknown move",
        change_command("card_laid", 0, moves=[{"type": "cheat"}]),
        "the command is malformed: /moves/0/type: must be one of",
    ),
    (
        "a move with an extra field",
        change_command("card_laid", 0, moves=[{"type": "lay_card", "card": 1, "x": 1}]),
        "/moves/0/x: is not a known field",
    ),
    (
        "a move attributed to another player",
        change_line("card_laid", 0, by="ben"),
        "the command was not allowed: Card",
    ),
    (
        "a stranger's move",
        change_line("card_laid", 0, by="zoe"),
        "the command was not allowed: You have no seat in this match.",
    ),
    (
        "a player's move recorded as the service's",
        change_line("card_laid", 0, by="house"),
        "the service acted for a player",
    ),
    (
        "a move for another seat",
        change_command("fair_closed", 0, seat=1),
        "a player can only move for their own seat",
    ),
    (
        "the wrong seat's clock stopped",
        change_line("card_laid", 0, seat=2),
        "another seat's clock was stopped",
    ),
    (
        "points that nobody scored",
        change_fact("round_taken", 0, points=30),
        "round_taken says points 30, the rules give 3",
    ),
    (
        "a fact without one of its fields",
        lambda facts: find(facts, "round_taken")["fact"].pop("points"),
        "round_taken lacks its points",
    ),
    ("a fact with an extra field", change_fact("round_taken", 0, bonus=1), "round_taken has no bonus"),
    (
        "a fact of another type",
        change_fact("round_taken", 0, type="round_lost"),
        "the rules give round_taken here, not round_lost",
    ),
    (
        "a wrong price",
        change_fact("card_sold", 0, price=0),
        "card_sold says price 0, the rules give 2",
    ),
    (
        "a card other than the one drawn",
        change_fact("card_drawn", 4, card=0),
        "card_drawn says card 0, the rules give",
    ),
    (
        "another order of the deck",
        lambda f: find(f, "deck_shuffled")["fact"]["order"].reverse(),
        "deck_shuffled says order [",
    ),
    (
        "a move earlier than the previous one",
        change_line("fair_closed", 0, at=NOON),
        "its time is earlier than that of the previous command",
    ),
    (
        "a move after the time was up",
        lambda f: from_here(f, "card_laid", 0, 60_000),
        "Your time ran out before this move arrived.",
    ),
    (
        "a time-out too early",
        insert_early_time_out,
        "the command was not allowed: Seat 0 still has time left.",
    ),
    (
        "a time-out by a player",
        change_line("card_laid", 0, command={"type": "time_out", "seat": 0}),
        "only the service can record that time is up",
    ),
    ("a wrong result", swap_places, "match_finished says places"),
    (
        "a move recorded twice",
        double,
        "the command was not allowed: You have already laid your card. (T-3)",
    ),
    (
        "an unknown command",
        change_line("fair_closed", 0, command={"type": "bribe"}),
        "the command is malformed: /type: must be one of",
    ),
    (
        "a contribution that nobody sent",
        change_fact("seat_taken", 1, contribution="other"),
        'seat_taken says contribution "other"',
    ),
    (
        "no announcement of the match",
        change_line("match_created", 0, command={"type": "start"}),
        "does not begin with the creation of a match",
    ),
    (
        "an announcement by somebody other than the creator",
        change_line("match_created", 0, by="ben"),
        "the creator in the fact is not the author of the command",
    ),
    (
        "too many seats",
        lambda f: f[0]["fact"]["seats"].extend(f[0]["fact"]["seats"]),
        "/seats: must not be 6",
    ),
    (
        "unknown options",
        lambda f: f[0]["fact"]["options"].update(rounds=99),
        "/options/rounds: must be one of 1, 2, 3",
    ),
    (
        "missing options",
        lambda f: f[0]["fact"]["options"].pop("rounds"),
        "/options: must have all defaults written out",
    ),
    (
        "a branch without a source",
        change_fact("match_created", 0, branch=True),
        "the branch has no starting position",
    ),
    (
        "a malformed announcement",
        change_fact("match_created", 0, clock=5),
        "the announcement of the match can't be read: /clock",
    ),
    (
        "a public field that is sealed",
        lambda f: find(f, "round_taken")["sealed"].update(points=""),
        "points of round_taken is sealed but",
    ),
    (
        "a hidden field that is not sealed",
        lambda f: find(f, "card_laid")["sealed"].pop("card"),
        "card of card_laid is sealed but not hidden, or",
    ),
    (
        "a sealed command that names nothing hidden",
        change_line("seat_taken", 0, sealed_command=""),
        "is not sealed, or one that does not is",
    ),
    (
        "a command that names a hidden card, not sealed",
        lambda f: find(f, "card_laid").pop("sealed_command"),
        "names what is hidden is not sealed, or",
    ),
    (
        "two times within one command",
        change_line("round_taken", 0, at=NOON + 1),
        "the facts of one command happened at different moments",
    ),
    (
        "two authors within one command",
        change_line("round_taken", 0, by="zoe"),
        "the facts of one command have different authors",
    ),
]


@pytest.mark.parametrize(
    ("change", "words"), [case[1:] for case in FORGERIES], ids=[case[0] for case in FORGERIES]
)
def test_a_forgery_that_is_hashed_and_signed_anew_is_refused_with_a_reason(
    change: Callable[[Lines], object], words: str, good: bytes
) -> None:
    forged = forge(good, change)
    assert forged != good
    problem = refusal(forged, KEYS.published())
    assert words in problem
    line = int(problem.partition(":")[0].removeprefix("line "))
    different = next(
        n
        for n, (old, new) in enumerate(zip(good.splitlines(), forged.splitlines(), strict=False), 1)
        if n > 1 and old != new
    )
    assert different <= line <= different + 1, "the named line is the first that differs, or the next one"


def test_forging_without_a_change_gives_the_same_file(good: bytes) -> None:
    assert forge(good, lambda facts: None) == good
    assert forge_around(good, lambda lines: None) == good


def test_a_dropped_command_is_refused_at_its_place(good: bytes) -> None:
    facts = lines_of(good)[1:-1]
    laid = find(facts, "card_laid", 1)
    problem = refusal(forge(good, lambda f: drop(f, laid["version"])))
    assert problem == f"line {laid['version'] + 2}: no command caused this fact", (
        "the last card does not turn up the others, because one is missing"
    )
    sold = find(facts, "card_sold")
    problem = refusal(forge(good, lambda f: drop(f, sold["version"] - 1)))
    assert problem == f"line {sold['version']}: the command was not allowed: No card is offered. (T-6)"


def test_a_dropped_fact_is_refused_at_its_place(good: bytes) -> None:
    turned = find(lines_of(good)[1:-1], "cards_turned_up")
    problem = refusal(forge(good, lambda facts: drop(facts, turned["version"])))
    assert problem.startswith(f"line {turned['version'] + 1}: the rules give cards_turned_up here")


def test_an_additional_fact_of_a_command_is_refused(good: bytes) -> None:
    def more(facts: Lines) -> None:
        taken = find(facts, "round_taken")
        facts.insert(facts.index(taken) + 1, json.loads(json.dumps(taken)))

    assert "no command caused this fact" in refusal(forge(good, more))


def test_a_missing_fact_at_the_end_of_a_command_is_refused(good: bytes) -> None:
    taken = find(lines_of(good)[1:-1], "round_taken")
    problem = refusal(forge(good, lambda facts: drop(facts, taken["version"])))
    assert (
        problem
        == f"line {taken['version'] + 1}: the command before causes another fact, which is missing here"
    )


def test_a_match_cut_off_before_its_end_is_not_complete(good: bytes) -> None:
    def cut(facts: Lines) -> None:
        del facts[facts.index(find(facts, "card_laid")) :]

    assert "not over" in refusal(forge(forge_around(good, lambda lines: lines[-1].update(result=None)), cut))


def test_a_file_that_ends_within_a_command_is_refused(good: bytes) -> None:
    def cut(facts: Lines) -> None:
        del facts[facts.index(find(facts, "round_taken")) :]

    problem = refusal(forge(forge_around(good, lambda lines: lines[-1].update(result=None)), cut))
    assert "the file ends before the" in problem
