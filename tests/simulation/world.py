"""One simulated run: the seed decides the order of all steps and all faults."""

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from time import process_time
from typing import Any
from uuid import uuid5

import structlog

from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import fact_codec, find_rules
from kontor_games.service.errors import UnavailableError
from kontor_games.service.matches.answers import MoveAnswer
from kontor_games.service.matches.use_cases import _MATCH_NAMESPACE
from tests.domain.toy.games.fair import GAME as FAIR
from tests.simulation.clients import REFUSED, Batches, Host, Reader, Sender, Table
from tests.simulation.competition_referee import OFFERS, TournamentReferee, check_ratings, check_seeks
from tests.simulation.competitions import Organiser, Seeker
from tests.simulation.environment import simulated_world
from tests.simulation.faults import Faults
from tests.simulation.nodes import ConnectionLost, Node
from tests.simulation.postgres import FaultRates, Server
from tests.simulation.referee import Intent, Referee, Violation
from tests.simulation.scheduler import Scheduler, Task

NODES, ORGANISERS, SEEKERS = 3, 1, 3
HOSTS = (16, 8)
"""The number of concurrent matches in runs with even and with odd seeds."""
MOVES = 4000
"""The default number of moves in one run."""
CALM_S = 40.0
"""How long a calm lasts; at its end, everything is checked."""
BEHIND_S = 15.0
"""In a calm, every reader must have got what was stored at least this long ago."""
_KEPT_LINES = 400


@dataclass
class Report:
    """The results of a run."""

    seed: int
    moves: int = 0
    acknowledged: int = 0
    matches: int = 0
    audited: int = 0
    checks: int = 0
    virtual_s: float = 0.0
    cpu_s: float = 0.0
    trace: str = ""
    """The hash of all lines of the trace."""
    counts: Counter[str] = field(default_factory=Counter)
    violation: str | None = None
    last_lines: list[str] = field(default_factory=list)


