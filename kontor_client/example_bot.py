"""A whole bot: it announces a match against house bots and plays it to the end, each time with some legal move.

python -m kontor_client.example_bot [http://127.0.0.1:8000 [GAME]]
"""

import random
import sys

from kontor_client import Kontor, RefusedError


def main(url: str = "http://127.0.0.1:8000", wanted: str = "") -> None:
    """Plays one match of the game that is wanted, or of the first there is."""
    kontor = Kontor(url)
    kontor.register("Example bot")
    game = next(game for game in kontor.games() if wanted in ("", game["id"]))
    rivals = [{"type": "bot", "bot": game["bots"][-1]}] * (game["seats"][0] - 1)
    match = kontor.create_match(game["id"], [{"type": "me"}, *rivals])
    print(f"{match.id}: playing {game['title']}")
    for turn in kontor.turns(match.id):
        try:
            kontor.play(turn.id, random.choice(turn.legal_moves), turn.version)
        except RefusedError as refusal:  # somebody moved in between: the next turn shows the match as it is now
            print(f"{match.id}: {refusal}")
    print(f"{match.id}: {kontor.match(match.id).result}")
    kontor.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
