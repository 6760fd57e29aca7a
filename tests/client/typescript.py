"""What programs in TypeScript need from npm, installed once for all tests and kept from run to run, since npm is slow."""

import fcntl
from pathlib import Path

from tests.client.service import ROOT, run_program

PROGRAMS = Path(__file__).parent / "generated"
MODULES = ROOT / "build" / "typescript"


def workplace(name: str) -> Path:
    """A folder below the one in which the packages that package.json names are installed."""
    MODULES.mkdir(parents=True, exist_ok=True)
    wanted, done = (PROGRAMS / "package.json").read_bytes(), MODULES / "done"
    with (MODULES / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists() or done.read_bytes() != wanted:
            (MODULES / "package.json").write_bytes(wanted)
            quiet = ("--silent", "--no-audit", "--no-fund", "--no-package-lock")
            run_program("npm", "install", *quiet, cwd=MODULES)
            done.write_bytes(wanted)
    (MODULES / name).mkdir(exist_ok=True)
    return MODULES / name
