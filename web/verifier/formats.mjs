// Canonical JSON, chance and the hash chain, written from docs/chance.md and docs/chain.md alone.
import { bytesOf, concat, fromHex, hex, hmac, sha256 } from "./crypto.mjs";

export class Broken extends Error {}
/** @typedef {(sentence: string) => string} At says where in the file something is wrong */
/** @typedef {import("./types").Line} Line */

/** @type {(condition: unknown, sentence: string) => asserts condition} */
export const demand = (condition, sentence) => {
  if (!condition) throw new Broken(sentence);
};
/** @param {number} number @returns {At} */
export const onLine = (number) => (sentence) => `line ${number}: ${sentence}`;

// --- JSON (docs/chain.md)
/** @type {Record<number, string>} */
const SHORT = { 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\" };
/** @param {string} character */
const escaped = (character) =>
  SHORT[character.charCodeAt(0)] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
/** @param {string} text */
const quoted = (text) => `"${text.replace(/[\u0000-\u001f"\\]/g, escaped)}"`;

/** @param {unknown} value @returns {string} */
export function canonical(value) {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") {
    demand(
      typeof value !== "number" || Number.isSafeInteger(value),
      "a number is not an integer that JSON represents exactly",
    );
    return JSON.stringify(value);
  }
  const fields = /** @type {Record<string, unknown>} */ (value);
  return `{${Object.keys(fields)
    .sort()
    .map((key) => `${quoted(key)}:${canonical(fields[key])}`)
    .join(",")}}`;
}

/** @param {unknown} value @returns {number} */
const keysWithin = (value) =>
  value === null || typeof value !== "object"
    ? 0
    : Object.values(value).reduce(
        (sum, one) => sum + keysWithin(one),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      );

/**
 * Parse JSON and refuse duplicate keys, of which JSON.parse would silently keep the last one.
 * @param {string} text
 * @returns {unknown}
 */
export function parse(text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Broken("this is not JSON");
  }
  const colons = text.replace(/"(?:[^"\\]|\\.)*"/g, "").split(":").length - 1;
  demand(colons === keysWithin(data), "a key occurs twice");
  return data;
}

/** The lines of a file, each of which must end with a line feed. @param {Uint8Array} content */
export function linesOf(content) {
  demand(content.at(-1) === 10, "the file is truncated");
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content).slice(0, -1).split("\n");
}

/** The named fields that an object has. @template {object} T @param {T} object @param {readonly string[]} names */
export const pick = (object, names) =>
  /** @type {Partial<T>} */ (Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name))));
/** All other fields of an object. @template {object} T @param {T} object @param {readonly string[]} names */
export const without = (object, names) =>
  /** @type {Partial<T>} */ (Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name))));
/** @param {unknown} one @param {unknown} other */
export const same = (one, other) => canonical(one ?? null) === canonical(other ?? null);

// --- chance (docs/chance.md)
const SPAN = 1n << 64n;
/** @param {number | bigint} number */
const u64 = (number) => fromHex(BigInt(number).toString(16).padStart(16, "0"));

export class Draws {
  /** @param {Uint8Array} seed @param {string} stream @param {number | bigint} index */
  constructor(seed, stream, index) {
    const name = bytesOf(stream);
    this.prefix = concat("kontor.chance.1\n", seed, Uint8Array.of(name.length), name, u64(index));
    this.block = 0;
    /** @type {bigint[]} */ this.words = [];
  }
  word() {
    if (this.words.length === 0) {
      const view = new DataView(sha256(this.prefix, u64(this.block++)).buffer);
      this.words = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
    }
    return /** @type {bigint} */ (this.words.shift());
  }
  /** @param {number | bigint} bound */
  below(bound) {
    const n = BigInt(bound);
    const limit = SPAN - (SPAN % n);
    let word = this.word();
    while (word >= limit) word = this.word();
    return word % n;
  }
}

/** @template T @param {readonly T[]} items @param {(bound: number) => number} below */
export function shuffledBy(items, below) {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** @param {string} secret @param {readonly string[]} contributions */
export function seedOf(secret, contributions) {
  const parts = ["kontor.seed.1\n", fromHex(secret)];
  for (const contribution of contributions) {
    const text = bytesOf(contribution);
    parts.push(Uint8Array.of(text.length >> 8, text.length & 255), text);
  }
  return sha256(...parts);
}

// --- the chain (docs/chain.md)
/** @param {unknown} record */
export const hashOf = (record) => hex(sha256(canonical(record)));
/** @param {string} secret @param {number} version @param {string} field @param {string | null} [match] */
export const saltOf = (secret, version, field, match = null) =>
  hmac(fromHex(secret), `kontor.salt.${match === null ? "1\n" : `2\n${match}:`}${version}:${field}`);
/** @param {unknown} value @param {Uint8Array} salt */
export const commitmentTo = (value, salt) => hex(sha256("kontor.seal.1\n", salt, canonical(value)));
/** @param {Uint8Array} key */
export const idOfKey = (key) => hex(sha256(key)).slice(0, 16);
/** @param {{at: number, head: string, match?: string, version: number}} receipt */
export const receiptText = (receipt) =>
  `kontor.receipt.1\n${canonical(pick(receipt, ["at", "head", "match", "version"]))}`;
/** @param {{at: number, head: string, tournament?: string, version: number}} receipt */
export const tournamentReceiptText = (receipt) =>
  `kontor.tournament-receipt.1\n${canonical(pick(receipt, ["at", "head", "tournament", "version"]))}`;
/** @param {{by: string, command: object, commitment: string, tournament: string}} signed */
export const tournamentCommandText = (signed) =>
  `kontor.tournament-command.1\n${canonical(pick(signed, ["by", "command", "commitment", "tournament"]))}`;
/** @param {{by: string, command: object, head: string, match: string, version: number}} signed */
export const commandText = (signed) =>
  `kontor.command.1\n${canonical(pick(signed, ["by", "command", "head", "match", "version"]))}`;
