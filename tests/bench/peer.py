"""boardgame.io for comparison: its own server with matches in memory, played by its own clients."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.serving import free_port

PROGRAMS = Path(__file__).parent / "peer"
MODULES = Path(__file__).parents[2] / "build" / "bench-peer"
"""Kept between runs, since npm is slow."""
_TIMEOUT_S = 120.0


def install() -> Path:
    """Install the programs and their npm packages unless they are there; return the folder."""
    wanted, found = PROGRAMS / "package.json", MODULES / "package.json"
    if not found.exists() or found.read_bytes() != wanted.read_bytes():
        shutil.rmtree(MODULES, ignore_errors=True)
        MODULES.mkdir(parents=True)
        command = ["npm", "install", "--no-audit", "--no-fund", "--omit=optional", "--prefix", str(MODULES)]
        shutil.copy(wanted, found)
        subprocess.run(command, check=True, capture_output=True, timeout=600)
    for program in PROGRAMS.glob("*.cjs"):
        shutil.copy(program, MODULES)
    return MODULES


@contextmanager
def served_peer() -> Iterator[int]:
    """Run the server of boardgame.io; yield its port."""
    folder, port = install(), free_port()
    with subprocess.Popen(
        ["node", "server.cjs", str(port)], cwd=folder, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            if "ready" not in process.stdout.readline():
                raise RuntimeError("boardgame.io did not start")
            yield port
        finally:
            process.kill()


def moves_per_second(port: int, matches: int, seconds: float) -> float:
    """The moves per second of all clients of boardgame.io together."""
    command = ["node", "clients.cjs", str(port), str(matches), str(seconds)]
    done = subprocess.run(
        command, cwd=MODULES, capture_output=True, text=True, check=True, timeout=seconds + _TIMEOUT_S
    )
    counted = json.loads(done.stdout.splitlines()[-1])
    return float(counted["moves"] / counted["seconds"])
