#!/usr/bin/env node
// An independent verifier of exports: chain, signatures, commitments and chance, written from docs/chance.md, docs/chain.md and
// docs/export.md alone. Node's own modules only.
//   node verify.mjs match.ndjson …            checks exports; the exit code is 0 where all are good, 1 where one is refused
//   node verify.mjs --vectors docs/vectors    checks this program against the published test vectors
import { createHash, createHmac, createPublicKey, verify as verifySignature } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ZEROS = "0".repeat(64);
const SPAN = 1n << 64n;
const KEYS = "at before by command draws fact hash key match salts sealed sealed_command seat signature version".split(" ");

class Broken extends Error {}
const demand = (condition, sentence) => { if (!condition) throw new Broken(sentence); };

// --- bytes ---------------------------------------------------------------------------------------------------------------------
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hex = (bytes) => bytes.toString("hex");
const base64 = (text) => Buffer.from(text, "base64");
const isBase64 = (text) => base64(text).toString("base64") === text; // several texts could stand for the same bytes: only one is right
const u64 = (number) => { const bytes = Buffer.alloc(8); bytes.writeBigUInt64BE(BigInt(number)); return bytes; };
const SHORT = { 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\" };
const escaped = (character) => SHORT[character.charCodeAt(0)] ?? "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0");
const quoted = (text) => '"' + text.replace(/[\u0000-\u001f"\\]/g, escaped) + '"';

export function canonical(value) {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
  if (value === null || typeof value !== "object") {
    demand(typeof value !== "number" || Number.isSafeInteger(value), "a number is not a whole number that JSON keeps exact");
    return JSON.stringify(value);
  }
  return "{" + Object.keys(value).sort().map((key) => quoted(key) + ":" + canonical(value[key])).join(",") + "}";
}

// --- chance (docs/chance.md) ---------------------------------------------------------------------------------------------------
export class Draws {
  constructor(seed, stream, index) {
    const name = Buffer.from(stream, "ascii");
    this.prefix = Buffer.concat([Buffer.from("kontor.chance.1\n"), seed, Buffer.from([name.length]), name, u64(index)]);
    this.block = 0;
    this.words = [];
  }
  word() {
    if (this.words.length === 0) {
      const block = sha256(this.prefix, u64(this.block++));
      this.words = [0, 8, 16, 24].map((at) => block.readBigUInt64BE(at));
    }
    return this.words.shift();
  }
  below(bound) {
    const n = BigInt(bound), limit = SPAN - (SPAN % n);
    let word = this.word();
    while (word >= limit) word = this.word();
    return word % n;
  }
  shuffled(items) {
    const order = [...items];
    for (let last = order.length - 1; last > 0; last--) {
      const other = Number(this.below(last + 1));
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }
}

export function seedOf(secret, contributions) {
  const parts = [Buffer.from("kontor.seed.1\n"), Buffer.from(secret, "hex")];
  for (const contribution of contributions) {
    const text = Buffer.from(contribution), length = Buffer.alloc(2);
    length.writeUInt16BE(text.length);
    parts.push(length, text);
  }
  return sha256(...parts);
}

// --- the chain (docs/chain.md) -------------------------------------------------------------------------------------------------
export const hashOf = (record) => hex(sha256(canonical(record)));
export const saltOf = (secret, version, field) =>
  createHmac("sha256", Buffer.from(secret, "hex")).update(`kontor.salt.1\n${version}:${field}`).digest();
export const commitmentTo = (value, salt) => hex(sha256("kontor.seal.1\n", salt, canonical(value)));
const pick = (object, names) => Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]));
const without = (object, names) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

export function isSigned(publicKey, signature, message) {
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), base64(publicKey)]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  return isBase64(publicKey) && isBase64(signature) && verifySignature(null, message, key, base64(signature));
}
const receiptText = (receipt) => Buffer.from("kontor.receipt.1\n" + canonical(pick(receipt, ["at", "head", "match", "version"])));
const checkpointText = (taken) => Buffer.from("kontor.checkpoint.1\n" + canonical(pick(taken, ["at", "root", "size"])));

// The key that signs at a moment: the newest that is valid then.
function readKeys(keys) {
  for (const { id, public_key: key } of keys) demand(hex(sha256(base64(key))).slice(0, 16) === id, "a key is not named by its own hash");
  return [...keys].sort((a, b) => a.valid_from - b.valid_from || (a.id < b.id ? -1 : 1));
}
function isSignedAt(keys, { key, signature }, message, at) {
  const valid = keys.findLast((one) => one.valid_from <= at);
  return valid !== undefined && valid.id === key && isSigned(valid.public_key, signature, message);
}

