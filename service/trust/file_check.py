"""What the checks of all exports share: keys, signatures, kept receipts, checkpoint and closing line."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from kontor_games.domain.codec import Plain, canonical
from kontor_games.domain.export import footer_text
from kontor_games.domain.export_reader import BrokenFileError
from kontor_games.domain.log_leaves import HeadLeaf
from kontor_games.domain.stream import Decider
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.trust.inclusion_check import LogEvidence, LogEvidenceError
from kontor_games.service.trust.notes import (
    PublicKey,
    UnreadableKeysError,
    key_at,
    read_keys,
    read_receipt,
)


class UncheckableFileError(BrokenFileError):
    """The file can't be checked here: its rules are not installed, or the checkpoint is too old or new."""


class FileCheck:
    """The check of one export; the fact with version n is on line n + 1."""

    def __init__(
        self,
        decider: Decider[Any],
        leaf: type[HeadLeaf],
        header: Mapping[str, Plain],
        keys: Sequence[Plain] | None,
        log: LogEvidence | None,
    ) -> None:
        """`leaf` is the kind of leaf that the log has of such a stream."""
        self.decider = decider
        self.id: str = header[decider.id_field]
        self.keys = _read_keys(header["keys"], keys)
        self.log = log
        self.hashes: list[str] = []
        self.used: set[str] = set()
        self._leaf = leaf

    def check_signature(
        self, number: int, name: str, signature: Plain, message: bytes, at: int, version: int | None = None
    ) -> None:
        """Check that a message was signed with the key in use at a time; without a version, for its line.

        With a checkpoint, only keys that its tree binds before that version count.
        """
        version = number - 1 if version is None else version
        keys = self.keys if self.log is None else self.log.keys_at(version, self.keys)
        key = key_at(keys, at)
        if key is None or key.id != name:
            self._refuse_key(number, version, name)
        if not isinstance(signature, str) or not is_signed(key.public, signature, message):
            raise BrokenFileError(number, "the signature is not right")
        self.used.add(key.id)

    def _refuse_key(self, number: int, version: int, name: str) -> NoReturn:
        signed = f"signed with the key {name}"
        if self.log is None or all(one.id != name for one in self.keys):
            raise BrokenFileError(number, f"{signed}, which was not the service's at that moment")
        if version <= self.log.leaf.version:
            raise BrokenFileError(number, f"{signed}, which the log did not bind before it held this match")
        self._check_leaf(self.log)  # a changed history is reported rather than a key that is not bound yet
        later = "use a later checkpoint"
        raise UncheckableFileError(number, f"the kept checkpoint does not bind the key {name}: {later}")

    def _check_leaf(self, log: LogEvidence) -> None:
        try:
            log.check_subject(self._leaf, self.id)
            log.check_hashes(self.hashes)
        except LogEvidenceError as error:
            raise BrokenFileError(log.leaf.version + 1, str(error)) from error

    def check_closing_line(
        self, number: int, footer: Mapping[str, Plain], expected: Plain, version: int | None = None
    ) -> None:
        """Check the content and the signature of the closing line."""
        if {*footer} != {*expected, "key", "signature"}:
            raise BrokenFileError(number, "the closing line does not have exactly the required fields")
        for name, value in expected.items():
            if canonical(footer[name]) != canonical(value):
                wrong = f"the closing line is wrong about {name!r}"
                changed = "the lines before are not those that were signed"
                raise BrokenFileError(number, changed if name == "file" else wrong)
        text = footer_text(self.decider, {name: footer[name] for name in expected})
        self.check_signature(number, footer["key"], footer["signature"], text, footer["at"], version)

    def check_receipt(self, receipt: Plain, last_line: int) -> None:
        """Check that a kept receipt was signed by the service and matches the file."""
        kind = self.decider.kind
        subject, version, head, at, key, signature = read_receipt(receipt, kind)
        if subject != self.id or not 1 <= version <= len(self.hashes):
            problem = f"a kept receipt is for version {version} of {kind} {subject}, which is not here"
            raise BrokenFileError(last_line, problem)
        text = self.decider.receipt_text(self.id, version, head, at)
        self.check_signature(version + 1, key, signature, text, at)
        if head != self.hashes[version - 1]:
            problem = "the service has signed another history: a kept receipt names another hash here"
            raise BrokenFileError(version + 1, problem)


def short_reach(leaf: HeadLeaf, facts: int) -> str:
    """Describe how far a proof reaches that does not cover the last fact of a file."""
    return (
        f"the proof covers only the first {leaf.version:,} of {facts:,} facts: the kept checkpoint is older"
        " than the others, or the service withholds a newer leaf; use a later checkpoint, or read all leaves"
        " with `kontor checkpoint search URL --checkpoint KEPT --export FILE`"
    )


def _read_keys(named: Plain, published: Sequence[Plain] | None) -> list[PublicKey]:
    """Return the keys to check with: those given, or else those that the file names."""
    try:
        keys = read_keys(named)
    except UnreadableKeysError as error:
        raise BrokenFileError(1, str(error)) from error
    if published is None:
        return keys
    known = read_keys(published)
    for key in keys:
        if key not in known:
            raise BrokenFileError(1, f"the key {key.id} is not one that the service publishes")
    return known
