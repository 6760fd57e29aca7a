"""Own bots of the user: a Python class, a program that reads and writes lines of JSON, or an HTTP server.

A bot is named as `label=path.py:Class`, `label=exec:command` or `label=http://host:port/path`. It gets its
seat, its view and the legal moves as plain data, and answers with a move (docs/own-bots.md). A crash, an
answer that takes too long, or anything that is not a legal move counts as a fault, and a random legal move is
made instead.
"""

import importlib.util
import inspect
import itertools
import json
import os
import re
import select
import shlex
import signal
import socket
import subprocess
import traceback
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from threading import current_thread, main_thread
from time import monotonic
from typing import Any, Literal, NamedTuple, NoReturn, Protocol
from urllib.parse import urlsplit

from kontor_games.domain.chance import Draws
from kontor_games.domain.codec import MalformedError, Plain
from kontor_games.domain.game import Move, Refusal, Rules
from kontor_games.domain.state import State
from kontor_games.service.errors import OperatorError

TIME_LIMIT_S = 10.0
"""Time limit for one move of an own bot."""
_EXEC = "exec:"
_WEB = ("http://", "https://")
_MAX_ANSWER_BYTES = 1_000_000
_QUOTED_CHARACTERS = 80
_PYTHON_FILE = re.compile(r"\.py(:|$)")
_QUICK_ACK: int | None = getattr(socket, "TCP_QUICKACK", None)
"""The option that acknowledges packets at once; only Linux has it."""


FaultKind = Literal["crashed", "late", "illegal"]


class OwnBotError(OperatorError):
    """An own bot can't be loaded or started."""


class _NoMoveError(Exception):
    """The answer of a bot is no move at all."""


class Question(NamedTuple):
    """What an own bot is asked, as plain data."""

    seat: int
    view: Plain
    legal_moves: list[Plain]
    open_moves: list[str]
    """The kinds of move that are possible but too many to list, such as trade offers."""


Answerer = Callable[[Question], Plain]
"""Returns the move of an own bot."""


class PlainBot(Protocol):
    """The interface of an own bot in Python; its class is instantiated without arguments.

    Its method may have a parameter `open_moves` after these.
    """

    def choose(self, seat: int, view: Plain, legal_moves: list[Plain]) -> Plain:
        """Return a legal move; None to make no move while the match waits for others."""


def with_label(name: str) -> str:
    """Return the name of a bot with a label: `bot.py:Class` becomes `Class=bot.py:Class`."""
    if not name.startswith((_EXEC, *_WEB)) and ("=" in name or not _PYTHON_FILE.search(name)):
        return name  # it has a label, or is a house bot
    if name.startswith(_WEB):
        return f"{urlsplit(name).netloc}={name}"
    if not name.startswith(_EXEC):
        return f"{name.rpartition(':')[2]}={name}"
    program, *arguments = name[len(_EXEC) :].split() or [""]
    named = next((word for word in arguments if not word.startswith("-")), program)
    return f"{Path(named).stem or 'program'}={name}"


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
    """Asks an own bot for its moves, and records its faults."""

    _order = itertools.count()

    def __init__(self, rules: Rules[Any], name: str) -> None:
        """Load the class, start the program or note the address; raise OwnBotError if that is impossible."""
        self._rules = rules
        self._source = name.partition("=")[2]
        self._ask = _answerer(self._source)
        self._faults: list[BotFault] = []

    def take_faults(self) -> list[BotFault]:
        """Return the faults since the last call."""
        taken, self._faults = self._faults, []
        return taken

    def choose(self, state: State, seat: int, draws: Draws) -> Move | None:
        """Ask the bot of a seat that has listed moves; after a fault, return a random one of them instead."""
        rules = self._rules
        legal = rules.legal_moves(state, seat)
        if not legal:
            return None
        offered = [rules.move_codec.encode(move) for move in legal]
        kinds = [kind.type for kind in rules.open_moves(state, seat)]
        try:
            chosen = self._ask(Question(seat, rules.view(state, seat), offered, kinds))
        except OwnBotError:
            raise
        except Exception as error:  # noqa: BLE001  # any exception of an own bot is a fault of that bot
            self._note(seat, _words(error, self._source), _kind_of(error))
            return legal[draws.below(len(legal))]
        if chosen in offered:
            return legal[offered.index(chosen)]
        if chosen is None and seat not in rules.to_act(state):
            return None
        try:
            return self._unlisted(state, seat, chosen)
        except (Refusal, MalformedError) as refusal:
            text = json.dumps(chosen, default=repr)
            self._note(seat, f"{_quoted(text)} is not a legal move: {refusal}", "illegal")
        return legal[draws.below(len(legal))]

    def _unlisted(self, state: State, seat: int, chosen: Plain) -> Move:
        """Return a move that no list contains, such as a trade offer; raise if it is not legal."""
        move: Move = self._rules.move_codec.parse(chosen)
        self._rules.verify(state, seat, move)
        return move

    def _note(self, seat: int, detail: str, kind: FaultKind) -> None:
        self._faults.append(BotFault(next(self._order), seat, detail, kind))


