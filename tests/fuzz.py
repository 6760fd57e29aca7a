"""Fuzz test: schemathesis sends random requests to the API in process, with all its checks.

`python -m tests.fuzz --minutes 10` looks for new failures for ten minutes, with different requests each time.
A short run with fixed requests is part of the tests (tests/api/test_fuzz.py).
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import schemathesis
import structlog
import yaml
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from schemathesis.config import SchemathesisConfig
from schemathesis.core.deserialization import deserialize_yaml
from schemathesis.core.media_types import YAML_MEDIA_TYPES
from schemathesis.engine import events, from_schema
from schemathesis.transport.wsgi import WSGITransport

from kontor_games.api import create_app
from kontor_games.api.streams import Pace
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.api.conftest import NO_LIMITS, toy_games_installed
from tests.api.contract import operations
from tests.api.cosigning import WITNESS
from tests.fuzz_players import FuzzPlayers
from tests.fuzz_prepared import NOT_SENDABLE, PreparedRequests

# Statuses that we allow beyond schemathesis' defaults:
# - 422: a request that fits its schema can still be invalid (game rules, invisible names, forged cursors).
# - 412: a random version in If-Match is almost always stale.
# - 429: wrong device codes are limited per hour. All other rate limits are switched off here.
_ALLOWED = ["2xx", "304", "401", "403", "404", "409", "412", "422", "429"]
_REFUSED = ["400", "401", "403", "404", "405", "406", "409", "412", "413", "415", "422"]
CHECKS = {
    "positive_data_acceptance": {"expected-statuses": _ALLOWED},
    "negative_data_rejection": {"expected-statuses": _REFUSED},
    "not_a_server_error": {"expected-statuses": ["2xx", "3xx", "4xx"]},
}


_EXCEPTIONS = [
    # DELETE cancels a seek, but a cancelled seek can still be read for a day.
    {"include-operation-id": "get_seek", "checks": {"use_after_free": {"enabled": False}}},
]


@dataclass
class Report:
    """The results of a fuzz run."""

    requests: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    """Answers 201 to `POST …/moves`."""
    stored: int = 0
    """Moves of players in the database, including those of `POST /v1/moves`, without those of house bots."""
    played_out: int = 0
    """Matches that ended by a move."""
    succeeded: Counter[str] = field(default_factory=Counter)
    """The number of 2xx answers, by operation."""
    failures: dict[str, str] = field(default_factory=dict)
    """The first failure of each operation and check, with a command that reproduces it."""
    seconds: float = 0.0

    def __str__(self) -> str:
        statuses = ", ".join(f"{status}: {count}" for status, count in sorted(self.statuses.items()))
        return (
            f"{self.requests} requests in {self.seconds:.0f} s ({statuses}), {self.moves} moves accepted, "
            f"{self.stored} stored, {self.played_out} matches played to the end, "
            f"{len(self.succeeded)} operations succeeded, {len(self.failures)} failures"
        )

    @property
    def never_succeeded(self) -> list[str]:
        """The operations that were never answered with 2xx."""
        return sorted(
            operation["operationId"]
            for _, _, _, operation in operations()
            if not self.succeeded[operation["operationId"]] and operation["operationId"] not in NOT_SENDABLE
        )


@dataclass(frozen=True)
class Minimum:
    """The coverage that a run must reach, so that a run without failures means something."""

    moves: int
    played_out: int

    def missed(self, report: Report) -> list[str]:
        """One line for each operation or count that the run has not reached."""
        missed = [f"{name} never succeeded" for name in report.never_succeeded]
        missed += [f"only {report.stored} moves"] if report.stored < self.moves else []
        few = report.played_out < self.played_out
        return missed + ([f"only {report.played_out} matches played to the end"] if few else [])


class CountingApplication:
    """WSGI middleware that counts requests, statuses and accepted moves in the report."""

    def __init__(self, application: Callable[..., Iterable[bytes]], report: Report) -> None:
        self._application = application
        self._report = report

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        def start(status: str, headers: Any, exc_info: Any = None) -> Any:
            self._report.requests += 1
            self._report.statuses[status[:3]] += 1
            if status.startswith("201") and environ["PATH_INFO"].endswith("/moves"):
                self._report.moves += 1
            return start_response(status, headers, exc_info)

        return self._application(environ, start)


@contextmanager
def fuzzed_app(report: Report) -> Iterator[tuple[Any, Kontor]]:
    """The API with the toy games and working house bots; streams and long polls end after 20 ms."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    with toy_games_installed(), tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/kontor.db"
        kontor = Kontor(Settings(database_url=url, witnesses=(WITNESS.public,), **NO_LIMITS))
        kontor.migrate()
        kontor.start()
        app = create_app(kontor, Pace(longest_s=0.02, heartbeat_s=0.01))
        app.wsgi_app = CountingApplication(app.wsgi_app, report)  # type: ignore[method-assign]
        try:
            yield app, kontor
        finally:
            kontor.close()
            structlog.reset_defaults()


