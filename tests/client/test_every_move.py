"""Every kind of move of every game, signed in the shortest form that the rules allow, by every client.

The kinds come from the rules, and the positions from recorded matches: a new kind that is not recorded fails.
Every match is then ended, and its record is checked by all our verifiers.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from kontor_client import Kontor
from kontor_games.domain.games import installed_games
from kontor_games.service.trust.verifier import verify
from tests.client.service import Service, run_program
from tests.client.test_clients_page import block
from tests.client.typescript import typescript_folder
from tests.support.every_move import Situation, set_up, situations
from tests.support.node import problems
from tests.support.players import PlayerKey

GAMES = sorted(installed_games())
MOST_SEATS = max(count for game in installed_games().values() for count in game.rules().seat_counts)


@pytest.fixture(scope="module")
def others(service: Service) -> Iterator[list[Kontor]]:
    """The players on the other seats, who do nothing."""
    clients = [Kontor(service.url) for _ in range(MOST_SEATS - 1)]
    for number, client in enumerate(clients):
        client.register(f"Silent {number}", bot=False)
    yield clients
    for client in clients:
        client.close()


class Tables:
    """A match for each kind of move of a game; it starts when the player has joined."""

    def __init__(self, service: Service, game: str, player: str, others: list[Kontor]) -> None:
        self.situations = list(situations(game).values())
        self.others = others
        ids = set_up(service.database_url, self.situations, player, [one.me().id for one in others])
        self.matches: dict[str, Situation] = dict(zip(ids, self.situations, strict=True))
        for match, situation in self.matches.items():
            for other in self._others_in(situation):
                other.connection.command("POST", f"/v1/matches/{match}/seats", {})

    def _others_in(self, situation: Situation) -> list[Kontor]:
        return self.others[: len(situation.created.seats) - 1]

    def end(self) -> None:
        """Let the others agree to abort all matches, which the player has proposed."""
        for match, situation in self.matches.items():
            for other in self._others_in(situation):
                other.connection.command("POST", f"/v1/matches/{match}/abort", {})

    def check(self, folder: Path) -> None:
        """Check that each record contains its move as it was sent and as it is stored, and is valid."""
        exports = [
            self.others[0].connection.download(f"/v1/matches/{match}/export") for match in self.matches
        ]
        for content, situation in zip(exports, self.situations, strict=True):
            command = next(one for one in commands_of(content) if one["type"] == "play")
            assert command["moves"] == [situation.stored]
            sent = situation.shortest
            assert command.get("sent_moves") == (None if sent == situation.stored else [sent])
            assert verify(content).signed_commands == 3, "the player joined, moved and proposed to abort"
        assert problems(folder, exports) == [None] * len(exports)


def commands_of(content: bytes) -> list[Any]:
    lines = map(json.loads, content.splitlines())
    return [line["command"] for line in lines if "command" in line]


class PlainHttp:
    """A player who sends requests as docs/signatures.md says, without any code of ours but the signature."""

    def __init__(self, url: str) -> None:
        self._connection = HTTPConnection(urlsplit(url).netloc)
        self._headers = {"Content-Type": "application/json"}
        account = self.send("POST", "/v1/players", {"name": "Plain"})
        self._headers["Authorization"] = f"Bearer {account['token']}"
        self.id, self.key = account["id"], PlayerKey("plain HTTP")
        self.send("PUT", "/v1/me/key", {"public_key": self.key.public, "proof": self.key.proof(self.id)})

    def close(self) -> None:
        self._connection.close()

    def send(self, method: str, path: str, body: Any = None, signature: str = "") -> Any:
        headers = self._headers | ({"Kontor-Signature": signature} if signature else {})
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self._connection.getresponse()
        content = json.loads(answer.read())
        assert answer.status < 400, content
        return content

    def signature(self, now: Any, command: Any) -> str:
        return self.key.sign_command(now["id"], now["version"], now["head"], self.id, command)

    def command(self, match: str, path: str, command: Any, body: Any) -> None:
        now = self.send("GET", f"/v1/matches/{match}")
        self.send("POST", f"/v1/matches/{match}/{path}", body, self.signature(now, command))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("how", ["one move", "a list", "in a batch"])
def test_every_kind_of_move_is_accepted_by_plain_http(
    how: str, game: str, service: Service, others: list[Kontor], tmp_path: Path
) -> None:
    with closing(PlainHttp(service.url)) as player:
        play_every_kind(player, Tables(service, game, player.id, others), how, tmp_path)


def play_every_kind(player: PlainHttp, tables: Tables, how: str, folder: Path) -> None:
    batch = []
    for match, situation in tables.matches.items():
        seat = {"key": player.key.public}
        player.command(
            match, "seats", {"type": "join", "seat": None, "bot": False, "contribution": "", **seat}, seat
        )
        move = situation.shortest
        command = {"type": "play", "moves": [move]}
        if how == "in a batch":
            now = player.send("GET", f"/v1/matches/{match}")
            signature = player.signature(now, command)
            batch.append({"match": match, "move": move, "version": now["version"], "signature": signature})
        else:
            player.command(match, "moves", command, move if how == "one move" else {"moves": [move]})
    if batch:
        answers = player.send("POST", "/v1/moves", {"commands": batch})["answers"]
        assert [answer["problem"] for answer in answers] == [None] * len(batch)
    for match in tables.matches:
        player.command(match, "abort", {"type": "abort"}, {})
    tables.end()
    tables.check(folder)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("together", [False, True], ids=["play", "play_many"])
def test_every_kind_of_move_is_accepted_from_the_client_in_python(
    together: bool, game: str, service: Service, others: list[Kontor], tmp_path: Path
) -> None:
    with Kontor(service.url) as player:
        player.sign_in("Python", bot=False)
        tables = Tables(service, game, player.me().id, others)
        started = [player.join(match, contribution="0" * 64) for match in tables.matches]
        moves = [situation.shortest for situation in tables.situations]
        if together:
            results = player.play_many(zip(started, moves, strict=True))
            assert [result for result in results if isinstance(result, Exception)] == []
        else:
            for match, move in zip(started, moves, strict=True):
                player.play(match.id, move, match.version)
        for match in started:
            player.abort(match.id)
        tables.end()
        assert {player.match(match).status for match in tables.matches} == {"aborted"}  # which checks them
        tables.check(tmp_path)


EVERY_MOVE = """
import { createKey } from "./signing.js";

