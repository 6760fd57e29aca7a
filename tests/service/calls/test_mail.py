"""Players get e-mail for slow matches: confirmed first, once a day for each match, ended with one request."""

import re
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest

from kontor_games.api import create_app
from kontor_games.domain.codec import MalformedError
from kontor_games.service.calls.mail_addresses import MOST_REQUESTS, MailNotOfferedError
from kontor_games.service.errors import NotFoundError, RateLimitedError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.match_spec import SeatSpec
from tests.service.calls.test_calling import register
from tests.service.conftest import SettableClock
from tests.service.tables import ME, LocalPlayer
from tests.support.smtp_server import MailServer, mail_server

HOUR, DAY = 3_600_000, 24 * 3_600_000
Pass = Callable[[int], None]


@pytest.fixture
def server() -> Iterator[MailServer]:
    with mail_server() as one:
        yield one


@pytest.fixture
def mailing(serve: Callable[..., Kontor], store_url: str, server: MailServer) -> Kontor:
    return serve(
        store_url,
        public_url="https://kontor.example",
        smtp_url=server.url,
        mail_from="kontor@kontor.example",
    )


@pytest.fixture
def pass_time(mailing: Kontor, clock: SettableClock) -> Pass:
    """Let time pass, and do once what the worker does."""

    def passing(ms: int) -> None:
        clock.advance(ms)
        worker = mailing.call_worker()
        for match in worker.running():
            worker.process(match)

    return passing


@pytest.fixture
def two(mailing: Kontor, server: MailServer) -> tuple[LocalPlayer, LocalPlayer]:
    """Ada, and Ben, who has confirmed his address."""
    ada, ben = register(mailing, "Ada"), register(mailing, "Ben")
    confirm(ben, server)
    return ada, ben


def confirm(player: LocalPlayer, server: MailServer, language: str = "en") -> None:
    kontor = player.kontor
    kontor.mail_addresses.set(player.caller, f"p{player.id[:8]}@example.org", language)
    kontor.mail.ask()
    [request] = server.take()
    kontor.mail_addresses.confirm(link(str(request.get_content()), "confirm"))


def link(text: str, what: str) -> str:
    found = re.search(rf"https://kontor\.example/#/mail\?{what}=(\S+)", text)
    assert found
    return found[1]


def invite(host: LocalPlayer, guest: LocalPlayer, **fields: Any) -> str:
    return host.create(ME, SeatSpec("invited", player=guest.id), **fields)


