"""Prometheus metrics of a process; those of requests, streams, memory and the match cache are elsewhere."""

from platform import python_version

from prometheus_client import Counter, Gauge, Histogram

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
