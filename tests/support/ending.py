"""Servers that end when the test run that started them is killed."""

import shutil
from pathlib import Path
from threading import current_thread, main_thread

_SETPRIV = shutil.which("setpriv")


def ending_with_us(*command: str | Path) -> list[str]:
    """Return a command for a process that gets SIGTERM when this process dies, on Linux.

    Linux sends the signal when the thread that started the process ends, so another thread than the main
    one starts it as it is.
    """
    if _SETPRIV is None or current_thread() is not main_thread():
        return [*map(str, command)]
    return [_SETPRIV, "--pdeathsig", "TERM", *map(str, command)]
