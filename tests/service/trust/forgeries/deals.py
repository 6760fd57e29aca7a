"""Deals other than the players agreed on, and moves that a house bot did not choose."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from kontor_games.domain.commands import Create, GiveUpWaiting, Join, Open, TimeOut
from kontor_games.domain.house_bots import house_move
from kontor_games.domain.match_facts import PositionSet
from kontor_games.domain.position import dump_position
from kontor_games.domain.seed import commitment_of, seed_of
from tests.service.trust.forgeries.case import (
    Case,
    Forgery,
    Group,
    case_with_another_file,
    case_with_one_history,
)
from tests.service.trust.forgeries.histories import REWRITTEN
from tests.service.trust.forgeries.tables import (
    announced,
    finished,
    honest,
    played,
    sealed,
    seated,
    with_bots,
    with_bots_begun,
)
from tests.service.trust.test_verifier_bots import another_move, unpin
from tests.support.forging import Change, find, forge
from tests.support.operator_table import READER, VALUES, Table, find_entry, record_again, rewritten
from tests.support.recording import OPEN, house_bot

CHOSEN = "cd" * 32
"""A secret or a contribution that the operator has chosen."""
OTHER_SECRET = {"server_secret": CHOSEN, "commitment": commitment_of(CHOSEN)}


def recorded(**changes: Any) -> Callable[[bool], Case]:
    """Return a forgery: a match dealt in another way than was committed to and announced."""

    def make(signing: bool) -> Case:
        promised = announced()
        table = Table(announced(**changes), signing=signing, announced=promised)
        return case_with_one_history(played(seated(table)))

    return make


def secret_swapped_afterwards(signing: bool) -> Case:
    table = honest(signing)
    return case_with_another_file(
        table, finished(record_again(rewritten(table, 1, **OTHER_SECRET), table.entries[1:])).export()
    )


def joined(**altered: str) -> Callable[[bool], Case]:
    """Return a forgery: other contributions are recorded than were sent."""

    def make(signing: bool) -> Case:
        table = Table(announced(), signing=signing)
        for name, value in VALUES.items():
            table.alter(name, join(value), join(altered[name])) if name in altered else table.do(
                name, join(value)
            )
        return case_with_one_history(played(table))

    return make


def answer_lost(signing: bool) -> Case:
    """The reader's contribution is changed, and the reader gets no receipt for it."""
    table = Table(announced(), signing=signing)
    table.alter(READER, join(VALUES[READER]), join(CHOSEN))
    table.held.clear()
    for name in ("ben", "cid"):
        table.do(name, join(VALUES[name]))
    return case_with_one_history(played(table))


def join(value: str) -> Join:
    """Return the command to join with a contribution."""
    return Join(None, bot=False, contribution=value)


def contribution_invented(signing: bool) -> Case:
    """Ben sends no contribution, and one is recorded."""
    table = Table(announced(), signing=signing)
    for name in VALUES:
        table.alter(name, join(""), join(CHOSEN)) if name == "ben" else table.do(name, join(VALUES[name]))
    return case_with_one_history(played(table))


def unsealed(signing: bool) -> Case:
    """Sealed contributions were announced, but the hashes are used as the contributions themselves."""
    table = Table(announced(), signing=signing, announced=announced(sealed=True))
    return case_with_one_history(played(seated(table)))


def branched(signing: bool) -> Case:
    """The match starts in a position that the operator has prepared."""
    source = rewritten(honest(False), 8).match
    position = PositionSet(
        "00000000-0000-4000-8000-000000000000", source.version, dump_position(source.state)
    )
    table = Table(announced(branch=True), signing=signing, announced=announced(), position=position)
    return case_with_one_history(finished(seated(table)))


def last_player_tries_contributions(signing: bool) -> Case:
    """The player who joins last knows the secret, and tries contributions until the deal is a wanted one."""
    created = announced()
    others = [VALUES["ann"], VALUES["ben"]]
    tried = (sha256(b"%d" % number).hexdigest() for number in range(10_000))
    chosen = next(one for one in tried if seed_of(created.server_secret, [*others, one])[0] == 0)
    table = Table(created, signing=signing)
    for name, value in zip(VALUES, [*others, chosen], strict=True):
        table.do(name, join(value))
    return case_with_one_history(played(table))


def nobody_contributes(signing: bool) -> Case:
    """The service has drawn secrets until the deal was a wanted one, and committed itself only then."""
    table = Table(announced(), signing=signing)
    for name in VALUES:
        table.do(name, join(""))
    return case_with_one_history(played(table))


def too_early(signing: bool) -> Case:
    """The only contribution is in the request that created the match, before the commitment."""
    table = Table(
        announced(), Create(takes_seat=True, bot=False, contribution=VALUES[READER]), signing=signing
    )
    for name in ("ben", "cid"):
        table.do(name, join(""))
    return case_with_one_history(played(table))


def forged_export(table: Callable[[bool], Table], change: Change) -> Callable[[bool], Case]:
    """Return a forgery: the export of a match in which facts were changed."""
    return lambda signing: case_with_another_file(table(signing), forge(table(signing).export(), change))


def opened_another(facts: list[Any]) -> None:
    line = find(facts, "contribution_opened", 2)
    line["command"] = {**line["command"], "value": CHOSEN}
    line["fact"]["contribution"] = CHOSEN


