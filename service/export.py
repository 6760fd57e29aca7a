"""Writes the export of a match: signed entry by entry with the keys of their time, and as a whole."""

import hashlib
from collections.abc import Callable, Sequence

from domain.audit import Auditor, Draw
from domain.chain import GENESIS, links_of
from domain.codec import canonical
from domain.entry import Entry, fact_codec
from domain.export import FOOTER_PREFIX, export_footer, export_header, export_line, is_signed_at
from domain.match import Match
from service.errors import NotFoundError
from service.log import Logs, MatchLog
from service.matches import Matches, match_uuid
from service.signing import Signer
from service.tokens import Caller


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
        keys = [key.plain() for key in self._signer.public_keys()]
        lines = [canonical(export_header(match_id, match, viewer, keys, self._clock()))]
        head = self._write_facts(lines, match_id, match, entries, viewer)
        footer = export_footer(match, head, hashlib.sha256(_file(lines)).hexdigest())
        key, signature = self._signer.sign(FOOTER_PREFIX + canonical(footer), match.at)
        return _file([*lines, canonical({**footer, "key": key, "signature": signature})])

    def _write_facts(self, lines: list[bytes], match_id: str, match: Match, entries: Sequence[Entry], viewer: int) -> str:
        """Appends a line for each fact; answers the head."""
        head, draws, eyes = GENESIS, self._draws(match_id, match, entries), match.eyes(viewer)
        for number, (entry, drawn) in enumerate(zip(entries, draws, strict=True), 1):
            linked = links_of(match_id, fact_codec(match.rules), entry, match.created.server_secret, head)
            head = linked[-1].hash
            receipt = self._receipt(match_id, entry, head) if is_signed_at(number, last=number == len(entries)) else None
            for one in linked:
                first, last = one.version == entry.first, one.version == entry.last
                lines.append(export_line(one, match, eyes, drawn if first else (), receipt if last else None))
        return head

    def _receipt(self, match_id: str, entry: Entry, head: str) -> tuple[str, str]:
        receipt = self._signer.receipt(match_id, entry.last, head, entry.at)
        return receipt.key, receipt.signature

    def _draws(self, match_id: str, match: Match, entries: Sequence[Entry]) -> list[Sequence[Draw]]:
        """What chance gave, command by command, once the match is over: found by playing it again."""
        if not match.over:
            return [()] * len(entries)
        auditor = Auditor(match_id)
        return [auditor.take(entry)[1] for entry in entries]


def _file(lines: Sequence[bytes]) -> bytes:
    return b"".join([line + b"\n" for line in lines])
