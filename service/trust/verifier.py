"""The offline verifier: takes the export of a match and checks it, with no service and no database.

Of a complete export nothing is believed but who wanted what and when: every command is carried out again under the pinned rules, and
the lines that come of it must be the lines of the file, byte by byte. Only where they are not is it worked out, in words, what is wrong.
"""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

import msgspec

from kontor_games.domain.audit import Auditor, BrokenRecordError, Draw, RecordedCommand, UnknownRulesError, read_command
from kontor_games.domain.chain import GENESIS, Link, receipt_text
from kontor_games.domain.codec import ARBITER, Codec, MalformedError, Plain, canonical
from kontor_games.domain.commands import Command, Entry
from kontor_games.domain.export import FOOTER_PREFIX, export_footer, export_line, is_signed_at, ruleset_of
from kontor_games.domain.export_reader import BrokenFileError, ExportFile, check_link, read_line, take_apart
from kontor_games.domain.fact_difference import difference
from kontor_games.domain.game import Fact
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MATCH_CODEC
from kontor_games.service.trust.signatures import PublicKey, UnreadableKeysError, is_signed, key_at, read_keys

__all__ = ["BrokenFileError", "UncheckableFileError", "UnreadableReceiptError", "Verdict", "verify"]


class UncheckableFileError(BrokenFileError):
    """A file that may be good, but its rules are not installed here."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was checked of a good file."""

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
    """Whether the keys are those that the reader knows, and not only those that the file itself names."""
    receipts: int
    open_seed: bool
    branch: bool


class _Cause(msgspec.Struct):
    """The few things on a line that can't be worked out."""

    at: int
    by: str
    command: msgspec.Raw


_CAUSE = msgspec.json.Decoder(_Cause)
_COMMAND = msgspec.json.Decoder(dict[str, Any])


@lru_cache(maxsize=20_000)
def read_line_command(raw: bytes, codec: Codec) -> tuple[Command, str]:
    """A command on a line, and its canonical form; the same few are given again and again, in one match and in thousands."""
    return read_command(_COMMAND.decode(raw), codec)


_Redone = tuple[Entry, str, list[Draw]]
"""A command carried out again: the entry it gives, its canonical form, and what was drawn."""


def verify(content: bytes, keys: Sequence[Plain] | None = None, receipts: Sequence[Plain] = ()) -> Verdict:
    """Checks an export; BrokenFileError says where it breaks first.

    `keys` are those the service publishes, so that only its signatures count; `receipts` are those that somebody kept.
    """
    with _no_search_for_cycles():
        checking = _Checking(take_apart(content), keys)
        match = checking.play_again() if checking.file.header["complete"] else None
        if match is None:
            checking.follow()
        checking.check_receipts(receipts)
        return checking.verdict(match, trusted=keys is not None, receipts=len(receipts))


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """A match is many small objects, none of which refers to itself: to look for those that do takes a sixth of the time."""
    looks = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looks:
            gc.enable()