def another_secret(facts: list[Any]) -> None:
    facts[0]["fact"]["server_secret"] = facts[-1]["fact"]["server_secret"] = CHOSEN


def another_commitment(facts: list[Any]) -> None:
    another_secret(facts)
    facts[0]["fact"]["commitment"] = commitment_of(CHOSEN)


def falsely_recorded_as_withholding(signing: bool) -> Case:
    """The reader opens the contribution in time, and the operator claims that nothing arrived."""
    table = Table(announced(sealed=True), signing=signing)
    for name, value in VALUES.items():
        table.do(name, join(sha256(value.encode()).hexdigest()))
    table.do("ben", Open(VALUES["ben"]))
    table.invent("house", GiveUpWaiting(), after=60_001)
    return case_with_one_history(table)


def withheld_afterwards(signing: bool) -> Case:
    """The operator claims that a deal he did not want was never made."""
    table = sealed(signing)
    false = rewritten(table, find_entry(table, READER, Open).index)
    false.invent("house", GiveUpWaiting(), after=60_001)
    return case_with_another_file(table, false.export())


def deal_of_bots(facts: list[Any]) -> None:
    find(facts, "seat_taken")["fact"]["contribution"] = CHOSEN


DEALS = Group(
    "Another deal",
    [
        Forgery("the secret swapped once the contributions were known", recorded(**OTHER_SECRET), "client"),
        Forgery("the secret swapped after the match", secret_swapped_afterwards, REWRITTEN),
        Forgery("a secret that does not fit the commitment", forged_export(honest, another_secret), "alone"),
        Forgery(
            "another secret and commitment under the old deal",
            forged_export(honest, another_commitment),
            "alone",
        ),
        Forgery("the reader's contribution dropped", joined(ann=""), "client signature"),
        Forgery("the reader's contribution changed", joined(ann=CHOSEN), "client signature"),
        Forgery(
            "the reader's contribution changed, and the answer never sent", answer_lost, "client signature"
        ),
        Forgery("another player's contribution changed", joined(ben=CHOSEN), "signature"),
        Forgery(
            "two contributions exchanged", joined(ann=VALUES["ben"], ben=VALUES["ann"]), "client signature"
        ),
        Forgery("a contribution invented for a player who sent none", contribution_invented, "signature"),
        Forgery("a contribution invented for a house bot", forged_export(with_bots, deal_of_bots), "alone"),
        Forgery("sealed contributions announced, open ones recorded", unsealed, "client"),
        Forgery("another value opened than was sealed", forged_export(sealed, opened_another), "alone"),
        Forgery("an open seed in place of the contributions", recorded(open_seed="chosen"), "warns client"),
        Forgery(
            "a branch from a prepared position passed off as an ordinary match", branched, "warns client"
        ),
        Forgery(
            "the operator's friend joins last and tries contributions (open contributions)",
            last_player_tries_contributions,
            "",
        ),
        Forgery("nobody contributes, and the operator has chosen the secret", nobody_contributes, "warns"),
        Forgery("the only contribution came before the commitment", too_early, "warns"),
        Forgery("an opened contribution is said to be withheld", falsely_recorded_as_withholding, ""),
        Forgery(
            "a deal is said after the match never to have been made",
            withheld_afterwards,
            "receipt client checkpoint search",
        ),
    ],
)


# --- house bots ---------------------------------------------------------------------------------------------


def bot_moved_otherwise(signing: bool) -> Case:
    """A legal move of a house bot that is not the bot's own."""
    table = with_bots_begun(signing)
    while (other := another_move(table.match)) is None:
        table.play_with_bots(1)
    table.play(*other)
    return case_with_one_history(table.play_with_bots())  # type: ignore[arg-type]


def unpinned(signing: bool) -> Case:
    """The bots have no pinned version, and the operator chooses their moves."""
    table = Table(announced(OPEN, house_bot("greedy"), house_bot("random")), signing=signing)
    table.do(READER, join(VALUES[READER]))
    return case_with_one_history(finished(table))


def bot_timed_out(signing: bool) -> Case:
    """The operator lets the time of a bot run out."""
    table = with_bots_begun(signing)
    seat = next(seat for seat in table.match.to_act if table.match.is_house(seat))
    own = [one for one in table.match.to_act if one != seat]
    for one in own:
        move = house_move(table.match, one).move if table.match.is_house(one) else None
        table.play(one, move or table.match.rules.legal_moves(table.match.state, one)[0])
    table.invent("house", TimeOut(seat), after=60_001)
    return case_with_one_history(table.play_with_bots())  # type: ignore[arg-type]


def repinned(facts: list[Any]) -> None:
    find(facts, "seat_taken")["fact"]["house_version"] = 2


def rated(facts: list[Any]) -> None:
    find(facts, "match_created")["fact"]["rated"] = True


BOTS = Group(
    "House bots",
    [
        Forgery("another legal move of a pinned bot", bot_moved_otherwise, "alone"),
        Forgery("another version of the bot on its seat", forged_export(with_bots, repinned), "alone"),
        Forgery(
            "the versions taken out of the record",
            forged_export(with_bots, unpin),
            "warns receipt client checkpoint search signature",
        ),
        Forgery("bots without a version, moved by the operator", unpinned, "warns"),
        Forgery("the time of a bot allowed to run out", bot_timed_out, ""),
        Forgery("a match with house bots passed off as rated", forged_export(with_bots, rated), "alone"),
    ],
)
