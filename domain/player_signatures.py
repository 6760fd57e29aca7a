"""Signatures of players for their commands, so that nobody else can act in their name (docs/signatures.md).

A seat that was taken with a public key accepts only commands that are signed with that key. A signature
covers the match, the hash of the record before the command, the player and the command itself: it is
valid only for this command at this point of this match.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kontor_games.domain.codec import text_of
from kontor_games.domain.commands import Command, Join, command_codec
from kontor_games.domain.game import Rules
from kontor_games.domain.match import Match
from kontor_games.domain.match_refusals import SignatureInvalidError, SignatureRequiredError

IsSigned = Callable[[str, str, bytes], bool]
"""Whether a signature over a message was made with a public key; both are in Base64."""


def required_key(match: Match, by: str, command: Command) -> str | None:
    """Return the key with which a command must be signed; None if its author plays without one."""
    return command.key if isinstance(command, Join) else match.key_of(by)


def check_command(
    match_id: str, match: Match, head: str, by: str, command: Command, is_signed: IsSigned
) -> None:
    """Raise a refusal unless a command is signed by its author, if they sign, for this head of the match."""
    check_signature(
        required_key(match, by, command),
        command.signature,
        lambda: signed_text(match_id, match.rules, match.version, head, by, command),
        is_signed,
    )


def signed_text(
    match_id: str, rules: Rules[Any], version: int, head: str, by: str, command: Command
) -> bytes:
    """Return the text that a player signs; `version` and `head` are those of the match before the command."""
    # Every command with a signature has the field, so `replace` accepts it.
    unsigned = command if command.signature is None else replace(command, signature=None)  # type: ignore[type-var]
    return text_around(match_id, version, head, by, command_codec(rules).write_public(unsigned)[0])


def text_around(match_id: str, version: int, head: str, by: str, text: str) -> bytes:
    """Return the text that a player signs, given a command in canonical form without its signature."""
    return (
        f'kontor.command.1\n{{"by":{text_of(by)},"command":{text},"head":"{head}",'
        f'"match":{text_of(match_id)},"version":{version}}}'
    ).encode()


def check_signature(
    key: str | None, signature: str | None, text: Callable[[], bytes], is_signed: IsSigned
) -> None:
    """Raise a refusal if a command is not signed as required; the text is computed only if needed."""
    if key is None:
        if signature is not None:
            raise SignatureInvalidError("Your seat has no key, so its commands are not signed.", "")
        return
    expected = text()
    if signature is None:
        raise SignatureRequiredError("Your seat was taken with a key: sign each command.", expected.decode())
    if not is_signed(key, signature, expected):
        raise SignatureInvalidError(
            "The signature is not valid for this command at the current version.", expected.decode()
        )
