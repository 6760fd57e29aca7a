"""Settlers of Europe: merchants found posts, routes link cities, caravans deliver goods."""

from kontor_games.domain.data import read_rules, read_text
from kontor_games.domain.game import Game
from kontor_games.domain.games.europe.bots import BOTS, OLD_BOTS, SLOW_BOTS
from kontor_games.domain.games.europe.bots.searching.appraiser import LeadInCards
from kontor_games.domain.games.europe.data import DATA_SETS, admit
from kontor_games.domain.games.europe.data.derived import derive
from kontor_games.domain.games.europe.picture.drawing import draw
from kontor_games.domain.games.europe.rules import RULESETS
from kontor_games.domain.games.europe.rules.figures import figures
from kontor_games.domain.games.europe.text import MESSAGES

GAME = Game(
    id="europe",
    titles={
        "en": "Settlers of Europe",
        "de": "Die Siedler von Europa",
        "fr": "Les Colons de l’Europe",
        "it": "I Coloni d’Europa",
        "es": "Los Colonos de Europa",
    },
    rulesets=RULESETS,
    data_sets=DATA_SETS,
    data_option="board",
    rules_texts=read_rules(__name__),
    words=MESSAGES.words(),
    bots=BOTS,
    slow_bots=SLOW_BOTS,
    appraiser=LeadInCards,
    admit=admit,
    derive=lambda data: {**derive(data), **figures(data)},
    data_format=read_text(f"{__name__}.data", "FORMAT.md"),
    draw=draw,
    old_bots=OLD_BOTS,
)
