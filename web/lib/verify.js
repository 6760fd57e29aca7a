// Checks the export of a match or a tournament in this browser: everything but the rules. It sends nothing to the service.
import { Broken, parse, verifyExport } from "../verifier/kontor-verify.mjs";
import { same } from "../verifier/formats.mjs";
import { isTournament, verifyTournament } from "../verifier/tournament.mjs";
import { listed, t } from "./i18n.js";
import { evidenceOf, pinnedKeys, receiptsOf } from "./trust.js";

/** @typedef {import("../verifier/kontor-verify.mjs").Verdict} Verdict @typedef {import("../verifier/tournament.mjs").TournamentVerdict} TournamentVerdict */
/** @typedef {{kind: "proved" | "open" | "wrong", text: string}} Finding */
/** @typedef {{problem: string | null, foreign?: boolean, findings: Finding[]}} Outcome with `foreign`, the problem is a sentence in the user's language */

/** @param {string} text @returns {Finding} */
const proved = (text) => ({ kind: "proved", text });
/** @param {string} text @returns {Finding} */
const open = (text) => ({ kind: "open", text });
/** @param {string} text @returns {Finding} */
const wrong = (text) => ({ kind: "wrong", text });

/** How the first line of an export begins. */
const HEADER = /^\{"[^\n]*"format":"kontor\.(export|tournament)\./, HEADER_BYTES = 1024;

/** @param {Uint8Array} content @returns {string | null} why it is no export at all, as a key of the texts */
function foreign(content) {
  if (content.length === 0) return "check.empty";
  return HEADER.test(new TextDecoder().decode(content.subarray(0, HEADER_BYTES))) ? null : "check.not_export";
}

/** @param {Uint8Array} content @returns {Promise<Outcome>} */
export async function check(content) {
  const reason = foreign(content);
  if (reason) return { problem: t(reason), foreign: true, findings: [] };
  try {
    return { problem: null, findings: await (isTournament(content) ? tournamentFindings : matchFindings)(content) };
  } catch (error) {
    const problem = error instanceof Broken || error instanceof TypeError ? error.message : String(error);
    return { problem, findings: [] };
  }
}

/** The keys to check signatures with; null if none is pinned yet, then those in the file are used. */
function knownKeys() {
  const pinned = pinnedKeys();
  return pinned.length ? pinned : null;
}

/** @param {Uint8Array} content @returns {any[]} the first lines of the file, as far as they can be read */
function firstLines(content) {
  try {
    return new TextDecoder().decode(content.subarray(0, 65_536)).split("\n").slice(0, 2).map(parse);
  } catch {
    return [];
  }
}

/** @param {Uint8Array} content @returns {Promise<Finding[]>} */
async function matchFindings(content) {
  const [header, created] = firstLines(content);
  const receipts = typeof header?.match === "string" ? receiptsOf("match", header.match) : [];
  const verdict = await verifyExport(content, { keys: knownKeys(), receipts });
  return [
    proved(t("check.chain", { facts: verdict.facts })),
    verdict.trusted ? proved(t("check.signatures")) : open(t("check.signatures_own")),
    ...seedFindings(verdict, created?.fact?.in_block === true),
    ...playerFindings(verdict),
    verdict.receipts ? proved(t("check.receipts", { count: verdict.receipts })) : open(t("check.no_receipts")),
    ...evidenceFindings(verdict, content),
    ...(verdict.branch ? [open(t("check.branch"))] : []),
    open(t("check.rules")),
    open(t("check.others")),
  ];
}

/** @param {Verdict} verdict @param {boolean} inBlock whether a tournament fixed the deal @returns {Finding[]} */
function seedFindings(verdict, inBlock) {
  if (!verdict.complete) return [open(t(inBlock && verdict.status === "finished" ? "check.block_running" : "check.running"))];
  const counted = seats(verdict.contributions, (one) => one === "counted");
  const seed = verdict.open_seed ? open(t("check.open_seed")) : proved(t("check.secret"));
  const who = inBlock ? [open(t("check.in_block"))] : verdict.open_seed || verdict.contributions.length === 0 ? [] : [counted.length ? proved(t("check.contributed", { seats: listed(counted) })) : open(t("check.nobody"))];
  const loose = verdict.loose.length ? [open(t("check.loose", { fields: listed(verdict.loose) }))] : [];
  return [seed, ...who, verdict.bound ? proved(t("check.draws", { count: verdict.draws })) : open(t("check.draws_loose", { count: verdict.draws })), ...loose];
}

/** @param {(string | null)[]} items @param {(one: string | null, place: number) => boolean} condition @returns {string[]} */
const seats = (items, condition) => items.flatMap((one, place) => (condition(one, place) ? [String(place + 1)] : []));

/** @param {Verdict} verdict @returns {Finding[]} */
function playerFindings(verdict) {
  const signers = seats(verdict.player_keys, (key) => key !== null);
  const unsigned = seats(verdict.players, (player, place) => player !== null && verdict.player_keys[place] === null);
  return [
    ...(signers.length ? [proved(t("check.signed", { count: verdict.signed_commands, seats: listed(signers) }))] : []),
    ...(unsigned.length ? [open(t("check.unsigned", { seats: listed(unsigned) }))] : []),
    ...(verdict.house_bots.some((bot) => bot !== null) ? [open(t("check.bots"))] : []),
  ];
}

/** Compare with the evidence that this browser stored when it took its seat. @param {Verdict} verdict @param {Uint8Array} content @returns {Finding[]} */
function evidenceFindings(verdict, content) {
  const kept = evidenceOf(verdict.match);
  if (!kept) return [];
  const facts = new TextDecoder().decode(content).trimEnd().split("\n").slice(1, -1).map((line) => JSON.parse(line).fact);
  const created = facts[0], taken = facts.find((fact) => fact.type === "seat_taken" && fact.player === kept.player);
  const found = { in_block: false, ...created }; // left out of the fact where it is false
  const rules = Object.entries(kept.announced).every(([name, value]) => !(name in found) || same(found[name], value));
  if (created.commitment !== kept.commitment || !rules) return [wrong(t("check.other_commitment"))];
  if (!taken || taken.contribution !== kept.sent) return [wrong(t("check.other_contribution"))];
  return [proved(t(created.in_block === true ? "check.mine_in_block" : "check.mine"))];
}

/** @param {Uint8Array} content @returns {Promise<Finding[]>} */
async function tournamentFindings(content) {
  const verdict = await verifyTournament(content, { keys: knownKeys() });
  return [
    proved(t("check.tournament_chain", { facts: verdict.facts })),
    verdict.trusted ? proved(t("check.signatures")) : open(t("check.signatures_own")),
    proved(t("check.tournament_secret")),
    verdict.contributions ? proved(t("check.tournament_contributed", { count: verdict.contributions })) : open(t("check.tournament_nobody")),
    proved(t("check.tournament_standings")),
    ...(verdict.matches ? [proved(t("check.tournament_matches", { count: verdict.matches }))] : []),
    receiptFinding(verdict, content),
    open(t("check.tournament_rules")),
    open(t("check.others")),
  ];
}

/** Check that the record contains the commands whose receipts this browser stored. @param {TournamentVerdict} verdict @param {Uint8Array} content @returns {Finding} */
function receiptFinding({ tournament }, content) {
  const receipts = receiptsOf("tournament", tournament);
  if (receipts.length === 0) return open(t("check.tournament_receipts"));
  const lines = new TextDecoder().decode(content).split("\n");
  const agree = receipts.every(({ version, head }) => version < lines.length && parse(lines[version]).hash === head);
  return agree ? proved(t("check.receipts", { count: receipts.length })) : wrong(t("check.tournament_other_receipt"));
}
