"""nginx with deploy/nginx.conf, except for addresses and folders."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.support.ending import ending_with_us
from tests.support.serving import ROOT, free_port

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"


@contextmanager
def proxy(folder: Path, node_ports: Sequence[int]) -> Iterator[str]:
    """The address of a proxy in front of nodes on this machine; it is stopped at the end of the block."""
    port = free_port()
    servers = "\n".join(f"server 127.0.0.1:{node} max_fails=2 fail_timeout=5s;" for node in node_ports)
    text = (
        (ROOT / "deploy" / "nginx.conf")
        .read_text(encoding="utf-8")
        .replace("server api:8000 max_fails=2 fail_timeout=5s;", servers)
        .replace("listen 8080;", f"listen 127.0.0.1:{port};")
        .replace("/tmp/", f"{folder}/")  # noqa: S108  # the folder of the container
    )
    conf = folder / "nginx.conf"
    conf.write_text(text, encoding="utf-8")
    # As root, nginx would switch to a user who cannot read our folder.
    ourselves = "" if os.geteuid() else "user root;"
    command = ending_with_us(NGINX, "-c", conf, "-g", f"daemon off; {ourselves}")
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