def test_a_message_says_what_waits_and_how_to_end_messages(
    mailing: Kontor, two: tuple[LocalPlayer, LocalPlayer], server: MailServer, pass_time: Pass
) -> None:
    ada, ben = two
    match = invite(ada, ben)
    pass_time(9 * 60_000)
    assert server.take() == []
    pass_time(2 * 60_000)
    [message] = server.take()
    assert (message["To"], message["From"]) == (f"p{ben.id[:8]}@example.org", "kontor@kontor.example")
    assert message["Subject"] == "Ada invites you to The Fair."
    assert (message["Auto-Submitted"], message["List-Unsubscribe-Post"]) == (
        "auto-generated",
        "List-Unsubscribe=One-Click",
    )
    text = message.get_content()
    assert f"https://kontor.example/#/match/{match}" in text
    stop = link(text, "stop")
    assert message["List-Unsubscribe"] == f"<https://kontor.example/v1/mail-stops/{stop}>"
    client = create_app(mailing).test_client()
    for _ in range(2):  # as mail programs send it
        answer = client.post(f"/v1/mail-stops/{stop}", data={"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 204
    assert mailing.mail_addresses.get(ben.id) is None
    assert mailing.database.read("SELECT * FROM mail_addresses", ()) == []


def test_one_message_for_each_match_and_day_however_many_turns_there_are(
    two: tuple[LocalPlayer, LocalPlayer], server: MailServer, pass_time: Pass
) -> None:
    ada, ben = two
    match = invite(ada, ben)
    pass_time(HOUR)
    assert len(server.take()) == 1
    ben.join(match)
    sent = []
    for _ in range(8):  # three hours apart: one day
        before = ben.read_match(match).match
        for player, seat in ((ada, 0), (ben, 1)):
            if before.has_move(seat):
                player.play(match, player.legal(match)[0])
                break
        pass_time(3 * HOUR)
        sent.append(len(server.take()))
    assert sum(sent[:7]) == 0  # within a day of the invitation
    pass_time(DAY)
    other = invite(ada, ben)
    pass_time(HOUR)
    subjects = [message["Subject"] for message in server.take()]
    assert subjects.count("Ada invites you to The Fair.") == 1, other
    pass_time(HOUR)
    assert server.take() == []


@pytest.mark.parametrize(("hours", "expected"), [(1, 0), (48, 1)])
def test_only_slow_matches_send_mail(
    two: tuple[LocalPlayer, LocalPlayer], server: MailServer, pass_time: Pass, hours: int, expected: int
) -> None:
    ada, ben = two
    invite(ada, ben, clock={"kind": "per_move", "ms": hours * HOUR})
    pass_time(HOUR)
    assert len(server.take()) == expected


def test_nobody_gets_mail_without_confirming_and_the_link_belongs_to_one_address(
    mailing: Kontor, server: MailServer, pass_time: Pass
) -> None:
    ada, ben = register(mailing, "Ada"), register(mailing, "Ben")
    mailing.mail_addresses.set(ben.caller, "old@example.org", "de")
    mailing.mail.ask()
    mailing.mail.ask()
    [first] = server.take()
    assert first["Subject"] == "Bestätige deine E-Mail-Adresse"
    invite(ada, ben)
    pass_time(HOUR)
    assert server.take() == []
    mailing.mail_addresses.set(ben.caller, "new@example.org", "de")
    with pytest.raises(NotFoundError):
        mailing.mail_addresses.confirm(link(first.get_content(), "confirm"))
    assert mailing.mail_addresses.players() == frozenset()


def test_nobodys_mailbox_is_flooded(mailing: Kontor, clock: SettableClock) -> None:
    players = [register(mailing, f"Player {number}") for number in range(MOST_REQUESTS + 1)]
    for player in players[:MOST_REQUESTS]:
        mailing.mail_addresses.set(player.caller, "victim@example.org", "en")
    with pytest.raises(RateLimitedError):
        mailing.mail_addresses.set(players[-1].caller, "Victim@example.org", "en")
    clock.advance(DAY + 1)
    mailing.mail_addresses.set(players[-1].caller, "victim@example.org", "en")


def test_a_mailbox_that_does_not_exist_is_forgotten_and_a_busy_server_is_not_the_players_fault(
    mailing: Kontor, two: tuple[LocalPlayer, LocalPlayer], server: MailServer, pass_time: Pass
) -> None:
    ada, ben = two
    invite(ada, ben)
    server.is_busy = True
    pass_time(HOUR)
    assert mailing.mail_addresses.get(ben.id) is not None
    server.is_busy = False
    server.missing.add(f"p{ben.id[:8]}@example.org")
    invite(ada, ben)
    pass_time(HOUR)
    assert (server.take(), mailing.mail_addresses.get(ben.id)) == ([], None)


def test_a_server_that_does_not_answer_stops_nothing(serve: Callable[..., Kontor], store_url: str) -> None:
    kontor = serve(
        store_url, public_url="https://k.example", smtp_url="smtp://127.0.0.1:1", mail_from="k@k.example"
    )
    ben = register(kontor, "Ben")
    kontor.mail_addresses.set(ben.caller, "ben@example.org", "en")
    assert kontor.mail.ask() == 1
    assert kontor.mail.ask() == 0


def test_the_address_is_erased_with_the_account_and_in_no_export(
    mailing: Kontor, two: tuple[LocalPlayer, LocalPlayer], server: MailServer
) -> None:
    ada, ben = two
    match = invite(ada, ben)
    ben.join(match)
    address = f"p{ben.id[:8]}@example.org".encode()
    assert address not in mailing.exports.export(ben.caller, match)
    mailing.erase(ben.caller)
    assert mailing.database.read("SELECT * FROM mail_addresses", ()) == []
    assert mailing.database.read("SELECT * FROM mail_requests", ()) == []


def test_without_a_mail_server_nothing_is_offered(serve: Callable[..., Kontor], store_url: str) -> None:
    kontor = serve(store_url, public_url="https://kontor.example")
    ben = register(kontor, "Ben")
    with pytest.raises(MailNotOfferedError):
        kontor.mail_addresses.set(ben.caller, "ben@example.org", "en")
    assert (kontor.mail.ask(), kontor.mail.players()) == (0, frozenset())


def test_two_leading_processes_send_once(
    mailing: Kontor,
    two: tuple[LocalPlayer, LocalPlayer],
    server: MailServer,
    serve: Callable[..., Kontor],
    store_url: str,
    clock: SettableClock,
) -> None:
    ada, ben = two
    match = UUID(invite(ada, ben))
    clock.advance(HOUR)
    other = serve(
        store_url,
        **{name: getattr(mailing.settings, name) for name in ("public_url", "smtp_url", "mail_from")},
    )
    for worker in (mailing.call_worker(), other.call_worker()):
        worker.running()
        worker.process(match)
    assert len(server.take()) == 1


def test_an_overlong_address_is_refused(mailing: Kontor) -> None:
    ben = register(mailing, "Ben")
    with pytest.raises(MalformedError):
        mailing.mail_addresses.set(ben.caller, "a" * 250 + "@example.org", "en")
