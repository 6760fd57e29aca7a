"""What docs/agents.md says works as printed: each configuration, each command line, and the program."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from kontor_client import Kontor
from tests.client.mcp.models import Model
from tests.client.service import KONTOR, ROOT, Service, run_program
from tests.support.coroutines import run_coroutine

PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
ADDRESS, PROGRAM, TOKEN = "http://localhost:8000", "/path/to/.venv/bin/kontor", "kontor_…"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def written(words: list[str]) -> dict[str, Any]:
    """The entry that `claude mcp add` writes for these arguments."""
    assert words[:3] == ["claude", "mcp", "add"]
    if "--" in words:
        command, *arguments = words[words.index("--") + 1 :]
        return {"command": command, "args": arguments}
    transport, url, header = words[4], words[6], words[8]
    assert (words[3], transport, words[7]) == ("--transport", "http", "--header")
    return {"url": url, "headers": dict([header.split(": ")])}


def entries() -> list[dict[str, Any]]:
    """Every configured server on the page, in the form of its client."""
    files = [*map(json.loads, blocks("json")), *map(tomllib.loads, blocks("toml"))]
    found = [server for file in files for servers in file.values() for server in servers.values()]
    return found + [
        written(shlex.split(line)) for line in re.findall(r"`(claude mcp add .*?)`\.$", PAGE, re.MULTILINE)
    ]


ENTRIES = entries()


async def tools_of(client: Client) -> list[str]:
    async with client as connected:
        model = Model(connected)
        assert "Games:" in (await model.call("rules"))[0]
        assert (await model.data("my_matches"))["matches"] == []
        return [tool.name for tool in (await connected.list_tools()).tools]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: "-".join(entry))
def test_each_configuration_leads_to_the_tools(
    service: Service, ada: Kontor, tmp_path: Path, entry: dict[str, Any]
) -> None:
    token = ada.connection.token or ""

    async def connect() -> list[str]:
        if "command" in entry:
            assert entry["command"] == PROGRAM
            arguments = [service.url if word == ADDRESS else word for word in entry["args"]]
            environment = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(tmp_path)}
            started = StdioServerParameters(command=str(KONTOR), args=arguments, env=environment)
            return await tools_of(Client(started))
        url = str(entry.get("url") or entry["httpUrl"]).replace(ADDRESS, service.url)
        given = entry.get("headers", {"Authorization": f"Bearer {TOKEN}"})
        assert "headers" in entry or "KONTOR_TOKEN" in entry.values()
        headers = {name: value.replace(TOKEN, token) for name, value in given.items()}
        async with httpx2.AsyncClient(headers=headers) as http:
            return await tools_of(Client(streamable_http_client(url, http_client=http)))

    tools = run_coroutine(connect())
    assert tools == re.findall(r"^\| `([a-z_]+)` \|", PAGE, re.MULTILINE)


def test_the_page_has_both_forms_for_every_client() -> None:
    assert len([entry for entry in ENTRIES if "command" in entry]) == 4
    assert len([entry for entry in ENTRIES if "command" not in entry]) == 5


def test_the_token_of_the_page_may_play_and_the_program_plays_a_match_with_it(
    service: Service, tmp_path: Path
) -> None:
    [commands], [program] = blocks("sh"), blocks("python")
    shown = subprocess.run(
        ["bash", "-e", "-c", commands.replace(ADDRESS, service.url)],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    token = shown.stdout.strip()
    with Kontor(service.url, token) as kontor:
        assert kontor.settings()["used_token"]["scopes"] == ["play"]
    file = tmp_path / "harness.py"
    file.write_text(program, encoding="utf-8")
    assert "'reason': 'played'" in run_program(sys.executable, file, service.url, token, cwd=tmp_path)


def test_the_entry_for_the_registry_fits_this_service(service: Service) -> None:
    entry = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert entry["version"] == project["version"]
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert len(entry["description"]) <= 100
    card = httpx2.get(f"{service.url}/.well-known/mcp.json").json()
    [remote], [shown] = entry["remotes"], card["remotes"]
    assert shown["url"] == remote["url"].replace("https://{host}", service.url)
    assert [header["name"] for header in shown["headers"]] == [header["name"] for header in remote["headers"]]
    assert (card["name"], card["version"]) == (entry["name"], entry["version"])
