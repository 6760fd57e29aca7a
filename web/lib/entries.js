// Entries in tournaments: the contribution is sealed with the entry, opened when no more entries are accepted, and
// compared with the record.
import { hex, sha256 } from "../verifier/crypto.mjs";
import { tournamentCommandText } from "../verifier/formats.mjs";
import * as api from "./api.js";
import { entriesOf, entryOf, evidenceOf, keepEntry as keep, keepReceipt } from "./evidence.js";
import * as keys from "./keys.js";
import * as store from "./store.js";
import { follow } from "./stream.js";
import { Untrusted, checkCommitment } from "./trust.js";

/** @typedef {import("../types").Tournament} Tournament @typedef {import("../types").Entry} Entry */
/** @typedef {import("../verifier/types").TournamentCommand} TournamentCommand */

const OPENINGS = 32;
/** @type {Map<string, () => void>} */
const watched = new Map();

/**
 * @param {string} root
 * @returns {string[]} the hash that is sealed, and then the values to open: the hash of each is the one before
 */
function chainOf(root) {
  const values = [root];
  for (let opening = 0; opening < OPENINGS; opening++) values.push(hex(sha256(values[opening])));
  return values.reverse();
}

/**
 * @param {Entry} entry
 * @template {object} C
 * @param {C} command
 * @returns {Promise<C & {signature?: string}>} the command with the signature of the entrant, if the entry has a key
 */
async function signed(entry, command) {
  if (!entry.key) return command;
  const { tournament, player: by, commitment } = entry;
  const signature = await keys.sign(entry.key, tournamentCommandText({ by, command, commitment, tournament }));
  if (signature === null) throw new keys.KeyElsewhere();
  return { ...command, signature };
}

/**
 * Enter with a sealed contribution, after checking the commitment of the service.
 * @param {Tournament} tournament
 */
export async function enter({ id, status, terms, chance }) {
  const player = api.me()?.id ?? "";
  const earlier = entryOf(id);
  if (!chance.sealed) throw new Untrusted("trust.not_sealed");
  if (["announced", "open"].includes(status)) await checkCommitment("tournament", { id, chance });
  if (earlier && earlier.commitment !== chance.commitment) throw new Untrusted("trust.other_deal");
  const root = earlier && !earlier.entered ? earlier.root : api.randomHex(32);
  const key = await keys.registered();
  /** @type {Entry} */ const entry = {
    tournament: id,
    player,
    commitment: chance.commitment,
    signed: chance.signed,
    rotated: terms.rotated,
    root,
    sealed: chainOf(root)[0],
    key,
    opened: [],
    entered: false,
  };
  keep({ ...entry, opened: earlier?.opened ?? [] });
  const command = { type: "enter", bot: false, contribution: "", sealed: entry.sealed, ...(key ? { key } : {}) };
  const { sealed, signature } = await signed(entry, command);
  try {
    const answer = await api.post(`/v1/tournaments/${id}/entrants`, { sealed, ...(key ? { key, signature } : {}) });
    await keepReceipt("tournament", id, answer);
    if (answer.chance.commitment !== entry.commitment) throw new Untrusted("trust.other_deal");
    keep({ ...entry, opened: earlier?.opened ?? [], entered: true });
    watch(id);
    return answer;
  } catch (error) {
    if (error instanceof api.Problem && error.status < 500) store.set(`entry.${id}.${player}`, earlier);
    throw error;
  }
}

/**
 * Open the contribution if it is due. Each value answers one digest: whoever is asked for it twice sends the next
 * one.
 * @param {string} id
 */
