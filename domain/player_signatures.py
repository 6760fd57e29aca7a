"""Signatures of players for their commands, so that nobody else can act in their name (docs/signatures.md).

A seat that was taken with a public key accepts only commands that are signed with that key. A signature
covers the match, the hash of the record before the command, the player and the command itself: it is
valid only for this command at this point of this match. Moves can be signed as they are sent or as they are
stored, with all fields.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from kontor_games.domain.codec import Plain, text_of, with_whole_numbers
from kontor_games.domain.commands import Join, Play, command_codec
from kontor_games.domain.game import Move, Rules
from kontor_games.domain.match import Match
from kontor_games.domain.match_refusals import SignatureInvalidError, SignatureRequiredError
from kontor_games.domain.stream import Command, IsSigned

_PREFIX = "kontor.command.1\n"


class Place(NamedTuple):
    """A place in the history of a match, at which a command is signed."""

    match: str
    version: int
    head: str


def required_key(match: Match, by: str, command: Command) -> str | None:
    """Return the key with which a command must be signed; None if its author plays without one."""
    return command.key if isinstance(command, Join) else match.key_of(by)


def play_command(rules: Rules[Any], moves: Sequence[Move], sent: Sequence[Plain], signature: str) -> Play:
    """Return a signed command that keeps the moves as sent if they are stored in another form."""
    as_sent = with_whole_numbers(sent)
    differs = text_of(as_sent) != text_of([rules.move_codec.encode(move) for move in moves])
    return Play(tuple(moves), sent_moves=tuple(as_sent) if differs else None, signature=signature)


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


def in_signed_form(
    match: Match, place: Place, earlier: Sequence[Place], by: str, command: Command, is_signed: IsSigned
) -> Command:
    """Return a new command in the form that its author signed: with the moves as sent, or only as stored.

    Raises a refusal if the signature is not valid for either; it names the first difference that it finds,
    also by comparison with `earlier` places.
    """
    stored = _stored_form(command)
    try:
        check_command(place.match, match, place.head, by, stored, is_signed)
    except SignatureInvalidError as error:
        key, signature = required_key(match, by, command), command.signature
        if key is None or signature is None:
            raise
        as_sent = None if command is stored else _text(match.rules, place, by, command)
        if as_sent is not None and is_signed(key, signature, as_sent):
            return command
        attempt = _Attempt(match, place, by, command, key, signature, is_signed)
        found = next(attempt.differences(earlier), _UNKNOWN.format(key=key))
        shown = None if as_sent is None else as_sent.decode()
        raise SignatureInvalidError(f"{error.detail} {found}", error.expected, shown) from error
    return stored


def _stored_form(command: Command) -> Command:
    """Return the command without the moves as sent."""
    if isinstance(command, Play) and command.sent_moves is not None:
        return replace(command, sent_moves=None)
    return command


def signed_text(
    match_id: str, rules: Rules[Any], version: int, head: str, by: str, command: Command
) -> bytes:
    """Return the text that a player signs; `version` and `head` are those of the match before the command."""
    return text_around(match_id, version, head, by, _signed_part(rules, command))


def _text(rules: Rules[Any], place: Place, by: str, command: Command) -> bytes:
    return signed_text(place.match, rules, place.version, place.head, by, command)


def _signed_part(rules: Rules[Any], command: Command) -> str:
    if isinstance(command, Play) and command.sent_moves is not None:
        return text_of({"moves": command.sent_moves, "type": Play.type})
    # Every command with a signature has the field, so `replace` accepts it.
    unsigned = command if command.signature is None else replace(command, signature=None)  # type: ignore[type-var]
    return command_codec(rules).write_public(unsigned)[0]


def signed_part_of_plain(command: dict[str, Plain]) -> str:
    """Return the part of a stored command that its player signed, in canonical form."""
    sent = {"moves": command["sent_moves"]} if "sent_moves" in command else {}
    left_out = ("sent_moves", "signature")
    return text_of({name: value for name, value in command.items() if name not in left_out} | sent)


def text_around(match_id: str, version: int, head: str, by: str, text: str) -> bytes:
    """Return the text that a player signs, given a command in canonical form without its signature."""
    return (
        f'{_PREFIX}{{"by":{text_of(by)},"command":{text},"head":"{head}",'
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


_UNKNOWN = (
    "It fits none of the usual mistakes: compare the text that you signed with `expected`, byte for byte, "
    "and sign with the private key of {key}, with which your seat was taken."
)


class _Attempt(NamedTuple):
    """A signature that is not valid, and what it may have been meant for."""

    match: Match
    place: Place
    by: str
    command: Command
    key: str
    signature: str
    is_signed: IsSigned

    def differences(self, earlier: Sequence[Place]) -> Iterator[str]:
        """Yield a sentence for each mistake that explains the signature, the most frequent ones first."""
        now, rules = self.place, self.match.rules
        for place in earlier:
            forms = (self.command, _stored_form(self.command))
            if self._signs(*(_text(rules, place, self.by, form) for form in forms)):
                yield (
                    f"It is valid for version {place.version} and its head, but the match is at version "
                    f"{now.version}: sign again with the `version` and `head` of the last answer."
                )
        part = _signed_part(rules, self.command)
        for version in (now.version - 1, now.version + 1):
            if self._signs(text_around(now.match, version, now.head, self.by, part)):
                yield f"You signed `version` {version} with the `head` of version {now.version}."
        text = text_around(now.match, now.version, now.head, self.by, part)
        if self._signs(text.removeprefix(_PREFIX.encode())):
            yield "The text that you signed lacks its first line, `kontor.command.1`."
        yield from self._other_authors(part, text)
        yield from self._other_shapes()

    def _other_authors(self, part: str, text: bytes) -> Iterator[str]:
        now = self.place
        for seat, taken in enumerate(self.match.seats):
            if taken is None or taken.house is not None or taken.player == self.by:
                continue
            if self._signs(text_around(now.match, now.version, now.head, taken.player, part)):
                yield f"`by` is {taken.player} in the text that you signed; your id is {self.by}."
            if taken.key is not None and self.is_signed(taken.key, self.signature, text):
                yield f"It was made with the key of seat {seat}, not with that of your seat."

    def _other_shapes(self) -> Iterator[str]:
        if isinstance(self.command, Join):
            other = replace(self.command, bot=not self.command.bot)
            if self._signs(_text(self.match.rules, self.place, self.by, other)):
                yield f"You signed another `bot`: in your account it is {text_of(self.command.bot)}."
        if isinstance(self.command, Play) and len(self.command.moves) == 1:
            now, codec = self.place, self.match.rules.move_codec
            [move] = self.command.sent_moves or map(codec.encode, self.command.moves)
            for part in (move, {"type": Play.type, "moves": move}):
                if self._signs(text_around(now.match, now.version, now.head, self.by, text_of(part))):
                    yield 'The `command` that you signed is not `{"moves":[…],"type":"play"}`.'

    def _signs(self, *texts: bytes) -> bool:
        return any(self.is_signed(self.key, self.signature, text) for text in dict.fromkeys(texts))