MINIMUM = Minimum(moves=100, played_out=10)
"""The minimum for `make fuzz`."""
_LINE_EVERY_S = 10.0
"""How often a line of progress is printed if the output is not a terminal."""
_SINGLE, _SEQUENCES = ("examples", "coverage", "fuzzing"), ("stateful",)


def _config(phases: tuple[str, ...], examples: int, seed: int | None) -> SchemathesisConfig:
    fixed = {} if seed is None else {"seed": seed}
    enabled: dict[str, dict[str, Any]] = {
        name: {"enabled": name in phases} for name in (*_SINGLE, *_SEQUENCES)
    }
    enabled["stateful"]["max-steps"] = 30
    return SchemathesisConfig.from_dict(
        {
            **fixed,
            "checks": CHECKS,
            "operations": _EXCEPTIONS,
            "continue-on-failure": True,
            "generation": {"max-examples": examples, "deterministic": bool(fixed), "no-shrink": bool(fixed)},
            "phases": enabled,
        }
    )


def run(
    app: Any,
    kontor: Kontor,
    report: Report,
    config: SchemathesisConfig,
    enough: Callable[[Report], bool],
    *,
    prepares: bool = False,
) -> None:
    """Run schemathesis until `enough` returns true; with `prepares`, replace some requests by valid ones."""
    WSGITransport.send = _send  # type: ignore[method-assign]
    began = time.monotonic() - report.seconds
    schema = schema_of(app, config)
    client = create_app(kontor, Pace(longest_s=0.02)).test_client()
    players = FuzzPlayers(kontor, PreparedRequests(kontor, client) if prepares else None)
    schema.auth(refresh_interval=None)(players.bearer())
    schema.hook("map_case")(lambda context, case: players.map_case(case))
    for link in _links(schema.raw_schema):
        if "requestBody" in link:
            # Otherwise schemathesis adds random fields to the move of the link, and almost all are refused.
            link["x-schemathesis"] = {"merge_body": False}
    for event in from_schema(schema).execute():
        _record_event(event, report)
        report.seconds = time.monotonic() - began
        if enough(report):
            break
    report.stored, report.played_out = count_moves(kontor), count_played_out(kontor)


def schema_of(app: Any, config: SchemathesisConfig) -> Any:
    """The API description, with all its operations.

    schemathesis does not test the operation that it loaded the description from, so we hide its location.
    """
    schema = schemathesis.openapi.from_wsgi("/openapi.json", app, config=config)
    schema.location = None
    return schema


def count_moves(kontor: Kontor) -> int:
    """How many moves of players are stored."""
    [row] = kontor.database.read(
        "SELECT COUNT(*) AS count FROM kontor_events WHERE topic = 'match.play'"
        """ AND CAST(state AS TEXT) NOT LIKE '%"by":"house"%'"""
    )
    return int(row["count"])


def count_played_out(kontor: Kontor) -> int:
    """How many matches ended by a move, not by a resignation or the clock."""
    [row] = kontor.database.read(
        "SELECT COUNT(*) AS count FROM matches m WHERE m.status = 'finished' AND 'match.play' ="
        " (SELECT topic FROM kontor_events WHERE originator_id = REPLACE(m.id, '-', '')"
        " ORDER BY originator_version DESC LIMIT 1)"
    )
    return int(row["count"])


def _links(contract: Any) -> Iterator[dict[str, Any]]:
    """All links in the API description, at any depth."""
    if isinstance(contract, dict):
        for name, part in contract.items():
            yield from part.values() if name == "links" else _links(part)
    elif isinstance(contract, list):
        for part in contract:
            yield from _links(part)


def fuzz(
    app: Any, kontor: Kontor, report: Report, *, examples: int, requests: int, moves: int, seed: int
) -> None:
    """Fuzz reproducibly: `examples` requests for each operation, then sequences of requests along the links.

    It ends after at least `requests` requests and `moves` accepted moves. schemathesis stops a sequence that
    does not behave the same when repeated, which happens if a house bot moves meanwhile; so we start several.
    """
    run(app, kontor, report, _config(_SINGLE, examples, seed), lambda _: False)
    while not _is_enough(report, requests, moves):
        seed += 1
        run(
            app,
            kontor,
            report,
            _config(_SEQUENCES, 200, seed),
            lambda so_far: _is_enough(so_far, requests, moves),
        )


def _is_enough(report: Report, requests: int, moves: int) -> bool:
    return report.requests >= requests and report.moves >= moves


