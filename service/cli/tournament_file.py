"""The matches in the file of a tournament, for `kontor replay`."""

import click
from rich.console import Group
from rich.text import Text

from kontor_games.domain.toolkit.sentences import count_phrase
from kontor_games.domain.tournaments.decisions import follow
from kontor_games.domain.tournaments.export import TournamentFile, read_file
from kontor_games.domain.tournaments.tournament import PlannedMatch, Tournament
from kontor_games.service.cli.play_table import read_player_names
from kontor_games.service.cli.terminal import simple_table
from kontor_games.service.terminal_text import one_line


def _read(content: bytes, given: str | None) -> tuple[TournamentFile, Tournament, list[str]]:
    """Return the parts of a file, its tournament, and the names of the entrants."""
    file = read_file(content)
    tournament, _ = follow(file.records)
    players = [one.player for one in tournament.entrants]
    named = {} if given is None else read_player_names(given, players)
    return file, tournament, [one_line(named.get(player) or player[:8]) for player in players]


def matches_table(content: bytes, given: str | None, name: str) -> Group:
    """Return all matches of the file that count, with their players by seat and their places."""
    file, tournament, names = _read(content, given)
    table = simple_table("round", "table", "match", "decided by", "players by seat (places)")
    listed = [one for _, one in sorted(tournament.planned.items()) if one.match in file.matches]
    for one in listed:
        players = ", ".join(_seated(one, seat, names) for seat in range(len(one.entrants)))
        table.add_row(str(one.slot[0]), str(one.slot[1] + 1), one.match, one.reason or "–", players)
    title = f"{one_line(tournament.terms.title)}: {count_phrase(len(listed), 'match', 'matches')}"
    step = f"To step through one: kontor replay {name} --match ID"
    return Group(Text(title, "bold"), table, Text(step, "dim"))


def _seated(planned: PlannedMatch, seat: int, names: list[str]) -> str:
    number = planned.entrants[seat]
    if number in planned.absent:
        return f"{names[number]} (absent)"
    if planned.finish is None or planned.reason == "walkover":
        return names[number]
    return f"{names[number]} ({planned.finish.places[seat]})"


def match_in(content: bytes, wanted: str, given: str | None) -> tuple[bytes, str | None]:
    """Return the export of one match, found by its id or the beginning of it, and its names by seat."""
    file, tournament, names = _read(content, given)
    found = [match for match in file.matches if match.startswith(wanted.lower())]
    if len(found) != 1:
        number = len(found) or "No"
        raise click.UsageError(f"{number} matches of this file have ids that begin with {wanted!r}.")
    seated = tournament.planned_for(found[0]).entrants if found[0] in tournament.slots else ()
    by_seat = ",".join(names[number] for number in seated) if given is not None else None
    return file.matches[found[0]], by_seat
