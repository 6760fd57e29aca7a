"""A shell in which a test runs the commands of a document, as somebody who reads it."""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Shell:
    """A shell in a folder, with an environment of its own, on the machine of a service at a port."""

    folder: Path
    environment: dict[str, str]
    port: int
    ran: list[str] = field(default_factory=list)

    def run(self, block: str, *, fails: bool = False) -> str:
        """Run a block of a document, with only the port of the service changed; return its output.

        Commands and output are printed, so that the report of a failed test shows what its user saw.
        """
        text = block.replace("localhost:8000", f"127.0.0.1:{self.port}").replace(".venv/bin/", "")
        ended = subprocess.run(
            ["sh", "-eux", "-c", text],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        print(ended.stderr + ended.stdout)  # noqa: T201  # pytest shows it if the test fails
        assert (ended.returncode != 0) is fails, ended.stdout + ended.stderr
        self.ran.append(block)
        return ended.stdout + ended.stderr
