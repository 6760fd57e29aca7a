"""schemathesis as it comes, against `kontor serve`: `python -m tests.stock_fuzz`.

No hook, no token, no setting of ours but more patience with a slow machine. Only the limits are raised:
thousands of requests a minute from one address are refused with 429 otherwise, whatever they are. One run
after the other, each with requests of its own, until enough were sent; the first run with a failure ends it,
and shows schemathesis' own report.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.api.test_serve import started

CASES = 20_000
EXAMPLES = 100
"""Random requests for each operation and run; schemathesis' own default."""
PATIENCE_S = 120
"""How long an answer may take: a busy machine is no failure of the service."""
UNLIMITED = {
    f"KONTOR_RATE_LIMIT_{name}": "1000000" for name in ("READ", "WRITE", "MOVE", "REGISTER", "STREAM")
}
_COUNT = re.compile(r"([\d,]+) generated")


def run(url: str, folder: Path, examples: int) -> tuple[int, str]:
    """One run of schemathesis; its exit status and what it said."""
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "run",
        url,
        "--max-examples",
        str(examples),
        "--request-timeout",
        str(PATIENCE_S),
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def cases_in(report: str) -> int:
    """How many requests a report says were made."""
    found = _COUNT.search(report)
    return int(found[1].replace(",", "")) if found else 0


def main() -> None:
    """Runs schemathesis until enough requests were sent, or one of them was answered wrongly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES, help="stop after so many requests")
    parser.add_argument(
        "--examples", type=int, default=EXAMPLES, help="random requests for each operation and run"
    )
    chosen, began, sent = parser.parse_args(), time.monotonic(), 0
    with (
        tempfile.TemporaryDirectory(prefix="kontor-stock-") as name,
        started(Path(name), **UNLIMITED) as server,
    ):
        while sent < chosen.cases:
            status, report = run(f"http://127.0.0.1:{server.port}/openapi.json", Path(name), chosen.examples)
            sent += cases_in(report)
            if status or not cases_in(report):
                print(report)  # noqa: T201  # its output
                sys.exit(status or 1)
            print(f"{sent:,} requests in {time.monotonic() - began:.0f} s, no failure", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
