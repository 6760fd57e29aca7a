"""`kontor admin`: accounts, bans and registration."""

import json

from kontor_games.service.kontor import Kontor as Service
from tests.service.cli.conftest import Kontor


def register(service: Service, name: str) -> str:
    return service.players.register(name, bot=False, key=None, body=name).player.id


def test_accounts_are_listed_the_newest_first_and_found_by_name(
    kontor: Kontor, service: Service, url: str
) -> None:
    ada, ben = register(service, "Ada"), register(service, "Ben")
    shown = kontor("admin", "players", "--database", url)
    assert shown.exit_code == 0
    assert "Ada" in shown.output
    assert ben in shown.output
    found = json.loads(kontor("admin", "players", "be", "--json", "--database", url).output)["players"]
    assert [(one["id"], one["tokens"], one["banned_at"]) for one in found] == [(ben, 1, None)]
    service.erase(
        service.tokens.authenticate(service.players.register("C", bot=True, key=None, body="").token)
    )
    assert "(erased)" in kontor("admin", "players", "--database", url).output
    assert ada in kontor("admin", "players", "--database", url).output


def test_a_player_is_banned_with_a_reason_listed_and_unbanned(
    kontor: Kontor, service: Service, url: str
) -> None:
    ada = register(service, "Ada")
    register(service, "Ben")
    done = kontor("admin", "ban", ada, "--reason", "insults in names", "--database", url)
    assert (done.exit_code, f"`kontor admin unban {ada}` lifts the ban" in done.output) == (0, True)
    listed = kontor("admin", "players", "--banned", "--database", url)
    assert "insults in" in listed.output
    assert "Ben" not in listed.output
    assert kontor("admin", "unban", ada, "--database", url).exit_code == 0
    assert kontor("admin", "players", "--banned", "--database", url).output == "No account was found.\n"
    again = kontor("admin", "unban", ada, "--database", url)
    assert (again.exit_code, "This player is not banned." in again.output) == (1, True)


def test_an_unknown_player_cannot_be_banned(kontor: Kontor, service: Service, url: str) -> None:
    refused = kontor("admin", "ban", "0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11", "--database", url)
    assert (refused.exit_code, "There is no such player." in refused.output) == (1, True)


def test_registration_is_shown_closed_and_opened(kontor: Kontor, service: Service, url: str) -> None:
    said = [
        kontor("admin", "registration", *state, "--database", url).output
        for state in ((), ("closed",), (), ("open",))
    ]
    shut = "Registration is closed: new accounts are refused.\n"
    assert said == ["Registration is open.\n", shut, shut, "Registration is open.\n"]


def test_reports_are_listed_and_closed_and_may_ban(kontor: Kontor, service: Service, url: str) -> None:
    ben = register(service, "Ben")
    token = service.players.register("Ada", bot=False, key=None, body="Ada").token
    ada = service.tokens.authenticate(token)
    for reason in ("stalling", "name"):
        service.reports.add(ada, None, ben, reason, f"about {reason}", None)
    shown = kontor("admin", "reports", "--database", url).output
    assert all(part in shown for part in ("Ben", "stalling", "about name", "Ada"))
    found = json.loads(kontor("admin", "reports", "--json", "--database", url).output)["reports"]
    first, second = (one["id"] for one in found)
    assert kontor("admin", "close-report", first, "dismissed", "--database", url).exit_code == 0
    assert service.bans.accounts("", banned=True, limit=9) == []
    assert kontor("admin", "close-report", second, "banned", "--database", url).exit_code == 0
    assert [one.id for one in service.bans.accounts("", banned=True, limit=9)] == [ben]
    assert kontor("admin", "reports", "--database", url).output == "There is no report.\n"
    assert "dismissed" in kontor("admin", "reports", "--closed", "--database", url).output
    refused = kontor("admin", "close-report", ben, "warned", "--database", url)
    assert (refused.exit_code, "There is no such report." in refused.output) == (1, True)
