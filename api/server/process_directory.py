"""A temporary directory through which the processes of one server find each other."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path


def make_process_directory() -> Path:
    """Create the directory; it is removed when gunicorn's main process exits."""
    directory, creator = Path(tempfile.mkdtemp(prefix="patient-worker-")), os.getpid()

    def remove() -> None:
        if os.getpid() == creator:  # not in the workers, which inherit this exit handler
            shutil.rmtree(directory, ignore_errors=True)

    atexit.register(remove)
    return directory
