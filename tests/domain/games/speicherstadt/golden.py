"""Golden matches: whole matches as readable text.

`python -m tests.domain.games.speicherstadt.golden` regenerates them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.game import Move, Sight
from kontor_games.domain.games.speicherstadt import GAME
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from tests.domain.games.speicherstadt.scenario import NAMES, RULES

FOLDER = Path(__file__).with_name("matches")
MATCHES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "two-greedy": (["greedy", "greedy"], {}),
    "three-mixed-all-load-at-once": (
        ["greedy", "random", "greedy"],
        {"simultaneous_loading": True, "first_seat": 2},
    ),
    "four-greedy": (["greedy", "greedy", "greedy", "greedy"], {}),
    "five-random": (["random"] * 5, {}),
}
"""Name to bots and options; the name is also the seed."""


def narrated_lines(name: str) -> Iterator[str]:
    """Yield the lines of a match: each move in its wire form, then its facts as sentences."""
    bots, options = MATCHES[name]
    chance, names = Seeded(seed_from(name)), NAMES[: len(bots)]
    players = [GAME.bots[bot](RULES) for bot in bots]
    state, followed = (RULES.table(len(bots), SpeicherstadtOptions(**options)) for _ in range(2))
    yield (
        f"# {GAME.titles['en']}: "
        f"{', '.join(f'{who} ({bot})' for who, bot in zip(names, bots, strict=True))}; options {options}"
    )
    facts, asked = RULES.deal(state, chance), 0
    while True:
        for fact in facts:
            fact.fold(followed)
            yield "  " + RULES.tell(followed, fact, SPECTATOR, names)
        waited = RULES.to_act(state)
        if not waited:
            return
        seat = waited[asked % len(waited)]
        legal, draws = RULES.legal_moves(state, seat), chance.draws(f"bot-{seat}", asked)
        move = players[seat].choose(seat, Sight(RULES, state, seat), legal, draws)
        assert move is not None
        yield f"{names[seat]}> {_wire(move)}"
        facts, asked = RULES.play(state, seat, move, chance), asked + 1


def _wire(move: Move) -> str:
    fields = RULES.move_codec.encode(move)
    return " ".join([str(fields.pop("type")), *(f"{key}={_short(value)}" for key, value in fields.items())])


def _short(value: object) -> str:
    return "+".join(value) if isinstance(value, list) else str(value)


def text(name: str) -> str:
    """The whole file."""
    return "\n".join(narrated_lines(name)) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for match in MATCHES:
        (FOLDER / f"{match}.txt").write_text(text(match), "utf-8")
