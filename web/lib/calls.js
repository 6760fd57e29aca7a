// What waits for the user in any of their matches: a turn, an invitation, a rematch or a table of a tournament. Asked
// regularly while the page is visible, and on each new page.
import * as api from "./api.js";
import { lang } from "./i18n.js";
import { tableOf } from "./table_of.js";
import { isMyTurn } from "../pages/parts/match_rows.js";
import { tick } from "../pages/parts/players.js";

/** @typedef {import("../types").MatchSummary} Match */
/**
 * @typedef {{match: string, game: string, kind: "turn" | "invited" | "rematch" | "table", name?: string,
 *   until?: number}} Call
 */
const PAUSE = 10_000;
const LOOKED_AT = 50;

/** @type {Call[]} */ let waiting = [];
/** @type {() => void} */ let changed = () => {};
let asking = false;

/** What waits for the user. */
export const calls = () => waiting;

/** @param {Match} match @param {string} me */
const invites = (match, me) =>
  match.status === "open" &&
  !match.seats.some((seat) => seat.player?.id === me) &&
  match.seats.some((seat) => !seat.player && seat.invited?.id === me);

/** Who has each seat, or is invited to it. @param {Match} match */
const players = ({ seats }) => seats.map(({ player, invited, type }) => (player ?? invited)?.id ?? type);

/**
 * What kind of invitation it is: in a rematch everyone has moved on by one seat.
 * @param {Match} match
 * @param {Match[]} all
 * @returns {Promise<Pick<Call, "kind" | "name" | "until">>}
 */
async function invitation(match, all) {
  const now = players(match).join();
  const host = match.seats.find(({ player }) => player && !player.bot)?.player?.name ?? "";
  const again = all.some(
    (one) =>
      one.status === "finished" &&
      one.game === match.game &&
      [...players(one).slice(-1), ...players(one).slice(0, -1)].join() === now,
  );
  if (again && host) return { kind: "rematch", name: host };
  const table = host ? null : await tableOf(await api.get(`/v1/matches/${match.id}`));
  return table ? { kind: "table", name: table.title, until: table.until ?? undefined } : { kind: "invited" };
}

/** Ask the service. */
export async function refresh() {
  const me = api.me()?.id;
  if (asking || !me || document.visibilityState !== "visible") return;
  asking = true;
  try {
    const [games, { matches }] = await Promise.all([
      api.games(lang()),
      api.get("/v1/matches", { player: me, limit: LOOKED_AT }),
    ]);
    const title = (/** @type {Match} */ match) => games.find(({ id }) => id === match.game)?.title ?? match.game;
    /** @type {Call[]} */ const found = [];
    for (const match of matches) {
      if (isMyTurn(match)) found.push({ match: match.id, game: title(match), kind: "turn" });
      if (invites(match, me))
        found.push({ match: match.id, game: title(match), ...(await invitation(match, matches)) });
    }
    found.sort((one, other) => Number(other.kind === "table") - Number(one.kind === "table"));
    if (api.me()?.id === me) set(found);
  } catch {
    // The service can't be reached, or the token was revoked: the open page says so.
  }
  asking = false;
}

/** @param {Call[]} found */
function set(found) {
  if (JSON.stringify(found) === JSON.stringify(waiting)) return;
  waiting = found;
  changed();
}

/** @param {() => void} listener called when something has changed */
export function start(listener) {
  changed = listener;
  setInterval(() => void refresh(), PAUSE);
  addEventListener("hashchange", () => void refresh());
  document.addEventListener("visibilitychange", () => void refresh());
  setInterval(() => document.querySelectorAll(".banner.call").forEach(tick), 500);
  api.onAccount(() => {
    set([]);
    void refresh();
  });
  void refresh();
}
