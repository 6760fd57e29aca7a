"""Tournaments as streams of facts."""

from dataclasses import replace

from kontor_games.domain.codec import Codec, Plain, Shape, canonical
from kontor_games.domain.player_signatures import check_signature
from kontor_games.domain.seed import Salts
from kontor_games.domain.stream import Command, Decider, IsSigned
from kontor_games.domain.tournaments.commands import COMMAND_CODEC, Enter, OpenContribution
from kontor_games.domain.tournaments.facts import (
    TOURNAMENT_CODEC,
    ContributionsDue,
    EditionSigned,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentStarted,
)
from kontor_games.domain.tournaments.standings import Standing
from kontor_games.domain.tournaments.tournament import Tournament

_PREFIX = b"kontor.tournament-command.1\n"


def check_command(
    tournament_id: str, tournament: Tournament, by: str, command: Command, is_signed: IsSigned
) -> None:
    """Raise a refusal unless the command is signed by its author, if entrants with a key must sign it."""
    if not isinstance(command, Enter | OpenContribution):
        return
    key = command.key if isinstance(command, Enter) else _key_of(tournament, by)
    check_signature(
        key, command.signature, lambda: signed_text(tournament_id, tournament, by, command), is_signed
    )


def _key_of(tournament: Tournament, by: str) -> str | None:
    number = tournament.numbers.get(by)
    return None if number is None else tournament.entrants[number].key


def signed_text(
    tournament_id: str, tournament: Tournament, by: str, command: Enter | OpenContribution
) -> bytes:
    """Return the text that an entrant signs.

    It needs no version of the tournament: every sealed and every opened value is accepted only once.
    """
    unsigned = COMMAND_CODEC.encode(replace(command, signature=None))
    return _PREFIX + canonical(
        {
            "by": by,
            "command": unsigned,
            "commitment": tournament.announced.commitment,
            "tournament": tournament_id,
        }
    )


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
