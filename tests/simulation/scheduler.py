"""Virtual time: tasks take turns in one thread, in an order that only the seed decides.

A task is a greenlet, so the code of the service needs no change: where it would wait for a lock, an event or
the database, the scheduler runs another task. If all tasks wait, time jumps to the next scheduled wake-up.
"""

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from queue import Empty
from random import Random
from typing import Any, Generic, TypeVar

from greenlet import getcurrent, greenlet

T = TypeVar("T")


class ProcessKilled(BaseException):
    """Ends the tasks of a killed process; a BaseException, so that the service does not catch it."""


class Owner:
    """The process that tasks belong to; it can be frozen or killed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.frozen_until = 0.0
        self.dead = False


class Task:
    """A simulated thread."""

    __slots__ = (
        "_greenlet",
        "_scheduler",
        "_target",
        "error",
        "is_done",
        "name",
        "owner",
        "ticket",
        "watchers",
    )

    def __init__(self, scheduler: "Scheduler", target: Callable[[], object], owner: Owner, name: str) -> None:
        self._scheduler = scheduler
        self._target = target
        self._greenlet = greenlet(self._run, scheduler.hub)
        self.owner = owner
        self.name = name
        self.ticket = 0
        """Counts the waits of the task; a wake-up for an earlier wait is ignored."""
        self.is_done = False
        self.error: BaseException | None = None
        self.watchers: list[Task] = []

    def _run(self) -> None:
        try:
            if not self.owner.dead:
                self._target()
        except ProcessKilled:
            pass
        except BaseException as error:  # noqa: BLE001  # `on_error` decides
            self.error = error
            self._scheduler.on_error(self, error)
        self.is_done = True
        self._scheduler.tasks.pop(self, None)
        for watcher in self.watchers:
            self._scheduler.wake(watcher)

    def resume(self) -> None:
        self.ticket += 1
        self._scheduler.current = self
        self._greenlet.switch()


class Timer:
    """A later call of a function that does not block, and so needs no task."""

    __slots__ = ("resume",)
    owner = Owner("outside")
    ticket = 0
    is_done = False

    def __init__(self, call: Callable[[], None]) -> None:
        self.resume = call


class Scheduler:
    """Runs tasks in the order of their times; of those that are due at the same time, the seed chooses."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.now = 0.0
        """Virtual seconds since the beginning."""
        self.steps = 0
        self.hub = getcurrent()
        self.current: Task | None = None
        self.tasks: dict[Task, None] = {}
        self.on_error: Callable[[Task, BaseException], None] = lambda task, error: None
        self._heap: list[tuple[float, float, int, int, Task | Timer]] = []
        self._numbers = 0
        self.outside = Owner("outside")

    def spawn(
        self, target: Callable[[], object], name: str, owner: Owner | None = None, delay: float = 0.0
    ) -> Task:
        """Start a task; without `owner`, it belongs to the owner of the current task."""
        if owner is None:
            owner = self.current.owner if self.current else self.outside
        task = Task(self, target, owner, name)
        self.tasks[task] = None
        self._push(self.now + delay, task)
        return task

    def call_later(self, delay: float, call: Callable[[], None]) -> None:
        """Call a function that does not block after `delay` seconds."""
        self._push(self.now + delay, Timer(call))

    def _push(self, at: float, task: Task | Timer) -> None:
        self._numbers += 1
        heappush(self._heap, (at, self.random.random(), self._numbers, task.ticket, task))

    def wake(self, task: Task) -> None:
        """Wake a waiting task."""
        self._push(self.now, task)

    def pause(self, seconds: float | None) -> None:
        """Run other tasks until the current one is woken or `seconds` have passed."""
        task = self.current
        if task is None:
            raise RuntimeError("only a task can wait")
        if task.owner.dead:
            raise ProcessKilled
        if seconds is not None:
            self._push(self.now + max(seconds, 0.0), task)
        self.hub.switch()
        if task.owner.dead:
            raise ProcessKilled

    def sleep(self, seconds: float) -> None:
        """Pause the current task; return at once outside of tasks, where the simulation is set up."""
        if self.current is not None:
            self.pause(seconds)

    def run(self, until: float, stop: Callable[[], bool] = lambda: False) -> None:
        """Run all tasks up to a time, or until `stop` says so."""
        heap = self._heap
        while heap and heap[0][0] <= until and not stop():
            at, _, _, ticket, task = heappop(heap)
            if ticket != task.ticket or task.is_done:
                continue
            if at > self.now:
                self.now = at
            if task.owner.frozen_until > self.now:
                self._push(task.owner.frozen_until, task)
                continue
            self.steps += 1
            task.resume()
            self.current = None
        if not stop():
            self.now = max(self.now, until)

    def kill(self, owner: Owner) -> None:
        """End all tasks of an owner immediately, as SIGKILL does."""
        owner.dead, owner.frozen_until = True, 0.0
        for task in self.tasks:
            if task.owner is owner and task is not self.current:
                self.wake(task)  # so that it ends with `ProcessKilled`


