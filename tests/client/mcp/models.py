"""Scripted models: they read what the tools answer, and play by it, with the client of the official SDK."""

import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from tests.client.service import KONTOR

_NUMBERED = re.compile(r"^([0-9]+)\. (?!.* – not by number)", re.MULTILINE)


class ToolRefusedError(Exception):
    """A tool answered with an error; the message is what the model reads."""


class Model:
    """A model with the tools of one form."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.refused: list[str] = []

    async def call(self, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
        """Call a tool; return its text and its data, or raise ToolRefusedError."""
        result = await self.client.call_tool(tool, arguments)
        assert isinstance(result, CallToolResult)
        [content] = result.content
        assert isinstance(content, TextContent)
        if result.is_error:
            raise ToolRefusedError(content.text)
        assert isinstance(result.structured_content, dict)
        return content.text, result.structured_content

    async def data(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return (await self.call(tool, **arguments))[1]

    async def play_to_the_end(self, match: str) -> dict[str, Any]:
        """Play by the numbers in the text alone; return the data of the last position."""
        text, data = await self.call("wait_for_turn", match=match)
        turn = 0
        while data["status"] in ("open", "running"):
            version = data["version"]
            if not data["your_turn"]:
                text, data = await self.call("wait_for_turn", match=match, after=version, seconds=25)
                continue
            turn += 1
            numbers = [int(number) for number in _NUMBERED.findall(text.partition("Your legal moves")[2])]
            listed = [move["number"] for move in data["legal_moves"] if "move" in move]
            assert numbers == listed, text
            try:
                text, data = await self.call(
                    "play", match=match, version=version, number=numbers[turn * 7 % len(numbers)]
                )
            except ToolRefusedError as refusal:
                self.refused.append(str(refusal))
                text, data = await self.call("wait_for_turn", match=match)
        return data


@asynccontextmanager
async def hosted(url: str, token: str, mode: str = "auto") -> AsyncIterator[Model]:
    """A model with the tools that the service hosts."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield Model(client)


@asynccontextmanager
async def local(
    url: str, folder: Path, name: str = "Local model", token: str = "", mode: str = "auto"
) -> AsyncIterator[Model]:
    """A model with the tools of `kontor mcp`, whose files are in a folder."""
    environment = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(folder)}
    environment |= {"KONTOR_TOKEN": token} if token else {}
    arguments = ["mcp", "--url", url, *([] if token else ["--name", name])]
    started = StdioServerParameters(command=str(KONTOR), args=arguments, env=environment)
    async with Client(started, mode=mode) as client:
        yield Model(client)
