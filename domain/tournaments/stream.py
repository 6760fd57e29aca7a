"""Tournaments as streams of facts."""

from kontor_games.domain.codec import Codec, Plain, Shape
from kontor_games.domain.seed import Salts
from kontor_games.domain.stream import Command, Decider, IsSigned
from kontor_games.domain.tournaments.commands import COMMAND_CODEC
from kontor_games.domain.tournaments.facts import (
    TOURNAMENT_CODEC,
    ContributionsDue,
    EditionSigned,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentStarted,
)
from kontor_games.domain.tournaments.signatures import check_command
from kontor_games.domain.tournaments.standings import Standing
from kontor_games.domain.tournaments.tournament import Tournament

_STANDING = Shape(Standing)


class TournamentDecider(Decider[Tournament]):
    """A tournament as a stream: all have the same rules, and so the same facts."""

    kind = "tournament"
    id_field = "tournament"
    signed_prefix = "kontor.tournament-"
    format = "kontor.tournament.1"
    milestones = (
        TournamentAnnounced,
        ContributionsDue,
        TournamentStarted,
        EditionSigned,
        TournamentCancelled,
    )

    def empty(self) -> Tournament:
        return Tournament()

    def fact_codec(self, stream: Tournament) -> Codec:
        return TOURNAMENT_CODEC

    def command_codec(self, stream: Tournament) -> Codec:
        return COMMAND_CODEC

    def salts(self, stream_id: str, stream: Tournament) -> Salts:
        """The salts; no other tournament has its secret."""
        return Salts(stream.announced.server_secret)

    def check_signature(
        self, stream_id: str, stream: Tournament, head: str, by: str, command: Command, is_signed: IsSigned
    ) -> None:
        check_command(stream_id, stream, by, command, is_signed)

    def is_revealed(self, stream: Tournament) -> bool:
        return stream.over

    def outcome(self, stream: Tournament) -> dict[str, Plain]:
        standings = [_STANDING.encode(line) for line in stream.standings()]
        return {"edition": stream.edition, "end": stream.status, "standings": standings}


TOURNAMENTS = TournamentDecider()