declare const process: { argv: string[] };
const [, , url = "", id = "", token = "", given = ""] = process.argv;
const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
const { public_key, proof, sign } = await createKey(id);

async function ask(method: string, path: string, body?: object, signature?: string) {
  const signed = signature === undefined ? headers : { ...headers, "Kontor-Signature": signature };
  const init = { method, headers: signed, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const answer = await fetch(url + path, init);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

await ask("PUT", "/v1/me/key", { public_key, proof });
for (const [match, move] of Object.entries(JSON.parse(given) as Record<string, object>)) {
  const path = `/v1/matches/${match}`;
  const join = { type: "join", seat: null, bot: true, contribution: "", key: public_key };
  await ask("POST", `${path}/seats`, { key: public_key }, await sign(await ask("GET", path), join));
  const play = { type: "play", moves: [move] };
  await ask("POST", `${path}/moves`, move, await sign(await ask("GET", path), play));
  await ask("POST", `${path}/abort`, {}, await sign(await ask("GET", path), { type: "abort" }));
}
"""


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_move_is_accepted_from_the_bot_in_typescript(
    game: str, service: Service, others: list[Kontor], tmp_path: Path
) -> None:
    folder = typescript_folder("every-move")
    (folder / "signing.ts").write_text(block("ts", "export async function createKey"), encoding="utf-8")
    (folder / "moves.ts").write_text(EVERY_MOVE, encoding="utf-8")
    compile_ = "npx tsc --strict --target es2022 --module nodenext moves.ts signing.ts"
    run_program("sh", "-euc", compile_, cwd=folder)
    with service.player("TypeScript") as player:
        tables = Tables(service, game, player.me().id, others)
        moves = {match: situation.shortest for match, situation in tables.matches.items()}
        token = str(player.connection.token)
        run_program("node", "moves.js", service.url, player.me().id, token, json.dumps(moves), cwd=folder)
    tables.end()
    tables.check(tmp_path)
