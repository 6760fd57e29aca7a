"""`kontor tournament` against a service in this process."""

import re
from collections.abc import Iterator
from pathlib import Path
from socketserver import ThreadingMixIn
from threading import Event, Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from click.testing import CliRunner, Result

from kontor_games.api import create_app
from kontor_games.domain.codec import MalformedError
from kontor_games.domain.tournaments import commands
from kontor_games.service.cli import main
from kontor_games.service.cli.service_client import ServiceClient
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.api.conftest import NO_LIMITS, toy_games_installed
from tests.service.tables import LocalPlayer, play_to_the_end
from tests.service.tournaments.cup import register_player


class _StreamingServer(ThreadingMixIn, WSGIServer):
    """A server with a thread for each request, so that it answers while a stream is open."""

    daemon_threads = True
    streamed = Event()
    """Set when a request for the stream of a tournament has arrived."""


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        """Do not log."""

    def get_environ(self) -> dict[str, Any]:
        if "/events?" in self.path:
            _StreamingServer.streamed.set()
        return super().get_environ()


@pytest.fixture
def served_kontor(tmp_path: Path) -> Iterator[tuple[Kontor, str]]:
    """A service with the toy game, and its URL."""
    with toy_games_installed():
        kontor = Kontor(Settings(database_url=f"sqlite:///{tmp_path}/kontor.db", **NO_LIMITS))
        kontor.migrate()
        server = make_server(
            "127.0.0.1", 0, create_app(kontor), _StreamingServer, handler_class=_QuietHandler
        )
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield kontor, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
        server.server_close()
        kontor.close()


def run_command(url: str, token: str, *arguments: str) -> Result:
    return CliRunner().invoke(
        main, ["tournament", *arguments, "--url", url], env={"COLUMNS": "80", "KONTOR_TOKEN": token}
    )


TERMS = """
title = "Evening cup"
game = "fair"
seats = 2
least_seats = 2
points = [2, 0]
rounds = 1
correction_ms = 0
"""


def test_an_organiser_runs_a_tournament_from_the_terminal(
    served_kontor: tuple[Kontor, str], tmp_path: Path
) -> None:
    kontor, url = served_kontor
    account = kontor.players.register("Olga", bot=False, key=None, body="")
    file = tmp_path / "cup.toml"
    file.write_text(TERMS)
    announced = run_command(url, account.token, "announce", str(file), "--open")
    assert announced.exit_code == 0, announced.output
    cup = re.findall(r"Announced Evening cup: (\S+)", announced.output)[0]
    players = [register_player(kontor, name) for name in ("Ada", "Ben")]
    for player in players:
        kontor.tournaments.execute(player.call(), cup, commands.Enter(bot=False, contribution=""))
    assert (
        "Evening cup is running: tournament started." in run_command(url, account.token, "start", cup).output
    )
    kontor.tournament_worker().step_all()
    match = kontor.queries.page(
        players[0].caller, game=None, status="open", player=players[0].id, cursor=None, limit=1
    )
    _play(match.matches[0].id, players)
    kontor.tournament_worker().step_all()
    shown = run_command(url, account.token, "standings", cup).output
    assert "Evening cup: provisional, round 1 of 1" in shown
    assert {"Ada", "Ben"} <= set(shown.split())
    assert "No intervals or strengths: they need five tables" in " ".join(shown.split())
    listed = run_command(url, account.token, "tables", cup).output
    assert "Round 1: 1 table, 0 byes" in listed
    assert re.search(rf"1 +{match.matches[0].id} +over +(Ada|Ben) \([12]\), (Ada|Ben) \([12]\)", listed), (
        listed
    )
    assert "edition signed" in run_command(url, account.token, "sign", cup).output
    assert "Evening cup" in run_command(url, account.token, "list").output
    assert "Evening cup: final" in run_command(url, account.token, "watch", cup).output
    ruled = run_command(
        url, account.token, "rule", cup, match.matches[0].id, "1,1", "--why", "clerical error"
    )
    assert "result ruled, edition signed" in ruled.output
    proof = tmp_path / "cup.ndjson"
    assert run_command(url, account.token, "export", cup, str(proof)).exit_code == 0
    verified = CliRunner().invoke(main, ["verify", str(proof)])
    assert verified.exit_code == 0, verified.output
    assert "1 round paired again" in verified.output
    assert "edition 2" in verified.output
    kept = tmp_path / "kept.txt"
    checkpoint = kontor.checkpoints.take()
    assert checkpoint is not None
    kept.write_text(checkpoint.note)
    checked = CliRunner().invoke(main, ["verify", str(proof), "--checkpoint", str(kept), "--url", url])
    assert checked.exit_code == 0, checked.output
    assert "the kept checkpoint of 3 leaves covers the first" in checked.output
    assert "facts, and 1 of 1 matches" in " ".join(checked.output.split())
    searched = CliRunner().invoke(main, ["checkpoint", "search", url, "--export", str(proof)])
    assert searched.output.endswith("3 leaves of 1 matches, 1 tournaments and 1 keys, 0 contradictions.\n")
    _check_report(url, account.token, cup, proof, tmp_path / "report.html")
    proof.write_bytes(proof.read_bytes().replace(b"clerical error", b"clerical horror"))
    refused = CliRunner().invoke(main, ["verify", str(proof)])
    assert refused.exit_code == 1
    assert "the hash does not match the record" in refused.output


