"""OpenTelemetry traces, an extra: spans of commands, of group commits and of calls of the database.

This module is imported only if KONTOR_TRACES is true. It wraps methods of the objects of one process in
spans, so that moves are not slowed down if traces are off. A span contains names of operations and numbers,
never a token, the name of a player, a query string or anything that a player sent. The standard variables
OTEL_… configure where spans are sent, and how many.
"""

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from kontor_games.domain.codec import key_of
from kontor_games.service.kontor import Kontor

_EXPORT_S = 5
"""Time limit for the export of a batch, including the last one before the process ends."""
_PROPAGATOR = TraceContextTextMapPropagator()

Values = Mapping[str, str | int]
Describe = Callable[..., tuple[str, Values]]
"""Returns the name and the attributes of a span, from the arguments of a call."""


class Tracing:
    """The spans of one process."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("kontor")

    @classmethod
    def from_environment(cls) -> "Tracing":
        """Spans that are sent by OTLP over HTTP in batches, as the variables OTEL_… say."""
        provider = TracerProvider(resource=Resource.create({"service.name": "kontor"}))
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=_EXPORT_S)))
        return cls(provider)

    def watch(self, kontor: Kontor) -> None:
        """Wrap the commands and database calls of a process in spans."""
        self._wrap(kontor.matches, "execute", lambda call, match_id, command: _command(command))
        self._wrap(kontor.matches, "create", lambda *_: ("command create", {}))
        self._wrap(kontor.matches, "join", lambda *_: ("command join", {}))
        self._wrap(kontor.matches, "play", lambda call, match_id, moves, *_: _moves(len(moves)))
        self._wrap(kontor.many_moves, "play", lambda requests: _moves(len(requests)))
        self._wrap(kontor.tournaments, "execute", lambda call, tournament_id, command: _command(command))
        self._wrap(kontor.store, "append_all", lambda new: ("store", {"kontor.entries": len(new)}))
        system = "postgresql" if kontor.database.is_postgres else "sqlite"
        self._wrap(kontor.database, "read", lambda sql, *_: _query(system, sql))
        self._wrap(kontor.database, "write", lambda *statements: _query(system, statements[0][0]))
        if kontor.database.is_postgres:
            written = {"db.system.name": system}
            self._wrap(
                kontor.store.recorder,
                "_insert_group",
                lambda rows: ("group commit", {**written, "kontor.entries": len(rows)}),
            )
        close = kontor.close

        def close_and_flush() -> None:
            close()
            self._provider.shutdown()

        kontor.close = close_and_flush  # type: ignore[method-assign]

    def _wrap(self, owner: object, method: str, describe: Describe) -> None:
        """Replace a method of an object by a function that calls it inside a span."""
        call = getattr(owner, method)

        def spanned(*arguments: Any, **named: Any) -> Any:
            name, values = describe(*arguments, **named)
            return self.run(lambda _: call(*arguments, **named), name, values)

        setattr(owner, method, spanned)

    def run(
        self,
        work: Callable[[Span], Any],
        name: str,
        values: Values,
        *,
        parent: Context | None = None,
        kind: SpanKind = SpanKind.INTERNAL,
    ) -> Any:
        """Call `work` inside a span. Only the type of an exception is recorded: its text may be secret."""
        with self._tracer.start_as_current_span(
            name,
            context=parent,
            kind=kind,
            attributes=values,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                return work(span)
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(Status(StatusCode.ERROR))
                raise


def _command(command: object) -> tuple[str, Values]:
    return f"command {key_of(type(command))}", {}


def _moves(count: int) -> tuple[str, Values]:
    return "command play", {"kontor.moves": count}


def _query(system: str, sql: str) -> tuple[str, Values]:
    word = sql.split(None, 1)[0].upper()
    return f"database {word}", {"db.system.name": system, "db.operation.name": word}


def parent_of(traceparent: str | None) -> Context | None:
    """Return the trace that a request belongs to, by its header `traceparent` (W3C Trace Context)."""
    return _PROPAGATOR.extract({"traceparent": traceparent}) if traceparent else None


def add_trace(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Add the ids of the current trace and span to a log line; a processor of structlog."""
    context = get_current_span().get_span_context()
    if context.is_valid:
        event["trace_id"], event["span_id"] = f"{context.trace_id:032x}", f"{context.span_id:016x}"
    return event