class World:
    """The scheduler, the database, the processes and the clients of one run."""

    def __init__(
        self,
        seed: int,
        games: Sequence[str] | None = None,
        hosts: int | None = None,
        organisers: int = ORGANISERS,
        seekers: int = SEEKERS,
    ) -> None:
        """By default the toy game is played; in every fifth run the real games, without competitions."""
        self.seed = seed
        self.hosts = HOSTS[seed % 2] if hosts is None else hosts
        self.random = Random(f"kontor {seed}")
        self.games = games or (["fair"] if seed % 5 else sorted(installed_games().keys() - {"fair"}))
        competes = "fair" in self.games
        self.organisers, self.seekers = (organisers, seekers) if competes else (0, 0)
        self.scheduler = Scheduler(self.random)
        self.scheduler.on_error = self._on_error
        self.fault_rates = FaultRates(storm=False)
        self.server = Server(self.scheduler, self.fault_rates)
        self.referee = Referee(Random(f"referee {seed}"))
        self.tournaments = TournamentReferee()
        self.server.on_rows = self._on_rows
        self.server.on_beat = self._on_beat
        self.nodes = [Node(self.scheduler, self.server, f"node{i}") for i in range(NODES)]
        self.readers: dict[Reader, None] = {}
        self.sender, self.batches = Sender(self), Batches(self)
        self.faults = Faults(self)
        self.answer_lost = self.stream_cut = 0.0
        self.longest_thought = 20.0
        self.counts: Counter[str] = Counter()
        self.violation: BaseException | None = None
        self._hash = sha256()
        self.lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self.report_line: Callable[[str], None] | None = None

    # --- the trace ------------------------------------------------------------------------------------------

    def note(self, *words: object) -> None:
        """Add a line to the trace."""
        line = f"{self.scheduler.now:.4f} {' '.join(map(str, words))}"
        self._hash.update(line.encode() + b"\n")
        self.lines.append(line)
        if self.report_line is not None:
            self.report_line(line)

    def count(self, what: str) -> None:
        self.counts[what] += 1

    def _on_rows(self, rows: Sequence[tuple[Any, ...]]) -> None:
        self.referee.now = self.scheduler.now
        for match_id, version, topic, state in rows:
            self.note("commit", self._owner(), match_id[:8], version, topic, sha256(state).hexdigest()[:12])
        for row in rows:
            if row[2].startswith("tournament."):
                self.tournaments.on_row(self.scheduler.now, row[0], row[1], row[3])
        self.referee.on_rows([row for row in rows if not row[2].startswith("tournament.")])

    def _on_beat(self, ms: int, outages: Sequence[tuple[Any, ...]]) -> None:
        for since, until in outages:
            self.count("outages")
            self.note("outage", self._owner(), until - since)
        self.referee.on_beat(ms, outages)

    def _owner(self) -> str:
        return self.scheduler.current.owner.name if self.scheduler.current else "-"

    def _on_error(self, task: Task, error: BaseException) -> None:
        """Record a violation: a task has ended with an exception, as if a thread of the service died."""
        self._record_violation(error if isinstance(error, Violation) else _thread_died(task, error))

    # --- methods for clients --------------------------------------------------------------------------------

    def serve_and_check(
        self, serve: Callable[[], MoveAnswer], intent: Intent, began: float
    ) -> MoveAnswer | None:
        """Carry out a request in the current process, and have its answer checked; None if it is refused."""
        try:
            answer = serve()
        except UnavailableError:
            self.count("503 answers")
            raise ConnectionLost from None
        except REFUSED as refusal:
            self.note("refuse", self._owner(), intent.key, type(refusal).__name__)
            self.count("refusals")
            self.referee.refused(intent, began, f"{type(refusal).__name__}: {refusal}")
            return None
        self.note("answer", self._owner(), intent.key, answer.first, answer.position.version)
        self.referee.answered(intent, answer)
        return answer

    def match_id(self, creator: str, key: str) -> str:
        return str(uuid5(_MATCH_NAMESPACE, f"{creator} {key}"))

    def choose_table(self) -> Table:
        """Random settings for the next match."""
        random = self.random
        game = random.choice(self.games)
        counts = find_rules(game, None, installed_games()[game].data_sets[0].name).seat_counts
        seats = random.choice([count for count in counts if count >= 2][:2])
        bots = [random.choice(["random", "greedy"]) for _ in range(random.randrange(seats))]
        clock: dict[str, Any] = random.choice(
            [
                {"kind": "none"},
                {"kind": "per_move", "ms": random.choice([5000, 9000])},
                {"kind": "bank", "ms": random.choice([15_000, 40_000]), "increment_ms": 500},
            ]
        )
        return Table(
            game=game,
            players=seats - len(bots),
            bots=bots,
            clock=clock,
            options={},
            on_timeout=random.choice(["bot", "forfeit"]),
            watchers=random.randrange(2),
        )

    def match_ended(self, match_id: str) -> None:
        """Count a finished match; half of them are audited."""
        self.count("matches")
        if self.random.random() < 0.5:
            self.referee.audit(match_id)

    # --- the run --------------------------------------------------------------------------------------------

    def run(self, moves: int) -> Report:
        """Play until this many moves are stored; storms and calms alternate; each calm ends with checks."""
        with without_log_lines(), toy_game(), simulated_world(self.scheduler, self.server):
            self.nodes[0].make().migrate()
            for statement in OFFERS:
                self.server.connection.execute(statement)
            for node in self.nodes:
                node.start()
            for number in range(self.hosts):
                self.scheduler.spawn(Host(self, f"host{number}").run, "host", delay=1.0 + number / 7)
            self._begin_competitions()
            self.scheduler.spawn(self.faults.run, "faults")
            while self.violation is None and self.referee.moves < moves:
                self._storm(moves)
                self._calm()
            self._audit_some()
            self._count_ratings()
            self._tear_down()
        return self._report()

    def _begin_competitions(self) -> None:
        for number in range(self.organisers):
            self.scheduler.spawn(Organiser(self, f"cup{number}").run, "cup", delay=2.0 + number / 7)
        for number in range(self.seekers):
            self.scheduler.spawn(Seeker(self, f"seeker{number}").run, "seeker", delay=3.0 + number / 7)

    def _stopped(self) -> bool:
        return self.violation is not None

    def _storm(self, moves: int) -> None:
        self.faults.begin()
        until = self.scheduler.now + 60 + self.random.random() * 120
        self.scheduler.run(until, lambda: self._stopped() or self.referee.moves >= moves)

    def _calm(self) -> None:
        self.faults.end()
        self.scheduler.run(self.scheduler.now + CALM_S, self._stopped)
        if self.violation is not None:
            return
        try:
            self._check_all()
        except Violation as violation:
            self._record_violation(violation)

    def _check_all(self) -> None:
        now = self.scheduler.now
        self.referee.check_deadlines(self.nodes[0].clock(), int(BEHIND_S * 1000))
        rows = self.server.connection.execute(
            "SELECT originator_id, originator_version, state FROM kontor_events"
            " ORDER BY originator_id, originator_version"
        )
        self.referee.check_stored(rows.fetchall())
        self.tournaments.check_progress(self.referee, now, BEHIND_S)
        check_seeks(self.server.connection, self.referee)
        for reader in self.readers:
            record = self.referee.records[reader.match_id]
            due = max((v for v, at in record.stored_at.items() if at < now - BEHIND_S), default=0)
            if reader.after < due:
                raise Violation(
                    f"match {reader.match_id}: a stream of {reader.viewer} is at version {reader.after},"
                    f" but {due} was stored long ago"
                )

    def _audit_some(self) -> None:
        """Audit some of the matches that are not over."""
        running = [one.id for one in self.referee.records.values() if not one.match.over]
        try:
            for match_id in running[:3] if self.violation is None else ():
                self.referee.audit(match_id)
        except Violation as violation:
            self._record_violation(violation)

    def _count_ratings(self) -> None:
        """Bring the ratings up to date, then delete and rebuild them, and compare."""
        try:
            if self.violation is None:
                rated = check_ratings(self.nodes[0].make(), self.server.connection, self.referee)
                self.counts["matches rated"] += rated
        except Violation as violation:
            self._record_violation(violation)

    def _record_violation(self, violation: BaseException) -> None:
        if self.violation is None:
            self.violation = violation
            self.note("violation", violation)

    def _tear_down(self) -> None:
        found = self.violation
        for owner in [*(node.owner for node in self.nodes), self.scheduler.outside]:
            self.scheduler.kill(owner)
        self.scheduler.run(self.scheduler.now)
        self.violation = found
        self.server.connection.close()

    def _report(self) -> Report:
        referee = self.referee
        return Report(
            seed=self.seed,
            moves=referee.moves,
            acknowledged=referee.acknowledged,
            matches=len(referee.records),
            audited=referee.audited,
            checks=referee.checks + self.tournaments.checks,
            virtual_s=self.scheduler.now,
            trace=self._hash.hexdigest(),
            counts=self.counts + Counter(self.server.counts),
            violation=None if self.violation is None else str(self.violation),
            last_lines=list(self.lines),
        )


def replay(seed: int) -> Report:
    """Play the run of a seed, and measure its CPU time."""
    began = process_time()
    report = World(seed).run(MOVES)
    report.cpu_s = process_time() - began
    return report


def _thread_died(task: Task, error: BaseException) -> Violation:
    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    place = f"{where.tb_frame.f_code.co_filename}:{where.tb_lineno}" if where else "?"
    found = Violation(f"{task.name} of {task.owner.name} ended with {error!r} at {place}")
    found.__cause__ = error
    return found


@contextmanager
def without_log_lines() -> Iterator[None]:
    """Suppress log lines, since there are many in a storm."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    try:
        yield
    finally:
        structlog.configure(**before)


@contextmanager
def toy_game() -> Iterator[None]:
    """Install the toy game inside the `with` block."""
    games = installed_games()
    was_there = games.get("fair")
    games["fair"] = FAIR  # type: ignore[index]
    find_rules.cache_clear()
    fact_codec.cache_clear()
    try:
        yield
    finally:
        if was_there is None:
            del games["fair"]  # type: ignore[attr-defined]
        else:
            games["fair"] = was_there  # type: ignore[index]
        find_rules.cache_clear()
        fact_codec.cache_clear()
