"""The results of a simulation, as tables with bars or as JSON."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import Game
from kontor_games.service.arena import Contest, Length, Line, Tally
from kontor_games.service.arena.journal import describe
from kontor_games.service.cli.terminal import interval_bar, simple_table, word

_VERDICTS = {1: Text("▲", "bold green"), 0: Text(" "), -1: Text("▼", "bold red")}


def show_report(screen: Console, game: Game, contest: Contest, tally: Tally, seconds: float) -> None:
    """Print the shares of wins by bot, by seat and by order of play."""
    _show_header(screen, game, contest, tally, seconds)
    by_bot = tally.by_bot()
    if len(by_bot) > 1:
        screen.print(_wins("by bot", [_with_seats(line, len(contest.bots)) for line in by_bot]))
    screen.print(_wins("by seat", tally.by_seat()))
    if tally.starters > 1:
        screen.print(_wins("by order of play", tally.by_order()))
    screen.print(_scores(game, by_bot))
    _show_footer(screen, tally)


def _show_header(screen: Console, game: Game, contest: Contest, tally: Tally, seconds: float) -> None:
    screen.print()
    about = f" · {game.data_option} {contest.data.name} · {len(contest.bots)} players"
    screen.print(Text.assemble((game.titles["en"], "bold"), about))
    speed = f"{seconds:.1f} s ({_rate(tally.matches / seconds)} a second)"
    screen.print(Text(f"{tally.matches:,} matches, seed {contest.seed}, {speed}", "dim"))
    screen.print()


def _rate(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def _with_seats(line: Line, seats: int) -> Line:
    """Add the number of seats to the name of a bot that has several."""
    count = round(line.fair * seats)
    return replace(line, name=f"{line.name} ×{count}") if count > 1 else line


def _wins(title: str, lines: list[Line]) -> Table:
    table = simple_table(title, style="bold", min_width=16, no_wrap=True)
    for heading, width in (("wins", 6), ("95% interval", 15), ("", 1)):
        table.add_column(heading, justify="right", min_width=width, no_wrap=True)
    table.add_column("0%" + " " * 24 + "100%", no_wrap=True)
    table.add_column("fair", justify="right")
    table.add_column("mean place", justify="right")
    for line in lines:
        low, high = line.interval
        wins = f"{line.share:.1%}", f"{low:.1%} – {high:.1%}", _VERDICTS[line.verdict]
        bar = interval_bar(low, line.share, high, line.fair)
        table.add_row(line.name, *wins, bar, f"{line.fair:.0%}", f"{line.place:.2f}")
    table.add_row()
    return table


def _scores(game: Game, lines: list[Line]) -> Table:
    table = simple_table("mean score", style="bold", min_width=16, no_wrap=True)
    for line in lines:
        table.add_column(line.name, justify="right")
    for kind in lines[0].scores:
        table.add_row(word(game, kind), *(f"{line.scores[kind]:.2f}" for line in lines))
    table.add_row()
    return table


def _show_footer(screen: Console, tally: Tally) -> None:
    lengths = ", ".join(_length_text(unit, length) for unit, length in tally.lengths().items())
    screen.print(f"Length of a match: {lengths}.")
    if tally.shared:
        shared = "a shared win, which counts in equal parts for the winners"
        screen.print(f"{tally.shared:,} of {tally.matches:,} matches ended in {shared}.")
    if tally.faults:
        screen.print(
            f"Moves of your own bots that were replaced by random ones: {fault_words(tally.fault_kinds)}."
            f" The first: {tally.first_fault}",
            style="yellow",
        )
    legend = "┃ fair share   ▒ 95% interval   ▲▼ significantly above or below the fair share"
    screen.print(Text(legend, "dim"))


def fault_words(kinds: Mapping[str, Mapping[str, int]]) -> str:
    """Return the counts of faults of own bots as text: `mine 3 illegal, 1 late; other 2 crashed`."""
    return "; ".join(
        f"{bot} " + ", ".join(f"{times:,} {kind}" for kind, times in sorted(found.items()))
        for bot, found in sorted(kinds.items())
    )


def _length_text(unit: str, length: Length) -> str:
    if length.least == length.most:
        return f"{length.least:,} {unit}"
    return f"{length.mean:,.0f} {unit} ({length.least:,}–{length.most:,})"


def plain_report(contest: Contest, tally: Tally) -> Plain:
    """Return the results as plain data, which do not depend on the number of processes."""
    return {
        **describe(contest),
        "match_seed": f"{contest.seed}/{{number}}",
        "matches": tally.matches,
        "shared_wins": tally.shared,
        "faults": tally.faults,
        "first_fault": tally.first_fault,
        "faults_by_bot": {bot: dict(kinds) for bot, kinds in sorted(tally.fault_kinds.items())},
        "by_bot": [_plain_line(line) for line in tally.by_bot()],
        "by_seat": [_plain_line(line) for line in tally.by_seat()],
        "by_order": [_plain_line(line) for line in tally.by_order()],
        "by_bot_and_seat": [_plain_line(line) for line in tally.by_bot_and_seat()],
        "lengths": {unit: _plain_length(length) for unit, length in tally.lengths().items()},
    }


def _plain_line(line: Line) -> dict[str, Any]:
    low, high = line.interval
    return {
        "name": line.name,
        "matches": line.matches,
        "wins": round(line.wins, 6),
        "share": round(line.share, 6),
        "low": round(low, 6),
        "high": round(high, 6),
        "fair": round(line.fair, 6),
        "places": list(line.places),
        "mean_place": round(line.place, 6),
        "mean_scores": {kind: round(mean, 6) for kind, mean in line.scores.items()},
    }


def _plain_length(length: Length) -> dict[str, Any]:
    mean = round(length.mean, 6)
    return {"mean": mean, "median": length.median, "least": length.least, "most": length.most}
