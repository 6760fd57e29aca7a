"""What players sign: the published vectors, and moves in the form in which they were sent."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kontor_client.ed25519 import from_base64
from kontor_client.ed25519 import is_signed as client_is_signed
from kontor_client.evidence import command_text
from kontor_client.export_check import UNORDERED as UNORDERED_IN_CLIENT
from kontor_client.export_check import same_moves
from kontor_games.domain.codec import Plain
from kontor_games.domain.commands import Join, Play
from kontor_games.domain.commands.playing import is_form_of
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_refusals import SignatureInvalidError
from kontor_games.domain.player_signatures import (
    Place,
    in_signed_form,
    play_command,
    signed_part_of_plain,
    text_around,
)
from kontor_games.service.ed25519 import is_signed
from tests.corpus.record import CORPUS
from tests.domain.signatures_by_the_document import (
    UNORDERED,
    is_same_move,
    signed_part,
    signed_text,
    vectors,
)
from tests.support.players import PlayerKey, canonical
from tests.support.recording import OPEN, Recording, announcement

VECTORS = json.loads((Path(__file__).parents[2] / "docs/vectors/signatures.json").read_bytes())
RULES = {name: game.rules() for name, game in installed_games().items()}
CODECS = {kind: rules.move_codec for rules in RULES.values() for kind in rules.move_codec.types}


def test_the_published_vectors_are_those_of_the_document() -> None:
    assert vectors() == VECTORS


@pytest.mark.parametrize("vector", VECTORS["commands"], ids=lambda vector: vector["version"])
def test_the_service_and_its_client_compute_the_published_texts(vector: Any) -> None:
    match, version, head, by = (vector[name] for name in ("match", "version", "head", "by"))
    command, text = vector["command"], vector["text"].encode()
    assert signed_text(by, signed_part(command), head, match, version).encode() == text
    assert text_around(match, version, head, by, signed_part_of_plain(command)) == text
    assert command_text(match, by, command, version, head) == text
    assert is_signed(vector["public_key"], command["signature"], text)
    assert client_is_signed(from_base64(vector["public_key"]), from_base64(command["signature"]), text)


@pytest.mark.parametrize("part", ["same", "different"])
def test_the_service_and_its_client_agree_which_moves_are_the_same(part: str) -> None:
    for vector in VECTORS[part]:
        sent, stored = vector["sent"], vector["stored"]
        codec = CODECS[stored["type"]]
        move = codec.parse(stored)
        assert codec.encode(move) == stored, "it is in the form in which it is stored"
        assert is_form_of([move], [sent], codec) == same_moves([sent], [stored]) == (part == "same"), vector
        assert is_same_move(sent, stored) == (part == "same"), vector


def recorded_moves() -> Iterator[dict[str, Plain]]:
    """Yield every move of the recorded matches under the current rules."""
    for game, rules in RULES.items():
        for file in CORPUS.glob(f"{game}/v{rules.version}-*"):
            for line in file.read_bytes().splitlines():
                yield from json.loads(line).get("command", {}).get("moves", ())


def test_the_lists_whose_order_has_no_meaning_are_those_of_the_rules() -> None:
    found = set()
    for move in recorded_moves():
        codec = CODECS[move["type"]]
        for name, value in move.items():
            is_turned = isinstance(value, list) and value != value[::-1]
            if is_turned and codec.parse({**move, name: value[::-1]}) == codec.parse(move):
                found.add((move["type"], name))
    assert (
        found == UNORDERED == {(kind, name) for kind, names in UNORDERED_IN_CLIENT.items() for name in names}
    )


def defaults_in(schema: Plain) -> Iterator[Plain]:
    if isinstance(schema, dict):
        if "default" in schema:
            yield schema["default"]
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from defaults_in(part)


@pytest.mark.parametrize("kind", CODECS)
def test_a_field_that_need_not_be_sent_is_zero_null_false_or_empty(kind: str) -> None:
    defaults = defaults_in(CODECS[kind].schema(kind))
    assert [default for default in defaults if default not in (0, None, False, "", [], {})] == []


# New commands

KEY, OTHER = PlayerKey("ann"), PlayerKey("ben")


def table() -> Recording:
    """A match of two players with keys."""
    recording = Recording(announcement("speicherstadt", OPEN, OPEN))
    for name, key in (("ann", KEY), ("ben", OTHER)):
        recording.do(name, Join(None, bot=False, contribution="", key=key.public))
    return recording


def accepted(recording: Recording, sent: list[Plain], signature: str) -> Play:
    """Return the command that is stored for moves that Ann sends; raise the refusal."""
    match, heads = recording.match, recording.heads()
    places = [
        Place(recording.id, version, heads[version - 1]) for version in (match.version - 1, match.version)
    ]
    moves = tuple(map(match.rules.move_codec.parse, sent))
    command = play_command(match.rules, moves, sent, signature)
    stored = in_signed_form(match, places[-1], places[:-1], "ann", command, is_signed)
    assert isinstance(stored, Play)
    return stored


CONVERT = {"type": "convert", "give": ["tea", "coffee", "tea"], "take": "rubber"}
STORED = {**CONVERT, "give": ["coffee", "tea", "tea"]}


def signed(recording: Recording, moves: Plain, **other: Any) -> str:
    """Ann's signature over moves; `other` replaces parts of the text."""
    version = recording.match.version
    parts = {"by": "ann", "command": {"type": "play", "moves": moves}, "head": recording.heads()[-1]}
    text = canonical({**parts, "match": recording.id, "version": version, **other})
    return KEY.sign(b"kontor.command.1\n" + text)


