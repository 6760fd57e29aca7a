"""Coverage traces Python line by line, which makes it three times as slow; this switches it off and on."""

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
