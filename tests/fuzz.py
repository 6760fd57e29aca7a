"""Strangers' requests by the ten thousand: schemathesis on the API in process, with all its checks.

`python -m tests.fuzz --minutes 10` looks for new examples as long as it is told to; a short run with fixed
examples is part of the tests.
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
from tests.api.conftest import PATIENT, toys_installed
from tests.api.contract import operations
from tests.api.cosigning import WITNESS
from tests.fuzz_guests import Guests
from tests.fuzz_prepared import NOT_SENDABLE, PreparedRequests

# What we mean, beyond schemathesis' defaults:
# - A request that fits its schema may still ask for what there is not (a game's own rules, names that show
#   nothing, a forged cursor): 422.
# - If-Match names a version that is mostly stale: 412. That is the purpose of the header.
# - Only so many wrong device codes can be tried in an hour: 429. All other limits are lifted here.
_ALLOWED = ["2xx", "304", "401", "403", "404", "409", "412", "422", "429"]
_REFUSED = ["400", "401", "403", "404", "405", "406", "409", "412", "413", "415", "422"]
CHECKS = {
    "positive_data_acceptance": {"expected-statuses": _ALLOWED},
    "negative_data_rejection": {"expected-statuses": _REFUSED},
    "not_a_server_error": {"expected-statuses": ["2xx", "3xx", "4xx"]},
}


_EXCEPTIONS = [
    # DELETE cancels a seek; what came of it can be read for a day.
    {"include-operation-id": "get_seek", "checks": {"use_after_free": {"enabled": False}}},
]


@dataclass
class Report:
    """What came of it."""

    requests: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    stored: int = 0
    """Stored moves of players, also those of `POST /v1/moves`; house bots are not counted."""
    played_out: int = 0
    """Matches that ended by a move."""
    succeeded: Counter[str] = field(default_factory=Counter)
    """Answers 2xx, by operation."""
    failures: dict[str, str] = field(default_factory=dict)
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
        """The operations without any answer 2xx."""
        return sorted(
            operation["operationId"]
            for _, _, _, operation in operations()
            if not self.succeeded[operation["operationId"]] and operation["operationId"] not in NOT_SENDABLE
        )


@dataclass(frozen=True)
class Floors:
    """What a run must have reached, whatever it found."""

    moves: int
    played_out: int

    def missed(self, report: Report) -> list[str]:
        """What was not reached."""
        missed = [f"{name} never succeeded" for name in report.never_succeeded]
        missed += [f"only {report.stored} moves"] if report.stored < self.moves else []
        few = report.played_out < self.played_out
        return missed + ([f"only {report.played_out} matches played to the end"] if few else [])


class Counted:
    """The application, with every request counted."""

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
    """The API with the toy game, with house bots at work, and without patience."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    with toys_installed(), tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/kontor.db"
        kontor = Kontor(Settings(database_url=url, witnesses=(WITNESS.public,), **PATIENT))
        kontor.migrate()
        kontor.start()
        app = create_app(kontor, Pace(longest_s=0.02, heartbeat_s=0.01))
        app.wsgi_app = Counted(app.wsgi_app, report)  # type: ignore[method-assign]
        try:
            yield app, kontor
        finally:
            kontor.close()
            structlog.reset_defaults()


FLOORS = Floors(moves=100, played_out=10)
"""What `make fuzz` must reach."""
_LINE_EVERY_S = 10.0
"""How often progress is printed where no bar can be drawn."""
_UNIT, _LINKS = ("examples", "coverage", "fuzzing"), ("stateful",)


def _config(phases: tuple[str, ...], examples: int, seed: int | None) -> SchemathesisConfig:
    fixed = {} if seed is None else {"seed": seed}
    enabled: dict[str, dict[str, Any]] = {name: {"enabled": name in phases} for name in (*_UNIT, *_LINKS)}
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
    """One run of schemathesis, until enough was sent; with `prepares`, some of its requests must succeed."""
    WSGITransport.send = _send  # type: ignore[method-assign]
    began = time.monotonic() - report.seconds
    schema = schema_of(app, config)
    client = create_app(kontor, Pace(longest_s=0.02)).test_client()
    guests = Guests(kontor, PreparedRequests(kontor, client) if prepares else None)
    schema.auth(refresh_interval=None)(guests.bearer())
    schema.hook("map_case")(lambda context, case: guests.map_case(case))
    for link in _links(schema.raw_schema):
        if "requestBody" in link:
            # Without it random fields are mixed into the move that the link gives; hardly one would pass.
            link["x-schemathesis"] = {"merge_body": False}
    for event in from_schema(schema).execute():
        _note(event, report)
        report.seconds = time.monotonic() - began
        if enough(report):
            break
    report.stored, report.played_out = count_moves(kontor), count_played_out(kontor)


