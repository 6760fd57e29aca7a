"""The version of the installed service, for answers, metrics, logs and `kontor --version`."""

from importlib.metadata import PackageNotFoundError, version


def _installed_version() -> str:
    try:
        return version("kontor-games")
    except PackageNotFoundError:
        return "(not installed: run from a checkout)"


VERSION = _installed_version()
