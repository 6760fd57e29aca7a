"""The offline verifier: checks the export of a match, without a service or a database.

Of a complete export, only the commands, their authors and their times are taken as given: every command is
executed again under the pinned rules, and the resulting lines must equal the lines of the file, byte for
byte. Only if they differ is the difference explained in words.
"""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NoReturn

import msgspec

from kontor_games.domain.audit import (
    Asked,
    Auditor,
    BrokenRecordError,
    Draw,
    Reading,
    UnknownRulesError,
    read_command,
)
from kontor_games.domain.chain import GENESIS, Link, receipt_text
from kontor_games.domain.codec import ARBITER, Codec, MalformedError, Plain, canonical
from kontor_games.domain.entry import MATCH_CODEC, Entry
from kontor_games.domain.export import FOOTER_PREFIX, export_footer, export_line, is_signed_at, ruleset_of
from kontor_games.domain.export_reader import BrokenFileError, ExportFile, check_link, read_line, take_apart
from kontor_games.domain.game import Fact
from kontor_games.domain.match import Match
from kontor_games.service.trust.line_difference import line_difference
from kontor_games.service.trust.signatures import (
    PublicKey,
    UnreadableKeysError,
    UnreadableReceiptError,
    is_signed,
    key_at,
    read_keys,
    read_receipt,
)

__all__ = ["BrokenFileError", "UncheckableFileError", "UnreadableReceiptError", "Verdict", "verify"]


class UncheckableFileError(BrokenFileError):
    """The file can't be checked because its rules are not installed here."""


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
    keys: tuple[str, ...]
    trusted: bool
    """Whether the keys were given to the verifier, and not only named by the file."""
    receipts: int
    open_seed: bool
    branch: bool


class _GivenPart(msgspec.Struct):
    """The part of a line that can't be computed from the lines before."""

    at: int
    by: str
    command: msgspec.Raw


_GIVEN_PART = msgspec.json.Decoder(_GivenPart)
_COMMAND = msgspec.json.Decoder(dict[str, Any])


@lru_cache(maxsize=20_000)
def read_line_command(raw: bytes, codec: Codec | None) -> Reading:
    """Read the command of a line; cached, because the same few commands occur again and again."""
    return read_command(_COMMAND.decode(raw), codec)


_Executed = tuple[Entry, str, list[Draw]]
"""A command executed again: its entry, its canonical form and its draws."""


def verify(content: bytes, keys: Sequence[Plain] | None = None, receipts: Sequence[Plain] = ()) -> Verdict:
    """Check an export; raise BrokenFileError for the first line that is wrong.

    `keys` are the published keys of the service, if only its signatures are to be accepted; `receipts` are
    kept receipts.
    """
    with _garbage_collection_off():
        check = _Check(take_apart(content), keys)
        match = check.replay() if check.file.header["complete"] else None
        if match is None:
            check.follow_chain()
        check.check_receipts(receipts)
        return check.verdict(match, trusted=keys is not None, receipts=len(receipts))


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


