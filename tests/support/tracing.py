"""Switches the tracing for coverage on and off, since it makes tests three times as slow."""

import pytest


def trace(config: pytest.Config, *, wanted: bool) -> None:
    """Continue or pause the tracing of this process; nothing happens in a run without coverage."""
    plugin = config.pluginmanager.getplugin("_cov")
    controller = getattr(plugin, "cov_controller", None)
    if controller is None:
        return
    if not wanted:
        controller.pause()
    elif not controller.started:
        controller.resume()
