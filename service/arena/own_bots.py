"""Own bots of the user: a Python class, a program that reads and writes lines of JSON, or an HTTP server.

A bot is named as `label=path.py:Class`, `label=exec:command` or `label=http://host:port/path`. It gets its
seat, its view and the legal moves as plain data, and answers with one of the moves (docs/own-bots.md). A
crash, an answer that takes too long, or anything that is not a legal move counts as a fault, and a random
legal move is made instead.
"""

import importlib.util
import itertools
import json
import os
import select
import shlex
import signal
import subprocess
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from threading import current_thread, main_thread
from time import monotonic
from typing import Any, Literal, NamedTuple, NoReturn, Protocol
from urllib.parse import urlsplit

from kontor_games.domain.chance import Draws
from kontor_games.domain.codec import Plain
from kontor_games.domain.game import Move, Rules, View
from kontor_games.service.errors import OperatorError

TIME_LIMIT_S = 10.0
"""Time limit for one move of an own bot."""
_EXEC = "exec:"
_WEB = ("http://", "https://")
_MAX_ANSWER_BYTES = 1_000_000


FaultKind = Literal["crashed", "late", "illegal"]


class OwnBotError(OperatorError):
    """An own bot can't be loaded or started."""


class PlainBot(Protocol):
    """The interface of an own bot in Python; its class is instantiated without arguments."""

    def choose(self, seat: int, view: Plain, legal_moves: list[Plain]) -> Plain:
        """Return one of the legal moves."""


def label_of(name: str) -> str:
    """Return the name of a bot without its source."""
    return name.partition("=")[0]


def is_own(name: str) -> bool:
    """Return whether a name includes the source of the bot."""
    return "=" in name


def runs_elsewhere(name: str) -> bool:
    """Return whether the code of the bot is unknown here, because it is a program or a server."""
    return name.partition("=")[2].startswith((_EXEC, *_WEB))


def source_hash(name: str) -> str:
    """Return the hash of the file of a Python bot, to compare it with the one on another machine."""
    return sha256(Path(name.partition("=")[2].rpartition(":")[0]).read_bytes()).hexdigest()


class BotFault(NamedTuple):
    """A bot's failure to make a legal move in time, and the reason."""

    order: int
    seat: int
    detail: str
    kind: FaultKind


class OwnBot:
    """Adapts an own bot to the interface of house bots, and records its faults."""

    _order = itertools.count()

    def __init__(self, rules: Rules[Any], name: str) -> None:
        """Load the class, start the program or note the address; raise OwnBotError if that is impossible."""
        self._rules = rules
        self._bot = _bot(name.partition("=")[2])
        self._faults: list[BotFault] = []

    def take_faults(self) -> list[BotFault]:
        """Return the faults since the last call."""
        taken, self._faults = self._faults, []
        return taken

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        """Ask the bot; after a fault, return a random legal move instead."""
        if not legal:
            return None
        encode = self._rules.move_codec.encode
        offered = [encode(move) for move in legal]
        try:
            chosen = self._bot.choose(seat, view(), offered)
        except Exception as error:  # noqa: BLE001  # any exception of an own bot is a fault of that bot
            self._note(seat, f"{type(error).__name__}: {error}", _kind_of(error))
        else:
            if chosen in offered:
                return legal[offered.index(chosen)]
            self._note(seat, f"{json.dumps(chosen, default=repr)} is not a legal move", "illegal")
        return legal[draws.below(len(legal))]

    def _note(self, seat: int, detail: str, kind: FaultKind) -> None:
        self._faults.append(BotFault(next(self._order), seat, detail, kind))


def _kind_of(error: Exception) -> FaultKind:
    if isinstance(error, TimeoutError):
        return "late"
    return "illegal" if isinstance(error, json.JSONDecodeError) else "crashed"


def _bot(source: str) -> PlainBot:
    if source.startswith(_EXEC):
        return _Program(source[len(_EXEC) :])
    return _Server(source) if source.startswith(_WEB) else _load(source)


