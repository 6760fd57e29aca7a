"""Patterns and limits of request values."""

GAME_ID = r"[a-z][a-z0-9_-]{0,63}"
PUBLIC_KEY = r"[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]="
"""32 bytes in canonical Base64: the last character before `=` holds four bits."""
SIGNATURE = r"[A-Za-z0-9+/]{86}=="
TAG = r"[a-z0-9][a-z0-9._-]{0,31}"
TAG_FORM = "1 to 32 lower-case letters, digits, dots, hyphens or underscores, the first one a letter or digit"
MAX_TAGS = 8
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
CURSOR = r"[A-Za-z0-9_-]{1,8000}"
HEX_32_BYTES = r"[0-9a-f]{64}"
"""A contribution. Free text is not allowed, because personal data could never be erased from the record."""
_BASE64 = r"([A-Za-z0-9+/]{4}){2,50}([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?"
SIGNATURE_LINES = rf"(— [!-*,-~]{{1,255}} {_BASE64}\n){{1,16}}"
MAX_WAIT_S = 60
"""Longest wait of a long poll."""
MAX_MOVES = 100
"""Maximum number of moves in one command."""
MAX_NEW_MATCHES = 100
"""Maximum number of matches that one request can create."""
MAX_COMMANDS = 200
"""Maximum number of commands in one request; so many fit into one body, even with keys and signatures."""
MATCH_KEY = r"[A-Za-z0-9_-]{24}"
KEY = r"[!-~]{1,255}"
"""An Idempotency-Key."""
MAX_POSITIONS = 500
"""Maximum number of positions in one response."""
WITHOUT_NUL = r"^[^\u0000]*$"
"""Matches every text without NUL, which databases cannot store."""
