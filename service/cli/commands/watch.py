"""`kontor watch`: one match between bots, described move by move."""

import time
from pathlib import Path

import click

from kontor_games.domain.game import Game
from kontor_games.service.arena import BotFaultError
from kontor_games.service.cli.arguments import (
    fresh_seed,
    lineup,
    make_contest,
    options,
    viewer_of,
    viewer_option,
)
from kontor_games.service.cli.bot_table_options import game_argument, table_options
from kontor_games.service.cli.command_groups import Command
from kontor_games.service.cli.narration import Story
from kontor_games.service.cli.terminal import console


@click.command(
    cls=Command,
    examples=(
        ("watch a match", "kontor watch {game} --seed 7"),
        ("slowly, and only what seat 2 may see", "kontor watch {game} --seed 7 --as 2 --delay 0.5"),
        ("one strong bot against two random ones", "kontor watch {game} --players 3 --bots {best},{plain}"),
    ),
)
@game_argument
@table_options
@click.option(
    "--delay", type=click.FloatRange(min=0), default=0.0, metavar="SECONDS", help="Pause after each move."
)
@viewer_option
def watch(
    *,
    game: Game,
    bots: str | None,
    players: int | None,
    pairs: tuple[tuple[str, str], ...],
    data: Path | None,
    seed: str | None,
    delay: float,
    viewer: str | None,
) -> None:
    """Watch one match between house bots, described in sentences.

    Without --bots, all seats are played by the last bot that the game lists. The seed is printed, so that you
    can watch the same match again. A match that is created through the API with the same "seed" has the same
    deal.
    """
    chosen = options(game, pairs, data)
    seated = lineup(game, game.rules(chosen[0]), bots, players, list(game.bots)[-1:])
    contest = make_contest(game, seated, seed or fresh_seed(), chosen)
    story = Story(console(), game, contest, viewer_of(viewer, len(seated)))
    story.begin()
    try:
        for played in contest.single_match():
            story.tell(played)
            time.sleep(delay)
    except KeyboardInterrupt:
        click.echo(f"\nStopped. To watch the same match again, use --seed {contest.seed}.", err=True)
        raise SystemExit(130) from None
    except BotFaultError as fault:
        raise click.ClickException(f"A bot of {game.id} failed: {fault}") from fault
    story.end()
