"""Counts the refused moves of entrants, for the report on a tournament.

A refused move changes nothing and is in no record, so it is only counted: in memory when it is refused, and
once a second in the database. A process that is killed loses the counts of its last second.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from threading import Lock
from uuid import UUID

from kontor_games.domain.tournaments.tournament import Tournament
from kontor_games.service.errors import UnavailableError
from kontor_games.service.store.database import Database
from kontor_games.service.threads import RepeatedWork

_PAUSE_S = 1.0
_ADD = (
    "INSERT INTO tournament_refusals (match_id, player, code, moves)"
    " SELECT match_id, ?, ?, ? FROM tournament_matches WHERE match_id = ?"
    " ON CONFLICT (match_id, player, code) DO UPDATE SET moves = tournament_refusals.moves + excluded.moves"
)
_OF_ENDED = (
    "SELECT r.match_id, r.player, r.code, r.moves FROM tournament_refusals r"
    " JOIN tournament_matches t ON t.match_id = r.match_id JOIN matches m ON m.id = r.match_id"
    " WHERE t.tournament = ? AND m.status IN ('finished', 'aborted')"
)


class RefusalCounts(RepeatedWork):
    """Counts refused moves in matches of tournaments."""

    def __init__(self, database: Database) -> None:
        super().__init__(self.write, _PAUSE_S, "refusals_not_written")
        self._database = database
        self._lock = Lock()
        self._counted: Counter[tuple[str, str, str]] = Counter()

    def count(self, match_id: UUID, player: str, code: str) -> None:
        """Count one move that was refused with the code of a problem."""
        with self._lock:
            self._counted[str(match_id), player, code] += 1

    def close(self) -> None:
        """Stop, and store the last counts."""
        was_running = bool(self._threads)
        super().close()
        if was_running:
            self.write()

    def write(self) -> None:
        """Store the counts since the last call; matches that belong to no tournament are left out."""
        with self._lock:
            counted, self._counted = self._counted, Counter()
        if not counted:
            return
        rows = [
            (_ADD, (player, code, moves, match)) for (match, player, code), moves in sorted(counted.items())
        ]
        try:
            self._database.write(*rows)
        except UnavailableError:
            with self._lock:
                self._counted.update(counted)
            raise

    def of(self, tournament_id: str, tournament: Tournament) -> Mapping[int, Mapping[str, int]]:
        """Return how many moves of each entrant were refused, by code.

        Only tables whose matches are all over are counted: before that, the kind of a refusal can reveal what
        a hand does not contain.
        """
        self.write()
        found: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for row in self._database.read(_OF_ENDED, [tournament_id]):
            slot, number = tournament.slots.get(row["match_id"]), tournament.numbers.get(row["player"])
            if slot is not None and number is not None and tournament.is_revealed(slot[:2]):
                found[number][row["code"]] += row["moves"]
        return found
