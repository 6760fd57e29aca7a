"""`kontor mcp`: the tools for language models, for programs that start a server of tools themselves."""

import sys

import click

from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.service_client import url_option


@command(
    ("let a model on this machine play, with an account of its own", 'kontor mcp --name "My model"'),
    ("the same on another service", 'kontor mcp --name "My model" --url https://kontor.example.org'),
    ("with the account of a token", "KONTOR_TOKEN=kontor_… kontor mcp"),
)
@url_option
@click.option("--name", metavar="TEXT", help="Name of the account; it is created when it is first used.")
def mcp(*, url: str, name: str | None) -> None:
    """Let a language model play, with tools over MCP.

    It reads messages from standard input and writes the answers to standard output. A program such as a
    desktop client for language models starts this command; docs/agents.md has the lines for its
    configuration. The account of earlier runs is used again; KONTOR_TOKEN has the token of another one.
    Commands are signed, and finished matches are checked, with files in ~/.local/state/kontor.
    """
    try:
        from kontor_games.service.cli.mcp_client import ClientCalls, StdioServer
    except ModuleNotFoundError as missing:
        raise click.ClickException(
            "This command needs kontor_client: pip install ./kontor_client."
        ) from missing
    try:
        calls = ClientCalls(url, name or None)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    StdioServer(calls, sys.stdin, sys.stdout).run()
    calls.close()
