"""The folder for files of tests: in memory, if the machine has enough of it.

Tests create thousands of databases. On disk, tests with SQLite would spend three quarters of their time
waiting for commits.
"""

import os
import shutil
import tempfile
from multiprocessing import util
from pathlib import Path

MEMORY_DISK = Path("/dev/shm")  # noqa: S108  # nobody guesses the names of the folders in it
ENOUGH_BYTES = 3 * 2**30
"""Several times what a whole run needs."""
_PREFIX = "kontor-run-"


def make_run_folder() -> Path:
    """Create the folder for temporary files of this process and its children, in memory unless TMPDIR is set.

    The caller has to remove it; that of a run that was killed is removed by the next one. The files of failed
    tests are elsewhere, where pytest keeps them for a while.
    """
    util.get_temp_dir()  # multiprocessing removes its folder at exit, when ours is gone
    in_memory = "TMPDIR" not in os.environ and is_suitable(MEMORY_DISK)
    place = MEMORY_DISK if in_memory else Path(tempfile.gettempdir())
    remove_left_behind(place)
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=place))
    folder.chmod(0o711)  # PostgreSQL, which runs as another user, has its own folder in it
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(place))
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None  # read TMPDIR again
    return folder


def remove_left_behind(place: Path) -> None:
    """Remove the folders of processes that have ended; the name of a folder begins with its process id."""
    running = Path("/proc")
    for folder in place.glob(f"{_PREFIX}*-*") if running.exists() else ():
        if not (running / folder.name.removeprefix(_PREFIX).partition("-")[0]).exists():
            shutil.rmtree(folder, ignore_errors=True)


def is_suitable(folder: Path) -> bool:
    """Whether the folder has enough free space, and programs in it can be run."""
    return (
        folder.is_dir()
        and os.access(folder, os.W_OK | os.X_OK)
        and not os.statvfs(folder).f_flag & os.ST_NOEXEC
        and shutil.disk_usage(folder).free >= ENOUGH_BYTES
    )
