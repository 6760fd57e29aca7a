"""The log of a process: JSON for machines, readable lines on a terminal."""

import sys
from typing import Any

import msgspec
import structlog

from kontor_games.service.settings import Settings
from kontor_games.service.terminal_text import escaped, stream_behind


class JsonLines:
    """The output for frequent lines, which are written as JSON without structlog, four times as fast."""

    target: structlog.BytesLogger | None = None
    """None if they must go through structlog: text format, tracing, or a higher log level."""


def writes_json(settings: Settings) -> bool:
    """Whether everything that a process writes is for machines: one JSON object per line."""
    return settings.log_format == "json" or (settings.log_format == "auto" and not sys.stdout.isatty())


def set_up_logging(settings: Settings) -> None:
    """Write the log of this process to standard output, one event per line."""
    as_json = writes_json(settings)
    is_direct = as_json and settings.log_level in ("debug", "info") and not settings.traces
    JsonLines.target = structlog.BytesLogger() if is_direct else None
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            *(_trace_processors() if settings.traces else ()),
            structlog.processors.format_exc_info,
            *(_json_processors() if as_json else _console_processors()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(settings.log_level),
        logger_factory=structlog.BytesLoggerFactory()
        if as_json
        else structlog.PrintLoggerFactory(stream_behind(sys.stdout)),
        cache_logger_on_first_use=True,
    )


def _trace_processors() -> list[Any]:
    """The trace and the span of each line, if it belongs to one."""
    # Without traces, the libraries that it imports may not be installed.
    from kontor_games.service.tracing import add_trace

    return [add_trace]


def _json_processors() -> list[Any]:
    """One JSON object per line."""
    return [
        structlog.processors.TimeStamper(fmt="iso", key="at"),
        structlog.processors.JSONRenderer(serializer=lambda event, **_: msgspec.json.encode(event)),
    ]


def _console_processors() -> list[Any]:
    """Time, level, event and its values, in colour if the output is a terminal."""
    return [
        _escape_values,
        structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
        structlog.dev.ConsoleRenderer(
            colors=sys.stdout.isatty(), pad_event_to=0, exception_formatter=structlog.dev.plain_traceback
        ),
    ]


def _escape_values(_: Any, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Escape control characters in the texts of a line, before the colours are added."""
    return {name: escaped(value) if isinstance(value, str) else value for name, value in event.items()}
