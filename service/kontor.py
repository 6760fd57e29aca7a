"""One process of the service: creates all its parts and passes them to each other."""

import time
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import fact_codec, find_rules
from kontor_games.service.background.clocks import Timekeeper
from kontor_games.service.background.house_bots import HouseBots
from kontor_games.service.background.leader import FileBaton, Leader, PostgresBaton
from kontor_games.service.background.periodic import Periodic
from kontor_games.service.background.threads import Supervisor, ThreadGroup
from kontor_games.service.matches.branches import Branches
from kontor_games.service.matches.presentation import Presenter
from kontor_games.service.matches.queries import Queries
from kontor_games.service.matches.use_cases import Matches
from kontor_games.service.people.limits import Limits
from kontor_games.service.people.players import PLAYER_TABLES, Players
from kontor_games.service.people.tokens import Tokens
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database
from kontor_games.service.store.event_store import EventStore, environment
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.store.schema import migrate
from kontor_games.service.trust.audits import AUDIT_TABLES, Audits
from kontor_games.service.trust.checkpoints import CHECKPOINT_TABLES, Checkpoints
from kontor_games.service.trust.exports import Exports
from kontor_games.service.trust.signing import SIGNING_TABLES, Signer
from kontor_games.service.wakeups.feed import Feed, change_of
from kontor_games.service.wakeups.relay import PollingRelay, PostgresRelay
from kontor_games.service.wakeups.sweep import Sweep


def wall_clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Kontor:
    """One process of the service: any number of them serve one database."""

    def __init__(self, settings: Settings, clock: Callable[[], int] = wall_clock) -> None:
        """Connects; starts no thread and changes no table yet."""
        self.settings = settings
        self.clock = clock
        if settings.database_url.startswith("sqlite:///"):
            Path(settings.database_url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
        self.store = EventStore(
            {**environment(settings.database_url, settings.pool_size), "CREATE_TABLE": "n"}
        )
        self.database = Database(self.store.recorder.datastore)
        self.tokens = Tokens(self.database, settings, clock)
        self.players = Players(self.database, settings, clock, self.tokens)
        self.limits = Limits(settings, clock)
        self.signer = Signer(self.database, clock)
        self.feed = Feed()
        self.cache = MatchCache(self.store, settings.cache_matches)
        presenter = Presenter(self.players, self.signer)
        self.matches = Matches(self.cache, self.database, self.players, presenter, self.feed, clock)
        self.queries = Queries(self.cache, self.database, presenter, clock)
        self.exports = Exports(self.cache, self.queries, self.signer, clock)
        self.checkpoints = Checkpoints(self.cache, self.database, self.signer, clock)
        self.audits = Audits(self.store, self.database)
        self.branches = Branches(self.matches, self.queries, self.cache)
        self._running: list[ThreadGroup] = []

    def migrate(self) -> None:
        """Create or update the tables; to be called once, before any process serves."""
        migrate(
            self.store, self.database, (*PLAYER_TABLES, *SIGNING_TABLES, *CHECKPOINT_TABLES, *AUDIT_TABLES)
        )
        self.signer.ensure_key()

    def start(self) -> None:
        """Start the threads: wake-ups and, if the settings say so, the background work."""
        for game in installed_games().values():  # read now, so that nobody's first move waits for it
            fact_codec(find_rules(game.id, None, game.data_sets[0].name))
        self._running = [self._relay(), Sweep(self.store, self.database, self.feed)]
        if self.settings.workers_in_process:
            self._running.append(self.leader())
        self._running.append(Supervisor(list(self._running)))
        for part in self._running:
            part.start()

    def leader(self) -> Leader:
        """The worker for house bots, clocks, checkpoints and audits; only one process is active at a time."""
        house = HouseBots(self.cache, self.matches, self.feed, self.clock)
        timekeeper = Timekeeper(self.matches, self.feed, self.clock)
        url = self.settings.database_url
        baton = (
            PostgresBaton(url)
            if self.database.is_postgres
            else FileBaton(Path(url.removeprefix("sqlite:///") + ".lead"))
        )
        checkpoints = Periodic("checkpoints", self.checkpoints.take, pause_s=60)
        audits = Periodic("audits", self.audits.keep_up, pause_s=30)
        return Leader(baton, [house, timekeeper, checkpoints, audits])

    def close(self) -> None:
        """Stops all threads and closes all connections."""
        for part in self._running:
            part.closing.set()
        for part in reversed(self._running):
            part.close()
        self._running = []
        self.store.close()

    def _relay(self) -> ThreadGroup:
        if self.database.is_postgres:
            return PostgresRelay(self.settings.database_url, self.feed)
        return PollingRelay(self.store.recorder, self._take_in)

    def _take_in(self, match_id: UUID, version: int) -> None:
        """Wake whoever waits for a match of which a new row was stored, perhaps by another process."""
        log = self.cache.hold(match_id)
        if log.told < version:
            log.refresh()
            log.told = log.match.version
            self.feed.tell(change_of(match_id, log.match))
