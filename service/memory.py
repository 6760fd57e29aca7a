"""The memory usage of this process, for /metrics."""

import os
import resource
import sys
from pathlib import Path

from prometheus_client import Gauge

from kontor_games.service.threads import RepeatedWork

_PAUSE_S = 5.0
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


class MemoryReport(RepeatedWork):
    """Reports the memory of this process at intervals."""

    def __init__(self) -> None:
        super().__init__(self.report, _PAUSE_S, "memory_not_reported")

    def report(self) -> None:
        """Report the memory that is in use now."""
        resident.set(resident_bytes())
