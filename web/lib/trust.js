// Checks the signatures of the service under commitments and receipts. Its keys are pinned.
import { isSigned, knowsEd25519 } from "../verifier/crypto.mjs";
import { canonical, receiptText, same, tournamentReceiptText } from "../verifier/formats.mjs";
import { readKeys } from "../verifier/service_keys.mjs";
import * as api from "./api.js";
import * as store from "./store.js";

/** @typedef {import("../verifier/types").ServiceKey} ServiceKey */
/** @typedef {"match" | "tournament"} Kind what the service has signed */
/**
 * An answer to a command on a match or a tournament.
 * @typedef {{version: number, head: string, receipt: import("../types").KeptReceipt["receipt"]}} Receipted
 */
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
  const known = pinnedKeys();
  const published = readKeys((await api.get("/.well-known/kontor-keys.json")).keys.map(plainKey));
  const latest = Math.max(-1, ...known.map((key) => key.valid_from));
  if (known.some((key) => !published.some((one) => same(one, key)))) throw new Untrusted("trust.keys_gone");
  const added = published.filter((one) => !known.some((key) => same(one, key)));
  if (added.some((key) => key.valid_from <= latest)) throw new Untrusted("trust.keys_backdated");
  store.set("service-keys", published);
  return published;
}

/** @param {ServiceKey} key */
const plainKey = ({ id, algorithm, public_key, valid_from }) => ({ id, algorithm, public_key, valid_from });

/**
 * Whether a text is signed by the service. Where signatures can't be checked, as every page says then, it counts as
 * signed.
 * @param {string} text @param {{key: string, signature: string}} signed @param {number} at
 */
async function isSignedByService(text, signed, at) {
  const known = pinnedKeys();
  const keys = known.some((key) => key.id === signed.key) ? known : await updateKeys();
  const valid = keys.findLast((key) => key.valid_from <= at);
  if (valid?.id !== signed.key) return false;
  return !(await knowsEd25519()) || isSigned(valid.public_key, signed.signature, text);
}

/**
 * Check that the service has signed its commitment to the secret of a match or a tournament.
 * @param {Kind} kind
 * @param {{id: string, chance: {commitment: string, signed: import("../types").Chance["signed"]}}} subject
 */
export async function checkCommitment(kind, { id, chance: { commitment, signed } }) {
  if (!signed) throw new Untrusted("trust.not_committed");
  const text = `kontor.${PREFIX[kind]}commitment.1\n${canonical({ at: signed.at, commitment, [kind]: id })}`;
  if (!(await isSignedByService(text, signed, signed.at))) throw new Untrusted("trust.not_committed");
}

/** Check the receipt in the answer to a command. @param {Kind} kind @param {string} id @param {Receipted} answer */
export async function checkReceipt(kind, id, { version, head, receipt }) {
  if (receipt[kind] !== id || receipt.version !== version || receipt.head !== head)
    throw new Untrusted("trust.other_receipt");
  const text = kind === "match" ? receiptText(receipt) : tournamentReceiptText(receipt);
  if (!(await isSignedByService(text, receipt, receipt.at))) throw new Untrusted("trust.bad_receipt");
}
