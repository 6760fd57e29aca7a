#!/usr/bin/env node
// Command line of the verifier; the checks are in kontor-verify.mjs, which also runs in browsers.
//   node verify.mjs match.ndjson tournament.ndjson … [--keys FILE] [--receipts FILE] [--json]
//   node verify.mjs --vectors docs/vectors    checks this program against the published test vectors
// Exit codes: 0 all files are valid, 1 a file is refused or a receipt belongs to none of them, 2 nothing could be
// checked.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Broken, parse, verifyExport } from "./kontor-verify.mjs";
import { report, tournamentReport } from "./report.mjs";
import { readKeys } from "./service_keys.mjs";
import { isTournament, verifyTournament } from "./tournament.mjs";
import {
  checkChainVectors,
  checkChanceVectors,
  checkCommandVectors,
  checkSignatureVectors,
  checkStandingsVector,
} from "./vectors.mjs";

const USAGE = "usage: node verify.mjs match.ndjson … [--keys FILE] [--receipts FILE] [--json] | --vectors docs/vectors";

// Control characters of a file are shown escaped: they could rewrite the verdict on a terminal. JSON keeps its line
// feeds.
const INVISIBLE = "\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff";
const CONTROLS = new RegExp(`[\\0-\\x1f${INVISIBLE}]`, "g");
const IN_LINES = new RegExp(`[\\0-\\x09\\x0b-\\x1f${INVISIBLE}]`, "g");
/** @param {string} text @param {RegExp} controls */
const escaped = (text, controls) =>
  text.replace(controls, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
/** @param {string} text */
const say = (text) => console.log(escaped(text, CONTROLS));
/** @param {string} text */
const complain = (text) => console.error(escaped(text, CONTROLS));

/** @typedef {import("./types").AnyReceipt} Receipt @typedef {import("./types").ServiceKey} ServiceKey */
/** @typedef {{files: string[], json: boolean, keys?: string, receipts?: string, vectors?: string}} Options */

/** @param {string[]} args */
function readOptions(args) {
  /** @type {Options} */ const options = { files: [], json: false };
  for (let rest = [...args]; rest.length > 0;) {
    const one = rest.shift() ?? "";
    if (one === "--json") options.json = true;
    else if (!one.startsWith("--")) options.files.push(one);
    else if (["--keys", "--receipts", "--vectors"].includes(one) && rest.length > 0)
      Object.assign(options, { [one.slice(2)]: rest.shift() });
    else throw new Error(USAGE);
  }
  return options;
}

/** @param {string} file */
function readPublishedKeys(file) {
  const data = /** @type {{keys?: unknown} | unknown[] | null} */ (parse(readFileSync(file, "utf-8")));
  return readKeys(Array.isArray(data) ? data : data?.keys);
}

/**
 * Read a JSON list or one object per line; each is a receipt, or a response that contains one.
 * @param {string} file
 */
function readReceipts(file) {
  const content = readFileSync(file, "utf-8").trim();
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const given = /** @type {({receipt?: Receipt} & Receipt)[]} */ (
    content.startsWith("[") ? parse(content) : lines.map((line) => parse(line))
  );
  const kept = given.map((one) => one?.receipt ?? one);
  if (kept.some((one) => typeof subjectOf(one) !== "string")) throw new Error(`${file} does not contain receipts`);
  return kept;
}

/** The match or the tournament that a receipt, or a line of a file, names. @param {Partial<Receipt> | null} one */
const subjectOf = (one) => one?.tournament ?? one?.match;

/**
 * The ids of the match or the tournament in a file, and of the matches in it, to find their receipts.
 * @param {Uint8Array} content
 */
function subjectsIn(content) {
  const lines = new TextDecoder().decode(content).split("\n");
  const announced = lines.filter((line) => line.startsWith('{"export":"'));
  try {
    return [lines[0], ...announced].map((line) => {
      const one = /** @type {Receipt & {export?: string}} */ (parse(line));
      return one.export ?? subjectOf(one);
    });
  } catch {
    return [];
  }
}

const ANSWER = "this is an answer of the service about a match, not its export";
const PROOF = "this is a proof of inclusion: it belongs to --proof";
const OTHER_KINDS = Object.entries({
  legal_moves: ANSWER,
  receipt: ANSWER,
  seats: ANSWER,
  leaf_index: PROOF,
  proof: PROOF,
  public_key: "these are keys, not an export",
  keys: "these are the keys of a service: they belong to --keys",
});
/** What a file is, if it is clearly no export of a match, not even a damaged one. @param {Uint8Array} content */
function otherKind(content) {
  const text = new TextDecoder().decode(content);
  const first = text.slice(0, (text.indexOf("\n") + 1 || text.length + 1) - 1);
  if (text.trim() === "") return "the file is empty";
  if (first.includes('"format":"kontor.'))
    return first.includes('"format":"kontor.tournament.') ? "this is the export of a tournament, not of a match" : null;
  let data = null;
  try {
    data = JSON.parse(text);
  } catch {
    return text.slice(first.length + 1).split("\n").length > 2
      ? null
      : "this is neither an export nor other JSON of the service";
  }
  if (data === null || typeof data !== "object" || Array.isArray(data)) return "this is JSON, but not an export";
  if ("status" in data && "code" in data)
    return `this is an error of the service, not an export: ${String(data.detail).slice(0, 200)}`;
  return OTHER_KINDS.find(([key]) => key in data)?.[1] ?? "this is JSON, but not an export";
}

/** @param {string} file @param {ServiceKey[] | null} keys @param {Receipt[]} receipts @param {Set<Receipt>} used */
async function check(file, keys, receipts, used) {
  try {
    const content = readFileSync(file);
    const other = isTournament(content) ? null : otherKind(content);
    if (other) throw new Broken(`line 1: ${other}`);
    const subjects = subjectsIn(content);
    const own = receipts.filter((receipt) => subjects.includes(subjectOf(receipt)));
    own.forEach((receipt) => used.add(receipt));
    const verify = isTournament(content) ? verifyTournament : verifyExport;
    return { file, good: true, ...(await verify(content, { keys, receipts: own })) };
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    return { file, good: false, problem: error instanceof Broken ? message : `the file can't be read (${message})` };
  }
}

/** @param {string} folder */
async function checkVectors(folder) {
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf-8"));
  checkChanceVectors(read("chance"));
  await checkChainVectors(read("chain"));
  await checkSignatureVectors(read("ed25519"));
  await checkCommandVectors(read("signatures"));
  checkStandingsVector(read("standings"));
  say("all vectors agree");
  return true;
}

/** @param {Awaited<ReturnType<typeof check>>} verdict */
function sayVerdict(verdict) {
  if ("problem" in verdict) return say(`${verdict.file}: refused: ${verdict.problem}`);
  const isMatch = "match" in verdict;
  const what = isMatch ? `match ${verdict.match}` : `tournament ${verdict.tournament}`;
  say(`${verdict.file}: good: ${verdict.game}, ${what}, ${verdict.status}`);
  for (const sentence of isMatch ? report(verdict) : tournamentReport(verdict)) say(`  ${sentence}`);
}

/** @param {Options} options @returns {Promise<boolean>} whether everything is good */
async function main({ files, keys, receipts, vectors, json }) {
  if (vectors) return checkVectors(vectors);
  if (files.length === 0) throw new Error(USAGE);
  const published = keys ? readPublishedKeys(keys) : null;
  const kept = receipts ? readReceipts(receipts) : [];
  /** @type {Set<Receipt>} */ const used = new Set();
  const found = [];
  for (const file of files) found.push(await check(file, published, kept, used));
  if (json) console.log(escaped(JSON.stringify(found, null, 1), IN_LINES));
  else found.forEach(sayVerdict);
  const unused = kept.filter((receipt) => !used.has(receipt));
  for (const { match, tournament, version } of unused)
    complain(
      `a kept receipt fits no file: version ${version} of ${match ? `match ${match}` : `tournament ${tournament}`}`,
    );
  return found.every((one) => one.good) && unused.length === 0;
}

try {
  process.exitCode = (await main(readOptions(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  complain(/** @type {Error} */ (error).message);
  process.exitCode = 2;
}
