"""A server for a single board, with the strict Content-Security-Policy of the page."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html"
)


class Handler(SimpleHTTPRequestHandler):
    """Serves the folder web/ of the repository, and the harness."""

    def translate_path(self, path: str) -> str:
        """Return the file of a path."""
        name = path.partition("?")[0].lstrip("/")
        return str(ROOT / name if name.startswith("web/") else HERE / (name or "harness.html"))

    def end_headers(self) -> None:
        """Add the policy."""
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Do not log."""


@contextmanager
def harness() -> Iterator[str]:
    """Serve on a free port until the end of the block; give the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(HERE)))
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
