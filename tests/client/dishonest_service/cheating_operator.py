"""The real service in this process, with an operator who does with it whatever a test wants."""

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
from kontor_games.domain import audit
from kontor_games.domain.commands import Command, Create, Entry, Join
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchCreated
from kontor_games.domain.seed import commitment_of, seed_of
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches import use_cases
from kontor_games.service.matches.answers import FullMatch
from kontor_games.service.settings import Settings
from kontor_games.service.store.match_cache import CachedMatch

LIMITS = ("read", "write", "move", "register", "stream")
Suits = Callable[[bytes], bool]
"""Whether the operator likes a deal, by its seed."""


class QuietHandler(WSGIRequestHandler):
    """HTTP/1.1 without a log."""

    protocol_version = "HTTP/1.1"

    def log_request(self, *_: Any) -> None:
        pass


class Operator:
    """Who runs the service: knows its secrets, signs with its key, and can change what is stored."""

    def __init__(self, kontor: Kontor, url: str, patch: pytest.MonkeyPatch) -> None:
        self.kontor = kontor
        self.signer: Any = kontor.signer
        self.url = url
        self.patch = patch
        self.joined: list[Join] = []
        """What has arrived from players who take a seat."""
        self._before_joining: Callable[[str, Join], None] = lambda *_: None
        honest = kontor.matches.execute

        def execute(call: Any, match_id: str, command: Command) -> Any:
            if isinstance(command, Join):
                self.joined.append(command)
                self._before_joining(match_id, command)
            return honest(call, match_id, command)

        patch.setattr(kontor.matches, "execute", execute)

    def grind(self, suits: Suits) -> None:
        """Once a contribution has arrived, draw secrets until the deal suits, and replace the match."""
        self._before_joining = partial(self._swap_secret, suits)

    def _swap_secret(self, suits: Suits, match_id: str, joining: Join) -> None:
        log = self.kontor.cache.get(UUID(match_id))
        while True:
            secret = secrets.token_hex(32)
            contributions = [joining.contribution, *[""] * (len(log.match.seats) - 1)]
            if suits(seed_of(secret, contributions)):
                break
        self.rewrite(log, replace(log.match.created, server_secret=secret, commitment=commitment_of(secret)))

    def before_joining(self, act: Callable[[CachedMatch, Join], None]) -> None:
        """Do something with a match that waits once a contribution has arrived."""
        self._before_joining = lambda match_id, join: act(self.kontor.cache.get(UUID(match_id)), join)

    def rewrite(self, log: CachedMatch, created: MatchCreated) -> None:
        """Store a match anew, under the same id, that begins with another fact."""
        [old] = log.entries
        assert isinstance(old.command, Create)
        match = Match()
        facts = old.command.create(match, created, old.by, old.at)
        entry = Entry(1, old.at, old.by, old.seat, old.command, old.key, old.request_digest, tuple(facts))
        # The operator owns the database: what keeps the service from deleting evidence does not stop them.
        self.kontor.database.write(
            ("DROP TRIGGER IF EXISTS kontor_events_no_delete", ()),
            ("DELETE FROM kontor_events WHERE originator_id = ?", [log.id.hex]),
        )
        log.match, log.entries, log.heads, log.keys = Match(), [], [], {}
        log.append(entry, match, ())

    def seed_of(self, match_id: str) -> bytes:
        """Return the seed from which a match was dealt."""
        match = self.kontor.cache.get(UUID(match_id)).match
        return seed_of(match.created.server_secret, match.contributions)

    def legal_moves(self, call: Any, match_id: str) -> list[Any]:
        """Return what the caller could do now."""
        seen = self.kontor.queries.show(call.caller, match_id)
        assert isinstance(seen, FullMatch)
        return seen.position.legal_moves

    def hide_swapped_commitments(self) -> None:
        """Show the first commitment of each match for as long as it lasts, whatever is stored."""
        first: dict[str, str] = {}
        self.change_chance(
            lambda seen, chance: msgspec.structs.replace(
                chance, commitment=first.setdefault(seen.id, chance.commitment)
            )
        )

    def change_chance(self, change: Callable[[Any, Any], Any]) -> None:
        """Say something else about the chance of each match."""
        presenter = self.kontor.matches._presenter
        honest = presenter.details

        def details(seen: Any) -> Any:
            told = honest(seen)
            return msgspec.structs.replace(told, chance=change(seen, told.chance))

        self.patch.setattr(presenter, "details", details)

    def ignore_signatures(self) -> None:
        """Accept every command, whoever signed it, and export the match all the same."""
        for module in (use_cases, audit):
            self.patch.setattr(module, "check_signature", lambda *_: None)

    def on_moves(self, handle: Callable[[Callable[..., Any], Any, str, list[Any]], Any]) -> None:
        """Do something else with moves than to carry them out."""
        honest = self.kontor.matches.play
        self.patch.setattr(
            self.kontor.matches, "play", lambda call, match, moves, *_: handle(honest, call, match, moves)
        )

    def change_export(self, change: Callable[[bytes], bytes]) -> None:
        """Give another file than that of the stored match."""
        honest = self.kontor.exports.export
        self.patch.setattr(self.kontor.exports, "export", lambda *given: change(honest(*given)))


@contextmanager
def operated(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Operator]:
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