export async function openIfDue(id) {
  const entry = entryOf(id);
  if (!entry?.entered) return;
  const { chance } = await api.get(`/v1/tournaments/${id}`);
  if (!chance.due || !chance.digest) return;
  if (chance.commitment !== entry.commitment) throw new Untrusted("trust.other_deal");
  const known = entry.opened.find(({ digest }) => digest === chance.digest);
  const before = entry.opened.filter(({ sealed }) => sealed === entry.sealed).length;
  const value = known?.value ?? chainOf(entry.root)[1 + before];
  if (!known) keep({ ...entry, opened: [...entry.opened, { sealed: entry.sealed, digest: chance.digest, value }] });
  const { type, ...body } = await signed(entry, { type: "open_contribution", value, digest: chance.digest });
  try {
    await keepReceipt("tournament", id, await api.post(`/v1/tournaments/${id}/contribution`, body));
  } catch (error) {
    if (!(error instanceof api.Problem) || error.code !== "not_due") throw error; // another tab has opened it
  }
}

/** Follow a tournament until it starts, and open the contribution when it is due. @param {string} id */
function watch(id) {
  if (watched.has(id)) return;
  const stop = follow({
    path: `/v1/tournaments/${id}/events`,
    after: 0,
    onRefused: () => watched.delete(id),
    onState: () => {},
    onEvent: (type, data) => {
      if (type !== "fact") return;
      const { fact } = /** @type {import("../types").TournamentEvent} */ (data);
      if (fact.type === "contributions_due") void openIfDue(id);
      if (fact.type === "tournament_started" || fact.type === "tournament_cancelled") end(id);
    },
  });
  watched.set(id, stop);
}

/** @param {string} id */
function end(id) {
  const entry = entryOf(id);
  if (entry) keep({ ...entry, started: true });
  watched.get(id)?.();
  watched.delete(id);
  void compare(id);
}

/**
 * Follow every tournament that the user has entered and that has not started; the page does this as long as it is
 * open. Compare the records of those that are over.
 */
export function watchAll() {
  for (const { tournament, entered, started, checked } of entriesOf(api.me()?.id ?? "")) {
    if (entered && !started) watch(tournament);
    if (entered && started && !checked) void compare(tournament);
  }
}

/** Compare the record of a tournament with the entry if it is over. @param {string} id */
async function compare(id) {
  const { status } = await api.get(`/v1/tournaments/${id}`);
  if (!["final", "cancelled"].includes(status)) return;
  const { settleTournament } = await import("./verify.js");
  const entry = entryOf(id);
  if ((await settleTournament(id)) !== "wrong" || !entry) return;
  keep({ ...entry, contradicted: true });
  listeners.forEach((listener) => listener());
}

/** @type {Set<() => void>} */ const listeners = new Set();

/** @param {() => void} listener called when the record of a tournament contradicts the entry of the user */
export const onContradicted = (listener) => listeners.add(listener);

/** The tournaments of the user whose records contradict what this browser has stored. */
export const contradicted = () => entriesOf(api.me()?.id ?? "").filter((entry) => entry.contradicted);

/**
 * Compare the record of a tournament with the entry; its file has been verified.
 * @param {Entry} entry
 * @param {import("../verifier/types").TournamentLine[]} records
 * @param {Map<string, string>} dealt the commitments of the matches in the file
 * @returns {boolean} whether the commitment, the entry, what was opened for which entries, and the matches are
 *   those of this browser
 */
export function agrees(entry, records, dealt) {
  const sent = records.filter(({ by, command }) => by === entry.player && command?.type === "enter").at(-1)?.command;
  const opened = records
    .filter(({ by, command }) => by === entry.player && command?.type === "open_contribution")
    .map(({ command }) => command);
  const digests = records.filter(({ fact }) => fact.type === "contributions_due").map(({ fact }) => fact.digest);
  // a value that this browser has not opened was opened by another device of the user
  const known = (/** @type {TournamentCommand | undefined} */ one) =>
    entry.opened.every(({ digest, value }) => value !== one?.value || digest === one?.digest);
  const deals =
    (entry.matches ?? []).every((match) => dealt.has(match)) &&
    [...dealt].every(([match, commitment]) => (evidenceOf(match)?.commitment ?? commitment) === commitment);
  return (
    records[0].fact.commitment === entry.commitment &&
    sent?.sealed === entry.sealed &&
    (sent?.key ?? null) === entry.key &&
    opened.every(known) &&
    entry.opened.every(({ digest }) => digests.includes(digest)) &&
    deals
  );
}