def _load(source: str) -> PlainBot:
    path, _, name = source.rpartition(":")
    file = Path(path)
    if not path or not name:
        raise OwnBotError(
            f"{source}: name a bot of your own as path.py:Class, exec:command or http://host:port/path."
        )
    if not file.is_file():
        raise OwnBotError(f"{path}: there is no such file.")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise OwnBotError(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        bot = getattr(module, name)()
    except Exception as error:
        raise OwnBotError(f"{source} can't be loaded: {type(error).__name__}: {error}") from error
    if not callable(getattr(bot, "choose", None)):
        raise OwnBotError(f"{source} has no method choose(self, seat, view, legal_moves).")
    return _Timed(bot)


class _Timed:
    """A bot of a Python class, which is interrupted when its time is up."""

    def __init__(self, bot: PlainBot) -> None:
        self._bot = bot

    def choose(self, seat: int, view: Plain, legal_moves: list[Plain]) -> Plain:
        """Ask the bot. Outside the main thread, as on a cluster, lateness is only noticed afterwards."""
        began = monotonic()
        with _interrupted_when_late():
            chosen = self._bot.choose(seat, view, legal_moves)
        if monotonic() - began > TIME_LIMIT_S:
            _raise_too_late()
        return chosen


@contextmanager
def _interrupted_when_late() -> Iterator[None]:
    if current_thread() is not main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _raise_too_late)
    signal.setitimer(signal.ITIMER_REAL, TIME_LIMIT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _raise_too_late(*_: object) -> NoReturn:
    raise TimeoutError(f"no answer within {TIME_LIMIT_S:g} s")


def _question(seat: int, view: Plain, legal_moves: list[Plain]) -> bytes:
    return json.dumps({"seat": seat, "view": view, "legal_moves": legal_moves}).encode()


class _Program:
    """A program that reads one JSON object a line and answers with one move a line."""

    def __init__(self, command: str) -> None:
        self._command = shlex.split(command)
        self._start()

    def _start(self) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603  # the user's own command
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except (OSError, IndexError) as error:
            raise OwnBotError(f"{' '.join(self._command)} can't be started: {error}") from error
        self._running = weakref.finalize(self, _stop, self._process)
        self._unread = b""

    def choose(self, seat: int, view: Plain, legal_moves: list[Plain]) -> Plain:
        """Ask the program; one that has ended is started again."""
        if self._process.poll() is not None:
            self._running()
            self._start()
        pipe, answers = self._process.stdin, self._process.stdout
        if pipe is None or answers is None:
            raise OwnBotError("the program has no pipes")
        pipe.write(_question(seat, view, legal_moves) + b"\n")
        pipe.flush()
        return json.loads(self._line(answers.fileno(), monotonic() + TIME_LIMIT_S))

    def _line(self, pipe: int, until: float) -> bytes:
        """Read one line; a program that has not ended it in time is stopped."""
        while b"\n" not in self._unread:
            ready = select.select([pipe], [], [], max(0.0, until - monotonic()))[0]
            if not ready or len(self._unread) > _MAX_ANSWER_BYTES:
                self._running()
                _raise_too_late()
            part = os.read(pipe, 65536)
            if not part:
                raise EOFError(f"the program ended with status {self._process.wait()}")
            self._unread += part
        line, _, self._unread = self._unread.partition(b"\n")
        return line


class _Server:
    """A bot that serves HTTP: it gets the question as a POST and answers with one move."""

    def __init__(self, url: str) -> None:
        self._url = urlsplit(url)
        if not self._url.hostname:
            raise OwnBotError(f"{url} has no host.")
        kind = HTTPSConnection if self._url.scheme == "https" else HTTPConnection
        self._connection = kind(self._url.hostname, self._url.port, timeout=TIME_LIMIT_S)
        weakref.finalize(self, self._connection.close)
        try:
            self._connection.connect()
        except OSError as error:
            raise OwnBotError(f"No bot answers at {url}: {error}") from error

    def choose(self, seat: int, view: Plain, legal_moves: list[Plain]) -> Plain:
        """Ask the server, on one connection for all questions."""
        try:
            return self._answer(_question(seat, view, legal_moves))
        except (OSError, HTTPException):
            self._connection.close()  # the next question opens it again
            raise

    def _answer(self, question: bytes) -> Plain:
        path = self._url.path or "/"
        self._connection.request("POST", path, question, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        text = answer.read(_MAX_ANSWER_BYTES)
        if answer.status != 200:
            raise ValueError(f"the bot answered {answer.status} {answer.reason}")
        return json.loads(text)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    with suppress(BrokenPipeError), process:  # leaving it closes its pipes and waits for its end
        process.kill()
