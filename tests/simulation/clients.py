"""Clients of the simulated service: they create, play and watch matches through any process, with retries."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from uuid import UUID

from kontor_games.api.streams import Live, MatchFactReader, Turns, Wait, _ndjson
from kontor_games.domain.codec import SPECTATOR, Plain, digest
from kontor_games.domain.commands import Join
from kontor_games.domain.game import Refusal
from kontor_games.service.errors import StaleVersionError, UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import MoveAnswer
from kontor_games.service.matches.many_moves import MoveRequest
from kontor_games.service.matches.match_spec import MatchSpec, SeatSpec
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import Caller
from tests.simulation.nodes import ConnectionLost, Node
from tests.simulation.referee import Intent, Violation
from tests.simulation.scheduler import Event

if TYPE_CHECKING:
    from tests.simulation.world import World

Serve = Callable[[Kontor], MoveAnswer]


def new_caller(world: "World") -> Caller:
    """A newly registered player."""
    player = str(UUID(int=world.random.getrandbits(128)))
    world.server.connection.execute(
        "INSERT INTO players VALUES (?, ?, 0, 0)", (player, f"player {player[:8]}")
    )
    return Caller(
        player,
        bot=False,
        scopes=frozenset({"play", "organise"}),
        token=str(UUID(int=world.random.getrandbits(128))),
    )


@dataclass
class Table:
    """The settings of a match to be played."""

    game: str
    players: int
    bots: Sequence[str]
    clock: dict[str, Plain]
    options: dict[str, Plain]
    on_timeout: str
    watchers: int


class Sender:
    """Sends commands to random processes until one answers."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.random = world.random

    def send(self, intent: Intent, serve: Serve, *, known: bool = True) -> MoveAnswer | None:
        """Send a command until it is answered; None if it is refused. Sometimes it is sent twice at once."""
        if known:
            self.world.referee.sent(intent)
        if self.random.random() < 0.03:
            self.world.scheduler.spawn(lambda: self._try(intent, serve), "send again")
        while True:
            answer = self._try(intent, serve)
            if not isinstance(answer, ConnectionLost):
                return answer
            self.world.count("requests without an answer")
            self.world.scheduler.sleep(self.random.random() * 2)

    def _try(self, intent: Intent, serve: Serve) -> MoveAnswer | ConnectionLost | None:
        world = self.world
        node = self.random.choice(world.nodes)
        world.scheduler.sleep(self.random.random() * 0.02)
        began = world.scheduler.now
        world.note("send", node.name, intent.key)
        try:
            answer = node.call(lambda kontor: world.serve_and_check(lambda: serve(kontor), intent, began))
        except ConnectionLost as lost:
            return lost
        if answer is None or self.random.random() >= world.answer_lost:
            return answer
        world.count("answers lost")
        return ConnectionLost()


@dataclass(eq=False)
class Item:
    """One move of a batch."""

    intent: Intent
    request: MoveRequest
    done: Event
    is_answered: bool = False


