// Checks the signatures of the service: its keys are pinned, commitments are checked before a contribution is sent, receipts are stored.
import { isSigned } from "../verifier/crypto.mjs";
import { canonical, same } from "../verifier/formats.mjs";
import { readKeys } from "../verifier/kontor-verify.mjs";
import * as api from "./api.js";
import * as store from "./store.js";

/** @typedef {import("../types").Match} Match @typedef {import("../types").Receipt} Receipt @typedef {import("../types").Evidence} Evidence */
/** @typedef {{id: string, algorithm: string, public_key: string, valid_from: number}} ServiceKey */

/** @typedef {"match" | "tournament"} Kind what the service has signed */
const PREFIX = { match: "", tournament: "tournament-" };

/** A signature of the service is missing, or contradicts its answers; `key` is the key of the translated message. */
export class Untrusted extends Error {
  /** @param {string} key */
  constructor(key) {
    super(key);
    this.key = key;
  }
}

/** The pinned keys of this service. @returns {ServiceKey[]} */
export const pinnedKeys = () => store.get("service-keys") ?? [];

/** @returns {Promise<ServiceKey[]>} the keys of the service; it can only add keys that are valid later */
export async function updateKeys() {
  const known = pinnedKeys(), published = readKeys((await api.get("/.well-known/kontor-keys.json")).keys.map(plainKey));
  const latest = Math.max(-1, ...known.map((key) => key.valid_from));
  if (known.some((key) => !published.some((/** @type {ServiceKey} */ one) => same(one, key)))) throw new Untrusted("trust.keys_gone");
  const added = published.filter((/** @type {ServiceKey} */ one) => !known.some((key) => same(one, key)));
  if (added.some((/** @type {ServiceKey} */ key) => key.valid_from <= latest)) throw new Untrusted("trust.keys_backdated");
  store.set("service-keys", published);
  return published;
}

/** @param {any} key */
const plainKey = ({ id, algorithm, public_key, valid_from }) => ({ id, algorithm, public_key, valid_from });

/** @param {string} text @param {{key: string, signature: string}} signed @param {number} at */
async function isSignedByService(text, signed, at) {
  const known = pinnedKeys(), keys = known.some((key) => key.id === signed.key) ? known : await updateKeys();
  const valid = keys.findLast((key) => key.valid_from <= at);
  return valid?.id === signed.key && isSigned(valid.public_key, signed.signature, text);
}

/**
 * Check that the service has signed its commitment to the secret of a match or a tournament.
 * @param {Kind} kind @param {{id: string, chance: {commitment: string, signed: import("../types").Chance["signed"]}}} subject
 */
export async function checkCommitment(kind, { id, chance: { commitment, signed } }) {
  if (!signed) throw new Untrusted("trust.not_committed");
  const text = `kontor.${PREFIX[kind]}commitment.1\n${canonical({ at: signed.at, commitment, [kind]: id })}`;
  if (!(await isSignedByService(text, signed, signed.at))) throw new Untrusted("trust.not_committed");
}

/** Check the commitment of the service before a contribution to the deal is sent. @param {Match} match */
export async function checkDeal(match) {
  await checkCommitment("match", match);
  if (match.chance.in_block && !(await isRotatedInTournament(match))) throw new Untrusted("trust.in_block");
}

/** Whether the match belongs to a tournament of the user that was announced with duplicate deals; only there a contribution may be ignored. @param {Match} match */
async function isRotatedInTournament({ id, game }) {
  const player = api.me()?.id, { tournaments } = await api.get("/v1/tournaments", { player, game, status: "running" });
  for (const one of tournaments) {
    const [{ terms }, { matches }] = await Promise.all([api.get(`/v1/tournaments/${one.id}`), api.get("/v1/matches", { tournament: one.id, player, limit: 100 })]);
    if (terms.rotated && matches.some((/** @type {Match} */ match) => match.id === id)) return true;
  }
  return false;
}

/** @param {Match} data the announced settings of a match, named as in its first fact */
export const announced = (data) => ({
  game: data.ruleset.game, rules_version: data.ruleset.version, data: data.ruleset.data, data_hash: data.ruleset.data_hash,
  options: data.options, sealed: data.chance.sealed, open_seed: data.chance.open_seed, in_block: data.chance.in_block, branch: data.branch, signed: data.signed,
});

/** @param {Evidence} evidence */
export const keepEvidence = (evidence) => store.set(`match.${evidence.match}`, evidence);
/** @param {string} match @returns {Evidence | null} the evidence of a match in this browser */
export const evidenceOf = (match) => store.get(`match.${match}`);

/** Check and store the receipt of a command. @param {Kind} kind @param {string} id @param {any} answer */
export async function keepReceipt(kind, id, { version, head, receipt }) {
  if (receipt[kind] !== id || receipt.version !== version || receipt.head !== head) throw new Untrusted("trust.other_receipt");
  const text = `kontor.${PREFIX[kind]}receipt.1\n${canonical({ at: receipt.at, head, version, [kind]: id })}`;
  if (!(await isSignedByService(text, receipt, receipt.at))) throw new Untrusted("trust.bad_receipt");
  store.set(`${PREFIX[kind]}receipt.${id}.${String(version).padStart(9, "0")}`, receipt);
}

/** @param {Kind} kind @param {string} id @returns {Receipt[]} the receipts in this browser */
export const receiptsOf = (kind, id) => store.names(`${PREFIX[kind]}receipt.${id}.`).map((name) => store.get(name)).filter(Boolean);
