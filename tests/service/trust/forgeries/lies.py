"""Legal but false histories, recorded during the match: receipts and checkpoints agree with them."""

from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kontor_games.domain.commands import Abort, Join, Play, Resign, ResignErased, ReturnTime, TimeOut
from kontor_games.domain.log_leaves import OutageLeaf
from tests.domain.toy.games.fair.moves import LayCard
from tests.service.trust.forgeries.case import (
    OTHERS,
    Case,
    Forgery,
    Group,
    KeptEvidence,
    case_with_another_file,
    case_with_one_history,
)
from tests.service.trust.forgeries.tables import announced, finished, played, seated
from tests.support.forging import find, forge
from tests.support.operator_table import READER, VALUES, Table
from tests.support.recording import NOON
from tests.support.shown_log import ShownLog


def begun(signing: bool) -> Table:
    """Return a match in which all seats are taken and nobody has moved."""
    return seated(Table(announced(), signing=signing))


def false_first_move(change: Callable[[Table], object]) -> Callable[[bool], Case]:
    """Return a forgery: a false first move, after which the match is played to its end."""

    def make(signing: bool) -> Case:
        table = begun(signing)
        change(table)
        return case_with_one_history(table if table.match.over else finished(table))

    return make


def altered(by: str) -> Callable[[Table], object]:
    """Return a change: another card than the player laid."""

    def change(table: Table) -> None:
        one, two, *_ = table.match.state.hands[table.match.seat_of(by)]  # type: ignore[attr-defined]
        table.alter(by, Play((LayCard(one),)), Play((LayCard(two),)))

    return change


def invented(by: str) -> Callable[[Table], object]:
    """Return a change: a card that the player never laid."""

    def change(table: Table) -> None:
        card = table.match.state.hands[table.match.seat_of(by)][0]  # type: ignore[attr-defined]
        table.invent(by, Play((LayCard(card),)))

    return change


def late(table: Table) -> None:
    """Record that Ben's time ran out, although his card arrived."""
    for seat in (0, 2):
        table.play(seat, LayCard(table.match.state.hands[seat][0]))  # type: ignore[attr-defined]
    table.invent("house", TimeOut(1), after=60_001)


def two_tables(signing: bool) -> Case:
    """The reader and Ben are shown different matches; in each, the operator moves for the other player."""
    table = begun(signing)
    while not table.match.over:
        seat = table.match.to_act[0]
        move = table.match.rules.legal_moves(table.match.state, seat)[0]
        table.invent("ben", Play((move,))) if seat == 1 else table.play(seat, move)
    case = case_with_one_history(table)
    case.kept.log.hidden = case.shown.log.hidden = True
    return case


def absent_creator(signing: bool) -> Case:
    """A creator without a seat aborts."""
    table = seated(Table(announced(creator="dot"), signing=signing))
    table.invent("dot", Abort())
    return case_with_one_history(table)


def slow_clock(signing: bool) -> Case:
    """All moves are recorded as if everybody had taken twice as long."""
    table = begun(signing)
    table.play_on(seed="forgery", after=2000)
    return case_with_one_history(table)


def early_clock(signing: bool) -> Case:
    """All times of the match are wrong by one day."""
    table = Table(announced(), signing=signing)
    table.at = NOON + 86_400_000
    return case_with_one_history(played(seated(table)))


def outage(ms: int, limit_ms: int, *, logged: bool = False) -> Callable[[bool], Case]:
    """Return a forgery: an outage that nobody else noticed, while only the clock of a friend ran."""

    def make(signing: bool) -> Case:
        table = seated(Table(announced(max_returned_ms=limit_ms), signing=signing))
        for seat in (0, 2):
            table.play(seat, LayCard(table.match.state.hands[seat][0]))  # type: ignore[attr-defined]
        since, until = table.at, table.at + ms
        table.invent("house", ReturnTime(since, until), after=ms)
        case = case_with_one_history(finished(table))
        if logged:  # before the leaves of the match, and told to everybody
            kept = KeptEvidence(
                table, ShownLog([OutageLeaf(since, until), *case.kept.log.leaves], table.signer)
            )
            case = Case(kept, replace(case.shown, log=kept.log.grown(OTHERS[2])))
        return case

    return make


def more_than_agreed(signing: bool) -> Case:
    """The limit that was announced is lowered in the file, so that the time given back exceeds it."""

    def change(facts: list[Any]) -> None:
        find(facts, "match_created")["fact"]["max_returned_ms"] = 9999

    table = outage(10_000, 10_000)(signing).kept.original
    return case_with_another_file(table, forge(table.export(), change))


def small_order(signing: bool) -> Case:
    """A key of small order at the seat of the reader: one signature fits all of her commands."""
    point, constant = b64encode(b"\1" + bytes(31)).decode(), b64encode(b"\1" + bytes(63)).decode()

    def change(facts: list[Any]) -> None:
        for line in facts:
            if line.get("by") == READER and line.get("command", {}).get("type", "create") != "create":
                line["command"]["signature"] = constant
        taken = next(line for line in facts if line["fact"].get("player") == READER)
        taken["fact"]["key"] = taken["command"]["key"] = point

    table = finished(begun(signing))
    return case_with_another_file(table, forge(table.export(), change))


def seat_for_another(signing: bool) -> Case:
    """The operator takes the seat of an invited player who has no key."""
    table = Table(announced(), signing=signing)
    for name in ("ann", "cid"):
        table.do(name, Join(None, bot=False, contribution=VALUES[name]))
    table.invent("ben", Join(None, bot=False, contribution=""))
    return case_with_one_history(finished(table))


AT_ONCE = Group(
    "Legal histories, false from the beginning",
    [
        Forgery("another move than the reader sent", false_first_move(altered(READER)), "client signature"),
        Forgery("another move than another player sent", false_first_move(altered("ben")), "signature"),
        Forgery("a move in the reader's name", false_first_move(invented(READER)), "signature"),
        Forgery("a move in another player's name", false_first_move(invented("ben")), "signature"),
        Forgery("two matches under one id, one for each player", two_tables, "witness signature"),
        Forgery(
            "a resignation in another player's name, at once",
            false_first_move(lambda t: t.invent("ben", Resign())),
            "signature",
        ),
        Forgery(
            "an abort in the name of the creator, who plays",
            false_first_move(lambda t: t.invent(READER, Abort())),
            "signature",
        ),
        Forgery("an abort in the name of a creator without a seat", absent_creator, ""),
        Forgery(
            "the reader's account is said to be erased",
            false_first_move(lambda t: t.invent("house", ResignErased(0))),
            "client",
        ),
        Forgery(
            "another account is said to be erased",
            false_first_move(lambda t: t.invent("house", ResignErased(1))),
            "",
        ),
        Forgery("a time-out: the move is said not to have arrived", false_first_move(late), ""),
        Forgery("other times within the clock, at once", slow_clock, ""),
        Forgery("the whole match at another time", early_clock, ""),
        Forgery("an invented outage that is not in the log", outage(10_000, 86_400_000), "checkpoint"),
        Forgery("an invented outage that is in the log", outage(10_000, 86_400_000, logged=True), ""),
        Forgery("more time given back than the match accepts", more_than_agreed, "alone"),
        Forgery("a player's key of small order, with one signature for all commands", small_order, "alone"),
        Forgery("a seat taken in the name of a player who has no key", seat_for_another, ""),
    ],
)
