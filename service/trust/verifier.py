"""The offline verifier: checks the export of a match, without a service or a database.

Of a complete export, only the commands, their authors and their times are taken as given: every command is
executed again under the pinned rules, and the resulting lines must equal the lines of the file, byte for
byte. Only if they differ is the difference explained in words.
"""

import gc
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NoReturn

import msgspec

from kontor_games.domain.audit import BrokenRecordError, UnknownRulesError, read_command
from kontor_games.domain.chain import Link
from kontor_games.domain.codec import ARBITER, Codec, MalformedError, Plain, canonical
from kontor_games.domain.export import export_footer, export_line, is_signed_at
from kontor_games.domain.export_reader import BrokenFileError, read_line, split_export
from kontor_games.domain.fact_difference import difference
from kontor_games.domain.game import Fact
from kontor_games.domain.match import Match
from kontor_games.domain.match_audit import Draw, MatchAuditor
from kontor_games.domain.match_facts import MATCH_CODEC, SeatTaken
from kontor_games.domain.match_stream import MATCHES, ruleset_of
from kontor_games.domain.stream import Command, Entry
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.trust.export_check import Contribution, ExportCheck, Verdict
from kontor_games.service.trust.file_check import UncheckableFileError
from kontor_games.service.trust.inclusion_check import LogEvidence
from kontor_games.service.trust.notes import UnreadableReceiptError

__all__ = ["BrokenFileError", "UncheckableFileError", "UnreadableReceiptError", "Verdict", "verify"]


class _GivenPart(msgspec.Struct):
    """The part of a line that can't be computed from the lines before."""

    at: int
    by: str
    command: msgspec.Raw


_GIVEN_PART = msgspec.json.Decoder(_GivenPart)
_COMMAND = msgspec.json.Decoder(dict[str, Any])


@lru_cache(maxsize=20_000)
def read_line_command(raw: bytes, codec: Codec) -> tuple[Command, str]:
    """Read the command of a line and its canonical form; cached, because the same few commands recur."""
    return read_command(_COMMAND.decode(raw), codec)


_Executed = tuple[Entry, str, list[Draw]]
"""A command executed again: its entry, its canonical form and its draws."""


def verify(
    content: bytes,
    keys: Sequence[Plain] | None = None,
    receipts: Sequence[Plain] = (),
    log: LogEvidence | None = None,
    *,
    all_bot_moves: bool = False,
) -> Verdict:
    """Check an export; raise BrokenFileError for the first line that is wrong.

    Of bots that search long for each move, a random sample of moves is recomputed, or `all_bot_moves`.

    `keys` are the published keys of the service, if only its signatures are to be accepted; `receipts` are
    kept receipts; `log` is what a kept checkpoint proves about the match.
    """
    with _garbage_collection_off():
        check = _Replay(split_export(content), keys, log)
        check.all_bot_moves = all_bot_moves
        match = check.replay() if check.file.header["complete"] else None
        if match is None:
            check.follow_chain()
        check.check_log()
        check.check_receipts(receipts)
        return check.verdict(match, trusted=keys is not None, receipts=len(receipts))


def _contributions(match: Match, creation: Command) -> tuple[Contribution, ...]:
    """Return for each seat whether its contribution counts: only if the server had committed to its secret.

    The request that created the match came before the commitment: the server could have chosen a secret to
    suit the contribution in it, unless that was only the hash of a value that was opened later. In a match of
    a block the seed of the tournament fixes the deal, so nothing is returned.
    """
    if match.created.in_block:
        return ()
    early = getattr(creation, "contribution", "")

    def of(seat: int, taken: SeatTaken | None) -> Contribution:
        if taken is None or not (seat in match.opened or taken.contribution):
            return "none"
        known = taken.player == match.created.creator and taken.contribution == early
        return "counted" if seat in match.opened or not known else "too early"

    return tuple(of(seat, taken) for seat, taken in enumerate(match.seats))


