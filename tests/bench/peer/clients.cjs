// Plays matches on boardgame.io's server with its own clients: node clients.cjs PORT MATCHES SECONDS
// Prints the moves that the server accepted, as JSON. Each seat has a client, which moves as soon as it is its turn.
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { Market } = require("./game.cjs");

const [port, matches, seconds] = process.argv.slice(2).map(Number);
const server = `http://localhost:${port}`;
const SEATS = 2;
let moves = 0;
let running = true;
const connected = new Set();

async function post(path, body) {
  const answer = await fetch(`${server}/games/market/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

async function seat(matchID, playerID) {
  const { playerCredentials } = await post(`${matchID}/join`, { playerID, playerName: `Player ${playerID}` });
  const client = Client({ game: Market, multiplayer: SocketIO({ server }), matchID, playerID, credentials: playerCredentials, debug: false });
  let last = -1;
  client.subscribe((state) => {
    if (!running || state === null || state._stateID === last) return;
    last = state._stateID;
    connected.add(client);
    if (playerID === "0") moves = moves + 1;
    if (state.ctx.currentPlayer === playerID) setImmediate(() => running && client.moves.take(0));
  });
  return client;
}

async function main() {
  const clients = [];
  for (let number = 0; number < matches; number += 1) {
    const { matchID } = await post("create", { numPlayers: SEATS });
    for (let player = 0; player < SEATS; player += 1) clients.push(await seat(matchID, String(player)));
  }
  for (const client of clients) client.start();
  while (connected.size < clients.length) await new Promise((resolve) => setTimeout(resolve, 100));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const [before, began] = [moves, performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  console.log(JSON.stringify({ moves: moves - before, seconds: (performance.now() - began) / 1000 }));
  running = false;
  process.exit(0);
}

main();
