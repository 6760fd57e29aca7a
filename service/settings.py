"""The settings of an operator: environment variables that begin with KONTOR_, read once at the start."""

import os
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from kontor_games.domain.signed_note import COSIGNATURE, NoteKey, UnreadableNoteError, is_key_name, read_key
from kontor_games.service.errors import OperatorError

_PREFIX = "KONTOR_"
_SQLITE = "sqlite:///"
_MAX_NUMBER = 1_000_000_000
_KEY = re.compile(r"[0-9a-f]{64}")
_PLACEHOLDER = re.compile(r"change[-_ ]?me|placeholder|your[-_ ]?(secret|password)", re.IGNORECASE)
"""What stands in examples where a secret belongs."""
_SECRET = re.compile(r"[\x00-\x7f]{32,}")
_ROLE = re.compile(r"[a-z][a-z0-9_]{0,62}")
_PASSWORD = re.compile(r"[A-Za-z0-9_-]{16,}")
_TRACE_LIBRARIES = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http")
_SIGNING = ("KONTOR_SIGNING_KEY", "KONTOR_SIGNING_KEY_FILE", "KONTOR_SIGNING_COMMAND")

_OF_CLIENTS = ("KONTOR_URL", "KONTOR_TOKEN")
"""Variables of commands that use a service, such as `kontor tournament` or `kontor doctor`; not settings."""


class SettingsError(OperatorError):
    """The environment has invalid settings; the message says for each of them what to do."""

    def __init__(self, faults: list[str]) -> None:
        """Keep all faults, so that an operator can correct them together."""
        self.faults = tuple(faults)
        super().__init__("Some settings are invalid:\n" + "\n".join(f"- {fault}" for fault in faults))


class _Invalid(Exception):
    """A value is invalid; the message never repeats the value, which may be a secret."""


def _database(text: str) -> str:
    parts = urlsplit(text)
    if _PLACEHOLDER.search(parts.password or ""):
        raise _Invalid("still has a placeholder as its password")
    if parts.scheme == "sqlite" and text.startswith(_SQLITE) and len(text) > len(_SQLITE):
        return text
    if parts.scheme == "postgresql" and parts.path.strip("/"):
        return text
    raise _Invalid("must be sqlite:///path/to/file.db or postgresql://user:password@host:port/database")


def _text(is_valid: Callable[[str], object], must: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not is_valid(text):
            raise _Invalid(must)
        return text

    return read


def _secret(is_valid: Callable[[str], object], must: str) -> Callable[[str], str]:
    """Read a text that nobody can guess: a placeholder of an example is refused."""
    read_text = _text(is_valid, must)

    def read(text: str) -> str:
        if _PLACEHOLDER.search(text):
            raise _Invalid("is still a placeholder: put a secret there; `openssl rand -hex 32` makes one")
        return read_text(text)

    return read


def _keys(text: str) -> tuple[str, ...]:
    keys = tuple(text.split())
    if not keys or not all(_KEY.fullmatch(key) for key in keys):
        raise _Invalid(
            "must be 64 hex digits, or several such keys, the oldest first; `openssl rand -hex 32` makes one"
        )
    return keys


def _key_file(text: str) -> tuple[str, ...]:
    path = Path(text)
    try:
        if path.stat().st_mode & 0o077:
            raise _Invalid("must be readable and writable by its owner only: run `chmod 600` on the file")
        return _keys(path.read_text(encoding="ascii"))
    except UnicodeDecodeError:
        raise _Invalid("must name a file of hex digits") from None
    except OSError as error:
        raise _Invalid(f"must name a file that can be read ({error.strerror})") from None


def _command(text: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(text))
    except ValueError:
        words = ()
    if not words:
        raise _Invalid("must be a command line")
    return words


def _flag(text: str) -> bool:
    known = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if text.lower() not in known:
        raise _Invalid("must be true or false")
    return known[text.lower()]


def _traces(text: str) -> bool:
    """Read a flag; if it is true, the libraries of the extra must be installed."""
    enabled = _flag(text)
    try:
        missing = enabled and not all(map(find_spec, _TRACE_LIBRARIES))
    except ModuleNotFoundError:
        missing = True
    if missing:
        raise _Invalid("needs more libraries: run `pip install 'kontor-games[traces]'`, or do not set it")
    return enabled


def _number(low: int, high: int = _MAX_NUMBER) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and low <= int(text[:12]) <= high):
            raise _Invalid(f"must be a whole number between {low} and {high}")
        return int(text)

    return read


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in words:
            raise _Invalid("must be one of " + ", ".join(words))
        return text.lower()

    return read


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip() for part in text.split(",") if part.strip())
    for origin in origins:
        parts = urlsplit(origin)
        bare = parts.netloc and origin == f"{parts.scheme}://{parts.netloc}"
        if origin != "*" and not (bare and parts.scheme in ("http", "https")):
            example = "origins such as https://example.org, without a path, separated by commas"
            raise _Invalid(f"must be * or {example}")
    return origins


