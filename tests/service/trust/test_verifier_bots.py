"""The verifier and house bots: their moves are recomputed; others are refused although all hashes fit."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from kontor_games.domain.chance import Draws
from kontor_games.domain.game import Move, Rules
from kontor_games.domain.games import installed_games
from kontor_games.domain.house_bots import BotMoves, house_move
from kontor_games.domain.match import Match
from kontor_games.domain.toolkit.searching import Imagine, Level, Weights
from kontor_games.service.trust.verifier import verify
from tests.corpus.record import aborted
from tests.domain.installed_fair import the_fair_is_installed
from tests.domain.toy.games.fair import GAME as FAIR
from tests.support.exports import refusal
from tests.support.forging import Lines, find, forge, lines_of
from tests.support.recording import KEYS, OPEN, Recording, announcement, house_bot, pinned_bot

__all__ = ["the_fair_is_installed"]


def against_bots(game: str = "fair") -> Recording:
    """Return a match of Ann against a greedy and a random bot."""
    recording = Recording(announcement(game, OPEN, pinned_bot(game, "greedy"), pinned_bot(game, "random")))
    recording.join("ann", "a contribution")
    return recording


def another_move(match: Match) -> tuple[int, Move] | None:
    """Return a seat of a house bot and a legal move that the bot would not choose, if there is one."""
    for seat in match.may_act:
        if match.is_house(seat):
            own = house_move(match, seat).move
            for move in match.rules.legal_moves(match.state, seat):
                if move != own:
                    return seat, move
    return None


def test_the_verdict_counts_the_recomputed_moves_of_each_bot() -> None:
    content = against_bots().play_with_bots().export()
    played = [line["seat"] for line in lines_of(content)[1:-1] if line["by"] == "house" and "command" in line]
    assert verify(content, KEYS.published()).bots == (
        BotMoves(1, "greedy", 1, recomputed=played.count(1)),
        BotMoves(2, "random", 1, recomputed=played.count(2)),
    )


def test_a_running_match_says_nothing_about_bots() -> None:
    assert verify(against_bots().play_with_bots(5).export(0)).bots == ()


@pytest.mark.parametrize("game", ["fair", *installed_games()])
def test_another_legal_move_of_a_bot_is_refused_although_everything_else_follows_from_it(game: str) -> None:
    recording = against_bots(game)
    if game != "fair":
        recording.play_with_bots(20)
    while (forged := another_move(recording.match)) is None:
        recording.play_with_bots(1)
    version, seat = recording.match.version, forged[0]
    recording.play(*forged)
    aborted(recording.play_with_bots(20))
    problem = refusal(recording.export(), KEYS.published())
    assert problem.startswith(f"line {version + 2}: the house bot ")
    assert f"on seat {seat} makes " in problem
    assert problem.endswith(" here, not this move")


def unpin(facts: Lines) -> None:
    """Remove the pinned versions of bots, as in an old match."""
    for plan in facts[0]["fact"]["seats"]:
        plan.pop("bot_version", None)
    for line in facts:
        line["fact"].pop("house_version", None)


def repin(facts: Lines) -> None:
    """Pin another version in the fact of the seat only."""
    find(facts, "seat_taken")["fact"]["house_version"] = 2


CASES: list[tuple[Callable[[Lines], object], str]] = [
    (repin, "seat_taken says house_version 2, the rules give 1"),
    (
        lambda facts: find(facts, "seat_taken")["fact"].pop("house_version"),
        "seat_taken lacks its house_version",
    ),
    (
        lambda facts: facts[0]["fact"]["seats"][1].update(bot_version=0),
        "/seats/1/bot_version: must be",
    ),
    (
        lambda facts: facts[0]["fact"].update(rated=True),
        "/seats: must have no house bots in a rated match",
    ),
]


@pytest.mark.parametrize(("change", "words"), CASES)
def test_a_changed_pin_is_refused(change: Callable[[Lines], object], words: str) -> None:
    assert words in refusal(forge(against_bots().play_with_bots().export(), change))


def test_moves_of_bots_without_a_pinned_version_are_not_recomputed() -> None:
    verdict = verify(forge(against_bots().play_with_bots().export(), unpin))
    assert [(bot.version, bot.recomputed) for bot in verdict.bots] == [(None, 0), (None, 0)]
    assert all(bot.not_recomputed for bot in verdict.bots)


def test_moves_of_a_bot_that_is_not_installed_are_not_recomputed(monkeypatch: pytest.MonkeyPatch) -> None:
    content = against_bots().play_with_bots().export()
    released = replace(FAIR, bots={"random": FAIR.bots["random"]})
    monkeypatch.setitem(installed_games(), "fair", released)
    greedy, random = verify(content, KEYS.published()).bots
    assert (greedy.version, greedy.recomputed, greedy.not_recomputed > 0) == (1, 0, True)
    assert (random.recomputed > 0, random.not_recomputed) == (True, 0)


def test_a_bot_that_does_not_exist_is_not_recomputed() -> None:
    recording = Recording(announcement("fair", house_bot("nobody", 7), house_bot("greedy", 7))).play_on()
    assert [bot.recomputed for bot in verify(recording.export()).bots] == [0, 0]


class FirstMove:
    """A search that finds the first legal move."""

    def __init__(self, rules: Rules[Any], nodes: int, weights: Weights) -> None:
        pass

    def best(self, seat: int, imagine: Imagine, legal: Sequence[Move], draws: Draws) -> Move | None:
        return legal[0]


def searched(nodes: int, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The export of a match with a bot that searches so many nodes for a move."""
    kind = Level(1, nodes, FirstMove, {})
    game = replace(FAIR, slow_bots={"search:5": kind})
    monkeypatch.setitem(installed_games(), "fair", game)
    recording = Recording(announcement("fair", OPEN, pinned_bot("fair", "search:5")))
    recording.join("ann", "a contribution")
    return recording.play_with_bots().export()


def test_of_a_bot_that_searches_long_a_random_sample_of_moves_is_recomputed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content, drawn = searched(1200, monkeypatch), list[int]()

    def every_third(one_in: int) -> int:
        drawn.append(one_in)
        return len(drawn) % 3

    monkeypatch.setattr("kontor_games.service.trust.verifier.secrets.randbelow", every_third)
    [bot] = verify(content, KEYS.published()).bots
    assert {*drawn} == {3}
    assert (bot.recomputed, bot.left_out) == (len(drawn) // 3, len(drawn) - len(drawn) // 3)
    assert bot.left_out > 0
    [bot] = verify(content, KEYS.published(), all_bot_moves=True).bots
    assert (bot.recomputed, bot.left_out) == (len(drawn), 0)


def test_of_a_bot_that_searches_briefly_every_move_is_recomputed(monkeypatch: pytest.MonkeyPatch) -> None:
    [bot] = verify(searched(400, monkeypatch), KEYS.published()).bots
    assert (bot.recomputed > 0, bot.left_out) == (True, 0)