class _Checking:
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

    # --- a match that is over: everything is done again ------------------------------------------------------------------------

    def play_again(self) -> Match:
        """Carries every command out again; the lines that come of it must be those of the file."""
        auditor = Auditor(self.id)
        redone, broken = self._redo_all(auditor)
        for entry, command_text, draws in redone:
            self.commands += 1
            self._compare(auditor.match, auditor.bind(entry, command_text), draws)
        if broken is not None:
            self._refuse(broken)
        match = auditor.match
        if not match.over:
            raise BrokenFileError(1, "the file is said to be complete, but the match is not over")
        if self.file.header["ruleset"] != ruleset_of(match) or self.file.header["viewer"] is not None:
            raise BrokenFileError(1, "the first line does not describe this match")
        self._check_closing(export_footer(match, self.head, self.file.hash))
        return match

    def _redo_all(self, auditor: Auditor) -> tuple[list[_Redone], BrokenRecordError | None]:
        """Every command carried out again, up to the first that can't be.

        All are decided before any is hashed: measurably quicker, since a processor's caches hold the code for one thing at a time.
        """
        match, redone = auditor.match, list[_Redone]()
        try:
            while match.version < len(self.file.facts):
                recorded = self._recorded(match.version + 1, auditor.command_codec)
                redone.append((auditor.redo(recorded), recorded.text, match.collect_draws()))
        except BrokenRecordError as broken:
            return redone, broken
        return redone, None

    def _refuse(self, broken: BrokenRecordError) -> NoReturn:
        number = broken.version + 1
        if isinstance(broken, UnknownRulesError):
            raise UncheckableFileError(number, broken.detail) from broken
        self._check_link(number)  # what was changed on one line only is better said so
        raise BrokenFileError(number, broken.detail) from broken

    def _recorded(self, version: int, codec: Codec) -> RecordedCommand:
        """Who gave which command and when: all that is taken from a line."""
        try:
            cause = _CAUSE.decode(self.file.facts[version - 1])
        except (ValueError, RecursionError) as error:
            raise BrokenRecordError(version, "no command caused this fact") from error
        try:
            command, text = read_line_command(bytes(cause.command), codec)
        except MalformedError as error:
            raise BrokenRecordError(version, f"the command is malformed: {error}") from error
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise BrokenRecordError(version, f"the command cannot be carried out: {error!r}") from error
        return RecordedCommand(version, cause.at, cause.by, command, text, () if version > 1 else self._announced())

    def _announced(self) -> tuple[Fact, ...]:
        """What the first line announces, and the position from which a branch begins."""
        facts = [read_line(2, self.file.facts[0]).get("fact")]
        if isinstance(facts[0], dict) and facts[0].get("branch") and len(self.file.facts) > 1:
            facts.append(read_line(3, self.file.facts[1]).get("fact"))
        try:
            return tuple(MATCH_CODEC.parse(fact) for fact in facts)
        except MalformedError as error:
            raise BrokenRecordError(1, f"the announcement of the match can't be read: {error}") from error

    def _compare(self, match: Match, linked: Sequence[Link], draws: Sequence[Draw]) -> None:
        """The lines of one command, as they must be and as they are."""
        lines, first = self.file.facts, len(self.hashes)
        end = first + len(linked)
        if end > len(lines):
            self._check_link(first + 2)
            raise BrokenFileError(self.file.last_line, f"the file ends before the {len(linked)} facts of the last command")
        for place, one in enumerate(linked, first):
            signed = place == end - 1 and is_signed_at(self.commands, last=end == len(lines))
            receipt = self._receipt_on(place + 2) if signed else None
            due = export_line(one, match, ARBITER, draws if place == first else (), receipt)
            if lines[place] != due:
                self._explain(place + 2, due)
            self.hashes.append(one.hash)
            if receipt:
                self._check_signature(place + 2, *receipt, receipt_text(self.id, one.version, one.hash, one.entry.at), one.entry.at)
        self.draws += len(draws)

    def _receipt_on(self, number: int) -> tuple[str, str]:
        """What only the service can write: its signature, to be put on the line that is due and then checked."""
        line = read_line(number, self.file.facts[number - 2])
        key, signature = line.get("key"), line.get("signature")
        if not isinstance(key, str) or not isinstance(signature, str):
            self._check_link(number)
            raise BrokenFileError(number, "the receipt that belongs here is missing")
        return key, signature

    def _explain(self, number: int, due: bytes) -> NoReturn:
        raise BrokenFileError(number, _difference(self._check_link(number), read_line(number, due)))

    def _check_link(self, number: int) -> Plain:
        return check_link(number, self.file.facts[number - 2], self.id, self.head, self._secret() if self.file.header["complete"] else None)

    def _secret(self) -> str:
        created = read_line(2, self.file.facts[0]).get("fact")
        secret = created.get("server_secret") if isinstance(created, dict) else None
        return secret if isinstance(secret, str) else ""

    # --- a match that runs: what its reader may know is checked against the chain ----------------------------------------------

    def follow(self) -> None:
        """Goes along the chain; what is hidden still can't be played again."""
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
        ends = {"version": len(lines), "head": self.head, "at": lines[-1]["at"], "result": None, "file": self.file.hash}
        self._check_closing({"end": _status({line["fact"].get("type") for line in lines}), **ends})

    def _check_receipt(self, line: Plain, *, wanted: bool) -> None:
        number = line["version"] + 1
        if not (wanted == ("key" in line) == ("signature" in line)) or "draws" in line:
            raise BrokenFileError(number, "the receipt that belongs here is missing" if wanted else "a receipt or draws do not belong here")
        if wanted:
            self._check_signature(
                number, line["key"], line["signature"], receipt_text(self.id, line["version"], line["hash"], line["at"]), line["at"]
            )

    def _check_announcement(self, created: Plain) -> None:
        names = {"game": "game", "version": "rules_version", "data": "data", "data_hash": "data_hash"}
        if self.file.header["ruleset"] != {name: created.get(field) for name, field in names.items()}:
            raise BrokenFileError(1, "the first line does not describe this match")

    # --- both ------------------------------------------------------------------------------------------------------------------

    def _check_signature(self, number: int, name: str, signature: str, message: bytes, at: int) -> None:
        key = key_at(self.keys, at)
        if key is None or key.id != name:
            raise BrokenFileError(number, f"signed with the key {name}, which was not the service's at that moment")
        if not is_signed(key.public, signature, message):
            raise BrokenFileError(number, "the signature is not right")
        self.used.add(key.id)

    def _check_closing(self, due: Plain) -> None:
        number, footer = self.file.last_line, self.file.footer
        for name, value in due.items():
            if canonical(footer[name]) != canonical(value):
                wrong = "the lines before are not those that were signed" if name == "file" else f"the closing line is wrong about {name!r}"
                raise BrokenFileError(number, wrong)
        claimed = {name: value for name, value in footer.items() if name not in ("key", "signature")}
        self._check_signature(number, footer["key"], footer["signature"], FOOTER_PREFIX + canonical(claimed), footer["at"])

    def check_receipts(self, receipts: Sequence[Plain]) -> None:
        """Receipts that somebody kept: what the service signed then must be what the file says now."""
        for receipt in receipts:
            match_id, version, head, at, key, signature = _read_receipt(receipt)
            if match_id != self.id or not 1 <= version <= len(self.hashes):
                raise BrokenFileError(
                    self.file.last_line, f"a kept receipt is for version {version} of match {match_id}, which is not here"
                )
            self._check_signature(version + 1, key, signature, receipt_text(self.id, version, head, at), at)
            if head != self.hashes[version - 1]:
                raise BrokenFileError(version + 1, "the service has signed another history: a kept receipt names another hash here")

    def verdict(self, match: Match | None, *, trusted: bool, receipts: int) -> Verdict:
        """What was checked, now that nothing is wrong."""
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
    """What has become of a match in which facts of these kinds have happened."""
    ends = {"match_finished": "finished", "match_aborted": "aborted", "match_started": "running"}
    return next((status for kind, status in ends.items() if kind in kinds), "open")


