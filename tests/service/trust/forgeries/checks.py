"""The checks that a reader can make: each returns or raises the problem that it finds."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from kontor_client.connection import UntrustedServiceError
from kontor_client.export_check import check_export
from kontor_client.files import write_private
from kontor_client.service_keys import ServiceKeys
from kontor_games.domain.codec import text_of
from kontor_games.service.trust.checkpoint_check import CheckpointMismatchError, check_growth, read_checkpoint
from kontor_games.service.trust.inclusion_check import (
    LogEvidenceError,
    read_inclusion,
    read_kept_note,
    require_witnesses,
)
from kontor_games.service.trust.leaf_search import search_leaves
from kontor_games.service.trust.log_client import LogRefusedError
from kontor_games.service.trust.notes import cosign
from kontor_games.service.trust.verifier import BrokenFileError, Verdict, verify
from kontor_games.service.trust.witness import InconsistentLogError, Witness, WitnessState
from tests.api.cosigning import NOW_S, WITNESS, with_signatures
from tests.service.trust.forgeries.case import Case, Forgery
from tests.support.forging import lines_of

Problem = str | None
REFUSALS = (
    BrokenFileError,
    CheckpointMismatchError,
    InconsistentLogError,
    LogEvidenceError,
    LogRefusedError,
    UntrustedServiceError,
)


def _problem(check: Callable[[Case], Problem], case: Case) -> Problem:
    try:
        return check(case)
    except REFUSALS as refused:
        return str(refused)


def alone(case: Case) -> None:
    """`kontor verify FILE`, without other evidence."""
    verify(case.shown.content)


def warns(case: Case) -> Problem:
    """`kontor verify FILE`, which accepts the file; return its warnings."""
    return "; ".join(warnings(verify(case.shown.content))) or None


def warnings(verdict: Verdict) -> list[str]:
    """Return the warnings in the verdict on a valid file."""
    counted = "counted" in verdict.contributions or not verdict.contributions
    found = {
        "open seed": verdict.open_seed,
        "branch": verdict.branch,
        "no contribution counted": not counted and not verdict.open_seed,
        "bots not recomputed": any(bot.not_recomputed for bot in verdict.bots),
        "running": not verdict.complete,
    }
    return [name for name, true in found.items() if true]


def keys(case: Case) -> None:
    """`kontor verify FILE --keys KEPT`."""
    verify(case.shown.content, case.kept.keys)


def receipt(case: Case) -> None:
    """`kontor verify FILE --receipts KEPT`."""
    verify(case.shown.content, None, case.kept.receipts)


def client(case: Case) -> None:
    """The check of the export in kontor_client at the end of a match."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_private(folder / "keys.json", text_of({"keys": case.kept.keys}))
        pinned = ServiceKeys(folder / "keys.json", lambda: {"keys": case.shown.keys})
        check_export(case.shown.content, case.kept.original.evidence(folder), pinned)


def checkpoint(case: Case) -> None:
    """`kontor verify FILE --checkpoint KEPT`, then `kontor checkpoint verify KEPT --later NEWEST`."""
    kept, shown = case.kept.log, case.shown
    answer = shown.log.inclusion(case.kept.original.id, kept.head.size)
    log = read_inclusion(answer, *read_kept_note(kept.checkpoint()))
    verify(shown.content, shown.keys, log=log)
    early, late = read_checkpoint(kept.checkpoint()), read_checkpoint(shown.log.checkpoint())
    if late.size < early.size:
        check_growth(early, late, [])
    check_growth(early, late, shown.log.consistency(early.size, late.size)["proof"])


def search(case: Case) -> Problem:
    """`kontor checkpoint search URL --export FILE`."""
    log, facts = case.shown.log, lines_of(case.shown.content)[1:-1]
    exported = {case.kept.original.id: [line["hash"] for line in facts]}
    found = search_leaves(log.entries(log.head.size), log.head, exported).contradictions
    return found[0] if found else None


def witness(case: Case) -> None:
    """A witness that cosigned the kept checkpoint reads the log; the reader requires its cosignature."""
    log, note = case.shown.log, case.shown.log.note
    if not log.hidden:
        state = WitnessState(tuple(case.kept.original.signer.public_keys()), case.kept.log.checkpoint())
        Witness(log, WITNESS, state, lambda _: None).check()
        note = with_signatures(note, [cosign(note.text, WITNESS.public, WITNESS.private, NOW_S)])
    require_witnesses(note, [WITNESS.public], 1)


CHECKS: dict[str, Callable[[Case], Problem]] = {
    check.__name__: check for check in (alone, warns, keys, receipt, client, checkpoint, search, witness)
}


@cache
def caught_by(forgery: Forgery) -> dict[str, str]:
    """Return the problem found by each check that detects a forgery.

    If `verify` refuses the file without further evidence, no other check is made.
    """
    case = forgery.make(False)
    if problem := _problem(alone, case):
        return {"alone": problem}
    found = {name: _problem(check, case) for name, check in CHECKS.items()}
    found["signature"] = _problem(alone, forgery.make(True))
    return {name: problem for name, problem in found.items() if problem}


def client_notices(forgery: Forgery) -> bool:
    """Whether `kontor_client` notices a forgery, whatever else does."""
    return bool(_problem(client, forgery.make(False)))


def contents(forgeries: Sequence[Forgery]) -> list[bytes]:
    """The file of each forgery."""
    return [forgery.make(False).shown.content for forgery in forgeries]
