"""Records real requests and answers as the contract's examples: `python -m tests.api.record`.

It writes a file for each operation to api/examples, always with the same bytes: the clock stands still,
and random bytes depend only on the request and on how often it was sent before.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kontor_games.api import create_app
from kontor_games.domain.games import installed_games
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.api.conftest import ApiUser, Clock
from tests.api.contract import operation_of
from tests.api.cosigning import WITNESS, cosignature_of
from tests.api.recorded_conduct import report, use_mail
from tests.api.valid_requests import SUBSCRIPTION
from tests.domain.tournaments.tournaments import chain_of
from tests.support.players import PlayerKey

SHARE = sha256(b"my own share").hexdigest()
"""A contribution that is first sent as a hash and then opened."""

FOLDER = Path(__file__).parents[2] / "api" / "examples"
NOT_RECORDED = {"token": "kontor_" + "x" * 49, "page_build": "0123456789ab"}
"""Fixed values of a secret, and of a field that changes with every file of the page."""


@contextmanager
def fixed_bytes() -> Iterator[Random]:
    """Replace the random bytes of the system by those of a generator that the caller seeds."""
    source = Random("start")
    with ExitStack() as stack:
        for place in ("os.urandom", "random._urandom"):
            stack.enter_context(patch(place, source.randbytes))
        stack.enter_context(
            patch.object(
                Ed25519PrivateKey,
                "generate",
                lambda: Ed25519PrivateKey.from_private_bytes(source.randbytes(32)),
            )
        )
        yield source


class Recorder:
    """A client that keeps the first successful request and answer of each operation as an example."""

    def __init__(self, client: Any, source: Random) -> None:
        self._client, self._source = client, source
        self._calls = Counter[str]()
        self.examples: dict[str, dict[str, Any]] = {}

    def open(self, path: str, method: str, **kwargs: Any) -> Any:
        operation = operation_of(method, path.partition("?")[0])
        assert operation is not None, path
        name, call = operation["operationId"], f"{method} {path} {kwargs}"
        self._calls[call] += 1
        self._source.seed(f"{call} {self._calls[call]}")
        answer = self._client.open(path, method=method, **kwargs)
        assert answer.status_code < 500, answer.text
        known = self.examples.setdefault(name, {})
        if answer.status_code < 300:
            if "json" in kwargs:
                known.setdefault("request", kwargs["json"])
            if answer.is_json:
                known.setdefault("answers", {}).setdefault(str(answer.status_code), answer.json)
        return answer


def shortened(body: Any) -> Any:
    """A shorter example: the first two items of lists, the beginning of long texts, six decimal places."""
    if isinstance(body, dict):
        fixed = {name: value for name, value in NOT_RECORDED.items() if name in body}
        return {name: shortened(value) for name, value in body.items()} | fixed
    if isinstance(body, list):
        return [shortened(item) for item in body[:2]]
    if isinstance(body, float):
        return round(body, 6)
    return body[:200] + " …" if isinstance(body, str) and len(body) > 300 else body


def _first_schemas(body: Any) -> Any:
    """The description of a game with only the first two schemas of moves and of facts, and two words."""
    return {
        **body,
        **{name: dict(list(body[name].items())[:2]) for name in ("moves", "facts", "words") if name in body},
    }


def record() -> dict[str, Any]:
    """Call every operation at least once, in the order in which a new user would, and return the examples."""
    *_, game = installed_games().values()
    with tempfile.TemporaryDirectory() as folder, fixed_bytes() as source:
        kontor = Kontor(
            Settings(
                database_url=f"sqlite:///{folder}/kontor.db",
                workers_in_process=False,
                witnesses=(WITNESS.public,),
                log_origin="localhost/v1/log",
                public_url="https://kontor.example",
                smtp_url="smtp://127.0.0.1:9",
                mail_from="kontor@kontor.example",
                secret_key="the secret of the examples, 32 letters",  # noqa: S106
            ),
            Clock(),
        )
        kontor.migrate()
        recorder = Recorder(create_app(kontor).test_client(), source)
        _play_against_bots(recorder, game.id, next(iter(game.bots)), game.rules().seat_counts[0])
        _read_evidence(recorder, kontor)
        _play_rated_match(recorder, kontor, game.id, game.rules().seat_counts[0])
        _run_tournament(recorder, kontor, game.id, game.rules().seat_counts[0])
        report(recorder, kontor)
        use_mail(recorder, kontor)
        kontor.close()
    examples = recorder.examples
    examples["get_game"]["answers"]["200"] = _first_schemas(examples["get_game"]["answers"]["200"])
    for ruleset in examples["get_game"]["answers"]["200"]["rulesets"]:
        fields = ruleset["view_schema"]["properties"]
        ruleset["view_schema"]["properties"] = dict(list(fields.items())[:2])
        ruleset["view_schema"]["required"] = list(fields)[:2]
    data_set = examples["get_data_set"]["answers"]["200"]
    data_set["derived"]["cards"] = dict(list(data_set["derived"]["cards"].items())[:2])
    del examples["get_openapi_json"]
    return {name: shortened(example) for name, example in examples.items() if example}


def _play_against_bots(recorder: Recorder, game: str, bot: str, seats: int) -> None:
    anonymous = ApiUser(recorder)
    ada, ben = (_register(anonymous, name) for name in ("Ada", "Ben"))
    me, other, house = {"type": "me"}, {"type": "open"}, [{"type": "bot", "bot": bot}] * (seats - 2)
    for path in (
        "/",
        "/v1/games",
        f"/v1/games/{game}",
        "/healthz",
        "/readyz",
        "/openapi.json",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/mcp.json",
        "/llms.txt",
    ):
        anonymous.get(path)
    name = anonymous.get(f"/v1/games/{game}").json["data_sets"][0]["name"]
    anonymous.get(f"/v1/games/{game}/data-sets/{name}")
    token = ada.post("/v1/tokens", {"label": "laptop", "scopes": ["play"], "expires_in_ms": 86_400_000}).json[
        "id"
    ]
    for path in ("/v1/me", "/v1/tokens"):
        ada.get(path)
    ada.patch("/v1/me", {"name": "Ada L."})
    code = ada.post("/v1/me/device-codes").json["code"]
    anonymous.post("/v1/device-codes/redeem", {"code": code})
    ada.put("/v1/me/invitations", {"invitations_from": "met"})
    ada.put("/v1/me/push-devices/5d6d0a06-3f0c-4a2b-9a6e-0c9d1b7f3e21", SUBSCRIPTION)
    ada.get("/v1/me/calls")
    ada.delete("/v1/me/push-devices/5d6d0a06-3f0c-4a2b-9a6e-0c9d1b7f3e21")
    ada.delete(f"/v1/tokens/{token}")
    key = PlayerKey("an example")
    ada.put("/v1/me/key", {"public_key": key.public, "proof": key.proof(ada.id)})
    ada.delete("/v1/me/key")
    cursor = ada.get("/v1/events").json["next"]
    match = ada.post(
        "/v1/matches",
        {
            "game": game,
            "seats": [me, *house, {"type": "bot", "bot": bot}],
            "clock": {"kind": "per_move", "ms": 60_000},
        },
    )
    path = f"/v1/matches/{match.json['id']}"
    ada.get(f"{path}?tell=en")
    ada.get("/v1/matches")
    _play_against_ben(recorder, ada, ben, {"game": game, "seats": [me, other, *house]})
    ada.get(f"{path}/events?limit=3&tell=en")
    ada.get(f"{path}/positions?from=2&tell=en")
    ada.get(f"/v1/events?after={cursor}")
    _look_for_obstacles(ada)
    ben.delete("/v1/me")


def _look_for_obstacles(ada: ApiUser) -> None:
    """Ask what is missing after the first roll of a match in which it is the player's turn."""
    bot = {"type": "bot", "bot": "greedy"}
    body = {"game": "europe", "seats": [{"type": "me"}, bot, bot], "seed": "third"}
    match = ada.post("/v1/matches", body).json
    path = f"/v1/matches/{match['id']}"
    assert ada.post(f"{path}/moves", match["legal_moves"][0]).json["view"]["phase"] == "action"
    ada.get(f"{path}/obstacles?tell=en")


