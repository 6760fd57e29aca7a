// What waits for the user in any of their matches: a turn, an invitation, a rematch, a table of a tournament, or a seat
// whose player has declined. Asked regularly while the page is visible or may make itself heard, and on each new page.
import * as alerts from "./alerts.js";
import * as api from "./api.js";
import { lang } from "./i18n.js";
import { subscribe } from "./push.js";
import { settings } from "./settings.js";
import * as store from "./store.js";
import { tableOf } from "./table_of.js";
import { isMyTurn } from "../pages/parts/match_rows.js";
import { tick } from "../pages/parts/players.js";

/** @typedef {import("../types").MatchSummary} Match */
/**
 * @typedef {{match: string, game: string, kind: "turn" | "invited" | "rematch" | "table" | "declined", name?: string,
 *   until?: number}} Call
 */
const PAUSE = 10_000;
const LOOKED_AT = 50;

/** @type {Call[]} */ let waiting = [];
/** @type {() => void} */ let changed = () => {};
let asking = false;
/** Whose calls are known: what waited before is no news. @type {string | undefined} */ let knownOf;

/** What waits for the user. */
export const calls = () => waiting;

/** @param {Match} match @param {string} me */
const invites = (match, me) =>
  match.status === "open" &&
  !match.seats.some((seat) => seat.player?.id === me) &&
  match.seats.some((seat) => !seat.player && seat.invited?.id === me);

/** Whom the user has seen invited, by match and seat: a seat whose player has declined does not name them. */
const invitedBefore = () => store.get("invited") ?? {};

/** Who is invited and not seated yet, by seat. @param {Match} match @returns {Record<string, string>} */
const invitedNow = ({ seats }) =>
  Object.fromEntries(
    seats.flatMap(({ seat, player, invited }) => (!player && invited?.name ? [[seat, invited.name]] : [])),
  );

/** Who has declined, if that is news to the user. @param {Match} match */
const decliner = (match) =>
  Object.entries(invitedBefore()[match.id] ?? {}).find(
    ([seat]) => match.status === "open" && !match.seats[Number(seat)].player && !match.seats[Number(seat)].invited,
  )?.[1];

/** Remember who is invited; a player who has declined is news until the match is opened. @param {Match[]} matches */
function noteInvited(matches) {
  const own = matches.filter(({ status, you }) => status === "open" && you !== null);
  const noted = own.map((match) => {
    const isOpen = location.hash.startsWith(`#/match/${match.id}`);
    return [match.id, { ...(isOpen ? {} : invitedBefore()[match.id]), ...invitedNow(match) }];
  });
  store.set("invited", noted.length ? Object.fromEntries(noted) : null);
}

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
  if (asking || !me || (document.visibilityState !== "visible" && !alerts.isOn())) return;
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
      const name = decliner(match);
      if (name) found.push({ match: match.id, game: title(match), kind: "declined", name });
    }
    found.sort((one, other) => Number(other.kind === "table") - Number(one.kind === "table"));
    if (api.me()?.id === me) take(found, me);
    noteInvited(matches);
  } catch {
    // The service can't be reached, or the token was revoked: the open page says so.
  }
  asking = false;
}

/** Show what waits, and make what is new heard. @param {Call[]} found @param {string} me */
function take(found, me) {
  const news = knownOf === me ? found.filter((one) => !waiting.some((other) => isSame(one, other))) : [];
  knownOf = me;
  set(found);
  if (news.length) alerts.tell(news);
}

/** @param {Call} one @param {Call} other */
const isSame = (one, other) => one.match === other.match && one.kind === other.kind;

/** @param {Call[]} found */
function set(found) {
  if (JSON.stringify(found) === JSON.stringify(waiting)) return;
  waiting = found;
  alerts.badge(found.length);
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
  if (settings.notices) void subscribe().catch(() => {}); // its address, or the language, may have changed
}
