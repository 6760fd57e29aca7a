"""A request that is all right, for every operation of the contract, with all that must be there before it."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.log_store import Checkpoint
from tests.api.conftest import Clock, Someone
from tests.api.contract import operations
from tests.api.cosigning import cosignature_of
from tests.api.tournament_stages import STAGE_OF, TERMS, Stages, body_of
from tests.support.players import PlayerKey

KEY = PlayerKey("Ada's key")
ME, OPEN = {"type": "me"}, {"type": "open"}
SEEK = {"game": "fair", "seats": 2}


@dataclass
class World:
    """A service, and one player with tokens of every kind."""

    kontor: Kontor
    clock: Clock
    anyone: Someone

    def registered(self, name: str) -> Someone:
        made = self.anyone.post("/v1/players", {"name": name}).json
        return Someone(self.anyone.client, made["token"], made["id"])

    def checkpoint(self) -> Checkpoint:
        """A checkpoint of all that is there; a working service may have taken it already."""
        taken = self.kontor.checkpoints.take() or self.kontor.checkpoints.latest()
        assert taken is not None
        return taken

    def caller(self, role: str, owner: Someone) -> Someone:
        """Somebody in this role, towards what belongs to the owner."""
        if role in ("anonymous", "foreign"):
            return self.anyone if role == "anonymous" else self.registered("Cem")
        if role == "admin":
            return Someone(
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
        return Someone(owner.client, made["token"], owner.id)


def match_for(name: str, ada: Someone, ben: Someone, *, private: bool) -> str:
    """A match in which the operation is possible for Ada."""
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
    if name not in ("leave_match", "join_match"):
        ben.post(f"/v1/matches/{match}/seats", {"contribution": sha256(b"0b" * 32).hexdigest()})
    return str(match)


def requested(name: str, world: World, ada: Someone, *, private: bool = False) -> tuple[str, Any]:
    """Path and body of a request that is all right."""
    ben = world.registered("Ben")
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
        seek_id=ada.post("/v1/seeks", SEEK).json["id"] if "{seek_id}" in path else "",
        level=0,
        place="000.p/1",
        token_id=ada.post("/v1/tokens", {"label": "x", "scopes": ["play"]}).json["id"]
        if "{token_id}" in path
        else "",
    )
    bodies: dict[str, Any] = {
        "register_player": {"name": "Dan"},
        "rename_me": {"name": "Ada L."},
        "set_invitations": {"invitations_from": "met"},
        "set_key": {"public_key": KEY.public, "proof": KEY.proof(ada.id)},
        "create_token": {"label": "y", "scopes": ["play"]},
        "create_match": {"game": "fair", "seats": [ME, OPEN]},
        "create_matches": {"matches": [{"game": "fair", "seats": [ME, OPEN]}]},
        "create_seek": SEEK,
        "announce_tournament": TERMS,
        "open_contribution": {"value": "0a" * 32},
    }
    if name == "branch_match":
        bodies[name] = {"version": ada.get(f"/v1/matches/{match}").json["version"]}
        ada.post(f"/v1/matches/{match}/moves", ada.get(f"/v1/matches/{match}").json["legal_moves"][0])
        ada.post(f"/v1/matches/{match}/resignation")
    if name == "create_rematch":
        ada.post(f"/v1/matches/{match}/resignation")
    if name == "redeem_device_code":
        bodies[name] = {"code": ada.post("/v1/me/device-codes").json["code"]}
    if "/inclusion" in path or "/checkpoints/" in path or "/log/" in path:
        ada.match(ME, OPEN)
        checkpoint = world.checkpoint()
        asked = {"prove_inclusion": f"?size={checkpoint.size}", "prove_keys": f"?size={checkpoint.size}"}
        path += asked.get(name, f"?first=1&second={checkpoint.size}" if name == "prove_consistency" else "")
        bodies["add_cosignatures"] = cosignature_of(checkpoint.note, checkpoint.size)
    if name == "list_ratings":
        path += "?game=fair"
    if name == "play_moves":
        bodies[name] = ada.get(f"/v1/matches/{match}").json["legal_moves"][0]
    if name == "play_many_moves":
        match = match_for(name, ada, ben, private=private)
        move = ada.get(f"/v1/matches/{match}").json["legal_moves"][0]
        bodies[name] = {"commands": [{"match": match, "move": move}]}
    return path, bodies.get(name)