class Lock:
    """A lock for tasks, with the interface of `threading.Lock`."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._held = False
        self._waiting: deque[Task] = deque()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        scheduler = self._scheduler
        until = None if timeout < 0 else scheduler.now + timeout
        while self._held:
            if not blocking or (until is not None and scheduler.now >= until) or scheduler.current is None:
                return False
            self._waiting.append(scheduler.current)
            scheduler.pause(None if until is None else until - scheduler.now)
        self._held = True
        return True

    def release(self) -> None:
        self._held = False
        waiting, self._waiting = self._waiting, deque()
        for task in waiting:
            self._scheduler.wake(task)

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class RLock(Lock):
    """A reentrant lock for tasks."""

    def __init__(self, scheduler: Scheduler) -> None:
        super().__init__(scheduler)
        self._holder: Task | None = None
        self._depth = 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        if self._depth and self._holder is self._scheduler.current:
            self._depth += 1
            return True
        if not super().acquire(blocking, timeout):
            return False
        self._holder, self._depth = self._scheduler.current, 1
        return True

    def release(self) -> None:
        self._depth -= 1
        if not self._depth:
            self._holder = None
            super().release()


class Event:
    """An event for tasks, with the interface of `threading.Event`."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._is_set = False
        self._waiting: list[Task] = []

    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        self._is_set = True
        waiting, self._waiting = self._waiting, []
        for task in waiting:
            self._scheduler.wake(task)

    def clear(self) -> None:
        self._is_set = False

    def wait(self, timeout: float | None = None) -> bool:
        scheduler = self._scheduler
        if not self._is_set and scheduler.current is not None:
            self._waiting.append(scheduler.current)
            scheduler.pause(timeout)
            if scheduler.current in self._waiting:
                self._waiting.remove(scheduler.current)
        return self._is_set


class Condition:
    """A condition for tasks, with what the service uses of `threading.Condition`."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._lock = RLock(scheduler)
        self._waiting: deque[Task] = deque()

    def __enter__(self) -> bool:
        return self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def wait(self, timeout: float | None = None) -> None:
        task = self._scheduler.current
        if task is None:
            return
        self._lock.release()
        self._waiting.append(task)
        try:
            self._scheduler.pause(timeout)
            self._lock.acquire()
        except ProcessKilled:
            self._lock.acquire(blocking=False)
            raise
        if task in self._waiting:
            self._waiting.remove(task)

    def notify(self) -> None:
        if self._waiting:
            self._scheduler.wake(self._waiting.popleft())

    def notify_all(self) -> None:
        while self._waiting:
            self.notify()


class Queue(Generic[T]):
    """A queue for tasks, with what the service uses of `queue.SimpleQueue`."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._items: deque[T] = deque()
        self._filled = Event(scheduler)

    def put(self, item: T) -> None:
        self._items.append(item)
        self._filled.set()

    def get(self, timeout: float | None = None) -> T:
        if not self._items:
            self._filled.clear()
            self._filled.wait(timeout)
        if not self._items:
            raise Empty
        return self._items.popleft()

    def empty(self) -> bool:
        return not self._items


class Thread:
    """A task, with what the service uses of `threading.Thread`."""

    def __init__(self, scheduler: Scheduler, target: Callable[[], object], name: str, **_: Any) -> None:
        self._scheduler = scheduler
        self._target = target
        self.name = name
        self._task: Task | None = None

    def start(self) -> None:
        self._task = self._scheduler.spawn(self._target, self.name)

    def is_alive(self) -> bool:
        return self._task is not None and not self._task.is_done

    def join(self) -> None:
        task, current = self._task, self._scheduler.current
        while task is not None and current is not None and not task.is_done:
            task.watchers.append(current)
            self._scheduler.pause(None)
