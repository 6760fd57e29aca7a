"""A process in which searching bots play: `python -m kontor_games.service.bot_process NAME`.

`kontor work --bots` and the leading process start it (service/background/bot_processes.py). It ends when its
standard input does.
"""

import os
import signal
import sys
from dataclasses import replace

from kontor_games.service.kontor import Kontor
from kontor_games.service.logging_setup import set_up_logging
from kontor_games.service.settings import Settings

_NICENESS = 19
"""Whoever waits for a searching bot waits for its search; moves of others come first."""


def main() -> None:
    """Play until the standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the process that started this
    os.nice(_NICENESS)
    settings = replace(Settings.from_environ(os.environ), workers_in_process=False)
    set_up_logging(settings)
    kontor = Kontor(settings)
    kontor.start(serves=False, bots=sys.argv[1])
    while sys.stdin.buffer.read(1):
        pass
    kontor.close()


if __name__ == "__main__":
    main()
