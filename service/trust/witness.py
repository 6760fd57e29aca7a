"""A witness: follows the log of a service, refuses inconsistent checkpoints, and cosigns the others.

It keeps one checkpoint, the newest that it found consistent, and the keys of the service that it trusts. A
new key counts only if it is a leaf in a tree that was signed with a key that counted before.
"""

import hashlib
import json
import math
import os
import re
import time
from base64 import b64encode
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kontor_games.domain.codec import Plain
from kontor_games.domain.merkle import is_consistent
from kontor_games.domain.seed import is_hash
from kontor_games.domain.signed_note import (
    COSIGNATURE,
    Note,
    NoteKey,
    TreeHead,
    UnreadableNoteError,
    decode_base64,
    is_key_name,
)
from kontor_games.service.trust.inclusion_check import proven_keys, read_json, read_kept_note
from kontor_games.service.trust.log_client import LogClient, LogRefusedError
from kontor_games.service.trust.notes import PublicKey, UnsignedNoteError, cosign, read_keys, signer_of

_PRIVATE = "PRIVATE+KEY+"


class InconsistentLogError(Exception):
    """The log contradicts what the witness saw before; `evidence` shows it."""

    def __init__(self, problem: str, evidence: Plain) -> None:
        """Takes both checkpoints and the offered proof as `evidence`."""
        super().__init__(problem)
        self.evidence = {"problem": problem, **evidence}


@dataclass(frozen=True, slots=True)
class WitnessKey:
    """The key of a witness."""

    public: NoteKey
    private: Ed25519PrivateKey = field(repr=False)

    @property
    def text(self) -> str:
        """The private key as text, for a file that only its owner can read."""
        secret = b64encode(bytes([COSIGNATURE]) + self.private.private_bytes_raw()).decode()
        return f"{_PRIVATE}{self.public.name}+{self.public.id.hex()}+{secret}\n"


def _named(name: str, private: Ed25519PrivateKey) -> WitnessKey:
    return WitnessKey(NoteKey(name, COSIGNATURE, private.public_key().public_bytes_raw()), private)


def new_witness_key(name: str) -> WitnessKey:
    """Return a new key of a witness."""
    if not is_key_name(name):
        raise UnreadableNoteError("the name of a witness has no spaces and no plus signs: witness.example/w1")
    return _named(name, Ed25519PrivateKey.generate())


def read_witness_key(text: str) -> WitnessKey:
    """Read the private key of a witness."""
    try:
        name, given, encoded = text.strip().removeprefix(_PRIVATE).split("+", 2)
        raw = decode_base64(encoded)
        key = _named(name, Ed25519PrivateKey.from_private_bytes(raw[1:]))
    except ValueError as error:
        raise UnreadableNoteError("this is not the key of a witness") from error
    if raw[0] != COSIGNATURE or key.public.id.hex() != given or not text.startswith(_PRIVATE):
        raise UnreadableNoteError("this is not the key of a witness, or its id is wrong")
    return key


@dataclass(frozen=True, slots=True)
class WitnessState:
    """The state of a witness for one log."""

    keys: tuple[PublicKey, ...]
    note: str | None = None
    """The newest checkpoint that was found consistent."""
    submitted: bool = False
    """Whether the service has received the cosignature of it."""
    addresses: tuple[str, ...] = ()
    """Where the log was read."""

    @property
    def head(self) -> TreeHead | None:
        """The tree of the newest checkpoint."""
        return None if self.note is None else read_kept_note(self.note)[1]

    def write(self, path: Path) -> None:
        """Store the state so that a crash leaves either the old one or this one."""
        data = {
            "addresses": list(self.addresses),
            "keys": [key.plain() for key in self.keys],
            "note": self.note,
            "submitted": self.submitted,
        }
        new = path.with_name(path.name + ".new")
        with new.open("w", encoding="utf-8") as file:
            file.write(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)


def read_state(path: Path) -> WitnessState | None:
    """Return the stored state; None if there is none yet; raise ValueError if the file is damaged."""
    if not path.exists():
        return None
    data = read_json(path.read_bytes())
    if not isinstance(data, dict) or data.keys() != {"addresses", "keys", "note", "submitted"}:
        raise ValueError("it does not hold the state of a witness")
    keys, addresses = tuple(read_keys(data["keys"])), tuple(map(str, data["addresses"]))
    return WitnessState(keys, data["note"], bool(data["submitted"]), addresses)


def state_path(folder: Path, origin: str) -> Path:
    """Return the file with the state of the log of an origin, wherever the log is read."""
    digest = hashlib.sha256(origin.encode()).hexdigest()[:16]
    return folder / f"log-{re.sub(r'[^a-z0-9.-]', '_', origin.lower())[:80]}-{digest}.json"


