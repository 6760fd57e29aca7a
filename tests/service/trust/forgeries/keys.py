"""Keys that the service never had, had at another time, or no longer publishes."""

from collections.abc import Callable

from tests.service.trust.forgeries.case import Case, Forgery, Group, case_with_another_file
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
    """Return the same export, signed with other keys."""
    own = forge_around(content, lambda lines: lines[0].update(keys=keys.published()), keys)
    return forge(own, lambda facts: None, keys)


def same_history(keys: KnownKeys, published: KnownKeys | None = None) -> Callable[[bool], Case]:
    """Return a forgery: the true history, signed with other keys than at the time."""

    def make(signing: bool) -> Case:
        table = honest(signing)
        log = case_with_another_file(table, table.export()).shown.log
        return case_with_another_file(table, resigned_with(table.export(), keys), log, published or keys)

    return make


def another_history(keys: KnownKeys) -> Callable[[bool], Case]:
    """Return a forgery: another history, signed with keys that were added afterwards."""

    def make(signing: bool) -> Case:
        table = honest(signing)
        false: Table = finished(another_move(READER)(table))
        return case_with_another_file(table, resigned_with(false.export(), keys), keys=keys)

    return make


def retired(signing: bool) -> Case:
    """The key was rotated during the match, but the whole file is signed with the old key."""
    table = honest(signing, ROTATED)
    log = case_with_another_file(table, table.export()).shown.log
    return case_with_another_file(table, resigned_with(table.export(), KEYS), log, ROTATED)


CHECKS_OF_KEYS = "keys receipt client checkpoint"
SIGNING_KEYS = Group(
    "Signing keys",
    [
        Forgery("a file signed with a stranger's keys", same_history(FORGER, KEYS), CHECKS_OF_KEYS),
        Forgery(
            "another history, signed with a backdated key",
            another_history(BACKDATED),
            f"{CHECKS_OF_KEYS} search signature",
        ),
        Forgery("receipts disowned by a backdated key", same_history(BACKDATED), CHECKS_OF_KEYS),
        Forgery("the key removed from the published list", same_history(REMOVED), CHECKS_OF_KEYS),
        Forgery("the key published with a later beginning", same_history(MOVED), CHECKS_OF_KEYS),
        Forgery("a retired key signs after its time", retired, CHECKS_OF_KEYS),
    ],
)
