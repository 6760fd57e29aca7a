"""The checks of an export that need no rules: hash chain, receipts, signatures and closing line."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kontor_games.domain.chain import GENESIS
from kontor_games.domain.codec import MalformedError, Plain
from kontor_games.domain.commands import command_codec
from kontor_games.domain.export import is_signed_at
from kontor_games.domain.export_reader import BrokenFileError, ExportFile, check_link, read_line
from kontor_games.domain.house_bots import BotMoves
from kontor_games.domain.log_leaves import HeadLeaf, MatchLeaf
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import SeatTaken, find_rules
from kontor_games.domain.match_stream import MATCHES
from kontor_games.domain.player_signatures import signed_part_of_plain, text_around
from kontor_games.domain.seed import Salts
from kontor_games.service.ed25519 import id_of_key, is_signed
from kontor_games.service.trust.file_check import FileCheck, UncheckableFileError, short_reach
from kontor_games.service.trust.inclusion_check import LogEvidence, LogEvidenceError
from kontor_games.service.trust.notes import Cosigner

Contribution = Literal["counted", "too early", "none"]
"""Whether the contribution of a seat counts: only if the server had already committed to its secret."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result for a file without errors."""

    match: str
    game: str
    complete: bool
    facts: int
    entries: int
    draws: int
    status: str
    places: tuple[int, ...] | None
    players: tuple[str | None, ...]
    """The id of the player at each seat of a match that is over; None for house bots and empty seats."""
    house_bots: tuple[str | None, ...]
    """The house bot at each seat of a match that is over."""
    keys: tuple[str, ...]
    trusted: bool
    """Whether the keys were given to the verifier, and not only named by the file."""
    receipts: int
    open_seed: bool
    branch: bool
    in_block: bool
    """Whether the seed of a tournament fixed the deal, so that no contribution in this match counts."""
    player_keys: tuple[str | None, ...]
    """The id of the key with which the player at each seat signed; None for bots and unsigned players."""
    signed_commands: int
    """Number of commands signed by their players; all signatures were checked."""
    contributions: tuple[Contribution, ...]
    """The contribution of each seat to the seed, for a finished match."""
    bots: tuple[BotMoves, ...]
    """Number of recomputed moves of each house bot, for a finished match."""
    required_witnesses: int
    """Number of witnesses that must have cosigned the kept checkpoint, and have if there is one."""
    cosigners: tuple[Cosigner, ...]
    """The witnesses among those that the match names which cosigned the kept checkpoint, and when."""
    outages: int
    """How often clocks were given back the time of an outage, which only the operator attests."""
    returned_ms: int
    """The time that was given back in all."""
    logged_outages: int | None
    """How many of them lie in outages that the kept checkpoint binds for all matches."""
    checkpoint: int | None
    """The size of the kept checkpoint with which the file was compared."""
    checkpoint_version: int | None
    """The version of the match up to which that checkpoint binds it."""
    checkpoint_end: bool
    """Whether the log says that nothing follows this version."""

    @property
    def unsigned(self) -> bool:
        """Whether any player did not sign their moves."""
        people = zip(self.players, self.player_keys, strict=True)
        return any(player is not None and key is None for player, key in people)


