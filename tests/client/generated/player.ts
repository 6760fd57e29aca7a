// A match played with the client that openapi-typescript and openapi-fetch generate from openapi.yaml.
import createClient from "openapi-fetch";
import type { components, paths } from "./contract.js";

declare const process: { argv: string[] };
const [, , baseUrl = "", game = ""] = process.argv;
const kontor = createClient<paths>({ baseUrl });
type Position = components["schemas"]["MoveAnswer"] | components["schemas"]["Match"];

function dataOf<Data>(answer: { data?: Data; error?: unknown }): Data {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const ada = dataOf(await kontor.POST("/v1/players", { body: { name: "Ada", bot: true } }));
kontor.use({
  onRequest: ({ request }) => {
    request.headers.set("Authorization", `Bearer ${ada.token}`);
    return request;
  },
});

const rules = dataOf(await kontor.GET("/v1/games/{game_id}", { params: { path: { game_id: game } } }));
const rivals = Array(Math.min(...rules.seats) - 1).fill({ type: "bot", bot: "random" });
const match = dataOf(await kontor.POST("/v1/matches", { body: { game, seats: [{ type: "me" }, ...rivals] } }));
const path = { match_id: match.id };

let moves = 0;
let now: Position = match;
while (now.status === "running") {
  if (now.you !== null && now.to_act.includes(now.you)) {
    const listed = now.legal_moves.filter((move) => !("schema" in move));
    const move = listed[Math.floor(Math.random() * listed.length)];
    if (move === undefined) throw new Error("there is no legal move");
    const header = { "Idempotency-Key": crypto.randomUUID(), "If-Match": `"${now.version}"` };
    const made = await kontor.POST("/v1/matches/{match_id}/moves", { params: { path, header }, body: move });
    if (made.response.status === 412) {
      now = dataOf(await kontor.GET("/v1/matches/{match_id}", { params: { path } })); // another player acted in between
      continue;
    }
    now = dataOf(made);
    moves += 1;
  } else {
    await kontor.GET("/v1/matches/{match_id}/events", { params: { path, query: { after: now.version, wait: 20 } } });
    now = dataOf(await kontor.GET("/v1/matches/{match_id}", { params: { path } }));
  }
}
console.log(`${moves} moves, ${now.status}: ${now.result?.reason}, places ${now.result?.places}`);
