"""Makes the report of `kontor tournament report`, from a file or from a service."""

from pathlib import Path

from kontor_games.domain.codec import MalformedError
from kontor_games.domain.tournaments.export import read_file
from kontor_games.service.cli.player_names import read_player_names
from kontor_games.service.cli.service_client import ServiceClient
from kontor_games.service.cli.terminal import explained
from kontor_games.service.documents.texts import Texts, texts_in
from kontor_games.service.tournaments.report_figures import report_figures
from kontor_games.service.tournaments.report_page import report_page
from kontor_games.service.trust.tournament_check import verify_tournament
from kontor_games.service.trust.verifier import BrokenFileError


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
