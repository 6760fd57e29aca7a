"""Installs, upgrades, backs up and restores as the runbook says for machines without containers.

The programs are installed into a scratch root and run on a private PostgreSQL, behind nginx with TLS; a
stand-in for systemctl starts the units.
"""

import os
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.client.service import KONTOR, Service, free_port
from tests.client.tables import create_bot_match
from tests.deploy.test_runbook import BLOCKS, answers, program
from tests.packaging.test_wheel import SOURCE_FOLDERS
from tests.support.postgres import Cluster, find_binaries
from tests.support.proxy import NGINX
from tests.support.serving import ROOT
from tests.support.shell import Shell
from tests.support.waiting import wait_until

UNITS = ROOT / "deploy/systemd"
INSTALL, PROXY, DOCTOR, UPGRADE, RESTORE = BLOCKS["Without containers"]


class Machine(Shell):
    """An operator's shell on a machine whose root folder is a scratch folder."""

    root: Path

    def run(self, block: str) -> str:
        """Run a block with the folders of the installation under the scratch root."""
        text = re.sub(r"(?<![\w./])/(?=(?:opt|etc|var|run)/)", f"{self.root}/", block)
        return super().run(text)

    def adapt(self, file: str, *changes: tuple[str, str]) -> None:
        """Replace addresses in a file."""
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")


