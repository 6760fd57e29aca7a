"""A valid request for every operation of the contract; creates what the request needs first."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.log_store import Checkpoint
from tests.api.conftest import ApiUser, Clock
from tests.api.contract import operations
from tests.api.cosigning import cosignature_of
from tests.api.tournament_stages import STAGE_OF, TERMS, Stages, body_of
from tests.support.players import PlayerKey

KEY = PlayerKey("Ada's key")
ME, OPEN = {"type": "me"}, {"type": "open"}
SUBSCRIPTION = {
    "endpoint": "https://push.example/send/a1b2",
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
"""The subscription of the example in RFC 8291."""
SEEK = {"game": "fair", "seats": 2}


@dataclass
class World:
    """A service in which players can be registered and get tokens of every kind."""

    kontor: Kontor
    clock: Clock
    anonymous: ApiUser

    def register(self, name: str) -> ApiUser:
        made = self.anonymous.post("/v1/players", {"name": name}).json
        return ApiUser(self.anonymous.client, made["token"], made["id"])

    def checkpoint(self) -> Checkpoint:
        """A checkpoint of everything stored; background work may have taken it already."""
        taken = self.kontor.checkpoints.take() or self.kontor.checkpoints.latest()
        assert taken is not None
        return taken

    def caller(self, role: str, owner: ApiUser) -> ApiUser:
        """A caller in this role (see `ROLES` in test_access.py), where `owner` owns the resource."""
        if role in ("anonymous", "foreign"):
            return self.anonymous if role == "anonymous" else self.register("Cem")
        if role == "admin":
            return ApiUser(
                owner.client, self.kontor.tokens.issue_admin(owner.id, "admin", None).text, owner.id
            )
        scope = role if role in ("organise", "account") else "play"
        made = owner.post(
            "/v1/tokens",
            {"label": role, "scopes": [scope], "expires_in_ms": 1000 if role == "expired" else None},
        ).json
        if role == "revoked":
            owner.delete(f"/v1/tokens/{made['id']}")
        if role == "expired":
            self.clock.now += 2000
        return ApiUser(owner.client, made["token"], owner.id)


def match_for(name: str, ada: ApiUser, ben: ApiUser, *, private: bool) -> str:
    """The id of a new match in which Ada can carry out the operation `name`."""
    if name == "join_match" and not private:
        return str(ben.match(ME, OPEN)["id"])
    if name == "decline_match":
        return str(ben.match(ME, {"type": "invited", "player": ada.id}, private=private)["id"])
    sealed = name == "open_contribution"
    mine = {"type": "invited", "player": ada.id} if sealed else ME
    seats = [mine, {"type": "invited", "player": ben.id}]
    match = ada.match(*seats, private=private, autostart=name != "start_match", sealed=sealed)["id"]
    if sealed:
        ada.post(f"/v1/matches/{match}/seats", {"contribution": sha256(b"0a" * 32).hexdigest()})
    if name not in ("leave_match", "join_match", "seat_bot"):
        ben.post(f"/v1/matches/{match}/seats", {"contribution": sha256(b"0b" * 32).hexdigest()})
    return str(match)


def report_by(reporter: ApiUser, reported: ApiUser, world: World) -> str:
    """The id of a new report."""
    reporter.post(f"/v1/players/{reported.id}/reports", {"reason": "name"})
    return world.kontor.reports.list(500)[-1].id


def phrase_of(player: ApiUser) -> str:
    """The first half of a recovery phrase, another one for each player."""
    return "".join("ABCDEFGHJKLMNPQR"[int(digit, 16)] for digit in player.id.replace("-", "")[:12])


def code_for(name: str, world: World, ada: ApiUser) -> str:
    """A code of Ada that is valid for an operation."""
    if name == "recover_account":
        ada.put("/v1/me/recovery", {"code": phrase_of(ada)})
        return phrase_of(ada)
    if name == "redeem_device_code":
        return str(ada.post("/v1/me/device-codes").json["code"])
    ada.put("/v1/me/mail-address", {"address": f"{ada.id}@example.org"})
    address = world.kontor.mail_addresses.get(ada.id)
    assert address is not None
    return world.kontor.mail_addresses.code("confirm", address)


def valid_request(name: str, world: World, ada: ApiUser, *, private: bool = False) -> tuple[str, Any]:
    """Path and body of a valid request of Ada for the operation `name`."""
    ben = world.register("Ben")
    path = next(path for _, path, _, operation in operations() if operation["operationId"] == name)
    if "{tournament_id}" in path:
        entrants = (ben,) if name == "enter_tournament" else (ada, ben)
        stages = Stages(world.kontor, ada, *entrants)
        stage = STAGE_OF.get(name, "opened")
        if stage != "__init__":
            getattr(stages, stage)()
        path = path.format(tournament_id=stages.id, number=1)
        if name == "prove_tournament_inclusion":
            path += f"?size={world.checkpoint().size}"
        return path, body_of(name, stages)
    match = match_for(name, ada, ben, private=private) if "{match_id}" in path else ""
    path = path.format(
        match_id=match,
        player_id=ada.id,
        game_id="fair",
        data_set="plain",
        device_id="5d6d0a06-3f0c-4a2b-9a6e-0c9d1b7f3e21",
        seek_id=ada.post("/v1/seeks", SEEK).json["id"] if "{seek_id}" in path else "",
        level=0,
        stop_code="5d6d0a06-3f0c-4a2b-9a6e-0c9d1b7f3e21",
        report_id=report_by(ben, ada, world) if "{report_id}" in path else "",
        place="000.p/1",
        token_id=ada.post("/v1/tokens", {"label": "x", "scopes": ["play"]}).json["id"]
        if "{token_id}" in path
        else "",
    )
    bodies: dict[str, Any] = {
        "register_player": {"name": "Dan"},
        "rename_me": {"name": "Ada L."},
        "set_push_device": SUBSCRIPTION,
        "set_invitations": {"invitations_from": "met"},
        "set_key": {"public_key": KEY.public, "proof": KEY.proof(ada.id)},
        "create_token": {"label": "y", "scopes": ["play"]},
        "create_match": {"game": "fair", "seats": [ME, OPEN]},
        "create_matches": {"matches": [{"game": "fair", "seats": [ME, OPEN]}]},
        "create_seek": SEEK,
        "announce_tournament": TERMS,
        "open_contribution": {"value": "0a" * 32},
        "set_mail_address": {"address": f"{ada.id}@example.org"},
        "set_recovery": {"code": phrase_of(ada)},
        "say_phrase": {"phrase": "hello"},
        "report_player": {"reason": "stalling"},
        "close_report": {"outcome": "dismissed"},
        "seat_bot": {"seat": 1, "bot": "random"},
    }
    if name == "branch_match":
        bodies[name] = {"version": ada.get(f"/v1/matches/{match}").json["version"]}
        ada.post(f"/v1/matches/{match}/moves", ada.get(f"/v1/matches/{match}").json["legal_moves"][0])
        ada.post(f"/v1/matches/{match}/resignation")
    if name in ("create_rematch", "get_analysis"):
        ada.post(f"/v1/matches/{match}/resignation")
    if name in ("recover_account", "redeem_device_code", "confirm_mail_address"):
        bodies[name] = {"code": code_for(name, world, ada)}
    if "/inclusion" in path or "/checkpoints/" in path or "/log/" in path:
        ada.match(ME, OPEN)
        checkpoint = world.checkpoint()
        queries = {"prove_inclusion": f"?size={checkpoint.size}", "prove_keys": f"?size={checkpoint.size}"}
        path += queries.get(name, f"?first=1&second={checkpoint.size}" if name == "prove_consistency" else "")
        bodies["add_cosignatures"] = cosignature_of(checkpoint.note, checkpoint.size)
    if name == "list_ratings":
        path += "?game=fair"
    if name in ("play_moves", "dry_run_moves"):
        bodies[name] = ada.get(f"/v1/matches/{match}").json["legal_moves"][0]
    if name == "play_many_moves":
        match = match_for(name, ada, ben, private=private)
        move = ada.get(f"/v1/matches/{match}").json["legal_moves"][0]
        bodies[name] = {"commands": [{"match": match, "move": move}]}
    return path, bodies.get(name)
