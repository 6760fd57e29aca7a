"""Legal but different histories, told so from the beginning: receipts and checkpoints agree with them."""

from collections.abc import Callable

from kontor_games.domain.commands import Abort, Join, Play, Resign, ResignErased, TimeOut
from tests.domain.toy.games.fair.moves import LayCard
from tests.service.trust.forgeries.case import Case, Forgery, Group, at_once
from tests.service.trust.forgeries.tables import announced, finished, played, seated
from tests.support.operator_table import READER, VALUES, Table
from tests.support.recording import NOON


def begun(signing: bool) -> Table:
    """Everybody sits, and nobody has moved."""
    return seated(Table(announced(), signing=signing))


def told(change: Callable[[Table], object]) -> Callable[[bool], Case]:
    """A lie in the first move of a match that is then played to its end."""

    def make(signing: bool) -> Case:
        table = begun(signing)
        change(table)
        return at_once(table if table.match.over else finished(table))

    return make


def altered(by: str) -> Callable[[Table], object]:
    """Another card than the player laid."""

    def change(table: Table) -> None:
        one, two, *_ = table.match.state.hands[table.match.seat_of(by)]  # type: ignore[attr-defined]
        table.alter(by, Play((LayCard(one),)), Play((LayCard(two),)))

    return change


def invented(by: str) -> Callable[[Table], object]:
    """A card that the player never laid."""

    def change(table: Table) -> None:
        card = table.match.state.hands[table.match.seat_of(by)][0]  # type: ignore[attr-defined]
        table.invent(by, Play((LayCard(card),)))

    return change


def late(table: Table) -> None:
    """Ben's card is said not to have arrived before his time was up."""
    for seat in (0, 2):
        table.play(seat, LayCard(table.match.state.hands[seat][0]))  # type: ignore[attr-defined]
    table.invent("house", TimeOut(1), after=60_001)


def two_tables(signing: bool) -> Case:
    """The reader is shown one match and Ben another; in each, the operator moves for the absent one."""
    table = begun(signing)
    while not table.match.over:
        seat = table.match.to_act[0]
        move = table.match.rules.legal_moves(table.match.state, seat)[0]
        table.invent("ben", Play((move,))) if seat == 1 else table.play(seat, move)
    case = at_once(table)
    case.kept.log.hidden = case.shown.log.hidden = True
    return case


def absent_creator(signing: bool) -> Case:
    """A creator without a seat aborts."""
    table = seated(Table(announced(creator="dot"), signing=signing))
    table.invent("dot", Abort())
    return at_once(table)


def slow_clock(signing: bool) -> Case:
    """The clock of the service was set so that everybody seems to have taken twice as long."""
    table = begun(signing)
    table.play_on(seed="forgery", after=2000)
    return at_once(table)


def early_clock(signing: bool) -> Case:
    """The whole match is said to have been played a day before."""
    table = Table(announced(), signing=signing)
    table.at = NOON + 86_400_000
    return at_once(played(seated(table)))


def seat_for_another(signing: bool) -> Case:
    """The operator takes the seat of an invited player who has no key."""
    table = Table(announced(), signing=signing)
    for name in ("ann", "cid"):
        table.do(name, Join(None, bot=False, contribution=VALUES[name]))
    table.invent("ben", Join(None, bot=False, contribution=""))
    return at_once(finished(table))


AT_ONCE = Group(
    "Legal histories, false from the beginning",
    [
        Forgery("another move than the reader sent", told(altered(READER)), "client signature"),
        Forgery("another move than another player sent", told(altered("ben")), "signature"),
        Forgery("a move in the reader's name", told(invented(READER)), "signature"),
        Forgery("a move in another player's name", told(invented("ben")), "signature"),
        Forgery("two matches under one id, one for each player", two_tables, "witness signature"),
        Forgery(
            "a resignation in another player's name, at once",
            told(lambda t: t.invent("ben", Resign())),
            "signature",
        ),
        Forgery(
            "an abort in the name of the creator, who plays",
            told(lambda t: t.invent(READER, Abort())),
            "signature",
        ),
        Forgery("an abort in the name of a creator without a seat", absent_creator, ""),
        Forgery(
            "the reader's account is said to be erased",
            told(lambda t: t.invent("house", ResignErased(0))),
            "client",
        ),
        Forgery(
            "another account is said to be erased", told(lambda t: t.invent("house", ResignErased(1))), ""
        ),
        Forgery("a time-out: the move is said not to have arrived", told(late), ""),
        Forgery("other times within the clock, at once", slow_clock, ""),
        Forgery("the whole match at another time", early_clock, ""),
        Forgery("a seat taken in the name of a player who has no key", seat_for_another, ""),
    ],
)
