"""The audit of a tournament: every command is carried out again, and the results are compared.

Only the commands, their authors and their times are taken as given. Every pairing, result, ruling, point
and place must follow from the terms, the seed and the commands; otherwise the audit names the wrong fact.
"""

from collections.abc import Mapping, Sequence

from kontor_games.domain.audit import BrokenRecordError
from kontor_games.domain.codec import MalformedError, Plain
from kontor_games.domain.game import Refusal
from kontor_games.domain.match_facts import HOUSE
from kontor_games.domain.match_refusals import SignatureError
from kontor_games.domain.player_signatures import IsSigned
from kontor_games.domain.seed import commitment_of, is_hash
from kontor_games.domain.tournaments.chain import GENESIS, TournamentEntry, hash_of, records_of
from kontor_games.domain.tournaments.commands import COMMAND_CODEC, Announce, TournamentCommand
from kontor_games.domain.tournaments.facts import TOURNAMENT_CODEC, TournamentAnnounced, TournamentFact
from kontor_games.domain.tournaments.signatures import check_command
from kontor_games.domain.tournaments.tournament import Tournament

_ENDS = ("edition_signed", "tournament_cancelled")
"""The facts that reveal the server's secret."""
_UNREADABLE = (AttributeError, LookupError, MalformedError, TypeError, ValueError)


def audit_tournament(
    tournament_id: str, records: Sequence[Mapping[str, Plain]], is_signed: IsSigned
) -> Tournament:
    """Carry out a whole tournament again from its records; raise BrokenRecordError at the first fault.

    Its version is 0 if no single fact is wrong.
    """
    try:
        secret = _secret(records)
        tournament, head = Tournament(), GENESIS
        for start, end in _entries(records):
            _check_signature(tournament_id, tournament, records[start], is_signed)
            entry = _execute_again(tournament, records[start:end], secret)
            expected = records_of(tournament_id, entry, secret, head)
            _compare(expected, records[start:end])
            head = expected[-1]["hash"]
    except _UNREADABLE as error:
        raise BrokenRecordError(0, f"the record can't be read ({type(error).__name__}: {error})") from error
    return tournament


def _secret(records: Sequence[Mapping[str, Plain]]) -> str:
    revealed = [one["fact"]["server_secret"] for one in records if one["fact"]["type"] in _ENDS]
    if not revealed:
        raise BrokenRecordError(0, "the tournament is not over, so its pairings can't be recomputed yet")
    if not is_hash(revealed[0]):
        raise BrokenRecordError(0, "the revealed secret is malformed")
    return str(revealed[0])


def _entries(records: Sequence[Mapping[str, Plain]]) -> list[tuple[int, int]]:
    """Return the range of each command's records; the first of them contains the command."""
    starts = [index for index, one in enumerate(records) if "command" in one]
    if not starts or starts[0] != 0:
        raise BrokenRecordError(1, "the first fact has no command")
    return list(zip(starts, [*starts[1:], len(records)], strict=True))


def _check_signature(
    tournament_id: str, tournament: Tournament, first: Mapping[str, Plain], is_signed: IsSigned
) -> None:
    """Check the signature of the author of a command, if it has or needs one."""
    try:
        command = COMMAND_CODEC.parse(first["command"])
        check_command(tournament_id, tournament, first["by"], command, is_signed)
    except SignatureError as error:
        wrong = "the entrant did not sign this command, or signed another one"
        raise BrokenRecordError(tournament.version + 1, wrong) from error
    except MalformedError:
        return  # reported when the command is carried out


def _execute_again(
    tournament: Tournament, records: Sequence[Mapping[str, Plain]], secret: str
) -> TournamentEntry:
    """Carry out one command on the tournament; return its entry."""
    first, version = records[0], tournament.version + 1
    at, by = first["at"], first["by"]
    if not isinstance(at, int) or at < tournament.at:
        raise BrokenRecordError(version, "its time is earlier than that of the previous command")
    try:
        command = COMMAND_CODEC.parse(first["command"])
    except MalformedError as error:
        raise BrokenRecordError(version, f"the command is malformed: {error}") from error
    author = "service" if by == HOUSE else "players"
    if command.authors not in (author, "both"):
        raise BrokenRecordError(version, f"{by} can't give the command {command.type}")
    try:
        facts = _facts(tournament, command, first, secret)
    except Refusal as refusal:
        raise BrokenRecordError(version, f"the command was not allowed: {refusal.detail}") from refusal
    return TournamentEntry(version, at, by, command, "", "", tuple(facts))


def _facts(
    tournament: Tournament, command: TournamentCommand, first: Mapping[str, Plain], secret: str
) -> list[TournamentFact]:
    if not isinstance(command, Announce):
        return command.decide(tournament, first["by"], first["at"])
    if tournament.version:
        raise BrokenRecordError(tournament.version + 1, "the tournament is announced twice")
    announced = TOURNAMENT_CODEC.parse({**first["fact"], "server_secret": secret})
    if not isinstance(announced, TournamentAnnounced) or announced.terms.organiser != first["by"]:
        raise BrokenRecordError(1, "the first fact is not an announcement by the organiser")
    if announced.commitment != commitment_of(secret):
        raise BrokenRecordError(1, "the revealed secret is not the one that the service was committed to")
    return command.announce(tournament, announced, first["at"])


def _compare(expected: Sequence[Mapping[str, Plain]], computed: Sequence[Mapping[str, Plain]]) -> None:
    for index, one in enumerate(computed):
        version = expected[0]["version"] + index
        if index >= len(expected):
            raise BrokenRecordError(version, "the previous command did not cause this fact")
        if one != expected[index]:
            raise BrokenRecordError(version, _difference(expected[index], one))
    if len(computed) < len(expected):
        missing = expected[len(computed)]
        raise BrokenRecordError(missing["version"], f"the fact {missing['fact']['type']} is missing")


def _difference(expected: Mapping[str, Plain], found: Mapping[str, Plain]) -> str:
    if hash_of(found) != found.get("hash"):
        return "the hash does not match the record"
    if found.get("before") != expected["before"]:
        return "the hash chain is broken: `before` is not the hash of the previous record"
    for name, value in expected["fact"].items():
        if found["fact"].get(name) != value:
            return f"{found['fact'].get('type')}: {name} does not follow from the rules of the tournament"
    return "the record does not follow from the commands"
