"""House bots: their moves follow from view, seed and version, and an audit recomputes them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontor_games.domain.chance import Draws, Seeded, seed_from
from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.commands import Create, Play, Resign, TimeOut
from kontor_games.domain.game import BotClass, Move, View
from kontor_games.domain.games import installed_games
from kontor_games.domain.house_bots import BotMoves, house_move
from kontor_games.domain.match_audit import MatchAuditor
from kontor_games.domain.match_facts import PositionSet, SeatPlan
from kontor_games.domain.position import dump_position
from kontor_games.domain.stream import HOUSE
from kontor_games.service.ed25519 import is_signed
from tests.domain.installed_fair import the_fair_is_installed
from tests.domain.toy.games.fair import GAME as FAIR
from tests.domain.toy.games.fair.bots.greedy import GreedyBot
from tests.domain.toy.games.fair.moves import CloseFair, LayCard, OfferCard
from tests.support.matches import Table, every_table
from tests.support.recording import OPEN, Recording, announcement, pinned_bot

pytestmark = pytest.mark.untraced

__all__ = ["the_fair_is_installed"]

at_every_table = pytest.mark.parametrize("table", every_table(), ids=str)
CLOCK = ClockSettings("per_move", 60_000)


def audited(recording: Recording) -> tuple[BotMoves, ...]:
    """What an audit recomputes of a match; it raises BrokenRecordError for a move that is not the bot's."""
    auditor = MatchAuditor(recording.id, is_signed)
    for entry in recording.entries:
        auditor.take(entry)
    assert auditor.match.version == recording.match.version
    return auditor.bots.moves


def moves_of_bots(recording: Recording) -> list[tuple[int | None, Move]]:
    return [
        (entry.seat, entry.command.moves[0])
        for entry in recording.entries
        if entry.by == HOUSE and isinstance(entry.command, Play)
    ]


def counted(recording: Recording) -> int:
    """How many moves were recomputed: all of them."""
    found = audited(recording)
    assert sum(bot.not_recomputed for bot in found) == 0
    recomputed = sum(bot.recomputed for bot in found)
    assert recomputed == len(moves_of_bots(recording))
    return recomputed


def bots_at(table: Table) -> list[SeatPlan]:
    """A different bot on each seat, as far as there are different ones."""
    names = list(installed_games()[table.game].bots)
    return [pinned_bot(table.game, names[-1 - seat % len(names)]) for seat in range(table.seats)]


# Play and audit agree


@at_every_table
def test_an_audit_recomputes_every_move_of_every_bot(table: Table) -> None:
    created = announcement(table.game, *bots_at(table), data=table.data, version=table.version)
    recording = Recording(created).play_with_bots(120)
    assert counted(recording) > 5


@at_every_table
def test_bots_and_people_with_clocks_time_outs_and_resignations_are_audited(table: Table) -> None:
    plans = [OPEN, *bots_at(table)[1:]]
    created = announcement(table.game, *plans, data=table.data, version=table.version, clock=CLOCK)
    recording = Recording(created)
    recording.join("ann", "a contribution")
    for number in range(3):
        recording.play_with_bots(15, seed=str(number))
        if recording.match.to_act:
            seat = recording.match.clock.flagged(recording.match.clock.next_deadline() or 0)[0]
            recording.do(HOUSE, TimeOut(seat), after=60_000)
    if not recording.match.over:
        recording.do("ann", Resign())
    assert counted(recording.play_with_bots(40)) > 1


@at_every_table
def test_bots_in_a_branch_are_audited(table: Table) -> None:
    plans = bots_at(table)
    source = Recording(announcement(table.game, *plans, data=table.data, version=table.version))
    source.play_with_bots(7)
    position = PositionSet(source.id, source.match.version, dump_position(source.match.state))
    plans[0] = SeatPlan("invited", player="ann")
    created = announcement(table.game, *plans, data=table.data, version=table.version, branch=True)
    branch = Recording(
        created, Create(takes_seat=True, bot=False, contribution=""), position=position
    ).play_with_bots(40)
    assert counted(branch)


