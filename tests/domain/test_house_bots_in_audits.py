"""House bots in audits: their versions, and moves that a bot would not have made."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from kontor_games.domain.audit import BrokenRecordError
from kontor_games.domain.chance import Draws
from kontor_games.domain.game import Move, View
from kontor_games.domain.house_bots import BotMoves, house_move
from kontor_games.domain.match_facts import SeatTaken
from kontor_games.domain.stream import HOUSE
from tests.domain.installed_fair import the_fair_is_installed
from tests.domain.test_house_bots import audited, counted, install, moves_of_bots
from tests.domain.toy.games.fair.bots.greedy import GreedyBot
from tests.support.recording import OPEN, Recording, announcement, house_bot, pinned_bot

__all__ = ["the_fair_is_installed"]


# Versions


class NextGreedyBot(GreedyBot):
    """Makes the first legal move."""

    version = 2

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        return legal[0] if seat in view()["waits_for"] else None


class EditedGreedyBot(NextGreedyBot):
    """The same change made in place."""

    version = 1


def begun() -> Recording:
    """A match against the current greedy bot, with a known deal."""
    recording = Recording(announcement("fair", OPEN, *[pinned_bot("fair", "greedy")] * 2, open_seed="7"))
    recording.join("ann")
    return recording.play_with_bots(4)


def test_the_version_of_a_bot_is_pinned_when_it_takes_its_seat() -> None:
    facts = begun().entries[0].facts
    assert facts[1] == SeatTaken(1, HOUSE, bot=True, house="greedy", contribution="", house_version=1)


def test_a_running_match_keeps_the_old_version_of_a_bot_and_new_ones_use_the_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    undisturbed, recording = begun().play_with_bots(), begun()
    install(monkeypatch, NextGreedyBot, GreedyBot)
    recording.play_with_bots()
    assert moves_of_bots(recording) == moves_of_bots(undisturbed)
    fresh = begun().play_with_bots()
    assert moves_of_bots(fresh) != moves_of_bots(undisturbed)
    assert [bot.version for bot in audited(fresh)] == [2, 2]
    assert counted(recording)
    assert counted(fresh)


def test_a_bot_that_was_edited_in_place_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = begun().play_with_bots()
    install(monkeypatch, EditedGreedyBot)
    with pytest.raises(BrokenRecordError, match=r"the house bot greedy \(version 1\) on seat \d makes"):
        audited(recording)


def test_without_the_old_version_moves_are_not_recomputed_and_a_running_match_continues_with_quiet_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recording, running = begun().play_with_bots(), begun()
    install(monkeypatch, NextGreedyBot)
    moves = [seat for seat, _ in moves_of_bots(recording)]
    assert audited(recording) == tuple(
        BotMoves(seat, "greedy", 1, not_recomputed=moves.count(seat)) for seat in (1, 2)
    )
    running.play_with_bots()
    assert running.match.over


def test_moves_of_old_matches_without_a_pinned_version_are_not_recomputed() -> None:
    recording = Recording(announcement("fair", house_bot("random"), house_bot("gone"))).play_on()
    assert [(bot.version, bot.recomputed) for bot in audited(recording)] == [(None, 0), (None, 0)]
    assert sum(bot.not_recomputed for bot in audited(recording)) == len(recording.entries) - 1


# Forgeries


def forgeries(bots: Sequence[str]) -> Any:
    """Each move of a bot in a match, with the match before it and every other legal move of a bot there."""
    plans = [pinned_bot("fair", name) for name in bots]
    genuine = Recording(announcement("fair", *plans, options={"rounds": 1, "coins": 5})).play_with_bots()
    for place, entry in enumerate(genuine.entries[1:], 1):
        before = Recording(genuine.entries[0].facts[0])  # type: ignore[arg-type]  # the announcement
        for earlier in genuine.entries[1:place]:
            before.do(earlier.by, earlier.command)
        for seat in before.match.may_act:
            for move in before.match.rules.legal_moves(before.match.state, seat):
                if move != house_move(before.match, seat).move:
                    yield entry, before, seat, move


@pytest.mark.parametrize("bots", [("greedy", "random"), ("random", "random", "greedy")])
def test_every_other_legal_move_of_a_bot_is_refused(bots: Sequence[str]) -> None:
    tried = 0
    for entry, before, seat, move in forgeries(bots):
        match, at, entries = before.match, before.at, [*before.entries]
        before.play(seat, move)
        with pytest.raises(
            BrokenRecordError, match=f"at version {entry.first}: the house bot .* on seat {seat} makes"
        ):
            audited(before.play_with_bots())
        before.match, before.at, before.entries = match, at, entries
        tried += 1
    assert tried > 5


def test_a_bot_makes_one_move_at_a_time() -> None:
    recording = Recording(announcement("fair", pinned_bot("fair", "greedy"), pinned_bot("fair", "greedy")))
    recording.play_with_bots(2)
    first, *_ = recording.match.rules.legal_moves(recording.match.state, recording.match.to_act[0])
    entry = recording.play(recording.match.to_act[0], first)
    recording.entries[-1] = entry._replace(command=replace(entry.command, moves=(first, first)))  # type: ignore[type-var]
    with pytest.raises(BrokenRecordError, match="makes one move at a time, not 2"):
        audited(recording)
