"""Creates a trace span for each request; only imported if traces are on."""

from collections.abc import Callable, Iterable

from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from kontor_games.api.request import ApiRequest
from kontor_games.service.tracing import Tracing, parent_of

_SERVER_ERROR = 500


class RequestSpans:
    """Each request gets a span named after its operation."""

    def __init__(self, tracing: Tracing) -> None:
        self._tracing = tracing

    def run(self, request: ApiRequest, work: Callable[[], Iterable[bytes]]) -> Iterable[bytes]:
        """Handle a request inside a span that continues the caller's trace, if it sent `traceparent`."""

        def within(span: Span) -> Iterable[bytes]:
            response = work()
            _describe(span, request)
            return response

        environ = request.environ
        answer: Iterable[bytes] = self._tracing.run(
            within,
            "request",
            {"http.request.method": environ["REQUEST_METHOD"]},
            parent=parent_of(environ.get("HTTP_TRACEPARENT")),
            kind=SpanKind.SERVER,
        )
        return answer


def _describe(span: Span, request: ApiRequest) -> None:
    """Set the attributes of the span; never the path or the query string, which may contain private data."""
    span.update_name(request.operation)
    span.set_attribute("kontor.operation", request.operation)
    span.set_attribute("kontor.request_id", request.id)
    span.set_attribute("http.response.status_code", request.status)
    if request.status >= _SERVER_ERROR:
        span.set_status(Status(StatusCode.ERROR))
