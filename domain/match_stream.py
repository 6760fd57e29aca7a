"""Matches as streams of facts."""

from collections.abc import Mapping, Sequence

from kontor_games.domain.codec import Codec, Plain
from kontor_games.domain.commands import COMMAND_CODEC, command_codec
from kontor_games.domain.game import Fact
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import fact_codec, read_facts
from kontor_games.domain.player_signatures import check_command
from kontor_games.domain.seed import Salts
from kontor_games.domain.stream import Command, Decider, IsSigned


class MatchDecider(Decider[Match]):
    """A match as a stream: its first fact names its rules, and so the form of facts and moves."""

    kind = "match"
    id_field = "match"
    signed_prefix = "kontor."
    has_seats = True
    format = "kontor.export.1"

    def empty(self) -> Match:
        return Match()

    def fact_codec(self, stream: Match) -> Codec:
        return fact_codec(stream.rules)

    def command_codec(self, stream: Match) -> Codec:
        return command_codec(stream.rules) if stream.version else COMMAND_CODEC

    def read_facts(self, stream: Match, facts: Sequence[Mapping[str, Plain]]) -> tuple[Fact, ...]:
        return read_facts(facts, stream.rules if stream.version else None)

    def seat(self, stream: Match) -> int | None:
        return stream.acted

    def salts(self, stream_id: str, stream: Match) -> Salts:
        """The salts, by the derivation that the first fact names."""
        created = stream.created
        return Salts(created.server_secret, stream_id if created.salt_version == 2 else None)

    def check_signature(
        self, stream_id: str, stream: Match, head: str, by: str, command: Command, is_signed: IsSigned
    ) -> None:
        check_command(stream_id, stream, head, by, command, is_signed)

    def is_revealed(self, stream: Match) -> bool:
        return stream.revealed

    def fact_viewer(self, stream: Match, viewer: int) -> int:
        return stream.fact_viewer(viewer)

    def header(self, stream: Match, viewer: int) -> dict[str, Plain]:
        return {
            "ruleset": ruleset_of(stream),
            "viewer": None if stream.revealed or viewer < 0 else viewer,
        }

    def outcome(self, stream: Match) -> dict[str, Plain]:
        outcome, result = stream.outcome, None
        if outcome is not None:
            result = {"places": list(outcome.places), "scores": outcome.scores, "reason": outcome.reason}
        return {"end": stream.status, "result": result}


def ruleset_of(match: Match) -> Plain:
    """The rules that a match has pinned."""
    created = match.created
    return {
        "game": created.game,
        "version": created.rules_version,
        "data": created.data,
        "data_hash": created.data_hash,
    }


MATCHES = MatchDecider()