def _play_against_ben(recorder: Recorder, ada: ApiUser, ben: ApiUser, body: dict[str, Any]) -> None:
    waiting = f"/v1/matches/{ada.post('/v1/matches', {**body, 'autostart': False}).json['id']}"
    ben.post(f"{waiting}/seats", {"seat": 1, "contribution": sha256(b"seventeen").hexdigest()})
    ben.delete(f"{waiting}/seats/me")
    ben.post(f"{waiting}/seats")
    start = ada.post(f"{waiting}/start").json
    ben.post(f"{waiting}/phrases", {"phrase": "good_luck"})
    ada.get(f"{waiting}/phrases")
    mover = next(who for who in (ada, ben) if who.get(waiting).json["legal_moves"])
    move = next(move for move in mover.get(waiting).json["legal_moves"] if "schema" not in move)
    mover.post(f"{waiting}/dry-runs", move, headers={"If-Match": f'"{start["version"]}"'})
    mover.post(f"{waiting}/moves?tell=en", move)
    _many_moves(ada, ben, body)
    ben.post(f"{waiting}/resignation")
    ada.post(f"{waiting}/rematch")
    private = ada.post("/v1/matches", {**body, "private": True}).json["id"]
    ada.post(f"/v1/matches/{private}/link-key")
    ada.post(f"/v1/matches/{ada.post('/v1/matches', body).json['id']}/abort")
    sealed = {**body, "sealed": True, "seats": [{"type": "invited", "player": ada.id}, *body["seats"][1:]]}
    match = f"/v1/matches/{ada.post('/v1/matches', sealed).json['id']}"
    ada.post(f"{match}/seats", {"contribution": sha256(SHARE.encode()).hexdigest()})
    ben.post(f"{match}/seats", {"contribution": sha256(b"another").hexdigest()})
    ada.post(f"{match}/contribution", {"value": SHARE})
    invited = {**body, "seats": [body["seats"][0], {"type": "invited", "player": ben.id}, *body["seats"][2:]]}
    declined = f"/v1/matches/{ada.post('/v1/matches', invited).json['id']}"
    ben.post(f"{declined}/decline")
    bots = ada.get(f"/v1/games/{body['game']}").json["bots"]
    ada.post(f"{declined}/bots", {"seat": 1, "bot": bots[0]})


