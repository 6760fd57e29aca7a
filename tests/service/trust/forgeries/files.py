"""The true history in a changed file, with a valid file hash and last line."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.service.trust.forgeries.case import OTHERS as OTHER_LEAVES
from tests.service.trust.forgeries.case import Case, Forgery, Group, ShownEvidence, kept_of
from tests.service.trust.forgeries.tables import honest, with_dealt_cards
from tests.support.forging import Change, Lines, forge, forge_around
from tests.support.operator_table import Table, rewritten


def case_of(table: Table, content: bytes) -> Case:
    """Return the case of a changed file with an unchanged log."""
    kept = kept_of(table)
    return Case(kept, ShownEvidence(content, kept.log.grown(OTHER_LEAVES[2]), kept.keys))


def with_changed_lines(change: Change) -> Callable[[bool], Case]:
    """Return a forgery: any line is changed, and the hash chain is left as it is."""
    return lambda signing: case_of(honest(signing), forge_around(honest(signing).export(), change))


def with_changed_draws(change: Change) -> Callable[[bool], Case]:
    """Return a forgery: the draws are changed."""
    return lambda signing: case_of(
        with_dealt_cards(signing), forge_around(with_dealt_cards(signing).export(), change)
    )


def with_changed_facts(change: Change) -> Callable[[bool], Case]:
    """Return a forgery: facts are changed, and all hashes are recomputed."""
    return lambda signing: case_of(honest(signing), forge(honest(signing).export(), change))


def running(table: Table, viewer: int = -1) -> bytes:
    """Return the export of a match from the time when it was running."""
    early = rewritten(table, 8)
    assert not early.match.over
    return early.export(viewer)


def early_file(signing: bool) -> Case:
    return case_of(honest(signing), running(honest(signing)))


def early_file_changed(viewer: int, change: Change) -> Callable[[bool], Case]:
    return lambda signing: case_of(honest(signing), forge_around(running(honest(signing), viewer), change))


def claim_complete(lines: Lines) -> None:
    lines[0].update(complete=True)


def remove_last_command(lines: Lines) -> None:
    """Remove the last command; the receipt at the end is valid for its place."""
    while "command" not in lines[-2]:
        lines.pop(-2)
    lines.pop(-2)


def truncated(signing: bool) -> Case:
    """The last facts are removed; the rest is hashed and signed anew."""
    unfinished = forge_around(
        honest(signing).export(), lambda lines: lines[-1].update(result=None, end="running")
    )
    return case_of(honest(signing), forge(unfinished, lambda facts: facts.__delitem__(slice(-6, None))))


def another_card(lines: Lines) -> None:
    """Change a card in the reader's hand."""
    line = next(line for line in lines if "salts" in line and "card" in line["fact"])
    line["fact"]["card"] += 1


def in_draws(lines: Lines, change: Callable[[Any], None]) -> None:
    change(next(line for line in lines if "draws" in line))


def other_index(line: Any) -> None:
    line["draws"][0]["index"] += 1


def other_value(line: Any) -> None:
    line["draws"][0]["values"][0][1] ^= 1


def first(**values: Any) -> Change:
    """Return a change of values in the first line."""
    return lambda lines: lines[0].update(values)


def last(**values: Any) -> Change:
    """Return a change of values in the last line."""
    return lambda lines: lines[-1].update(values)


def facts_after_the_end(facts: Lines) -> None:
    facts.append({**facts[-1]})


FILES = Group(
    "The form of the file",
    [
        Forgery(
            "the file of a running match passed off as complete",
            early_file_changed(-1, claim_complete),
            "alone",
        ),
        Forgery(
            "an old file of the running match, shown after its end",
            early_file,
            "warns receipt client checkpoint search",
        ),
        Forgery(
            "the file of a running match for one seat, said to be for another",
            early_file_changed(0, first(viewer=1)),
            "alone",
        ),
        Forgery(
            "the file of a running match for one seat, said to be for a spectator",
            early_file_changed(0, first(viewer=None)),
            "alone",
        ),
        Forgery(
            "the file of a running match, said to be for a seat that does not exist",
            early_file_changed(0, first(viewer=3)),
            "alone",
        ),
        Forgery(
            "a hidden card shown as another in a running match", early_file_changed(0, another_card), "alone"
        ),
        Forgery("a complete file cut off before its end", truncated, "alone"),
        Forgery("a complete file without its last command", with_changed_lines(remove_last_command), "alone"),
        Forgery("a fact after the end", with_changed_facts(facts_after_the_end), "alone"),
        Forgery("a complete file said to be for one viewer", with_changed_lines(first(viewer=1)), "alone"),
        Forgery(
            "a complete file said not to be complete", with_changed_lines(first(complete=False)), "alone"
        ),
        Forgery(
            "another id of the match in the first line", with_changed_lines(first(match="0" * 36)), "alone"
        ),
        Forgery(
            "another ruleset in the first line",
            with_changed_lines(lambda lines: lines[0]["ruleset"].update(version=2)),
            "alone",
        ),
        Forgery(
            "another hash of the data set in the first line",
            with_changed_lines(lambda lines: lines[0]["ruleset"].update(data_hash="0" * 64)),
            "alone",
        ),
        Forgery(
            "another key in the first line than the one that signs",
            with_changed_lines(lambda lines: lines[0]["keys"][0].update(id="0" * 16)),
            "alone",
        ),
        Forgery("more keys on the first line", with_changed_lines(first(more=1)), "alone"),
        Forgery("more keys on the last line", with_changed_lines(last(more=1)), "alone"),
        Forgery(
            "more keys on the line of a fact",
            with_changed_lines(lambda lines: lines[3].update(more=1)),
            "alone",
        ),
        Forgery(
            "another result on the last line",
            with_changed_lines(lambda lines: lines[-1]["result"]["places"].reverse()),
            "alone",
        ),
        Forgery("another status on the last line", with_changed_lines(last(end="aborted")), "alone"),
        Forgery("another head on the last line", with_changed_lines(last(head="0" * 64)), "alone"),
        Forgery(
            "a receipt inside the file removed",
            with_changed_lines(lambda lines: lines[-2].pop("signature")),
            "alone",
        ),
        Forgery(
            "draws removed",
            with_changed_draws(partial(in_draws, change=lambda line: line.pop("draws"))),
            "alone",
        ),
        Forgery("draws of another index", with_changed_draws(partial(in_draws, change=other_index)), "alone"),
        Forgery("other values drawn", with_changed_draws(partial(in_draws, change=other_value)), "alone"),
        Forgery("another time of the export", with_changed_lines(first(exported_at=5)), ""),
    ],
)
