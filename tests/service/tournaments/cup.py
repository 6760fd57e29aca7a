"""A tournament of the toy game on a service, with players who take their seats and play."""

from typing import Any
from uuid import UUID

from kontor_games.domain.tournaments import commands
from kontor_games.domain.tournaments.tournament import Tournament
from kontor_games.service.kontor import Kontor
from kontor_games.service.people.tokens import Caller
from kontor_games.service.tournaments.answers import TournamentAnswer
from tests.service.tables import Guest, play_to_the_end

TERMS: dict[str, Any] = {"title": "Cup", "game": "fair", "seats": 2, "least_seats": 2, "points": [2, 0]}


def registered(kontor: Kontor, name: str, *, bot: bool = False) -> Guest:
    """A player with an account, so that a name is known."""
    player = kontor.players.register(name, bot=bot, key=None, body="").player
    return Guest(kontor, Caller(player.id, bot, frozenset({"play", "organise"}), token=""))


class Cup:
    """A tournament with its organiser and players; the worker is stepped by hand."""

    def __init__(self, kontor: Kontor, players: int, **terms: Any) -> None:
        self.kontor = kontor
        self.organiser = registered(kontor, "Olga")
        self.players = [registered(kontor, f"Player {number}") for number in range(players)]
        self.worker = kontor.tournament_worker()
        announced = kontor.tournaments.announce(self.organiser.call("announce"), {**TERMS, **terms})
        self.id = announced.details.id

    def act(
        self, command: commands.TournamentCommand, by: Guest | None = None, key: str | None = None
    ) -> TournamentAnswer:
        """One command of the organiser, or of somebody else."""
        return self.kontor.tournaments.execute((by or self.organiser).call(key), self.id, command)

    def start(self) -> "Cup":
        """Let everybody enter, and start."""
        self.act(commands.OpenEntry())
        for number, guest in enumerate(self.players):
            self.act(commands.Enter(bot=False, contribution=f"{number:064x}"), guest)
        self.act(commands.StartTournament())
        return self

    @property
    def uuid(self) -> UUID:
        """Its id as the service keeps it."""
        return UUID(self.id)

    @property
    def state(self) -> Tournament:
        """The tournament with nothing hidden, as the store has it."""
        return self.kontor.tournaments.current(UUID(self.id))

    def guests_of(self, match: str) -> list[Guest]:
        """The players of a match, by seat."""
        planned = self.state.planned[self.state.slots[match]]
        return [self.players[number] for number in planned.entrants]

    def play_match(self, match: str) -> None:
        """Take all seats and play to the end."""
        for guest in self.guests_of(match):
            guest.join(match)
        self.play_match_on(match)

    def play_match_on(self, match: str) -> None:
        """Play a match whose seats are taken to the end."""
        play_to_the_end(match, *self.guests_of(match))

    def open_matches(self) -> list[str]:
        """The matches without a result."""
        return [planned.match for planned in self.state.unfinished if planned.match]

    def play_on(self) -> None:
        """Let the service work and everybody play until the tournament is no longer running."""
        self.worker.step_all()
        while self.state.status == "running":
            for match in self.open_matches():
                self.play_match(match)
            self.worker.step_all()
