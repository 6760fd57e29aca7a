// Checks the signatures of the service: its keys are pinned, commitments are checked before a contribution is sent, receipts are stored.
import { isSigned } from "../verifier/crypto.mjs";
import { canonical, receiptText, same } from "../verifier/formats.mjs";
import { readKeys } from "../verifier/kontor-verify.mjs";
import * as api from "./api.js";
import * as store from "./store.js";

/** @typedef {import("../types").Match} Match @typedef {import("../types").Receipt} Receipt @typedef {import("../types").Evidence} Evidence */
/** @typedef {{id: string, algorithm: string, public_key: string, valid_from: number}} ServiceKey */

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

/** Check that the service has signed its commitment to its secret, before a contribution is sent. @param {Match} match */
export async function checkCommitment(match) {
  const { commitment, signed } = match.chance;
  if (!signed) throw new Untrusted("trust.not_committed");
  const text = `kontor.commitment.1\n${canonical({ at: signed.at, commitment, match: match.id })}`;
  if (!(await isSignedByService(text, signed, signed.at))) throw new Untrusted("trust.not_committed");
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

/** Check and store the receipt of an answer. @param {string} match @param {{version: number, head: string, receipt: Receipt}} answer */
export async function keepReceipt(match, answer) {
  const receipt = answer.receipt;
  if (receipt.match !== match || receipt.version !== answer.version || receipt.head !== answer.head) throw new Untrusted("trust.other_receipt");
  if (!(await isSignedByService(receiptText(receipt), receipt, receipt.at))) throw new Untrusted("trust.bad_receipt");
  store.set(`receipt.${match}.${String(receipt.version).padStart(9, "0")}`, receipt);
}

/** @param {string} match @returns {Receipt[]} */
export const receiptsOf = (match) => store.names(`receipt.${match}.`).map((name) => store.get(name)).filter(Boolean);

/** Check that the service is committed to the secret of a tournament. @param {import("../types").Tournament} tournament */
export async function checkTournamentCommitment({ id, chance: { commitment, signed } }) {
  const text = signed && `kontor.tournament-commitment.1\n${canonical({ at: signed.at, commitment, tournament: id })}`;
  if (!signed || !text || !(await isSignedByService(text, signed, signed.at))) throw new Untrusted("trust.not_committed");
}

/** Check and store the receipt of a command on a tournament. @param {string} id @param {any} answer */
export async function keepTournamentReceipt(id, { version, head, receipt }) {
  const { at, tournament } = receipt;
  if (tournament !== id || receipt.version !== version || receipt.head !== head) throw new Untrusted("trust.other_receipt");
  const text = `kontor.tournament-receipt.1\n${canonical({ at, head, tournament, version })}`;
  if (!(await isSignedByService(text, receipt, at))) throw new Untrusted("trust.bad_receipt");
  store.set(`tournament-receipt.${id}.${String(version).padStart(9, "0")}`, receipt);
}

/** @param {string} id @returns {{version: number, head: string}[]} the receipts of a tournament in this browser */
export const tournamentReceiptsOf = (id) => store.names(`tournament-receipt.${id}.`).map((name) => store.get(name)).filter(Boolean);
