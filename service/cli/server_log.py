"""The log of gunicorn itself, in the format of all other lines of the process."""

import logging
import os
from typing import Any

import structlog
from gunicorn.glogging import Logger  # type: ignore[import-untyped]  # gunicorn has no types

from kontor_games.service.logging_setup import set_up_logging
from kontor_games.service.settings import Settings, SettingsError

_LOG = structlog.get_logger("gunicorn")


class _ThroughStructlog(logging.Handler):
    """Passes each record to structlog as the event `server`."""

    def emit(self, record: logging.LogRecord) -> None:
        more = {"exc_info": record.exc_info} if record.exc_info else {}
        _LOG.log(record.levelno, "server", text=record.getMessage().strip(), pid=record.process, **more)


class ServerLog(Logger):  # type: ignore[misc]
    """gunicorn's logger, without a format of its own."""

    def setup(self, cfg: Any) -> None:
        """Replace gunicorn's handlers; settings that are invalid are reported when the server starts."""
        super().setup(cfg)
        try:
            set_up_logging(Settings.from_environ(os.environ))
        except SettingsError:
            set_up_logging(Settings())
        self.error_log.handlers = [_ThroughStructlog()]
        self.error_log.propagate = False
