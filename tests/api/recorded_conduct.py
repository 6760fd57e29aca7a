"""Recorded examples of how players treat each other, and of e-mail."""

from typing import Any

from kontor_games.service.kontor import Kontor
from tests.api.conftest import ApiUser


def register(anonymous: ApiUser, name: str) -> ApiUser:
    """Register a player."""
    made = anonymous.post("/v1/players", {"name": name}).json
    return ApiUser(anonymous.client, made["token"], made["id"])


def use_mail(client: Any, kontor: Kontor) -> None:
    """Set an address for e-mail, confirm it, and end e-mail."""
    mona = register(ApiUser(client), "Mona")
    mona.put("/v1/me/mail-address", {"address": "mona@example.org"})
    [address] = kontor.mail_addresses.unasked()
    code = kontor.mail_addresses.code("confirm", address)
    ApiUser(client).post("/v1/mail-confirmations", {"code": code})
    mona.get("/v1/me/mail-address")
    ApiUser(client).post(f"/v1/mail-stops/{kontor.mail_addresses.code('stop', address)}")
    mona.delete("/v1/me/mail-address")
    mona.put("/v1/me/recovery", {"code": "KQRT-WXBD-MNPQ", "sealed": None})
    ApiUser(client).post("/v1/recoveries", {"code": "KQRTWXBDMNPQ"})
    mona.delete("/v1/me/recovery")


def report(client: Any, kontor: Kontor) -> None:
    """Block and report a player; as an administrator, read and close the report."""
    anonymous = ApiUser(client)
    kurt, lena = register(anonymous, "Kurt"), register(anonymous, "Lena")
    kurt.send("PUT", f"/v1/me/blocks/{lena.id}")
    kurt.get("/v1/me/blocks")
    kurt.delete(f"/v1/me/blocks/{lena.id}")
    report = {"reason": "stalling", "text": "An hour for each move, and then resigned."}
    kurt.post(f"/v1/players/{lena.id}/reports", report)
    admin = ApiUser(client, kontor.tokens.issue_admin(kurt.id, "admin", None).text, kurt.id)
    [open_report] = admin.get("/v1/reports").json["reports"]
    admin.put(f"/v1/reports/{open_report['id']}/outcome", {"outcome": "dismissed"})
