"""The commands that change a tournament. Each checks whether it is allowed and returns the facts caused."""

from kontor_games.domain.codec import Codec
from kontor_games.domain.tournaments.commands.base import TournamentCommand
from kontor_games.domain.tournaments.commands.ending import (
    Acknowledge,
    Cancel,
    PostStandings,
    Protest,
    SignOff,
)
from kontor_games.domain.tournaments.commands.entry import (
    Announce,
    Enter,
    OpenEntry,
    StartTournament,
    Withdraw,
)
from kontor_games.domain.tournaments.commands.rounds import (
    Correct,
    OpenMatch,
    PairRound,
    RecordNoShow,
    RecordResult,
    RecordStart,
    RevealBlock,
    Rule,
    VoidMatch,
)

__all__ = [
    "COMMAND_CODEC", "TOURNAMENT_COMMANDS", "Acknowledge", "Announce", "Cancel", "Correct", "Enter",
    "OpenEntry", "OpenMatch", "PairRound", "PostStandings", "Protest", "RecordNoShow", "RecordResult",
    "RecordStart", "RevealBlock", "Rule", "SignOff", "StartTournament", "TournamentCommand", "VoidMatch",
    "Withdraw",
]  # fmt: skip

TOURNAMENT_COMMANDS: tuple[type[TournamentCommand], ...] = (
    Announce, OpenEntry, Enter, Withdraw, StartTournament, PairRound, OpenMatch, RecordStart, RecordResult,
    RecordNoShow, RevealBlock, VoidMatch, Rule, Correct, PostStandings, Acknowledge, Protest, SignOff, Cancel,
)  # fmt: skip
COMMAND_CODEC = Codec(TOURNAMENT_COMMANDS)