def _many_moves(ada: ApiUser, ben: ApiUser, body: dict[str, Any]) -> None:
    """Send a move in each of two matches; the second names a stale version."""
    commands = []
    for key in ("first", "second"):
        match = ada.post("/v1/matches", body).json["id"]
        ben.post(f"/v1/matches/{match}/seats")
        now = ada.get(f"/v1/matches/{match}").json
        mover = ada if now["legal_moves"] else ben
        now = mover.get(f"/v1/matches/{match}").json
        move = next(move for move in now["legal_moves"] if "schema" not in move)
        commands.append({"match": match, "move": move, "version": now["version"], "key": key})
    commands[1]["version"] -= 1
    mover.post("/v1/moves", {"commands": commands})


def _read_evidence(recorder: Recorder, kontor: Kontor) -> None:
    checkpoint = kontor.checkpoints.take()
    assert checkpoint is not None
    kontor.audits.audit_ended()
    anonymous = ApiUser(recorder)
    done = anonymous.get("/v1/matches?status=finished").json["matches"][0]
    size = checkpoint.size
    anonymous.post("/v1/log/cosignatures", cosignature_of(checkpoint.note, size))
    for path in (
        "/.well-known/kontor-keys.json",
        "/v1/log/checkpoint",
        f"/v1/log/keys?size={size}",
        "/v1/checkpoints",
        f"/v1/checkpoints/consistency?first=2&second={size}",
        f"/v1/matches/{done['id']}/inclusion?size={size}",
        f"/v1/matches/{done['id']}/export",
        "/v1/fairness",
    ):
        anonymous.get(path)
    cem = _register(anonymous, "Cem")
    cem.post(f"/v1/matches/{done['id']}/branches", {"version": done["version"] - 2})
    cem.get(f"/v1/matches/{done['id']}/analysis")
    kontor.analyses.make_next()
    cem.get(f"/v1/matches/{done['id']}/analysis")