def _kind_of(error: Exception) -> FaultKind:
    if isinstance(error, TimeoutError):
        return "late"
    return "illegal" if isinstance(error, _NoMoveError) else "crashed"


def _words(error: Exception, source: str) -> str:
    """Return the error with its type, and the line of the bot where it was raised."""
    if isinstance(error, (_NoMoveError, TimeoutError)):
        return str(error)
    return f"{type(error).__name__}: {error}{_place(error, source)}"


def _place(error: Exception, source: str) -> str:
    """Return the innermost line of a Python bot that the error came from."""
    if source.startswith((_EXEC, *_WEB)):
        return ""
    file = Path(source.rpartition(":")[0])
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == file.resolve()]
    return f" ({file.name}, line {lines[-1]})" if lines else ""


def _quoted(text: str) -> str:
    return text if len(text) <= _QUOTED_CHARACTERS else f"{text[:_QUOTED_CHARACTERS]}…"


def _parsed(answer: bytes) -> Plain:
    """Return the move in an answer; raise _NoMoveError with its first characters if it is not JSON."""
    try:
        return json.loads(answer)
    except ValueError as error:
        text = json.dumps(_quoted(answer.decode(errors="replace").strip()), ensure_ascii=False)
        raise _NoMoveError(f"the answer {text} is not JSON") from error


def _answerer(source: str) -> Answerer:
    if source.startswith(_EXEC):
        return _Program(source[len(_EXEC) :]).answer
    return _Server(source).answer if source.startswith(_WEB) else _load(source).answer


def _load(source: str) -> "_Timed":
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
        raise OwnBotError(f"{source} can't be loaded: {_words(error, source)}") from error
    if not callable(getattr(bot, "choose", None)):
        raise OwnBotError(f"{source} has no method choose(self, seat, view, legal_moves).")
    return _Timed(bot)


class _Timed:
    """A bot of a Python class, which is interrupted when its time is up."""

    def __init__(self, bot: PlainBot) -> None:
        self._choose: Callable[..., Plain] = bot.choose
        self._takes = 4 if "open_moves" in inspect.signature(bot.choose).parameters else 3

    def answer(self, question: Question) -> Plain:
        """Ask the bot. Outside the main thread, as on a cluster, lateness is only noticed afterwards."""
        began = monotonic()
        with _interrupted_when_late():
            chosen = self._choose(*question[: self._takes])
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


class _Program:
    """A program that reads one JSON object a line and answers with one move a line."""

    def __init__(self, command: str) -> None:
        self._command = shlex.split(command)
        self._has_answered = False
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

    def answer(self, question: Question) -> Plain:
        """Ask the program; one that has ended is started again."""
        if self._process.poll() is not None:
            self._running()
            self._start()
        pipe, answers = self._process.stdin, self._process.stdout
        if pipe is None or answers is None:
            raise OwnBotError("the program has no pipes")
        with suppress(BrokenPipeError):  # it has ended, which reading its answer reports
            pipe.write(json.dumps(question._asdict()).encode() + b"\n")
            pipe.flush()
        line = self._line(answers.fileno(), monotonic() + TIME_LIMIT_S)
        self._has_answered = True
        return _parsed(line)

    def _line(self, pipe: int, until: float) -> bytes:
        """Read one line; a program that has not ended it in time is stopped."""
        while b"\n" not in self._unread:
            ready = select.select([pipe], [], [], max(0.0, until - monotonic()))[0]
            if not ready or len(self._unread) > _MAX_ANSWER_BYTES:
                self._running()
                _raise_too_late()
            part = os.read(pipe, 65536)
            if not part:
                ended = f"the program ended with status {self._process.wait()}"
                if not self._has_answered:
                    raise OwnBotError(f"{shlex.join(self._command)}: {ended} before its first answer.")
                raise EOFError(ended)
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

    def answer(self, question: Question) -> Plain:
        """Ask the server, on one connection for all questions."""
        try:
            return self._ask(json.dumps(question._asdict()).encode())
        except (OSError, HTTPException):
            self._connection.close()  # the next question opens it again
            raise

    def _ask(self, question: bytes) -> Plain:
        path = self._url.path or "/"
        self._connection.request("POST", path, question, {"Content-Type": "application/json"})
        if _QUICK_ACK is not None:
            # A server that writes head and body separately sends the body only when its head is acknowledged,
            # which the kernel would delay by 40 ms. The option lasts until the next request is sent.
            self._connection.sock.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)
        answer = self._connection.getresponse()
        text = answer.read(_MAX_ANSWER_BYTES)
        if answer.status != 200:
            raise ValueError(f"the bot answered {answer.status} {answer.reason}")
        return _parsed(text)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    with suppress(BrokenPipeError), process:  # leaving it closes its pipes and waits for its end
        process.kill()
