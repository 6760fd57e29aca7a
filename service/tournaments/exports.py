"""Writes the signed export of a tournament, with the exports of all its matches inside."""

from collections.abc import Callable
from hashlib import sha256

from kontor_games.domain.codec import canonical
from kontor_games.domain.tournaments.chain import GENESIS, records_of
from kontor_games.domain.tournaments.export import FOOTER_PREFIX, FORMAT, tournament_footer, write_file
from kontor_games.service.matches.use_cases import match_uuid
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.tournaments.log import TournamentLogs
from kontor_games.service.tournaments.use_cases import tournament_uuid
from kontor_games.service.trust.exports import Exports
from kontor_games.service.trust.signing import Signer


class TournamentExports:
    """Exports tournaments, with their matches, as files that `kontor verify` checks."""

    def __init__(
        self,
        logs: TournamentLogs,
        exports: Exports,
        cache: MatchCache,
        signer: Signer,
        clock: Callable[[], int],
    ) -> None:
        self._logs = logs
        self._exports = exports
        self._cache = cache
        self._signer = signer
        self._clock = clock

    def export(self, tournament_id: str) -> bytes:
        """Return the export: all facts, and every match that is over, as everybody may see it."""
        log = self._logs.get(tournament_uuid(tournament_id))
        tournament, secret = log.tournament, log.tournament.announced.server_secret
        header = {
            "complete": tournament.over,
            "exported_at": self._clock(),
            "format": FORMAT,
            "keys": [key.plain() for key in self._signer.public_keys()],
            "tournament": log.name,
        }
        records, head = [], GENESIS
        for entry in log.entries:
            records += records_of(log.name, entry, secret, head)
            head = records[-1]["hash"]
        over = [
            match for match in tournament.slots if self._cache.get_fresh(match_uuid(match)).match.revealed
        ]
        body = write_file(header, records, {match: self._exports.export(None, match) for match in over})
        footer = tournament_footer(tournament, head, sha256(body).hexdigest())
        key, signature = self._signer.sign(FOOTER_PREFIX + canonical(footer), tournament.at)
        return body + canonical({**footer, "key": key, "signature": signature}) + b"\n"
