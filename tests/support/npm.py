"""npm packages that tests need: installed once for each checkout and kept, since npm is slow.

`python3 -m tests.support.npm` installs all of them, `… page` only those that `make check` needs.
It needs no Python library, so `make test` runs it while pip installs these.
"""

import subprocess
import sys
from dataclasses import dataclass
from fcntl import LOCK_EX, flock
from pathlib import Path

ROOT = Path(__file__).parents[2]
NPM_INSTALL = ("npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock")


@dataclass(frozen=True)
class Packages:
    """A package.json of the tests, and the folder in which its packages are installed."""

    manifest: Path
    folder: Path
    purpose: str

    def install(self) -> Path:
        """Install the packages if necessary, one process at a time; return the folder of the modules."""
        self.folder.mkdir(parents=True, exist_ok=True)
        wanted, done = self.manifest.read_bytes(), self.folder / "done"
        with (self.folder / "lock").open("w", encoding="utf-8") as lock:
            flock(lock, LOCK_EX)
            if not done.exists() or done.read_bytes() != wanted:
                where = self.folder.relative_to(ROOT)
                print(f"Installing packages from npm into {where}, once: {self.purpose}.", flush=True)  # noqa: T201
                (self.folder / "package.json").write_bytes(wanted)
                subprocess.run(
                    NPM_INSTALL, cwd=self.folder, check=True, timeout=900, stdout=subprocess.DEVNULL
                )
                done.write_bytes(wanted)
        return self.folder / "node_modules"


PAGE = Packages(
    ROOT / "tests/web/package.json",
    ROOT / "build/web-tools",
    "formatter, linter and type checker of the page, and what its tests need",
)
CLIENT = Packages(
    ROOT / "tests/client/generated/package.json",
    ROOT / "build/typescript",
    "what generated clients in TypeScript need",
)
ALL = {"page": PAGE, "client": CLIENT}

if __name__ == "__main__":
    for name in sys.argv[1:] or ALL:
        ALL[name].install()
