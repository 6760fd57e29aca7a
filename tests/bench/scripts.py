"""Whole matches written down beforehand, so that their moves can be sent without computing anything.

With an open seed a match runs as it was rehearsed.
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
    """One match: what to create, and who makes which move."""

    game: str
    seats: int
    options: dict[str, Plain]
    seed: str
    moves: list[tuple[int, Plain]]
    facts: list[int]
    """How many facts each move causes."""


_RULES: dict[tuple[str, str | None], Rules[Any]] = {}


def rules_of(game: Game, data: str | None = None) -> Rules[Any]:
    """Rules that all scripts share, as the matches of a process do; new ones each time would waste memory."""
    if (game.id, data) not in _RULES:
        _RULES[game.id, data] = game.rules(data)
    return _RULES[game.id, data]


def rehearse(
    game: Game, seats: int, seed: str, options: dict[str, Plain] | None = None, most_facts: int | None = None
) -> Script:
    """Plays a match at random, with the chance that the service will have for this seed."""
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


class Stage:
    """A match of the service that plays a script."""

    def __init__(self, match_id: str, version: int, script: Script, tokens: Sequence[str]) -> None:
        self.id = match_id
        self.version = version
        """Before the first move."""
        self.script = script
        self._tokens = tokens

    @classmethod
    async def set_up(cls, connection: HttpConnection, script: Script, tokens: Sequence[str]) -> "Stage":
        """Creates the match; the players sit down in order."""
        wish = {
            "game": script.game,
            "seats": [{"type": "me"}, *[{"type": "open"}] * (script.seats - 1)],
            "options": script.options,
            "seed": script.seed,
        }
        made = await connection.call("POST", "/v1/matches", tokens[0], wish)
        for token in tokens[1 : script.seats]:
            made = await connection.call("POST", f"/v1/matches/{made['id']}/seats", token, {})
        return cls(made["id"], made["version"], script, tokens)

    def versions(self) -> Iterator[int]:
        """The version after each move."""
        return islice(accumulate(self.script.facts, initial=self.version), 1, None)

    def requests(self) -> Iterator[bytes]:
        """One request a move, as bytes, each with a key of its own as a careful client sends it."""
        path = f"/v1/matches/{self.id}/moves"
        for seat, move in self.script.moves:
            yield request("POST", path, self._tokens[seat], move, Idempotency_Key=str(uuid4()))
