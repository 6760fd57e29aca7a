"""A position for each kind of move of a game, set up in a running service; the kinds come from the rules."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from typing import Any

from kontor_games.domain.codec import Plain
from kontor_games.domain.commands import Create
from kontor_games.domain.game import Move, Rules
from kontor_games.domain.games import installed_games
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import (
    MATCH_CODEC,
    MatchCreated,
    PositionSet,
    SeatPlan,
    find_rules,
    read_facts,
)
from kontor_games.domain.position import dump_position
from kontor_games.domain.seed import commitment_of
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import Caller
from kontor_games.service.settings import Settings
from tests.corpus.record import CORPUS

_SECRET = sha256(b"a secret of a position that was set up").hexdigest()
_SOURCE = "00000000-0000-4000-8000-000000000000"


@dataclass(frozen=True)
class Situation:
    """A position in which a seat made a move, and the move in the form in which it was stored."""

    created: MatchCreated
    position: Plain
    seat: int
    stored: dict[str, Plain]

    @property
    def rules(self) -> Rules[Any]:
        """The rules of the match."""
        return find_rules(self.created.game, self.created.rules_version, self.created.data)

    @property
    def shortest(self) -> dict[str, Plain]:
        """The same move with as few fields as possible, and its lists reversed where that means the same."""
        codec = self.rules.move_codec
        move: dict[str, Plain] = json.loads(json.dumps(self.stored))
        meant = codec.parse(move)
        for part, name in list(_fields(move)):
            value = part.pop(name)
            if _meaning(codec, move) != meant:
                part[name] = value[::-1] if isinstance(value, list) else value
            if _meaning(codec, move) != meant:
                part[name] = value
        return move


def _fields(part: dict[str, Plain]) -> Iterator[tuple[dict[str, Plain], str]]:
    """Yield each field of a move and of its parts, the parts first."""
    for value in part.values():
        if isinstance(value, dict):
            yield from _fields(value)
    yield from ((part, name) for name in list(part))


def _meaning(codec: Any, move: Plain) -> Move | None:
    return codec.parse_into(move, "", [])  # type: ignore[no-any-return]


@cache
def situations(game: str) -> dict[str, Situation]:
    """A situation for each kind of move of a game; a kind that no recorded match contains is an error."""
    kinds = installed_games()[game].rules().move_codec.types
    found: dict[str, Situation] = {}
    for file in sorted((CORPUS / game).glob("*.ndjson"), key=lambda file: (-int(file.name[1]), file.name)):
        if len(found) < len(kinds):  # the newest rules first
            for situation in _situations_in(file.read_bytes().splitlines()[1:-1]):
                found.setdefault(situation.stored["type"], situation)
    assert sorted(found) == sorted(kinds), "record a match with each kind of move (tests/corpus/record.py)"
    return found


def _situations_in(lines: list[bytes]) -> Iterator[Situation]:
    match, found = Match(), set[str]()
    for line in map(json.loads, lines):
        moves = line.get("command", {}).get("moves", ())
        if len(moves) == 1 and moves[0]["type"] not in found:
            found.add(moves[0]["type"])
            yield Situation(match.created, dump_position(match.state), line["seat"], moves[0])
        if match.version == 0:
            match.fold_fact(MATCH_CODEC.decode(line["fact"]))
        else:
            match.fold_fact(read_facts([line["fact"]], match.rules)[0])


def set_up(database_url: str, wanted: list[Situation], player: str, others: list[str]) -> list[str]:
    """Create a match in each position, with the seat to act reserved for the player; return their ids.

    This process does it like another node of the service, since nobody can ask for a position over HTTP.
    """
    kontor = Kontor(Settings(database_url=database_url, workers_in_process=False))
    try:
        return [_create(kontor, one, player, others) for one in wanted]
    finally:
        kontor.close()


def _create(kontor: Kontor, situation: Situation, player: str, others: list[str]) -> str:
    people = list(others[: len(situation.created.seats) - 1])
    people.insert(situation.seat, player)
    created = replace(
        situation.created,
        seats=tuple(SeatPlan("invited", player=one) for one in people),
        creator=others[0],
        branch=True,
        open_seed=None,
        server_secret=_SECRET,
        commitment=commitment_of(_SECRET),
    )
    caller = Caller(others[0], bot=False, scopes=frozenset(), token="")
    start = PositionSet(_SOURCE, 1, situation.position)
    create = Create(takes_seat=False, bot=False, contribution="")
    return kontor.matches.announce(Call(caller), create, lambda: created, start).position.id