@contextmanager
def _garbage_collection_off() -> Iterator[None]:
    """Pause the search for reference cycles, which takes a sixth of the time: a match has none."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Replay(ExportCheck):
    """The check of the file of a match that is over: every command is executed again."""

    all_bot_moves = False

    def replay(self) -> Match:
        """Execute every command again and compare the resulting lines with the file."""
        auditor = MatchAuditor(self.id, is_signed, is_sampled=self._is_sampled)
        executed, broken = self._execute_all(auditor)
        for entry, command_text, draws in executed:
            self.commands += 1
            try:
                linked = auditor.bind(entry, command_text)
            except BrokenRecordError as unsigned:
                self._refuse(unsigned)
            self._compare(auditor.match, linked, draws)
        if broken is not None:
            self._refuse(broken)
        match, self.signed_commands = auditor.match, auditor.signed
        if match.begun:
            self.contributions = _contributions(match, executed[0][0].command)
        if not match.revealed:
            raise BrokenFileError(1, "the file is said to be complete, but the match is not over")
        if self.file.header["ruleset"] != ruleset_of(match) or self.file.header["viewer"] is not None:
            raise BrokenFileError(1, "the first line does not describe this match")
        self.check_closing(export_footer(MATCHES, match, self.head, self.file.hash))
        self.bots = auditor.bots.moves
        return match

    def _is_sampled(self, one_in: int) -> bool:
        """Choose one of so many moves at random, so that the service can't know which will be recomputed."""
        return self.all_bot_moves or secrets.randbelow(one_in) == 0

    def _execute_all(self, auditor: MatchAuditor) -> tuple[list[_Executed], BrokenRecordError | None]:
        """Execute every command again, up to the first that is refused.

        All are executed before any is hashed, which is measurably faster.
        """
        match, executed = auditor.match, list[_Executed]()
        try:
            while match.version < len(self.file.facts):
                recorded, text = self._recorded(match.version + 1, auditor.command_codec)
                executed.append((auditor.execute_again(recorded), text, match.collect_draws()))
        except BrokenRecordError as broken:
            return executed, broken
        return executed, None

    def _refuse(self, broken: BrokenRecordError) -> NoReturn:
        number = broken.version + 1
        if isinstance(broken, UnknownRulesError):
            raise UncheckableFileError(number, broken.detail) from broken
        self.check_link(number)  # raises a more precise error if only this line was changed
        raise BrokenFileError(number, broken.detail) from broken

    def _recorded(self, version: int, codec: Codec) -> tuple[Entry, str]:
        """Return the command of a line with its author and time, and its canonical form."""
        try:
            given = _GIVEN_PART.decode(self.file.facts[version - 1])
        except (ValueError, RecursionError) as error:
            raise BrokenRecordError(version, "no command caused this fact") from error
        try:
            command, text = read_line_command(bytes(given.command), codec)
        except MalformedError as error:
            raise BrokenRecordError(version, f"the command is malformed: {error}") from error
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise BrokenRecordError(version, f"the command cannot be carried out: {error!r}") from error
        facts = () if version > 1 else self._opening_facts()
        return Entry(version, given.at, given.by, None, command, "", "", facts), text

    def _opening_facts(self) -> tuple[Fact, ...]:
        """Return the fact that created the match and, for a branch, the position from which it starts."""
        facts = [read_line(2, self.file.facts[0]).get("fact")]
        if isinstance(facts[0], dict) and facts[0].get("branch") and len(self.file.facts) > 1:
            facts.append(read_line(3, self.file.facts[1]).get("fact"))
        try:
            return tuple(MATCH_CODEC.parse(fact) for fact in facts)
        except MalformedError as error:
            raise BrokenRecordError(1, f"the announcement of the match can't be read: {error}") from error

    def _compare(self, match: Match, linked: Sequence[Link], draws: Sequence[Draw]) -> None:
        """Compare the lines of one command with the expected ones."""
        lines, first = self.file.facts, len(self.hashes)
        end = first + len(linked)
        if end > len(lines):
            self.check_link(first + 2)
            raise BrokenFileError(
                self.file.last_line, f"the file ends before the {len(linked)} facts of the last command"
            )
        for index, link in enumerate(linked, first):
            signed = index == end - 1 and is_signed_at(self.commands, last=end == len(lines))
            receipt = self._receipt_on(index + 2) if signed else None
            expected = export_line(MATCHES, link, match, ARBITER, draws if index == first else (), receipt)
            if lines[index] != expected:
                line = self.check_link(index + 2)
                raise BrokenFileError(index + 2, _line_difference(line, read_line(index + 2, expected)))
            self.hashes.append(link.hash)
            if receipt:
                text = MATCHES.receipt_text(self.id, link.version, link.hash, link.entry.at)
                self.check_signature(index + 2, *receipt, text, link.entry.at)
        self.draws += len(draws)

    def _receipt_on(self, number: int) -> tuple[str, str]:
        """Return the key and signature on a line, which can't be computed and are checked separately."""
        line = read_line(number, self.file.facts[number - 2])
        key, signature = line.get("key"), line.get("signature")
        if not isinstance(key, str) or not isinstance(signature, str):
            self.check_link(number)
            raise BrokenFileError(number, "the receipt that belongs here is missing")
        return key, signature


def _line_difference(line: Plain, expected: Plain) -> str:
    """Describe how a line with a correct hash differs from the one that the rules give."""
    if ("seat" in line) != ("seat" in expected):
        return (
            "the command before causes another fact, which is missing here"
            if "seat" in line
            else "no command caused this fact"
        )
    if canonical(line["fact"]) != canonical(expected["fact"]):
        return str(difference(line["fact"], expected["fact"]))
    if wrong := set(line["sealed"]) ^ set(expected["sealed"]):
        names = ", ".join(sorted(wrong))
        return f"{names} of {expected['fact']['type']} is sealed but not hidden, or hidden but not sealed"
    sentences = {
        "at": "the facts of one command happened at different moments",
        "by": "the facts of one command have different authors",
        "seat": "another seat's clock was stopped",
        "draws": "the draws are not those of the seed",
        "sealed_command": "a command that names what is hidden is not sealed, or one that does not is",
    }
    for name, sentence in sentences.items():
        if line.get(name) != expected.get(name):
            return sentence
    return "something on this line does not belong there"