def _read_keys(file: ExportFile, given: Sequence[Plain] | None) -> list[PublicKey]:
    """The keys that count: those given, or those that the file names."""
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


class UnreadableReceiptError(Exception):
    """Not a receipt of a service."""


def _read_receipt(receipt: Plain) -> tuple[str, int, str, int, str, str]:
    form = {"match": str, "version": int, "head": str, "at": int, "key": str, "signature": str}
    if not isinstance(receipt, dict) or any(type(receipt.get(name)) is not kind for name, kind in form.items()):
        raise UnreadableReceiptError("this is not a receipt: it has " + ", ".join(form))
    match_id, version, head, at, key, signature = (receipt[name] for name in form)
    return match_id, version, head, at, key, signature


def _difference(line: Plain, due: Plain) -> str:
    """How a line that holds together by itself differs from the one that the rules give."""
    if ("seat" in line) != ("seat" in due):
        return "the command before causes another fact, which is missing here" if "seat" in line else "no command caused this fact"
    if canonical(line["fact"]) != canonical(due["fact"]):
        return difference(line["fact"], due["fact"])
    if wrong := set(line["sealed"]) ^ set(due["sealed"]):
        return f"{', '.join(sorted(wrong))} of {due['fact']['type']} is sealed but not hidden, or hidden but not sealed"
    sentences = {
        "at": "the facts of one command happened at different moments",
        "by": "the facts of one command have different authors",
        "seat": "another seat's clock was stopped",
        "draws": "the draws are not those of the seed",
        "sealed_command": "a command that names what is hidden is not sealed, or one that does not is",
    }
    for name, sentence in sentences.items():
        if line.get(name) != due.get(name):
            return sentence
    return "something on this line does not belong there"
