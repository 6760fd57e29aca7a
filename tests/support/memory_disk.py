"""Where tests keep their files: in memory, if the machine has enough of it.

They make thousands of databases and wait for the disk at every commit, three quarters of their
time on SQLite.
"""

import os
import shutil
import tempfile
from multiprocessing import util
from pathlib import Path

MEMORY_DISK = Path("/dev/shm")  # noqa: S108  # nobody guesses the names of the folders in it
ENOUGH_BYTES = 3 * 2**30
"""Several times of what a whole run needs."""


def make_run_folder() -> Path:
    """Make the folder of temporary files of this process and its children; in memory unless TMPDIR is set.

    Whoever asked for it removes it. Only the files of failed tests are beside it, where pytest keeps them
    for a while.
    """
    util.get_temp_dir()  # multiprocessing removes its folder at exit, when ours is gone
    in_memory = "TMPDIR" not in os.environ and is_suitable(MEMORY_DISK)
    place = MEMORY_DISK if in_memory else Path(tempfile.gettempdir())
    folder = Path(tempfile.mkdtemp(prefix="kontor-run-", dir=place))
    folder.chmod(0o711)  # PostgreSQL, which runs as another user, has its own folder in it
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(place))
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None  # read TMPDIR again
    return folder


def is_suitable(folder: Path) -> bool:
    """Whether we can write much there, and run programs."""
    return (
        folder.is_dir()
        and os.access(folder, os.W_OK | os.X_OK)
        and not os.statvfs(folder).f_flag & os.ST_NOEXEC
        and shutil.disk_usage(folder).free >= ENOUGH_BYTES
    )
