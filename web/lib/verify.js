// Checks an export in this browser: everything but the rules. It sends nothing to the service.
import { Broken, parse, verifyExport } from "../verifier/kontor-verify.mjs";
import { same } from "../verifier/formats.mjs";
import { listed, t } from "./i18n.js";
import { evidenceOf, pinnedKeys, receiptsOf } from "./trust.js";

/** @typedef {import("../verifier/kontor-verify.mjs").Verdict} Verdict */
/** @typedef {{kind: "proved" | "open" | "wrong", text: string}} Finding */
/** @typedef {{verdict: Verdict | null, problem: string | null, findings: Finding[], match: string | null}} Outcome */

/** @param {Uint8Array} content @returns {any[]} the first lines of the file, as far as they can be read */
function firstLines(content) {
  try {
    return new TextDecoder().decode(content.subarray(0, 65_536)).split("\n").slice(0, 2).map(parse);
  } catch {
    return [];
  }
}

/** @param {Uint8Array} content @returns {Promise<Outcome>} */
export async function check(content) {
  const [header] = firstLines(content), match = typeof header?.match === "string" ? header.match : null;
  const receipts = match ? receiptsOf(match) : [], pinned = pinnedKeys();
  try {
    const verdict = await verifyExport(content, { keys: pinned.length ? pinned : null, receipts });
    return { verdict, problem: null, findings: findingsOf(verdict, content), match };
  } catch (error) {
    const problem = error instanceof Broken || error instanceof TypeError ? error.message : String(error);
    return { verdict: null, problem, findings: [], match };
  }
}

/** @param {Verdict} verdict @param {Uint8Array} content @returns {Finding[]} */
function findingsOf(verdict, content) {
  const proved = (/** @type {string} */ text) => ({ kind: /** @type {const} */ ("proved"), text });
  const open = (/** @type {string} */ text) => ({ kind: /** @type {const} */ ("open"), text });
  return [
    proved(t("check.chain", { facts: verdict.facts })),
    verdict.trusted ? proved(t("check.signatures")) : open(t("check.signatures_own")),
    ...seedFindings(verdict, firstLines(content)[1]?.fact?.in_block === true, proved, open),
    ...playerFindings(verdict, proved, open),
    ...(verdict.receipts ? [proved(t("check.receipts", { count: verdict.receipts }))] : [open(t("check.no_receipts"))]),
    ...evidenceFindings(verdict, content),
    ...(verdict.branch ? [open(t("check.branch"))] : []),
    open(t("check.rules")),
    open(t("check.others")),
  ];
}

/** @param {Verdict} verdict @param {boolean} inBlock whether a tournament fixed the deal @param {(text: string) => Finding} proved @param {(text: string) => Finding} open @returns {Finding[]} */
function seedFindings(verdict, inBlock, proved, open) {
  if (!verdict.complete) return [open(t(inBlock && verdict.status === "finished" ? "check.block_running" : "check.running"))];
  const counted = seats(verdict.contributions, (one) => one === "counted");
  const seed = verdict.open_seed ? open(t("check.open_seed")) : proved(t("check.secret"));
  const who = inBlock ? [open(t("check.in_block"))] : verdict.open_seed || verdict.contributions.length === 0 ? [] : [counted.length ? proved(t("check.contributed", { seats: listed(counted) })) : open(t("check.nobody"))];
  const loose = verdict.loose.length ? [open(t("check.loose", { fields: listed(verdict.loose) }))] : [];
  return [seed, ...who, verdict.bound ? proved(t("check.draws", { count: verdict.draws })) : open(t("check.draws_loose", { count: verdict.draws })), ...loose];
}

/** @param {(string | null)[]} items @param {(one: string | null, place: number) => boolean} condition @returns {string[]} */
const seats = (items, condition) => items.flatMap((one, place) => (condition(one, place) ? [String(place + 1)] : []));

/** @param {Verdict} verdict @param {(text: string) => Finding} proved @param {(text: string) => Finding} open @returns {Finding[]} */
function playerFindings(verdict, proved, open) {
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
  if (created.commitment !== kept.commitment || !rules) return [{ kind: "wrong", text: t("check.other_commitment") }];
  if (!taken || taken.contribution !== kept.sent) return [{ kind: "wrong", text: t("check.other_contribution") }];
  return [{ kind: "proved", text: t("check.mine") }];
}