def _report_until(seconds: float, show_progress: Callable[[Report], object]) -> Callable[[Report], bool]:
    """Return a function for `run` that shows the progress and stops the run after `seconds`."""
    return lambda so_far: bool(show_progress(so_far)) or so_far.seconds >= seconds


def fuzz_for(
    app: Any, kontor: Kontor, report: Report, seconds: float, show_progress: Callable[[Report], object]
) -> None:
    """Fuzz with new random requests until `seconds` have passed and the minimum is reached.

    It begins with a few requests for every operation, however long they take. At most half of the remaining
    time is for single requests, the rest for sequences along the links. It gives up after 10 × `seconds`.
    """
    run(
        app,
        kontor,
        report,
        _config(_SINGLE, 3, None),
        _report_until(10 * seconds, show_progress),
        prepares=True,
    )
    while report.seconds < seconds or (MINIMUM.missed(report) and report.seconds < 10 * seconds):
        for phases, until in (
            (_SINGLE, report.seconds + seconds / 2),
            (_SEQUENCES, report.seconds + seconds),
        ):
            run(
                app,
                kontor,
                report,
                _config(phases, 100, None),
                _report_until(until, show_progress),
                prepares=True,
            )


def _send(self: WSGITransport, case: Any, **kwargs: Any) -> Any:
    """Send in process, without options that schemathesis 4.32 passes by mistake when it repeats a request."""
    return _SEND(
        self,
        case,
        **{name: value for name, value in kwargs.items() if name not in ("max_redirects", "verify", "cert")},
    )


_SEND = WSGITransport.send


@schemathesis.deserializer(*YAML_MEDIA_TYPES)
def _read_yaml(_context: Any, response: Any) -> Any:
    """Parse YAML with a cache: schemathesis would parse the API description, half a megabyte, every time."""
    found = _parsed(response.content)
    if isinstance(found, yaml.YAMLError):
        raise found
    return found


@lru_cache(maxsize=8)
def _parsed(content: bytes) -> Any:
    """The parsed document; the error if it is incomplete."""
    try:
        return deserialize_yaml(content.decode())
    except yaml.YAMLError as error:
        return error


def _record_event(event: Any, report: Report) -> None:
    if isinstance(event, events.ScenarioFinished):
        for case_id, interaction in event.recorder.interactions.items():
            if interaction.response is not None and interaction.response.status_code // 100 == 2:
                operation = event.recorder.cases[case_id].value.operation
                if interaction.request.method.upper() == operation.method.upper():  # OPTIONS always succeeds
                    report.succeeded[operation.definition.raw["operationId"]] += 1
        for case_id, checks in event.recorder.checks.items():
            for check in checks:
                if check.failure_info is not None:
                    case = event.recorder.cases[case_id].value
                    failure = check.failure_info.failure
                    report.failures.setdefault(
                        f"{case.operation.label} {check.name}", f"{failure}\n{check.failure_info.code_sample}"
                    )
    elif isinstance(event, events.NonFatalError | events.FatalError):
        report.failures.setdefault(type(event).__name__, str(getattr(event, "info", event)))


def _summary(missed: list[str]) -> str:
    """The first three lines, and how many more there are."""
    more = f" and {len(missed) - 3} more" if len(missed) > 3 else ""
    return (", ".join(missed[:3]) or "nothing") + more


def main() -> None:
    """Fuzz for as long as the command line says; exit with 1 after a failure or below the minimum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to fuzz (default: 10)")
    seconds = parser.parse_args().minutes * 60
    report, columns = Report(), (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    console, line_at = Console(stderr=True, highlight=False), 0.0
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
        fuzzed_app(report) as (app, kontor),
    ):
        task = progress.add_task("fuzzing", total=seconds)

        def show_progress(so_far: Report) -> None:
            nonlocal line_at
            counts = f"{so_far.requests:,} requests, {so_far.moves} moves, {len(so_far.failures)} failures"
            progress.update(task, completed=so_far.seconds, description=counts)
            if not console.is_terminal and so_far.seconds >= line_at:
                missed = _summary(MINIMUM.missed(so_far))
                console.print(f"{so_far.seconds:.0f} s · {counts} · still missing: {missed}", soft_wrap=True)
                line_at = so_far.seconds + _LINE_EVERY_S

        fuzz_for(app, kontor, report, seconds, show_progress)
    for name, failure in report.failures.items():
        print(f"--- {name}\n{failure}")  # noqa: T201
    for missed in MINIMUM.missed(report):
        print(f"--- {missed}")  # noqa: T201
    print(report)  # noqa: T201
    sys.exit(1 if report.failures or MINIMUM.missed(report) else 0)


if __name__ == "__main__":
    main()