def _public_url(text: str) -> str:
    parts = urlsplit(text)
    bare = parts.netloc and not parts.path and text == f"{parts.scheme}://{parts.netloc}"
    local = parts.hostname in ("localhost", "127.0.0.1")
    if not bare or "@" in text or parts.scheme not in (("http", "https") if local else ("https",)):
        raise _Invalid("must be https:// and the name of a host, without a path, such as https://example.org")
    return text


def _smtp_url(text: str) -> str:
    parts = urlsplit(text)
    try:
        valid = (
            parts.scheme in ("smtp", "smtps") and parts.hostname and (parts.port is None or parts.port > 0)
        )
    except ValueError:
        valid = False
    if not valid or parts.path or parts.query or _PLACEHOLDER.search(parts.password or ""):
        raise _Invalid("must be smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465")
    return text


def _hosts(text: str) -> tuple[str, ...]:
    hosts = tuple(part.strip() for part in text.split(",") if part.strip())
    if not all(re.fullmatch(r"[A-Za-z0-9.-]+:[0-9]{1,5}", host) for host in hosts):
        raise _Invalid("must be hosts with ports, such as push.internal:8443, separated by commas")
    return hosts


def _witnesses(text: str) -> tuple[NoteKey, ...]:
    try:
        keys = tuple(read_key(one, COSIGNATURE) for one in text.split())
    except UnreadableNoteError as error:
        raise _Invalid("must be public keys as `kontor witness` prints them, separated by spaces") from error
    if len({key.name for key in keys}) < len(keys):
        raise _Invalid("must name each witness once")
    return keys


def _setting(
    default: Any, read: Callable[[str], Any], *, name: str = "", hidden: bool = False, shown: str = ""
) -> Any:
    metadata = {"read": read, "name": name, "shown": shown or default}
    return field(default=default, repr=not hidden, metadata=metadata)


def state_folder() -> Path:
    """Return the folder of Kontor in the user's state folder, the same from every working directory."""
    given = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".local" / "state") / "kontor"


