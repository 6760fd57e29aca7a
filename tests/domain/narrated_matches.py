"""Excerpts of a match of each game, narrated in each language, for a native speaker to read.

`python -m tests.domain.narrated_matches` regenerates the files; read the diff before committing it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import ARBITER
from kontor_games.domain.game import Rules, Sight
from kontor_games.domain.games import installed_games
from kontor_games.domain.toolkit.languages import LANGUAGES

FOLDER = Path(__file__).parent / "narrated"
NAMES = ("Anna", "Bruno", "Ines")
MOVES = 1500
"""Enough for a whole match."""


def excerpt(game: str, language: str) -> str:
    """The first two sentences about each kind of fact, a label for each kind of move, and the last scene."""
    title = installed_games()[game]
    rules: Rules[Any] = title.rules()
    bot = title.bots["greedy"](rules)
    state, past = (rules.table(len(NAMES), rules.options()) for _ in range(2))
    chance = Seeded(seed_from("a told match"))
    sentences: dict[str, list[str]] = {}
    labels: dict[str, str] = {}
    facts = rules.deal(state, chance)
    for number in range(MOVES):
        for fact in facts:
            fact.fold(past)
            told = sentences.setdefault(fact.type, [])
            sentence = rules.tell(past, fact, ARBITER, NAMES, language)
            if sentence and sentence not in told and len(told) < 2:
                told.append(sentence)
        if not rules.to_act(state):
            break
        seat = rules.to_act(state)[0]
        legal = rules.legal_moves(state, seat)
        for move in legal:
            if move.type not in labels:
                labels[move.type] = rules.tell_move(state, seat, move, NAMES, language)
        draws = chance.draws("told", number)
        chosen = bot.choose(seat, Sight(rules, state, seat), legal, draws) if number % 3 else None
        facts = rules.play(state, seat, chosen or legal[draws.below(len(legal))], chance)
    return "\n".join(_lines(sentences, labels, rules.scene(past, ARBITER, NAMES, language)))


def _lines(sentences: dict[str, list[str]], labels: dict[str, str], scene: str) -> Iterator[str]:
    for told in sentences.values():
        yield from told
    yield ""
    yield from (f"- {label}" for label in labels.values())
    yield ""
    yield from scene.splitlines()
    yield ""


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game in installed_games():
        for language in LANGUAGES:
            (FOLDER / f"{game}.{language}.txt").write_text(excerpt(game, language), encoding="utf-8")
