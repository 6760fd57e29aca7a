"""`kontor play` and `kontor watch URL`, driven with scripted input."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner, Result

from kontor_games.domain.codec import Plain
from kontor_games.domain.games import installed_games
from kontor_games.service.agents.rule_texts import rule_text
from kontor_games.service.cli import main
from kontor_games.service.cli.play_session import FormError, fill
from tests.service.fair import fairground

MATCH = "0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"


def play(*args: str, typed: str = "", game: str = "fair") -> Result:
    obj = fairground if game == "fair" else None
    runner = CliRunner(env={"COLUMNS": "120", "KONTOR_TOKEN": ""})
    return runner.invoke(main, ["play", game, *args], input=typed, prog_name="kontor", obj=obj)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["fair", *installed_games()])
def test_a_whole_match_is_played_without_a_service(game: str) -> None:
    played = play("--local", "--seed", "7", "--yes", typed="1\n" * 4000, game=game)
    assert played.exit_code == 0, played.output
    assert "Type a number" not in played.output


def test_each_move_is_confirmed_and_can_be_cancelled() -> None:
    played = play("--local", "--seed", "7", "--name", "Ada", typed="1\nn\n1\ny\nq\n")
    assert played.output.count("? [Y/n]") == 2
    assert played.output.count("Ada lays a ") == 1


def test_help_rules_and_table_are_shown_on_request() -> None:
    played = play("--local", "--seed", "7", typed="?\nr t-3\nr x\nt\n77\nq\n").output
    assert "a move can't be taken back" in played
    assert "such as: r T-1" in played
    assert "T-3 " in played
    assert "There is no rule with this number." in played
    assert played.count("Guest has ") == 2
    assert "Type a number from 1 to " in played


@pytest.mark.parametrize("typed", ["q\n", ""])
def test_leaving_prints_how_to_play_the_same_deal_again(typed: str) -> None:
    left = play("--local", "--seed", "7", typed=typed)
    assert left.exit_code == 130
    assert "You left the match. It was not saved. For the same deal: --local --seed 7" in left.output


def test_a_trade_is_offered_by_a_form() -> None:
    typed = "1\n\n7\n1 lumber and salt\n2 wool\n\n\n7\n1 gems\nq\n"
    played = play("--local", "--seed", "7", "--name", "ann", typed=typed, game="europe").output
    assert "Offer a trade: give 1 lumber, 1 salt; want 2 wool? [Y/n]" in played
    assert "ann offers: 1 lumber and 1 salt for 2 wool." in played
    assert "'1 gems' is not an amount; write for example `2 lumber`." in played


def test_a_refusal_cites_its_rule() -> None:
    typed = "1\n\n7\n9 lumber\n2 wool\n\n\nq\n"
    played = play("--local", "--seed", "7", typed=typed, game="europe").output
    assert "E-30 " in played


def test_a_form_asks_for_every_field_and_reads_numbers_and_lists() -> None:
    properties: Plain = {
        "type": {"const": "bid"},
        "offer": {"type": "integer"},
        "to": {"type": "array", "items": {"type": "integer"}},
        "kind": {"enum": ["a", "b"]},
        "note": {"type": "string"},
    }
    move = {"type": "bid", "schema": {"properties": properties, "required": ["offer", "to"]}}
    answers = iter(["3", "1, 2", "b", ""])
    assert fill(move, lambda _: next(answers)) == {"type": "bid", "offer": 3, "to": [1, 2], "kind": "b"}
    with pytest.raises(FormError, match="is not a number"):
        fill(move, lambda _: "three")


def test_a_rule_is_found_by_its_number() -> None:
    text = "# T\n- **S-1** One\n  line.\n- **S-10** Ten.\n## End\n"
    assert [rule_text(text, number) for number in ("S-1", "S-10", "S-2")] == [
        "S-1 One line.",
        "S-10 Ten.",
        None,
    ]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--players", "9", "--local"], "is for 2, 3, 4 players"),
        (["--bot", "nobody", "--local"], "has no bot 'nobody'"),
        (["--url", "ftp://example"], "begins with http"),
        (["--match", MATCH], "--match needs your token"),
        (["--url", "http://127.0.0.1:1"], "To play without one: kontor play fair --local."),
    ],
)
def test_errors_are_reported_in_one_sentence(args: list[str], message: str) -> None:
    refused = play(*args)
    assert refused.exit_code in (1, 2)
    assert message in " ".join(refused.output.split())


class FakeService(BaseHTTPRequestHandler):
    """A fake service with one match: the first move is refused, the second ends the match."""

    posted: ClassVar[list[tuple[str, Plain, dict[str, str]]]] = []
    over: ClassVar = False

    def do_GET(self) -> None:
        path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
        if path == "/v1/games/fair":
            return self._answer(200, {"title": "The Fair", "rules_text": "- **T-3** Lay a card.\n"})
        if path.endswith("/events"):
            after = int(query["after"][0])
            events = [{"version": n, "text": text} for n, text in enumerate(self._texts(), 1) if n > after]
            return (
                self._answer(200, events, lines=True)
                if "x-ndjson" in self.headers.get("Accept", "")
                else self._answer(200, {"events": events})
            )
        if not path.endswith(MATCH):
            return self._answer(404, {"detail": "There is no such match."})
        return self._answer(200, self._match())

    def _texts(self) -> list[str | None]:
        return ["The match starts.", None, *(["Ada lays a 5."] if type(self).over else [])]

    def _match(self) -> Plain:
        over = type(self).over
        running: Plain = {
            "legal_moves": [{"type": "lay_card", "card": 5}],
            "labels": ["Lay a 5"],
            "to_act": [0],
            "status": "running",
            "version": 2,
        }
        ended: Plain = {"legal_moves": [], "labels": [], "to_act": [], "status": "finished", "version": 3}
        return {
            "id": MATCH,
            "game": "fair",
            "you": 0,
            "names": ["Ada", "greedy"],
            "scene": "Round 1 of 5",
            "clock": {"kind": "bank", "seats": [{"seat": 0, "remaining_ms": 61_000}]},
            **(ended if over else running),
        }

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.posted.append((self.path, body, dict(self.headers)))
        if self.path == "/v1/players":
            return self._answer(201, {"token": "kontor_secret"})
        if self.path == "/v1/matches":
            return self._answer(201, {"id": MATCH})
        if len([path for path, *_ in self.posted if path.endswith("/moves")]) == 1:
            return self._answer(409, {"detail": "Not now.", "rule": "T-3"})
        type(self).over = True
        return self._answer(201, {})

    def _answer(self, status: int, data: Any, *, lines: bool = False) -> None:
        content = "\n".join(map(json.dumps, data)) + "\n\n" if lines else json.dumps(data)
        self.send_response(status)
        self.end_headers()
        self.wfile.write(content.encode())

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    FakeService.posted, FakeService.over = [], False
    server = ThreadingHTTPServer(("127.0.0.1", 0), FakeService)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_match_is_played_on_a_service(url: str) -> None:
    played = play("--url", url, "--name", "Ada", "--minutes", "10", typed="1\n\n1\n\n")
    assert played.exit_code == 0, played.output
    wish = {"game": "fair", "seats": [{"type": "me"}, {"type": "bot", "bot": "greedy"}]}
    assert [posted[:2] for posted in FakeService.posted] == [
        ("/v1/players", {"name": "Ada"}),
        ("/v1/matches", {**wish, "clock": {"kind": "bank", "ms": 600_000}}),
        *[(f"/v1/matches/{MATCH}/moves", {"type": "lay_card", "card": 5})] * 2,
    ]
    headers = [headers for _, _, headers in FakeService.posted]
    assert headers[1]["Authorization"] == "Bearer kontor_secret"
    assert headers[2]["If-Match"] == '"2"'
    assert headers[2]["Idempotency-Key"] != headers[3]["Idempotency-Key"]
    assert "Not now.\nT-3 Lay a card." in played.output
    assert "You have 1:01 left." in played.output
    assert played.output.count("Ada lays a 5.") == 1
    assert f"Others can watch: kontor watch {url}/v1/matches/{MATCH}" in played.output


def test_leaving_a_match_on_a_service_prints_how_to_return(url: str) -> None:
    left = play("--url", url, typed="q\n")
    assert left.exit_code == 130
    back = f"KONTOR_TOKEN=kontor_secret kontor play fair --url {url} --match {MATCH}"
    assert back in left.output
    FakeService.posted = []
    again = play("--url", url, "--match", MATCH, "--token", "kontor_secret", typed="q\n")
    assert again.exit_code == 130
    assert FakeService.posted == []


def watch(address: str) -> Result:
    return CliRunner(env={"COLUMNS": "120"}).invoke(
        main, ["watch", address], prog_name="kontor", obj=fairground
    )


def test_a_match_on_a_service_is_watched_to_its_end(url: str) -> None:
    FakeService.over = True
    for address in (f"{url}/v1/matches/{MATCH}", f"{url}/#/matches/{MATCH}?x"):
        watched = watch(address)
        assert watched.exit_code == 0, watched.output
        assert watched.output.splitlines() == ["The match starts.", "Ada lays a 5.", "", "Round 1 of 5"]


def test_a_missing_match_cannot_be_watched(url: str) -> None:
    assert "There is no such match." in watch(f"{url}/v1/matches/{MATCH[:-1]}2").output
    assert "contains no match id" in watch(f"{url}/v1/matches").output
