"""Matches between bots, without HTTP or a database: a single one, or thousands for statistics."""

from kontor_games.service.arena.contest import Contest, Outcome
from kontor_games.service.arena.executors import WorkerDiedError, outcomes
from kontor_games.service.arena.journal import Journal, JournalError
from kontor_games.service.arena.match import BotFaultError, BotMatch, Played
from kontor_games.service.arena.own_bots import OwnBotError, is_own, label_of, with_label
from kontor_games.service.arena.tally import Length, Line, Tally

__all__ = [
    "BotFaultError",
    "BotMatch",
    "Contest",
    "Journal",
    "JournalError",
    "Length",
    "Line",
    "Outcome",
    "OwnBotError",
    "Played",
    "Tally",
    "WorkerDiedError",
    "is_own",
    "label_of",
    "outcomes",
    "with_label",
]
