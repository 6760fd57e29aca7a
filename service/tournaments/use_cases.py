"""The use cases of tournaments. Each command is stored completely, once, or not at all."""

import secrets
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from uuid import UUID, uuid4, uuid5

from kontor_games.domain.codec import Plain
from kontor_games.domain.match_refusals import SignatureRequiredError
from kontor_games.domain.seed import commitment_of
from kontor_games.domain.stream import Command
from kontor_games.domain.tournaments.commands import Announce, Enter, PairRound
from kontor_games.domain.tournaments.facts import TournamentAnnounced
from kontor_games.domain.tournaments.stream import TOURNAMENTS
from kontor_games.domain.tournaments.tournament import Tournament
from kontor_games.service.answer_fields import Moment
from kontor_games.service.cursor import row_cursor
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import NotFoundError, RecordDamagedError
from kontor_games.service.matches.match_spec import MatchDefaults
from kontor_games.service.matches.recent_events import RecentEvents
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.people.tokens import THE_SERVICE, Caller
from kontor_games.service.store.command_handler import CommandHandler
from kontor_games.service.store.database import Database
from kontor_games.service.store.streams import CachedStream, StreamCache
from kontor_games.service.tournaments import answers
from kontor_games.service.tournaments.listing import listing_filters
from kontor_games.service.tournaments.presentation import TournamentPresenter, public_fact
from kontor_games.service.tournaments.refusals import RefusalCounts
from kontor_games.service.tournaments.spec import plan_terms

CachedTournament = CachedStream[Tournament]
TournamentCache = StreamCache[Tournament]
_NAMESPACE = UUID("6b6f6e74-6f72-4d61-8463-746f75726e00")
_RECENTLY_MS = 24 * 3600 * 1000


def tournament_uuid(text: str) -> UUID:
    """The id of a tournament; anything else is treated like the id of a missing one."""
    try:
        return UUID(text)
    except ValueError:
        raise NotFoundError("There is no such tournament.") from None


def sign(cached: CachedTournament, by: str, command: Command) -> Command:
    """The command, if it is signed as it must be."""
    TOURNAMENTS.check_signature(cached.name, cached.state, cached.head, by, command, is_signed)
    return command


@dataclass(eq=False, repr=False)
class Tournaments:
    """Carries out the commands on all tournaments of this service, and answers queries about them."""

    _cache: TournamentCache
    _handler: CommandHandler[Tournament]
    _database: Database
    _presenter: TournamentPresenter
    _clock: Callable[[], int]
    _refused: RefusalCounts
    _defaults: MatchDefaults
    _recent: RecentEvents[answers.TournamentEventPage] = field(default_factory=RecentEvents, init=False)

    # --- commands -------------------------------------------------------------------------------------------

    def announce(self, call: Call, request: Plain) -> answers.TournamentAnswer:
        """Announce a tournament; the same key gives the same tournament."""
        tournament_id = uuid5(_NAMESPACE, f"{call.by} {call.key}") if call.key else uuid4()
        cached = self._cache.get_or_new(tournament_id)
        cached.refresh()
        if cached.state.version:
            return self._presenter.answer(self._handler.replay(cached, call))
        terms = plan_terms(request, call.by, self._defaults)
        secret, command = secrets.token_hex(32), Announce()
        announced = TournamentAnnounced(terms, commitment_of(secret), secret)
        done = self._handler.carry_out(
            cached, call, command, lambda new, at: command.announce(new, announced, at)
        )
        self._cache.add(cached)
        return self._presenter.answer(done)

    def execute(self, call: Call, tournament_id: str, command: Command) -> answers.TournamentAnswer:
        """Carry out any command but the announcement."""
        return self._presenter.answer(self._handler.carry_out(self._cached(tournament_id), call, command))

    def require_round_due(self, by: str, key: str | None, tournament_id: str) -> None:
        """Raise the refusal of a request to pair a round, before its tables are read; not of a retry."""
        cached = self._cached(tournament_id)
        if (by, key) not in cached.keys:
            PairRound.require_due(cached.state, by, self._handler.now(cached.state))

    def enter(self, call: Call, tournament_id: str, command: Enter) -> answers.TournamentAnswer:
        """Enter a tournament. A player with a registered key must sign with it, as when taking a seat."""
        tournament, key = self._cached(tournament_id).state, self._presenter.players.get(call.by).public_key
        if tournament.seals_contributions and command.key != key:
            raise SignatureRequiredError(
                "You have registered no key: send no `key`."
                if key is None
                else "Enter with the public key that you have registered, and sign the entry.",
                "",
            )
        return self.execute(call, tournament_id, command)

    def execute_for_service(self, tournament_id: UUID, key: str, command: Command) -> None:
        """Carry out a command of the service itself."""
        self._handler.carry_out(self._cache.get_fresh(tournament_id), Call(THE_SERVICE, key), command)

    # --- queries --------------------------------------------------------------------------------------------

    def _cached(self, tournament_id: str) -> CachedTournament:
        return self._cache.get_fresh(tournament_uuid(tournament_id))

    def get(self, caller: Caller | None, tournament_id: str) -> answers.Tournament:
        """A tournament with its terms."""
        cached = self._cached(tournament_id)
        return self._presenter.details(
            cached.name, cached.state, cached.head, caller.player if caller else None
        )

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
            with suppress(RecordDamagedError):
                cached = self._cached(one)
                yield self._presenter.summary(cached.name, cached.state)

    def standings(self, tournament_id: str) -> answers.Standings:
        cached = self._cached(tournament_id)
        return self._presenter.standings(cached.name, cached.state)

    def refusals(self, tournament_id: str) -> answers.TournamentRefusals:
        """The number of refused moves of each entrant, by problem code."""
        cached = self._cached(tournament_id)
        counted = self._refused.of(cached.name, cached.state)
        return self._presenter.refusals(cached.name, cached.state, counted)

    def round(self, tournament_id: str, number: int) -> answers.Round:
        cached = self._cached(tournament_id)
        if not 1 <= number <= len(cached.state.rounds):
            raise NotFoundError("This round has not been paired.")
        return self._presenter.round(cached.name, cached.state, number)

    def events(
        self, tournament_id: str, after: int, limit: int, at_least: int | None = None
    ) -> answers.TournamentEventPage:
        """The facts after a version; with `at_least`, the store is read only if the cache is behind it."""
        cached = self._cache.get_at_least(tournament_uuid(tournament_id), at_least)
        tournament = cached.state
        return self._recent.get(
            (cached.name, tournament.version, after, limit),
            lambda: self._events(cached, tournament, after, limit),
        )

    @staticmethod
    def _events(
        cached: CachedTournament, tournament: Tournament, after: int, limit: int
    ) -> answers.TournamentEventPage:
        facts = (
            answers.TournamentEvent(version, Moment(entry.at), entry.by, public_fact(fact))
            for entry in cached.entries_after(after)
            for version, fact in enumerate(entry.facts, entry.first)
            if after < version <= tournament.version
        )
        found = tuple(islice(facts, limit))
        last = found[-1].version if found else after
        more = None if tournament.over and last >= tournament.version else last
        return answers.TournamentEventPage(
            cached.name, tournament.status, tournament.version, found, more, tournament.over
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
        return self._cache.get_fresh(tournament_id).state
