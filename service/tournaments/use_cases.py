"""The use cases of tournaments. Each command is stored completely, once, or not at all."""

import secrets
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from uuid import UUID, uuid4, uuid5

from eventsourcing.persistence import IntegrityError

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import Refusal
from kontor_games.domain.match_refusals import SignatureRequiredError
from kontor_games.domain.seed import commitment_of
from kontor_games.domain.tournaments.chain import TournamentEntry
from kontor_games.domain.tournaments.commands import Announce, Enter, PairRound, TournamentCommand
from kontor_games.domain.tournaments.facts import TournamentAnnounced, TournamentFact
from kontor_games.domain.tournaments.signatures import check_command
from kontor_games.domain.tournaments.tournament import Tournament
from kontor_games.service.cursor import row_cursor
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import KeyReusedError, MatchDamagedError, NotFoundError, StaleVersionError
from kontor_games.service.matches.answers import Event
from kontor_games.service.matches.match_spec import MatchDefaults
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import THE_SERVICE, Caller
from kontor_games.service.store.database import Database
from kontor_games.service.tournaments import answers
from kontor_games.service.tournaments.listing import listing_filters, listing_rows
from kontor_games.service.tournaments.log import TournamentLog, TournamentLogs
from kontor_games.service.tournaments.presentation import TournamentPresenter, public_fact
from kontor_games.service.tournaments.refusals import RefusalCounts
from kontor_games.service.tournaments.spec import plan_terms
from kontor_games.service.wakeups.feed import Feed

_NAMESPACE = UUID("6b6f6e74-6f72-4d61-8463-746f75726e00")
_ATTEMPTS = 20
_RECENTLY_MS = 24 * 3600 * 1000

Decide = Callable[[Tournament, int], list[TournamentFact]]


def tournament_uuid(text: str) -> UUID:
    """The id of a tournament; anything else is treated like the id of a missing one."""
    try:
        return UUID(text)
    except ValueError:
        raise NotFoundError("There is no such tournament.") from None


