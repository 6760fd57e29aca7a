"""Prints the results of `kontor verify`: all checks of one file, or a table of several."""

from dataclasses import asdict, dataclass
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kontor_games.domain.codec import Plain
from kontor_games.service.cli.player_names import name_of_seat, read_names
from kontor_games.service.trust.verifier import Verdict

GOOD, REFUSED, UNCHECKED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of one file: a verdict, or what is wrong with it."""

    file: Path
    match: str = ""
    verdict: Verdict | None = None
    line: int | None = None
    problem: str = ""
    code: int = GOOD

    def plain(self) -> Plain:
        """Return the result for JSON."""
        if self.verdict is not None:
            return {"file": str(self.file), "good": True, **asdict(self.verdict)}
        return {
            "file": str(self.file),
            "good": False,
            "checkable": self.code == REFUSED,
            "line": self.line,
            "problem": self.problem,
        }


def show_one(screen: Console, one: Checked, names: str | None) -> None:
    """Print all checks of one file, or what is wrong with it."""
    if one.verdict is None:
        mark = Text("✗ ", "bold red") if one.code == REFUSED else Text("? ", "bold yellow")
        said = "is invalid" if one.code == REFUSED else "could not be checked here"
        screen.print(Text.assemble(mark, (f"{one.file.name} {said}", "bold")))
        screen.print(Text(f"  {f'line {one.line}: ' if one.line else ''}{one.problem}"))
        return
    verdict = one.verdict
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    for name, done, words in what_was_checked(verdict, _result(verdict, names)):
        mark = {True: Text("✓", "bold green"), False: Text("–", "dim"), None: Text("!", "bold yellow")}[done]
        table.add_row(mark, Text(name, "bold"), Text(words, "dim" if done is False else ""))
    screen.print(
        Text.assemble(
            ("✓ ", "bold green"),
            (one.file.name, "bold"),
            f": {verdict.game}, match {verdict.match}, {verdict.status}",
        )
    )
    screen.print(table)


def what_was_checked(verdict: Verdict, result: str) -> list[tuple[str, bool | None, str]]:
    """Return each check: True if it was done, False if not possible yet, None with a reservation."""
    published = "published by the service"
    unknown = "taken from the file itself; use --keys to check them against the published keys"
    keys = f"made with {', '.join(verdict.keys)}, {published if verdict.trusted else unknown}"
    lines: list[tuple[str, bool | None, str]] = [
        ("form", True, f"{verdict.facts + 2} lines of canonical JSON with the right keys"),
        ("chain", True, f"{verdict.facts} facts, each with the hash of the one before"),
        ("signatures", True if verdict.trusted else None, keys),
        ("commitments", True, "all hidden values that are shown match their commitments"),
        *_checked_at_the_end(verdict, result),
    ]
    if verdict.branch:
        branch = "a branch: it starts in a position of another match, which is not part of this file"
        lines.append(("position", None, branch))
    if verdict.receipts:
        agree = "1 receipt agrees" if verdict.receipts == 1 else f"{verdict.receipts} receipts agree"
        lines.append(("receipts", True, f"{agree} with the file"))
    if verdict.checkpoint is not None:
        held = f"the file has the head that the kept checkpoint of {verdict.checkpoint:,} leaves holds"
        lines.append(("checkpoint", True, f"{held}, and its keys are bound before"))
    return lines


def _checked_at_the_end(verdict: Verdict, result: str) -> list[tuple[str, bool | None, str]]:
    """Return the checks that need a match that is over."""
    replayed = f"{verdict.entries} commands replayed under the rules of the match, with the same facts"
    open_seed, secret = (
        "open seed: everybody could compute the deal in advance",
        "the server's secret matches its commitment",
    )
    lines: list[tuple[str, bool | None, str]] = [
        ("seed", None if verdict.open_seed else True, open_seed if verdict.open_seed else secret),
        ("draws", True, f"{verdict.draws} draws follow from the seed"),
        ("moves and facts", True, replayed),
        ("clocks", True, "every command was in time"),
        ("result", True, result),
    ]
    later = "not possible before the match is over"
    return lines if verdict.complete else [(name, False, later) for name, _, _ in lines]


def _result(verdict: Verdict, names: str | None) -> str:
    """Return the places of the seats, with names if they are given."""
    given = [] if names is None else read_names(names, len(verdict.players))
    sitters = zip(verdict.players, verdict.house_bots, strict=True)
    shown = given or [f"seat {seat} ({name_of_seat(seat, *who)})" for seat, who in enumerate(sitters)]
    places = sorted((place, seat) for seat, place in enumerate(verdict.places or ()))
    return ", ".join(f"{place}. {shown[seat]}" for place, seat in places) or "none, the match was aborted"


def show_all(screen: Console, found: list[Checked], receipts: tuple[int, int]) -> None:
    """Print one line for each file, and the sums; `receipts` is how many were used, and how many given."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("", "file", "game", "facts", "remarks", "result"):
        table.add_column(heading, justify="right" if heading == "facts" else "left", overflow="fold")
    marks = {
        GOOD: Text("✓", "bold green"),
        REFUSED: Text("✗", "bold red"),
        UNCHECKED: Text("?", "bold yellow"),
    }
    for one in found:
        table.add_row(marks[one.code], one.file.name, *_row(one))
    screen.print(table)
    counts = [sum(one.code == code for one in found) for code in (GOOD, REFUSED, UNCHECKED)]
    kept = f" {receipts[0]} of {receipts[1]} receipts used;" if receipts[1] else ""
    screen.print(
        f"{counts[0]} valid, {counts[1]} invalid, {counts[2]} not checked;{kept}"
        f" keys {'published by the service' if _trusted(found) else 'taken from the files'}."
    )


def _row(one: Checked) -> tuple[str, str, str, str]:
    verdict = one.verdict
    if verdict is None:
        return "", "", "", f"{f'line {one.line}: ' if one.line else ''}{one.problem}"
    return verdict.game, f"{verdict.facts:,}", ", ".join(remarks(verdict)), verdict.status


def remarks(verdict: Verdict) -> list[str]:
    """Return what a reader of the result should know: an open seed, a branch, players who did not sign."""
    found = {"open seed": verdict.open_seed, "branch": verdict.branch, "unsigned": verdict.unsigned}
    return [name for name, applies in found.items() if applies]


def _trusted(found: list[Checked]) -> bool:
    return all(one.verdict.trusted for one in found if one.verdict is not None)
