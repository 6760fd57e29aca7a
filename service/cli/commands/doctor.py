"""`kontor doctor`: examines an installation and says what to do; each check finds out one thing."""

import json
import platform
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from email.message import Message
from http.client import HTTPException
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import click
import structlog
from eventsourcing.persistence import PersistenceError
from rich.text import Text

from kontor_games.domain.codec import Plain
from kontor_games.service.background.leader import has_leader
from kontor_games.service.background.searching_bots import is_needed, is_playing
from kontor_games.service.cli.arguments import json_option
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.database_option import database_name, database_option, read_settings
from kontor_games.service.cli.terminal import console, simple_table
from kontor_games.service.errors import OperatorError, ServiceError, UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.outages import GAP_MS
from kontor_games.service.settings import Settings, SettingsError
from kontor_games.service.store.append_only import rights_of_role
from kontor_games.service.store.requirements import check_database, why_unreachable
from kontor_games.service.version import VERSION

OK, FAILED, ADVICE, SKIPPED = "ok", "failed", "advice", "skipped"
_MAX_DRIFT_MS = 1000
_MIN_FREE = 0.05
_MIN_FREE_BYTES = 500_000_000
_TIMEOUT_S = 10.0
_MIGRATE = (
    "Run `kontor migrate` as the owner of the tables (on PostgreSQL with --role, if the service has one)."
)


class Finding(NamedTuple):
    """What a check has found."""

    check: str
    state: str
    """OK, FAILED, ADVICE (works, but could be better) or SKIPPED."""
    found: str
    do: str = ""
    """What the operator should do about it."""


def examine(settings: Settings, url: str | None) -> Iterator[Finding]:
    """Yield the findings about the installation that the settings describe; `url` is its public address."""
    yield Finding("version", OK, f"kontor {VERSION}, Python {platform.python_version()}")
    reachable = _database(settings)
    yield reachable
    if reachable.state == OK:
        with closing(Kontor(settings)) as kontor:
            yield from _inside(kontor)
    yield _secret(settings)
    yield _disk(settings)
    yield from _outside(settings, url)


def _database(settings: Settings) -> Finding:
    name = database_name(settings)
    path = settings.sqlite_path
    if path is not None and not path.is_file():
        return Finding("database", FAILED, f"There is no file {path.absolute()}.", _MIGRATE)
    try:
        check_database(settings)
    except UnavailableError:
        start = "Start PostgreSQL, or correct KONTOR_DATABASE_URL."
        return Finding("database", FAILED, why_unreachable(settings), start)
    except OperatorError as error:
        return Finding("database", FAILED, name, str(error))
    return Finding("database", OK, f"{name} is suitable")


def _inside(kontor: Kontor) -> Iterator[Finding]:
    """Yield the findings for which the database is needed; after a failure of one, the others go on."""
    missing = kontor.missing_tables()
    if missing:
        yield Finding("tables", FAILED, f"missing: {', '.join(missing)}", _MIGRATE)
        return
    yield Finding("tables", OK, "all tables of this release are there")
    checks: dict[str, Callable[[Kontor], Finding]] = {
        "rights": _rights,
        "clock": _clock,
        "service": _service,
        "leader": _leader,
        "searching bots": _searching_bots,
        "keys": _keys,
    }
    for name, check in checks.items():
        try:
            yield check(kontor)
        except (PersistenceError, ServiceError) as error:
            reason = str(error.__cause__ or error).splitlines()[0]
            yield Finding(name, FAILED, f"cannot be checked: {reason}", "Check the rights of this role.")


def _rights(kontor: Kontor) -> Finding:
    path = kontor.settings.sqlite_path
    if path is not None:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            return Finding("rights", FAILED, f"{path} has mode {mode:o}.", f"Run `chmod 600 {path}`.")
        return Finding("rights", OK, "only its owner can read the file")
    role, owns, lacks = rights_of_role(kontor.database)
    if lacks:
        shown = ", ".join(lacks[:3]) + (f" and {len(lacks) - 3} more" if len(lacks) > 3 else "")
        do = f"Run `kontor migrate --role {role}` as the owner of the tables."
        return Finding("rights", FAILED, f"The role {role} lacks {shown}.", do)
    if owns:
        do = "Let the service connect as a role that can only append (RUNBOOK, Who can change evidence)."
        return Finding("rights", ADVICE, f"The role {role} can change evidence: it owns the tables.", do)
    return Finding("rights", OK, f"The role {role} can append to evidence, and not change it.")


