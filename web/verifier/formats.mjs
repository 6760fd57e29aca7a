// Canonical JSON, chance and the hash chain, written from docs/chance.md and docs/chain.md alone.
import { bytesOf, concat, fromHex, hex, hmac, sha256 } from "./crypto.mjs";

export class Broken extends Error {}
export const demand = (condition, sentence) => {
  if (!condition) throw new Broken(sentence);
};
export const onLine = (number) => (sentence) => `line ${number}: ${sentence}`;

// --- JSON (docs/chain.md)
const SHORT = { 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\" };
const escaped = (character) =>
  SHORT[character.charCodeAt(0)] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
const quoted = (text) => `"${text.replace(/[\u0000-\u001f"\\]/g, escaped)}"`;

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
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${quoted(key)}:${canonical(value[key])}`)
    .join(",")}}`;
}

const keysWithin = (value) =>
  value === null || typeof value !== "object"
    ? 0
    : Object.values(value).reduce(
        (sum, one) => sum + keysWithin(one),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      );

// Parses JSON and refuses duplicate keys, of which JSON.parse would silently keep the last one.
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

// The lines of a file, each of which must end with a line feed.
export function linesOf(content) {
  demand(content.at(-1) === 10, "the file is truncated");
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content).slice(0, -1).split("\n");
}

export const pick = (object, names) =>
  Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]));
export const without = (object, names) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
export const same = (one, other) => canonical(one ?? null) === canonical(other ?? null);

// --- chance (docs/chance.md)
const SPAN = 1n << 64n;
const u64 = (number) => fromHex(BigInt(number).toString(16).padStart(16, "0"));

export class Draws {
  constructor(seed, stream, index) {
    const name = bytesOf(stream);
    this.prefix = concat("kontor.chance.1\n", seed, Uint8Array.of(name.length), name, u64(index));
    this.block = 0;
    this.words = [];
  }
  word() {
    if (this.words.length === 0) {
      const view = new DataView(sha256(this.prefix, u64(this.block++)).buffer);
      this.words = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
    }
    return this.words.shift();
  }
  below(bound) {
    const n = BigInt(bound);
    const limit = SPAN - (SPAN % n);
    let word = this.word();
    while (word >= limit) word = this.word();
    return word % n;
  }
}

export function shuffledBy(items, below) {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

export function seedOf(secret, contributions) {
  const parts = ["kontor.seed.1\n", fromHex(secret)];
  for (const contribution of contributions) {
    const text = bytesOf(contribution);
    parts.push(Uint8Array.of(text.length >> 8, text.length & 255), text);
  }
  return sha256(...parts);
}

// --- the chain (docs/chain.md)
export const hashOf = (record) => hex(sha256(canonical(record)));
export const saltOf = (secret, version, field, match = null) =>
  hmac(fromHex(secret), `kontor.salt.${match === null ? "1\n" : `2\n${match}:`}${version}:${field}`);
export const commitmentTo = (value, salt) => hex(sha256("kontor.seal.1\n", salt, canonical(value)));
export const idOfKey = (key) => hex(sha256(key)).slice(0, 16);
export const receiptText = (receipt) =>
  `kontor.receipt.1\n${canonical(pick(receipt, ["at", "head", "match", "version"]))}`;
export const commandText = (signed) =>
  `kontor.command.1\n${canonical(pick(signed, ["by", "command", "head", "match", "version"]))}`;
