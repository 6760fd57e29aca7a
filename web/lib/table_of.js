// The tournament to which a match belongs, found through one of its players: the answer about a match does not name it.
import * as api from "./api.js";

/** @typedef {{id: string, title: string, round: number | null, until: number | null}} TableOf */
/** @type {Map<string, Promise<TableOf | null>>} */ const known = new Map();

/**
 * Round of a match, and until when (in milliseconds since 1970) its seats must be taken.
 * @param {import("../types").Match} match
 * @returns {Promise<TableOf | null>}
 */
export function tableOf(match) {
  const found = known.get(match.id) ?? search(match);
  known.set(match.id, found);
  found.catch(() => known.delete(match.id)); // the service can't be reached: ask again later
  return found;
}

/** @param {import("../types").Match} match */
async function search({ id, game, creator, seats, status }) {
  const player = seats.map(({ player: seated, invited }) => (seated ?? invited)?.id).find(Boolean);
  if (creator !== "house" || !player) return null;
  const { tournaments } = await api.get("/v1/tournaments", { player, game });
  for (const { id: tournament, title, round } of tournaments) {
    const { matches } = await api.get("/v1/matches", { tournament, player, limit: 100 });
    if (!matches.some((one) => one.id === id)) continue;
    return {
      id: tournament,
      title,
      round: await roundOf(tournament, round, id),
      until: status === "open" ? await deadline(tournament, id) : null,
    };
  }
  return null;
}

/** @param {string} tournament @param {number} newest @param {string} match */
async function roundOf(tournament, newest, match) {
  for (let round = newest; round > 0; round--) {
    const { tables } = await api.get(`/v1/tournaments/${tournament}/rounds/${String(round)}`);
    if (tables.some((table) => table.matches.some((one) => one.match === match))) return round;
  }
  return null;
}

/** @param {string} tournament @param {string} match */
async function deadline(tournament, match) {
  const [{ terms }, { events }] = await Promise.all([
    api.get(`/v1/tournaments/${tournament}`),
    api.get(`/v1/matches/${match}/events`, { limit: 1 }),
  ]);
  return Date.parse(events[0].at) + Number(terms.no_show_ms);
}