def _play_rated_match(recorder: Recorder, kontor: Kontor, game: str, seats: int) -> None:
    """Play a rated match, and read the ladder after it."""
    anonymous = ApiUser(recorder)
    players = [_register(anonymous, name) for name in ("Hilda", "Igor", "Jana", "Karl")[:seats]]
    body: dict[str, Any] = {
        "game": game,
        "seats": [{"type": "open"}] * seats,
        "rated": True,
        "tags": ["autumn"],
    }
    match = f"/v1/matches/{players[0].post('/v1/matches', body).json['id']}"
    for who in players:
        who.post(f"{match}/seats")
    for who in players[1:]:
        who.post(f"{match}/resignation")
    bodies = [{**body, "key": "table-1"}, {**body, "seats": body["seats"][:1], "key": "table-2"}]
    players[0].post("/v1/match-batches", {"matches": bodies})
    seek = players[0].post("/v1/seeks", {"game": game, "seats": seats, "rated": True}).json["id"]
    players[0].get("/v1/seeks")
    players[0].get(f"/v1/seeks/{seek}")
    players[0].delete(f"/v1/seeks/{seek}")
    kontor.rating_projection.count_new()
    kontor.presence.write()
    for path in (
        f"/v1/ratings?game={game}",
        f"/v1/players/{players[0].id}",
        "/v1/players?q=h&online=true",
    ):
        anonymous.get(path)


def _run_tournament(recorder: Recorder, kontor: Kontor, game: str, seats: int) -> None:
    """Run a tournament from its announcement to a corrected edition."""
    anonymous = ApiUser(recorder)
    organiser, *entrants = (
        _register(anonymous, name) for name in ("Olga", "Dora", "Emil", "Fritz")[: seats + 1]
    )
    terms = {
        "title": "Autumn cup",
        "game": game,
        "seats": seats,
        "rounds": 2,
        "automatic": False,
        "correction_ms": 0,
    }
    path = f"/v1/tournaments/{organiser.post('/v1/tournaments', terms).json['id']}"
    worker = kontor.tournament_worker()
    organiser.post(f"{path}/opening")
    for number, who in enumerate(entrants):
        who.post(f"{path}/entrants", {"sealed": chain_of(number)[0]})
    entrants[0].post(f"{path}/entrants/me/withdrawal")
    entrants[0].post(f"{path}/entrants", {"sealed": chain_of(len(entrants))[0]})
    late = _register(anonymous, "Gerda")
    late.post(f"{path}/entrants")
    organiser.post(f"{path}/withdrawals", {"entrant": len(entrants), "why": "entered by mistake"})
    organiser.post(f"{path}/start")
    digest = anonymous.get(path).json["chance"]["digest"]
    for number, who in zip((len(entrants), 1, 2, 3), entrants, strict=False):
        who.post(f"{path}/contribution", {"value": chain_of(number)[1], "digest": digest})
    organiser.post(f"{path}/rounds")
    worker.step_all()

    def match() -> str:
        return str(organiser.get(f"{path}/rounds/1").json["tables"][0]["matches"][0]["match"])

    entrants[0].post(f"/v1/matches/{match()}/seats")
    entrants[0].post(f"/v1/matches/{match()}/moves", {"type": "body"})  # refused, and counted
    organiser.post(f"{path}/replays", {"match": match(), "why": "power cut"})
    worker.step_all()
    places = list(range(1, seats + 1))
    organiser.post(f"{path}/rulings", {"match": match(), "places": places, "why": "no time to play again"})
    organiser.post(f"{path}/provisional-standings")
    entrants[0].post(f"{path}/protests", {"why": "I was winning."})
    for who in entrants:
        who.post(f"{path}/acknowledgements")
    organiser.post(f"{path}/sign-off", {"despite_protests": True})
    organiser.post(f"{path}/corrections", {"match": match(), "places": places[::-1], "why": "clerical error"})
    for what in ("", "/standings", "/refusals", "/events?limit=3", "/export"):
        anonymous.get(f"{path}{what}")
    anonymous.get("/v1/tournaments")
    checkpoint = kontor.checkpoints.take()
    assert checkpoint is not None
    anonymous.get(f"{path}/inclusion?size={checkpoint.size}")
    cancelled = organiser.post("/v1/tournaments", terms).json["id"]
    organiser.post(f"/v1/tournaments/{cancelled}/cancellation", {"why": "rain"})


def _register(anonymous: ApiUser, name: str) -> ApiUser:
    made = anonymous.post("/v1/players", {"name": name}).json
    return ApiUser(anonymous.client, made["token"], made["id"])


def write(folder: Path) -> None:
    """Record the examples and write them to a folder, in place of its other examples."""
    recorded = record()
    folder.mkdir(exist_ok=True)
    for file in folder.glob("*.json"):
        file.unlink()
    for name, example in recorded.items():
        text = json.dumps(example, indent=1, ensure_ascii=False)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
