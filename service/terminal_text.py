"""Text from files and services is shown on terminals with its control characters escaped."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

_INVISIBLE = r"\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
"""DEL, the C1 controls, and everything that changes the direction of text or begins a new line."""
_CONTROLS = re.compile(rf"[\x00-\x08\x0b-\x1f{_INVISIBLE}]")
_CONTROLS_OF_A_LINE = re.compile(rf"[\x00-\x1f{_INVISIBLE}]")


def escaped(text: str) -> str:
    r"""Return a text of several lines with control characters as `\u001b`, which keeps JSON as it is."""
    return _CONTROLS.sub(_escape, text)


def one_line(text: str) -> str:
    """Return a text with all control characters escaped, those that begin a new line too."""
    return _CONTROLS_OF_A_LINE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


class EscapingStream:
    """A text stream that escapes control characters; everything else is that of the stream behind it."""

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream
        """The stream behind it, where rich writes its colours; the console has escaped the text itself."""

    def write(self, text: str) -> int:
        """Write a text with its control characters escaped."""
        self.rich_proxied_file.write(escaped(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


def stream_behind(stream: TextIO) -> TextIO:
    """Return the stream on which escape sequences of our own are allowed, such as the colours of a log."""
    return stream.rich_proxied_file if isinstance(stream, EscapingStream) else stream


@contextmanager
def escaping_output() -> Iterator[None]:
    """Escape control characters in everything that is written to standard output and standard error."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (EscapingStream(stream_behind(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
