"""A match of a dishonest service: what players sent, what the operator recorded, and the evidence of Ann.

Signatures in what the operator records are not checked here; that is for the verifiers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from kontor_client.evidence import Evidence
from kontor_games.domain import match_audit
from kontor_games.domain.codec import SPECTATOR, Plain
from kontor_games.domain.commands import Create, Join, Play, command_codec
from kontor_games.domain.game import Refusal
from kontor_games.domain.match_facts import MATCH_CODEC, MatchCreated, PositionSet
from kontor_games.domain.player_signatures import signed_text
from kontor_games.domain.stream import Command, Entry
from tests.support.players import PlayerKey
from tests.support.recording import KEYS, KnownKeys, Recording

READER = "ann"
"""The player who keeps evidence and later reads what the operator shows."""
VALUES = {name: (f"{place:x}" * 64) for place, name in enumerate(("ann", "ben", "cid"), 10)}
"""The contribution of each player."""
_ANNOUNCED = (
    *(
        "game",
        "rules_version",
        "data",
        "data_hash",
        "options",
        "sealed",
        "open_seed",
        "branch",
        "signed",
        "in_block",
    ),
)
_CREATE = Create(takes_seat=False, bot=False, contribution="")


class Table(Recording):
    """A match recorded by an operator, who may have announced another one."""

    def __init__(
        self,
        created: MatchCreated,
        command: Create = _CREATE,
        *,
        signing: bool = False,
        announced: MatchCreated | None = None,
        position: PositionSet | None = None,
        signer: KnownKeys = KEYS,
    ) -> None:
        super().__init__(created, command, position=position, signer=signer)
        self.announced = announced or created
        self.signing = signing
        self.inventing = False
        """Whether commands from now on are invented by the operator: no player sent them."""
        self.held: list[Plain] = []
        """The commands of the reader, with their receipts."""
        self.sent = command.contribution

    def do(self, by: str, command: Command, *, after: int = 1000) -> Entry:
        """Record a command that its player has sent, signed if the players sign."""
        return self._record(by, command, command, after)

    def alter(self, by: str, sent: Command, recorded: Command) -> Entry:
        """Record a different command from the one that the player sent."""
        return self._record(by, sent, recorded, 1000)

    def invent(self, by: str, command: Command, *, after: int = 1000) -> Entry:
        """Record a command that no player sent."""
        return super().do(by, command, after=after)

    def _record(self, by: str, sent: Command, recorded: Command, after: int) -> Entry:
        if self.inventing:
            return self.invent(by, recorded, after=after)
        signed = self._signed(by, sent)
        if sent is not recorded:
            recorded = replace(recorded, signature=signed.signature, **_key(signed))  # type: ignore[type-var]
        entry = self.invent(by, signed if sent is recorded else recorded, after=after)
        if by == READER:
            plain = command_codec(self.match.rules).encode(signed)
            self.held.append({"command": plain, "receipt": self.receipt()})
            self.sent = sent.contribution if isinstance(sent, Join) else self.sent
        return entry

    def _signed(self, by: str, command: Command) -> Command:
        if not self.signing or by not in VALUES:
            return command
        if isinstance(command, Join):
            command = replace(command, key=PlayerKey(by).public)
        elif self.match.key_of(by) is None:
            return command
        text = signed_text(self.id, self.match.rules, self.match.version, self.heads()[-1], by, command)
        return replace(command, signature=PlayerKey(by).sign(text))  # type: ignore[type-var]

    def export(self, viewer: int = SPECTATOR) -> bytes:
        """The export of the match, without a check of signatures."""
        with patch.object(match_audit, "check_signature", lambda *_: None):
            return super().export(viewer)

    def evidence(self, folder: Path) -> Evidence:
        """Write the evidence that the reader's client has kept to a folder."""
        plain = MATCH_CODEC.encode(self.announced)
        seated = [one["command"] for one in self.held if one["command"]["type"] == "join"]
        held = Evidence(
            folder=folder,
            match=self.id,
            player=READER,
            commitment=self.announced.commitment,
            signed=None,
            announced={name: plain.get(name, False) for name in _ANNOUNCED},
            contribution=VALUES[READER] if self.announced.sealed else self.sent,
            sent=self.sent,
            key=seated[-1].get("key") if seated else None,
        )
        for line in self.held:
            held.add("receipts.ndjson", line)
        return held


def _key(sent: Command) -> dict[str, Any]:
    return {"key": sent.key} if isinstance(sent, Join) else {}


def rewritten(honest: Table, upto: int, **changes: Any) -> Table:
    """Record the first entries of a match again with other settings; all later commands are invented."""
    again = Table(replace(honest.match.created, **changes))
    again.inventing = True
    record_again(again, honest.entries[1:upto])
    return again


def record_again(table: Table, entries: Sequence[Entry], *, later: int = 0) -> Table:
    """Record entries again, `later` milliseconds later, up to the first that is refused."""
    for entry in entries:
        try:
            table.invent(entry.by, entry.command, after=max(0, entry.at + later - table.at))
        except Refusal:
            break
    return table


@dataclass(frozen=True)
class Place:
    """A command in a match."""

    index: int
    entry: Entry


def find_entry(table: Table, by: str, kind: type[Command] = Play, nth: int = 0) -> Place:
    """The nth command of a kind by a player; from the end if n is negative."""
    found = [
        Place(index, entry)
        for index, entry in enumerate(table.entries)
        if entry.by == by and isinstance(entry.command, kind)
    ]
    return found[nth]
