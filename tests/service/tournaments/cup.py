"""A tournament of the toy game on a service, with players who take their seats and play."""

from dataclasses import replace
from typing import Any, TypeVar
from uuid import UUID

from kontor_games.domain.stream import Command
from kontor_games.domain.tournaments import commands
from kontor_games.domain.tournaments.stream import signed_text
from kontor_games.domain.tournaments.tournament import Tournament
from kontor_games.service.kontor import Kontor
from kontor_games.service.people.tokens import Caller
from kontor_games.service.tournaments.answers import TournamentAnswer
from tests.domain.tournaments.tournaments import chain_of
from tests.service.tables import LocalPlayer, play_to_the_end
from tests.support.players import PlayerKey

TERMS: dict[str, Any] = {"title": "Cup", "game": "fair", "seats": 2, "least_seats": 2, "points": [2, 0]}


def register_player(kontor: Kontor, name: str, *, bot: bool = False) -> LocalPlayer:
    """Register a player, so that their name is known."""
    player = kontor.players.register(name, bot=bot, key=None, body="").player
    return LocalPlayer(kontor, Caller(player.id, bot, frozenset({"play", "organise"}), token=""))


Signable = TypeVar("Signable", commands.Enter, commands.OpenContribution)


class Cup:
    """A tournament with its organiser and players; tests call the steps of the worker."""

    def __init__(self, kontor: Kontor, players: int, **terms: Any) -> None:
        self.kontor = kontor
        self.organiser = register_player(kontor, "Olga")
        self.players = [register_player(kontor, f"Player {number}") for number in range(players)]
        self.worker = kontor.tournament_worker()
        self.keys: dict[str, PlayerKey] = {}
        announced = kontor.tournaments.announce(self.organiser.call("announce"), {**TERMS, **terms})
        self.id = announced.details.id

    def act(
        self, command: Command, by: LocalPlayer | None = None, key: str | None = None
    ) -> TournamentAnswer:
        """Execute a command of the organiser, or of another player."""
        return self.kontor.tournaments.execute((by or self.organiser).call(key), self.id, command)

    def start(self) -> "Cup":
        """Let everybody enter, and start."""
        self.act(commands.OpenEntry())
        for number, player in enumerate(self.players):
            self.enter(player, number)
        self.act(commands.StartTournament())
        for number, player in enumerate(self.players):
            self.open_contribution(player, number)
        return self

    def sign_with_keys(self) -> "Cup":
        """Let all players register a key, and sign entries and openings with it."""
        for player in self.players:
            key = self.keys[player.id] = PlayerKey(player.id)
            self.kontor.players.set_key(player.caller, key.public, key.proof(player.id))
        return self

    def enter(self, player: LocalPlayer, number: int) -> TournamentAnswer:
        """Enter with a sealed contribution that follows from the number."""
        key = self.keys.get(player.id)
        command = commands.Enter(
            bot=False, contribution="", sealed=chain_of(number)[0], key=key.public if key else None
        )
        return self.kontor.tournaments.enter(player.call(), self.id, self.signed(player, command))

    def open_contribution(self, player: LocalPlayer, number: int, opening: int = 1) -> TournamentAnswer:
        """Open the contribution of a player, for the first or a later opening."""
        due = self.state.due
        assert due is not None
        command = commands.OpenContribution(chain_of(number)[opening], due.digest)
        return self.act(self.signed(player, command), player)

    def signed(self, player: LocalPlayer, command: Signable) -> Signable:
        """The command with the signature of the player, if they have a key."""
        key = self.keys.get(player.id)
        if key is None:
            return command
        return replace(command, signature=key.sign(signed_text(self.id, self.state, player.id, command)))

    @property
    def uuid(self) -> UUID:
        """The id as a UUID."""
        return UUID(self.id)

    @property
    def state(self) -> Tournament:
        """The tournament with nothing hidden, as the store has it."""
        return self.kontor.tournaments.current(UUID(self.id))

    def players_of(self, match: str) -> list[LocalPlayer]:
        """The players of a match, by seat."""
        planned = self.state.planned[self.state.slots[match]]
        return [self.players[number] for number in planned.entrants]

    def play_match(self, match: str) -> None:
        """Take all seats and play to the end."""
        for player in self.players_of(match):
            player.join(match)
        self.play_match_on(match)

    def play_match_on(self, match: str) -> None:
        """Play a match whose seats are taken to the end."""
        play_to_the_end(match, *self.players_of(match))

    def open_matches(self) -> list[str]:
        """Return the ids of the opened matches without a result."""
        return [planned.match for planned in self.state.unfinished if planned.match]

    def play_on(self) -> None:
        """Let the service work and everybody play until the tournament is no longer running."""
        self.worker.step_all()
        while self.state.status == "running":
            for match in self.open_matches():
                self.play_match(match)
            self.worker.step_all()