def stored_state(folder: Path, url: str, origin: str) -> WitnessState | None:
    """Return the state that counts for a checkpoint of an origin at an address; None at first contact.

    An address that has shown another log before counts with that log, so that a change of name is noticed.
    """
    for path in sorted(folder.glob("log-*.json")):
        state = None if ".fork-" in path.name else read_state(path)
        head = None if state is None else state.head
        if state is not None and head is not None and head.origin != origin and url in state.addresses:
            return state
    return read_state(state_path(folder, origin))


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of one check of a log."""

    size: int
    grown_from: int
    new: bool
    """Whether the checkpoint is newer than the one before."""


@dataclass(eq=False, repr=False)
class Witness:
    """Follows one log: checks that each checkpoint extends the last, and cosigns it."""

    _client: LogClient
    _key: WitnessKey
    _state: WitnessState
    _save: Callable[[WitnessState], None]
    cached_s: float = 0
    """How long a cache may give an older checkpoint, which is not a rollback."""

    def check(self) -> CheckResult:
        """Fetch the newest checkpoint and store it; raise InconsistentLogError if it contradicts the last."""
        offered = self._client.checkpoint()
        note, head = read_kept_note(offered)
        if self._state.note is None:
            signer_of(note, head.origin, self._state.keys)
            self._keep(offered)
            return CheckResult(head.size, 0, new=True)
        if head.origin != self._kept(self._state.note).origin:
            self._refuse("the log has another name now", offered)
        try:
            self._check_signature(note, head)
        except UnsignedNoteError as error:
            self._refuse(f"the checkpoint cannot be trusted: {error}", offered)
        kept = self._kept(self._state.note)
        if head.size < kept.size and self.cached_s:
            time.sleep(self.cached_s)
            self.cached_s = 0
            return self.check()
        self._check_growth(kept, head, offered)
        if head.size > kept.size or self._client.url not in self._state.addresses:
            self._keep(offered)
        return CheckResult(head.size, kept.size, new=head.size > kept.size)

    @staticmethod
    def _kept(note: str) -> TreeHead:
        return read_kept_note(note)[1]

    def _check_growth(self, kept: TreeHead, head: TreeHead, offered: str) -> None:
        if head.size < kept.size:  # also if the old tree is a true beginning of the kept one
            self._refuse(
                f"it had {kept.size:,} leaves and has {head.size:,} now: it was rolled back", offered
            )
        if kept.size == head.size:
            if kept.root != head.root:
                self._refuse(f"it signed two trees of {kept.size:,} leaves", offered)
            return
        try:
            proof = self._client.consistency(kept.size, head.size)
        except LogRefusedError as error:
            self._refuse(f"it cannot prove that {head.size:,} leaves extend {kept.size:,}: {error}", offered)
        nodes = proof.get("proof") if isinstance(proof, dict) else None
        hashes = isinstance(nodes, list) and all(isinstance(node, str) and is_hash(node) for node in nodes)
        if not hashes or not is_consistent(kept.size, kept.root, head.size, head.root, nodes or []):
            self._refuse(
                f"the tree of {head.size:,} leaves was not grown from that of {kept.size:,}: "
                "history was rewritten",
                offered,
                proof,
            )

    def _check_signature(self, note: Note, head: TreeHead) -> None:
        """Check the signature; a key that is not trusted yet must be a leaf of a tree that was kept."""
        while True:
            try:
                signer_of(note, head.origin, self._state.keys)
            except UnsignedNoteError:
                if not self._learn_keys() and not self._catch_up():
                    raise
            else:
                return

    def _catch_up(self) -> bool:
        """Move on to the newest checkpoint that a trusted key signed; return whether there is one."""
        kept, before = self._kept(self._state.note or ""), math.inf
        for offered in self._client.older_checkpoints():
            note, head = read_kept_note(offered)
            if not kept.size < head.size < before or head.origin != kept.origin:
                return False
            before = head.size
            with suppress(UnsignedNoteError):
                signer_of(note, head.origin, self._state.keys)
                self._check_growth(kept, head, offered)
                self._keep(offered)
                return True
        return False

    def _learn_keys(self) -> bool:
        """Trust the keys that are leaves of the kept tree; return whether there are new ones."""
        kept = self._kept(self._state.note or "")
        answer = self._client.key_proofs(kept.size)
        found = proven_keys(answer.get("keys") if isinstance(answer, dict) else None, kept)
        bound = [PublicKey(leaf.key, leaf.public_key, leaf.valid_from) for _, leaf in found]
        keys = read_keys([key.plain() for key in {*self._state.keys, *bound}])
        grown = len(keys) > len(self._state.keys)
        self._state = replace(self._state, keys=tuple(keys))
        return grown

    def _keep(self, note: str) -> None:
        """Store the checkpoint before anything is signed, so that no older one is ever cosigned after it."""
        same = self._state.head == self._kept(note)
        addresses = tuple(sorted({*self._state.addresses, self._client.url}))
        submitted = same and self._state.submitted
        self._state = replace(self._state, note=note, submitted=submitted, addresses=addresses)
        self._save(self._state)

    def _refuse(self, problem: str, offered: str, proof: Plain = None) -> NoReturn:
        evidence = {"service": self._client.url, "kept": self._state.note, "offered": offered, "proof": proof}
        raise InconsistentLogError(problem, evidence)

    def submit(self, at_s: int) -> bool:
        """Cosign a consistent checkpoint and submit the cosignature once; return whether it was needed."""
        if self._state.note is None or self._state.submitted:
            return False
        note, head = read_kept_note(self._state.note)
        line = cosign(note.text, self._key.public, self._key.private, at_s).line
        self._client.cosign(head.size, line)
        self._state = replace(self._state, submitted=True)
        self._save(self._state)
        return True


def trusted_keys(keys: Sequence[Plain] | None, client: LogClient) -> tuple[PublicKey, ...]:
    """Return the keys to begin with: those given, otherwise those that the service publishes now."""
    published = client.keys() if keys is None else keys
    return tuple(read_keys(published.get("keys") if isinstance(published, dict) else published))
