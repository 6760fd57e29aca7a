"""`kontor watch`: one match between bots, or a live match on a service, described move by move."""

import re
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

import click
from rich.console import Console

from kontor_games.domain.game import Game
from kontor_games.service.arena import BotFaultError
from kontor_games.service.cli.arguments import (
    Decimal,
    complete_game,
    find_game,
    language_option,
    viewer_of,
    viewer_option,
)
from kontor_games.service.cli.bot_table_options import BotTable, table_options
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.narration import MatchNarration
from kontor_games.service.cli.service_client import ServiceClient
from kontor_games.service.cli.simulation_report import fault_words
from kontor_games.service.cli.terminal import console, name_styles, print_scene, with_names

_MATCH = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class _MatchAddress:
    """The base URL of a service, and the id of a match on it."""

    url: str
    match: str


def _find_game_or_match(text: str) -> Game | _MatchAddress:
    """Return the installed game with this id, or the address of the match with this URL (page or API)."""
    if not text.startswith(("http://", "https://")):
        return find_game(text)
    found, parts = _MATCH.search(text), urlsplit(text)
    if found is None:
        raise click.BadParameter(f"{text!r} is not the URL of a match: it contains no match id.")
    return _MatchAddress(f"{parts.scheme}://{parts.netloc}", found[0])


@command(
    ("watch a match", "kontor watch {game} --seed 7"),
    ("slowly, and only what seat 2 may see", "kontor watch {game} --seed 7 --as 2 --delay 0.5"),
    ("a live match on a service", "kontor watch http://127.0.0.1:8000/v1/matches/ID"),
    ("in German", "kontor watch {game} --seed 7 --language de"),
    ("one strong bot against two random ones", "kontor watch {game} --players 3 --bots {best},{plain}"),
)
@click.argument("game", type=_find_game_or_match, shell_complete=complete_game, metavar="GAME|URL")
@table_options
@click.option("--delay", type=Decimal(min=0), default=0.0, metavar="SECONDS", help="Pause after each move.")
@viewer_option
@language_option
def watch(
    *, game: Game | _MatchAddress, table: BotTable, delay: float, viewer: str | None, language: str
) -> None:
    """Watch a match between house bots, or a live match.

    Everything that happens is described in sentences.

    With the URL of a match, such as http://127.0.0.1:8000/v1/matches/ID, the command follows this match
    until it ends; of the options, only --language is then used.

    Without --bots, all seats are played by the last bot that the game lists. The seed is printed, so that you
    can watch the same match again. A match that is created through the API with the same "seed" has the same
    deal.
    """
    if isinstance(game, _MatchAddress):
        _follow(console(), game, language)
        return
    contest = table.contest(game, list(game.bots)[-1:])
    match = contest.single_match()
    narration = MatchNarration(console(), game, contest, viewer_of(viewer, len(contest.bots)), language)
    narration.begin()
    try:
        for played in match:
            narration.tell(played)
            time.sleep(delay)
    except KeyboardInterrupt:
        click.echo(f"\nStopped. To watch the same match again, use --seed {contest.seed}.", err=True)
        raise SystemExit(130) from None
    except BotFaultError as fault:
        raise click.ClickException(f"A bot of {game.id} failed: {fault}") from fault
    narration.end()
    faults = contest.take_faults(contest.bots)
    if faults.first is not None:
        replaced = f"Moves of your own bots that were replaced by random ones: {fault_words(faults.kinds)}."
        click.echo(f"{replaced} The first: {faults.first}", err=True)


def _follow(screen: Console, address: _MatchAddress, language: str) -> None:
    """Print all facts of a live match, past ones first and new ones as they happen, until it is over."""
    client = ServiceClient(address.url, language=language)
    path, seen = f"/v1/matches/{address.match}", 0
    try:
        while True:
            now = client.get(f"{path}?tell={language}")
            styles = name_styles(now["names"])
            if now["status"] in ("finished", "aborted") and seen >= now["version"]:
                break
            for event in client.lines(f"{path}/events?after={seen}&tell={language}"):
                seen = event["version"]
                if event["text"]:
                    screen.print(with_names(event["text"], styles))
    except KeyboardInterrupt:
        click.echo(f"\nStopped. To continue: kontor watch {address.url}{path}", err=True)
        raise SystemExit(130) from None
    print_scene(screen, now["scene"], styles)
