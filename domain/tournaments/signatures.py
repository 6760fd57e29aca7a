"""Signatures of entrants for their entries and openings (docs/tournaments.md)."""

from dataclasses import replace

from kontor_games.domain.codec import canonical
from kontor_games.domain.player_signatures import check_signature
from kontor_games.domain.stream import Command, IsSigned
from kontor_games.domain.tournaments.commands import COMMAND_CODEC, Enter, OpenContribution
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
