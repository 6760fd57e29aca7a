"""The Speicherstadt: queue for cards, buy them, load the goods of ships. The rules are in RULES.md."""

from dataclasses import asdict

from kontor_games.domain.codec import Plain
from kontor_games.domain.data import read_rules, read_text
from kontor_games.domain.game import Game
from kontor_games.domain.games.speicherstadt.bots import BOTS, OLD_BOTS, SLOW_BOTS
from kontor_games.domain.games.speicherstadt.bots.searching.appraiser import LeadInPoints
from kontor_games.domain.games.speicherstadt.data import DATA_SETS, admit
from kontor_games.domain.games.speicherstadt.data.cards import CARDS
from kontor_games.domain.games.speicherstadt.data.derived import derive
from kontor_games.domain.games.speicherstadt.rules import RULESETS
from kontor_games.domain.games.speicherstadt.text import MESSAGES


def _words() -> dict[str, dict[str, str]]:
    """The names of everything that views name by id; a card has the name of its kind."""
    words = MESSAGES.words()
    return {lang: {**names, **{card.id: names[card.kind] for card in CARDS}} for lang, names in words.items()}


def _numbers() -> Plain:
    """The numbers of the newest rules, by the number of players."""
    rules = RULESETS[-1].rules(DATA_SETS[0])
    return {str(seats): asdict(rules.steps.numbers(seats)) for seats in rules.seat_counts}


GAME = Game(
    id="speicherstadt",
    titles={
        "en": "The Speicherstadt",
        "de": "Die Speicherstadt",
        "fr": "Speicherstadt",
        "it": "The Speicherstadt",
        "es": "La Speicherstadt",
    },
    rulesets=RULESETS,
    data_sets=DATA_SETS,
    data_option="cards",
    rules_texts=read_rules(__name__),
    words=_words(),
    bots=BOTS,
    slow_bots=SLOW_BOTS,
    appraiser=LeadInPoints,
    old_bots=OLD_BOTS,
    admit=admit,
    derive=lambda data: {**derive(data), "numbers": _numbers()},
    data_format=read_text(f"{__name__}.data", "FORMAT.md"),
)
