// Checks this verifier against the published test vectors (docs/vectors), including the Merkle trees of checkpoints
// (docs/chain.md).
import { fromHex, hex, isSigned, sha256 } from "./crypto.mjs";
import {
  canonical,
  commandText,
  commitmentTo,
  demand,
  Draws,
  hashOf,
  pick,
  receiptText,
  saltOf,
  seedOf,
  shuffledBy,
} from "./formats.mjs";
import { sameMoves } from "./forms.mjs";
import { Tournament } from "./tournament.mjs";

/** @typedef {import("./types").TournamentLine} Line */

/** @param {{at: number, root: string, size: number}} taken */
const checkpointText = (taken) => `kontor.checkpoint.1\n${canonical(pick(taken, ["at", "root", "size"]))}`;
/** @template T @param {Draws} drawn @param {T[]} items */
const shuffled = (drawn, items) => shuffledBy(items, (bound) => Number(drawn.below(bound)));

/** @param {string} content */
const leafHash = (content) => hex(sha256(Uint8Array.of(0), content));
/** @param {string} left @param {string} right */
const nodeHash = (left, right) => hex(sha256(Uint8Array.of(1), fromHex(left), fromHex(right)));
/** @param {number} size */
const split = (size) => {
  let middle = 1;
  while (middle * 2 < size) middle *= 2;
  return middle;
};

/** @param {string[]} leaves @returns {string} */
export function rootOf(leaves) {
  if (leaves.length === 0) return hex(sha256(""));
  if (leaves.length === 1) return leaves[0];
  const middle = split(leaves.length);
  return nodeHash(rootOf(leaves.slice(0, middle)), rootOf(leaves.slice(middle)));
}

/** @param {string} leaf @param {number} index @param {number} size @param {string[]} proof @returns {string} */
export function rootFromInclusion(leaf, index, size, proof) {
  if (size === 1) return leaf;
  const middle = split(size);
  const last = proof[proof.length - 1];
  const rest = proof.slice(0, -1);
  return index < middle
    ? nodeHash(rootFromInclusion(leaf, index, middle, rest), last)
    : nodeHash(last, rootFromInclusion(leaf, index - middle, size - middle, rest));
}

/**
 * @param {number} earlier
 * @param {number} size
 * @param {string[]} proof
 * @param {string} earlierRoot
 * @param {boolean} [whole]
 * @returns {[before: string, after: string, left: string[]]}
 */
export function rootsFromConsistency(earlier, size, proof, earlierRoot, whole = true) {
  const [last, rest] = [proof[proof.length - 1], proof.slice(0, -1)];
  if (earlier === size) return whole ? [earlierRoot, earlierRoot, proof] : [last, last, rest];
  const middle = split(size);
  if (earlier <= middle) {
    const [before, after, left] = rootsFromConsistency(earlier, middle, rest, earlierRoot, whole);
    return [before, nodeHash(after, last), left];
  }
  const [before, after, left] = rootsFromConsistency(earlier - middle, size - middle, rest, earlierRoot, false);
  return [nodeHash(last, before), nodeHash(last, after), left];
}

/** @param {typeof import("../../docs/vectors/chance.json")} vectors */
export function checkChanceVectors(vectors) {
  const draws = (/** @type {{seed: string, stream: string, index: number | string}} */ vector) =>
    new Draws(fromHex(vector.seed), vector.stream, BigInt(vector.index));
  for (const vector of vectors.seeds) demand(hex(sha256(String(vector.text))) === vector.seed, "seeds");
  for (const vector of vectors.words) {
    const drawn = draws(vector);
    for (const word of vector.words) demand(drawn.word().toString(16).padStart(16, "0") === word, "words");
  }
  for (const vector of [...vectors.below, ...vectors.rejected]) {
    const drawn = draws(vector);
    vector.bounds.forEach((bound, i) => demand(drawn.below(BigInt(bound)) === BigInt(vector.values[i]), "below"));
  }
  for (const { secret, commitment, contributions, seed } of vectors.match_seeds) {
    demand(hex(sha256(fromHex(secret))) === commitment && hex(seedOf(secret, contributions)) === seed, "match seeds");
  }
  for (const vector of vectors.shuffled) {
    const order = shuffled(draws(vector), [...Array(vector.count).keys()]);
    demand(canonical(order) === canonical(vector.order), "shuffled");
  }
  for (const vector of vectors.mixed) {
    const drawn = draws(vector);
    const answers = vector.calls.map((call) =>
      Array.isArray(call) ? shuffled(drawn, call) : Number(drawn.below(call)),
    );
    demand(canonical(answers) === canonical(vector.answers), "mixed");
  }
}

