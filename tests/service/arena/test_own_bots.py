import json
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.games import installed_games
from kontor_games.service.arena import Contest, OwnBotError, outcomes, own_bots, with_label
from tests.domain.toy.games.fair import GAME
from tests.service.arena.test_arena import fair_contest

ROOT = Path(__file__).parents[3]
PYTHON_BOT = """
class First:
    def choose(self, seat, view, legal_moves):
        return legal_moves[0]

class Broken:
    def choose(self, seat, view, legal_moves):
        raise RuntimeError("out of ideas")

class Cheat:
    def choose(self, seat, view, legal_moves):
        return {"type": "win"}

class Slow:
    def choose(self, seat, view, legal_moves):
        import time
        time.sleep(600)

class Trader:
    def choose(self, seat, view, legal_moves, open_moves):
        if not open_moves:
            return legal_moves[0]
        assert open_moves == ["offer_card"]
        return {"type": "offer_card", "card": view["seats"][seat]["hand"][0], "price": 0}

class Greedy:
    def choose(self, seat, view, legal_moves):
        return {"type": "offer_card", "card": 999, "price": 0}

class Refusing:
    def choose(self, seat, view, legal_moves):
        return None if legal_moves == [{"type": "take_offer"}] else legal_moves[0]

class Dumb:
    pass
"""
PROGRAM = """
import json, sys
for line in sys.stdin:
    print(json.dumps(json.loads(line)["legal_moves"][0]), flush=True)
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text(PYTHON_BOT)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def test_a_class_and_a_program_with_the_same_choices_have_the_same_outcomes(bots: Path) -> None:
    by_class = fair_contest(f"mine={bots}/bot.py:First", "random")
    by_program = fair_contest(f"mine=exec:{sys.executable} {bots}/program.py", "random")
    one, two = (list(outcomes(contest, 3)) for contest in (by_class, by_program))
    assert one == two
    assert one[0].bots == ("mine", "random")
    assert sum(sum(outcome.faults) for outcome in one) == 0


@pytest.mark.parametrize(("name", "kind"), [("Broken", "crashed"), ("Cheat", "illegal"), ("Slow", "late")])
def test_a_fault_is_counted_by_its_kind_and_not_fatal(
    bots: Path, name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_bots, "TIME_LIMIT_S", 0.05 if name == "Slow" else 60)
    outcome = fair_contest(f"mine={bots}/bot.py:{name}", "random").outcome(0)
    assert outcome.faults[0] > 0
    assert outcome.faults[1] == 0
    assert outcome.fault_kinds == {"mine": {kind: outcome.faults[0]}}
    assert sorted(set(outcome.places)) in ([1], [1, 2])


def test_a_program_that_ends_or_is_slow_is_counted_and_started_again(
    bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bots / "once.py").write_text("print('{}')")
    ended = fair_contest(f"mine=exec:{sys.executable} {bots}/once.py", "random").outcome(0)
    assert ended.fault_kinds["mine"].keys() <= {"crashed", "illegal"}
    assert ended.faults[0] > 0
    monkeypatch.setattr(own_bots, "TIME_LIMIT_S", 0.05)
    (bots / "slow.py").write_text("import time; print('{', end='', flush=True); time.sleep(600)")
    slow = fair_contest(f"mine=exec:{sys.executable} {bots}/slow.py", "random").outcome(0)
    assert slow.fault_kinds == {"mine": {"late": slow.faults[0]}}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("nowhere.py:Bot", "there is no such file"),
        ("bot.py", "name a bot of your own as"),
        ("bot.py:Missing", "has no attribute 'Missing'"),
        ("bot.py:Dumb", "has no method choose"),
        ("exec:/no/such/program", "can't be started"),
        ("exec:", "can't be started"),
        (f"exec:{sys.executable} nowhere.py", "ended with status 2 before its first answer"),
    ],
)
def test_an_error_names_a_missing_or_invalid_bot(bots: Path, source: str, message: str) -> None:
    where = source if source.startswith("exec:") else f"{bots}/{source}"
    with pytest.raises(OwnBotError, match=message):
        fair_contest(f"mine={where}", "random").outcome(0)


def test_own_bots_play_in_several_processes_too(bots: Path) -> None:
    contest = fair_contest(f"mine={bots}/bot.py:First", "random")
    assert list(outcomes(contest, 4, jobs=2)) == list(outcomes(contest, 4))


def test_a_duplicate_deal_is_played_once_from_every_seat(bots: Path) -> None:
    contest = Contest(
        "fair", ("random", "greedy"), "x", GAME.rules().options(), GAME.data_sets[0], duplicate=True
    )
    assert [contest.seed_text(number) for number in range(4)] == ["x/0", "x/0", "x/1", "x/1"]
    assert [contest.seats(number) for number in range(2)] == [("random", "greedy"), ("greedy", "random")]


class FirstMove(BaseHTTPRequestHandler):
    """A bot as an HTTP server: it chooses the first legal move; two paths give faulty answers."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = b"{" if self.path == "/broken" else json.dumps(question["legal_moves"][0]).encode()
        self.send_response(500 if self.path == "/failing" else 200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Do not log."""


@pytest.fixture
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), FirstMove) as serving:
        threading.Thread(target=serving.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()


def test_a_server_and_a_class_with_the_same_choices_have_the_same_outcome(bots: Path, server: str) -> None:
    by_class = fair_contest(f"mine={bots}/bot.py:First", "random").outcome(0)
    assert fair_contest(f"mine={server}/", "random").outcome(0) == by_class
    assert by_class.faults == (0, 0)


@pytest.mark.parametrize(
    ("path", "message"), [("failing", "the bot answered 500"), ("broken", 'the answer "{" is not JSON')]
)
def test_faults_of_a_server_are_counted_and_reported(server: str, path: str, message: str) -> None:
    outcome = fair_contest(f"mine={server}/{path}", "random").outcome(0)
    assert outcome.faults[0] > 0
    assert message in str(outcome.first_fault)
    assert str(outcome.first_fault).startswith("mine at seat 0: ")


@pytest.mark.parametrize("source", ["http://127.0.0.1:1/", "http://"])
def test_an_error_names_an_unreachable_server(source: str) -> None:
    with pytest.raises(OwnBotError, match=r"No bot answers at|has no host"):
        fair_contest(f"mine={source}", "random").outcome(0)


def test_faults_are_counted_for_the_seat_where_they_happened(bots: Path) -> None:
    outcome = fair_contest(f"mine={bots}/bot.py:Broken", f"mine={bots}/bot.py:Broken", "random").outcome(0)
    assert outcome.faults[0] > 0
    assert outcome.faults[1] > 0
    assert outcome.first_fault == "mine at seat 0: RuntimeError: out of ideas (bot.py, line 8)"


def test_the_first_characters_of_an_answer_that_is_no_json_are_quoted(bots: Path) -> None:
    (bots / "chatty.py").write_text("print('thinking ' * 20, flush=True); input()")
    outcome = fair_contest(f"mine=exec:{sys.executable} {bots}/chatty.py", "random").outcome(0)
    assert f'the answer "{("thinking " * 20)[:80]}…" is not JSON' in str(outcome.first_fault)


def test_an_illegal_move_is_reported_with_the_reason(bots: Path) -> None:
    outcome = fair_contest(f"mine={bots}/bot.py:Cheat", "random").outcome(0)
    assert '{"type": "win"} is not a legal move: /type: must be one of ' in str(outcome.first_fault)


def test_an_own_bot_makes_a_move_that_is_not_listed_and_another_need_not_answer_it(bots: Path) -> None:
    contest = fair_contest(f"mine={bots}/bot.py:Trader", f"other={bots}/bot.py:Refusing")
    match = contest.match(0)
    names = [fact.type for played in match for fact in played.facts]
    assert names.count("offer_made") > 0
    assert "card_sold" not in names
    assert contest.ended(0, match).faults == (0, 0)


def test_an_unlisted_move_that_the_rules_refuse_is_a_fault_with_the_reason(bots: Path) -> None:
    outcome = fair_contest(f"mine={bots}/bot.py:Greedy", "random").outcome(0)
    assert outcome.fault_kinds["mine"] == {"illegal": outcome.faults[0]}
    assert '"price": 0} is not a legal move: ' in str(outcome.first_fault)


def test_a_bot_that_has_to_move_cannot_answer_nothing(bots: Path) -> None:
    (bots / "idle.py").write_text("class Idle:\n    def choose(self, *_):\n        return None\n")
    outcome = fair_contest(f"mine={bots}/idle.py:Idle", "random").outcome(0)
    assert "null is not a legal move" in str(outcome.first_fault)


@pytest.mark.parametrize(
    ("name", "labelled"),
    [
        ("bot.py:Best", "Best=bot.py:Best"),
        ("exec:node --check bot.js --fast", "bot=exec:node --check bot.js --fast"),
        ("exec:./bot", "bot=exec:./bot"),
        ("http://127.0.0.1:9000/move?fast=1", "127.0.0.1:9000=http://127.0.0.1:9000/move?fast=1"),
        ("mine=bot.py:Best", "mine=bot.py:Best"),
        ("greedy", "greedy"),
    ],
)
def test_a_bot_without_a_label_is_called_after_its_class_program_or_server(name: str, labelled: str) -> None:
    assert with_label(name) == labelled


class Answers:
    """Times the answers of a server that writes the head and the body of each separately, or together."""

    def __init__(self, *, together: bool) -> None:
        class Bot(FirstMove):
            wbufsize = -1 if together else 0

        self._serving = ThreadingHTTPServer(("127.0.0.1", 0), Bot)
        threading.Thread(target=self._serving.serve_forever, args=(0.01,), daemon=True).start()

    def median(self) -> float:
        server = own_bots._Server(f"http://127.0.0.1:{self._serving.server_port}/")
        question = own_bots.Question(0, {}, [{"type": "pass"}], [])
        times = []
        for _ in range(40):
            began = time.perf_counter()
            assert server.answer(question) == {"type": "pass"}
            times.append(time.perf_counter() - began)
        self._serving.shutdown()
        self._serving.server_close()
        return statistics.median(times)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can acknowledge packets at once")
def test_a_server_that_writes_head_and_body_separately_is_as_fast_as_one_that_writes_once() -> None:
    separately, together = (Answers(together=together).median() for together in (False, True))
    assert separately < 20 * together, "the kernel delays acknowledgements by 40 ms, a hundred times as long"


def blocks(language: str) -> list[str]:
    """The examples in one language in the document about own bots."""
    text = (ROOT / "docs/own-bots.md").read_text(encoding="utf-8")
    return [part.partition("```")[0] for part in text.split(f"```{language}\n")[1:]]


def test_the_examples_of_the_document_play_without_faults(tmp_path: Path) -> None:
    by_class, server, trader = blocks("python")
    (tmp_path / "bot.py").write_text(by_class + "\n\nimport random\n\n" + trader)
    names: dict[str, Any] = {"__name__": "server"}
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as serving:
        code = server.replace('ThreadingHTTPServer(("127.0.0.1", 9000), MyBot).serve_forever()', "")
        exec(code, names)  # noqa: S102  # our own document
        serving.RequestHandlerClass = names["MyBot"]
        threading.Thread(target=serving.serve_forever, args=(0.01,), daemon=True).start()
        both = [f"http://127.0.0.1:{serving.server_port}/", f"{tmp_path}/bot.py:MyBot"]
        found = [fair_contest(f"mine={source}", "random").outcome(0) for source in both]
        serving.shutdown()
    assert found[0] == found[1]
    assert found[0].faults == (0, 0)


def test_the_trader_of_the_document_makes_offers(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(blocks("python")[2])
    game = installed_games()["europe"]
    bots = (f"mine={tmp_path}/bot.py:Trader", "random", "random")
    contest = Contest("europe", bots, "7", game.rules().options(), game.data_sets[0])
    match = contest.match(0)
    makers = {played.seat for played in match if played.move and played.move.type == "offer_trade"}
    assert makers == {0}
    assert contest.ended(0, match).faults == (0, 0, 0)
