#!/usr/bin/env node
// Command line of the verifier; the checks are in kontor-verify.mjs, which also runs in browsers.
//   node verify.mjs match.ndjson tournament.ndjson … [--keys FILE] [--receipts FILE] [--json]
//   node verify.mjs --vectors docs/vectors    checks this program against the published test vectors
// Exit codes: 0 all files are valid, 1 a file is refused or a receipt belongs to none of them, 2 nothing could be
// checked.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Broken, parse, readKeys, verifyExport } from "./kontor-verify.mjs";
import { report, tournamentReport } from "./report.mjs";
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
const escaped = (text, controls) =>
  text.replace(controls, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
const say = (text) => console.log(escaped(text, CONTROLS));
const complain = (text) => console.error(escaped(text, CONTROLS));

function readOptions(args) {
  const options = { files: [], json: false };
  for (let rest = [...args]; rest.length > 0;) {
    const one = rest.shift();
    if (one === "--json") options.json = true;
    else if (!one.startsWith("--")) options.files.push(one);
    else if (["--keys", "--receipts", "--vectors"].includes(one) && rest.length > 0)
      options[one.slice(2)] = rest.shift();
    else throw new Error(USAGE);
  }
  return options;
}

function readPublishedKeys(file) {
  const data = parse(readFileSync(file, "utf-8"));
  return readKeys(Array.isArray(data) ? data : data?.keys);
}

// Reads a JSON list or one object per line; each is a receipt, or a response that contains one.
function readReceipts(file) {
  const content = readFileSync(file, "utf-8").trim();
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const kept = (content.startsWith("[") ? parse(content) : lines.map(parse)).map((one) => one?.receipt ?? one);
  if (kept.some((one) => typeof subjectOf(one) !== "string")) throw new Error(`${file} does not contain receipts`);
  return kept;
}

// the match or the tournament that a receipt, or a line of a file, names
const subjectOf = (one) => one?.tournament ?? one?.match;

// The ids of the match or the tournament in a file, and of the matches in it, to find their receipts.
function subjectsIn(content) {
  const lines = content.toString("utf-8").split("\n");
  const announced = lines.filter((line) => line.startsWith('{"export":"'));
  try {
    return [lines[0], ...announced].map((line) => parse(line)).map((line) => line.export ?? subjectOf(line));
  } catch {
    return [];
  }
}

// What a file is, if it is clearly no export of a match, not even a damaged one.
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

async function check(file, keys, receipts) {
  try {
    const content = readFileSync(file);
    const other = isTournament(content) ? null : otherKind(content);
    if (other) throw new Broken(`line 1: ${other}`);
    const subjects = subjectsIn(content);
    const own = receipts.filter((receipt) => subjects.includes(subjectOf(receipt)));
    own.forEach((receipt) => receipts.used.add(receipt));
    return {
      file,
      good: true,
      ...(await (isTournament(content) ? verifyTournament : verifyExport)(content, { keys, receipts: own })),
    };
  } catch (error) {
    return {
      file,
      good: false,
      problem: error instanceof Broken ? error.message : `the file can't be read (${error.message})`,
    };
  }
}

async function main({ files, keys, receipts, vectors, json }) {
  if (vectors) {
    checkChanceVectors(JSON.parse(readFileSync(join(vectors, "chance.json"))));
    await checkChainVectors(JSON.parse(readFileSync(join(vectors, "chain.json"))));
    await checkSignatureVectors(JSON.parse(readFileSync(join(vectors, "ed25519.json"))));
    await checkCommandVectors(JSON.parse(readFileSync(join(vectors, "signatures.json"))));
    checkStandingsVector(JSON.parse(readFileSync(join(vectors, "standings.json"))));
    say("all vectors agree");
    return true;
  }
  if (files.length === 0) throw new Error(USAGE);
  const published = keys ? readPublishedKeys(keys) : null;
  const kept = Object.assign(receipts ? readReceipts(receipts) : [], { used: new Set() });
  const found = [];
  for (const file of files) found.push(await check(file, published, kept));
  if (json) console.log(escaped(JSON.stringify(found, null, 1), IN_LINES));
  else
    for (const one of found) {
      const what = one.tournament ? `tournament ${one.tournament}` : `match ${one.match}`;
      say(one.good ? `${one.file}: good: ${one.game}, ${what}, ${one.status}` : `${one.file}: refused: ${one.problem}`);
      if (one.good) for (const sentence of one.tournament ? tournamentReport(one) : report(one)) say(`  ${sentence}`);
    }
  const unused = kept.filter((receipt) => !kept.used.has(receipt));
  for (const { match, tournament, version } of unused)
    complain(
      `a kept receipt fits no file: version ${version} of ${match ? `match ${match}` : `tournament ${tournament}`}`,
    );
  return found.every((one) => one.good) && unused.length === 0;
}

try {
  process.exitCode = (await main(readOptions(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  complain(error.message);
  process.exitCode = 2;
}