class ExportCheck(FileCheck):
    """The check of one file: line by line, then the closing line."""

    def __init__(
        self, file: ExportFile, keys: Sequence[Plain] | None, log: LogEvidence | None = None
    ) -> None:
        super().__init__(MATCHES, MatchLeaf, file.header, keys, log)
        self.file = file
        self.commands = 0
        self.draws = 0
        self.contributions: tuple[Contribution, ...] = ()
        self.signed_commands = 0
        self._player_keys: dict[str, str] = {}
        """The keys of players in the file of a running match."""
        self.bots: tuple[BotMoves, ...] = ()
        self.cosigners: tuple[Cosigner, ...] = ()

    @property
    def head(self) -> str:
        """The hash of the last fact checked."""
        return self.hashes[-1] if self.hashes else GENESIS

    def check_link(self, number: int) -> Plain:
        """Check the hash of a line and return its content."""
        salts = self._salts() if self.file.header["complete"] else None
        return check_link(number, self.file.facts[number - 2], self.id, self.head, salts)

    def _created(self) -> dict[str, Plain]:
        """Return the first fact; it may be unchecked."""
        created = read_line(2, self.file.facts[0]).get("fact")
        return created if isinstance(created, dict) else {}

    def _salts(self) -> Salts:
        created = self._created()
        secret = created.get("server_secret")
        known = secret if isinstance(secret, str) else ""
        return Salts(known, self.id if created.get("salt_version") == 2 else None)

    def follow_chain(self) -> None:
        """Check the hash chain and receipts; commands with hidden parts can't be executed again."""
        in_block = self._created().get("in_block") is True
        if self.file.footer["end"] in ("finished", "aborted") and not in_block:
            raise BrokenFileError(1, "the match is over, but the file is not complete")
        lines = []
        for number in range(2, self.file.last_line):
            lines.append(self.check_link(number))
            self.hashes.append(lines[-1]["hash"])
        for line, after in zip(lines, [*lines[1:], None], strict=True):
            self.commands += "seat" in line
            expected = (after is None or "seat" in after) and is_signed_at(self.commands, last=after is None)
            self._check_receipt(line, expected=expected)
            self._check_player(line)
        self._check_announcement(lines[0]["fact"])
        self._check_viewer(lines)
        end = _status(types := {line["fact"].get("type") for line in lines})
        if end in ("finished", "aborted") and not (in_block and "secret_revealed" not in types):
            raise BrokenFileError(1, "the match is over, but the file is not complete")
        last = {"version": len(lines), "head": self.head, "at": lines[-1]["at"]}
        self.check_closing({"end": end, **last, "result": _result(lines), "file": self.file.hash})

    def _check_receipt(self, line: Plain, *, expected: bool) -> None:
        number = line["version"] + 1
        if not (expected == ("key" in line) == ("signature" in line)) or "draws" in line:
            missing = "the receipt that belongs here is missing"
            raise BrokenFileError(number, missing if expected else "a receipt or draws do not belong here")
        if expected:
            text = MATCHES.receipt_text(self.id, line["version"], line["hash"], line["at"])
            self.check_signature(number, line["key"], line["signature"], text, line["at"])

    def _check_player(self, line: Plain) -> None:
        """Check the player's signature under a command that the reader may see.

        The form of commands is not checked here: the file of a running match may hide any of them.
        """
        command, fact, by = line.get("command"), line["fact"], line["by"]
        if isinstance(command, dict) and (key := _key_in(command) or self._player_keys.get(by)) is not None:
            signature, part = command.get("signature"), signed_part_of_plain(command)
            text = text_around(self.id, line["version"] - 1, line["before"], by, part)
            if not isinstance(signature, str) or not is_signed(key, signature, text):
                raise BrokenFileError(
                    line["version"] + 1, "the signature of the player does not fit this command here"
                )
            self.signed_commands += 1
        if isinstance(command, dict) and "sent_moves" in command:
            self._check_sent_moves(line["version"], command)
        if fact.get("type") == "seat_taken" and isinstance(fact.get("key"), str):
            self._player_keys[fact["player"]] = fact["key"]

    def _check_sent_moves(self, version: int, command: Plain) -> None:
        """Check that the moves that the player signed are those that were made."""
        ruleset = self.file.header["ruleset"]
        try:
            rules = find_rules(ruleset["game"], ruleset["version"], ruleset["data"])
        except (LookupError, TypeError):
            missing = "the rules of this match are not installed here"
            raise UncheckableFileError(version + 1, missing) from None
        try:
            play = command_codec(rules).parse(command)
        except MalformedError as error:
            raise BrokenFileError(version + 1, f"the command is malformed: {error}") from error
        if wrong := play.wrong_sent_moves(rules.move_codec):
            raise BrokenFileError(version + 1, wrong)

    def _check_announcement(self, created: Plain) -> None:
        names = {"game": "game", "version": "rules_version", "data": "data", "data_hash": "data_hash"}
        if self.file.header["ruleset"] != {name: created.get(field) for name, field in names.items()}:
            raise BrokenFileError(1, "the first line does not describe this match")

    def _check_viewer(self, lines: Sequence[Plain]) -> None:
        """Check, without the rules, that the file of a running match hides what its viewer may not see."""
        viewer, seats = self.file.header["viewer"], lines[0]["fact"].get("seats")
        if viewer is not None and not (isinstance(seats, list) and 0 <= viewer < len(seats)):
            raise BrokenFileError(1, "the first line does not describe this match")
        for line in lines:
            own = "sealed_command" not in line or "command" not in line or line["seat"] == viewer
            if not own or (viewer is None and "salts" in line):
                raise BrokenFileError(line["version"] + 1, "the file shows what its viewer may not see")

    def check_log(self) -> None:
        """Compare the file with the kept checkpoint, if there is one."""
        log, last = self.log, self.file.last_line
        if log is None:
            return
        if log.leaf.version > len(self.hashes):
            problem = f"the kept checkpoint holds version {log.leaf.version} of this match"
            if self.file.header["complete"]:
                raise BrokenFileError(last, f"{problem}: facts were taken away")
            raise UncheckableFileError(last, f"{problem}, and this file is older: export the match again")
        self._check_leaf(log)
        try:
            log.check_signer(self.keys)
            created = self._created()
            at = read_line(log.leaf.version + 1, self.file.facts[log.leaf.version - 1])["at"]
            names, required = created.get("witnesses", []), created.get("required_witnesses", 0)
            self.cosigners = tuple(log.check_witnesses(names, required, at))
        except LogEvidenceError as error:
            raise BrokenFileError(1, str(error)) from error
        self._check_reach(log.leaf)
        self._check_outages(log)

    def _check_outages(self, log: LogEvidence) -> None:
        """Check that the log has each outage before the leaf that gave time back; older logs have none."""
        if "max_returned_ms" not in self._created():
            return
        returned = self._returned_times(log.leaf.version)
        missing = len(returned) - log.logged(returned)
        if missing:
            problem = f"{missing} of {len(returned)} times given back to clocks lie in no outage of the log"
            raise BrokenFileError(1, f"{problem}, although the kept checkpoint covers them")

    def _check_reach(self, leaf: HeadLeaf) -> None:
        """Check that the leaf is that of the last fact of a complete file: an older one binds no end."""
        ended, complete = isinstance(leaf, MatchLeaf) and leaf.end, self.file.header["complete"]
        if ended and (not complete or leaf.version < len(self.hashes)):
            problem = f"the log says that the match ended at version {leaf.version}"
            if complete:
                raise BrokenFileError(leaf.version + 2, f"{problem}, and this file has more facts")
            raise UncheckableFileError(1, f"{problem}, and this file is older: export the match again")
        if complete and leaf.version < len(self.hashes):
            raise UncheckableFileError(leaf.version + 2, short_reach(leaf, len(self.hashes)))

    def check_closing(self, expected: Plain) -> None:
        """Check the content and the signature of the closing line."""
        self.check_closing_line(self.file.last_line, self.file.footer, expected)

    def check_receipts(self, receipts: Sequence[Plain]) -> None:
        """Check that kept receipts were signed by the service and match the file."""
        for receipt in receipts:
            self.check_receipt(receipt, self.file.last_line)

    def _returned_times(self, version: int | None = None) -> list[tuple[int, int]]:
        """Return the periods that were given back to clocks, up to a version."""
        given = [line for line in self.file.facts[:version] if b'"type":"time_returned"' in line]
        facts = [json.loads(line)["fact"] for line in given]
        return [(one["since"], one["until"]) for one in facts if one["type"] == "time_returned"]

    def verdict(self, match: Match | None, *, trusted: bool, receipts: int) -> Verdict:
        """Return the result after all checks have passed."""
        header, footer, created = self.file.header, self.file.footer, self._created()
        seats, returned = match.seats if match else (), self._returned_times()
        return Verdict(
            match=self.id,
            game=header["ruleset"]["game"],
            complete=match is not None,
            facts=len(self.hashes),
            entries=self.commands,
            draws=self.draws,
            status=footer["end"],
            places=tuple(match.outcome.places) if match and match.outcome else None,
            players=tuple(taken.player if taken and taken.house is None else None for taken in seats),
            house_bots=tuple(taken.house if taken else None for taken in seats),
            keys=tuple(sorted(self.used)),
            trusted=trusted,
            receipts=receipts,
            open_seed=created.get("open_seed") is not None,
            branch=bool(created.get("branch")),
            in_block=created.get("in_block") is True,
            player_keys=tuple(_key_of(taken) for taken in seats),
            signed_commands=self.signed_commands,
            contributions=self.contributions,
            bots=self.bots,
            required_witnesses=created.get("required_witnesses", 0),
            cosigners=self.cosigners,
            outages=len(returned),
            returned_ms=sum(until - since for since, until in returned),
            logged_outages=self.log.logged(returned) if self.log else None,
            checkpoint=self.log.head.size if self.log else None,
            checkpoint_version=self.log.leaf.version if self.log else None,
            checkpoint_end=bool(self.log and isinstance(self.log.leaf, MatchLeaf) and self.log.leaf.end),
        )


def _key_in(command: Plain) -> str | None:
    """Return the key with which a player joins, by which the request itself is signed."""
    key = command.get("key") if command.get("type") == "join" else None
    return key if isinstance(key, str) else None


def _key_of(taken: SeatTaken | None) -> str | None:
    return None if taken is None or taken.key is None else id_of_key(taken.key)


def _result(lines: Sequence[Plain]) -> Plain:
    """Return the result of a match that is over although something in it is still hidden."""
    finished = next((line["fact"] for line in lines if line["fact"].get("type") == "match_finished"), None)
    return finished and {name: finished.get(name) for name in ("places", "scores", "reason")}


def _status(kinds: set[str]) -> str:
    ends = {"match_finished": "finished", "match_aborted": "aborted", "match_started": "running"}
    return next((status for kind, status in ends.items() if kind in kinds), "open")
