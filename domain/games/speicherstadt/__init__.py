"""The Speicherstadt: queue for cards, buy what is worth its price, load what ships bring. The rules are in RULES.md."""

from kontor_games.domain.data import read_json, read_rules
from kontor_games.domain.game import Game
from kontor_games.domain.games.speicherstadt.bots import BOTS
from kontor_games.domain.games.speicherstadt.cards import CARDS, STANDARD, admit
from kontor_games.domain.games.speicherstadt.rules import Speicherstadt


def _words() -> dict[str, dict[str, str]]:
    """The names of everything that views name by id; a card is called what its kind is called."""
    words: dict[str, dict[str, str]] = read_json(__name__, "words.json")
    return {language: {**names, **{card.id: names[card.kind] for card in CARDS}} for language, names in words.items()}


GAME = Game(
    id="speicherstadt",
    titles={"en": "The Speicherstadt", "de": "Die Speicherstadt", "fr": "Speicherstadt", "it": "The Speicherstadt", "es": "La Speicherstadt"},
    rulesets=(Speicherstadt,),
    data_sets=(STANDARD,),
    data_option="cards",
    rules_texts=read_rules(__name__),
    words=_words(),
    bots=BOTS,
    admit=admit,
)
