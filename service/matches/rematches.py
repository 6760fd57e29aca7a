"""Rematches: the same players, options and clock; every player moves to the next seat."""

from dataclasses import asdict
from uuid import UUID, uuid5

from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.commands import Create
from kontor_games.domain.games import installed_games
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated, SeatTaken
from kontor_games.domain.match_refusals import MatchRefusal, NotSeatedError
from kontor_games.service.matches.answers import CommandAnswer
from kontor_games.service.matches.match_spec import MatchSpec, SeatSpec
from kontor_games.service.matches.queries import Queries
from kontor_games.service.matches.use_cases import Call, Matches
from kontor_games.service.people.players import Players

_NAMESPACE = UUID("6b6f6e74-6f72-5265-8d61-746368000000")


class RematchNotPossibleError(MatchRefusal):
    """A rematch of this match is not possible now."""


class Rematches:
    """Creates the rematch of a match, one for all its players."""

    def __init__(self, matches: Matches, queries: Queries, players: Players) -> None:
        self._matches = matches
        self._queries = queries
        self._players = players

    def rematch(self, call: Call, match_id: str) -> CommandAnswer:
        """Create the rematch; later requests of the players return the same match."""
        match = self._queries.visible_match(call.caller, match_id).match
        seats = _require_players(match, call.by)
        command = Create(takes_seat=False, bot=call.caller.bot, contribution="")
        with self._matches.quotas.creating(call.by):
            return self._matches.announce(
                call,
                command,
                lambda: self._plan(call.by, match, seats),
                shared_id=uuid5(_NAMESPACE, match_id),
            )

    def _plan(self, creator: str, match: Match, seats: list[SeatTaken]) -> MatchCreated:
        people = [taken.player for taken in seats if taken.house is None]
        if not all(map(self._players.exists, people)):
            raise RematchNotPossibleError("A player of this match has deleted their account.")
        return self._matches.plan(creator, _spec(match.created, seats))


def _require_players(match: Match, player: str) -> list[SeatTaken]:
    """The taken seats of a match that is over, if the player had one of them."""
    if match.seat_of(player) == SPECTATOR:
        raise NotSeatedError("Only those who played in a match can ask for a rematch.")
    if not match.over:
        raise RematchNotPossibleError("The match is not over yet.")
    if not match.begun:
        raise RematchNotPossibleError("The match was never started.")
    return [taken for taken in match.seats if taken]


def _spec(created: MatchCreated, players: list[SeatTaken]) -> MatchSpec:
    """The specification of the rematch: that of the match, but without an open seed."""
    game = installed_games()[created.game]
    seats = [
        SeatSpec("bot", bot=taken.house) if taken.house else SeatSpec("invited", player=taken.player)
        for taken in players
    ]
    return MatchSpec(
        game=created.game,
        seats=(seats[-1], *seats[:-1]),
        options={**created.options, game.data_option: created.data},
        clock=asdict(created.clock),
        on_timeout=created.on_timeout,
        private=created.private,
        meet_bots=created.meet_bots,
        sealed=created.sealed,
        practice=created.practice,
        required_witnesses=created.required_witnesses,
        signed=created.signed,
        rated=created.rated,
        max_returned_ms=created.max_returned_ms,
        spectator_delay=created.spectator_delay,
        tags=created.tags,
    )
