"""Honest matches of which forgeries are made."""

from functools import cache
from hashlib import sha256
from typing import Any

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.commands import Abort, Join, Open
from kontor_games.domain.match_facts import SeatPlan
from tests.domain.toy.games.fair.moves import CloseFair, LayCard, OfferCard, TakeOffer
from tests.support.operator_table import READER, VALUES, Table
from tests.support.recording import KEYS, OPEN, KnownKeys, announcement, pinned_bot

CLOCK = ClockSettings("per_move", 60_000)


def announced(*seats: SeatPlan, game: str = "fair", **other: Any) -> Any:
    """Return the announcement of a match with a clock."""
    return announcement(game, *(seats or [OPEN] * 3), **{"clock": CLOCK, **other})


def seated(table: Table) -> Table:
    """Let all players join with their contributions, and open sealed ones."""
    sealed = table.announced.sealed
    for name, value in VALUES.items():
        table.do(
            name, Join(None, bot=False, contribution=sha256(value.encode()).hexdigest() if sealed else value)
        )
    for name, value in VALUES.items():
        if table.match.due is not None:
            table.do(name, Open(value))
    return table


def played(table: Table) -> Table:
    """Play a round with every kind of move, then random moves to the end."""
    for seat in range(3):
        table.play(seat, LayCard(table.match.state.hands[seat][0]))  # type: ignore[attr-defined]
    holder = table.match.to_act[0]
    table.play(holder, OfferCard(table.match.state.hands[holder][0], 2))  # type: ignore[attr-defined]
    table.play((holder + 1) % 3, TakeOffer())
    table.play(holder, CloseFair())
    return finished(table)


def finished(table: Table) -> Table:
    """Play random moves to the end."""
    table.play_on(seed="forgery")
    assert table.match.over
    return table


@cache
def honest(signing: bool, signer: KnownKeys = KEYS) -> Table:
    """Three players with contributions and a clock."""
    table = played(seated(Table(announced(), signing=signing, signer=signer)))
    assert [entry.by for entry in table.entries[-2:]] != [READER] * 2
    return table


@cache
def sealed(signing: bool) -> Table:
    """The same match with sealed contributions."""
    return played(seated(Table(announced(sealed=True), signing=signing)))


@cache
def with_bots(signing: bool) -> Table:
    """Ann against two pinned house bots."""
    return with_bots_begun(signing).play_with_bots()  # type: ignore[return-value]


def with_bots_begun(signing: bool, **other: Any) -> Table:
    """Return a match that Ann has joined, with two pinned house bots."""
    bots = [pinned_bot("fair", name) for name in ("greedy", "random")]
    table = Table(announced(OPEN, *bots, **other), signing=signing)
    table.do(READER, Join(None, bot=False, contribution=VALUES[READER]))
    return table


@cache
def with_dealt_cards(signing: bool) -> Table:
    """A match of a game whose draws are described in docs/draws.json, aborted after a few moves."""
    table = seated(Table(announced(game="speicherstadt"), signing=signing)).play_on(8)
    for name in VALUES:
        if not table.match.over:
            table.do(name, Abort())
    return table  # type: ignore[return-value]
