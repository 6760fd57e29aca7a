"""Matches scripted beforehand, so that a client can send their moves without computing anything.

With an open seed, the service draws the same random values as the script.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any
from uuid import uuid4

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import Plain
from kontor_games.domain.game import Game, Rules
from tests.support.http_connection import HttpConnection, request


@dataclass(frozen=True)
class Script:
    """The settings of a match, and all its moves with their seats."""

    game: str
    seats: int
    options: dict[str, Plain]
    seed: str
    moves: list[tuple[int, Plain]]
    facts: list[int]
    """How many facts each move causes."""


_RULES: dict[tuple[str, str | None], Rules[Any]] = {}


def rules_of(game: Game, data: str | None = None) -> Rules[Any]:
    """Cached rules, which all scripts share to save memory, as the matches of a process do."""
    if (game.id, data) not in _RULES:
        _RULES[game.id, data] = game.rules(data)
    return _RULES[game.id, data]


def make_script(
    game: Game, seats: int, seed: str, options: dict[str, Plain] | None = None, most_facts: int | None = None
) -> Script:
    """Play a match with random moves, and with the random values that the service will draw for this seed."""
    chosen = dict(options or {})
    rules = rules_of(game, chosen.get(game.data_option))
    rest = {name: value for name, value in chosen.items() if name != game.data_option}
    state = rules.table(seats, rules.options_shape.revive(rules.options_shape.encode(rules.options(**rest))))
    chance = Seeded(seed_from(seed))
    rules.deal(state, chance)
    moves: list[tuple[int, Plain]] = []
    facts: list[int] = []
    while (waiting := rules.to_act(state)) and (most_facts is None or sum(facts) < most_facts):
        legal = rules.legal_moves(state, waiting[0])
        wanted = legal[chance.draws("rehearsal", len(moves)).below(len(legal))]
        facts.append(len(rules.play(state, waiting[0], wanted, chance)))
        moves.append((waiting[0], rules.move_codec.encode(wanted)))
    return Script(game.id, seats, chosen, seed, moves, facts)


class ScriptedMatch:
    """A match in the service whose moves follow a script."""

    def __init__(self, match_id: str, version: int, script: Script, tokens: Sequence[str]) -> None:
        self.id = match_id
        self.version = version
        """The version before the first move."""
        self.script = script
        self._tokens = tokens

    @classmethod
    async def create(
        cls, connection: HttpConnection, script: Script, tokens: Sequence[str]
    ) -> "ScriptedMatch":
        """Create the match; the players take their seats in order."""
        body = {
            "game": script.game,
            "seats": [{"type": "me"}, *[{"type": "open"}] * (script.seats - 1)],
            "options": script.options,
            "seed": script.seed,
        }
        made = await connection.call("POST", "/v1/matches", tokens[0], body)
        for token in tokens[1 : script.seats]:
            made = await connection.call("POST", f"/v1/matches/{made['id']}/seats", token, {})
        return cls(made["id"], made["version"], script, tokens)

    def versions(self) -> Iterator[int]:
        """The version after each move."""
        return islice(accumulate(self.script.facts, initial=self.version), 1, None)

    def requests(self) -> Iterator[bytes]:
        """The request for each move, as bytes, with its own idempotency key."""
        path = f"/v1/matches/{self.id}/moves"
        for seat, move in self.script.moves:
            yield request("POST", path, self._tokens[seat], move, Idempotency_Key=str(uuid4()))
