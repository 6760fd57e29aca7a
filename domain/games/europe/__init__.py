"""Settlers of Europe: merchants found posts, routes link cities, caravans deliver goods."""

from domain.data import read_json, read_text
from domain.game import Game
from domain.games.europe.bots import BOTS
from domain.games.europe.data import DATA_SETS, admit
from domain.games.europe.picture.drawing import draw
from domain.games.europe.rules import RULESETS

GAME = Game(
    id="europe",
    titles={
        "en": "Settlers of Europe",
        "de": "Die Siedler von Europa",
        "fr": "Les Colons de l’Europe",
        "it": "I Coloni d’Europa",
    },
    rulesets=RULESETS,
    data_sets=DATA_SETS,
    data_option="board",
    rules_text=read_text(__name__, "RULES.md"),
    words=read_json(__name__, "text/words.json"),
    bots=BOTS,
    admit=admit,
    draw=draw,
)
