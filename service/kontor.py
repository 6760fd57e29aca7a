"""Creates and connects the objects of one process of the service."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event

import structlog

from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import fact_codec, find_rules
from kontor_games.domain.tournaments.stream import TOURNAMENTS
from kontor_games.service.background.bot_processes import BotProcesses
from kontor_games.service.background.calls import CallWorker
from kontor_games.service.background.checkpoint_worker import CheckpointWorker
from kontor_games.service.background.clocks import ClockWorker
from kontor_games.service.background.house_bots import HouseBots
from kontor_games.service.background.leader import FileLeaderLock, Leader, PostgresLeaderLock, lead_file
from kontor_games.service.background.searching_bots import SearchingBots, is_needed, is_playing
from kontor_games.service.calls.devices import PushDevices
from kontor_games.service.calls.mail import MailCalls
from kontor_games.service.calls.mail_addresses import MailAddresses
from kontor_games.service.calls.push import PushCalls
from kontor_games.service.errors import UnavailableError
from kontor_games.service.matches.analyses import Analyses
from kontor_games.service.matches.branches import Branches
from kontor_games.service.matches.delays import Delays
from kontor_games.service.matches.house_commands import HouseCommands
from kontor_games.service.matches.listing import listing_rows
from kontor_games.service.matches.many_moves import ManyMoves
from kontor_games.service.matches.match_spec import MatchDefaults
from kontor_games.service.matches.outages import Outages, uptime
from kontor_games.service.matches.phrases import Talk
from kontor_games.service.matches.presentation import Presenter
from kontor_games.service.matches.private_links import PrivateLinks
from kontor_games.service.matches.queries import Queries
from kontor_games.service.matches.quotas import Quotas
from kontor_games.service.matches.rematches import Rematches
from kontor_games.service.matches.use_cases import Matches, sign
from kontor_games.service.metrics import MemoryReport
from kontor_games.service.people.bans import Bans
from kontor_games.service.people.blocks import Blocks
from kontor_games.service.people.device_codes import DeviceCodes
from kontor_games.service.people.directory import Directory
from kontor_games.service.people.limits import HeavyCallers, Limits, LimitSharing, OpenStreams
from kontor_games.service.people.players import Players
from kontor_games.service.people.presence import Presence
from kontor_games.service.people.recoveries import Recoveries
from kontor_games.service.people.reports import Reports
from kontor_games.service.people.server_secret import Secret
from kontor_games.service.people.tokens import Caller, Tokens
from kontor_games.service.ratings.projection import RatingProjection
from kontor_games.service.ratings.queries import RatingQueries
from kontor_games.service.seeks.matchmaker import Matchmaker
from kontor_games.service.seeks.store import SeekStore
from kontor_games.service.seeks.use_cases import Seeks
from kontor_games.service.settings import Settings
from kontor_games.service.siblings import Siblings
from kontor_games.service.stalls import Stalls
from kontor_games.service.store.append_only import set_up_role
from kontor_games.service.store.command_handler import CommandHandler
from kontor_games.service.store.database import Database
from kontor_games.service.store.event_store import EventStore
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.store.schema import may_create_tables, migrate, missing_tables
from kontor_games.service.store.streams import StreamCache
from kontor_games.service.threads import Periodic, RepeatedWork, Supervisor, ThreadGroup
from kontor_games.service.tournaments.exports import TournamentExports
from kontor_games.service.tournaments.listing import listing_rows as tournament_rows
from kontor_games.service.tournaments.presentation import TournamentPresenter
from kontor_games.service.tournaments.refusals import RefusalCounts
from kontor_games.service.tournaments.use_cases import Tournaments
from kontor_games.service.tournaments.use_cases import sign as sign_entry
from kontor_games.service.tournaments.worker import TournamentWorker
from kontor_games.service.trust.audits import Audits
from kontor_games.service.trust.checkpoints import Checkpoints
from kontor_games.service.trust.exports import Exports
from kontor_games.service.trust.signing import Signer, find_external_keys
from kontor_games.service.version import VERSION
from kontor_games.service.wakeups.feed import Feed
from kontor_games.service.wakeups.relay import PollingRelay, PostgresRelay, Sweep

_LOG = structlog.get_logger(__name__)
_CACHED_TOURNAMENTS = 200
_DELAY_PAUSE_S = 0.25


def wall_clock() -> int:
    """Return the milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def monotonic_clock() -> int:
    """Return monotonic milliseconds, independent of changes to the system clock."""
    return time.monotonic_ns() // 1_000_000


def load_games() -> None:
    """Load the newest rules of every game, so that no request has to wait for that."""
    for game in installed_games().values():
        fact_codec(find_rules(game.id, None, game.data_sets[0].name))


def restrict_file(path: Path) -> None:
    """Create the file of a SQLite database, or change its mode: only its owner may read it (secrets)."""
    path.touch(mode=0o600)
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)


