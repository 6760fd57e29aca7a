"""`kontor tournament` against a service in this process."""

import re
import tomllib
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
from kontor_games.service.matches.match_spec import MatchDefaults
from kontor_games.service.settings import Settings
from kontor_games.service.tournaments.spec import announcement_schema, plan_terms
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
    correction = (cup, match.matches[0].id, "1,1", "--why", "clerical error")
    refused = run_command(url, account.token, "rule", *correction)
    assert refused.exit_code == 1
    assert "this corrects them and signs edition 2." in refused.output
    assert "kontor tournament correct" in refused.output
    ruled = run_command(url, account.token, "correct", *correction)
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
    assert "the kept checkpoint of 3 leaves covers all" in checked.output
    assert "facts, and 1 of 1 matches" in " ".join(checked.output.split())
    searched = CliRunner().invoke(main, ["checkpoint", "search", url, "--export", str(proof)])
    assert searched.output.endswith("3 leaves of 1 match, 1 tournament and 1 key, 0 contradictions.\n")
    _check_names(proof, match.matches[0].id, tmp_path)
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
    waiting = "Evening cup has not started: it is open, with 0 of at least 2 entrants. Waiting for `kontor to"
    assert waiting in watched.output


def test_protests_no_shows_and_withdrawals_are_shown_and_decided(
    served_kontor: tuple[Kontor, str], tmp_path: Path
) -> None:
    kontor, url = served_kontor
    token = kontor.players.register("Olga", bot=False, key=None, body="").token
    file = tmp_path / "cup.toml"
    file.write_text(TERMS.replace("correction_ms = 0", "correction_ms = 600000\nno_show_ms = 0"))
    cup = re.findall(r": (\S+)", run_command(url, token, "announce", str(file), "--open").output)[0]
    players = [register_player(kontor, name) for name in ("Ada", "Ben", "Cyd")]
    for player in players:
        kontor.tournaments.execute(player.call(), cup, commands.Enter(bot=True, contribution=""))
    withdrawn = run_command(url, token, "withdraw", cup, "2", "--why", "left the hall")
    assert "entrant withdrew" in withdrawn.output
    listed = run_command(url, token, "entrants", cup).output
    assert "3 entrants" in listed
    assert re.search(rf"2 +Cyd +{players[2].id[:8]}\S+ +person +withdrawn", listed), listed
    run_command(url, token, "start", cup)
    worker = kontor.tournament_worker()
    worker.step_all()
    worker.step_all()
    tables = " ".join(run_command(url, token, "tables", cup).output.split())
    assert re.search(r"walkover (Ada|Ben) \(absent\), (Ada|Ben) \(absent\)", tables), tables
    watched = run_command(url, token, "watch", cup).output
    assert re.search(r"Entrants can protest until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", watched), watched
    early = run_command(url, token, "sign", cup).output
    assert "Wait 10 minutes, until the time for protests is over" in early
    assert re.search(r"Protests are possible until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", early), early
    kontor.tournaments.execute(players[0].call(), cup, commands.Protest("I was there."))
    for player in players:
        kontor.tournaments.execute(player.call(), cup, commands.Acknowledge())
    shown = run_command(url, token, "protests", cup).output
    assert "1 protest, 3 of 3 entrants agreed" in shown
    assert re.search(r"Ada +I was there\.", shown), shown
    refused = run_command(url, token, "sign", cup).output
    assert "1 entrant has protested" in refused
    assert "--despite-protests" in refused
    assert "Ada: I was there." in refused
    assert "edition signed" in run_command(url, token, "sign", cup, "--despite-protests").output


def test_the_address_of_the_service_is_taken_from_the_environment(served_kontor: tuple[Kontor, str]) -> None:
    listed = CliRunner().invoke(main, ["tournament", "list"], env={"KONTOR_URL": served_kontor[1]})
    assert listed.exit_code == 0, listed.output


def test_the_template_has_every_field_and_can_be_announced_with_all_of_them(tmp_path: Path) -> None:
    printed = CliRunner().invoke(main, ["tournament", "template"]).output
    terms = tomllib.loads(printed)
    assert set(terms) == {"title", "game"}
    everything = tomllib.loads(re.sub(r"^# (?=\w+ = )", "", printed, flags=re.MULTILINE))
    assert set(everything) == set(announcement_schema()["properties"])
    for chosen in (terms, everything):
        assert plan_terms(chosen, "organiser", MatchDefaults()).title == "Autumn cup"


def _check_names(proof: Path, match: str, tmp_path: Path) -> None:
    """Check that verify, replay and a report from the file name the players that --names gives."""
    verified = " ".join(CliRunner().invoke(main, ["verify", str(proof), "--names", "Ada,Ben"]).output.split())
    assert "rulings 1 ruling:" in verified
    assert re.search(
        rf"the organiser \S+ decided match {match} \(round 1, table 1\): (Ada|Ben) [12]\., (Ada|Ben) [12]\."
        r" → (Ada|Ben) 1\., (Ada|Ben) 1\.: “clerical error”",
        verified,
    ), verified
    assert "no-shows none" in verified
    assert "protests none" in verified
    listed = CliRunner().invoke(main, ["replay", str(proof), "--names", "Ada,Ben"], env={"COLUMNS": "120"})
    assert "Evening cup: 1 match" in listed.output
    assert re.search(rf"1 +1 +{match} +ruling +(Ada|Ben) \(1\), (Ada|Ben) \(1\)", listed.output), (
        listed.output
    )
    shown = CliRunner().invoke(main, ["replay", str(proof), "--match", match[:8], "--names", "Ada,Ben"])
    assert shown.exit_code == 0, shown.output
    assert f"match {match}" in shown.output
    assert "Ada" in shown.output
    unknown = CliRunner().invoke(main, ["replay", str(proof), "--match", "ffff"])
    assert "No matches of this file have ids that begin with 'ffff'." in unknown.output
    page = tmp_path / "named.html"
    made = CliRunner().invoke(main, ["tournament", "report", str(proof), str(page), "--names", "Ada,Ben"])
    assert made.exit_code == 0, made.output
    assert "<td>Ada</td>" in page.read_text()


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
        assert not re.findall(r"<script|<link|src=[\"'](?!#)", text), "nothing from outside"
        assert (f'<a href="{url}/#/tournament/{cup}">' in text) == (source == cup)
        assert f"<code>{cup}</code>" in text
        assert re.search(
            r"decided match \S+ of round 1, table 1: \S+ [12]\., \S+ [12]\. → \S+ 1\., \S+ 1\.", text
        )


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
