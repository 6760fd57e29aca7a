"""Where tests keep their files: in memory, if the machine has enough of it.

They make thousands of databases and wait for the disk at every commit, three quarters of their time on SQLite.
"""

import os
import shutil
import tempfile
from pathlib import Path

MEMORY_DISK = Path("/dev/shm")  # noqa: S108  # nobody guesses the names of the folders in it
ENOUGH_BYTES = 3 * 2**30
"""Several times of what a whole run needs."""


def keep_files_in_memory() -> None:
    """Make this process and its children use the memory disk for temporary files, unless TMPDIR names another folder."""
    if "TMPDIR" not in os.environ and is_suitable(MEMORY_DISK):
        os.environ["TMPDIR"] = str(MEMORY_DISK)
        tempfile.tempdir = None  # read TMPDIR again


def is_suitable(folder: Path) -> bool:
    """Whether we can write much there, and run programs."""
    return (
        folder.is_dir()
        and os.access(folder, os.W_OK | os.X_OK)
        and not os.statvfs(folder).f_flag & os.ST_NOEXEC
        and shutil.disk_usage(folder).free >= ENOUGH_BYTES
    )