def schema_of(app: Any, config: SchemathesisConfig) -> Any:
    """The API description, with all its operations.

    schemathesis leaves out the operation from which it loaded the description, so it must not know that.
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
    """Every link in a contract."""
    if isinstance(contract, dict):
        for name, part in contract.items():
            yield from part.values() if name == "links" else _links(part)
    elif isinstance(contract, list):
        for part in contract:
            yield from _links(part)


def fuzz(
    app: Any, kontor: Kontor, report: Report, *, examples: int, requests: int, moves: int, seed: int
) -> None:
    """The same every time: so many requests for each operation, then walks along the links.

    They end when so many requests were sent and moves made.

    A walk ends where house bots make it take another turn when it is repeated, so there are several.
    """
    run(app, kontor, report, _config(_UNIT, examples, seed), lambda _: False)
    while not _sent(report, requests, moves):
        seed += 1
        run(app, kontor, report, _config(_LINKS, 200, seed), lambda so_far: _sent(so_far, requests, moves))


def _sent(report: Report, requests: int, moves: int) -> bool:
    return report.requests >= requests and report.moves >= moves


def _told_until(seconds: float, tell: Callable[[Report], object]) -> Callable[[Report], bool]:
    """Tells how it goes, and ends at this time."""
    return lambda so_far: bool(tell(so_far)) or so_far.seconds >= seconds


def fuzz_for(
    app: Any, kontor: Kontor, report: Report, seconds: float, tell: Callable[[Report], object]
) -> None:
    """New requests each time, until the time is over and the floors are reached.

    At most half of it is for single requests, the rest for walks along the links.

    It begins with a few requests for every operation, however long they take. A machine on which the floors
    take more than ten times as long is not waited for.
    """
    run(app, kontor, report, _config(_UNIT, 3, None), _told_until(10 * seconds, tell), prepares=True)
    while report.seconds < seconds or (FLOORS.missed(report) and report.seconds < 10 * seconds):
        for phases, until in ((_UNIT, report.seconds + seconds / 2), (_LINKS, report.seconds + seconds)):
            run(
                app,
                kontor,
                report,
                _config(phases, 100, None),
                _told_until(until, tell),
                prepares=True,
            )


def _send(self: WSGITransport, case: Any, **kwargs: Any) -> Any:
    """Sends in process. schemathesis 4.32 forgets to drop these when it repeats a request without token."""
    return _SEND(
        self,
        case,
        **{name: value for name, value in kwargs.items() if name not in ("max_redirects", "verify", "cert")},
    )


_SEND = WSGITransport.send


@schemathesis.deserializer(*YAML_MEDIA_TYPES)
def _read_yaml(_context: Any, response: Any) -> Any:
    """Read the API description once: it is half a megabyte, and schemathesis reads every answer again."""
    found = _parsed(response.content)
    if isinstance(found, yaml.YAMLError):
        raise found
    return found


@lru_cache(maxsize=8)
def _parsed(content: bytes) -> Any:
    """The content of a document, or the error of one that was cut off."""
    try:
        return deserialize_yaml(content.decode())
    except yaml.YAMLError as error:
        return error


def _note(event: Any, report: Report) -> None:
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


def _first(missed: list[str]) -> str:
    """The first of what is missing, and how many more."""
    more = f" and {len(missed) - 3} more" if len(missed) > 3 else ""
    return (", ".join(missed[:3]) or "nothing") + more


def main() -> None:
    """Fuzzes for as long as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    seconds = parser.parse_args().minutes * 60
    report, columns = Report(), (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    console, line_at = Console(stderr=True, highlight=False), 0.0
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
        fuzzed_app(report) as (app, kontor),
    ):
        shown = progress.add_task("fuzzing", total=seconds)

        def tell(so_far: Report) -> None:
            nonlocal line_at
            said = f"{so_far.requests:,} requests, {so_far.moves} moves, {len(so_far.failures)} failures"
            progress.update(shown, completed=so_far.seconds, description=said)
            if not console.is_terminal and so_far.seconds >= line_at:
                missed = _first(FLOORS.missed(so_far))
                console.print(f"{so_far.seconds:.0f} s · {said} · not reached yet: {missed}", soft_wrap=True)
                line_at = so_far.seconds + _LINE_EVERY_S

        fuzz_for(app, kontor, report, seconds, tell)
    for name, failure in report.failures.items():
        print(f"--- {name}\n{failure}")  # noqa: T201  # its output
    for missed in FLOORS.missed(report):
        print(f"--- {missed}")  # noqa: T201  # its output
    print(report)  # noqa: T201  # its output
    sys.exit(1 if report.failures or FLOORS.missed(report) else 0)


if __name__ == "__main__":
    main()
