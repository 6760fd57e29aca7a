"""Settings of gunicorn for production, the same as for `kontor serve`: `gunicorn -c deploy/gunicorn.conf.py`.

The environment variables BIND, WEB_CONCURRENCY (processes) and WEB_THREADS (threads per process) change them.
"""

import runpy
from pathlib import Path

from kontor_games import service

globals().update(runpy.run_path(str(Path(service.__path__[0]) / "cli" / "gunicorn_conf.py")))
