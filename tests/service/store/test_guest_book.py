"""A third kind of stream, a guest book, needs nothing but its own facts, commands and state."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import pytest

from kontor_games.domain.audit import Auditor, BrokenRecordError, audit_records
from kontor_games.domain.codec import Codec, record
from kontor_games.domain.export import export_footer
from kontor_games.domain.export_reader import BrokenFileError
from kontor_games.domain.log_leaves import MatchLeaf
from kontor_games.domain.refusals import Refusal
from kontor_games.domain.rules import Fact
from kontor_games.domain.stream import Command, Decider, Stream
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import KeyReusedError, NotFoundError, RecordDamagedError, StaleVersionError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.use_cases import Call
from kontor_games.service.store.command_handler import CommandHandler, Done, Pending
from kontor_games.service.store.streams import StreamCache
from kontor_games.service.trust.exports import write_file
from kontor_games.service.trust.file_check import FileCheck
from tests.service.store.test_damage import edit_row
from tests.service.tables import ME, OPEN, LocalPlayer

pytestmark = pytest.mark.both_stores


# --- the whole plug-in --------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class GuestBook(Stream):
    """Who has written what."""

    version: int = 0
    at: int = 0
    added: list[Fact] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)

    def copy(self) -> "GuestBook":
        return GuestBook(self.version, self.at, [], dict(self.pages))


@record
class PageWritten(Fact):
    """A guest has written a page."""

    guest: str
    text: str

    def fold(self, state: GuestBook) -> None:
        state.pages[self.guest] = self.text


@record
class Write(Command):
    """Write a page; each guest can write one."""

    text: str

    def add_facts(self, book: GuestBook, by: str, at: int) -> None:
        if by in book.pages:
            raise Refusal("You have written your page already.", rule="G-1")
        book.add(PageWritten(by, self.text))


class GuestBooks(Decider[GuestBook]):
    """The kind of stream that a guest book is."""

    kind = "guest_book"
    signed_prefix = "kontor.guest-book-"
    format = "kontor.guest-book.1"
    _facts, _commands = Codec([PageWritten]), Codec([Write])

    def empty(self) -> GuestBook:
        return GuestBook()

    def fact_codec(self, stream: GuestBook) -> Codec:
        return self._facts

    def command_codec(self, stream: GuestBook) -> Codec:
        return self._commands


BOOKS = GuestBooks()

# --- what it gets for that ----------------------------------------------------------------------------------


class Desk:
    """One process in which guests write, for one book."""

    def __init__(self, kontor: Kontor, book: UUID) -> None:
        self.kontor, self.book, self.announced = kontor, book, list[int]()
        self.cache = StreamCache(kontor.store, BOOKS, 10, 10**6)
        self.handler = CommandHandler(
            self.cache,
            lambda: 5,
            lambda cached, by, command: command,
            lambda cached, before, after, entry: (),
            lambda book_id, state: self.announced.append(state.version),
        )
        self.guests = {name: LocalPlayer(kontor).caller for name in ("Ann", "Ben", "Cem")}

    def write(self, guest: str, text: str = "Hello", **call: Any) -> Done[GuestBook]:
        cached = self.cache.get_or_new(self.book)
        done = self.handler.carry_out(cached, Call(self.guests[guest], **call), Write(text))
        self.cache.add(cached)
        return done

    @property
    def texts(self) -> list[str]:
        return list(self.cache.get_fresh(self.book).state.pages.values())


@pytest.fixture
def desks(new_process: Callable[..., Kontor]) -> tuple[Desk, Desk]:
    """Two processes with the same database and guest book."""
    book = uuid4()
    return Desk(new_process(), book), Desk(new_process(), book)


def test_pages_are_stored_shared_and_announced(desks: tuple[Desk, Desk]) -> None:
    here, there = desks
    here.write("Ann", "Nice")
    there.write("Ben", "Grand")
    assert here.texts == there.texts == ["Nice", "Grand"]
    assert (here.announced, there.announced) == ([1], [2])


def test_a_refused_page_leaves_nothing(desks: tuple[Desk, Desk]) -> None:
    here, _ = desks
    here.write("Ann")
    with pytest.raises(Refusal, match="already"):
        here.write("Ann", "Hello again")
    assert here.texts == ["Hello"]


def test_a_page_is_written_once_under_its_key(desks: tuple[Desk, Desk]) -> None:
    here, there = desks
    first = here.write("Ann", key="k", request_digest="1")
    there.guests = here.guests
    again = there.write("Ann", key="k", request_digest="1")
    assert (again.before, again.entry, again.head) == (None, first.entry, first.head)
    with pytest.raises(KeyReusedError):
        there.write("Ann", "Other", key="k", request_digest="2")


def test_a_page_can_depend_on_the_version_and_a_conflict_is_decided_again(desks: tuple[Desk, Desk]) -> None:
    here, there = desks
    here.write("Ann")
    assert len(there.texts) == 1
    here.write("Ben")
    assert there.write("Cem").entry.first == 3
    with pytest.raises(StaleVersionError):
        there.write("Ben", if_version=1)


def test_pages_are_written_in_many_books_at_once(desks: tuple[Desk, Desk]) -> None:
    here, there = desks
    books = [here.cache.get_or_new(uuid4()) for _ in range(5)]
    pending = [
        Pending(book, Call(here.guests[name]), Write("Hi")) for book in books for name in ("Ann", "Ben")
    ]
    here.handler.carry_out_many(pending)
    assert all(isinstance(one.result, Done) for one in pending)
    assert [there.cache.get(book.id).state.version for book in books] == [2] * 5


def test_an_altered_row_stops_the_book(desks: tuple[Desk, Desk]) -> None:
    here, there = desks
    here.write("Ann", "Nice")
    edit_row(here.kontor, str(here.book), 0, lambda state: state.replace(b"Nice", b"Fine"))
    with pytest.raises(RecordDamagedError, match="this guest_book"):
        there.cache.get(here.book)


def test_a_match_is_no_guest_book_and_a_guest_book_no_match(desks: tuple[Desk, Desk]) -> None:
    here, _ = desks
    here.write("Ann")
    match = UUID(LocalPlayer(here.kontor).create(ME, OPEN))
    with pytest.raises(NotFoundError):
        here.cache.get(match)
    with pytest.raises(NotFoundError):
        here.kontor.cache.get(here.book)


def test_an_export_is_signed_and_can_be_audited(desks: tuple[Desk, Desk]) -> None:
    here, _ = desks
    for guest, text in {"Ann": "Nice", "Ben": "Grand"}.items():
        here.write(guest, text)
    cached = here.cache.get(here.book)
    content = write_file(BOOKS, cached.name, cached.state, cached.entries, here.kontor.signer, 9)
    header, *records, footer = (json.loads(line) for line in content.splitlines())
    assert (header["format"], header["stream"], header["complete"]) == (
        "kontor.guest-book.1",
        cached.name,
        True,
    )
    assert (footer["version"], footer["head"]) == (2, cached.head)
    auditor = Auditor(BOOKS, cached.name, GuestBook(), is_signed)
    audit_records(auditor, records)
    assert (auditor.state.pages, auditor.head) == (cached.state.pages, cached.head)
    body = content[: content.rindex(b"\n", 0, -1) + 1]
    keys = [key.plain() for key in here.kontor.signer.public_keys()]
    expected = export_footer(BOOKS, auditor.state, auditor.head, sha256(body).hexdigest())
    check = FileCheck(BOOKS, MatchLeaf, header, keys, None)
    check.check_closing_line(4, footer, expected)
    with pytest.raises(BrokenFileError, match="signature is not right"):
        check.check_closing_line(4, footer | {"signature": "A" * 86 + "=="}, expected)
    records[1]["fact"]["text"] = "Dull"
    with pytest.raises(BrokenRecordError, match="the hash does not match"):
        audit_records(Auditor(BOOKS, cached.name, GuestBook(), is_signed), records)
