// The keys with which the service signs (docs/chain.md).
import { fromBase64 } from "./crypto.mjs";
import { demand, idOfKey, same } from "./formats.mjs";
import { KEY, checkForm, list } from "./forms.mjs";

/** @typedef {import("./formats.mjs").At} At @typedef {import("./types").ServiceKey} ServiceKey */

/** @param {unknown} keys @param {At} at @returns {ServiceKey[]} by the time from which they are valid */
export function readKeys(keys, at = (sentence) => sentence) {
  demand(list(keys) && keys.length > 0, at("there are no keys"));
  for (const key of /** @type {ServiceKey[]} */ (keys)) {
    checkForm(key, KEY, at);
    const bytes = fromBase64(key.public_key, 32);
    demand(bytes !== null && idOfKey(bytes) === key.id, at("the id of a key is not the hash of the key"));
  }
  return /** @type {ServiceKey[]} */ ([...keys]).sort((a, b) => a.valid_from - b.valid_from || (a.id < b.id ? -1 : 1));
}

/**
 * The keys to check signatures with: the published ones, among which those in the file must be.
 * @param {ServiceKey[]} named in the file
 * @param {ServiceKey[] | null} known null if only those in the file are known
 * @param {At} at
 */
export function keysToUse(named, known, at) {
  const own = readKeys(named, at);
  const published = known === null ? own : readKeys(known);
  return { published, unknown: own.find((key) => !published.some((one) => same(one, key))) };
}
