"""Logs that were changed, rolled back or made for one reader."""

from collections.abc import Callable
from dataclasses import replace

from kontor_games.domain.log_leaves import Leaf, MatchLeaf
from kontor_games.service.trust.notes import cosign
from tests.api.cosigning import NOW_S, WITNESS
from tests.api.cosigning import witness as witness_of
from tests.service.trust.forgeries.case import (
    OTHERS,
    Case,
    Forgery,
    Group,
    KeptEvidence,
    ShownEvidence,
    case_with_another_file,
    case_with_one_history,
    leaf_of,
)
from tests.service.trust.forgeries.histories import another_move, cut_off_late, timed_out_to_the_end
from tests.service.trust.forgeries.tables import finished, honest
from tests.support.operator_table import READER, Table, find_entry, rewritten
from tests.support.shown_log import ShownLog

Build = Callable[[ShownLog, MatchLeaf], ShownLog]
"""Makes the log that is shown, from the honest log and the leaf of the match that is shown."""


def true_match(build: Build) -> Callable[[bool], Case]:
    """Return a forgery: the true history with another log."""

    def make(signing: bool) -> Case:
        case = case_with_one_history(honest(signing))
        return replace(case, shown=replace(case.shown, log=build(case.kept.log, leaf_of(case.shown.content))))

    return make


def false_match(build: Build) -> Callable[[bool], Case]:
    """Return a forgery: a rewritten history, with a log made for it."""

    def make(signing: bool) -> Case:
        case = case_with_another_file(
            honest(signing), finished(another_move(READER)(honest(signing))).export()
        )
        return replace(case, shown=replace(case.shown, log=build(case.kept.log, leaf_of(case.shown.content))))

    return make


def without(log: ShownLog, *places: int) -> ShownLog:
    """Return the log without some leaves."""
    kept = [leaf for place, leaf in enumerate(log.leaves) if place not in places]
    return ShownLog([*kept, *OTHERS[1:]], log.signer)


def without_another(log: ShownLog, _: MatchLeaf) -> ShownLog:
    """Remove the leaf of another match; proofs still come from the original log."""
    shown = without(log, 1)
    shown.before = log
    return shown


def replaced(log: ShownLog, leaf: MatchLeaf) -> ShownLog:
    """Remove the leaf from the middle of the match, and change the last one."""
    leaves: list[Leaf] = [log.leaves[0], OTHERS[0], OTHERS[2], OTHERS[1], leaf, OTHERS[2]]
    return ShownLog(leaves, log.signer)


def early_leaf_proven(signing: bool) -> Case:
    """The end is rewritten, and the leaf from the middle of the match is proven in place of the last one."""
    case = case_with_another_file(honest(signing), timed_out_late(honest(signing)).export())
    case.shown.log.withheld = frozenset({4, 6})
    return case


def fork(log: ShownLog, leaf: MatchLeaf) -> ShownLog:
    """Return a consistent log that is shown to one reader only."""
    return ShownLog([*log.leaves[:2], OTHERS[1], leaf, OTHERS[2]], log.signer, hidden=True)


def fork_with_a_strangers_cosignature(log: ShownLog, leaf: MatchLeaf) -> ShownLog:
    forked, stranger = fork(log, leaf), witness_of("stranger.example/w", 9)
    forked.cosignatures = [cosign(forked.head.text, stranger.public, stranger.private, NOW_S)]
    return forked


def fork_with_a_copied_cosignature(log: ShownLog, leaf: MatchLeaf) -> ShownLog:
    forked = fork(log, leaf)
    forked.cosignatures = [cosign(log.head.text, WITNESS.public, WITNESS.private, NOW_S)]
    return forked


def reordered(log: ShownLog, _: MatchLeaf) -> ShownLog:
    key, other, middle, another, end = log.leaves
    return ShownLog([key, other, end, another, middle, OTHERS[2]], log.signer)


def renamed(log: ShownLog, _: MatchLeaf) -> ShownLog:
    return ShownLog([*log.leaves, OTHERS[2]], log.signer, "elsewhere.example/v1/log")


def contradicting(log: ShownLog, leaf: MatchLeaf) -> ShownLog:
    return log.grown(replace(leaf, head="0" * 64), leaf)


def key_bound_twice(log: ShownLog, _: MatchLeaf) -> ShownLog:
    return log.grown(replace(log.signer.public_keys()[0].leaf, valid_from=5))


def never_logged(signing: bool) -> Case:
    """The match was never put into the log."""
    case = case_with_one_history(honest(signing))
    log = ShownLog([case.kept.log.leaves[0], *OTHERS], case.kept.log.signer)
    return Case(KeptEvidence(case.kept.original, log), replace(case.shown, log=log.grown(OTHERS[0])))


def after_the_checkpoint(change: Callable[[Table], Table]) -> Callable[[bool], Case]:
    """The reader kept a checkpoint from the middle of the match; the end was changed before its leaf."""

    def make(signing: bool) -> Case:
        table = honest(signing)
        log = ShownLog([*case_with_one_history(table).kept.log.leaves[:3]], table.signer)
        content = change(table).export()
        return Case(
            KeptEvidence(table, log),
            ShownEvidence(content, log.grown(leaf_of(content)), table.signer.published()),
        )

    return make


def timed_out_late(table: Table) -> Table:
    return timed_out_to_the_end(rewritten(table, find_entry(table, READER, nth=-1).index + 1))


LOG = Group(
    "The log",
    [
        Forgery(
            "the old leaf kept, the match rewritten, and no new leaf",
            false_match(lambda log, _: log),
            "receipt client checkpoint search signature",
        ),
        Forgery(
            "the end replaced by time-outs, and an early leaf proven in place of the newest",
            early_leaf_proven,
            "checkpoint search",
        ),
        Forgery("two contradicting leaves", true_match(contradicting), "search"),
        Forgery(
            "the leaves of the match removed",
            true_match(lambda log, _: without(log, 2, 4)),
            "checkpoint witness",
        ),
        Forgery("the leaf of another match removed", true_match(without_another), "checkpoint witness"),
        Forgery(
            "the leaf changed to that of a rewritten match",
            false_match(replaced),
            "receipt client checkpoint witness signature",
        ),
        Forgery("leaves in another order", true_match(reordered), "checkpoint search witness"),
        Forgery(
            "the log rolled back to before the match",
            true_match(lambda log, _: log.first(2)),
            "checkpoint witness",
        ),
        Forgery("the log continued under another name", true_match(renamed), "witness"),
        Forgery("a key bound a second time with another beginning", true_match(key_bound_twice), "search"),
        Forgery(
            "a second history with its own log, shown to one reader",
            false_match(fork),
            "receipt client checkpoint witness signature",
        ),
        Forgery(
            "a second log, cosigned by an unknown witness",
            false_match(fork_with_a_strangers_cosignature),
            "receipt client checkpoint witness signature",
        ),
        Forgery(
            "a second log, with a cosignature copied from another checkpoint",
            false_match(fork_with_a_copied_cosignature),
            "receipt client checkpoint witness signature",
        ),
        Forgery("a match that was never put into the log", never_logged, "checkpoint"),
        Forgery(
            "the end changed after the last receipt and checkpoint",
            after_the_checkpoint(cut_off_late),
            "checkpoint signature",
        ),
        Forgery(
            "the end replaced by time-outs after the last receipt and checkpoint",
            after_the_checkpoint(timed_out_late),
            "checkpoint",
        ),
    ],
)
