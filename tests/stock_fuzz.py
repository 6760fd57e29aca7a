"""Fuzz test with an unmodified schemathesis against `kontor serve`: `python -m tests.stock_fuzz`.

It uses no hooks and no token, only a longer timeout for slow machines. The service runs with higher rate
limits, because otherwise it would answer most requests with 429. schemathesis is started again, with new
random requests, until enough requests were sent. The first failure ends the test with schemathesis' report.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.api.test_serve import kontor_serve

CASES = 20_000
EXAMPLES = 100
"""Random requests for each operation in one run; the default of schemathesis."""
TIMEOUT_S = 120
"""How long an answer may take; long, because a busy machine is not a failure of the service."""
UNLIMITED = {
    f"KONTOR_RATE_LIMIT_{name}": "1000000" for name in ("READ", "WRITE", "MOVE", "REGISTER", "STREAM")
}
_COUNT = re.compile(r"([\d,]+) generated")


def run(url: str, folder: Path, examples: int) -> tuple[int, str]:
    """Run schemathesis once; return its exit status and its output."""
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "run",
        url,
        "--max-examples",
        str(examples),
        "--request-timeout",
        str(TIMEOUT_S),
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def cases_in(report: str) -> int:
    """The number of requests that a report of schemathesis states; 0 if it states none."""
    found = _COUNT.search(report)
    return int(found[1].replace(",", "")) if found else 0


def main() -> None:
    """Run schemathesis until enough requests were sent or a check failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES, help="how many requests to send at least")
    parser.add_argument(
        "--examples", type=int, default=EXAMPLES, help="random requests for each operation and run"
    )
    chosen, began, sent = parser.parse_args(), time.monotonic(), 0
    with (
        tempfile.TemporaryDirectory(prefix="kontor-stock-") as name,
        kontor_serve(Path(name), **UNLIMITED) as server,
    ):
        while sent < chosen.cases:
            status, report = run(f"http://127.0.0.1:{server.port}/openapi.json", Path(name), chosen.examples)
            sent += cases_in(report)
            if status or not cases_in(report):
                print(report)  # noqa: T201
                sys.exit(status or 1)
            print(f"{sent:,} requests in {time.monotonic() - began:.0f} s, no failure", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
