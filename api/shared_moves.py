"""Plays moves in many matches, each in the process that owns the match (`service/siblings.py`)."""

from collections.abc import Callable, Sequence
from secrets import token_hex

import msgspec
from msgspec.structs import replace

from kontor_games.api.answers import MatchMovesAnswer
from kontor_games.api.problems import problem_of
from kontor_games.api.render import encode
from kontor_games.domain.codec import Plain
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import BriefMoveAnswer
from kontor_games.service.matches.many_moves import MoveRequest

_ENCODER = msgspec.msgpack.Encoder()
_COMMANDS = msgspec.msgpack.Decoder(list[MoveRequest])
_ANSWERS = msgspec.json.Decoder(list[msgspec.Raw])


def play_across_processes(kontor: Kontor, commands: Sequence[MoveRequest]) -> list[Plain]:
    """Play commands in the processes that own their matches; return the answers in the same order.

    If another process does not answer, its commands are played here.
    """
    parts: list[tuple[list[int], list[MoveRequest], Callable[[], bytes | None] | None]] = []
    for name, indices in kontor.siblings.indices_by_owner([one.match_id for one in commands]).items():
        part = [commands[index] for index in indices]
        if name:
            part = [_with_key(command) for command in part]
            parts.append((indices, part, kontor.siblings.ask(name, _ENCODER.encode(part))))
        else:
            parts.insert(0, (indices, part, None))  # played while the other processes work on theirs
    answers: dict[int, Plain] = {}
    for indices, part, reply in parts:
        encoded = reply() if reply else None
        found = play_here(kontor, part) if encoded is None else _ANSWERS.decode(encoded)
        answers.update(zip(indices, found, strict=True))
    return [answers[index] for index in range(len(commands))]


def _with_key(command: MoveRequest) -> MoveRequest:
    """Add a key to a command without one, so that it is executed once even if two processes receive it."""
    if command.call.key is not None:
        return command
    return replace(command, call=replace(command.call, key=token_hex(8)))


def play_here(kontor: Kontor, commands: Sequence[MoveRequest]) -> list[MatchMovesAnswer]:
    """Play commands in this process and return the answers."""
    results = kontor.many_moves.play(commands)
    return [_answer(one.match_id, result) for one, result in zip(commands, results, strict=True)]


def answer_sibling(kontor: Kontor, message: bytes) -> bytes:
    """Play the encoded commands of another process and return the encoded answers."""
    return encode(play_here(kontor, _COMMANDS.decode(message)))


def _answer(match_id: str, result: BriefMoveAnswer | Exception) -> MatchMovesAnswer:
    if isinstance(result, BriefMoveAnswer):
        return MatchMovesAnswer(match_id, 201, result.replayed, result, None)
    problem = problem_of(result)
    if problem.status == 500:
        raise result
    body = problem.body(f"/v1/matches/{match_id}/moves")
    return MatchMovesAnswer(match_id, problem.status, False, None, body)
