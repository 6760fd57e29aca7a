"""Players at tables of the toy game, for tests of the service."""

from typing import Any
from uuid import uuid4

from kontor_games.domain.codec import Plain, digest
from kontor_games.domain.match import Match
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.answers import Answer, Look
from kontor_games.service.matches.match_spec import MatchSpec, SeatSpec
from kontor_games.service.people.tokens import Caller

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

    def create(self, *seats: SeatSpec, key: str | None = None, body: str = "create", **more: Any) -> str:
        return self.kontor.matches.create(self.who, fair_spec(*seats, **more), key, body).id

    def join(self, match_id: str, seat: int | None = None, key: str | None = None, if_version: int | None = None) -> Answer:
        return self.kontor.matches.join(self.who, match_id, seat, "", key, "join", if_version)

    def look(self, match_id: str, version: int | None = None) -> Look:
        return self.kontor.matches.look(self.who, match_id, version)

    def legal(self, match_id: str) -> list[Plain]:
        """The moves that are listed for this player now."""
        look = self.look(match_id)
        rules = look.match.rules
        return [rules.move_codec.encode(move) for move in rules.legal_moves(look.match.state, look.viewer)]

    def play(self, match_id: str, *moves: Plain, key: str | None = None, if_version: int | None = None) -> Answer:
        """The given moves, or else the first legal one."""
        wanted = list(moves) or self.legal(match_id)[:1]
        return self.kontor.matches.play(self.who, match_id, wanted, key, digest(wanted), if_version)

    def abort(self, match_id: str) -> Answer:
        """Agrees to break the match off."""
        return self.kontor.matches.abort(self.who, match_id, None, "abort", None)


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


def stored_rows(kontor: Kontor, match_id: str) -> list[dict[str, Any]]:
    """What is in the database of a match, as it is there."""
    query = "SELECT originator_version AS version, topic, state FROM kontor_events WHERE originator_id = ? ORDER BY originator_version"
    shown = match_id if kontor.database.is_postgres else match_id.replace("-", "")
    return kontor.database.read(query, [shown])