const leafHash = (content) => hex(sha256(Buffer.from([0]), content));
const nodeHash = (left, right) => hex(sha256(Buffer.from([1]), Buffer.from(left, "hex"), Buffer.from(right, "hex")));
const split = (size) => { let middle = 1; while (middle * 2 < size) middle *= 2; return middle; };
export function rootOf(leaves) {
  if (leaves.length === 0) return hex(sha256(""));
  if (leaves.length === 1) return leaves[0];
  const middle = split(leaves.length);
  return nodeHash(rootOf(leaves.slice(0, middle)), rootOf(leaves.slice(middle)));
}
export function rootFromInclusion(leaf, index, size, proof) {
  if (size === 1) return leaf;
  const middle = split(size), last = proof.at(-1), rest = proof.slice(0, -1);
  return index < middle ? nodeHash(rootFromInclusion(leaf, index, middle, rest), last)
    : nodeHash(last, rootFromInclusion(leaf, index - middle, size - middle, rest));
}

export function rootsFromConsistency(earlier, size, proof, earlierRoot, whole = true) {
  const [last, rest] = [proof.at(-1), proof.slice(0, -1)];
  if (earlier === size) return whole ? [earlierRoot, earlierRoot, proof] : [last, last, rest];
  const middle = split(size);
  if (earlier <= middle) {
    const [before, after, left] = rootsFromConsistency(earlier, middle, rest, earlierRoot, whole);
    return [before, nodeHash(after, last), left];
  }
  const [before, after, left] = rootsFromConsistency(earlier - middle, size - middle, rest, earlierRoot, false);
  return [nodeHash(last, before), nodeHash(last, after), left];
}

// --- an export (docs/export.md) ------------------------------------------------------------------------------------------------
function readLines(content) {
  demand(content.at(-1) === 10, "the file is cut off");
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  return text.slice(0, -1).split("\n").map((text, index) => {
    let data;
    try { data = JSON.parse(text); } catch { throw new Broken(`line ${index + 1}: this is not JSON`); }
    demand(canonical(data) === text, `line ${index + 1}: this is not canonical JSON`);
    return data;
  });
}

function checkClosing(content, footer, facts, header, keys) {
  const end = content.lastIndexOf("\n", content.length - 2) + 1;
  demand(hex(sha256(content.subarray(0, end))) === footer.file, "the lines are not those that were signed");
  const message = Buffer.from("kontor.export.1\n" + canonical(without(footer, ["key", "signature"])));
  demand(isSignedAt(keys, footer, message, footer.at), "the signature of the whole file is not right");
  const { hash, version, at } = facts.at(-1);
  demand(hash === footer.head && version === footer.version && at === footer.at, "the closing line names another head");
  demand(["finished", "aborted"].includes(footer.end) === header.complete, "the first and the last line contradict each other");
}

function checkFact(line, number, header, before, keys, secret) {
  const at = (sentence) => `line ${number}: ${sentence}`;
  demand(line.version === number - 1 && line.match === header.match, at("facts are missing, doubled or of another match"));
  demand(line.before === before, at("the chain is broken"));
  demand(Object.keys(line).every((key) => KEYS.includes(key)), at("there is something that does not belong here"));
  const record = pick(line, ["at", "before", "by", "match", "sealed", "sealed_command", "seat", "version"]);
  record.fact = without(line.fact, Object.keys(line.sealed));
  if (!("sealed_command" in line) && "command" in line) record.command = line.command;
  demand(hashOf(record) === line.hash, at("the hash is not that of the record"));
  const hidden = Object.entries(line.sealed).map(([field, commitment]) => [field, commitment, line.fact[field]]);
  if ("sealed_command" in line) hidden.push(["/command", line.sealed_command, line.command]);
  for (const [field, commitment, value] of hidden) {
    if (value === undefined) { demand(secret === null, at(`${field} is left out of a complete export`)); continue; }
    const salt = secret === null ? Buffer.from(line.salts[field], "hex") : saltOf(secret, line.version, field);
    demand(commitmentTo(value, salt) === commitment, at(`${field} is not what was committed to`));
  }
  if ("signature" in line) {
    const receipt = { at: line.at, head: line.hash, match: line.match, version: line.version };
    demand(isSignedAt(keys, line, receiptText(receipt), line.at), at("the signature is not right"));
  }
}

function seedOfMatch(facts) {
  const created = facts[0].fact, taken = new Map();
  demand(hex(sha256(Buffer.from(created.server_secret, "hex"))) === created.commitment, "the secret is not the one committed to");
  for (const { fact } of facts) {
    const opened = fact.type === "contribution_opened";
    demand(!opened || hex(sha256(fact.contribution)) === taken.get(fact.seat), "a contribution is not the one that was sealed");
    if (opened || fact.type === "seat_taken") taken.set(fact.seat, fact.contribution);
    if (fact.type === "seat_left") taken.delete(fact.seat);
    if (fact.type === "match_started") break;
  }
  if (created.open_seed !== null) return sha256(created.open_seed);
  return seedOf(created.server_secret, [...taken.keys()].sort((a, b) => a - b).map((seat) => taken.get(seat)));
}

function checkDraws(facts, seed) {
  let count = 0;
  for (const { draws, version } of facts) for (const { stream, index, values } of draws ?? []) {
    const drawn = new Draws(seed, stream, index);
    const good = values.every(([bound, value]) => Number(drawn.below(bound)) === value);
    demand(good, `line ${version + 1}: draw ${index} of ${stream} is not that of the seed`);
    count += values.length;
  }
  return count;
}

