"""Faults of whole processes, their clocks and the database; postgres.py has the faults of single calls."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulation.world import World


class Faults:
    """Causes a fault every few seconds during a storm."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._clock_jumps = False

    def begin(self) -> None:
        """Begin a storm. In some storms, the clocks of machines are wrong, too."""
        world = self._world
        world.fault_rates.storm, world.referee.calm_since = True, None
        world.answer_lost, world.stream_cut = 0.03, 0.01
        self._clock_jumps = world.random.random() < 0.4
        world.note("storm")

    def end(self) -> None:
        """End the storm: stop all faults, correct the clocks, and start killed processes."""
        world = self._world
        world.fault_rates.storm = world.server.is_down = False
        world.answer_lost = world.stream_cut = 0.0
        world.server.end_split()
        for node in world.nodes:
            node.offset_ms, node.owner.frozen_until = 0, 0.0
            if node.owner.dead and not node.is_up():
                node.start()
        world.referee.calm_since = world.scheduler.now
        world.note("calm")

    def run(self) -> None:
        """Cause random faults for ever; do nothing between storms."""
        world, random = self._world, self._world.random
        while True:
            world.scheduler.sleep(random.random() * 8)
            if world.fault_rates.storm:
                fault = random.choice(
                    [
                        self._kill,
                        self._kill,
                        self._restart,
                        self._freeze,
                        self._end_sessions,
                        self._allow_two_leaders,
                        self._stop_database,
                        self._set_clock_wrong,
                    ]
                )
                fault()

    def _kill(self) -> None:
        self._end_one(orderly=False)

    def _restart(self) -> None:
        self._end_one(orderly=True)

    def _end_one(self, *, orderly: bool) -> None:
        world = self._world
        node = world.random.choice(world.nodes)
        if not node.is_up():
            return
        self._record("stopped" if orderly else "killed", node.name)
        if orderly:
            node.stop()
        else:
            node.kill()
        world.scheduler.sleep(world.random.random() * 3)
        while not node.owner.dead:
            world.scheduler.sleep(1.0)
        if not node.is_up():
            node.start()

    def _freeze(self) -> None:
        node = self._world.random.choice(self._world.nodes)
        seconds = self._world.random.random() * 15
        self._record("frozen", node.name, f"{seconds:.1f}")
        node.freeze(seconds)

    def _end_sessions(self) -> None:
        """End all database sessions: of relays, and of the leader, which notices it up to a second later."""
        self._record("sessions ended")
        self._world.server.end_all()

    def _allow_two_leaders(self) -> None:
        world = self._world
        self._record("two leaders")
        world.server.split = True
        world.scheduler.sleep(world.random.random() * 10)
        world.server.end_split()

    def _stop_database(self) -> None:
        world = self._world
        self._record("database unavailable")
        world.server.is_down = True
        world.server.end_all()
        world.scheduler.sleep(world.random.random() ** 2 * 10)
        world.server.is_down = False

    def _set_clock_wrong(self) -> None:
        if not self._clock_jumps:
            return
        node = self._world.random.choice(self._world.nodes)
        node.offset_ms = int((self._world.random.random() - 0.5) * 20_000)
        self._record("clock jump", node.name, node.offset_ms)

    def _record(self, what: str, *more: object) -> None:
        self._world.count(f"faults: {what}")
        self._world.note("fault", what, *more)
