"""What a player may be called. Names are inert text: shown, never interpreted, never unique."""

from unicodedata import category, normalize

from kontor_games.domain.codec import Fault, MalformedError

LONGEST_NAME = 40
_JOINERS = "\u200c\u200d"
"""Invisible, but emoji and some scripts are written with them."""
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols by their category, yet nothing is seen."""
_UNSEEN = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs")
"""Controls, formats (among them everything that turns the direction of writing round), private use, half surrogate pairs, odd spaces."""


def read_name(text: str, pointer: str = "/name") -> str:
    """The name in its one form (Unicode NFC); raises MalformedError where it could not be shown safely as one line of text."""
    detail = _fault_in(text)
    if detail is not None:
        raise MalformedError([Fault(pointer, detail)])
    return normalize("NFC", text)


def _fault_in(text: str) -> str | None:
    if not all(map(_can_be_shown, text)):
        return "must not hold control characters, invisible characters or characters that change the direction of writing"
    if not 1 <= len(normalize("NFC", text)) <= LONGEST_NAME:
        return f"must have between 1 and {LONGEST_NAME} characters"
    if text != text.strip(" ") or not any(map(_can_be_seen, text)):
        return "must be visible, and neither begin nor end with a space"
    return None


def _can_be_shown(c: str) -> bool:
    if c == " " or c in _JOINERS:
        return True
    return category(c) not in _UNSEEN and c not in _BLANK and not _is_noncharacter(ord(c))


def _can_be_seen(c: str) -> bool:
    """Letters, digits, signs; and what this Python does not know yet, since every year brings new emoji."""
    return category(c)[0] in "LNPS" or category(c) == "Cn"


def _is_noncharacter(code: int) -> bool:
    """Codes that Unicode will never assign."""
    return 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE
