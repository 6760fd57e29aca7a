"""Legal but false histories, recorded during the match: receipts and checkpoints agree with them."""

from collections.abc import Callable

from kontor_games.domain.commands import Abort, Join, Play, Resign, ResignErased, TimeOut
from tests.domain.toy.games.fair.moves import LayCard
from tests.service.trust.forgeries.case import Case, Forgery, Group, case_with_one_history
from tests.service.trust.forgeries.tables import announced, finished, played, seated
from tests.support.operator_table import READER, VALUES, Table
from tests.support.recording import NOON


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
        Forgery("a seat taken in the name of a player who has no key", seat_for_another, ""),
    ],
)
