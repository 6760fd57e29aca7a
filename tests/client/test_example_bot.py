"""The example bot plays, or explains in one sentence why it cannot."""

import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kontor_client import Kontor, connection, example_bot
from tests.client.service import ROOT, FlakyProxy, Service, free_port
from tests.client.tables import GAMES

Run = Callable[..., tuple[int | str | None, list[str]]]
PROGRAM = [sys.executable, "-W", "error", "-m", "kontor_client.example_bot"]


@pytest.fixture
def run(service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the bot in this process; return how it ended (0, or its last sentence) and the lines it printed."""

    def call(*arguments: str) -> tuple[int | str | None, list[str]]:
        monkeypatch.setattr(sys, "argv", ["example_bot", "--url", service.url, *arguments])
        code: int | str | None = 0
        try:
            example_bot.main()
        except SystemExit as end:
            code = end.code
        return code, capsys.readouterr().out.splitlines()

    return call


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_a_whole_match_of_each_game(service: Service, game: str) -> None:
    command = [*PROGRAM, "--url", service.url, "--game", game]
    played = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert (played.returncode, played.stderr) == (0, "")
    connecting, who, match, *_, end = played.stdout.splitlines()
    assert connecting == f"Connecting to {service.url} …"
    assert re.fullmatch(r"Example bot \(player [0-9a-f-]{36}\) plays .+ against \w+(, \w+)*\.", who)
    assert re.fullmatch(r"Match 1 of 1: [0-9a-f-]{36}", match)
    assert re.fullmatch(r"  finished after \d+ moves, place [12345] of [2345]", end)


def test_it_plays_the_requested_number_of_matches_against_the_requested_bots(run: Run) -> None:
    code, lines = run("--game", GAMES[-1], "--bots", "random,random", "--matches", "2", "--name", "Ada")
    assert code == 0
    assert re.match(r"Ada \(.* against random, random\.$", lines[1])
    assert [line[:14] for line in lines if line.startswith("Match")] == ["Match 1 of 2: ", "Match 2 of 2: "]
    assert (
        sum(bool(re.fullmatch(r"  finished after \d+ moves, place [123] of 3", line)) for line in lines) == 2
    )


def test_it_shows_progress_in_a_long_match(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(example_bot, "PROGRESS_EVERY", 5)
    code, lines = run("--game", GAMES[-1])
    assert code == 0
    assert lines[3:5] == ["  5 moves made", "  10 moves made"]


def test_without_a_service_it_soon_says_so_and_what_to_do() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with subprocess.Popen(
        [*PROGRAM, "--url", url], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as bot:
        assert bot.stdout is not None
        assert bot.stdout.readline() == f"Connecting to {url} …\n"
        out, err = bot.communicate(timeout=120)
    assert (bot.returncode, out) == (1, "")
    assert err == (
        f"{url} does not answer: Connection refused. "
        "Start a service with `make serve`, or give the URL of another one with --url.\n"
    )


def test_without_a_service_it_retries_for_less_than_four_seconds(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, pauses = 0.0, list[float]()

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        pauses.append(seconds)

    monkeypatch.setattr(connection, "time", SimpleNamespace(monotonic=lambda: now, sleep=sleep))
    code, _ = run("--url", f"http://127.0.0.1:{free_port()}")
    assert "Connection refused" in str(code)
    assert 1 < sum(pauses) < 4
    assert 3 <= len(pauses) <= 10


def test_its_help_explains_all_options() -> None:
    done = subprocess.run([*PROGRAM, "--help"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    for word in (
        "make serve",
        "KONTOR_TOKEN",
        "--url",
        "--game",
        "--bots",
        "--name",
        "--matches",
        "--token-file",
    ):
        assert word in done.stdout


def test_an_error_about_an_unknown_game_names_the_known_ones(run: Run, state_folder: Path) -> None:
    code, _ = run("--game", "chess")
    assert code == f"There is no game 'chess'. Available games: {', '.join(GAMES)}."
    assert not state_folder.exists()


def test_an_error_about_an_unknown_bot_names_the_known_ones(run: Run) -> None:
    code, _ = run("--bots", "nobody")
    assert re.search(r"/seats/1/bot: must be one of \w+", str(code))


def test_its_account_is_reused(run: Run, state_folder: Path) -> None:
    (_, first), (_, second) = run("--matches", "0"), run("--matches", "0")
    assert first == second
    assert len(first) == 2
    [file] = state_folder.glob("*.token")
    (_, third) = run("--matches", "0", "--token-file", str(file), "--name", "Whoever")
    assert third == first


def test_a_refused_token_leads_to_a_new_account_and_a_warning(
    run: Run, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    file.write_text("kontor_unknown", encoding="ascii")
    code, lines = run("--matches", "0", "--token-file", str(file))
    assert (code, len(lines)) == (0, 2)
    assert caplog.messages == [f"The service refuses the token in {file}; registering a new account."]
    assert run("--matches", "0", "--token-file", str(file)) == (code, lines)


def test_the_token_in_the_environment_takes_precedence(
    run: Run, ada: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KONTOR_TOKEN", ada.me().token)
    _, lines = run("--matches", "0")
    assert lines[1].startswith(f"Ada (player {ada.me().id}) plays")
    monkeypatch.setenv("KONTOR_TOKEN", "kontor_unknown")
    assert run("--matches", "0")[0] == "The service refuses the token in KONTOR_TOKEN."


def test_an_unusable_token_file_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("two words", encoding="ascii")
    assert run("--token-file", str(tmp_path / "file"))[0] == f"{tmp_path}/file does not contain a token."
    assert str(tmp_path) in str(run("--token-file", str(tmp_path))[0])
    assert f"{tmp_path}/file" in str(run("--token-file", str(tmp_path / "file" / "token"))[0])


def test_an_invalid_address_or_one_of_another_server_is_named(run: Run, service: Service) -> None:
    assert str(run("--url", "localhost:8000")[0]).endswith("http:// or https://: 'localhost:8000'.")
    with FlakyProxy(service.port).running() as proxy:
        proxy.answer_with(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>")
        assert run("--url", proxy.url)[0] == "The response (status 200) is not from a Kontor service."


def test_a_late_move_is_reported_and_the_match_continues(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    play, late = Kontor.play, iter([True])

    def play_twice(kontor: Kontor, match: str, move: Any, version: int) -> Any:
        answer = play(kontor, match, move, version)
        return play(kontor, match, move, version) if next(late, False) else answer

    monkeypatch.setattr(Kontor, "play", play_twice)
    code, lines = run("--game", GAMES[-1])
    assert code == 0
    assert "version" in lines[3]
    assert lines[-1].startswith("  finished after ")


def test_it_can_be_stopped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(random, "choice", stop)
    assert run()[0] == "Stopped."