class Batches:
    """Collects the moves of several players for a moment, and sends them as one request."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self._waiting: list[Item] = []

    def send(self, intent: Intent, request: MoveRequest) -> None:
        """Send a move, in one batch after another, until it is carried out or refused."""
        world = self.world
        world.referee.sent(intent)
        while True:
            item = Item(intent, request, Event(world.scheduler))
            self._waiting.append(item)
            if len(self._waiting) == 1:
                world.scheduler.spawn(self._send_all, "batch")
            item.done.wait()
            if item.is_answered:
                return
            world.count("requests without an answer")
            world.scheduler.sleep(world.random.random() * 2)

    def _send_all(self) -> None:
        world, random = self.world, self.world.random
        world.scheduler.sleep(random.random() * 0.4)
        items, self._waiting = self._waiting, []
        node, began = random.choice(world.nodes), world.scheduler.now
        world.note("send batch", node.name, *(item.intent.key for item in items))
        world.count("batches of several moves" if len(items) > 1 else "batches of one move")
        with suppress(ConnectionLost):
            node.call(lambda kontor: self._play(kontor, items, began))
        if random.random() < world.answer_lost:
            world.count("answers lost")
            for item in items:
                item.is_answered = False
        for item in items:
            item.done.set()

    def _play(self, kontor: Kontor, items: list[Item], began: float) -> None:
        """Carry out a batch in the current process; each item is answered or refused independently."""
        answers = kontor.many_moves.play([item.request for item in items])
        for item, answer in zip(items, answers, strict=True):
            with suppress(ConnectionLost):
                self.world.serve_and_check(partial(_raised, answer), item.intent, began)
                item.is_answered = True


def _raised(answer: object) -> MoveAnswer:
    if isinstance(answer, Exception):
        raise answer
    assert isinstance(answer, MoveAnswer)
    return answer


class Player:
    """Plays one seat: reads the stream of the match, and answers every turn with a move."""

    def __init__(self, world: "World", caller: Caller, match_id: str) -> None:
        self.world = world
        self.caller = caller
        self.match_id = match_id
        self.reader = Reader(world, caller, match_id, self._on_turn)
        self._busy = False
        self._number = 0

    def _on_turn(self, turn: Plain) -> None:
        moves = [move for move in turn["legal_moves"] if "schema" not in move]
        if moves and not self._busy:
            self._busy = True
            self.world.scheduler.spawn(lambda: self._move(turn, moves), "think")

    def _move(self, turn: Plain, moves: list[Plain]) -> None:
        world, random = self.world, self.world.random
        world.scheduler.sleep(
            random.random() * 0.6 if random.random() < 0.97 else random.random() * world.longest_thought
        )
        self._number += 1
        chosen = [random.choice(moves)]
        version = turn["version"] if random.random() < 0.5 else None
        key = f"{self.caller.player[:8]}-{self._number}"
        intent = Intent(self.match_id, self.caller.player, key, chosen)
        call = Call(self.caller, key, digest(chosen), version)
        if random.random() < 0.25:
            world.batches.send(intent, MoveRequest(call, self.match_id, chosen))
        else:
            world.sender.send(intent, lambda kontor: kontor.matches.play(call, self.match_id, chosen))
        self._busy = False
        if self.reader.turn is not None and self.reader.turn["version"] > turn["version"]:
            self._on_turn(self.reader.turn)


class Reader:
    """Follows the stream of a match through any process, and resumes where it was cut off."""

    def __init__(
        self,
        world: "World",
        caller: Caller | None,
        match_id: str,
        on_turn: Callable[[Plain], None] = lambda turn: None,
    ) -> None:
        self.world = world
        self.caller = caller
        self.match_id = match_id
        self.after = 0
        self.over = False
        self.turn: Plain | None = None
        self._on_turn = on_turn

    @property
    def viewer(self) -> int:
        match = self.world.referee.records[self.match_id].match
        return match.seat_of(self.caller.player) if self.caller else SPECTATOR

    def run(self) -> None:
        """Read until the match is over."""
        world = self.world
        world.readers[self] = None
        while not self.over:
            node = world.random.choice(world.nodes)
            try:
                self._follow(node)
            except (ConnectionLost, UnavailableError):
                world.count("streams cut off")
                world.scheduler.sleep(world.random.random())
        world.readers.pop(self)

    def _follow(self, node: Node) -> None:
        kontor, owner, world = node.kontor, node.owner, self.world
        if kontor is None:
            raise ConnectionLost
        wait = Wait(kontor, self.match_id, self.caller, 300.0)
        turns = Turns(kontor, self.caller) if self.caller else None
        read = MatchFactReader(kontor, self.match_id, self.after, self.caller, turns=turns)
        live, woken = Live(wait, read, _ndjson, 15.0), Event(world.scheduler)
        live.begin(woken.set)
        try:
            while True:
                woken.clear()
                data = node.call(lambda _: live.take())
                self._take(data)
                if live.over:
                    break
                while not woken.wait(5.0):
                    if node.owner is not owner or owner.dead:
                        raise ConnectionLost
                if world.random.random() < world.stream_cut:
                    raise ConnectionLost
        finally:
            if not owner.dead:
                live.close()
        record = world.referee.records[self.match_id]
        if record.match.over and self.after == record.version:
            self.over = True
        else:
            raise ConnectionLost

    def _take(self, data: bytes) -> None:
        for line in data.splitlines():
            if not line:
                continue
            item = json.loads(line)
            if "turn" in item:
                self.turn = item["turn"]
                self._on_turn(item["turn"])
            else:
                self.world.referee.check_event(self.match_id, item, self.viewer, self.after + 1)
                self.after = item["version"]


class Host:
    """Creates one match after the other with players and spectators, and waits until it is over."""

    def __init__(self, world: "World", name: str) -> None:
        self.world = world
        self.name = name

    def run(self) -> None:
        number = 0
        while True:
            number += 1
            self._play_one(self.world.choose_table(), f"{self.name}-{number}")

    def _play_one(self, table: Table, key: str) -> None:
        world = self.world
        callers = [new_caller(world) for _ in range(table.players)]
        match_id = self._create(table, callers[0], key)
        for caller in callers[1:]:
            self._join(match_id, caller)
        readers = [Player(world, caller, match_id).reader for caller in callers]
        readers += [Reader(world, None, match_id) for _ in range(table.watchers)]
        tasks = [world.scheduler.spawn(reader.run, "read") for reader in readers]
        while not all(task.is_done for task in tasks):
            world.scheduler.sleep(1.0)
        world.match_ended(match_id)

    def _create(self, table: Table, creator: Caller, key: str) -> str:
        seats = [SeatSpec("me"), *[SeatSpec("open")] * (table.players - 1)]
        seats += [SeatSpec("bot", bot=name) for name in table.bots]
        spec = MatchSpec(
            table.game,
            tuple(seats),
            table.options,
            table.clock,
            on_timeout=table.on_timeout,  # type: ignore[arg-type]
        )
        call = Call(creator, key, "create")
        match_id = self.world.match_id(creator.player, key)
        intent = Intent(match_id, creator.player, key)
        answer = self.world.sender.send(intent, lambda kontor: kontor.matches.create(call, spec))
        if answer is None or answer.position.id != match_id:
            raise Violation(f"match {match_id} was not created")
        return match_id

    def _join(self, match_id: str, caller: Caller) -> None:
        join = Join(None, caller.bot, self.world.random.randbytes(4).hex())
        intent = Intent(match_id, caller.player, f"join-{caller.player[:8]}")
        call = Call(caller, intent.key, "join")
        answer = self.world.sender.send(intent, lambda kontor: kontor.matches.join(call, match_id, join))
        if answer is None:
            raise Violation(f"match {match_id}: a player could not join")


REFUSED = (Refusal, StaleVersionError)
"""Errors that a client accepts as an answer; nothing is stored."""
