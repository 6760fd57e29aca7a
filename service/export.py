"""Writes the export of a match: signed entry by entry with the keys of their time, and as a whole."""

from collections.abc import Callable, Sequence

from domain.audit import Auditor, Draw
from domain.codec import canonical
from domain.entry import Entry
from domain.export import FOOTER_PREFIX, export_facts, export_footer, export_header, with_draws, write_line
from domain.match import Match
from service.errors import NotFoundError
from service.log import Logs, MatchLog
from service.matches import Matches, match_uuid
from service.signing import Signer
from service.tokens import Caller

SIGNED_EVERY = 32
"""So many entries share a signature: each covers all before it, and checking one costs as much as playing dozens of moves again."""


class Exports:
    """Gives matches out as files."""

    def __init__(self, logs: Logs, matches: Matches, signer: Signer, clock: Callable[[], int]) -> None:
        """Takes everything it works with as arguments."""
        self._logs = logs
        self._matches = matches
        self._signer = signer
        self._clock = clock

    def export(self, caller: Caller | None, match_id: str) -> bytes:
        """The whole file, as the caller may have it."""
        look = self._matches.look(caller, match_id)
        log = self._logs.hold(match_uuid(match_id))
        return self.write(match_id, log, look.match, look.viewer)

    def write(self, match_id: str, log: MatchLog, match: Match, viewer: int) -> bytes:
        """The file of a match as it stood, seen by a viewer."""
        entries = [entry for entry in log.entries if entry.last <= match.version]
        if not entries:
            raise NotFoundError("there is no such match")
        draws = self._draws(match_id, entries) if match.over else [()] * len(entries)
        keys = [key.plain() for key in self._signer.public_keys()]
        lines = [write_line(export_header(match_id, match, viewer, keys, self._clock()))]
        head = ""
        written = zip(entries, export_facts(match_id, match, entries, viewer), draws, strict=True)
        for number, (entry, facts, drawn) in enumerate(written, 1):
            facts[0] = with_draws(facts[0], drawn)
            head = facts[-1]["hash"]
            if number % SIGNED_EVERY == 0 or number == len(entries):
                receipt = self._signer.receipt(match_id, entry.last, head, entry.at)
                facts[-1] = {**facts[-1], "key": receipt.key, "signature": receipt.signature}
            lines += map(write_line, facts)
        footer = export_footer(match, head, lines)
        key, signature = self._signer.sign(FOOTER_PREFIX + canonical(footer), match.at)
        return b"".join([*lines, write_line({**footer, "key": key, "signature": signature})])

    def _draws(self, match_id: str, entries: Sequence[Entry]) -> list[Sequence[Draw]]:
        """What chance gave, command by command: found by playing the match again."""
        auditor = Auditor(match_id)
        return [auditor.take(entry)[1] for entry in entries]
