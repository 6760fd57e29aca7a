"""A complete bot that plays random moves against house bots: a template for your own bot."""

import argparse
import os
import random
import sys
from typing import Any

from kontor_client import Kontor, KontorError, RefusedError, UnreachableError

HELP = """Play against house bots, choosing legal moves at random. `make serve` starts a service to play on.
The first run registers an account and stores its token and signing key in files that only you can read;
later runs use them again. To use another account, set the environment variable KONTOR_TOKEN to its token."""
PROGRESS_EVERY = 50  # moves


def main() -> None:
    """Parse the arguments and play; exit with a one-line message on errors."""
    parser = argparse.ArgumentParser("python -m kontor_client.example_bot", description=HELP)
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="address of the service (%(default)s)")
    parser.add_argument("--game", help="id of the game (default: the first one of the service)")
    parser.add_argument("--bots", help="opponents, such as greedy,random (default: as few as possible)")
    parser.add_argument("--name", help="name of the account (default: Example bot)")
    parser.add_argument("--matches", type=int, default=1, help="number of matches (%(default)s)")
    parser.add_argument("--token-file", help="file for the token (default: in ~/.local/state/kontor)")
    options = parser.parse_args()
    print(f"Connecting to {options.url} …", flush=True)
    try:
        with Kontor(options.url) as kontor:
            run(kontor, options)
    except UnreachableError as error:
        sys.exit(f"{error} Start a service with `make serve`, or give the URL of another one with --url.")
    except (KontorError, OSError, ValueError) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("Stopped.")


def run(kontor: Kontor, options: argparse.Namespace) -> None:
    """Sign in and play the matches, one after the other."""
    games = {game["id"]: game for game in kontor.games()}
    game = games.get(options.game or min(games))
    if game is None:
        sys.exit(f"There is no game {options.game!r}. Available games: {', '.join(games)}.")
    bots = options.bots.split(",") if options.bots else [game["bots"][-1]] * (min(game["seats"]) - 1)
    seats: list[dict[str, Any]] = [{"type": "me"}, *({"type": "bot", "bot": bot} for bot in bots)]
    name = options.name or (None if os.environ.get("KONTOR_TOKEN") else "Example bot")
    me = kontor.sign_in(name, token_file=options.token_file)
    print(f"{me.name} (player {me.id}) plays {game['title']} against {', '.join(bots)}.", flush=True)
    for number in range(1, options.matches + 1):
        match = kontor.create_match(game["id"], seats).id
        print(f"Match {number} of {options.matches}: {match}", flush=True)
        play(kontor, match)


def play(kontor: Kontor, match: str) -> None:
    """Play a match to its end."""
    moves = 0
    for turn in kontor.turns(match):
        try:
            kontor.play(match, random.choice(turn.legal_moves), turn.version)
        except RefusedError as refusal:  # the match has changed: the next turn has the new position
            print(f"  {refusal}", flush=True)
            continue
        moves += 1
        if moves % PROGRESS_EVERY == 0:
            print(f"  {moves} moves made", flush=True)
    end = kontor.match(match)
    place = f", place {end.result['places'][0]} of {len(end.result['places'])}" if end.result else ""
    print(f"  {end.status} after {moves} moves{place}", flush=True)


if __name__ == "__main__":
    main()
