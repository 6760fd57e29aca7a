"""The audit of a tournament: every command is carried out again, and the results are compared.

Only the commands, their authors and their times are taken as given. Every pairing, result, ruling, point
and place must follow from the terms, the seed and the commands; otherwise the audit names the wrong fact.
"""

from collections.abc import Mapping, Sequence

from kontor_games.domain.audit import Auditor, BrokenRecordError, audit_records
from kontor_games.domain.codec import Plain
from kontor_games.domain.rules import Fact
from kontor_games.domain.seed import commitment_of, is_hash
from kontor_games.domain.stream import Entry, IsSigned
from kontor_games.domain.tournaments.commands import Announce
from kontor_games.domain.tournaments.facts import TOURNAMENT_CODEC, TournamentAnnounced
from kontor_games.domain.tournaments.stream import TOURNAMENTS
from kontor_games.domain.tournaments.tournament import Tournament

_ENDS = ("edition_signed", "tournament_cancelled")
"""The facts that reveal the server's secret."""


def audit_tournament(
    tournament_id: str, records: Sequence[Mapping[str, Plain]], is_signed: IsSigned
) -> Tournament:
    """Carry out a whole tournament again from its records; raise BrokenRecordError at the first fault."""
    auditor = TournamentAuditor(tournament_id, is_signed, _secret(records))
    audit_records(auditor, records)
    return auditor.state


def _secret(records: Sequence[Mapping[str, Plain]]) -> str:
    """The server's secret, which the last facts reveal."""
    facts = [one.get("fact") for one in records]
    ends = [fact for fact in facts if isinstance(fact, dict) and fact.get("type") in _ENDS]
    if not ends:
        raise BrokenRecordError(0, "the tournament is not over, so its pairings can't be recomputed yet")
    secret = ends[0].get("server_secret")
    if not isinstance(secret, str) or not is_hash(secret):
        raise BrokenRecordError(0, "the revealed secret is malformed")
    return secret


class TournamentAuditor(Auditor[Tournament]):
    """Checks the entries of a tournament, whose first fact hides the secret."""

    def __init__(self, tournament_id: str, is_signed: IsSigned, secret: str) -> None:
        super().__init__(TOURNAMENTS, tournament_id, Tournament(), is_signed)
        self._secret = secret

    def _opening(self, record: Mapping[str, Plain]) -> tuple[Fact, ...]:
        return (TOURNAMENT_CODEC.parse({**record["fact"], "server_secret": self._secret}),)

    def _facts(self, recorded: Entry) -> list[Fact]:
        command, (announced, *_) = recorded.command, recorded.facts or (None,)
        if not isinstance(command, Announce):
            return super()._facts(recorded)
        if self.state.version:
            raise BrokenRecordError(recorded.first, "the tournament is announced twice")
        if not isinstance(announced, TournamentAnnounced) or announced.terms.organiser != recorded.by:
            raise BrokenRecordError(1, "the first fact is not an announcement by the organiser")
        if announced.commitment != commitment_of(self._secret):
            raise BrokenRecordError(1, "the revealed secret is not the one that the service was committed to")
        return command.announce(self.state, announced, recorded.at)
