"""Verifies a tournament's export offline: each command, pairing, result and place, and each match inside."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kontor_games.domain.audit import BrokenRecordError
from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.codec import Plain, Shape
from kontor_games.domain.export import export_footer
from kontor_games.domain.log_leaves import TournamentLeaf
from kontor_games.domain.match_facts import SALT_VERSION, find_rules
from kontor_games.domain.seed import commitment_of
from kontor_games.domain.stream import HOUSE
from kontor_games.domain.tournaments.audit import audit_tournament
from kontor_games.domain.tournaments.decisions import Decision, follow
from kontor_games.domain.tournaments.export import TournamentFile, read_file
from kontor_games.domain.tournaments.facts import (
    MatchOpened,
    NoShowRecorded,
    ResultRecorded,
    TournamentCancelled,
    TournamentStarted,
)
from kontor_games.domain.tournaments.stream import TOURNAMENTS
from kontor_games.domain.tournaments.terms import Terms, faults_of_terms
from kontor_games.domain.tournaments.tournament import Tournament
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.trust.file_check import FileCheck, short_reach
from kontor_games.service.trust.inclusion_check import LogEvidence, LogEvidenceError
from kontor_games.service.trust.notes import read_receipt
from kontor_games.service.trust.verifier import BrokenFileError, UncheckableFileError, Verdict, verify

_CLOCK = Shape(ClockSettings)
_NOT_OVER = "the tournament is not over; its pairings can be recomputed from an export made after its end"


@dataclass(frozen=True, slots=True)
class TournamentVerdict:
    """The results of verifying a valid export of a tournament."""

    tournament: str
    title: str
    status: str
    facts: int
    rounds: int
    matches: int
    edition: int
    entrants: int
    trusted: bool
    """Whether the signatures were checked against published keys, and not only against those in the file."""
    contributions: int
    """Number of entrants whose contributions to the seed count."""
    sealed: bool
    """Whether contributions were sealed, so that nobody could choose one that suits the others."""
    withheld: tuple[int, ...]
    """The entrants who did not open their contributions: each such opening rejected an outcome."""
    signed_entries: int
    """Number of entrants who signed their entries."""
    uploaded: tuple[int, ...]
    """The rounds whose tables the organiser chose."""
    receipts: int
    """Number of kept receipts that agree with the file."""
    checkpoint: int | None = None
    """The size of the kept checkpoint with which the file was compared."""
    checkpoint_version: int | None = None
    """The version of the tournament up to which that checkpoint binds it."""
    checkpoint_matches: int = 0
    """Number of matches that were compared with the same checkpoint."""
    outages: int = 0
    """How often clocks were given back the time of an outage, which only the operator attests."""
    returned_ms: int = 0
    """The time that was given back in all."""
    organiser: str = ""
    players: tuple[str, ...] = ()
    """The ids of the entrants, in the order of entry."""
    decisions: tuple[Decision, ...] = ()
    """Rulings, no-shows, protests and so on: what was decided or demanded by people, or by absence."""


MatchEvidence = Callable[[str], LogEvidence | None]
"""Returns what a kept checkpoint proves about a match; None if it is not in the tree."""


def verify_tournament(
    content: bytes,
    keys: Sequence[Plain] | None = None,
    log: LogEvidence | None = None,
    match_log: MatchEvidence | None = None,
    receipts: Sequence[Plain] = (),
) -> TournamentVerdict:
    """Check an export; raise BrokenFileError for the first thing that is wrong.

    `log` is what a kept checkpoint proves about the tournament, `match_log` what it proves about its matches;
    without `match_log` they are not compared with it. `receipts` are kept ones of
    the tournament and its matches.
    """
    file = read_file(content)
    _check_header(file)
    check = TournamentCheck(file, keys, log)
    tournament = check.tournament
    _check_terms(tournament.terms)
    check.check_log()
    verdicts = _check_matches(file, tournament, keys, match_log, receipts)
    logged = sum(one.checkpoint is not None for one in verdicts)
    check.check_closing()
    check.check_receipts(receipts)
    check.check_reach(None if match_log is None else logged)
    entrants = tournament.entrants
    return TournamentVerdict(
        str(file.header["tournament"]), tournament.terms.title, tournament.status, tournament.version,
        len(tournament.rounds), len(file.matches), tournament.edition, len(tournament.entrants),
        keys is not None, _contributions(tournament, file.records), tournament.seals_contributions,
        tuple(one.number for one in entrants if one.withheld),
        sum(one.key is not None for one in entrants),
        tuple(one.round for one in tournament.rounds if one.uploaded), len(receipts),
        log.head.size if log else None, log.leaf.version if log else None,
        logged, sum(one.outages for one in verdicts), sum(one.returned_ms for one in verdicts),
        tournament.terms.organiser, tuple(one.player for one in tournament.entrants),
        tuple(follow(file.records)[1]),
    )  # fmt: skip


def _contributions(tournament: Tournament, records: Sequence[Mapping[str, Plain]]) -> int:
    """Return the number of entrants whose contributions count."""
    counted = range(len(tournament.entrants))
    for one in records if tournament.seals_contributions else ():
        if one["fact"]["type"] == TournamentStarted.type:
            counted = one["fact"]["entrants"]
    return sum(bool(tournament.entrants[number].contribution) for number in counted)


def _check_header(file: TournamentFile) -> None:
    if file.header.get("complete") is False:
        raise UncheckableFileError(1, _NOT_OVER)
    if file.header.get("complete") is not True or set(file.header) != {
        "complete", "exported_at", "format", "keys", "tournament",
    }:  # fmt: skip
        raise BrokenFileError(1, "the first line does not describe a complete tournament")


class TournamentCheck(FileCheck):
    """The check of the tournament itself, without its matches."""

    def __init__(self, file: TournamentFile, keys: Sequence[Plain] | None, log: LogEvidence | None) -> None:
        """Carries out all commands again."""
        super().__init__(TOURNAMENTS, TournamentLeaf, file.header, keys, log)
        self.file = file
        try:
            self.tournament = audit_tournament(self.id, file.records, is_signed)
        except BrokenRecordError as error:
            raise BrokenFileError(error.version + 1, error.detail) from error
        self.hashes = [str(record["hash"]) for record in file.records]

    def check_log(self) -> None:
        """Compare the facts with the kept checkpoint, if there is one."""
        if self.log is None:
            return
        try:
            self.log.check_subject(TournamentLeaf, self.id)
            self.log.check_signer(self.keys)
        except LogEvidenceError as error:
            raise BrokenFileError(1, str(error)) from error
        if self.log.leaf.version > len(self.hashes):
            raise UncheckableFileError(
                len(self.hashes) + 1,
                f"the kept checkpoint holds version {self.log.leaf.version} of this tournament, and this file"
                " ends before: it is older than a correction, or facts were taken away; export it again",
            )
        self._check_leaf(self.log)

    def check_reach(self, logged: int | None) -> None:
        """Check that the proofs cover the last fact, and every match if they were asked for."""
        facts, matches = len(self.hashes), len(self.file.matches)
        if self.log is not None and self.log.leaf.version < facts:
            raise UncheckableFileError(self.log.leaf.version + 2, short_reach(self.log.leaf, facts))
        if self.log is not None and logged is not None and logged < matches:
            raise UncheckableFileError(
                facts + 2,
                f"the service proves only {logged} of {matches} matches to be in the kept checkpoint:"
                " use a later one",
            )

    def check_closing(self) -> None:
        """Check the content and the signature of the last line."""
        inner = sum(content.count(b"\n") + 1 for content in self.file.matches.values())
        expected = export_footer(TOURNAMENTS, self.tournament, self.hashes[-1], self.file.hash)
        last = len(self.hashes) + inner + 2
        self.check_closing_line(last, self.file.footer, expected, self.tournament.version)

    def check_receipts(self, receipts: Sequence[Plain]) -> None:
        """Check that kept receipts were signed by the service, and name hashes of this file."""
        for receipt in receipts:
            if isinstance(receipt, dict) and "tournament" not in receipt:
                match = read_receipt(receipt)[0]
                if match not in self.file.matches:
                    problem = f"a kept receipt is for match {match}, which is not here"
                    raise BrokenFileError(1, problem)
            else:
                self.check_receipt(receipt, last_line=1)


def _check_terms(terms: Terms) -> None:
    """Check that the service would not have refused these terms."""
    try:
        rules = find_rules(terms.game, terms.rules_version, terms.data)
    except LookupError:
        raise BrokenFileError(
            2, "this verifier does not know the game, its version or its data set"
        ) from None
    faults = faults_of_terms(terms, rules.seat_counts)
    if rules.data.hash != terms.data_hash:
        faults.append(("data_hash", "is not that of the data set"))
    if faults:
        raise BrokenFileError(2, f"these terms are impossible: {faults[0][0]} {faults[0][1]}")


def _check_matches(
    file: TournamentFile,
    tournament: Tournament,
    keys: Sequence[Plain] | None,
    match_log: MatchEvidence | None,
    receipts: Sequence[Plain],
) -> list[Verdict]:
    """Verify every match, also against a kept checkpoint if there is one; return the verdicts."""
    outcomes = _facts_by_match(file, ResultRecorded.type, NoShowRecorded.type)
    for match in outcomes:
        if match not in file.matches:
            raise BrokenFileError(1, f"the export of match {match}, whose result counts, is missing")
    _check_secrecy(file, tournament)
    openings, verdicts = _facts_by_match(file, MatchOpened.type), list[Verdict]()
    for match, content in file.matches.items():
        line, evidence = file.match_lines[match], match_log(match) if match_log else None
        try:
            own = [one for one in receipts if isinstance(one, dict) and one.get("match") == match]
            verdicts.append(verify(content, keys, own, log=evidence))
        except BrokenFileError as error:  # or one of a kind that says that the match can't be checked
            raise type(error)(line + error.line - 1, f"match {match}: {error.detail}") from error
        lines = content.split(b"\n")
        header, created, footer = (json.loads(lines[index]) for index in (0, 1, -2))
        if header["match"] != match or match not in openings:
            raise BrokenFileError(line, f"match {match} does not belong to this tournament")
        _check_created(line + 1, tournament, openings[match], created["fact"])
        _check_result(line + len(lines) - 2, outcomes.get(match), footer)
    return verdicts


def _check_secrecy(file: TournamentFile, tournament: Tournament) -> None:
    """Check that the deal of each block was revealed only after the last of its matches had ended."""
    ends: dict[tuple[int, int], list[int]] = {}
    reveals: dict[tuple[int, int], list[tuple[int, str]]] = {}
    for match, content in file.matches.items() if tournament.has_secret_blocks else ():
        table = tournament.slots[match][:2] if match in tournament.slots else (0, 0)
        for line in _lines_of(content):
            if line["fact"]["type"] in ("match_finished", "match_aborted"):
                ends.setdefault(table, []).append(line["at"])
            elif line["fact"]["type"] == "secret_revealed":
                reveals.setdefault(table, []).append((line["at"], match))
    ends_at = [one["at"] for one in file.records if one["fact"]["type"] == TournamentCancelled.type]
    for table, found in reveals.items():
        at, match = min(found)
        if at < max(ends[table], default=0) and (not ends_at or at < ends_at[0]):
            detail = f"match {match}: its deal was revealed before all matches of the block were over"
            raise BrokenFileError(file.match_lines[match], detail)


def _lines_of(content: bytes) -> list[Mapping[str, Plain]]:
    """The facts of a match that end it or come after its end."""
    try:
        lines = [json.loads(line) for line in content.split(b"\n")[-5:-2]]
    except ValueError as error:
        raise BrokenFileError(1, "a match in the file can't be read") from error
    return [
        line
        for line in lines
        if isinstance(line, dict) and isinstance(line.get("fact"), dict) and isinstance(line.get("at"), int)
    ]


def _check_created(
    line: int, tournament: Tournament, opened: Mapping[str, Plain], created: Mapping[str, Plain]
) -> None:
    """Check that the match has its entrants, the announced terms, and the deal that the seed gives."""
    terms, slot = tournament.terms, (opened["round"], opened["table"], opened["number"])
    expected = {
        "game": terms.game,
        "rules_version": terms.rules_version,
        "data": terms.data,
        "data_hash": terms.data_hash,
        "options": terms.options,
        "clock": _CLOCK.encode(terms.clock),
        "on_timeout": terms.on_timeout,
        "creator": HOUSE,
        "commitment": commitment_of(tournament.deal_secret(slot, tournament.attempts[opened["match"]])),
        "open_seed": None,
        "in_block": tournament.has_secret_blocks or None,
        "signed": terms.signed or None,
        "required_witnesses": terms.required_witnesses or None,
        "rated": terms.rated or None,
        "spectator_delay": terms.spectator_delay or None,
    }
    if terms.seed_version >= 2:
        expected["salt_version"] = SALT_VERSION
    if terms.max_returned_ms is not None:
        expected["max_returned_ms"] = terms.max_returned_ms
    for name, value in expected.items():
        if created.get(name) != value:
            raise BrokenFileError(line, f"{name} of the match is not what the tournament announced")
    players = [tournament.entrants[number].player for number in opened["entrants"]]
    if [seat.get("player") for seat in created["seats"]] != players:
        raise BrokenFileError(line, "the seats of the match are not those of its table")


def _check_result(line: int, recorded: Mapping[str, Plain] | None, footer: Mapping[str, Plain]) -> None:
    if recorded is None or recorded["type"] == NoShowRecorded.type:
        return
    result = footer["result"]
    if result is None or result["places"] != recorded["places"] or result["reason"] != recorded["reason"]:
        raise BrokenFileError(line, "the recorded result is not that of the match")
    scores = [one.get("total", sum(one.values())) for one in result["scores"] or ()]
    if (scores or [0] * len(result["places"])) != recorded["scores"]:
        raise BrokenFileError(line, "the recorded scores are not those of the match")


def _facts_by_match(file: TournamentFile, *types: str) -> dict[str, Mapping[str, Plain]]:
    return {one["fact"]["match"]: one["fact"] for one in file.records if one["fact"]["type"] in types}
