"""What goes wrong in a simulated world, besides single calls: in processes, their clocks, the database."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulation.world import World


class Faults:
    """Does something harmful every few seconds while the storm lasts."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._clock_jumps = False

    def begin(self) -> None:
        """Begin a storm. In some of them, the clocks of machines are wrong, too."""
        world = self._world
        world.weather.storm, world.referee.calm_since = True, None
        world.answer_lost, world.stream_cut = 0.03, 0.01
        self._clock_jumps = world.random.random() < 0.4
        world.note("storm")

    def end(self) -> None:
        """Mend everything."""
        world = self._world
        world.weather.storm = world.server.is_down = False
        world.answer_lost = world.stream_cut = 0.0
        world.server.end_split()
        for node in world.nodes:
            node.offset_ms, node.owner.frozen_until = 0, 0.0
            if node.owner.dead and not node.is_up():
                node.start()
        world.referee.calm_since = world.scheduler.now
        world.note("calm")

    def run(self) -> None:
        """Let things go wrong for ever, while there is a storm."""
        world, random = self._world, self._world.random
        while True:
            world.scheduler.sleep(random.random() * 8)
            if world.weather.storm:
                harm = random.choice(
                    [
                        self._kill,
                        self._kill,
                        self._restart,
                        self._freeze,
                        self._cut,
                        self._split,
                        self._away,
                        self._jump,
                    ]
                )
                harm()

    def _kill(self) -> None:
        self._end_one(orderly=False)

    def _restart(self) -> None:
        self._end_one(orderly=True)

    def _end_one(self, *, orderly: bool) -> None:
        world = self._world
        node = world.random.choice(world.nodes)
        if not node.is_up():
            return
        self._say("stopped" if orderly else "killed", node.name)
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
        self._say("frozen", node.name, f"{seconds:.1f}")
        node.freeze(seconds)

    def _cut(self) -> None:
        """End all sessions: of relays, and of the leader, who does not know it for up to a second."""
        self._say("sessions ended")
        self._world.server.end_all()

    def _split(self) -> None:
        world = self._world
        self._say("two leaders")
        world.server.split = True
        world.scheduler.sleep(world.random.random() * 10)
        world.server.end_split()

    def _away(self) -> None:
        world = self._world
        self._say("database away")
        world.server.is_down = True
        world.server.end_all()
        world.scheduler.sleep(world.random.random() ** 2 * 10)
        world.server.is_down = False

    def _jump(self) -> None:
        if not self._clock_jumps:
            return
        node = self._world.random.choice(self._world.nodes)
        node.offset_ms = int((self._world.random.random() - 0.5) * 20_000)
        self._say("clock jump", node.name, node.offset_ms)

    def _say(self, what: str, *more: object) -> None:
        self._world.count(f"faults: {what}")
        self._world.note("fault", what, *more)