@contextmanager
def machine(folder: Path, cluster: Cluster) -> Iterator[Machine]:
    """A checkout, an empty root folder, and stand-ins for sudo and systemctl."""
    checkout, root, programs, port = folder / "checkout", folder / "root", folder / "bin", free_port()
    for each in (root / "run", root / "var/log/nginx", root / "etc/nginx", programs):
        each.mkdir(parents=True)
    for name in (*SOURCE_FOLDERS, "deploy"):
        shutil.copytree(
            ROOT / name, checkout / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in ("pyproject.toml", "constraints.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, checkout)
    program(programs, "sudo", 'if [ "$1" = -u ]; then export PGUSER=$2; shift 2; fi; exec "$@"')
    program(
        programs,
        "systemctl",
        f'cd "{ROOT}" && exec "{sys.executable}" -B -m tests.support.systemctl "$@"',
    )
    program(programs, "nginx", f'exec {NGINX} -c "$NGINX_CONF" "$@"')
    program(programs, "git", 'test "$*" = pull')
    path = os.pathsep.join([str(programs), str(find_binaries()), os.environ["PATH"]])
    kept = {name: text for name, text in os.environ.items() if name.startswith("PIP_")}
    shell = Machine(
        checkout / "deploy",
        kept
        | {
            "PATH": path,
            "HOME": str(folder),
            "PGHOST": str(cluster.folder),
            "DESTDIR": str(root),
            "PYTHON": sys.executable,
            "NGINX_CONF": f"{root}/etc/nginx/nginx.conf",
        },
        port,
    )
    shell.root = root
    try:
        yield shell
    finally:
        shell.run("systemctl stop nginx kontor-api kontor-work")


def install(shell: Machine) -> None:
    """Run the block that installs, with the addresses of the test in the settings."""
    first, rest = INSTALL.split("\n", 1)
    shell.run(first)
    database = ("@127.0.0.1/kontor", f"@/kontor?host={shell.environment['PGHOST']}")
    shell.adapt("etc/kontor/owner.env", database)
    more = f"END\nBIND=127.0.0.1:{shell.port}\nWEB_CONCURRENCY=1\n"
    shell.adapt("etc/kontor/kontor.env", database, ("/v1/log\n", f"/v1/log\n{more[4:]}"))
    shell.run(rest)


def serve_with_tls(shell: Machine) -> int:
    """Put nginx in front, with a certificate of its own; return the port."""
    port, tls = free_port(), shell.root / "tls"
    tls.mkdir()
    name = "/CN=localhost"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", name, "-days", "2"]
    subprocess.run(
        [*make, "-addext", "subjectAltName=DNS:localhost", "-keyout", tls / "key", "-out", tls / "cert"],
        check=True,
        capture_output=True,
    )
    snippet = shell.folder / "nginx-tls.conf"
    text = snippet.read_text(encoding="utf-8")
    for old, new in (
        (r" 443", f" 127.0.0.1:{port}"),
        (r" \[::\]:443", f" 127.0.0.2:{port}"),
        (r"/\S+/fullchain\.pem", f"{tls}/cert"),
        (r"/\S+/privkey\.pem", f"{tls}/key"),
    ):
        text, count = re.subn(old, new, text)
        assert count == 1, old
    snippet.write_text(text, encoding="utf-8")
    shell.run(PROXY.replace("127.0.0.1:8000", f"127.0.0.1:{shell.port}"))
    return port


def test_a_machine_without_containers_is_installed_upgraded_backed_up_and_restored(tmp_path: Path) -> None:
    with Cluster.temporary(durable=False) as cluster, machine(tmp_path, cluster) as shell:
        install(shell)
        secrets = [shell.root / f"etc/kontor/{name}.env" for name in ("kontor", "owner")]
        assert all(file.stat().st_mode & 0o077 == 0 for file in secrets)
        service = Service(tmp_path)
        service.url = f"http://127.0.0.1:{shell.port}"
        with service.player() as ada:
            first = create_bot_match(ada).id
            port = serve_with_tls(shell)
            trusted = ssl.create_default_context(cafile=str(shell.root / "tls/cert"))
            with urlopen(f"https://localhost:{port}/v1/matches/{first}", context=trusted) as answer:
                assert answer.headers["Strict-Transport-Security"]
            found = shell.run(DOCTOR)
            assert "leader" in found
            assert "✗" not in found

            before, settings = (shell.root / "opt/kontor").resolve(), [file.read_bytes() for file in secrets]
            shell.run(UPGRADE)
            assert (shell.root / "opt/kontor").resolve() != before
            assert [file.read_bytes() for file in secrets] == settings
            [dump] = (shell.root / "var/lib/kontor/backups").iterdir()
            assert dump.stat().st_mode & 0o077 == 0
            assert dump.parent.stat().st_mode & 0o077 == 0

            wait_until(lambda: ada.match(first).id == first)
            create_bot_match(ada)
            shell.run(RESTORE)
            wait_until(lambda: answers(shell.port))
            assert [match["id"] for match in ada.matches()] == [first], (
                "the second match came after the backup"
            )


@pytest.fixture
def root_with_units(tmp_path: Path) -> Path:
    """A root folder with the units of the system, ours, and the programs that ours name."""
    shutil.copytree("/usr/lib/systemd/system", tmp_path / "usr/lib/systemd/system", symlinks=True)
    (tmp_path / "lib").symlink_to("usr/lib")
    for unit in UNITS.glob("*.*"):
        (tmp_path / "etc/systemd/system").mkdir(parents=True, exist_ok=True)
        shutil.copy(unit, tmp_path / "etc/systemd/system")
    for name in ("opt/kontor/bin/kontor", "opt/kontor/bin/gunicorn", "bin/sh", "usr/bin/find"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy("/bin/true", tmp_path / name)
    return tmp_path


def units() -> list[str]:
    return sorted(unit.name for unit in UNITS.glob("*.*") if unit.suffix in (".service", ".timer"))


def test_systemd_finds_no_fault_in_the_units(root_with_units: Path) -> None:
    found = subprocess.run(
        ["systemd-analyze", "verify", f"--root={root_with_units}", "--man=no", *units()],
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in found.stderr.splitlines() if "kontor" in line]
    assert (found.returncode, ours) == (0, [])


@pytest.mark.parametrize("unit", [name for name in units() if name.endswith(".service")])
def test_each_unit_runs_without_privileges(unit: str, root_with_units: Path) -> None:
    found = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=20", f"--root={root_with_units}", unit],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout[-200:] + found.stderr


def test_the_commands_of_the_units_exist() -> None:
    named = {
        words[1]
        for unit in UNITS.glob("*.service")
        for words in re.findall(r"/opt/kontor/bin/(\w+) (\w+)", unit.read_text(encoding="utf-8"))
        if words[0] == "kontor"
    }
    assert named == {"backup", "migrate", "work"}
    advice = (ROOT / "service/cli/commands/doctor.py").read_text(encoding="utf-8")
    assert {f"{name}.service" for name in re.findall(r"the unit (kontor-\w+)", advice)} <= set(units())
    helped = subprocess.run([KONTOR, "--help"], capture_output=True, text=True, check=True).stdout
    assert all(f"  {name} " in helped for name in named)