def take_step(recording: Recording, *, resigns: bool, waits: bool) -> None:
    """Give one command: a time-out that is due, a resignation, or a move."""
    match, now = recording.match, recording.at + 10
    present = [taken.player for seat, taken in enumerate(match.seats) if taken and seat not in match.absent]
    people = [player for player in present if player != HOUSE]
    at = max(now, match.next_deadline or 0) if waits else now
    flagged = match.clock.flagged(at) if match.clock.runs else ()
    if flagged:
        recording.do(HOUSE, TimeOut(flagged[0]), after=at - recording.at)
    elif resigns and people:
        recording.do(people[0], Resign())
    else:
        recording.play_with_bots(1, after=10)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    bots=st.lists(st.sampled_from([None, "random", "greedy"]), min_size=2, max_size=4),
    clock=st.sampled_from([ClockSettings(), CLOCK, ClockSettings("bank", 90_000, 1_000)]),
    on_timeout=st.sampled_from(["bot", "forfeit"]),
    open_seed=st.sampled_from([None, "duplicate 7"]),
    late=st.integers(0, 12),
    leaves=st.integers(0, 12),
)
def test_play_and_audit_agree_whatever_happens_in_a_match(
    bots: list[str | None],
    clock: ClockSettings,
    on_timeout: str,
    open_seed: str | None,
    late: int,
    leaves: int,
) -> None:
    plans = [OPEN if name is None else pinned_bot("fair", name) for name in bots]
    recording = Recording(
        announcement("fair", *plans, clock=clock, on_timeout=on_timeout, open_seed=open_seed)
    )
    for seat, name in enumerate(bots):
        if name is None:
            recording.join(f"player {seat}", f"from {seat}")
    for step in range(200):
        if not recording.match.over:
            take_step(recording, resigns=step == leaves, waits=step == late)
    assert recording.match.over
    counted(recording)


# What a move depends on


@at_every_table
def test_a_bot_moves_the_same_whatever_is_hidden_from_it(table: Table) -> None:
    recording = Recording(announcement(table.game, *bots_at(table), data=table.data, version=table.version))
    for number in range(12):
        recording.play_with_bots(4)
        for seat in recording.match.may_act:
            twin = recording.match.copy()
            twin.state = twin.rules.resample(twin.state, seat, Seeded(seed_from(f"twin {number}")))
            assert house_move(twin, seat) == house_move(recording.match, seat)


def test_a_bot_draws_from_the_seed_at_the_version_of_the_match() -> None:
    recording = Recording(announcement("fair", *[pinned_bot("fair", "random")] * 2, open_seed="7"))
    seed = Seeded(seed_from("7"))
    while seats := recording.match.to_act:
        legal = recording.match.rules.legal_moves(recording.match.state, seats[0])
        drawn = seed.draws("bot", recording.match.version).below(len(legal))
        assert house_move(recording.match, seats[0]).move == legal[drawn]
        recording.play_with_bots(1)
    other = Recording(
        announcement("fair", *[pinned_bot("fair", "random")] * 2, open_seed="8")
    ).play_with_bots()
    assert moves_of_bots(other) != moves_of_bots(recording)


def test_draws_of_bots_are_not_among_the_draws_of_the_match() -> None:
    recording = Recording(announcement("fair", *[pinned_bot("fair", "random")] * 3)).play_with_bots()
    auditor = MatchAuditor(recording.id, is_signed)
    for entry in recording.entries:
        auditor.take(entry)
    streams = {draw.stream for draw in auditor.match.collect_draws()}
    assert streams == {"deck"}


# Bots that fail


class FaultyBot(GreedyBot):
    """Raises an exception."""

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        raise ZeroDivisionError


class SilentBot(GreedyBot):
    """Never chooses a move."""

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        return None


class IllegalBot(GreedyBot):
    """Chooses a move that is not legal."""

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        return CloseFair() if isinstance(legal[0], LayCard) else LayCard(99)


def install(monkeypatch: pytest.MonkeyPatch, kind: BotClass, *old: BotClass) -> None:
    """The toy game with this bot as `greedy`."""
    game = replace(FAIR, bots={**FAIR.bots, "greedy": kind}, old_bots={"greedy": old})
    monkeypatch.setitem(installed_games(), "fair", game)


@pytest.mark.parametrize(
    ("kind", "failure"), [(FaultyBot, ZeroDivisionError), (SilentBot, None), (IllegalBot, Exception)]
)
def test_for_a_bot_that_fails_a_quiet_move_is_made_which_an_audit_recomputes(
    kind: BotClass, failure: type[Exception] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, kind)
    recording = Recording(announcement("fair", *[pinned_bot("fair", "greedy")] * 2, open_seed="7"))
    match = recording.match
    quiet = match.rules.quiet_moves(match.state, 0)
    drawn = Seeded(seed_from("7")).draws("bot_quiet", match.version).below(len(quiet))
    found = house_move(match, 0)
    assert found.move == quiet[drawn]
    assert found.failure is None if failure is None else isinstance(found.failure, failure)
    assert counted(recording.play_with_bots()) > 4


@pytest.mark.parametrize("kind", [FaultyBot, SilentBot, IllegalBot])
def test_no_quiet_move_is_made_for_a_failed_bot_that_is_not_waited_for(
    kind: BotClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, kind)
    recording = Recording(announcement("fair", OPEN, pinned_bot("fair", "greedy"), open_seed="8"))
    recording.join("ann")
    state: Any = recording.match.state
    recording.play_bot()
    recording.play(0, LayCard(max(state.hands[0], key=lambda card: state.values[card])))
    state = recording.match.state
    assert state.holder == 0
    recording.play(0, OfferCard(state.hands[0][0], 1))
    assert recording.match.may_act == [0, 1]
    assert house_move(recording.match, 1).move is None
