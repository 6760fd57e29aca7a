"""A whole bot: it creates a match of the first game against house bots and plays it to the end.

python -m kontor_client.example_bot [http://127.0.0.1:8000]
"""

import random
import sys

from kontor_client import Kontor, RefusedError


def main() -> None:
    """Plays one match with random moves."""
    kontor = Kontor(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
    kontor.register("Example bot")
    game = kontor.games()[0]
    rivals = [{"type": "bot", "bot": game["bots"][-1]}] * (game["seats"][-1] - 1)
    match = kontor.create_match(game["id"], [{"type": "me"}, *rivals])
    sys.stdout.write(f"playing {match.id}\n")
    for turn in kontor.turns(match.id):
        try:
            kontor.play(turn.id, random.choice(turn.legal_moves), turn.version)
        except RefusedError as refusal:  # somebody moved in between: the next turn shows the match as it is now
            sys.stdout.write(f"refused: {refusal}\n")
    result = kontor.match(match.id).result
    sys.stdout.write(f"over: {result}\n")


if __name__ == "__main__":
    main()