/** @param {typeof import("../../docs/vectors/chain.json")} vectors */
export async function checkChainVectors(vectors) {
  for (const { value, text } of vectors.canonical) demand(canonical(value) === text, "canonical");
  for (const { secret, version, field, salt } of vectors.salts)
    demand(hex(saltOf(secret, version, field)) === salt, "salts");
  for (const { secret, match, version, field, salt } of vectors.match_salts)
    demand(hex(saltOf(secret, version, field, match)) === salt, "match_salts");
  for (const { value, salt, commitment } of vectors.commitments)
    demand(commitmentTo(value, fromHex(salt)) === commitment, "commitments");
  let before = "0".repeat(64);
  for (const { record, hash } of vectors.records) {
    demand(record.before === before && hashOf(record) === hash, "records");
    before = hash;
  }
  for (const { receipt, public_key: key } of vectors.receipts) {
    demand(await isSigned(key, receipt.signature, receiptText(receipt)), "receipts");
  }
  for (const { checkpoint, public_key: key } of vectors.checkpoints) {
    demand(await isSigned(key, checkpoint.signature, checkpointText(checkpoint)), "checkpoints");
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

/** @param {typeof import("../../docs/vectors/ed25519.json")} vectors */
export async function checkSignatureVectors(vectors, check = isSigned) {
  const base64 = (/** @type {string} */ text) => btoa(String.fromCharCode(...fromHex(text)));
  for (const [part, cases] of Object.entries(vectors)) {
    for (const { key, message, signature, valid } of cases) {
      demand((await check(base64(key), base64(signature), fromHex(message))) === valid, `${part}: ${key} ${message}`);
    }
  }
}

/** @param {typeof import("../../docs/vectors/signatures.json")} vectors */
export async function checkCommandVectors({ commands, same, different }) {
  for (const {
    by,
    head,
    match,
    version,
    public_key: key,
    command: { signature, sent_moves: sent, ...stored },
    text,
  } of commands) {
    demand(sent === undefined || sameMoves(sent, stored.moves), "commands");
    const signed = commandText({ by, command: { ...stored, moves: sent ?? stored.moves }, head, match, version });
    demand(signed === text && (await isSigned(key, signature, text)), "commands");
  }
  for (const { sent, stored } of same) demand(sameMoves([sent], [stored]), "same");
  for (const { sent, stored } of different) demand(!sameMoves([sent], [stored]), "different");
}

/** @param {typeof import("../../docs/vectors/standings.json")} vector */
export function checkStandingsVector({ announced, entries, ...expected }) {
  const tournament = new Tournament("vector", announced.server_secret);
  const announcement = { at: 0, by: announced.terms.organiser, command: { type: "announce" }, facts: [announced] };
  const sealed = { server_secret: "" };
  let version = 0;
  const lines = [announcement, ...entries].map(({ facts, ...caused }) =>
    facts.map((fact) => /** @type {Line} */ (/** @type {unknown} */ ({ ...caused, fact, sealed, version: ++version }))),
  );
  for (const taken of lines)
    tournament.take(taken, (sentence) => `standings: version ${taken[0].version}: ${sentence}`);
  const numbers = tournament.entrants.map((_, number) => number);
  const standings = tournament.standings();
  const computed = {
    seed: hex(tournament.seed ?? new Uint8Array()),
    lots: numbers.map((one) => tournament.lots.get(one)),
    byes: numbers.map((one) => tournament.byes.get(one) ?? 0),
    finishes: tournament.finishes,
    standings,
    canonical: canonical(standings),
    digest: hashOf(standings),
  };
  const wanted = /** @type {Record<string, unknown>} */ (expected);
  for (const [name, value] of Object.entries(computed))
    demand(canonical(value) === canonical(wanted[name]), `standings: ${name}`);
}
