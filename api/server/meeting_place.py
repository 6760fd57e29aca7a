"""A directory in which the processes of one server find each other."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path


def make_meeting_place() -> Path:
    """Make a new directory, which is removed when gunicorn's main process ends."""
    directory, creator = Path(tempfile.mkdtemp(prefix="kontor-processes-")), os.getpid()

    def remove() -> None:
        if os.getpid() == creator:  # and not one of the workers, which inherit this function
            shutil.rmtree(directory, ignore_errors=True)

    atexit.register(remove)
    return directory
