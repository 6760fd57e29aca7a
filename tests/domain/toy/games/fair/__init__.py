"""The Fair: a toy game with all difficult features of games, and the model for a new one."""

from kontor_games.domain.data import read_rules, read_text
from kontor_games.domain.game import Game
from tests.domain.toy.games.fair.bots import BOTS
from tests.domain.toy.games.fair.bots.appraiser import LeadInPoints
from tests.domain.toy.games.fair.data import DATA_SETS, admit
from tests.domain.toy.games.fair.data.derived import derive
from tests.domain.toy.games.fair.rules import RULESETS
from tests.domain.toy.games.fair.text import MESSAGES

GAME = Game(
    id="fair",
    titles={"en": "The Fair", "de": "Der Markt"},
    rulesets=RULESETS,
    data_sets=DATA_SETS,
    data_option="cards",
    rules_texts=read_rules(__name__),
    words=MESSAGES.words(),
    bots=BOTS,
    appraiser=LeadInPoints,
    admit=admit,
    derive=derive,
    data_format=read_text(f"{__name__}.data", "FORMAT.md"),
)
