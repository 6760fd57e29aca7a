// What waits for the user in any of their matches: a turn or an invitation. Asked regularly while the page is visible, and on each new page.
import * as api from "./api.js";
import { lang } from "./i18n.js";
import { isMyTurn } from "../pages/parts/match_rows.js";

/** @typedef {{match: string, game: string, kind: "turn" | "invited"}} Call */
const PAUSE = 10_000, LOOKED_AT = 50;

/** @type {Call[]} */ let waiting = [];
/** @type {() => void} */ let changed = () => {};
let asking = false;

/** What waits for the user. */
export const calls = () => waiting;

/** @param {import("../types").Match} match @param {string} me */
const invites = (match, me) => match.status === "open" && !match.seats.some((seat) => seat.player?.id === me) && match.seats.some((seat) => !seat.player && seat.invited?.id === me);

/** Ask the service. */
export async function refresh() {
  const me = api.me()?.id;
  if (asking || !me || document.visibilityState !== "visible") return;
  asking = true;
  try {
    const [games, { matches }] = await Promise.all([api.games(lang()), api.get("/v1/matches", { player: me, limit: LOOKED_AT })]);
    const found = matches.flatMap((/** @type {import("../types").Match} */ match) => {
      const kind = isMyTurn(match) ? "turn" : invites(match, me) ? "invited" : null;
      return kind ? [{ match: match.id, game: games.find(({ id }) => id === match.game)?.title ?? match.game, kind }] : [];
    });
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
  api.onAccount(() => { set([]); void refresh(); });
  void refresh();
}
