"""The work of the leading process on tournaments: open matches, record results and no-shows, pair rounds.

It keeps no state of its own: every step is computed from the facts of the tournament and the rows of its
matches, and is stored under a key of its own. So the process can die at any moment; the next leading process
continues, and nothing happens twice.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from threading import Event
from uuid import UUID

import structlog

from kontor_games.domain.commands import Abort, CallOff, Create, RevealSecret
from kontor_games.domain.game import Refusal
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated
from kontor_games.domain.stream import HOUSE, Command
from kontor_games.domain.tournaments import commands
from kontor_games.domain.tournaments.facts import ContributionsDue
from kontor_games.domain.tournaments.rounds import is_last
from kontor_games.domain.tournaments.tournament import PlannedMatch, Tournament
from kontor_games.service.errors import NotFoundError, RecordDamagedError, StaleVersionError
from kontor_games.service.matches.match_spec import MatchSpec, SeatSpec, plan_match
from kontor_games.service.matches.use_cases import Call, Matches
from kontor_games.service.people.tokens import THE_SERVICE
from kontor_games.service.store.database import Database
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.threads import DueWork
from kontor_games.service.tournaments.use_cases import Tournaments
from kontor_games.service.wakeups.feed import Change, Feed

_LOG = structlog.get_logger(__name__)
_PAUSE_S = 1.0


class TournamentWorker(DueWork):
    """Takes the due steps of running tournaments."""

    def __init__(
        self,
        tournaments: Tournaments,
        matches: Matches,
        cache: MatchCache,
        database: Database,
        feed: Feed,
        clock: Callable[[], int],
    ) -> None:
        """Subscribes to changes, but ignores them until it is started."""
        super().__init__(self.step_all, Event(), _PAUSE_S, "tournaments_interrupted")
        self._tournaments = tournaments
        self._matches = matches
        self._cache = cache
        self._database = database
        self._clock = clock
        self._settled: set[UUID] = set()
        """Tournaments that are over, in which this process has found nothing more to do."""
        self.closing.set()
        feed.on_change(self._on_change)

    def _on_change(self, change: Change) -> None:
        if change.over or not change.players:  # a match has ended, or a tournament has changed
            self.due.set()

    def step_all(self) -> None:
        """Take all due steps of every running tournament."""
        for tournament_id in self._tournaments.unsettled(self._settled):
            try:
                while self.step(tournament_id):
                    pass
            except (RecordDamagedError, NotFoundError) as error:
                _LOG.warning("tournament_interrupted", tournament=str(tournament_id), error=error.code)
            except (Refusal, StaleVersionError) as error:  # an arbiter or another leading process was quicker
                _LOG.info("tournament_changed_meanwhile", tournament=str(tournament_id), reason=str(error))

    def step(self, tournament_id: UUID) -> bool:
        """Take the steps that are due; return whether others may be due after them."""
        tournament = self._tournaments.current(tournament_id)
        if tournament.due is not None:
            return self._close_opening(tournament_id, tournament.due)
        if tournament.status != "running":
            return self._settle(tournament_id, tournament)
        to_open = [planned for planned in tournament.unfinished if planned.match is None]
        for planned in to_open:
            self._open(tournament_id, planned)
        ended = self._record_changes(tournament_id, self._tournaments.current(tournament_id))
        self._reveal_blocks(tournament_id)
        return bool(to_open) or ended or self._next_round(tournament_id)

    def _close_opening(self, tournament_id: UUID, due: ContributionsDue) -> bool:
        """Remove the entrants who did not open in time; return whether the deadline is over."""
        if self._clock() < due.deadline:
            return False
        key = f"close-opening.{due.opening}"
        self._tournaments.execute_for_service(tournament_id, key, commands.CloseOpening())
        return True

    def _settle(self, tournament_id: UUID, tournament: Tournament) -> bool:
        """End the matches that are still running after the tournament; their results do not count."""
        self._record_changes(tournament_id, tournament)
        for match_id in tournament.slots if tournament.status == "cancelled" else ():
            self._attempt("reveal", match_id, RevealSecret())
        self._settled.add(tournament_id)
        return False

    # --- matches --------------------------------------------------------------------------------------------

    def _open(self, tournament_id: UUID, planned: PlannedMatch) -> None:
        """Create the match of a slot, then record it; both under keys, so that repeating changes nothing."""
        tournament = self._tournaments.current(tournament_id)
        round_, table, number = planned.slot
        key = f"open.{round_}.{table}.{number}.{planned.attempts}"
        answer = self._matches.announce(
            Call(THE_SERVICE, f"{tournament_id}.{key}"),
            Create(takes_seat=False, bot=False, contribution=""),
            lambda: self._planned_match(tournament, planned),
        )
        command = commands.OpenMatch(round_, table, number, answer.position.id)
        self._tournaments.execute_for_service(tournament_id, key, command)

    def _planned_match(self, tournament: Tournament, planned: PlannedMatch) -> MatchCreated:
        terms = tournament.terms
        players = [tournament.entrants[number].player for number in planned.entrants]
        spec = MatchSpec(
            game=terms.game,
            seats=tuple(SeatSpec("invited", player) for player in players),
            options={},
            clock={},
            on_timeout=terms.on_timeout,
            signed=terms.signed,
            required_witnesses=terms.required_witnesses,
            rated=terms.rated,
            max_returned_ms=terms.max_returned_ms,
            spectator_delay=terms.spectator_delay,
        )
        secret = tournament.deal_secret(planned.slot, planned.attempts)
        created = plan_match(spec, HOUSE, secret, lambda player: True, self._matches.defaults)
        return replace(
            created,
            rules_version=terms.rules_version,
            data=terms.data,
            data_hash=terms.data_hash,
            options=terms.options,
            clock=terms.clock,
            in_block=tournament.has_secret_blocks,
        )

    def _record_changes(self, tournament_id: UUID, tournament: Tournament) -> bool:
        """Record starts, results, no-shows; end matches that don't count; return whether a match is over."""
        late = self._clock() - tournament.terms.no_show_ms
        rows = self._database.read(
            "SELECT t.match_id AS id, m.status, t.opened_at FROM tournament_matches t"
            " JOIN matches m ON m.id = t.match_id WHERE t.tournament = ?",
            [str(tournament_id)],
        )
        waiting = {planned.match: planned for planned in tournament.unfinished if planned.match}
        counting = waiting if tournament.status == "running" else {}
        for row in rows:
            if row["id"] not in counting and row["status"] in ("open", "running"):
                self._attempt("call-off", row["id"], CallOff(reveal=False))
        changed = [row for row in rows if row["id"] in counting]
        for match_id in (row["id"] for row in changed if row["status"] == "running"):
            if match_id not in tournament.began:
                command = commands.RecordStart(match_id)
                self._tournaments.execute_for_service(tournament_id, f"start.{match_id}", command)
        over = [
            counting[row["id"]]
            for row in changed
            if row["status"] in ("finished", "aborted")
            or (row["status"] == "open" and row["opened_at"] <= late)
        ]
        return sum(self._record(tournament_id, planned) for planned in over) > 0

    def _attempt(self, step: str, match_id: str, command: Command) -> None:
        """Carry out a command on a match, unless that was done before or is no longer allowed."""
        with suppress(Refusal, StaleVersionError):
            self._matches.execute(Call(THE_SERVICE, f"{step}.{match_id}"), match_id, command)

    def _reveal_blocks(self, tournament_id: UUID) -> None:
        """Reveal the deals of tables whose matches all have results, and record that."""
        tournament = self._tournaments.current(tournament_id)
        for round_, table in tournament.unrevealed:
            for match_id in tournament.matches_of((round_, table)):
                self._attempt("reveal", match_id, RevealSecret())
            command = commands.RevealBlock(round_, table)
            self._tournaments.execute_for_service(tournament_id, f"reveal.{round_}.{table}", command)

    def _record(self, tournament_id: UUID, planned: PlannedMatch) -> bool:
        """Record the result of a match; return False if an arbiter must decide it, or it is still running."""
        match_id = str(planned.match)
        match = self._current(match_id)
        if match.status == "open":  # it did not start before its deadline
            self._attempt("no-show", match_id, Abort())
            match = self._current(match_id)
        if match.outcome is not None:
            outcome = match.outcome
            result = commands.RecordResult(match_id, outcome.places, _totals(match), outcome.reason)
            self._tournaments.execute_for_service(tournament_id, f"result.{match_id}", result)
        elif match.status == "aborted" and not match.begun:
            absent = tuple(n for seat, n in enumerate(planned.entrants) if match.seats[seat] is None)
            no_show = commands.RecordNoShow(match_id, absent or planned.entrants)
            self._tournaments.execute_for_service(tournament_id, f"no-show.{match_id}", no_show)
        else:
            return False
        return True

    def _current(self, match_id: str) -> Match:
        return self._cache.get_fresh(UUID(match_id)).state

    # --- rounds ---------------------------------------------------------------------------------------------

    def _next_round(self, tournament_id: UUID) -> bool:
        """Pair the next round or post standings if the tournament is automatic; return whether it did so."""
        tournament = self._tournaments.current(tournament_id)
        if tournament.status != "running" or not tournament.terms.automatic:
            return False
        number, over = len(tournament.rounds) + 1, self._is_over(tournament)
        if tournament.unfinished and (over or tournament.terms.format != "arena"):
            return False
        command: Command = commands.PostStandings() if over else commands.PairRound()
        key = f"post.{tournament.version}" if over else f"pair.{number}"
        try:
            self._tournaments.execute_for_service(tournament_id, key, command)
        except Refusal as refusal:
            _LOG.info("tournament_waits", tournament=str(tournament_id), reason=refusal.detail)
            return False
        return True

    def _is_over(self, tournament: Tournament) -> bool:
        if tournament.ends_at is not None:
            return self._clock() >= tournament.ends_at
        return is_last(tournament)


def _totals(match: Match) -> tuple[int, ...]:
    """The score of each seat: its total, or the sum of its categories; 0 if the match was not played out."""
    scores = match.outcome.scores if match.outcome else None
    if scores is None:
        return (0,) * len(match.seats)
    return tuple(score["total"] if "total" in score else sum(score.values()) for score in scores)
