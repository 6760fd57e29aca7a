"""A tournament whose workers are killed: real processes, kill -9, at random moments of every round.

`python -m tests.service.tournaments.worker_kills --kills 300` is the long run; the tests include a short one.
"""

import argparse
import os
import tempfile
import time
from collections import Counter
from multiprocessing import get_context
from pathlib import Path
from random import Random

import click

from kontor_games.domain.tournaments import commands
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.trust.tournament_check import verify_tournament
from tests.api.conftest import NO_LIMITS, toy_games_installed
from tests.service.tournaments.cup import Cup

_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload([__name__])
_LONGEST_S = 0.12
"""The matches of a round are opened in about this time, so that most kills interrupt a step."""


_PATIENCE_S = 2.0
"""How long to wait for a change made by a worker, which may have nothing to do."""


def work(url: str) -> None:
    """Run the worker for all tournaments of a database until this process is killed."""
    with toy_games_installed():
        worker = Kontor(Settings(database_url=url, **NO_LIMITS)).tournament_worker()
        while True:
            worker.step_all()
            time.sleep(0.01)


def play_with_kills(kontor: Kontor, url: str, kills: int, seed: int, rounds: int = 2) -> Cup:
    """Play a whole tournament while its worker is killed `kills` times, then finish it and sign it off."""
    chance = Random(seed)
    cup = Cup(kontor, 6, rounds=rounds, rotated=True, correction_ms=0).start()
    for _ in range(kills):
        for match in cup.open_matches()[: chance.randint(1, 2)]:
            _play(cup, match)
        process = _CONTEXT.Process(target=work, args=(url,), daemon=True)
        process.start()
        before = cup.state.version
        until = time.monotonic() + _PATIENCE_S
        while cup.state.version == before and time.monotonic() < until and cup.state.status == "running":
            time.sleep(0.002)
        time.sleep(chance.uniform(0.0, _LONGEST_S))
        os.kill(process.pid or 0, 9)
        process.join()
        if cup.state.status != "running":
            break
    cup.play_on()
    cup.act(commands.SignOff())
    return cup


def _play(cup: Cup, match: str) -> None:
    """Play a match if all its seats are still open."""
    if cup.players[0].read_match(match).match.status == "open":
        cup.play_match(match)


def faults_of(cup: Cup) -> list[str]:
    """Return what was repeated or omitted; the verifier raises an error for everything else."""
    tournament, found = cup.state, list[str]()
    rows = cup.kontor.database.read("SELECT id, status FROM matches")
    found += [f"match {row['id']} belongs to no table" for row in rows if row["id"] not in tournament.slots]
    found += [
        f"match {row['id']} is still {row['status']}" for row in rows if row["status"] in ("open", "running")
    ]
    slots = Counter(tournament.slots.values())
    found += [f"{count} matches were opened for {slot}" for slot, count in slots.items() if count > 1]
    found += [f"{slot} was never played" for slot in tournament.planned if slot not in slots]
    verdict = verify_tournament(cup.kontor.tournament_exports.export(cup.id))
    if verdict.matches != len(tournament.planned):
        found.append(f"{verdict.matches} matches in the file, {len(tournament.planned)} planned")
    return found


def main() -> None:
    """Kill workers in tournaments until the requested number is reached, and print the progress."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    kills: int = parser.parse_args().kills
    killed, seed = 0, 0
    while killed < kills:
        with tempfile.TemporaryDirectory() as folder, toy_games_installed():
            url = f"sqlite:///{Path(folder)}/kontor.db"
            kontor = Kontor(Settings(database_url=url, **NO_LIMITS))
            kontor.migrate()
            share = min(30, kills - killed)
            faults = faults_of(play_with_kills(kontor, url, share, seed, rounds=5))
            kontor.close()
        if faults:
            raise SystemExit("\n".join(faults))
        killed, seed = killed + share, seed + 1
        click.echo(f"{killed} workers killed: no step was repeated or omitted")


if __name__ == "__main__":
    main()
