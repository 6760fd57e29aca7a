"""Settings of gunicorn for production, those of `kontor serve`: `gunicorn -c deploy/gunicorn.conf.py`.

Set BIND, WEB_CONCURRENCY (processes) and WEB_THREADS (threads in each; every open stream holds one).
"""

import runpy
from pathlib import Path

from kontor_games import service

globals().update(runpy.run_path(str(Path(service.__path__[0]) / "cli" / "gunicorn_conf.py")))
