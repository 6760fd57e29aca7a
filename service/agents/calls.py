"""How the tools reach the service: by its HTTP API, inside the service or from another machine."""

from typing import Any, Protocol

from kontor_games.domain.codec import Plain


class CallRefusedError(Exception):
    """The service refused a call; `problem` is its problem document (RFC 9457)."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(str(problem.get("detail", "")))
        self.problem = problem


class Calls(Protocol):
    """The service as one player uses it; each method raises CallRefusedError."""

    signs: bool
    """Whether commands are signed, so that matches which require it can be joined."""

    def get(self, path: str, **query: Plain) -> Plain:
        """Return the JSON at a path."""

    def match(self, match: str, version: int | None = None) -> dict[str, Any]:
        """Return a match with English texts, now or at a version."""

    def wait(self, match: str, after: int, seconds: int) -> bool:
        """Wait until a match has a fact after a version; return whether it has one."""

    def create(self, body: dict[str, Any]) -> dict[str, Any]:
        """Create a match in which one seat is `{"type": "me"}` or open."""

    def join(self, match: str, seat: int | None, link_key: str | None) -> dict[str, Any]:
        """Take a seat."""

    def play(self, match: str, move: Plain, version: int) -> dict[str, Any]:
        """Make a move if the match is still at the version; the answer has English texts."""

    def dry_run(self, match: str, move: Plain, version: int) -> dict[str, Any]:
        """Check a move and return its effect; nothing is stored."""

    def resign(self, match: str) -> dict[str, Any]:
        """Resign from a running match."""
