"""Bots of your own at home: a Python class, or any program that reads and writes lines of JSON.

A bot is named as `label=path.py:Class` or `label=exec:command`. It gets its seat, its view and the legal moves as
plain data, and answers with one of the moves (docs/own-bots.md). A crash, an answer that takes too long, or
anything that is not a legal move counts as a fault, and a random legal move is made instead.
"""

import importlib.util
import json
import select
import shlex
import subprocess
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from kontor_games.domain.chance import Draws
from kontor_games.domain.codec import Plain
from kontor_games.domain.game import Move, Rules, View

TIME_LIMIT_S = 10.0
"""How long a program may think about one move."""
_EXEC = "exec:"


class OwnBotError(Exception):
    """An own bot can't be loaded or started."""


class PlainBot(Protocol):
    """What an own bot in Python looks like; its class is called without arguments."""

    def choose(self, seat: int, view: Plain, legal_moves: list[Plain]) -> Plain:
        """Return one of the legal moves."""


def label_of(name: str) -> str:
    """Return the name of a bot without where it comes from."""
    return name.partition("=")[0]


def is_own(name: str) -> bool:
    """Return whether a name says where the bot comes from."""
    return "=" in name


class OwnBot:
    """An own bot at the table, with a count of its faults."""

    def __init__(self, rules: Rules[Any], name: str) -> None:
        """Load the class or start the program; raise OwnBotError if that is not possible."""
        self._rules = rules
        source = name.partition("=")[2]
        self._bot: PlainBot = _Program(source[len(_EXEC) :]) if source.startswith(_EXEC) else _load(source)
        self.faults = 0

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        """Ask the bot; make a random legal move in place of a fault."""
        if not legal:
            return None
        encode = self._rules.move_codec.encode
        offered = [encode(move) for move in legal]
        try:
            return legal[offered.index(self._bot.choose(seat, view(), offered))]
        except Exception:  # noqa: BLE001  # whatever somebody's bot raises is a fault of that bot
            self.faults += 1
            return legal[draws.below(len(legal))]


def _load(source: str) -> PlainBot:
    path, _, name = source.partition(":")
    file = Path(path)
    if not file.is_file() or not name:
        raise OwnBotError(f"{source}: name a bot of your own as path.py:Class or exec:command.")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise OwnBotError(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        bot: PlainBot = getattr(module, name)()
    except Exception as error:
        raise OwnBotError(f"{source} can't be loaded: {type(error).__name__}: {error}") from error
    return bot


class _Program:
    """A program that reads one JSON object a line and answers with one move a line."""

    def __init__(self, command: str) -> None:
        self._command = shlex.split(command)
        self._process = _start(self._command)
        self._running = weakref.finalize(self, _stop, self._process)

    def choose(self, seat: int, view: Plain, legal_moves: list[Plain]) -> Plain:
        """Ask the program; one that has ended is started again."""
        if self._process.poll() is not None:
            self._running()
            self._process = _start(self._command)
            self._running = weakref.finalize(self, _stop, self._process)
        question = json.dumps({"seat": seat, "view": view, "legal_moves": legal_moves})
        pipe, answers = self._process.stdin, self._process.stdout
        if pipe is None or answers is None:
            raise OwnBotError("the program has no pipes")
        pipe.write(question.encode() + b"\n")
        pipe.flush()
        if not select.select([answers], [], [], TIME_LIMIT_S)[0]:
            self._running()
            raise TimeoutError
        return json.loads(answers.readline())


def _start(command: list[str]) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
    except (OSError, IndexError) as error:
        raise OwnBotError(f"{' '.join(command)} can't be started: {error}") from error


def _stop(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()
