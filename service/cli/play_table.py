"""The match of `kontor play`: either on a service, or in this process without a service."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import MalformedError, Plain
from kontor_games.domain.game import Fact, Game, Move, Refusal, Sight
from kontor_games.domain.narration.narrator import seat_names
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
