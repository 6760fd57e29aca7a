// Checks the file of a tournament in this browser (docs/tournaments.md): chain, signature, secret, receipts, and every match in it.
import { Broken, parse, readKeys, verifyExport } from "../verifier/kontor-verify.mjs";
import { bytesOf, fromHex, hex, isSigned, sha256 } from "../verifier/crypto.mjs";
import { canonical, same } from "../verifier/formats.mjs";
import { t } from "./i18n.js";
import { pinnedKeys, tournamentReceiptsOf } from "./trust.js";

/** @typedef {import("./verify.js").Outcome} Outcome @typedef {import("./verify.js").Finding} Finding */
const FORMAT = "kontor.tournament.1", START = "0".repeat(64);

/** @param {boolean} condition @param {string} sentence @returns {asserts condition} */
function demand(condition, sentence) {
  if (!condition) throw new Broken(sentence);
}

/** @param {Uint8Array} content Whether a file says that it is the export of a tournament. */
export function isTournament(content) {
  const first = new TextDecoder().decode(content.subarray(0, 65_536)).split("\n")[0];
  return first.includes(`"format":"${FORMAT}"`);
}

/** @param {string[]} lines @param {number} index @returns {any} */
function lineAt(lines, index) {
  const data = parse(lines[index]);
  demand(typeof data === "object" && canonical(data) === lines[index], `line ${index + 1}: this is not canonical JSON`);
  return data;
}

/**
 * @typedef {object} File
 * @property {any} header @property {any[]} records @property {Map<string, Uint8Array>} matches @property {any} footer @property {string} hash of all lines before the last
 */

/** @param {Uint8Array} content @returns {File} */
function split(content) {
  demand(content.at(-1) === 10, "the file is cut off");
  const lines = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content).slice(0, -1).split("\n");
  demand(lines.length >= 3, "the file is cut off");
  /** @type {File} */ const file = { header: lineAt(lines, 0), records: [], matches: new Map(), footer: lineAt(lines, lines.length - 1), hash: "" };
  for (let index = 1; index < lines.length - 1; index++) {
    const line = lineAt(lines, index);
    if (!("export" in line)) {
      demand(file.matches.size === 0, `line ${index + 1}: a fact stands behind the exports of matches`);
      file.records.push(line);
      continue;
    }
    demand(Number.isInteger(line.lines) && line.lines > 0 && index + line.lines < lines.length - 1 && !file.matches.has(line.export), `line ${index + 1}: a match is announced wrongly or twice`);
    file.matches.set(line.export, bytesOf(lines.slice(index + 1, index + 1 + line.lines).join("\n") + "\n"));
    index += line.lines;
  }
  file.hash = hex(sha256(bytesOf(lines.slice(0, -1).join("\n") + "\n")));
  return file;
}

/** Every fact names the hash of the one before. @param {File} file @returns {string} the hash of the last */
function checkChain({ header, records }) {
  let before = START, at = 0;
  records.forEach((record, index) => {
    const { hash, command, ...hashed } = record, line = `line ${index + 2}`;
    demand(record.version === index + 1 && record.tournament === header.tournament, `${line}: facts are missing, duplicated or from another tournament`);
    demand(record.before === before, `${line}: the hash chain is broken`);
    demand(record.at >= at, `${line}: the time goes back`);
    const digest = hex(sha256(canonical(command === undefined ? hashed : { ...hashed, command })));
    demand(hash === digest, `${line}: the hash is not that of the line`);
    before = hash;
    at = record.at;
  });
  return before;
}

/** @param {File} file @param {any[]} keys @param {string} head */
async function checkEnd({ footer, hash }, keys, head) {
  demand(footer.file === hash, "the last line names the hash of another file");
  demand(footer.head === head, "the last line names another head than that of the last fact");
  const { key, signature, ...signed } = footer, valid = keys.findLast((one) => one.valid_from <= footer.at);
  demand(valid?.id === key, "the last line is signed with a key that was not the service's at that moment");
  demand(await isSigned(valid.public_key, signature, `${FORMAT}\n${canonical(signed)}`), "the signature of the last line is not right");
}

/** The secret of the pairings, once it is revealed, is the one that was announced. @param {any[]} facts @returns {boolean} whether it is revealed */
function checkSecret(facts) {
  const { commitment } = facts[0], revealed = facts.findLast((fact) => typeof fact.server_secret === "string" && fact.type !== "tournament_announced");
  demand(!revealed || hex(sha256(fromHex(revealed.server_secret))) === commitment, "the secret is not the one to which the service had committed");
  return revealed !== undefined;
}

/** Each match is sound by itself, was opened by the tournament, and its result is the recorded one. @param {File} file @param {any[]} facts @param {any[] | null} keys */
async function checkMatches({ matches }, facts, keys) {
  const opened = new Set(facts.filter((fact) => fact.type === "match_opened").map((fact) => fact.match));
  const results = new Map(facts.filter((fact) => fact.type === "result_recorded").map((fact) => [fact.match, fact.places]));
  for (const [id, content] of matches) {
    demand(opened.has(id), `the match ${id} is not one of this tournament`);
    const verdict = await verifyExport(content, { keys }).catch((error) => { throw new Broken(`match ${id}, ${error.message}`); });
    demand(verdict.match === id, `the match ${id} is another one`);
    demand(!results.has(id) || verdict.status !== "finished" || same(verdict.places, results.get(id)), `the recorded result is not that of the match ${id}`);
  }
  for (const id of results.keys()) demand(matches.has(id), `the match ${id} has a result and is missing`);
}

/** What this browser kept of its own commands is in the record. @param {File} file @returns {number} how many receipts agree */
function checkReceipts({ header, records }) {
  const receipts = tournamentReceiptsOf(header.tournament);
  for (const { version, head } of receipts) demand(records[version - 1]?.hash === head, `the record contradicts the receipt of version ${version}`);
  return receipts.length;
}

/** @param {Uint8Array} content @returns {Promise<Outcome>} */
export async function checkTournament(content) {
  try {
    return { verdict: null, problem: null, findings: await findingsOf(content), match: null };
  } catch (error) {
    const problem = error instanceof Broken || error instanceof TypeError ? error.message : String(error);
    return { verdict: null, problem, findings: [], match: null };
  }
}

/** @param {Uint8Array} content @returns {Promise<Finding[]>} */
async function findingsOf(content) {
  const file = split(content), pinned = pinnedKeys(), keys = pinned.length ? pinned : readKeys(file.header.keys), facts = file.records.map((one) => one.fact);
  demand(facts[0]?.type === "tournament_announced", "line 2: the first fact is not the announcement");
  await checkEnd(file, keys, checkChain(file));
  const revealed = checkSecret(facts);
  await checkMatches(file, facts, pinned.length ? pinned : null);
  const receipts = checkReceipts(file), proved = (/** @type {string} */ text) => ({ kind: /** @type {const} */ ("proved"), text }), open = (/** @type {string} */ text) => ({ kind: /** @type {const} */ ("open"), text });
  return [
    proved(t("check.tournament_chain", { facts: facts.length })),
    pinned.length ? proved(t("check.signatures")) : open(t("check.signatures_own")),
    revealed ? proved(t("check.tournament_secret")) : open(t("check.tournament_running")),
    ...(file.matches.size ? [proved(t("check.tournament_matches", { count: file.matches.size }))] : []),
    receipts ? proved(t("check.receipts", { count: receipts })) : open(t("check.tournament_receipts")),
    open(t("check.tournament_rules")),
    open(t("check.others")),
  ];
}
