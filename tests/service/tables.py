"""Players at tables of the toy game, for tests of the service."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from kontor_games.domain.codec import SPECTATOR, Plain, digest
from kontor_games.domain.commands import Abort, Command, Join
from kontor_games.domain.game import Fact
from kontor_games.domain.match import Match
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import Answer
from kontor_games.service.matches.match_spec import MatchSpec, SeatSpec
from kontor_games.service.matches.presentation import VisibleMatch
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import Caller
from tests.domain.toy.games.fair.state import Fair

OPEN = SeatSpec("open")
ME = SeatSpec("me")


def bot(name: str = "greedy") -> SeatSpec:
    """A seat for a house bot."""
    return SeatSpec("bot", bot=name)


def fair_spec(*seats: SeatSpec, game: str = "fair", **more: Any) -> MatchSpec:
    """A match of the toy game if no other is named; without seats, one of two open ones."""
    return MatchSpec(game, seats or (OPEN, OPEN), more.pop("options", {}), more.pop("clock", {}), **more)


def caller() -> Caller:
    """A player with all they need to play, whom the accounts know nothing of: matches do not ask them."""
    return Caller(str(uuid4()), bot=False, scopes=frozenset({"play", "organise"}), token=str(uuid4()))


@dataclass(frozen=True)
class Done:
    """What a command did: the answer, and beside it the truth from the log."""

    answer: Answer
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


def done(kontor: Kontor, answer: Answer) -> Done:
    """An answer, completed from the log of the process that gave it; the two must agree."""
    log = kontor.cache.get(UUID(answer.position.id))
    entry = next(entry for entry in log.entries if entry.first == answer.first)
    assert entry.last == answer.position.version
    assert [fact["type"] for fact in answer.facts] == [fact.type for fact in entry.facts]
    return Done(answer, log.at_version(entry.last), entry.facts, entry.at)


@dataclass(frozen=True)
class LoggedFact:
    """One fact of a log with nothing hidden."""

    version: int
    at: int
    fact: Any


def logged_facts(kontor: Kontor, match_id: str) -> list[LoggedFact]:
    """All facts of a match, as the store has them now."""
    entries = kontor.cache.get_fresh(UUID(match_id)).entries
    return [
        LoggedFact(version, entry.at, fact)
        for entry in entries
        for version, fact in enumerate(entry.facts, entry.first)
    ]


class Guest:
    """A player who calls one process of the service, and can go on at another."""

    def __init__(self, kontor: Kontor, who: Caller | None = None) -> None:
        self.kontor = kontor
        self.who = who or caller()

    @property
    def id(self) -> str:
        return self.who.player

    def at(self, kontor: Kontor) -> "Guest":
        """The same player, calling another process."""
        return Guest(kontor, self.who)

    def call(self, key: str | None = None, body: str = "b", if_version: int | None = None) -> Call:
        """The envelope of a command of this player."""
        return Call(self.who, key, body, if_version)

    def do(
        self,
        match_id: str,
        command: Command,
        key: str | None = None,
        body: str = "b",
        if_version: int | None = None,
    ) -> Done:
        """One command, and what it did with nothing hidden."""
        return done(
            self.kontor, self.kontor.matches.execute(self.call(key, body, if_version), match_id, command)
        )

    def make(self, spec: MatchSpec, key: str | None = None, body: str = "b") -> Done:
        """A new match."""
        return done(self.kontor, self.kontor.matches.create(self.call(key, body), spec))

    def create(self, *seats: SeatSpec, key: str | None = None, body: str = "create", **more: Any) -> str:
        return self.make(fair_spec(*seats, **more), key, body).id

    def join(
        self,
        match_id: str,
        seat: int | None = None,
        key: str | None = None,
        if_version: int | None = None,
        contribution: str = "",
    ) -> Done:
        return self.do(match_id, Join(seat, self.who.bot, contribution), key, "join", if_version)

    def look(self, match_id: str, version: int | None = None) -> VisibleMatch:
        """The match with nothing hidden, if this player may see it."""
        return self.kontor.queries.visible_match(self.who, match_id, version)

    def legal(self, match_id: str) -> list[Plain]:
        """The moves that are listed for this player now."""
        look = self.look(match_id)
        rules = look.match.rules
        return [rules.move_codec.encode(move) for move in rules.legal_moves(look.match.state, look.viewer)]

    def play(
        self, match_id: str, *moves: Plain, key: str | None = None, if_version: int | None = None
    ) -> Done:
        """The given moves, or else the first legal one."""
        wanted = list(moves) or self.legal(match_id)[:1]
        return done(
            self.kontor,
            self.kontor.matches.play(self.call(key, digest(wanted), if_version), match_id, wanted),
        )

    def abort(self, match_id: str) -> Done:
        """Agree to abort the match."""
        return self.do(match_id, Abort())


def table(one: Guest, other: Guest, **more: Any) -> str:
    """A match of two that has begun."""
    match_id = one.create(ME, OPEN, **more)
    other.join(match_id)
    return match_id


def play_to_the_end(match_id: str, *guests: Guest) -> Match:
    """Everybody makes their first legal move in turn until the match is over."""
    while not (match := guests[0].look(match_id).match).over:
        next(guest for guest in guests if match.seat_of(guest.id) in match.to_act).play(match_id)
    return match


def fair_state(match: Match) -> Fair:
    """The state of a match of the toy game."""
    assert isinstance(match.state, Fair)
    return match.state


def stored_rows(kontor: Kontor, match_id: str) -> list[dict[str, Any]]:
    """What is in the database of a match, as it is there."""
    query = (
        "SELECT originator_version AS version, topic, state FROM kontor_events"
        " WHERE originator_id = ? ORDER BY originator_version"
    )
    shown = match_id if kontor.database.is_postgres else match_id.replace("-", "")
    return kontor.database.read(query, [shown])
