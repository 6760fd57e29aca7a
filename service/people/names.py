"""Names of players: the rules for them, and the index by which players are searched for and sorted.

A name is shown, never interpreted, and need not be unique.
"""

from unicodedata import category, normalize

from kontor_games.domain.game import Refusal
from kontor_games.service.store.database import Statement

NAME_TABLES = (
    "CREATE TABLE IF NOT EXISTS player_names (player TEXT PRIMARY KEY, folded TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS player_names_by_name ON player_names (folded, player)",
)
MAX_NAME_LENGTH = 40
_JOINERS = "\u200c\u200d"
"""Invisible, but used in emoji and some scripts."""
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Invisible, although their category is that of letters or symbols."""
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
    if not all(map(_is_allowed, text)):
        return (
            "must not contain control characters, invisible characters"
            " or characters that change the direction of writing"
        )
    if not 1 <= len(normalize("NFC", text)) <= MAX_NAME_LENGTH:
        return f"must have between 1 and {MAX_NAME_LENGTH} characters"
    if text != text.strip(" ") or not any(map(_is_visible, text)):
        return "must be visible, and neither begin nor end with a space"
    return None


def _is_allowed(c: str) -> bool:
    if c == " " or c in _JOINERS:
        return True
    return category(c) not in _FORBIDDEN and c not in _BLANK and not _is_noncharacter(ord(c))


def _is_visible(c: str) -> bool:
    """Letters, digits, punctuation and symbols, and unassigned codes, because every year brings new emoji."""
    return category(c)[0] in "LNPS" or category(c) == "Cn"


def _is_noncharacter(code: int) -> bool:
    """Codes that Unicode will never assign."""
    return 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE


def folded(name: str) -> str:
    """The sort key of a name: case-folded, and in hex, so that every database sorts it in the same way."""
    return normalize("NFKC", name).casefold().encode().hex()


def name_row(player: str, name: str) -> Statement:
    """The statement that adds a player to the name index."""
    return (
        "INSERT INTO player_names VALUES (?, ?) ON CONFLICT (player) DO UPDATE SET folded = excluded.folded",
        (player, folded(name)),
    )
