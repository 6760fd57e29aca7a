"""Parses the body of `POST /v1/moves` by hand: a schema library would take more time than the moves."""

import re
from collections.abc import Iterable, Iterator, Mapping

from kontor_games.api.schemas.fields import KEY, MAX_COMMANDS, MAX_MOVES, SIGNATURE, UUID
from kontor_games.domain.codec import Fault, MalformedError, Plain, digest
from kontor_games.domain.plain import MAX_INTEGER
from kontor_games.service.matches.many_moves import MoveRequest
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import Caller

_TEXTS = {
    "match": (re.compile(UUID), "must be the id of a match"),
    "key": (re.compile(KEY), "must have 1 to 255 visible ASCII characters"),
    "signature": (re.compile(SIGNATURE), "must be an Ed25519 signature in Base64, 88 characters"),
}
_NAMES = {"match", "move", "moves", "key", "version", "signature"}
_MAX_TYPE_LENGTH = 64


def read_commands(
    body: Plain, caller: Caller, key: str | None, tell: str | None = None, *, brief: bool = False
) -> list[MoveRequest]:
    """Return the commands of a request; `tell` and `brief` determine what their answers contain.

    Raise MalformedError if a command does not match its schema.
    """
    if not isinstance(body, dict):
        raise MalformedError([Fault("", "must be an object")])
    faults = _unknown(body, {"commands"}, "")
    commands = body.get("commands")
    if not isinstance(commands, list) or not 1 <= len(commands) <= MAX_COMMANDS:
        faults.append(Fault("/commands", f"must be a list of 1 to {MAX_COMMANDS} commands"))
    else:
        faults += [fault for i, one in enumerate(commands) for fault in _faults(one, f"/commands/{i}")]
    if faults or not isinstance(commands, list):
        raise MalformedError(faults)
    return [_request(command, index, caller, key, tell, brief) for index, command in enumerate(commands)]


def _request(
    command: Mapping[str, Plain],
    index: int,
    caller: Caller,
    key: str | None,
    language: str | None,
    brief: bool,  # noqa: FBT001  # only `read_commands` calls this
) -> MoveRequest:
    """The command exactly as `POST /v1/matches/{match_id}/moves` would build it, including its digest."""
    match_id, moves = command["match"], command.get("moves")
    pointer = f"/commands/{index}/moves/"
    if moves is None:
        moves, pointer, sent = [command["move"]], f"/commands/{index}/move", command["move"]
    else:
        sent = {"moves": moves}
    own_key, version = command.get("key") or (key and f"{key}.{index}"), command.get("version")
    request_digest = digest(["POST", f"/v1/matches/{match_id}/moves", sent])
    if_version = None if version is None else int(version)
    call = Call(caller, own_key, request_digest, if_version, command.get("signature"), language, brief)
    return MoveRequest(call, match_id, moves, pointer)


def _unknown(value: Mapping[str, Plain], known: Iterable[str], pointer: str) -> list[Fault]:
    return [Fault.unknown(pointer, name, known) for name in value if name not in known]


def _faults(command: Plain, pointer: str) -> Iterator[Fault]:
    if not isinstance(command, dict):
        yield Fault(pointer, "must be an object")
        return
    yield from _unknown(command, _NAMES, pointer)
    for name, (form, wrong) in _TEXTS.items():
        value = command.get(name)
        if value is None and name != "match":
            continue
        if not isinstance(value, str) or not form.fullmatch(value):
            yield Fault(f"{pointer}/{name}", wrong)
    version = command.get("version")
    if version is not None and not (_is_whole(version) and 0 <= version <= MAX_INTEGER):
        yield Fault(f"{pointer}/version", f"must be a whole number from 0 to {MAX_INTEGER}")
    yield from _move_faults(command, pointer)


def _is_whole(value: Plain) -> bool:
    """Return whether a value is an integer in the sense of JSON Schema, which includes 5.0."""
    return type(value) is int or (isinstance(value, float) and value.is_integer())


def _move_faults(command: Mapping[str, Plain], pointer: str) -> Iterator[Fault]:
    if ("move" in command) == ("moves" in command):
        yield Fault(pointer, "must have either `move` or `moves`")
    elif "move" in command:
        yield from _form_faults(command["move"], f"{pointer}/move")
    elif not isinstance(moves := command["moves"], list) or not 1 <= len(moves) <= MAX_MOVES:
        yield Fault(f"{pointer}/moves", f"must be a list of 1 to {MAX_MOVES} moves")
    else:
        for index, move in enumerate(moves):
            yield from _form_faults(move, f"{pointer}/moves/{index}")


def _form_faults(move: Plain, pointer: str) -> Iterator[Fault]:
    """Check everything about a move that does not depend on its game."""
    if not isinstance(move, dict):
        yield Fault(pointer, "must be an object")
    elif not isinstance(kind := move.get("type"), str) or not 1 <= len(kind) <= _MAX_TYPE_LENGTH:
        yield Fault(f"{pointer}/type", f"must be a text of 1 to {_MAX_TYPE_LENGTH} characters")
