"""Players and matches of the toy game, for tests of the service."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from kontor_games.domain.codec import SPECTATOR, Plain, digest
from kontor_games.domain.commands import Abort, Join
from kontor_games.domain.game import Fact
from kontor_games.domain.match import Match
from kontor_games.domain.stream import Command
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import MoveAnswer
from kontor_games.service.matches.match_spec import MatchSpec, SeatSpec
from kontor_games.service.matches.presentation import VisibleMatch
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import Caller
from tests.domain.toy.games.fair.state import Fair

OPEN = SeatSpec("open")
ME = SeatSpec("me")


def bot(name: str = "greedy") -> SeatSpec:
    """Return the specification of a seat for a house bot."""
    return SeatSpec("bot", bot=name)


def fair_spec(*seats: SeatSpec, game: str = "fair", **more: Any) -> MatchSpec:
    """Return a match specification; the defaults are the toy game and two open seats."""
    return MatchSpec(game, seats or (OPEN, OPEN), more.pop("options", {}), more.pop("clock", {}), **more)


def new_caller() -> Caller:
    """Return a new caller with the scopes to play, but without an account: matches do not need one."""
    return Caller(str(uuid4()), bot=False, scopes=frozenset({"play", "organise"}), token=str(uuid4()))


@dataclass(frozen=True)
class CommandResult:
    """The result of a command: the answer, and the match and facts from the log with nothing hidden."""

    answer: MoveAnswer
    match: Match
    facts: tuple[Fact, ...]
    at: int

    @property
    def id(self) -> str:
        return self.answer.position.id

    @property
    def viewer(self) -> int:
        return SPECTATOR if self.answer.position.you is None else self.answer.position.you

    @property
    def first(self) -> int:
        return self.answer.first

    @property
    def head(self) -> str:
        return self.answer.position.head

    @property
    def replayed(self) -> bool:
        return self.answer.replayed


def command_result(kontor: Kontor, answer: MoveAnswer) -> CommandResult:
    """Complete an answer from the log of the process that gave it, and check that both agree."""
    log = kontor.cache.get(UUID(answer.position.id))
    entry = next(entry for entry in log.entries if entry.first == answer.first)
    assert entry.last == answer.position.version
    assert [fact["type"] for fact in answer.facts] == [fact.type for fact in entry.facts]
    return CommandResult(answer, log.at_version(entry.last), entry.facts, entry.at)


@dataclass(frozen=True)
class LoggedFact:
    """A fact of a match with nothing hidden."""

    version: int
    at: int
    fact: Any


def logged_facts(kontor: Kontor, match_id: str) -> list[LoggedFact]:
    """Read all facts of a match from the store."""
    entries = kontor.cache.get_fresh(UUID(match_id)).entries
    return [
        LoggedFact(version, entry.at, fact)
        for entry in entries
        for version, fact in enumerate(entry.facts, entry.first)
    ]


class LocalPlayer:
    """A player who calls the service in this process, without HTTP."""

    def __init__(self, kontor: Kontor, caller: Caller | None = None) -> None:
        self.kontor = kontor
        self.caller = caller or new_caller()

    @property
    def id(self) -> str:
        return self.caller.player

    def at(self, kontor: Kontor) -> "LocalPlayer":
        """Return the same player as a caller of another process of the service."""
        return LocalPlayer(kontor, self.caller)

    def call(self, key: str | None = None, body: str = "b", if_version: int | None = None) -> Call:
        """Return the call data of a command: caller, idempotency key, body and expected version."""
        return Call(self.caller, key, body, if_version)

    def do(
        self,
        match_id: str,
        command: Command,
        key: str | None = None,
        body: str = "b",
        if_version: int | None = None,
    ) -> CommandResult:
        """Execute a command."""
        return command_result(
            self.kontor, self.kontor.matches.execute(self.call(key, body, if_version), match_id, command)
        )

    def make(self, spec: MatchSpec, key: str | None = None, body: str = "b") -> CommandResult:
        """Create a match from a specification."""
        return command_result(self.kontor, self.kontor.matches.create(self.call(key, body), spec))

    def create(self, *seats: SeatSpec, key: str | None = None, body: str = "create", **more: Any) -> str:
        return self.make(fair_spec(*seats, **more), key, body).id

    def join(
        self,
        match_id: str,
        seat: int | None = None,
        key: str | None = None,
        if_version: int | None = None,
        contribution: str = "",
    ) -> CommandResult:
        return self.do(match_id, Join(seat, self.caller.bot, contribution), key, "join", if_version)

    def read_match(self, match_id: str, version: int | None = None) -> VisibleMatch:
        """Return the match with nothing hidden, if this player may see it."""
        return self.kontor.queries.visible_match(self.caller, match_id, version)

    def legal(self, match_id: str) -> list[Plain]:
        """Return the legal moves of this player as plain data."""
        look = self.read_match(match_id)
        rules = look.match.rules
        return [rules.move_codec.encode(move) for move in rules.legal_moves(look.match.state, look.viewer)]

    def play(
        self, match_id: str, *moves: Plain, key: str | None = None, if_version: int | None = None
    ) -> CommandResult:
        """Make the given moves, or else the first legal one."""
        wanted = list(moves) or self.legal(match_id)[:1]
        return command_result(
            self.kontor,
            self.kontor.matches.play(self.call(key, digest(wanted), if_version), match_id, wanted),
        )

    def abort(self, match_id: str) -> CommandResult:
        """Agree to abort the match."""
        return self.do(match_id, Abort())


def start_match(one: LocalPlayer, other: LocalPlayer, **more: Any) -> str:
    """Start a match of two players and return its id."""
    match_id = one.create(ME, OPEN, **more)
    other.join(match_id)
    return match_id


def play_to_the_end(match_id: str, *players: LocalPlayer) -> Match:
    """Make the first legal move of whoever is to act until the match is over."""
    while not (match := players[0].read_match(match_id).match).over:
        next(player for player in players if match.seat_of(player.id) in match.to_act).play(match_id)
    return match


def fair_state(match: Match) -> Fair:
    """Return the state of a match of the toy game."""
    assert isinstance(match.state, Fair)
    return match.state


def stored_rows(kontor: Kontor, match_id: str) -> list[dict[str, Any]]:
    """Return the rows of a match as they are in the database."""
    query = (
        "SELECT originator_version AS version, topic, state FROM kontor_events"
        " WHERE originator_id = ? ORDER BY originator_version"
    )
    shown = match_id if kontor.database.is_postgres else match_id.replace("-", "")
    return kontor.database.read(query, [shown])
