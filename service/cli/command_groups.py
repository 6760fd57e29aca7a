"""Command classes with examples in their help, and the group of all commands with sections."""

import json
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.resources import files
from io import TextIOWrapper
from typing import Any

import click

from kontor_games.domain.game import Game
from kontor_games.domain.games import installed_games
from kontor_games.service.errors import OperatorError
from kontor_games.service.terminal_text import escaping_output
from kontor_games.service.version import VERSION

Find = Callable[[], Mapping[str, Game]]
Run = Callable[..., None]
CATALOGUE: dict[str, dict[str, Any]] = json.loads(files(__package__).joinpath("commands.json").read_bytes())
"""The summary of each command by section, and its examples: purpose and command line.

`{game}` is an installed game, `{best}` and `{plain}` are two of its bots.
"""


def finder(ctx: click.Context) -> Find:
    """Return the function that finds the games: `obj` of the context (set by tests), or installed_games."""
    found = ctx.find_root().obj
    return found if callable(found) else installed_games


class Command(click.Command):
    """A command with examples in its help."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples at the end of the help."""
        games = finder(ctx)()
        game = next(iter(games), "GAME")
        bots = [*games[game].bots] if game in games else ["BOT"]
        with formatter.section("Examples"):
            indent = " " * formatter.current_indent
            names = ctx.command_path.split(" ")[1:]
            for purpose, line in CATALOGUE["examples"][" ".join(names) or "kontor"]:
                filled = line.format(game=game, best=bots[-1], plain=bots[0])
                formatter.write(f"{indent}# {purpose}\n{indent}{filled}\n")


class Group(Command, click.Group):
    """A command with subcommands, all of which have examples in their help."""

    def subcommand(self, name: str | None = None) -> Callable[[Run], click.Command]:
        """Add a subcommand."""
        return self.command(name, cls=Command)


def command() -> Callable[[Run], click.Command]:
    """Make a command."""
    return click.command(cls=Command)


def group() -> Callable[[Run], Group]:
    """Make a command with subcommands."""
    return click.group(cls=Group)


class SectionedGroup(Group):
    """The group of all commands, with --version and -h.

    `sections` has the summary of each command by section and name. The module of a command is imported only
    when it is needed, so that the others start fast.
    """

    def __init__(self, *args: Any, sections: Mapping[str, Mapping[str, str]], **kwargs: Any) -> None:
        settings = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
        super().__init__(*args, context_settings=settings, **kwargs)
        self.sections = sections
        self.params.append(_version_option())

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; characters that the terminal cannot show become `?`, or are escaped."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        # With `color`, click leaves escape sequences in texts, so that they are escaped, not removed.
        with escaping_output():
            return super().main(*args, color=True, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an OperatorError, a file that can't be used, and Ctrl-C end it with a message."""
        try:
            return super().invoke(ctx)
        except OperatorError as error:
            raise click.ClickException(str(error)) from error
        except OSError as error:
            if error.filename is None:  # no file of the user
                raise
            raise click.ClickException(f"{error.filename}: {error.strerror}.") from error
        except KeyboardInterrupt:
            click.echo("\nStopped.", err=True)
            raise SystemExit(130) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for commands in self.sections.values() for name in commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with this name; an unknown name imports all, so that click can suggest one."""
        known = self.list_commands(ctx)
        for name in [cmd_name] if cmd_name in known else known:
            if name not in self.commands:
                self.add_command(getattr(import_module(f"{__package__}.commands.{name}"), name))
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(len(name) for name in self.list_commands(ctx))
        for section, commands in self.sections.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), summary) for name, summary in commands.items()])


def _version_option() -> click.Option:
    def show(ctx: click.Context, _: click.Parameter, requested: bool) -> None:  # noqa: FBT001
        if requested and not ctx.resilient_parsing:
            click.echo(f"kontor {VERSION}")
            ctx.exit()

    return click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Show the version and exit.",
    )
