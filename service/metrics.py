"""Prometheus metrics of a process; those of requests, streams and the match cache are elsewhere."""

import ctypes
import os
import resource
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from platform import python_version

from prometheus_client import Counter, Gauge, Histogram

from kontor_games.service.threads import RepeatedWork
from kontor_games.service.version import VERSION

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_LATE_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0)
_ENTRIES = (1, 2, 4, 8, 16, 32, 64, 128, 256)

Gauge(
    "kontor_build_info",
    "Always 1; the labels are the versions of the service and of Python.",
    ["version", "python"],
    multiprocess_mode="max",
).labels(VERSION, python_version()).set(1)
leads = Gauge(
    "kontor_leader",
    "Number of leading processes, which run house bots, clocks, checkpoints and tournaments.",
    multiprocess_mode="livesum",
)
database_failures = Counter(
    "kontor_database_failures",
    "Database calls that failed because the database could not be reached or written to.",
)
sibling_failures = Counter(
    "kontor_sibling_failures", "Messages to another process of the same server that got no answer."
)
group_commit_seconds = Histogram(
    "kontor_group_commit_seconds", "Time to store one group of entries.", buckets=_SECONDS
)
group_commit_entries = Histogram(
    "kontor_group_commit_entries", "Number of entries stored together in one group.", buckets=_ENTRIES
)
work_late_seconds = Histogram(
    "kontor_work_late_seconds",
    "Delay between the due time of a match and the moment at which the leading process handles it.",
    ["worker"],
    buckets=_LATE_S,
)


_PAUSE_S = 5.0
_REPORTS_PER_TRIM = 12
_STATM = Path("/proc/self/statm")
resident = Gauge(
    "kontor_process_resident_bytes",
    "Resident memory of each process that serves.",
    multiprocess_mode="liveall",
)


def resident_bytes() -> int:
    """The resident memory of this process; on systems without /proc, its maximum so far."""
    if _STATM.exists():
        return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def return_free_memory() -> None:
    """Return the free pages of all heaps of glibc to the system; by itself it returns only the last ones."""
    with suppress(AttributeError, OSError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


class MemoryReport(RepeatedWork):
    """Reports the memory of this process at intervals, and returns what is free once a minute."""

    def __init__(self) -> None:
        super().__init__(self.report, _PAUSE_S, "memory_not_reported")
        self._reports = count(1)

    def report(self) -> None:
        """Report the memory that is in use now."""
        if next(self._reports) % _REPORTS_PER_TRIM == 0:
            return_free_memory()
        resident.set(resident_bytes())
