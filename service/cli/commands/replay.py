"""`kontor replay`: steps through an exported match in the terminal."""

import sys
from pathlib import Path

import click
from rich.text import Text

from kontor_games.domain.codec import MalformedError
from kontor_games.domain.export_reader import ExportFile, read_line, split_export
from kontor_games.domain.games import installed_games
from kontor_games.domain.tournaments.export import is_tournament
from kontor_games.service.cli.arguments import FILE, language_option, number_option, viewer_of, viewer_option
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.play_table import names_option, read_names
from kontor_games.service.cli.replay_screen import (
    Replay,
    ReplayScreen,
    indented,
    point_of_view,
    round_of,
    sentence_lines,
)
from kontor_games.service.cli.terminal import console, explained, heading, with_names
from kontor_games.service.cli.tournament_file import match_in, matches_table
from kontor_games.service.terminal_text import one_line
from kontor_games.service.trust.verifier import BrokenFileError, verify


@command()
@click.argument("file", type=FILE, metavar="FILE")
@click.option("--match", "match_id", metavar="ID", help="A match of a tournament; its first digits suffice.")
@viewer_option
@number_option(
    "--at",
    "version",
    metavar="VERSION",
    help_text="Start at this version; with --plain, print only the state at this version.",
)
@names_option
@language_option
@click.option(
    "--plain",
    is_flag=True,
    help="Print the whole match as text. This is the default if the output is not a terminal.",
)
def replay(
    *,
    file: Path,
    match_id: str | None,
    viewer: str | None,
    version: int | None,
    names: str | None,
    language: str,
    plain: bool,
) -> None:
    """Step through an exported match in the terminal.

    FILE is an export; it is verified first. In the file of a tournament, --match chooses a match; without
    it, the matches are listed. Keys: → ← next or previous fact, ↓ ↑ command, n p turn, ] [
    round, g go to a version; 0–9 view of a seat, s view of a spectator, a show everything, q quit.
    """
    content = file.read_bytes()
    if is_tournament(content):
        with explained(f"{file.name} is not the export of a tournament", BrokenFileError, MalformedError):
            if match_id is None:
                console().print(matches_table(content, names, file.name))
                return
            content, names = match_in(content, match_id, names)
    elif match_id is not None:
        raise click.UsageError(f"--match is for the file of a tournament; {file.name} is one match.")
    taken = verified_export(file, content)
    if not taken.header["complete"]:
        _list_facts(taken)
        return
    session = Replay(taken, language)
    if names is not None:
        session.names = read_names(names, len(session.names))
    shown_to = viewer_of(viewer, len(session.names))
    if version is not None and version > session.last:
        raise click.UsageError(f"The match has versions 1 to {session.last}.")
    title = installed_games()[taken.header["ruleset"]["game"]].titles["en"]
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _print_all(session, title, shown_to) if version is None else _print_at(session, version, shown_to)
    else:
        ReplayScreen(session, title, shown_to, version or 1).run(console(), click.getchar)


def verified_export(file: Path, content: bytes) -> ExportFile:
    """Return an export that was verified; end the command with a message if it is not valid."""
    try:
        verify(content)
    except BrokenFileError as error:
        raise click.ClickException(one_line(f"{file.name} is not a valid export: {error}")) from error
    return split_export(content)


def _print_all(session: Replay, title: str, viewer: int) -> None:
    """Print all sentences in order, and the table at the beginning of each round."""
    screen, last_round = console(), None
    about = f" · match {one_line(session.id)} · {session.last} facts · {point_of_view(viewer, session.names)}"
    screen.print(Text.assemble((title, "bold"), about))
    for entry in session.entries:
        for version in range(entry.first, entry.last + 1):
            _print_sentence(session, version, viewer)
        match = session.at(entry.last)
        if (now := round_of(match)) and now != last_round and match.to_act:
            last_round = now
            screen.print(heading(f"Round {now}"))
            _print_scene(session, entry.last, viewer)
    screen.print(heading("The end"))
    _print_scene(session, session.last, viewer)


def _print_at(session: Replay, version: int, viewer: int) -> None:
    """Print the facts of the last command, and the table."""
    screen = console()
    screen.print(f"version {version} of {session.last}, {point_of_view(viewer, session.names)}")
    for earlier in range(session.entries[session.entry_at(version)].first, version + 1):
        _print_sentence(session, earlier, viewer)
    _print_scene(session, version, viewer)


def _print_sentence(session: Replay, version: int, viewer: int) -> None:
    one = session.tell(version, viewer)
    if one.sentence:
        screen = console()
        for line in sentence_lines(screen, session, one, "dim" if one.seat is None else ""):
            screen.print(line)


def _print_scene(session: Replay, version: int, viewer: int) -> None:
    screen = console()
    for line in session.scene(version, viewer).splitlines():
        for part in indented(screen, Text("        "), with_names(line, session.coloured)):
            screen.print(part)


def _list_facts(export: ExportFile) -> None:
    """Print the facts of a running match; hidden fields are missing, so its state cannot be computed."""
    click.echo(one_line(f"Match {export.header['match']} is not over. These are the facts in the file."))
    for number, raw in enumerate(export.facts, 2):
        line = read_line(number, raw)
        fact = dict(line["fact"])
        hidden = [f"{name} is hidden" for name in line["sealed"] if name not in fact]
        shown = [f"{name} {value}" for name, value in fact.items() if name != "type"]
        click.echo(one_line(f"{line['version']:>5} {fact['type']}: {', '.join([*shown, *hidden]) or '–'}"))
