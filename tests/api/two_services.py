"""Two services whose matches differ only in what one viewer may not know, for two-world tests.

Their matches are created and played through the real store and the real API.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kontor_games.api import create_app
from kontor_games.api.streams import Pace
from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.commands import Create, Play
from kontor_games.domain.game import Game, Move, Refusal, Rules
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated, PositionSet, SeatPlan
from kontor_games.domain.position import dump_position
from kontor_games.domain.seed import commitment_of
from kontor_games.domain.stream import HOUSE
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.use_cases import Call, match_uuid
from kontor_games.service.settings import Settings
from tests.api.conftest import NO_LIMITS, ApiUser, Clock
from tests.api.tournament_stages import TERMS

SECRET = "5e" * 32
"""The server's secret is pinned, so that its hash is the same in both worlds."""


@dataclass
class World:
    """One of the two services."""

    kontor: Kontor
    players: list[ApiUser]
    anonymous: ApiUser
    match_id: str = ""
    tournament: str = ""
    """A tournament that is the same in both worlds."""

    @property
    def path(self) -> str:
        return f"/v1/matches/{self.match_id}"

    @property
    def match(self) -> Match:
        return self.kontor.cache.get_fresh(match_uuid(self.match_id)).state

    def open(self, rules: Rules[Any], game: Game, state: Any, seats: int, *, in_block: bool = False) -> None:
        """Create a match that starts in the position of `state`, and let all players take their seats."""
        callers = [self.kontor.tokens.authenticate(str(player.token)) for player in self.players]
        created = MatchCreated(
            game=game.id, rules_version=rules.version, data=rules.data.name, data_hash=rules.data.hash,
            options=rules.options_shape.encode(rules.options()),
            seats=tuple(SeatPlan("invited", player=p.id) for p in self.players[:seats]),
            clock=ClockSettings("bank", 3_600_000, 0), on_timeout="bot", autostart=True, private=False,
            meet_bots=True, creator=self.players[0].id, commitment=commitment_of(SECRET), sealed=False,
            open_seed="twins", practice=False, branch=True, server_secret=SECRET, in_block=in_block,
        )  # fmt: skip
        command = Create(takes_seat=True, bot=False, contribution="")
        position = PositionSet("00000000-0000-4000-8000-000000000000", 1, dump_position(state))
        self.match_id = self.kontor.matches.announce(
            Call(callers[0], "twins"), command, lambda: created, position
        ).position.id
        for player in self.players[1:seats]:
            player.post(f"{self.path}/seats", headers={"Idempotency-Key": "sit"})


@contextmanager
def two_services(folder: Path, players: int) -> Iterator[tuple[World, World, Clock]]:
    """Two services with the same players, tokens and secrets: a database and its copy, with one clock."""
    clock = Clock()
    first, second = folder / "truth", folder / "other"
    with _service(first, clock) as world:
        made = [world.anonymous.post("/v1/players", {"name": f"Player {i}"}).json for i in range(players)]
        organiser = world.anonymous.post("/v1/players", {"name": "Organiser"}).json
        tournament = (
            ApiUser(world.anonymous.client, organiser["token"]).post("/v1/tournaments", TERMS).json["id"]
        )
    shutil.copytree(first, second)
    with _service(first, clock) as truth, _service(second, clock) as other:
        for world in (truth, other):
            world.tournament = tournament
            world.players = [ApiUser(world.anonymous.client, one["token"], one["id"]) for one in made]
        yield truth, other, clock


@contextmanager
def _service(folder: Path, clock: Clock) -> Iterator[World]:
    kontor = Kontor(
        Settings(
            database_url=f"sqlite:///{folder}/kontor.db",
            workers_in_process=False,
            secret_key="k" * 32,
            **NO_LIMITS,
        ),
        clock,
    )
    kontor.migrate()
    app = create_app(kontor, Pace(longest_s=0.0, heartbeat_s=0.01))
    app.testing = True
    try:
        yield World(kontor, [], ApiUser(app.test_client()))
    finally:
        kontor.close()


def mid_game(rules: Rules[Any], seats: int, moves: int, seed: str) -> Any:
    """The state after `moves` random moves."""
    state, chance = rules.table(seats, rules.options()), Seeded(seed_from(seed))
    rules.deal(state, chance)
    for number in range(moves):
        waiting = rules.to_act(state)
        if not waiting:
            break
        legal = rules.legal_moves(state, waiting[0])
        rules.play(state, waiting[0], legal[chance.draws("walk", number).below(len(legal))], chance)
    return state


def seen_of(match: Match, seat: int, move: Move, viewer: int, at: int) -> Any:
    """What the viewer would see of a move; None if the move is refused."""
    trial = match.copy()
    try:
        facts = Play((move,), seat).decide(trial, HOUSE, at)
    except Refusal:
        return None
    legal = trial.rules.legal_moves(trial.state, viewer) if viewer >= 0 and viewer in trial.may_act else []
    listed = [trial.rules.move_codec.encode(one) for one in legal]
    return (
        [match.redacted(fact, viewer) for fact in facts],
        trial.rules.view(trial.state, viewer),
        list(trial.to_act),
        listed,
        trial.over,
    )


def play_same_looking_moves(truth: World, other: World, viewer: int, moves: int, at: int) -> int:
    """Make up to `moves` moves in both worlds that look the same to the viewer; return how many.

    The moves of other players may differ between the two worlds.
    """
    for made in range(moves):
        pair = _pair(truth.match, other.match, viewer, made, at)
        if pair is None:
            return made
        seat, here, there = pair
        for world, move in ((truth, here), (other, there)):
            codec = world.match.rules.move_codec
            answer = world.players[seat].post(
                f"{world.path}/moves", codec.encode(move), headers={"Idempotency-Key": f"move.{made}"}
            )
            assert answer.status_code == 201, answer.text
    return moves


def _pair(one: Match, two: Match, viewer: int, number: int, at: int) -> tuple[int, Move, Move] | None:
    """A seat and its move in each world; different moves are preferred, since those hide something."""
    if one.over:
        return None
    seat = one.to_act[0]
    draws = Seeded(seed_from("twins")).draws("moves", number)
    for here in draws.shuffled(one.rules.legal_moves(one.state, seat)):
        seen = seen_of(one, seat, here, viewer, at)
        candidates = (
            [here]
            if seat == viewer
            else sorted(two.rules.legal_moves(two.state, seat), key=lambda move: move == here)
        )
        for there in candidates:
            if seen is not None and not seen[-1] and seen == seen_of(two, seat, there, viewer, at):
                return seat, here, there
    return None
