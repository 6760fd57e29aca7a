// Commands on a match: signed if the seat has a key, with a contribution to the deal when a seat is taken
// (docs/clients.md).
import { commandText } from "../verifier/formats.mjs";
import * as api from "./api.js";
import * as evidence from "./evidence.js";
import { lang } from "./i18n.js";
import * as keys from "./keys.js";

import { tellQuery } from "./texts.js";

/**
 * @typedef {import("../types").Match} Match
 * @typedef {import("../types").Move} Move
 * @typedef {import("../types").CommandAnswer} CommandAnswer
 */
/** @typedef {{id: string, version: number, head: string}} Place */
/** @typedef {import("../types").Body<"post", "/v1/matches">} Requested */

const ATTEMPTS = 8;

/**
 * @param {Place} match
 * @param {string} path below the match
 * @param {import("../verifier/types").Command} command as it is stored
 * @param {unknown} body
 * @param {{key: string | null, method?: string, exact?: boolean}} how
 */
async function send(match, path, command, body, { key, method = "POST", exact = false }) {
  let { version, head } = match;
  for (let attempt = 1; ; attempt++) {
    const headers = /** @type {Record<string, string>} */ ({});
    if (exact || key) headers["If-Match"] = `"${version}"`;
    if (key)
      headers["Kontor-Signature"] = await signature(key, {
        by: api.me()?.id ?? "",
        command,
        head,
        match: match.id,
        version,
      });
    const stored = key ? { ...command, signature: headers["Kontor-Signature"] } : command;
    try {
      const call = { headers, query: tellQuery(), ...(method === "DELETE" ? {} : { body }) };
      const answer = /** @type {CommandAnswer} */ (await api.request(method, `/v1/matches/${match.id}${path}`, call));
      if (answer.receipt) await evidence.keepReceipt("match", match.id, answer, stored);
      return evidence.compared(answer);
    } catch (error) {
      if (key && error instanceof api.Problem && [409, 412].includes(error.status))
        evidence.keepRefused(match.id, headers["Kontor-Signature"]);
      if (exact || attempt >= ATTEMPTS || !(error instanceof api.Problem) || error.status !== 412) throw error;
      ({ version, head } = evidence.compared(await api.get(`/v1/matches/${match.id}`)));
    }
  }
}

/** @param {string} key @param {Parameters<typeof commandText>[0]} statement */
async function signature(key, statement) {
  const signed = await keys.sign(key, commandText(statement));
  if (signed === null) throw new keys.KeyElsewhere();
  return signed;
}

/** @param {Match} match @returns {string | null} the key of the user's seat */
export const keyOf = (match) => (match.you === null ? null : match.seats[match.you].key);

/** @param {Match} match @param {number | null} seat Take a seat, after checking the commitment of the service. */
export async function join(match, seat = null) {
  if (!api.me()) throw new Error("no account");
  const key = await keys.registered();
  const { sent: contribution } = await evidence.begin(match, key);
  const body = { contribution, ...(seat === null ? {} : { seat }), ...(key ? { key } : {}) };
  return send(match, "/seats", { type: "join", seat, bot: false, contribution, ...(key ? { key } : {}) }, body, {
    key,
  });
}

/**
 * @param {Requested} body a seat `me` is reserved first and then taken like any other
 */
export async function create(body) {
  const id = api.me()?.id;
  const seats = body.seats.map((seat) =>
    seat.type === "me" ? { type: /** @type {const} */ ("invited"), player: id } : seat,
  );
  const made = await api.post("/v1/matches", { ...body, seats }, { query: tellQuery() });
  evidence.checkCreated(made, { ...body, seats });
  await evidence.keepReceipt("match", made.id, made, {
    type: "create",
    takes_seat: false,
    bot: false,
    contribution: "",
  });
  const mine = seats.findIndex((seat) => seat.player === id);
  return mine < 0 ? made : join(made, mine);
}

/**
 * Create or join the rematch: the same players, everyone moved on by one seat.
 * @param {Match} match
 */
export async function rematch(match) {
  const { id } = await api.post(`/v1/matches/${match.id}/rematch`);
  return takeReserved(id, (made) => evidence.checkRematch(made, match));
}

/**
 * Take the seat that is reserved for the user, if it is still free.
 * @param {string} id
 * @param {(made: Match) => void} check throws if the match has other terms than the user wanted
 */
export async function takeReserved(id, check = () => {}) {
  // reload it: others may have joined already
  const made = evidence.compared(await api.get(`/v1/matches/${id}`, tellQuery()));
  check(made);
  const mine = made.seats.find((seat) => !seat.player && seat.invited?.id === api.me()?.id);
  return made.status === "open" && mine ? join(made, mine.seat) : made;
}

/** Decline an invitation. @param {{id: string}} match */
export const decline = (match) => api.post(`/v1/matches/${match.id}/decline`);

/** Create a new link to a private match; the old one stops working. @param {Match} match @returns {Promise<string>} */
export const renewLink = async (match) => (await api.post(`/v1/matches/${match.id}/link-key`)).link_key;

/** @param {Match} match */
export const leave = (match) =>
  send(match, "/seats/me", { type: "leave" }, undefined, { key: keyOf(match), method: "DELETE" });
/** Give a free seat to a house bot. @param {Match} match @param {number} seat @param {string} bot */
export async function seatBot(match, seat, bot) {
  const { bot_versions: versions } = await api.game(match.game, lang());
  const body = { seat, bot, bot_version: versions[bot] };
  return send(match, "/bots", { type: "seat_bot", ...body }, body, { key: keyOf(match) });
}
/** @param {Match} match */
export const start = (match) => send(match, "/start", { type: "start" }, {}, { key: keyOf(match) });
/** @param {Match} match */
export const resign = (match) => send(match, "/resignation", { type: "resign" }, {}, { key: keyOf(match) });
/** @param {Match} match */
export const abort = (match) => send(match, "/abort", { type: "abort" }, {}, { key: keyOf(match) });
/** Make moves, all or none. @param {Match} match @param {Move[]} moves */
export const play = (match, moves) =>
  send(match, "/moves", { type: "play", moves }, bodyOf(moves), { key: keyOf(match), exact: true });

/** @param {Move[]} moves */
const bodyOf = (moves) => (moves.length === 1 ? moves[0] : { moves });

/** @param {Match} match Open the sealed contribution when it is due. */
export async function openContribution(match) {
  const kept = evidence.evidenceOf(match.id);
  if (!kept || kept.opened) return null;
  const answer = await send(
    match,
    "/contribution",
    { type: "open", value: kept.contribution },
    { value: kept.contribution },
    { key: keyOf(match) },
  );
  evidence.keep({ ...kept, opened: true });
  return answer;
}

/**
 * Dry-run moves.
 * @param {Match} match
 * @param {Move[]} moves
 * @returns {Promise<import("../types").DryRun>} throws the problem if it is refused
 */
export const dryRun = (match, moves) =>
  api.post(`/v1/matches/${match.id}/dry-runs`, bodyOf(moves), {
    query: tellQuery(),
    headers: { "If-Match": `"${match.version}"` },
  });
