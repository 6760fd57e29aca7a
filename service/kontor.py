"""The whole service, wired together: everything is an argument of something, nothing is wired at import."""

import time
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

from domain.entry import fact_codec, find_rules
from domain.games import installed_games
from service.auditing import Audits
from service.branching import Branches
from service.checkpoints import Checkpoints
from service.crew import Crew, Watch
from service.database import Database
from service.export import Exports
from service.feed import Feed, change_of
from service.house import House
from service.leader import FileBaton, Leader, PostgresBaton
from service.limits import Limits
from service.log import Logs
from service.matches import Matches
from service.players import Players
from service.relay import PollingRelay, PostgresRelay
from service.rounds import Rounds
from service.schema import migrate
from service.settings import Settings
from service.signing import Signer
from service.store import Store, environment
from service.sweep import Sweep
from service.timekeeper import Timekeeper
from service.tokens import Tokens


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
        self.store = Store({**environment(settings.database_url, settings.pool_size), "CREATE_TABLE": "n"})
        self.database = Database(self.store.recorder.datastore)
        self.tokens = Tokens(self.database, settings, clock)
        self.players = Players(self.database, settings, clock, self.tokens)
        self.limits = Limits(settings, clock)
        self.signer = Signer(self.database, clock)
        self.feed = Feed()
        self.logs = Logs(self.store, settings.cache_matches)
        self.matches = Matches(self.logs, self.database, self.players, self.feed, clock)
        self.exports = Exports(self.logs, self.matches, self.signer, clock)
        self.checkpoints = Checkpoints(self.logs, self.database, self.signer, clock)
        self.audits = Audits(self.store, self.database)
        self.branches = Branches(self.matches, self.logs)
        self._running: list[Crew] = []

    def migrate(self) -> None:
        """Makes or updates the tables; once, before any process serves."""
        migrate(self.store, self.database)
        self.signer.ensure_key()

    def start(self) -> None:
        """Carries wake-ups, and takes its part in leading if the settings say so."""
        for game in installed_games().values():  # read now, so that nobody's first move waits for it
            fact_codec(find_rules(game.id, None, game.data_sets[0].name))
        self._running = [self._relay(), Sweep(self.store, self.database, self.feed)]
        if self.settings.workers_in_process:
            self._running.append(self.leader())
        self._running.append(Watch(list(self._running)))
        for part in self._running:
            part.start()

    def leader(self) -> Leader:
        """Leads house bots, time, checkpoints and audits when no other process does."""
        house = House(self.logs, self.matches, self.feed, self.clock)
        timekeeper = Timekeeper(self.matches, self.feed, self.clock)
        url = self.settings.database_url
        baton = PostgresBaton(url) if self.database.is_postgres else FileBaton(Path(url.removeprefix("sqlite:///") + ".lead"))
        checkpoints = Rounds("checkpoints", self.checkpoints.take, pause_s=60)
        audits = Rounds("audits", self.audits.keep_up, pause_s=30)
        return Leader(baton, [house, timekeeper, checkpoints, audits])

    def close(self) -> None:
        """Stops all threads and closes all connections."""
        for part in self._running:
            part.closing.set()
        for part in reversed(self._running):
            part.close()
        self._running = []
        self.store.close()

    def _relay(self) -> Crew:
        if self.database.is_postgres:
            return PostgresRelay(self.settings.database_url, self.feed)
        return PollingRelay(self.store.recorder, self._take_in)

    def _take_in(self, match_id: UUID, version: int) -> None:
        """A row that was stored, perhaps by another process: then tells whoever waits."""
        log = self.logs.hold(match_id)
        if log.told < version:
            log.refresh()
            log.told = log.match.version
            self.feed.tell(change_of(match_id, log.match))
