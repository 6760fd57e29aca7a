"""Keys that the service never had, had at another time, or no longer admits to."""

from collections.abc import Callable

from tests.service.trust.forgeries.case import Case, Forgery, Group, afterwards
from tests.service.trust.forgeries.histories import another_move
from tests.service.trust.forgeries.tables import finished, honest
from tests.support.forging import forge, forge_around
from tests.support.operator_table import READER, Table
from tests.support.recording import KEYS, NOON, KnownKeys

OLD = "a key that everybody knows"
FORGER = KnownKeys(("a forger", 0))
BACKDATED = KnownKeys((OLD, 0), ("a backdated key", NOON - 1000))
REMOVED = KnownKeys(("another key", 0))
MOVED = KnownKeys(("an earlier key", 0), (OLD, NOON + 10**9))
ROTATED = KnownKeys((OLD, 0), ("the next key", NOON + 3000))


def resigned_with(content: bytes, keys: KnownKeys) -> bytes:
    """The same history, signed with other keys."""
    own = forge_around(content, lambda lines: lines[0].update(keys=keys.published()), keys)
    return forge(own, lambda facts: None, keys)


def same_history(keys: KnownKeys, published: KnownKeys | None = None) -> Callable[[bool], Case]:
    """The true history, signed with other keys than at the time."""

    def make(signing: bool) -> Case:
        table = honest(signing)
        log = afterwards(table, table.export()).shown.log
        return afterwards(table, resigned_with(table.export(), keys), log, published or keys)

    return make


def another_history(keys: KnownKeys) -> Callable[[bool], Case]:
    """Another history, signed with keys that were added afterwards."""

    def make(signing: bool) -> Case:
        table = honest(signing)
        false: Table = finished(another_move(READER)(table))
        return afterwards(table, resigned_with(false.export(), keys), keys=keys)

    return make


def retired(signing: bool) -> Case:
    """The file of a match in whose course the key was replaced, signed with the old key to its end."""
    table = honest(signing, ROTATED)
    log = afterwards(table, table.export()).shown.log
    return afterwards(table, resigned_with(table.export(), KEYS), log, ROTATED)


EVERYTHING = "keys receipt client checkpoint"
SIGNING_KEYS = Group(
    "Signing keys",
    [
        Forgery("a file signed with a stranger's keys", same_history(FORGER, KEYS), EVERYTHING),
        Forgery(
            "another history, signed with a backdated key",
            another_history(BACKDATED),
            f"{EVERYTHING} search signature",
        ),
        Forgery("receipts disowned by a backdated key", same_history(BACKDATED), EVERYTHING),
        Forgery("the key removed from the published list", same_history(REMOVED), EVERYTHING),
        Forgery("the key published with a later beginning", same_history(MOVED), EVERYTHING),
        Forgery("a retired key signs after its time", retired, EVERYTHING),
    ],
)
