"""Names of players: the rules for them, and the index by which players are searched for and sorted.

A name is shown, never interpreted, and need not be unique.
"""

from itertools import pairwise
from unicodedata import category, name, normalize

from kontor_games.domain.game import Refusal
from kontor_games.service.store.database import Statement

MAX_NAME_LENGTH = 40
_JOINERS = "\u200c\u200d"
"""Invisible; used in emoji, and between letters of scripts that join them."""
_JOINED_SCRIPTS = (
    "ARABIC", "SYRIAC", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA",
    "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR", "TIBETAN",
)  # fmt: skip
"""The first word of the names of letters after which a joiner changes what is seen."""
_EMOJI_STYLE = "\ufe0f"
"""Shows the symbol before it as an emoji."""
_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Invisible, although their category is that of letters, marks or symbols."""
_VARIATIONS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
"""Invisible marks that choose a form of the character before them."""
_FORBIDDEN = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs")
"""Categories: control, format (including bidirectional control), private use, surrogate, separators."""


class NameNotAllowedError(Refusal):
    """The name can't be shown safely as one line of text."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail, rule="")


def read_name(text: str, what: str = "name") -> str:
    """Return a name or other one-line text in Unicode NFC; raise NameNotAllowedError if it can't be shown."""
    fault = _fault_in(text)
    if fault is not None:
        raise NameNotAllowedError(f"The {what} {fault}.")
    return normalize("NFC", text)


def _fault_in(text: str) -> str | None:
    if not all(_is_allowed(c, before) for before, c in pairwise(f" {text}")):
        return (
            "must not contain control characters, invisible characters"
            " or characters that change the direction of writing"
        )
    if not 1 <= len(normalize("NFC", text)) <= MAX_NAME_LENGTH:
        return f"must have between 1 and {MAX_NAME_LENGTH} characters"
    if text != text.strip(" ") or not any(map(_is_visible, text)):
        return "must be visible, and neither begin nor end with a space"
    return None


def _is_allowed(c: str, before: str) -> bool:
    if c == " ":
        return True
    if c in _JOINERS:
        return _is_emoji(before) or name(before, "").startswith(_JOINED_SCRIPTS)
    if c == _EMOJI_STYLE:
        return _is_emoji(before) or before in "0123456789#*"
    if category(c) in _FORBIDDEN or c in _BLANK or _is_noncharacter(ord(c)):
        return False
    return not any(ord(c) in variations for variations in _VARIATIONS)


def _is_emoji(c: str) -> bool:
    """Symbols, skin tones, the mark that makes an emoji, and codes that may become one."""
    return category(c) in ("So", "Sk", "Cn") or c in ("\u2642", "\u2640", _EMOJI_STYLE)


def _is_visible(c: str) -> bool:
    """Letters, digits, punctuation and symbols, and unassigned codes, because every year brings new emoji."""
    return category(c)[0] in "LNPS" or category(c) == "Cn"


def _is_noncharacter(code: int) -> bool:
    """Codes that Unicode will never assign."""
    return 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE


def folded(text: str) -> str:
    """The sort key of a name: case-folded, and in hex, so that every database sorts it in the same way."""
    return normalize("NFKC", text).casefold().encode().hex()


def name_row(player: str, text: str) -> Statement:
    """The statement that adds a player to the name index, unless the player was erased."""
    return (
        "INSERT INTO player_names SELECT id, ? FROM players WHERE id = ? AND name IS NOT NULL"
        " ON CONFLICT (player) DO UPDATE SET folded = excluded.folded",
        (folded(text), player),
    )


def wait_for_erasure(player: str) -> Statement:
    """The statement that waits until another process has erased a player, if it is about to.

    It locks their row. Whatever the same transaction then stores only for players who are not erased is
    either refused, or erased with everything else.
    """
    return "UPDATE players SET name = name WHERE id = ? AND name IS NOT NULL", (player,)
