"""The real service in this process, run by an operator whose manipulations a test chooses."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import UUID

import msgspec
import pytest
from werkzeug.serving import WSGIRequestHandler, make_server

from kontor_games.api import create_app
from kontor_games.domain import match_audit
from kontor_games.domain.codec import Plain
from kontor_games.domain.commands import Create, Join, Play, command_codec
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated
from kontor_games.domain.match_stream import MatchDecider
from kontor_games.domain.seed import commitment_of, seed_of
from kontor_games.domain.stream import Command, Entry
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches import answers, use_cases
from kontor_games.service.matches.answers import SignedCommitment
from kontor_games.service.settings import Settings
from kontor_games.service.store.match_cache import CachedMatch
from tests.support.entries import append_to

LIMITS = ("read", "write", "move", "register", "stream")
DealPredicate = Callable[[bytes], bool]
"""Whether the operator wants the deal of a seed."""


class QuietHandler(WSGIRequestHandler):
    """HTTP/1.1 without a log."""

    protocol_version = "HTTP/1.1"

    def log_request(self, *_: Any) -> None:
        pass


class Operator:
    """The operator of a service: knows its secrets, signs with its key, and can change the database."""

    def __init__(self, kontor: Kontor, url: str, patch: pytest.MonkeyPatch) -> None:
        self.kontor = kontor
        self.signer: Any = kontor.signer
        self.url = url
        self.patch = patch
        self.joined: list[Join] = []
        """The commands to join that have arrived."""
        self._before_joining: Callable[[str, Join], None] = lambda *_: None
        honest = kontor.matches.execute

        def execute(call: Any, match_id: str, command: Command) -> Any:
            if isinstance(command, Join):
                self.joined.append(command)
                self._before_joining(match_id, command)
            return honest(call, match_id, command)

        patch.setattr(kontor.matches, "execute", execute)

    def grind(self, is_wanted: DealPredicate) -> None:
        """When a contribution arrives, draw secrets until the deal is a wanted one, and replace the match."""
        self._before_joining = partial(self._swap_secret, is_wanted)

    def _swap_secret(self, is_wanted: DealPredicate, match_id: str, joining: Join) -> None:
        log = self.kontor.cache.get(UUID(match_id))
        if len(log.entries) > 1:  # somebody has taken a seat already
            return
        while True:
            secret = secrets.token_hex(32)
            contributions = [joining.contribution, *[""] * (len(log.state.seats) - 1)]
            if is_wanted(seed_of(secret, contributions)):
                break
        self.rewrite(log, replace(log.state.created, server_secret=secret, commitment=commitment_of(secret)))

    def before_joining(self, act: Callable[[CachedMatch, Join], None]) -> None:
        """Call `act` with the waiting match when a contribution has arrived, before it is recorded."""
        self._before_joining = lambda match_id, join: act(self.kontor.cache.get(UUID(match_id)), join)

    def rewrite(self, log: CachedMatch, created: MatchCreated) -> None:
        """Replace a stored match by one with the same id and another first fact."""
        [old] = log.entries
        assert isinstance(old.command, Create)
        match = Match()
        facts = old.command.create(match, created, old.by, old.at)
        entry = Entry(1, old.at, old.by, old.seat, old.command, old.key, old.request_digest, tuple(facts))
        self._forget(log)
        append_to(log, entry, match)

    def _forget(self, log: CachedMatch) -> None:
        """Remove the stored history of a match."""
        # The operator owns the database, and can remove the triggers that protect evidence.
        self.kontor.database.write(
            ("DROP TRIGGER IF EXISTS kontor_events_no_delete", ()),
            ("DELETE FROM kontor_events WHERE originator_id = ?", [log.id.hex]),
        )
        log.state, log.entries, log.heads, log.keys = Match(), [], [], {}

    def take_back_moves(self, match_id: str, player: str = "") -> tuple[str, list[Plain]]:
        """Return a match to the position before the first move of its creator, or of another player.

        Return the player and that move.
        """
        log = self.kontor.cache.get(UUID(match_id))
        entries, by = log.entries, player or log.entries[0].by
        first = next(n for n, one in enumerate(entries) if one.by == by and isinstance(one.command, Play))
        self._forget(log)
        for entry in entries[:first]:
            match = log.state.copy() if log.state.version else Match()
            match.fold(entry)
            append_to(log, entry, match)
        return by, command_codec(log.state.rules).encode(entries[first].command)["moves"]

    @staticmethod
    def uuid(subject: str) -> UUID:
        """Return the id of a tournament as the service uses it inside."""
        return UUID(subject)

    def seed_of(self, match_id: str) -> bytes:
        """Return the seed from which a match was dealt."""
        match = self.kontor.cache.get(UUID(match_id)).state
        return seed_of(match.created.server_secret, match.contributions)

    def legal_moves(self, call: Any, match_id: str) -> list[Any]:
        """Return the legal moves of the caller."""
        seen = self.kontor.queries.show(call.caller, match_id)
        assert isinstance(seen, answers.Match)
        return seen.position.legal_moves

    def hide_swapped_commitments(self) -> None:
        """Always show the first commitment of each match, whatever is stored later."""
        first: dict[str, str] = {}
        self.change_chance(
            lambda seen, chance: self.with_commitment(
                seen, chance, first.setdefault(seen.id, chance.commitment)
            )
        )

    def with_commitment(self, seen: Any, chance: Any, commitment: str) -> Any:
        """Return what is answered about the chance of a match, with another commitment, signed as usual."""
        at = seen.match.at
        signature = SignedCommitment(at, *self.signer.commitment(seen.id, commitment, at))
        signed = signature if chance.signed else None
        return msgspec.structs.replace(chance, commitment=commitment, signed=signed)

    def change_chance(self, change: Callable[[Any, Any], Any]) -> None:
        """Change what the service answers about the chance of each match."""
        presenter = self.kontor.matches._presenter
        honest = presenter.details

        def details(seen: Any) -> Any:
            answer = honest(seen)
            return msgspec.structs.replace(answer, chance=change(seen, answer.chance))

        self.patch.setattr(presenter, "details", details)

    def ignore_signatures(self) -> None:
        """Accept and export every command, whether it is signed correctly or not."""
        self.patch.setattr(match_audit, "check_signature", lambda *_: None)
        self.patch.setattr(use_cases, "in_signed_form", lambda *given: given[4])
        self.patch.setattr(MatchDecider, "check_signature", lambda *_: None)

    def on_moves(self, handle: Callable[[Callable[..., Any], Any, str, list[Any]], Any]) -> None:
        """Let `handle` process moves instead of the service."""
        honest = self.kontor.matches.play
        self.patch.setattr(
            self.kontor.matches, "play", lambda call, match, moves, *_: handle(honest, call, match, moves)
        )

    def before_export(self, act: Callable[[str], None]) -> None:
        """Call `act` with the match before it is exported for the first time."""
        honest, exported = self.kontor.exports.export, set[str]()

        def export(caller: Any, match_id: str, *rest: Any) -> bytes:
            if match_id not in exported:
                exported.add(match_id)
                act(match_id)
            return honest(caller, match_id, *rest)

        self.patch.setattr(self.kontor.exports, "export", export)

    def change_export(self, change: Callable[[bytes], bytes]) -> None:
        """Change every export that the service sends."""
        honest = self.kontor.exports.export
        self.patch.setattr(self.kontor.exports, "export", lambda *given: change(honest(*given)))


@contextmanager
def run_operated_service(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Operator]:
    """Run the service until the end of the block."""
    limits = {f"rate_limit_{kind}": 10**9 for kind in LIMITS}
    kontor = Kontor(Settings(database_url=f"sqlite:///{folder}/operated.db", **limits))  # type: ignore[arg-type]
    kontor.migrate()
    kontor.start()
    server = make_server("127.0.0.1", 0, create_app(kontor), threaded=True, request_handler=QuietHandler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield Operator(kontor, f"http://127.0.0.1:{server.port}", patch)
    finally:
        kontor.feed.end_waits()
        server.shutdown()
        thread.join()
        server.server_close()
        kontor.close()
