"""Signed notes (C2SP signed-note), and the tree head that is the text of a checkpoint (C2SP tlog-checkpoint).

This module reads and writes their text. Signatures are made and checked by the service.
"""

import hashlib
import re
from base64 import b64decode, b64encode
from dataclasses import dataclass

ED25519, COSIGNATURE = 0x01, 0x04
"""Kinds of keys: a signature over the text, and the cosignature of a witness (C2SP tlog-cosignature)."""
MAX_NAME_BYTES = 255
MAX_SIGNATURES = 100
_MAX_NOTE_LENGTH = 100_000
_DECIMAL = re.compile(r"0|[1-9][0-9]{0,15}")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_HASH = 32


class UnreadableNoteError(ValueError):
    """The text is not a signed note, checkpoint, signature line or key of the form that C2SP specifies."""


def decode_base64(text: str) -> bytes:
    """Decode canonical Base64 only; otherwise several texts could represent the same bytes."""
    raw = b64decode(text, validate=True)
    if b64encode(raw).decode() != text:
        raise ValueError("not canonical Base64")
    return raw


def is_key_name(name: str) -> bool:
    """Return whether a name can be that of a key: no white space, no plus, no control character."""
    plain = name.isprintable() and not any(one.isspace() or one == "+" for one in name)
    return plain and 0 < len(name.encode(errors="replace")) <= MAX_NAME_BYTES


@dataclass(frozen=True, slots=True)
class NoteKey:
    """A public key with its name and kind."""

    name: str
    kind: int
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes that stand before each signature of the key."""
        return hashlib.sha256(f"{self.name}\n".encode() + bytes([self.kind]) + self.public).digest()[:4]

    @property
    def text(self) -> str:
        """The key as text ("vkey"): name, id in hex, and kind and key in Base64, separated by plus signs."""
        return f"{self.name}+{self.id.hex()}+{b64encode(bytes([self.kind]) + self.public).decode()}"


def read_key(text: str, kind: int) -> NoteKey:
    """Read a key of a kind from its text form."""
    try:
        name, given, encoded = text.split("+", 2)
        raw = decode_base64(encoded)
    except ValueError as error:
        raise UnreadableNoteError("a key has the form name+id+key, with the key in Base64") from error
    key = NoteKey(name, kind, raw[1:])
    if not is_key_name(name) or len(raw) != 1 + _HASH or raw[0] != kind or key.id.hex() != given:
        raise UnreadableNoteError(f"{text!r} is not an Ed25519 key of kind {kind:#04x}, or its id is wrong")
    return key


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """One signature under a note."""

    name: str
    key: bytes
    """The id of the key."""
    value: bytes

    @property
    def line(self) -> str:
        """The line of the note, with its line break."""
        return f"— {self.name} {b64encode(self.key + self.value).decode()}\n"


@dataclass(frozen=True, slots=True)
class Note:
    """A text with signatures, as C2SP specifies signed notes."""

    text: str
    """The signed text, which ends with a line break."""
    signatures: tuple[NoteSignature, ...]

    def write(self) -> str:
        """Return the note as text."""
        return self.text + "\n" + "".join([one.line for one in self.signatures])

    def by(self, key: NoteKey) -> list[NoteSignature]:
        """Return the signatures that claim to be made with a key."""
        return [one for one in self.signatures if (one.name, one.key) == (key.name, key.id)]


def read_signatures(lines: str) -> tuple[NoteSignature, ...]:
    """Read signature lines, as they stand under a note."""
    if not lines.endswith("\n") or _CONTROL.search(lines):
        raise UnreadableNoteError("signature lines end with a line break and have no control characters")
    found = tuple([_read_line(line) for line in lines[:-1].split("\n")])
    if len(found) > MAX_SIGNATURES:
        raise UnreadableNoteError(f"a note has at most {MAX_SIGNATURES} signatures")
    return found


def _read_line(line: str) -> NoteSignature:
    try:
        dash, name, encoded = line.split(" ")
        raw = decode_base64(encoded)
    except ValueError:
        dash, name, raw = "", "", b""
    if dash != "—" or not is_key_name(name) or len(raw) <= 4:
        raise UnreadableNoteError("a signature line is a dash, the name of the key and Base64: — name AbCd…")
    return NoteSignature(name, raw[:4], raw[4:])


def read_note(content: str) -> Note:
    """Read a signed note; raise UnreadableNoteError if it is malformed."""
    text, gap, lines = content.rpartition("\n\n")
    if not gap or not text or len(content) > _MAX_NOTE_LENGTH or _CONTROL.search(content):
        raise UnreadableNoteError("a signed note is a text, an empty line and signature lines")
    return Note(text + "\n", read_signatures(lines))


@dataclass(frozen=True, slots=True)
class TreeHead:
    """The text of a checkpoint: the log, the size of its tree, and the root in hex."""

    origin: str
    size: int
    root: str

    @property
    def text(self) -> str:
        """The three lines that are signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(bytes.fromhex(self.root)).decode()}\n"


def read_tree_head(note: Note) -> TreeHead:
    """Read the tree head in the text of a note; further lines are allowed and ignored."""
    lines = note.text[:-1].split("\n")
    try:
        origin, size, root = lines[:3]
        raw = decode_base64(root)
    except ValueError:
        origin, size, raw = "", "", b""
    if not origin or not all(lines) or not _DECIMAL.fullmatch(size) or len(raw) != _HASH:
        raise UnreadableNoteError("a checkpoint has at least three lines: origin, size and root of the tree")
    return TreeHead(origin, int(size), raw.hex())


def cosigned_text(text: str, at_s: int) -> bytes:
    """Return the text that a witness signs: a header with the time in seconds, then the checkpoint."""
    return f"cosignature/v1\ntime {at_s}\n{text}".encode()