export function verifyExport(content) {
  const lines = readLines(content), header = lines[0], facts = lines.slice(1, -1), keys = readKeys(header.keys);
  demand(header.format === "kontor.export.1" && facts.length > 0, "this is no export");
  const secret = header.complete ? facts[0].fact.server_secret : null;
  let before = ZEROS, commands = 0;
  facts.forEach((line, index) => {
    checkFact(line, index + 2, header, before, keys, secret);
    before = line.hash;
    commands += "seat" in line ? 1 : 0;
    const last = index + 1 === facts.length, due = last || ("seat" in facts[index + 1] && commands % 32 === 0);
    demand("signature" in line === due, `line ${index + 2}: a receipt is missing, or does not belong here`);
  });
  checkClosing(content, lines.at(-1), facts, header, keys);
  const values = header.complete ? checkDraws(facts, seedOfMatch(facts)) : 0;
  return { match: header.match, facts: facts.length, values, complete: header.complete };
}

// --- the published vectors -----------------------------------------------------------------------------------------------------
function checkChanceVectors(vectors) {
  const draws = (vector) => new Draws(Buffer.from(vector.seed, "hex"), vector.stream, BigInt(vector.index));
  for (const vector of vectors.seeds) demand(hex(sha256(String(vector.text))) === vector.seed, "seeds");
  for (const vector of vectors.words) {
    const drawn = draws(vector);
    for (const word of vector.words) demand(drawn.word().toString(16).padStart(16, "0") === word, "words");
  }
  for (const vector of [...vectors.below, ...vectors.rejected]) {
    const drawn = draws(vector);
    vector.bounds.forEach((bound, i) => demand(drawn.below(bound) === BigInt(vector.values[i]), "below"));
  }
  for (const { secret, commitment, contributions, seed } of vectors.match_seeds) {
    demand(hex(sha256(Buffer.from(secret, "hex"))) === commitment && hex(seedOf(secret, contributions)) === seed, "match seeds");
  }
  for (const vector of vectors.shuffled) {
    const order = draws(vector).shuffled([...Array(vector.count).keys()]);
    demand(canonical(order) === canonical(vector.order), "shuffled");
  }
  for (const vector of vectors.mixed) {
    const drawn = draws(vector);
    const answers = vector.calls.map((call) => Array.isArray(call) ? drawn.shuffled(call) : Number(drawn.below(call)));
    demand(canonical(answers) === canonical(vector.answers), "mixed");
  }
}

function checkChainVectors(vectors) {
  for (const { value, text } of vectors.canonical) demand(canonical(value) === text, "canonical");
  for (const { secret, version, field, salt } of vectors.salts) demand(hex(saltOf(secret, version, field)) === salt, "salts");
  for (const { value, salt, commitment } of vectors.commitments) {
    demand(commitmentTo(value, Buffer.from(salt, "hex")) === commitment, "commitments");
  }
  let before = ZEROS;
  for (const { record, hash } of vectors.records) {
    demand(record.before === before && hashOf(record) === hash, "records");
    before = hash;
  }
  for (const { receipt, public_key: key } of vectors.receipts) demand(isSigned(key, receipt.signature, receiptText(receipt)), "receipts");
  for (const { checkpoint, public_key: key } of vectors.checkpoints) {
    demand(isSigned(key, checkpoint.signature, checkpointText(checkpoint)), "checkpoints");
  }
  for (const tree of vectors.trees) {
    const leaves = tree.leaves.map((leaf) => leafHash(canonical(leaf)));
    demand(rootOf(leaves) === tree.root, "trees");
    for (const { index, proof } of tree.inclusion) {
      demand(rootFromInclusion(leaves[index], index, leaves.length, proof) === tree.root, "inclusion");
    }
    for (const { earlier, root, proof } of tree.consistency) {
      const [before, after, left] = rootsFromConsistency(earlier, leaves.length, proof, root);
      demand(before === root && after === tree.root && left.length === 0, "consistency");
    }
  }
}

function check(file) {
  try {
    const { match, facts, values, complete } = verifyExport(readFileSync(file));
    const chance = complete ? `${values} random values follow from the seed` : "the match is not over, so chance can't be checked yet";
    console.log(`${file}: match ${match}, ${facts} facts: chain, signatures and commitments are right; ${chance}`);
    return true;
  } catch (error) {
    console.log(`${file}: refused: ${error instanceof Broken ? error.message : `the file can't be read (${error.message})`}`);
    return false;
  }
}

function main(args) {
  if (args[0] === "--vectors") {
    checkChanceVectors(JSON.parse(readFileSync(join(args[1], "chance.json"))));
    checkChainVectors(JSON.parse(readFileSync(join(args[1], "chain.json"))));
    console.log("all vectors agree");
    return true;
  }
  demand(args.length > 0, "usage: node verify.mjs match.ndjson … | --vectors docs/vectors");
  return args.map(check).every((good) => good);
}

try {
  process.exitCode = main(process.argv.slice(2)) ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
