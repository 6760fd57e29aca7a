"""Recomputes the moves of house bots in recorded matches with pinned bots: `python -m tests.corpus.bots`."""

from pathlib import Path

from kontor_games.domain.games import installed_games
from kontor_games.service.trust.verifier import BrokenFileError, verify
from tests.corpus.record import CORPUS
from tests.domain.toy.games import toy_games
from tests.support.recording import KEYS

PINNED = sorted(CORPUS.glob("*/*-bot*.ndjson"))
ADVICE = (
    "a bot that is to choose differently gets a higher `version`, and its old class stays in `Game.old_bots`"
)


def recomputed(file: Path) -> dict[int, int]:
    """Recompute all moves of house bots in a file; return the number of moves by seat."""
    try:
        bots = verify(file.read_bytes(), KEYS.published()).bots
    except BrokenFileError as broken:
        raise AssertionError(f"{file.name}: {broken}; {ADVICE}") from broken
    assert not any(bot.not_recomputed for bot in bots), f"{file.name}: a bot is not installed; {ADVICE}"
    return {bot.seat: bot.recomputed for bot in bots}


if __name__ == "__main__":
    installed_games().update(toy_games())  # type: ignore[attr-defined]  # it is a dict
    for pinned in PINNED:
        print(pinned.relative_to(CORPUS), recomputed(pinned))  # noqa: T201
