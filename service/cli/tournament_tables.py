"""What `kontor tournament` prints: standings, entrants, protests, the tables of a round, and the report."""

from datetime import UTC, datetime
from pathlib import Path

from rich.console import Group
from rich.table import Table
from rich.text import Text

from kontor_games.domain.codec import MalformedError, Plain
from kontor_games.domain.toolkit.sentences import count_phrase
from kontor_games.domain.tournaments.export import read_file
from kontor_games.service.cli.play_table import read_player_names
from kontor_games.service.cli.service_client import ServiceClient
from kontor_games.service.cli.terminal import explained, simple_table
from kontor_games.service.documents.texts import Texts, texts_in
from kontor_games.service.tournaments.report_figures import report_figures
from kontor_games.service.tournaments.report_page import report_page
from kontor_games.service.trust.tournament_check import verify_tournament
from kontor_games.service.trust.verifier import BrokenFileError


def name_of(player: Plain) -> str:
    """Return the name of a player, or the first digits of the id if the name was erased."""
    return str(player["name"] or player["id"][:8])


def shown_time(at: str) -> str:
    """Return a time in UTC and, if that is another one, in the time zone of this computer."""
    utc = datetime.fromisoformat(at).astimezone(UTC)
    local = utc.astimezone()
    here = "" if local.utcoffset() == utc.utcoffset() else f" ({local:%H:%M:%S} local time)"
    return f"{utc:%Y-%m-%d %H:%M:%S} UTC{here}"


def rounded(number: float) -> str:
    """Return a number with at most two decimals."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def stage_of(now: Plain) -> str:
    """Return the stage of a tournament as one line: status, round and running matches."""
    running = count_phrase(now["unfinished"], "match", "matches")
    return f"{now['title']}: {now['status']}, round {now['round']} of {now['rounds']}, {running} running"


def _titled(title: str, table: Table, remark: str = "") -> Group:
    """Return a table between its title and a remark, which may be longer than its lines."""
    return Group(Text(title, "bold"), table, *([Text(remark, "dim")] if remark else []))


def standings_table(now: Plain, lines: list[Plain]) -> Group:
    """Return the standings; the columns of intervals are left out if there are none."""
    measured = any(line["low"] is not None for line in lines)
    headings = ("per match (95%)", "strength", "") if measured else ()
    table = simple_table("place", "player", "points", "played", "wins", *headings)
    for line in lines:
        row = [str(line["place"]), name_of(line["player"]), rounded(line["points"]), str(line["played"])]
        table.add_row(*row, rounded(line["wins"]), *(_measured(line) if measured else ()))
    few = "No intervals or strengths: they need five tables per entrant, and at most 200 entrants."
    return _titled(stage_of(now), table, "" if measured else few)


def _measured(line: Plain) -> tuple[str, str, str]:
    spread = "" if line["low"] is None else f"{line['low']:.2f} – {line['high']:.2f}"
    if line["strength"] is None:
        return spread, "", ""
    return spread, f"{line['strength']:+.2f}", "" if line["separated"] else "not separated from the next"


def entrants_table(lines: list[Plain]) -> Group:
    """Return the entrants by number, which `pair` and `withdraw` take."""
    table = simple_table("number", "player", "id", "kind", "")
    for line in sorted(lines, key=lambda one: one["entrant"]):
        kind = "program" if line["player"]["bot"] else "person"
        left = "" if line["active"] else "withdrawn"
        table.add_row(str(line["entrant"]), name_of(line["player"]), line["player"]["id"], kind, left)
    return _titled(count_phrase(len(lines), "entrant"), table)


def protests_table(now: Plain, lines: list[Plain]) -> Group:
    """Return the protests with names and reasons, how many agree, and until when protests are possible."""
    names = {line["entrant"]: name_of(line["player"]) for line in lines}
    table = simple_table("player", "protest")
    agreed = f"{now['acknowledged']} of {count_phrase(len(lines), 'entrant')} agreed"
    title = f"{count_phrase(len(now['protests']), 'protest')}, {agreed}"
    for one in now["protests"]:
        table.add_row(names[one["entrant"]], one["why"])
    if now["status"] == "provisional":
        return _titled(title, table, f"Protests are possible until {shown_time(now['correction_until'])}.")
    over = f"The tournament is {now['status']}; protests are possible while it is provisional."
    return _titled(title, table, over)


def round_table(paired: Plain) -> Group:
    """Return the tables of a round: the players by seat with their places, or who was absent."""
    table = simple_table("table", "match", "status", "players by seat (places)")
    counts = count_phrase(len(paired["tables"]), "table"), count_phrase(len(paired["byes"]), "bye")
    title = f"Round {paired['round']}: {', '.join(counts)}"
    for one in paired["tables"]:
        names = {
            entrant: name_of(player) for entrant, player in zip(one["entrants"], one["players"], strict=True)
        }
        for match in one["matches"]:
            status = match["reason"] if match["reason"] not in (None, "played") else match["status"]
            seats = [names[entrant] + _outcome(match, seat) for seat, entrant in enumerate(match["entrants"])]
            table.add_row(str(one["table"] + 1), match["match"], status, ", ".join(seats))
    return _titled(title, table)


def _outcome(match: Plain, seat: int) -> str:
    """Return the place of a seat in brackets; after a walkover, that the entrant was absent."""
    if match["reason"] == "walkover":
        return " (absent)" if match["entrants"][seat] in match["absent"] else ""
    return f" ({match['places'][seat]})" if match["places"] else ""


def write_report(
    client: ServiceClient, source: str, page: Path, language: str, names_given: str | None
) -> None:
    """Write the report on the tournament in a file, or on that with an id on the service."""
    file = Path(source)
    path = f"/v1/tournaments/{source}"
    content = file.read_bytes() if file.is_file() else client.download(f"{path}/export")
    names, refused = {}, None
    if not file.is_file():
        refusals = client.get(f"{path}/refusals")["entrants"]
        names = {one["player"]["id"]: one["player"]["name"] or "" for one in refusals}
        organiser = client.get(path)["organiser"]
        names[organiser["id"]] = organiser["name"] or ""
        refused = {one["entrant"]: one["kinds"] for one in refusals}
    with explained(f"{source} is not the export of a tournament", BrokenFileError, MalformedError):
        figures = report_figures(content, names)
        if names_given is not None:
            players = [one.player for one in figures.tournament.entrants]
            names |= read_player_names(names_given, players)
            figures = report_figures(content, names)
    figures.refused = refused
    figures.address = None if file.is_file() else f"{client.url}/#/tournament/{figures.id}"
    say = texts_in(language)
    made = say("report.made", source=file.name if file.is_file() else client.url)
    page.write_text(report_page(figures, _verification(content, say), made, language), encoding="utf-8")


def _verification(content: bytes, say: Texts) -> tuple[bool | None, str]:
    """Return whether an export is valid, None if its tournament is not over, and a sentence about it."""
    if not read_file(content).header.get("complete"):
        return None, say("report.not_over")
    try:
        verdict = verify_tournament(content)
    except BrokenFileError as error:
        return False, say("report.invalid", line=error.line, detail=error.detail)
    counts = {"facts": verdict.facts, "rounds": verdict.rounds, "matches": verdict.matches}
    return True, say("report.verified", **{name: say.number(count) for name, count in counts.items()})
