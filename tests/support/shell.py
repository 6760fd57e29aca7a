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

    def run(self, block: str) -> str:
        """Run a block of a document, with only the port of the service changed; return its output."""
        output, code = self._execute(block)
        assert code == 0, output
        self.ran.append(block)
        return output

    def refuse(self, block: str) -> str:
        """Run a block that must fail; return its output."""
        output, code = self._execute(block)
        assert code != 0, output
        return output

    def _execute(self, block: str) -> tuple[str, int]:
        """Return output and exit code; print the output, which pytest shows if the test fails."""
        ended = subprocess.run(
            ["sh", "-eux", "-c", block.replace("localhost:8000", f"127.0.0.1:{self.port}")],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        output = ended.stdout + ended.stderr
        print(output)  # noqa: T201
        return output, ended.returncode