def _clock(kontor: Kontor) -> Finding:
    if not kontor.database.is_postgres:
        return Finding("clock", SKIPPED, "There is no second clock to compare with.")
    before = kontor.clock()
    server = kontor.outages.shared_clock().ms
    return _drift(server - (before + kontor.clock()) // 2, "database server")


def _drift(ms: int, whom: str) -> Finding:
    if abs(ms) > _MAX_DRIFT_MS:
        found = f"This clock differs from that of the {whom} by {abs(ms) / 1000:.1f} s."
        return Finding("clock", FAILED, found, "Set up NTP on all machines (`timedatectl`).")
    return Finding("clock", OK, f"agrees with the {whom} within a second")


def _service(kontor: Kontor) -> Finding:
    rows = kontor.database.read("SELECT at FROM service_heartbeat WHERE id = 1")
    age = kontor.clock() - rows[0]["at"] if rows else None
    if age is None or age > GAP_MS:
        when = "never" if age is None else f"{age / 1000:,.0f} s ago"
        do = "Start it: `kontor serve`, or the unit kontor-api."
        return Finding("service", FAILED, f"No process serves players; the last sign of life: {when}.", do)
    return Finding("service", OK, "a process serves players")


def _leader(kontor: Kontor) -> Finding:
    if has_leader(kontor.database, kontor.settings.sqlite_path):
        return Finding("leader", OK, "a process runs house bots, clocks and checkpoints")
    do = "Start `kontor work` (or the unit kontor-work), or set KONTOR_WORKERS=true for the API processes."
    return Finding("leader", FAILED, "No process runs house bots, clocks and checkpoints.", do)


def _searching_bots(kontor: Kontor) -> Finding:
    if is_playing(kontor.database, kontor.clock()):
        return Finding("searching bots", OK, "a process plays them")
    do = "Start `kontor work --bots` (or the unit kontor-bots), or set KONTOR_BOT_PROCESSES to 1 or more."
    if is_needed(kontor.database):
        return Finding("searching bots", FAILED, "Matches wait for them, and no process plays them.", do)
    if not kontor.settings.bot_processes:
        return Finding("searching bots", ADVICE, "No process would play them.", do)
    return Finding("searching bots", OK, "The leader starts processes when a match needs them.")


def _keys(kontor: Kontor) -> Finding:
    try:
        kontor.signer.check()
    except UnavailableError as error:
        said, _, do = error.detail.partition(". ")
        return Finding("keys", FAILED, f"{said}.", do)
    count, stored = len(kontor.signer.public_keys()), len(kontor.signer.stored_private_keys())
    if stored:
        do = "Move them out with `kontor keys move` (RUNBOOK, Keep the signing key outside the database)."
        return Finding("keys", ADVICE, f"{stored} of {count} private keys are in the database.", do)
    return Finding("keys", OK, "this process can sign; no private key is in the database")


def _secret(settings: Settings) -> Finding:
    if settings.secret_key is None:
        do = "Set KONTOR_SECRET_KEY to the output of `openssl rand -hex 32`, the same for all processes."
        return Finding("secret", ADVICE, "The secret of the server is in the database and its backups.", do)
    return Finding("secret", OK, "KONTOR_SECRET_KEY is set")


def _disk(settings: Settings) -> Finding:
    path = settings.sqlite_path
    folder = path.parent if path is not None and path.parent.is_dir() else None
    if folder is None:
        return Finding("disk", SKIPPED, "The database is not a file here: check the disk of its machine.")
    total, _, free = shutil.disk_usage(folder)
    shown = f"{free / 1e9:,.1f} of {total / 1e9:,.1f} GB are free in {folder.absolute()}"
    if free < min(_MIN_FREE_BYTES, total) or free < _MIN_FREE * total:
        return Finding("disk", FAILED, shown, "Enlarge the volume: facts are never deleted.")
    return Finding("disk", OK, shown)


def _outside(settings: Settings, url: str | None) -> Iterator[Finding]:
    """Yield what a client sees at the public address."""
    if url is None:
        yield Finding("proxy", SKIPPED, "not checked; name the public address: --url https://…")
        return
    try:
        _, headers, body = _get(f"{url}/healthz")
        hidden, _, _ = _get(f"{url}/metrics")
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        yield Finding("proxy", FAILED, f"{url} does not answer: {reason}", "Check proxy, firewall and DNS.")
        return
    yield _public_version(body)
    yield _proxy(settings, url, headers, hidden)
    if server_time := headers.get("Server-Time"):
        answered = datetime.fromisoformat(server_time).timestamp()
        yield _drift(round((answered - time.time()) * 1000), f"service at {url}")


def _public_version(body: Plain) -> Finding:
    found = body.get("version") if isinstance(body, dict) else None
    if found != VERSION:
        do = "Restart every node with this release, or run the `kontor` of the release that is running."
        return Finding("running version", FAILED, f"The service that answers is {found or 'not Kontor'}.", do)
    return Finding("running version", OK, f"the service that answers is kontor {found}")


def _proxy(settings: Settings, url: str, headers: Message, metrics_status: int) -> Finding:
    proxied = "nginx" in headers.get("Server", "").lower()
    if proxied and not settings.trust_proxy:
        do = "Set KONTOR_TRUST_PROXY=1 (or the number of proxies) for every process."
        return Finding("proxy", FAILED, "Behind nginx, all clients seem to have one address.", do)
    if metrics_status == 200 and settings.trust_proxy:
        do = "Let the proxy hide /metrics, as deploy/nginx.conf does."
        return Finding("proxy", FAILED, f"Everybody can read {url}/metrics.", do)
    if urlsplit(url).scheme == "http" and urlsplit(url).hostname not in ("localhost", "127.0.0.1", "::1"):
        do = "Add TLS to the proxy (RUNBOOK, Without containers)."
        return Finding("proxy", FAILED, "Tokens are sent without encryption.", do)
    return Finding("proxy", OK, f"{url} answers{' through nginx' if proxied else ', without a proxy'}")


def _get(url: str) -> tuple[int, Message, Plain]:
    """Return status, headers and JSON (None if it is none) of an answer."""
    try:
        with urlopen(Request(url), timeout=_TIMEOUT_S) as answer:  # noqa: S310  # an address of the operator
            return answer.status, answer.headers, _json(answer.read(100_000))
    except HTTPError as error:
        with error:
            return error.code, error.headers, _json(error.read(100_000))


def _json(content: bytes) -> Plain:
    try:
        return json.loads(content)
    except ValueError:
        return None


_MARKS = {OK: ("✓", "green"), FAILED: ("✗", "bold red"), ADVICE: ("!", "yellow"), SKIPPED: ("–", "")}


@command()
@database_option
@click.option(
    "--url",
    "address",
    metavar="URL",
    envvar="KONTOR_URL",
    help="Public address of the service to check, too.",
)
@json_option("the findings as JSON")
def doctor(*, url: str | None, address: str | None, as_json: bool) -> None:
    """Check an installation, and say what to correct.

    It looks at settings, database, rights, clock, leader, keys, disk, proxy and version. Run it with the
    settings of the service, as its user. ✓ is in order, ✗ is not (the exit code is then 1), ! works but could
    be safer, – was not checked.
    """
    try:
        settings = read_settings(url)
    except SettingsError as error:
        findings = [Finding("settings", FAILED, fault, "Correct it.") for fault in error.faults]
    else:
        with _without_logs():
            checked = list(examine(settings, address.rstrip("/") if address else None))
        findings = [Finding("settings", OK, "all settings are valid"), *checked]
    if as_json:
        click.echo(json.dumps({"findings": [one._asdict() for one in findings]}, indent=2))
    else:
        _print(findings)
    if any(one.state == FAILED for one in findings):
        raise SystemExit(1)


@contextmanager
def _without_logs() -> Iterator[None]:
    """Drop log messages: the findings say the same."""
    before = structlog.get_config()
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    try:
        yield
    finally:
        structlog.configure(**before)


def _print(findings: list[Finding]) -> None:
    table = simple_table("", "check", "found")
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    for one in findings:
        table.add_row(Text(*_MARKS[one.state]), one.check, Text(one.found))
        if one.do:
            table.add_row("", "", Text(f"→ {one.do}"), style="bold" if one.state == FAILED else "")
    console().print(table)