class Tournaments:
    """Carries out the commands on all tournaments of this service, and answers queries about them."""

    def __init__(
        self,
        logs: TournamentLogs,
        database: Database,
        presenter: TournamentPresenter,
        feed: Feed,
        clock: Callable[[], int],
        refused: RefusalCounts,
        defaults: MatchDefaults,
    ) -> None:
        self._logs = logs
        self._database = database
        self._presenter = presenter
        self._feed = feed
        self._clock = clock
        self._refused = refused
        self._defaults = defaults

    # --- commands -------------------------------------------------------------------------------------------

    def announce(self, call: Call, request: Plain) -> answers.TournamentAnswer:
        """Announce a tournament; the same key gives the same tournament."""
        tournament_id = uuid5(_NAMESPACE, f"{call.by} {call.key}") if call.key else uuid4()
        log = self._logs.get_or_new(tournament_id)
        if log.tournament.version:
            return self._replay(log, call)
        terms = plan_terms(request, call.by, self._defaults)
        secret, command = secrets.token_hex(32), Announce()
        announced = TournamentAnnounced(terms, commitment_of(secret), secret)
        return self._carry_out(log, call, command, lambda new, at: command.announce(new, announced, at))

    def execute(self, call: Call, tournament_id: str, command: TournamentCommand) -> answers.TournamentAnswer:
        """Carry out any command but the announcement."""
        return self._carry_out(self._log(tournament_id), call, command)

    def require_round_due(self, by: str, key: str | None, tournament_id: str) -> None:
        """Raise the refusal of a request to pair a round, before its tables are read; not of a retry."""
        log = self._log(tournament_id)
        if not log.entry_of(by, key):
            PairRound.require_due(log.tournament, by, max(self._clock(), log.tournament.at))

    def enter(self, call: Call, tournament_id: str, command: Enter) -> answers.TournamentAnswer:
        """Enter a tournament. A player with a registered key must sign with it, as when taking a seat."""
        log, key = self._log(tournament_id), self._presenter.players.get(call.by).public_key
        if log.tournament.seals_contributions and command.key != key:
            raise SignatureRequiredError(
                "You have registered no key: send no `key`."
                if key is None
                else "Enter with the public key that you have registered, and sign the entry.",
                "",
            )
        return self._carry_out(log, call, command)

    def execute_for_service(self, tournament_id: UUID, key: str, command: TournamentCommand) -> None:
        """Carry out a command of the service itself."""
        self._carry_out(self._logs.get(tournament_id), Call(THE_SERVICE, key), command)

    def _carry_out(
        self, log: TournamentLog, call: Call, command: TournamentCommand, decide: Decide | None = None
    ) -> answers.TournamentAnswer:
        """Decide a command on the cached tournament and store it.

        The store is read only after a refusal or a conflict; then the command is decided again.
        """
        decide = decide or (lambda tournament, at: command.decide(tournament, call.by, at))
        with log.lock:
            for attempt in range(_ATTEMPTS):
                if log.entry_of(call.by, call.key):
                    return self._replay(log, call)
                try:
                    return self._try(log, call, command, decide)
                except IntegrityError:
                    log.refresh()
                except Refusal:
                    if attempt:
                        raise
                    log.refresh()
            raise StaleVersionError(0, log.tournament.version)

    def _try(
        self, log: TournamentLog, call: Call, command: TournamentCommand, decide: Decide
    ) -> answers.TournamentAnswer:
        before, after = log.tournament, log.tournament.copy()
        at = max(self._clock(), before.at)
        check_command(log.name, before, call.by, command, is_signed)
        facts = tuple(decide(after, at))
        key = call.key or secrets.token_hex(8)
        entry = TournamentEntry(before.version + 1, at, call.by, command, key, call.stored_digest, facts)
        log.append(entry, after, listing_rows(log.name, before, after, entry))
        self._feed.publish_tournament(log.id, after.version)
        return self._presenter.answer(log, after, entry, replayed=False)

    def _replay(self, log: TournamentLog, call: Call) -> answers.TournamentAnswer:
        entry = log.entry_of(call.by, call.key)
        if entry is None or entry.request_digest != call.stored_digest:
            raise KeyReusedError("This Idempotency-Key was already used for a different request.")
        return self._presenter.answer(log, self._at_version(log, entry.last), entry, replayed=True)

    @staticmethod
    def _at_version(log: TournamentLog, version: int) -> Tournament:
        if log.tournament.version == version:
            return log.tournament
        past = Tournament()
        for entry in log.entries[: log.index_of(version) + 1]:
            for fact in entry.facts:
                past.fold_fact(fact)
            past.at = entry.at
        return past

    # --- queries --------------------------------------------------------------------------------------------

    def _log(self, tournament_id: str) -> TournamentLog:
        return self._logs.get(tournament_uuid(tournament_id))

    def get(self, caller: Caller | None, tournament_id: str) -> answers.TournamentDetails:
        """A tournament with its terms."""
        log = self._log(tournament_id)
        return self._presenter.details(log.name, log.tournament, log.head, caller.player if caller else None)

    def page(
        self, *, game: str | None, status: str | None, player: str | None, cursor: str | None, limit: int
    ) -> answers.TournamentPage:
        where, values = listing_filters(game, status, player, cursor)
        rows = self._database.read(
            f"SELECT t.id, t.created_at FROM tournaments t WHERE {where}"  # noqa: S608
            " ORDER BY t.created_at DESC, t.id DESC LIMIT ?",
            [*values, limit + 1],
        )
        found = tuple(self._summaries(row["id"] for row in rows[:limit]))
        return answers.TournamentPage(found, row_cursor(rows[limit - 1]) if len(rows) > limit else None)

    def _summaries(self, ids: Iterable[str]) -> Iterator[answers.TournamentSummary]:
        """The summaries; damaged tournaments are left out."""
        for one in ids:
            with suppress(MatchDamagedError):
                log = self._log(one)
                yield self._presenter.summary(log.name, log.tournament)

    def standings(self, tournament_id: str) -> answers.Standings:
        log = self._log(tournament_id)
        return self._presenter.standings(log.name, log.tournament)

    def refusals(self, tournament_id: str) -> answers.Refusals:
        """The number of refused moves of each entrant, by problem code."""
        log = self._log(tournament_id)
        counted = self._refused.of(log.name, log.tournament)
        return self._presenter.refusals(log.name, log.tournament, counted)

    def round(self, tournament_id: str, number: int) -> answers.Round:
        """One round with its tables."""
        log = self._log(tournament_id)
        if not 1 <= number <= len(log.tournament.rounds):
            raise NotFoundError("This round has not been paired.")
        return self._presenter.round(log.name, log.tournament, number)

    def events(
        self, tournament_id: str, after: int, limit: int, at_least: int | None = None
    ) -> answers.TournamentEvents:
        """The facts after a version; with `at_least`, the store is read only if the cache is behind it."""
        log = self._logs.get(tournament_uuid(tournament_id), at_least)
        return log.recent_events(after, limit, lambda: self._events(log, after, limit))

    @staticmethod
    def _events(log: TournamentLog, after: int, limit: int) -> answers.TournamentEvents:
        tournament, found = log.tournament, list[Event]()
        for entry in log.entries[log.index_of(after + 1) :]:
            for version, fact in enumerate(entry.facts, entry.first):
                if version > after and len(found) < limit:
                    found.append(Event(version, entry.at, entry.by, public_fact(fact)))
            if len(found) >= limit:
                break
        return answers.TournamentEvents(
            log.name, tournament.status, tournament.version, tournament.over, tuple(found)
        )

    def unsettled(self, settled: Container[UUID] = ()) -> list[UUID]:
        """The tournaments in which the service may have something to do, without those known to be settled.

        These are running tournaments, those whose contributions are being opened, those with matches that are
        not over although their results no longer
        count, and those that were cancelled in the last day.
        """
        rows = self._database.read(
            "SELECT id FROM tournaments"
            " WHERE status IN ('opening', 'running') OR (status = 'cancelled' AND changed_at >= ?)"
            " UNION SELECT t.tournament AS id FROM tournament_matches t JOIN matches m ON m.id = t.match_id"
            " WHERE m.status IN ('open', 'running')",
            [self._clock() - _RECENTLY_MS],
        )
        found = [UUID(row["id"]) for row in rows]
        return [one for one in found if one not in settled]

    def current(self, tournament_id: UUID) -> Tournament:
        """A tournament, not redacted: for use inside the service only."""
        return self._logs.get(tournament_id).tournament