class _Check:
    """The check of one file: line by line, then the closing line."""

    def __init__(self, file: ExportFile, keys: Sequence[Plain] | None) -> None:
        self.file = file
        self.id: str = file.header["match"]
        self.keys = _read_keys(file, keys)
        self.hashes: list[str] = []
        self.used: set[str] = set()
        self.commands = 0
        self.draws = 0

    @property
    def head(self) -> str:
        return self.hashes[-1] if self.hashes else GENESIS

    # --- a match that is over: every command is executed again ----------------------------------------------

    def replay(self) -> Match:
        """Execute every command again and compare the resulting lines with the file."""
        auditor = Auditor(self.id)
        executed, broken = self._execute_all(auditor)
        for entry, wanted, draws in executed:
            self.commands += 1
            self._compare(auditor.match, auditor.bind(entry, wanted), draws)
        if broken is not None:
            self._refuse(broken)
        match = auditor.match
        if not match.over:
            raise BrokenFileError(1, "the file is said to be complete, but the match is not over")
        if self.file.header["ruleset"] != ruleset_of(match) or self.file.header["viewer"] is not None:
            raise BrokenFileError(1, "the first line does not describe this match")
        self._check_closing(export_footer(match, self.head, self.file.hash))
        return match

    def _execute_all(self, auditor: Auditor) -> tuple[list[_Executed], BrokenRecordError | None]:
        """Execute every command again, up to the first that is refused.

        All are executed before any is hashed, which is measurably faster.
        """
        match, executed = auditor.match, list[_Executed]()
        try:
            while match.version < len(self.file.facts):
                entry, wanted = auditor.redo(self._asked(match.version + 1))
                executed.append((entry, wanted, match.collect_draws()))
        except BrokenRecordError as broken:
            return executed, broken
        return executed, None

    def _refuse(self, broken: BrokenRecordError) -> NoReturn:
        number = broken.version + 1
        if isinstance(broken, UnknownRulesError):
            raise UncheckableFileError(number, broken.detail) from broken
        self._check_link(number)  # a change of this line alone has a better explanation
        raise BrokenFileError(number, broken.detail) from broken

    def _asked(self, version: int) -> Asked:
        """Return the command of a line with its author and time."""
        try:
            given = _GIVEN_PART.decode(self.file.facts[version - 1])
        except (ValueError, RecursionError) as error:
            raise BrokenRecordError(version, "no command caused this fact") from error
        read = partial(read_line_command, bytes(given.command))
        return Asked(version, given.at, given.by, read, () if version > 1 else self._opening_facts())

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
            self._check_link(first + 2)
            raise BrokenFileError(
                self.file.last_line, f"the file ends before the {len(linked)} facts of the last command"
            )
        for index, link in enumerate(linked, first):
            signed = index == end - 1 and is_signed_at(self.commands, last=end == len(lines))
            receipt = self._receipt_on(index + 2) if signed else None
            expected = export_line(link, match, ARBITER, draws if index == first else (), receipt)
            if lines[index] != expected:
                self._explain(index + 2, expected)
            self.hashes.append(link.hash)
            if receipt:
                text = receipt_text(self.id, link.version, link.hash, link.entry.at)
                self._check_signature(index + 2, *receipt, text, link.entry.at)
        self.draws += len(draws)

    def _receipt_on(self, number: int) -> tuple[str, str]:
        """Return the key and signature on a line, which can't be computed and are checked separately."""
        line = read_line(number, self.file.facts[number - 2])
        key, signature = line.get("key"), line.get("signature")
        if not isinstance(key, str) or not isinstance(signature, str):
            self._check_link(number)
            raise BrokenFileError(number, "the receipt that belongs here is missing")
        return key, signature

    def _explain(self, number: int, expected: bytes) -> NoReturn:
        raise BrokenFileError(number, line_difference(self._check_link(number), read_line(number, expected)))

    def _check_link(self, number: int) -> Plain:
        secret = self._secret() if self.file.header["complete"] else None
        return check_link(number, self.file.facts[number - 2], self.id, self.head, secret)

    def _secret(self) -> str:
        created = read_line(2, self.file.facts[0]).get("fact")
        secret = created.get("server_secret") if isinstance(created, dict) else None
        return secret if isinstance(secret, str) else ""

    # --- a running match: the visible parts are checked against the hash chain ------------------------------

    def follow_chain(self) -> None:
        """Check the hash chain and receipts; commands with hidden parts can't be executed again."""
        if self.file.footer["end"] in ("finished", "aborted"):
            raise BrokenFileError(1, "the match is over, but the file is not complete")
        lines = []
        for number in range(2, self.file.last_line):
            lines.append(self._check_link(number))
            self.hashes.append(lines[-1]["hash"])
        for line, after in zip(lines, [*lines[1:], None], strict=True):
            self.commands += "seat" in line
            wanted = (after is None or "seat" in after) and is_signed_at(self.commands, last=after is None)
            self._check_receipt(line, wanted=wanted)
        self._check_announcement(lines[0]["fact"])
        ends = {
            "version": len(lines),
            "head": self.head,
            "at": lines[-1]["at"],
            "result": None,
            "file": self.file.hash,
        }
        self._check_closing({"end": _status({line["fact"].get("type") for line in lines}), **ends})

    def _check_receipt(self, line: Plain, *, wanted: bool) -> None:
        number = line["version"] + 1
        if not (wanted == ("key" in line) == ("signature" in line)) or "draws" in line:
            problem = (
                "the receipt that belongs here is missing"
                if wanted
                else "a receipt or draws do not belong here"
            )
            raise BrokenFileError(number, problem)
        if wanted:
            text = receipt_text(self.id, line["version"], line["hash"], line["at"])
            self._check_signature(number, line["key"], line["signature"], text, line["at"])

    def _check_announcement(self, created: Plain) -> None:
        names = {"game": "game", "version": "rules_version", "data": "data", "data_hash": "data_hash"}
        if self.file.header["ruleset"] != {name: created.get(field) for name, field in names.items()}:
            raise BrokenFileError(1, "the first line does not describe this match")

    # --- both -----------------------------------------------------------------------------------------------

    def _check_signature(self, number: int, name: str, signature: str, message: bytes, at: int) -> None:
        key = key_at(self.keys, at)
        if key is None or key.id != name:
            raise BrokenFileError(
                number, f"signed with the key {name}, which was not the service's at that moment"
            )
        if not is_signed(key.public, signature, message):
            raise BrokenFileError(number, "the signature is not right")
        self.used.add(key.id)

    def _check_closing(self, expected: Plain) -> None:
        number, footer = self.file.last_line, self.file.footer
        for name, value in expected.items():
            if canonical(footer[name]) != canonical(value):
                changed = "the lines before are not those that were signed"
                raise BrokenFileError(
                    number, changed if name == "file" else f"the closing line is wrong about {name!r}"
                )
        claimed = {name: value for name, value in footer.items() if name not in ("key", "signature")}
        self._check_signature(
            number, footer["key"], footer["signature"], FOOTER_PREFIX + canonical(claimed), footer["at"]
        )

    def check_receipts(self, receipts: Sequence[Plain]) -> None:
        """Check that kept receipts were signed by the service and match the file."""
        for receipt in receipts:
            match_id, version, head, at, key, signature = read_receipt(receipt)
            if match_id != self.id or not 1 <= version <= len(self.hashes):
                problem = f"a kept receipt is for version {version} of match {match_id}, which is not here"
                raise BrokenFileError(self.file.last_line, problem)
            self._check_signature(version + 1, key, signature, receipt_text(self.id, version, head, at), at)
            if head != self.hashes[version - 1]:
                problem = "the service has signed another history: a kept receipt names another hash here"
                raise BrokenFileError(version + 1, problem)

    def verdict(self, match: Match | None, *, trusted: bool, receipts: int) -> Verdict:
        """Return the result after all checks have passed."""
        header, footer = self.file.header, self.file.footer
        created = read_line(2, self.file.facts[0])["fact"]
        return Verdict(
            match=self.id,
            game=header["ruleset"]["game"],
            complete=match is not None,
            facts=len(self.hashes),
            entries=self.commands,
            draws=self.draws,
            status=footer["end"],
            places=tuple(match.outcome.places) if match and match.outcome else None,
            keys=tuple(sorted(self.used)),
            trusted=trusted,
            receipts=receipts,
            open_seed=created.get("open_seed") is not None,
            branch=bool(created.get("branch")),
        )


def _status(kinds: set[str]) -> str:
    """Return the status of a match with facts of these kinds."""
    ends = {"match_finished": "finished", "match_aborted": "aborted", "match_started": "running"}
    return next((status for kind, status in ends.items() if kind in kinds), "open")


def _read_keys(file: ExportFile, given: Sequence[Plain] | None) -> list[PublicKey]:
    """Return the keys to check with: those given, or else those that the file names."""
    try:
        named = read_keys(file.header["keys"])
    except UnreadableKeysError as error:
        raise BrokenFileError(1, str(error)) from error
    if given is None:
        return named
    known = read_keys(given)
    for key in named:
        if key not in known:
            raise BrokenFileError(1, f"the key {key.id} is not one that the service publishes")
    return known
