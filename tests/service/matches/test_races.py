"""Concurrent commands: one is stored, none is lost, and the history does not fork."""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Barrier
from uuid import UUID

import pytest

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import Refusal
from kontor_games.domain.match_audit import MatchAuditor
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import StaleVersionError
from kontor_games.service.kontor import Kontor
from tests.service.tables import OPEN, LocalPlayer, start_match, stored_rows

CLIENTS = 16


def check_log(kontor: Kontor, match_id: str) -> None:
    """Check that the log has no gap and no fork, and that every command was allowed."""
    log = kontor.cache.get_fresh(UUID(match_id))
    auditor = MatchAuditor(match_id, is_signed)
    for entry in log.entries:
        auditor.take(entry)
    assert auditor.match.version == log.state.version
    assert [row["version"] for row in stored_rows(kontor, match_id)] == [entry.first for entry in log.entries]


def run_concurrently(attempt: Callable[[int], object]) -> Counter[str]:
    """Start sixteen attempts at the same moment; return how many had each outcome."""
    start = Barrier(CLIENTS)

    def outcome(number: int) -> str:
        start.wait()
        try:
            attempt(number)
        except (Refusal, StaleVersionError) as error:
            return error.code
        return "won"

    with ThreadPoolExecutor(CLIENTS) as pool:
        return Counter(pool.map(outcome, range(CLIENTS)))


def test_of_sixteen_moves_on_one_version_exactly_one_is_stored(new_process: Callable[..., Kontor]) -> None:
    kontors = [new_process(), new_process()]
    one, other = LocalPlayer(kontors[0]), LocalPlayer(kontors[1])
    match_id = start_match(one, other)
    for player in (one, other):
        version, moves = player.read_match(match_id).match.version, player.legal(match_id)
        play = partial(attempt_to_play, kontors, player, match_id, moves, version)
        assert run_concurrently(play) == {"won": 1, "stale_version": CLIENTS - 1}
    check_log(kontors[0], match_id)


def attempt_to_play(
    kontors: list[Kontor],
    player: LocalPlayer,
    match_id: str,
    moves: list[Plain],
    version: int | None,
    number: int,
) -> None:
    player.at(kontors[number % 2]).play(match_id, moves[number % len(moves)], if_version=version)


def test_without_a_version_the_rules_decide_and_one_wins(new_process: Callable[..., Kontor]) -> None:
    kontors = [new_process(), new_process()]
    one, other = LocalPlayer(kontors[0]), LocalPlayer(kontors[1])
    match_id = start_match(one, other)
    play = partial(attempt_to_play, kontors, one, match_id, one.legal(match_id), None)
    assert run_concurrently(play) == {"won": 1, "not_your_turn": CLIENTS - 1}
    check_log(kontors[0], match_id)


def test_of_many_concurrent_joins_only_as_many_succeed_as_there_are_seats(
    new_process: Callable[..., Kontor],
) -> None:
    kontors = [new_process(), new_process()]
    match_id = LocalPlayer(kontors[0]).create(OPEN, OPEN, OPEN, OPEN)
    outcome = run_concurrently(lambda number: LocalPlayer(kontors[number % 2]).join(match_id))
    assert outcome["won"] == 4
    assert set(outcome) <= {"won", "match_not_open", "seat_not_free"}
    check_log(kontors[0], match_id)


def test_both_players_of_a_match_play_it_through_two_processes_at_full_speed(
    new_process: Callable[..., Kontor],
) -> None:
    kontors = [new_process(), new_process()]
    players = [LocalPlayer(kontor) for kontor in kontors]
    match_ids = [start_match(*players) for _ in range(4)]

    def play(player: LocalPlayer) -> int:
        made, going = 0, set(match_ids)
        while going:
            for match_id in list(going):
                match = player.read_match(match_id).match
                if match.over:
                    going.discard(match_id)
                elif match.seat_of(player.id) in match.to_act:
                    player.play(match_id)
                    made += 1
        return made

    with ThreadPoolExecutor(2) as pool:
        assert all(made > 0 for made in pool.map(play, players))
    for match_id in match_ids:
        check_log(kontors[0], match_id)


CHALLENGER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from kontor_games.domain.games import installed_games
from kontor_games.service.errors import StaleVersionError
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.people.tokens import Caller
from tests.domain.toy.games.fair import GAME
from tests.service.tables import LocalPlayer

installed_games()["fair"] = GAME
url, match_id, player, version = sys.argv[1:]
player = LocalPlayer(Kontor(Settings(database_url=url)), Caller(player, False, frozenset(), ""))
move = player.legal(match_id)[0]

def attempt(number):
    try:
        player.play(match_id, move, if_version=int(version))
    except StaleVersionError:
        return "stale"
    return "won"

print("ready", flush=True)
sys.stdin.readline()
with ThreadPoolExecutor(8) as pool:
    print(*pool.map(attempt, range(8)))
player.kontor.close()
"""


@pytest.mark.slow
def test_of_concurrent_moves_in_several_processes_one_is_stored(
    new_process: Callable[..., Kontor], shared_database_url: str
) -> None:
    kontor = new_process()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    version = one.read_match(match_id).match.version
    command = [sys.executable, "-c", CHALLENGER, shared_database_url, match_id, one.id, str(version)]
    root = Path(__file__).parents[3]
    started = [
        subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outcomes = [outcome for process in started for outcome in process.communicate()[0].split()]
    assert Counter(outcomes) == {"won": 1, "stale": 15}
    check_log(kontor, match_id)