@dataclass(frozen=True)
class Settings:
    """All settings, which the section "Settings" of deploy/RUNBOOK.md explains.

    KONTOR_POOL_SIZE sets the field `pool_size`, and so on, unless another name is given.
    """

    database_url: str = field(
        default_factory=lambda: f"sqlite:///{state_folder()}/kontor.db",
        repr=False,
        metadata={
            "read": _database,
            "name": "",
            "shown": "sqlite:///~/.local/state/kontor/kontor.db",
        },
    )
    secret_key: str | None = _setting(
        None,
        _secret(
            _SECRET.fullmatch,
            "must have at least 32 ASCII characters; `openssl rand -hex 32` makes a good one",
        ),
        hidden=True,
    )
    signing_key: tuple[str, ...] = _setting((), _keys, hidden=True)
    signing_key_file: tuple[str, ...] = _setting((), _key_file, hidden=True)
    signing_command: tuple[str, ...] = _setting((), _command)
    service_role: str | None = _setting(
        None,
        _text(
            _ROLE.fullmatch,
            "must have up to 63 lower-case letters, digits and underscores, and begin with a letter",
        ),
    )
    service_password: str | None = _setting(
        None,
        _secret(_PASSWORD.fullmatch, "must have at least 16 letters, digits, hyphens or underscores"),
        hidden=True,
    )
    workers_in_process: bool = _setting(True, _flag, name="KONTOR_WORKERS")
    bot_processes: int = _setting(max(1, (os.cpu_count() or 2) - 1), _number(0, 64), shown="cores − 1")
    database_wait_s: int = _setting(60, _number(0, 3600))
    pool_size: int = _setting(2, _number(1, 1000))
    cache_matches: int = _setting(1000, _number(1, 1_000_000))
    cache_bytes: int = _setting(67_108_864, _number(1_000_000))
    body_limit: int = _setting(65_536, _number(1024, 16_777_216))
    connections_per_address: int = _setting(1000, _number(1))
    streams: int = _setting(2000, _number(1, 100_000))
    streams_per_address: int = _setting(500, _number(1))
    streams_per_player: int = _setting(50, _number(1))
    cors_origins: tuple[str, ...] = _setting((), _origins)
    trust_proxy: int = _setting(0, _number(0, 16))
    metrics_port: int = _setting(0, _number(0, 65_535))
    traces: bool = _setting(False, _traces)
    log_level: str = _setting("info", _one_of("debug", "info", "warning", "error"))
    log_format: str = _setting("auto", _one_of("auto", "json", "text"))
    log_origin: str = _setting(
        "",
        _text(
            lambda text: not text or is_key_name(text),
            "must be a name without spaces and plus signs, such as example.org/v1/log",
        ),
        shown="localhost/ID/v1/log",
    )
    """Empty: the origin of the existing checkpoints, or one with the id of the first signing key."""
    witnesses: tuple[NoteKey, ...] = _setting((), _witnesses)
    public_url: str = _setting("", _public_url, shown="none")
    """Empty: the service does not know its address, and can't call players who are away."""
    push_hosts: tuple[str, ...] = _setting((), _hosts)
    smtp_url: str = _setting("", _smtp_url, hidden=True, shown="none")
    """Empty: the service sends no e-mail."""
    mail_from: str = _setting(
        "",
        _text(
            re.compile(r"[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+").fullmatch,
            "must be an e-mail address, such as kontor@example.org",
        ),
        shown="none",
    )
    accounts_per_hour: int = _setting(100, _number(1))
    open_matches: int = _setting(50, _number(1))
    running_matches: int = _setting(200, _number(1))
    open_match_hours: int = _setting(168, _number(0, 87_600))
    idle_match_hours: int = _setting(720, _number(0, 87_600))
    smallest_clock_ms: int = _setting(5000, _number(1, 60_000))
    rate_limit_read: int = _setting(1200, _number(1))
    rate_limit_write: int = _setting(300, _number(1))
    rate_limit_move: int = _setting(12_000, _number(1))
    rate_limit_register: int = _setting(60, _number(1))
    rate_limit_stream: int = _setting(240, _number(1))

    @property
    def sqlite_path(self) -> Path | None:
        """The file of a SQLite database; None for PostgreSQL."""
        url = self.database_url
        return Path(url.removeprefix(_SQLITE)) if url.startswith(_SQLITE) else None

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> "Settings":
        """Read the settings from the environment; raise SettingsError with all faults."""
        known = {_name_of(one): one for one in fields(cls)}
        given = {name: text for name, text in environ.items() if name.startswith(_PREFIX)}
        given = {name: text for name, text in given.items() if name not in _OF_CLIENTS}
        faults = [_unknown(name, known) for name in sorted(given) if name not in known]
        values: dict[str, Any] = {}
        for name, one in known.items():
            if name in given:
                try:
                    values[one.name] = one.metadata["read"](given[name])
                except _Invalid as wrong:
                    faults.append(f"{name} {wrong}; the default is {_default_of(one)}")
        if len(signing := [name for name in _SIGNING if name in given]) > 1:
            faults.append(f"{' and '.join(signing)} exclude each other; set one of them")
        if values.get("smtp_url") and not (values.get("mail_from") and values.get("public_url")):
            faults.append("KONTOR_SMTP_URL needs KONTOR_MAIL_FROM and KONTOR_PUBLIC_URL, too")
        if faults:
            raise SettingsError(faults)
        return cls(**values)


def _name_of(field: "Field[Any]") -> str:
    return field.metadata["name"] or _PREFIX + field.name.upper()


def _default_of(field: "Field[Any]") -> str:
    default = field.metadata["shown"]
    if default in (None, ()):
        return "none"
    return str(default).lower() if isinstance(default, bool) else str(default)


def _unknown(name: str, known: Mapping[str, Any]) -> str:
    # Compare without the prefix, which would make all names similar.
    near = get_close_matches(name.removeprefix(_PREFIX), [one.removeprefix(_PREFIX) for one in known], n=1)
    guess = f"did you mean {_PREFIX}{near[0]}?" if near else "known settings: " + ", ".join(known)
    return f"{name} is not a setting; remove it or correct its name ({guess})"
