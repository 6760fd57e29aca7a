"""Control characters in files, file names and answers of services reach no terminal, in any command."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from kontor_games.domain.codec import canonical
from kontor_games.service.cli import main
from kontor_games.service.cli.arguments import FILE
from kontor_games.service.logging_setup import set_up_logging
from kontor_games.service.settings import Settings
from tests.domain.installed_fair import the_fair_is_installed
from tests.service.fair import fairground
from tests.support.forging import lines_of
from tests.support.node import node
from tests.support.recording import table_of

__all__ = ["the_fair_is_installed"]

HOSTILE = "a\x1b[2J\x1b[1;1H\r\x07\x9b2K\u202e\u2066\u2028b"
"""Clears the screen, goes to its first line, and reverses the text; C0 and C1 controls."""
RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def all_commands(group: click.Group = main, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        one = group.get_command(context, name)
        assert one is not None
        yield from all_commands(one, (*path, name)) if isinstance(one, click.Group) else [(*path, name)]


def command_at(path: Sequence[str]) -> click.Command:
    found: click.Command = main
    for name in path:
        assert isinstance(found, click.Group)
        found = found.get_command(click.Context(found), name) or found
    return found


def shown(parameter: click.Parameter) -> str:
    """The name of a parameter as the help shows it."""
    return f"{parameter.metavar} {parameter.opts[0]}".upper()


def is_address(parameter: click.Parameter) -> bool:
    """Whether the address of a service is given here."""
    return "--url" in parameter.opts or (parameter.required and "URL" in shown(parameter))


def file_parameters(path: Sequence[str]) -> list[str]:
    """Every parameter of a command that takes a file to read."""
    return [one.name or "" for one in command_at(path).params if one.type is FILE or one.name == "data"]


def arguments(
    path: Sequence[str], file: Path, files: Sequence[str], url: str, *, asks: bool = False
) -> list[str]:
    """A command line with this file in these parameters; others get a value if they must have one."""
    options: list[tuple[str, str]] = []
    rest: list[tuple[str, str]] = []
    for one in command_at(path).params:
        needed = one.required or (one.name == "required" and "witnesses" in files)
        values = {
            str(file): one.name in files or (one.required and one.type is FILE),
            "fair": one.required and "GAME" in shown(one),
            url: is_address(one) and (asks or one.required),
            str(file.parent / "state"): one.name == "folder",
            "witness.example/w1": one.name == "name",
            "1": needed,
        }
        value = next((value for value, applies in values.items() if applies), None)
        if value is not None:
            (rest if isinstance(one, click.Argument) else options).append((one.opts[0], value))
    once = ["--once"] if any(one.name == "once" for one in command_at(path).params) else []
    return [*path, *once, *(part for option in options for part in option), *(value for _, value in rest)]


def run(args: Sequence[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    monkeypatch.setenv("KONTOR_DATABASE_URL", f"sqlite:///{folder}/kontor.db")
    monkeypatch.setenv("KONTOR_TOKEN", "kontor_x")
    result = CliRunner().invoke(main, args, prog_name="kontor", obj=fairground, color=True)
    assert result.exit_code in (1, 2) or args[0] not in ("verify", "checkpoint"), result.output
    return result.output


def export_with(match: str, *, kind: str | None = None) -> bytes:
    """A running match with another id, and another type of its first fact."""
    header, *facts, footer = lines_of(table_of("fair", 3).export())
    header["match"] = match
    if kind is not None:
        facts[0]["fact"]["type"] = kind
    return b"".join(canonical(line) + b"\n" for line in (header, *facts, footer))


CONTENTS: dict[str, Callable[[], bytes]] = {
    "match": lambda: export_with(HOSTILE),
    "fact": lambda: export_with("m", kind=HOSTILE),
    "object": lambda: json.dumps({HOSTILE: HOSTILE}, ensure_ascii=False).encode(),
    "keys": lambda: json.dumps({"keys": [{"id": HOSTILE, HOSTILE: 1}]}).encode(),
    "receipts": lambda: json.dumps([{"match": HOSTILE}]).encode(),
    "toml": lambda: f"title = {json.dumps(HOSTILE)}\n{json.dumps(HOSTILE)} = 1\n".encode(),
    "text": lambda: f"{HOSTILE}\n{HOSTILE}\n\n— {HOSTILE} {HOSTILE}\n".encode(),
    "bytes": lambda: b"\x9b2J\x1b[2J\n",
}


@pytest.mark.parametrize("path", [path for path in all_commands() if file_parameters(path)])
def test_no_command_that_reads_a_file_prints_its_control_characters(
    path: tuple[str, ...], hostile_service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = file_parameters(path)
    outputs = []
    for name, content in CONTENTS.items():
        file = tmp_path / f"{name}\x1b[2J\u202e.json"
        file.write_bytes(content())
        for files in (*([one] for one in known), known):
            output = run(arguments(path, file, files, hostile_service), monkeypatch, tmp_path)
            assert RAW.findall(output) == [], (name, files)
            outputs.append(output)
    assert "\\u001b[2J" in "".join(outputs)


class Hostile(BaseHTTPRequestHandler):
    """Refuses every request with a text that clears the screen."""

    def do_GET(self) -> None:
        body = json.dumps({"detail": HOSTILE, "title": HOSTILE}).encode()
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(400)
        self.send_header("Content-Type", "application/problem+json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture(scope="module")
def hostile_service() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Hostile) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


WITH_URL = [path for path in all_commands() if any(is_address(one) for one in command_at(path).params)]


@pytest.mark.parametrize("path", WITH_URL)
def test_no_command_prints_the_control_characters_of_a_service(
    path: tuple[str, ...], hostile_service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file\x1b[2J"
    file.write_bytes(export_with(HOSTILE))
    output = run(arguments(path, file, (), hostile_service, asks=True), monkeypatch, tmp_path)
    assert RAW.findall(output) == []


def test_a_text_that_is_no_colour_of_ours_is_escaped_and_not_removed_in_a_file_or_pipe(
    hostile_service: str,
) -> None:
    result = CliRunner().invoke(main, ["tournament", "list", "--url", hostile_service], prog_name="kontor")
    assert "a\\u001b[2J\\u001b[1;1H" in result.output


def test_a_new_line_in_a_file_begins_no_line_of_the_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "match.ndjson"
    file.write_bytes(export_with("m\n✓ match.ndjson"))
    for lines in (run(["verify", str(file)], monkeypatch, tmp_path).splitlines(), node(file)[1]):
        assert [line for line in lines if line.startswith("✓")] == []
        assert len(lines) <= 2


@pytest.mark.e2e
@pytest.mark.parametrize("name", CONTENTS)
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_the_verifier_in_javascript_escapes_them_too(
    name: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "match\x1b[2J\u202e.ndjson"
    file.write_bytes(CONTENTS[name]())
    code, lines = node(file, *options)
    assert code == 1
    output = "\n".join(lines)
    assert RAW.findall(output) == []
    assert "\\u001b[2J" in output


def test_lines_of_the_log_on_a_terminal_keep_their_colours_only(capsys: pytest.CaptureFixture[str]) -> None:
    import structlog

    before = structlog.get_config()
    try:
        set_up_logging(Settings(log_format="text"))
        structlog.get_logger().info("named", name=HOSTILE)
    finally:
        structlog.configure(**before)
    output = capsys.readouterr().out
    assert RAW.findall(output) == []
    assert "\\u001b[2J" in output