def test_moves_that_are_signed_as_sent_are_stored_as_sent_too() -> None:
    recording = table()
    command = accepted(recording, [CONVERT], signed(recording, [CONVERT]))
    assert command.sent_moves == (CONVERT,)
    assert command.wrong_sent_moves(recording.match.rules.move_codec) is None


def test_moves_that_are_signed_as_stored_are_stored_once() -> None:
    recording = table()
    for sent in (CONVERT, STORED):
        assert accepted(recording, [sent], signed(recording, [STORED])).sent_moves is None


def test_a_number_can_be_sent_with_a_fraction_of_zero_and_is_signed_as_an_integer() -> None:
    match = Recording(announcement("europe", OPEN, OPEN, OPEN)).match
    moves = [match.rules.move_codec.parse({"type": "decline_offer", "offer": 5.0})]
    assert play_command(match.rules, moves, [{"type": "decline_offer", "offer": 5.0}], "").sent_moves is None


def before(recording: Recording) -> dict[str, Any]:
    """The place in the history before the last command."""
    return {"version": recording.match.version - 1, "head": recording.heads()[-2]}


def without_first_line(recording: Recording, moves: Plain) -> str:
    parts = {"by": "ann", "command": {"type": "play", "moves": moves}, "head": recording.heads()[-1]}
    return KEY.sign(canonical({**parts, "match": recording.id, "version": recording.match.version}))


def with_another_key(recording: Recording, moves: Plain) -> str:
    parts = {"by": "ann", "command": {"type": "play", "moves": moves}, "head": recording.heads()[-1]}
    text = canonical({**parts, "match": recording.id, "version": recording.match.version})
    return OTHER.sign(b"kontor.command.1\n" + text)


@pytest.mark.parametrize(
    ("sign", "difference"),
    [
        (
            lambda table, moves: signed(table, moves, **before(table)),
            "It is valid for version {before} and its head, but the match is at version {now}",
        ),
        (
            lambda table, moves: signed(table, moves, version=table.match.version + 1),
            "You signed `version` {after} with the `head` of version {now}.",
        ),
        (without_first_line, "lacks its first line, `kontor.command.1`"),
        (lambda table, moves: signed(table, moves, by="ben"), "`by` is ben in the text that you signed"),
        (with_another_key, "It was made with the key of seat 1, not with that of your seat."),
        (lambda table, moves: signed(table, moves[0]), 'is not `{{"moves":[…],"type":"play"}}`'),
        (lambda table, moves: signed(table, moves, command=moves[0]), 'is not `{{"moves":[…],'),
        (lambda *_: KEY.sign(b"something else"), "sign with the private key of"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("move", [STORED, CONVERT], ids=["as stored", "as sent"])
def test_a_refusal_says_what_differs_and_which_texts_are_accepted(
    sign: Any, difference: str, move: Any
) -> None:
    recording = table()
    now = recording.match.version
    with pytest.raises(SignatureInvalidError) as refused:
        accepted(recording, [move], sign(recording, [move]))
    assert difference.format(before=now - 1, now=now, after=now + 1) in refused.value.detail
    expected, as_sent = refused.value.expected, refused.value.expected_as_sent
    assert accepted(recording, [move], KEY.sign(expected.encode())).sent_moves is None
    if move == STORED:
        assert as_sent is None
    else:
        assert accepted(recording, [move], KEY.sign((as_sent or "").encode())).sent_moves == (CONVERT,)


# Recorded commands


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ({"sent_moves": [{**CONVERT, "take": "tea"}]}, "are not those that were made"),
        ({"sent_moves": [CONVERT, CONVERT]}, "are not those that were made"),
        ({"sent_moves": [{**CONVERT, "more": 0}]}, "are not those that were made"),
        ({"sent_moves": [STORED]}, "although they are stored in the same form"),
        ({"sent_moves": [CONVERT], "signature": None}, "although they are not signed"),
    ],
)
def test_moves_as_sent_must_mean_the_moves_that_were_made(command: Any, wrong: str) -> None:
    recording = table()
    codec = recording.match.rules.move_codec
    recorded = {"moves": (codec.parse(STORED),), "signature": "A" * 88, **command}
    recorded["sent_moves"] = tuple(recorded["sent_moves"])
    assert wrong in str(Play(**recorded).wrong_author(recording.match, "ann"))


def test_numbers_of_moves_as_sent_must_be_canonical() -> None:
    rules = installed_games()["europe"].rules()
    [sent] = [{"type": "decline_offer", "offer": 5.0}]
    assert not is_form_of([rules.move_codec.parse(sent)], [sent], rules.move_codec)
