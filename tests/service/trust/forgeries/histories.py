"""Legal but false histories, written after the match."""

from collections.abc import Callable
from dataclasses import replace

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.commands import Abort, Play, Resign, ResignErased, TimeOut
from kontor_games.domain.game import Move
from tests.domain.toy.games.fair.moves import OfferCard
from tests.service.trust.forgeries.case import Case, Forgery, Group, case_with_another_file
from tests.service.trust.forgeries.tables import finished, honest
from tests.support.operator_table import READER, VALUES, Table, find_entry, record_again, rewritten

REWRITTEN = "receipt client checkpoint search signature"
"""The checks that detect a rewritten history for which the reader has a receipt."""
Change = Callable[[Table], Table]


def rewritten_history(change: Change) -> Callable[[bool], Case]:
    """Return a forgery: a false history that the operator wrote after the match."""

    def make(signing: bool) -> Case:
        table = honest(signing)
        false = change(table)
        return case_with_another_file(table, (false if false.match.over else finished(false)).export())

    return make


def another_move(by: str) -> Change:
    """Return a change: another legal move of a player, and all that follows from it."""

    def change(table: Table) -> Table:
        place = find_entry(table, by)
        false = rewritten(table, place.index)
        [made] = place.entry.command.moves  # type: ignore[attr-defined]
        false.invent(by, Play((other_than(false, by, made),)))
        return false

    return change


def other_than(table: Table, by: str, made: Move) -> Move:
    """Return a legal move of a player other than the given one."""
    legal = table.match.rules.legal_moves(table.match.state, table.match.seat_of(by))
    return next(move for move in legal if move != made)


def move_added(table: Table) -> Table:
    """Add an offer that nobody made; every later command is still allowed."""
    end = next(
        i
        for i, e in enumerate(table.entries)
        if isinstance(e.command, Play) and e.facts[0].type == "fair_closed"
    )
    false = rewritten(table, end)
    holder = false.match.to_act[0]
    false.play(holder, OfferCard(false.match.state.hands[holder][0], 3))  # type: ignore[attr-defined]
    return record_again(false, table.entries[end:])


def move_dropped(table: Table) -> Table:
    """Remove the offer and the sale."""
    offer = next(i for i, e in enumerate(table.entries) if e.facts[0].type == "offer_made")
    return record_again(rewritten(table, offer), table.entries[offer + 2 :])


def moves_reordered(table: Table) -> Table:
    """Swap the first two laid cards."""
    first = find_entry(table, READER).index
    one, two = table.entries[first : first + 2]
    return record_again(rewritten(table, first), [two, one, *table.entries[first + 2 :]])


def aborted(false: Table) -> Table:
    """Abort a match with the invented agreement of all players."""
    for name in VALUES:
        false.invent(name, Abort())
    return false


def cut_off(table: Table) -> Table:
    return aborted(rewritten(table, find_entry(table, READER, nth=1).index))


def cut_off_late(table: Table) -> Table:
    return aborted(rewritten(table, find_entry(table, READER, nth=-1).index + 1))


def resigned(by: str, after: int) -> Change:
    """Return a change: a resignation in a player's name, before or after the reader's last receipt."""

    def change(table: Table) -> Table:
        false = rewritten(table, find_entry(table, READER, nth=-1).index + after)
        false.invent(by, Resign())
        return false

    return change


def timed_out(table: Table) -> Table:
    """Replace all commands from Ben's first move on by time-outs."""
    return timed_out_to_the_end(rewritten(table, find_entry(table, "ben").index))


def timed_out_to_the_end(table: Table) -> Table:
    """Record time-outs with quiet moves until the match is over."""
    while not table.match.over:
        wait = max(0, (table.match.clock.next_deadline() or 0) - table.at)
        table.invent("house", TimeOut(table.match.clock.flagged(table.at + wait)[0]), after=wait)
    return table


def erased(table: Table) -> Table:
    """Record that all accounts but the reader's were erased, which ends the match."""
    false = rewritten(table, find_entry(table, "ben").index)
    for seat in (1, 2):
        false.invent("house", ResignErased(seat))
    assert false.match.over
    return false


def other_seats(table: Table) -> Table:
    false = rewritten(table, 1)
    for entry in (table.entries[2], table.entries[1], table.entries[3]):
        false.invent(entry.by, entry.command)
    return false


def another_player(table: Table) -> Table:
    false = rewritten(table, 1)
    for entry in table.entries[1:]:
        false.invent("zoe" if entry.by == "ben" else entry.by, entry.command)
    return false


def a_program(table: Table) -> Table:
    false = rewritten(table, 2)
    false.invent("ben", replace(table.entries[2].command, bot=True))  # type: ignore[type-var]
    return record_again(false, table.entries[3:])


def other_settings(**changes: object) -> Change:
    return lambda table: record_again(rewritten(table, 1, **changes), table.entries[1:])


def other_times(table: Table) -> Table:
    """Record every move half a second later than it was made."""
    false = rewritten(table, 4)
    for entry in table.entries[4:]:
        false.invent(entry.by, entry.command, after=1500)
    return false


AFTERWARDS = Group(
    "Legal histories, rewritten after the match",
    [
        Forgery("another legal move of the reader", rewritten_history(another_move(READER)), REWRITTEN),
        Forgery("another legal move of another player", rewritten_history(another_move("ben")), REWRITTEN),
        Forgery("a move added that changes nothing else", rewritten_history(move_added), REWRITTEN),
        Forgery("a move dropped from the middle", rewritten_history(move_dropped), REWRITTEN),
        Forgery("two moves in the other order", rewritten_history(moves_reordered), REWRITTEN),
        Forgery(
            "the last moves cut off, and an abort that all agreed to", rewritten_history(cut_off), REWRITTEN
        ),
        Forgery(
            "the last moves cut off after the reader's last receipt",
            rewritten_history(cut_off_late),
            "checkpoint search signature",
        ),
        Forgery("a resignation in another player's name", rewritten_history(resigned("ben", 0)), REWRITTEN),
        Forgery(
            "a resignation in the reader's name, after the last receipt",
            rewritten_history(resigned(READER, 1)),
            "checkpoint search signature",
        ),
        Forgery(
            "time-outs in place of all later moves",
            rewritten_history(timed_out),
            "receipt client checkpoint search",
        ),
        Forgery(
            "resignations because accounts were erased",
            rewritten_history(erased),
            "receipt client checkpoint search",
        ),
        Forgery("another order of the seats", rewritten_history(other_seats), REWRITTEN),
        Forgery("another player on a seat", rewritten_history(another_player), REWRITTEN),
        Forgery("a person passed off as a program", rewritten_history(a_program), REWRITTEN),
        Forgery(
            "other options", rewritten_history(other_settings(options={"rounds": 2, "coins": 5})), REWRITTEN
        ),
        Forgery("another creator", rewritten_history(other_settings(creator="ben")), REWRITTEN),
        Forgery(
            "another clock",
            rewritten_history(other_settings(clock=ClockSettings("per_move", 30_000))),
            REWRITTEN,
        ),
        Forgery(
            "another consequence of time-outs",
            rewritten_history(other_settings(on_timeout="forfeit")),
            REWRITTEN,
        ),
        Forgery(
            "a practice match passed off as a rated one, or the reverse",
            rewritten_history(other_settings(practice=True)),
            REWRITTEN,
        ),
        Forgery("other times within the clock", rewritten_history(other_times), REWRITTEN),
    ],
)
