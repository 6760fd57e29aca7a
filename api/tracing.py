"""Creates a trace span for each request; only imported if traces are on."""

from collections.abc import Callable, Iterable
from typing import Any

from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from kontor_games.service.tracing import Tracing, parent_of

_SERVER_ERROR = 500


class TracingMiddleware:
    """WSGI middleware: each request gets a span named after its operation, until the response starts."""

    def __init__(self, application: Callable[..., Iterable[bytes]], tracing: Tracing) -> None:
        self._application = application
        self._tracing = tracing

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Handle a request inside a span that continues the caller's trace, if it sent `traceparent`."""

        def work(span: Span) -> Iterable[bytes]:
            def start(status: str, headers: Any, exc_info: Any = None) -> Any:
                _describe(span, environ, int(status[:3]))
                return start_response(status, headers, *((exc_info,) if exc_info else ()))

            return self._application(environ, start)

        answer: Iterable[bytes] = self._tracing.run(
            work,
            "request",
            {"http.request.method": environ["REQUEST_METHOD"]},
            parent=parent_of(environ.get("HTTP_TRACEPARENT")),
            kind=SpanKind.SERVER,
        )
        return answer


def _describe(span: Span, environ: dict[str, Any], status: int) -> None:
    """Set the attributes of the span; never the path or the query string, which may contain private data."""
    operation = environ.get("kontor.operation", "none")
    span.update_name(operation)
    span.set_attribute("kontor.operation", operation)
    span.set_attribute("kontor.request_id", environ["kontor.request_id"])
    span.set_attribute("http.response.status_code", status)
    if status >= _SERVER_ERROR:
        span.set_status(Status(StatusCode.ERROR))
