"""Writes the signed export of a tournament, with the exports of all its matches inside."""

from collections.abc import Callable
from dataclasses import dataclass

from kontor_games.domain.tournaments.export import match_lines
from kontor_games.domain.tournaments.stream import TOURNAMENTS
from kontor_games.domain.tournaments.tournament import Tournament
from kontor_games.service.matches.use_cases import match_uuid
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.store.streams import StreamCache
from kontor_games.service.tournaments.use_cases import tournament_uuid
from kontor_games.service.trust.exports import Exports, write_file
from kontor_games.service.trust.signing import Signer


@dataclass(eq=False, repr=False)
class TournamentExports:
    """Exports tournaments, with their matches, as files that `kontor verify` checks."""

    _tournaments: StreamCache[Tournament]
    _exports: Exports
    _cache: MatchCache
    _signer: Signer
    _clock: Callable[[], int]

    def export(self, tournament_id: str) -> bytes:
        """Return the export: all facts, and every match that is over, as everybody may see it."""
        cached = self._tournaments.get_fresh(tournament_uuid(tournament_id))
        tournament = cached.state
        over = [
            match for match in tournament.slots if self._cache.get_fresh(match_uuid(match)).state.revealed
        ]
        matches = {match: self._exports.export(None, match) for match in over}
        known = cached.entries_until(tournament.version)
        return write_file(
            *(TOURNAMENTS, cached.name, tournament, known),
            *(self._signer, self._clock()),
            inner=match_lines(matches),
        )
