"""The match of `kontor play`, on a service or in this process; and names of players, which no export has."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import MalformedError, Plain
from kontor_games.domain.game import Fact, Game, Move, Refusal, Sight
from kontor_games.domain.narration.narrator import seat_names
from kontor_games.domain.stream import HOUSE
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.service.cli.service_client import ProblemError, ServiceClient

WAIT_S = 20
"""Seconds that one long poll waits."""


@dataclass(frozen=True, slots=True)
class PlayerPosition:
    """The current state of a match, as its player sees it."""

    version: int
    over: bool
    must_act: bool
    """Whether the match waits for the player."""
    scene: str
    names: tuple[str, ...]
    moves: tuple[Plain, ...]
    labels: tuple[str, ...]
    left_ms: int | None = None
    """The time that the player has left; None without a clock."""


class RefusedMoveError(Exception):
    """The move was refused; `rule` is the number of the rule that forbids it, if there is one."""

    def __init__(self, detail: str, rule: str | None = None) -> None:
        super().__init__(detail)
        self.rule = rule


class RemoteTable:
    """A match on a service, in which the caller of the client has a seat."""

    def __init__(self, client: ServiceClient, match: str) -> None:
        self._client = client
        self._match = match
        self._tell = f"tell={client.language}"
        self._seen = 0
        found = client.get(f"/v1/matches/{match}")
        self.game: str = found["game"]
        about = client.get(f"/v1/games/{self.game}")
        self.title: str = about["title"]
        self.rules_text: str = about["rules_text"]

    @property
    def watch_url(self) -> str:
        """The URL at which others can watch the match."""
        return f"{self._client.url}/v1/matches/{self._match}"

    def new_sentences(self, *, wait: bool) -> list[str]:
        """Return sentences about all facts since the last call; with `wait`, wait until there are some."""
        waiting = f"&wait={WAIT_S}" if wait else ""
        path = f"/v1/matches/{self._match}/events?after={self._seen}&limit=1000&{self._tell}{waiting}"
        events = self._client.get(path)["events"]
        self._seen = events[-1]["version"] if events else self._seen
        return [event["text"] for event in events if event["text"]]

    def position(self) -> PlayerPosition:
        """Return the current state of the match for the player."""
        found = self._client.get(f"/v1/matches/{self._match}?{self._tell}")
        clocks = found["clock"].get("seats") or []
        left = next((clock["remaining_ms"] for clock in clocks if clock["seat"] == found["you"]), None)
        return PlayerPosition(
            version=found["version"],
            over=found["status"] in ("finished", "aborted"),
            must_act=found["you"] in found["to_act"],
            scene=found["scene"],
            names=tuple(found["names"]),
            moves=tuple(found["legal_moves"]),
            labels=tuple(found["labels"]),
            left_ms=left,
        )

    def play(self, move: Plain, version: int) -> None:
        """Make a move if the match is still at this version; raise RefusedMoveError if it is refused."""
        path, headers = f"/v1/matches/{self._match}/moves", {"If-Match": f'"{version}"'}
        try:
            self._client.post(path, move, **headers)
        except ProblemError as problem:
            raise RefusedMoveError(problem.message, problem.rule) from problem

    def message_on_leaving(self) -> str:
        """Return a message with the command that continues the match later."""
        return (
            "It goes on; if it has a clock, your time runs. To come back:\n"
            f"  KONTOR_TOKEN={self._client.token} kontor play {self.game} --url {self._client.url} "
            f"--match {self._match}"
        )


class LocalTable:
    """A match in this process: the player has seat 0, house bots have the others."""

    def __init__(self, game: Game, names: Sequence[str], bot: str, seed: str, language: str) -> None:
        self._rules = rules = game.rules()
        self._language = language
        self._seed = seed
        self._bot = game.all_bots[bot](rules)
        self._names = seat_names(names, language)
        self._chance = Seeded(seed_from(seed))
        self._state = rules.table(len(names), rules.options())
        self._unread: list[str] = []
        self._version = 0
        self.title = game.titles.get(language, game.titles[DEFAULT_LANGUAGE])
        self.rules_text = game.rules_texts.get(language, game.rules_texts[DEFAULT_LANGUAGE])
        past = self._state.copy()
        self._tell(past, rules.deal(self._state, self._chance))

    def _tell(self, past: Any, facts: list[Fact]) -> None:
        for fact in facts:
            fact.fold(past)
            self._version += 1
            if sentence := self._rules.tell(past, fact, 0, self._names, self._language):
                self._unread.append(sentence)

    def new_sentences(self, *, wait: bool) -> list[str]:
        """Return the sentences since the last call; bots move first if `wait`, or if it is their turn."""
        if wait or 0 not in self._rules.to_act(self._state):
            self._let_bots_move()
        sentences, self._unread = self._unread, []
        return sentences

    def _let_bots_move(self) -> None:
        """Let the bots move until the player can make a move, in turn or in answer to a bot."""
        while self._let_one_bot_move():
            if self._rules.legal_moves(self._state, 0):
                return

    def _let_one_bot_move(self) -> bool:
        rules, state = self._rules, self._state
        for seat in rules.may_act(state):
            if seat and (legal := rules.legal_moves(state, seat)):
                draws = self._chance.draws(f"bot{seat}", self._version)
                move = self._bot.choose(seat, Sight(rules, state, seat), legal, draws)
                if move is not None:
                    self._play(seat, move)
                    return True
        return False

    def _play(self, seat: int, move: Move) -> None:
        past = self._state.copy()
        self._tell(past, self._rules.play(self._state, seat, move, self._chance))

    def position(self) -> PlayerPosition:
        """Return the current state of the match for the player."""
        rules, state = self._rules, self._state
        may_act = 0 in rules.may_act(state)
        moves = rules.offered_moves(state, 0) if may_act else []
        kinds = rules.open_moves(state, 0) if may_act else ()
        labels = [rules.tell_move(state, 0, move, self._names, self._language) for move in moves]
        schema = rules.move_codec.schema
        return PlayerPosition(
            version=self._version,
            over=rules.is_over(state),
            must_act=0 in rules.to_act(state),
            scene=rules.scene(state, 0, self._names, self._language),
            names=self._names,
            moves=(
                *map(rules.move_codec.encode, moves),
                *({"type": kind.type, "schema": schema(kind.type)} for kind in kinds),
            ),
            labels=(*labels, *(rules.tell_open_move(kind, self._language) for kind in kinds)),
        )

    def play(self, move: Plain, version: int) -> None:
        """Make a move; raise RefusedMoveError if it is refused."""
        try:
            self._play(0, self._rules.move_codec.parse(move))
        except MalformedError as error:
            raise RefusedMoveError(str(error)) from error
        except Refusal as refusal:
            raise RefusedMoveError(refusal.detail, refusal.rule) from refusal
        self._let_bots_answer()

    def _let_bots_answer(self) -> None:
        """Let bots answer the player's move, such as an offer, while it is still the player's turn."""
        for _ in range(self._state.seats):
            if 0 not in self._rules.to_act(self._state) or not self._let_one_bot_move():
                return

    def message_on_leaving(self) -> str:
        """Return a message with the seed, because a local match is not stored."""
        return f"It was not saved. For the same deal: --local --seed {self._seed}"


Table = RemoteTable | LocalTable


_ID_SHOWN = 8

names_option = click.option(
    "--names",
    metavar="NAMES",
    help="Names of the players by seat: Ada,Greta or a JSON file with a list of names"
    " or a match as the API returns it. Default: the first digits of their ids.",
)


player_names_option = click.option(
    "--names",
    metavar="NAMES",
    help="Names of the players of a tournament: Ada,Greta in the order of entry, or a JSON file with a list,"
    " an object of names by player id, or the standings as the API returns them.",
)


def name_of_seat(seat: int, player: str | None, house: str | None) -> str:
    """Return a substitute for an unknown name: the house bot, a short player id, or the seat number."""
    if house is not None:
        return f"{house}-{seat}"
    return f"seat {seat}" if player is None else player[:_ID_SHOWN]


def read_names(given: str, seats: int) -> list[str]:
    """Return the names of all seats from the value of `--names`: names separated by commas, or a file."""
    names = _names_in(Path(given)) if Path(given).is_file() else [name.strip() for name in given.split(",")]
    if len(names) != seats or not all(names):
        raise click.UsageError(
            f"--names must give {seats} names, one for each seat; it gives {len([*filter(None, names)])}."
        )
    return names


def read_player_names(given: str, players: Sequence[str]) -> dict[str, str]:
    """Return names by player id from the value of `--names`; `players` are in the order of entry."""
    if not Path(given).is_file():
        names = [name.strip() for name in given.split(",")]
        if len(names) != len(players):
            raise click.UsageError(f"--names must give {len(players)} names, in the order of entry.")
        return dict(zip(players, names, strict=True))
    try:
        content = json.loads(Path(given).read_bytes())
        if isinstance(content, list):
            return dict(zip(players, map(str, content), strict=True))
        if "lines" in content:
            found = [line["player"] for line in content["lines"]]
            return {one["id"]: str(one["name"]) for one in found if one["name"]}
        return {str(player): str(name) for player, name in content.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise click.UsageError(
            f"{given} contains neither the names of all entrants nor standings as the API returns them."
        ) from error


def _names_in(file: Path) -> list[str]:
    """Read a list of names, or the names in a match as the API returns it."""
    try:
        content = json.loads(file.read_bytes())
        if isinstance(content, dict):
            return [_name_in(seat, taken["player"]) for seat, taken in enumerate(content["seats"])]
        return [name.strip() for name in content]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise click.UsageError(
            f"{file} contains neither a list of names nor a match as the API returns it."
        ) from error


def _name_in(seat: int, player: Any) -> str:
    """Return the name of a player as in the API; a substitute for house bots and erased names."""
    if player is None:
        return name_of_seat(seat, None, None)
    house = player["name"] if player["id"] == HOUSE else None
    return name_of_seat(seat, player["id"], house) if house or not player["name"] else str(player["name"])