class Kontor:
    """One process of the service; any number of processes can share a database."""

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], int] = wall_clock,
        monotonic: Callable[[], float] = uptime,
    ) -> None:
        """Creates all objects, but starts no thread and changes no table."""
        self.settings = settings
        self.clock = clock
        if settings.sqlite_path is not None:
            settings.sqlite_path.parent.mkdir(parents=True, exist_ok=True)
        self.store = EventStore(settings.database_url, settings.pool_size)
        self.database = Database(self.store.recorder.datastore)
        self.feed = Feed()
        self.cache = MatchCache(self.store, settings.cache_matches, settings.cache_bytes)
        self._tournament_cache = StreamCache(
            self.store, TOURNAMENTS, _CACHED_TOURNAMENTS, settings.cache_bytes
        )
        self.siblings = Siblings()
        self._running: list[ThreadGroup] = []
        self._create_people()
        self._create_matches(monotonic)
        self._create_trust()
        self._create_tournaments()

    def _create_people(self) -> None:
        database, settings, clock = self.database, self.settings, self.clock
        self.tokens = Tokens(database, settings, clock)
        self.tokens.revocations.on_revoked(self.feed.wake)  # ends the streams of revoked tokens
        self.players = Players(database, settings, clock, self.tokens)
        self.bans = Bans(database, clock)
        self.blocks = Blocks(database, clock)
        self.reports = Reports(database, self.players, clock)
        self.device_codes = DeviceCodes(database, self.tokens, self.players, clock)
        self.recoveries = Recoveries(database, self.tokens, self.players, self.device_codes, clock)
        self.limits = Limits(settings, monotonic_clock if clock is wall_clock else clock)
        self.heavy_callers = HeavyCallers()
        self.streams = OpenStreams(settings)
        self.presence = Presence(database, clock, self.tokens, self.streams)
        self.directory = Directory(database, self.players, clock)
        self.signer = Signer(database, clock, find_external_keys(settings))
        self.push_devices = PushDevices(database, settings, clock)
        self.push = PushCalls(self.push_devices, self.players, settings, self._secret, clock)
        self.mail_addresses = MailAddresses(database, settings, self._secret, clock)
        self.mail = MailCalls(self.mail_addresses, self.players, settings, clock)
        self.ratings = RatingQueries(database, self.players)
        self.rating_projection = RatingProjection(database, self.cache, clock)

    def _secret(self) -> Secret:
        """The secret of the server, read when it is first needed."""
        return self.tokens.requests.secret

    def _create_matches(self, monotonic: Callable[[], float]) -> None:
        database, settings, clock = self.database, self.settings, self.clock
        links = PrivateLinks(database, self._secret)
        presenter = Presenter(self.players, self.signer, links)
        self.stalls = Stalls()
        self.outages = Outages(database, clock, monotonic, self.stalls)
        self.refusals = RefusalCounts(database)
        handler = CommandHandler(self.cache, clock, sign, listing_rows, self.feed.publish)
        self.house = HouseCommands(handler, self.cache, database, clock, self.outages)
        self.matches = Matches(
            self.cache,
            handler,
            self.house.record_time_outs,
            database,
            self.players,
            presenter,
            Quotas(database, settings),
            MatchDefaults.of(settings),
            links,
            self.refusals.count,
        )
        self.many_moves = ManyMoves(self.matches, handler, presenter)
        self.delays = Delays(clock, self.feed.wake)
        self.queries = Queries(self.cache, database, presenter, clock, links, self.delays)
        self.analyses = Analyses(self.cache, self.queries, database, clock)
        self.talk = Talk(database, self.queries, self.blocks, clock)
        self.rematches = Rematches(self.matches, self.queries, self.players)
        self.branches = Branches(self.matches, self.queries, self.cache)
        self._seeks_due = Event()
        self._seek_store = SeekStore(database, clock)
        self.seeks = Seeks(self._seek_store, self.matches.defaults, self._seeks_due.set)

    def _create_trust(self) -> None:
        settings, clock = self.settings, self.clock
        self.exports = Exports(self.cache, self.queries, self.signer, clock)
        self.checkpoints = Checkpoints(
            self.cache,
            self._tournament_cache,
            self.database,
            self.signer,
            clock,
            settings.log_origin,
            settings.witnesses,
            self.delays,
        )
        self.audits = Audits(self.store, self.database)

    def _create_tournaments(self) -> None:
        cache = self._tournament_cache
        self.tournaments = Tournaments(
            cache,
            CommandHandler(cache, self.clock, sign_entry, tournament_rows, self.feed.publish_tournament),
            self.database,
            TournamentPresenter(self.players, self.signer),
            self.clock,
            self.refusals,
            self.matches.defaults,
        )
        self.tournament_exports = TournamentExports(cache, self.exports, self.cache, self.signer, self.clock)

    def migrate(self) -> None:
        """Create missing tables and the first signing key; run this before any process serves."""
        if self.settings.sqlite_path is not None:
            restrict_file(self.settings.sqlite_path)
        # Only the owner of the tables publishes keys.
        keys = self.signer.first_keys() if may_create_tables(self.database) else []
        migrate(self.store, self.database, *keys)
        if self.settings.service_role is not None:
            set_up_role(self.database, self.settings.service_role, self.settings.service_password)

    def erase(self, caller: Caller, player: str | None = None) -> None:
        """Erase the caller or, with the scope admin, another player, who then resigns from all matches."""
        erased = player or caller.player
        self.players.erase(caller, player)
        with suppress(UnavailableError):  # if this fails, the leading process does it within a minute
            self.house.resign_all_erased(erased)

    def missing_tables(self) -> list[str]:
        """Return the tables that this release needs and the database does not have."""
        return missing_tables(self.store, self.database)

    def ban(self, player: str, reason: str) -> None:
        """Ban a player and cancel their seeks; in matches they are absent, and their clocks run on."""
        self.bans.ban(player, reason)
        for seek in self._seek_store.of_player(player):
            if seek.status == "waiting":
                self._seek_store.take([seek], "cancelled")

    def close_report(self, report_id: str, outcome: str) -> None:
        """Close a report; the outcome `banned` bans the player whom it is about."""
        reported = self.reports.close(report_id, outcome)
        if outcome == "banned":
            self.ban(reported, "reported by players")

    def start(self, *, serves: bool = True, bots: str | None = None) -> None:
        """Start the relay of wake-ups and, if the settings say so, compete to be the leader.

        The heartbeat of a process that serves players shows that the service is available. `bots` is the name
        of a process in which searching bots play.
        """
        self.outages.role = "serves" if serves else "watches"
        load_games()
        _LOG.info("started", version=VERSION, serves=serves, leads=self.settings.workers_in_process)
        with suppress(UnavailableError):  # it was logged, and /readyz says so
            self.signer.check()
        self._running = [
            self._relay(),
            self.presence,
            self.refusals,
            Sweep(self.store, self.database, self.feed),
            self.tokens.revocations,
            LimitSharing(self.limits, self.database, self.clock, self._secret),
            MemoryReport(),
            RepeatedWork(self.delays.wake_due, _DELAY_PAUSE_S, "delays_interrupted"),
            *([self.outages] if serves else []),
        ]
        if self.settings.workers_in_process:
            self._running.append(self.leader())
        if bots is not None:
            self._running += [
                self.searching_bots(bots),
                Periodic("analyses", self.analyses.make_next, pause_s=1),
            ]
        self._running.append(Supervisor(list(self._running)))
        for group in self._running:
            group.start()

    def watch(self) -> None:
        """Measure stalls and end calls that the database does not answer; for processes that serve HTTP."""
        for group in (self.stalls, *self.database.watchers):
            self._running.append(group)
            group.start()

    def leader(self) -> Leader:
        """Return the leader with its tasks: house bots, clocks, checkpoints, tournaments, audits and more."""
        path = self.settings.sqlite_path
        lock = (
            PostgresLeaderLock(self.settings.database_url)
            if path is None
            else FileLeaderLock(lead_file(path))
        )
        tasks = [
            HouseBots(self.cache, self.house, self.feed, self.clock),
            BotProcesses(self.settings, self._needs_bot_processes, self.feed),
            ClockWorker(self.house, self.feed, self.clock, self.outages),
            CheckpointWorker(self.checkpoints, self.feed),
            self.tournament_worker(),
            self.matchmaker(),
            *([self.call_worker()] if self.settings.public_url else []),
            *([Periodic("mail", self.mail.ask, pause_s=5)] if self.mail_addresses.offered else []),
            Periodic("ratings", self.rating_projection.count_new, pause_s=2),
            Periodic("audits", self.audits.audit_ended, pause_s=30),
            Periodic("erasures", self.house.resign_all_erased, pause_s=30),
            Periodic("expiries", self.house.end_expired, pause_s=60),
        ]
        return Leader(lock, tasks)

    def _needs_bot_processes(self) -> bool:
        """Whether a match with searching bots or an analysis waits, and no process does that."""
        is_work = is_needed(self.database) or self.analyses.is_awaited()
        return is_work and not is_playing(self.database, self.clock())

    def searching_bots(self, name: str) -> SearchingBots:
        """Return the worker that plays searching bots in a process with a name."""
        return SearchingBots(name, self.database, self.cache, self.house, self.feed, self.clock)

    def tournament_worker(self) -> TournamentWorker:
        """Return the worker that takes the due steps of tournaments."""
        return TournamentWorker(
            self.tournaments, self.matches, self.cache, self.database, self.feed, self.clock
        )

    def call_worker(self) -> CallWorker:
        """Return the worker that calls players who are away."""
        ways = (self.push, self.mail)
        presence = self.presence
        return CallWorker(self.house, self.feed, self.clock, self.cache, self.database, presence, ways)

    def matchmaker(self) -> Matchmaker:
        return Matchmaker(
            self._seek_store,
            self.matches,
            self.cache,
            self.ratings,
            self.players,
            self.presence,
            self.outages,
            self.clock,
            self._seeks_due,
        )

    def close(self) -> None:
        """Stop all threads and close all connections."""
        self.siblings.leave()
        for group in self._running:
            group.stop()
        for group in reversed(self._running):
            group.close()
        self._running = []
        self.signer.close()
        self.store.close()

    def _relay(self) -> ThreadGroup:
        if self.database.is_postgres:
            return PostgresRelay(self.settings.database_url, self.feed)
        return PollingRelay(self.store, self.cache, self.feed)
