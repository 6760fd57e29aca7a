"""`kontor mcp`: the tools for language models over standard input and output, by kontor_client.

A wait does not stop other calls: messages are answered by several threads, one connection sends commands, and
each wait has a connection of its own.
"""

import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from threading import Lock
from typing import IO, Any

import click

from kontor_client import Kontor, KontorError
from kontor_games.domain.codec import Plain
from kontor_games.service.agents.calls import CallRefusedError
from kontor_games.service.agents.protocol import LOCAL_GUIDE, PARSE_ERROR, Protocol
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.service_client import url_option
from kontor_games.service.version import VERSION


@command()
@url_option
@click.option("--name", metavar="TEXT", help="Name of the account; it is created when it is first used.")
def mcp(*, url: str, name: str | None) -> None:
    """Let a language model play, with tools over MCP.

    It reads messages from standard input and writes the answers to standard output. A program such as a
    desktop client for language models starts this command; docs/agents.md has the lines for its
    configuration. The account of earlier runs is used again; KONTOR_TOKEN has the token of another one.
    Commands are signed, and finished matches are checked, with files in ~/.local/state/kontor.
    """
    try:
        from kontor_games.service.cli.commands.mcp import ClientCalls, StdioServer
    except ModuleNotFoundError as missing:
        raise click.ClickException(
            "This command needs kontor_client: pip install ./kontor_client."
        ) from missing
    try:
        calls = ClientCalls(url, name or None)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    StdioServer(calls, sys.stdin, sys.stdout).run()
    calls.close()


_THREADS = 8
_RETRY_S = 8.0
"""How long a lost request is repeated; a model should rather hear of it."""
_CANCELLED = "notifications/cancelled"


class ClientCalls:
    """Calls a service with kontor_client; the account is read or created when a tool is first called."""

    signs = True

    def __init__(self, url: str, name: str | None) -> None:
        self._url = url
        self._name = name
        self._kontor = Kontor(url, retry_s=_RETRY_S)
        self._lock = Lock()

    def close(self) -> None:
        self._kontor.close()

    @contextmanager
    def _using(self) -> Iterator[Kontor]:
        """Use the client in this thread alone; its errors become refusals."""
        with self._lock, _refusals():
            if self._kontor.connection.token is None:
                self._kontor.sign_in(self._name)
            yield self._kontor

    def get(self, path: str, **query: Plain) -> Plain:
        with self._using() as kontor:
            return kontor.connection.get(path, **query)

    def match(self, match: str, version: int | None = None) -> dict[str, Any]:
        """Return a match; a sealed contribution that is due is opened."""
        with self._using() as kontor:
            return kontor.match(match, version, tell="en").data

    def wait(self, match: str, after: int, seconds: int) -> bool:
        with self._using() as kontor:
            token = kontor.connection.token
        with _refusals(), closing(Kontor(self._url, token, retry_s=_RETRY_S)) as waiting:
            path = f"/v1/matches/{match}/events"
            return bool(waiting.connection.get(path, after=after, limit=1, wait=seconds)["events"])

    def create(self, body: dict[str, Any]) -> dict[str, Any]:
        with self._using() as kontor:
            return kontor.create_match(**body).data

    def join(self, match: str, seat: int | None, link_key: str | None) -> dict[str, Any]:
        with self._using() as kontor:
            if link_key:
                kontor.show_key(match, link_key)
            return kontor.join(match, seat).data

    def play(self, match: str, move: Plain, version: int) -> dict[str, Any]:
        with self._using() as kontor:
            return kontor.play(match, move, version, tell="en").data

    def dry_run(self, match: str, move: Plain, version: int) -> dict[str, Any]:
        with self._using() as kontor:
            path = f"/v1/matches/{match}/dry-runs?tell=en"
            return dict(kontor.connection.command("POST", path, move, version))

    def resign(self, match: str) -> dict[str, Any]:
        with self._using() as kontor:
            return kontor.resign(match).data


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except KontorError as error:
        raise CallRefusedError(error.problem) from error
    except (OSError, ValueError) as error:
        raise CallRefusedError({"code": "client_error", "detail": str(error)}) from error


class StdioServer:
    """Answers each line of the input with a line of the output, in any order."""

    def __init__(self, calls: ClientCalls, lines: IO[str], output: IO[str]) -> None:
        self._calls = calls
        self._lines, self._output = lines, output
        self._protocol = Protocol(LOCAL_GUIDE, VERSION)
        self._writing = Lock()
        self._cancelled: set[str | int] = set()

    def run(self) -> None:
        """Answer until the input ends."""
        with ThreadPoolExecutor(_THREADS) as pool:
            for line in self._lines:
                if line.strip():
                    self._take(line, pool.submit)

    def _take(self, line: str, submit: Callable[..., Any]) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            self._write(
                {"jsonrpc": "2.0", "id": None, "error": {"code": PARSE_ERROR, "message": "This is not JSON."}}
            )
            return
        if isinstance(message, dict) and message.get("method") == _CANCELLED:
            params = message.get("params")
            wanted = params.get("requestId") if isinstance(params, dict) else None
            if isinstance(wanted, str | int):
                self._cancelled.add(wanted)
        else:
            submit(self._answer, message)

    def _answer(self, message: Plain) -> None:
        try:
            answer = self._protocol.answer(message, lambda: self._calls).message
        except Exception as error:  # noqa: BLE001  # the client must get an answer
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
            failed = {"code": -32603, "message": "Internal error of kontor mcp; its error output says more."}
            answer = {"jsonrpc": "2.0", "id": message.get("id"), "error": failed}
        if answer is not None and answer["id"] not in self._cancelled:
            self._write(answer)

    def _write(self, answer: dict[str, Any]) -> None:
        with self._writing:
            self._output.write(json.dumps(answer) + "\n")
            self._output.flush()