def test_a_tournament_is_watched_until_it_is_over(served_kontor: tuple[Kontor, str], tmp_path: Path) -> None:
    kontor, url = served_kontor
    account = kontor.players.register("Olga", bot=False, key=None, body="")
    file = tmp_path / "cup.toml"
    file.write_text(TERMS)
    announced = run_command(url, account.token, "announce", str(file), "--open").output
    cup = re.findall(r"Announced Evening cup: (\S+)", announced)[0]
    assert "No round has been paired yet." in run_command(url, account.token, "tables", cup).output
    _StreamingServer.streamed.clear()

    def cancel_while_watched() -> None:
        assert _StreamingServer.streamed.wait(60)
        ServiceClient(url, account.token).post_signed_in(
            f"/v1/tournaments/{cup}/cancellation", {"why": "rain"}
        )

    canceller = Thread(target=cancel_while_watched)
    canceller.start()
    watched = run_command(url, account.token, "watch", cup)
    canceller.join()
    assert watched.exit_code == 0, watched.output
    assert "Evening cup: cancelled, round 0 of 1" in watched.output


def _check_report(url: str, token: str, cup: str, proof: Path, page: Path) -> None:
    """Check the report from the service, with names, and from the file."""
    for source, name in ((cup, "Ada"), (str(proof), "1. ")):
        made = run_command(url, token, "report", source, str(page))
        assert made.exit_code == 0, made.output
        text = page.read_text()
        assert "<h1>Evening cup</h1>" in text
        assert "Verified: " in text
        assert name in text
        assert ("<td>Ada</td><td" in text) == ("malformed" in text) == (source == cup)
        for heading in (
            "Standings",
            "Crosstable",
            "Ratings",
            "Time used",
            "No-shows, time-outs, rulings",
            "Refused moves",
            "Seats",
        ):
            assert f"<h2>{heading}</h2>" in text, heading
        assert "“clerical error”" in text
        assert 'http-equiv="Content-Security-Policy" content="default-src ' in text
        assert not re.findall(r"<script|<link|(?:src|href)=[\"'](?!#)", text), "nothing from outside"


def _play(match: str, players: list[LocalPlayer]) -> None:
    for player in players:
        player.join(match)
    with pytest.raises(MalformedError):
        players[0].play(match, {"type": "wish"})  # counted for the report
    play_to_the_end(match, *players)


def test_errors_are_reported_in_one_sentence(served_kontor: tuple[Kontor, str], tmp_path: Path) -> None:
    kontor, url = served_kontor
    token = kontor.players.register("Olga", bot=False, key=None, body="").token
    file = tmp_path / "cup.toml"
    file.write_text("title = ")
    assert "is not TOML" in run_command(url, token, "announce", str(file)).output
    file.write_text('title = "Cup"\ngame = "chess"')
    assert "/game: must be one of" in run_command(url, token, "announce", str(file)).output
    missing = run_command(url, token, "start", "00000000-0000-4000-8000-000000000000").output
    assert "There is no such tournament." in missing

    nobody = CliRunner().invoke(main, ["tournament", "start", "x", "--url", url], env={"KONTOR_TOKEN": None})
    assert "set KONTOR_TOKEN" in nobody.output
    gone = run_command("http://127.0.0.1:9", token, "list")
    assert "does not answer" in gone.output
    assert "begins with http" in run_command("localhost", token, "list").output
