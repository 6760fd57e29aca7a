// Checks the export of a match or a tournament in this browser: everything but the rules. It sends nothing to the
// service.
import { knowsEd25519 } from "../verifier/crypto.mjs";
import { Broken, parse, verifyExport } from "../verifier/kontor-verify.mjs";
import { isTournament, verifyTournament } from "../verifier/tournament.mjs";
import * as api from "./api.js";
import { agrees } from "./entries.js";
import {
  allEvidence,
  contradicting,
  contradictions,
  entryOf,
  evidenceOf,
  keep,
  keepEntry,
  receiptsOf,
} from "./evidence.js";
import { listed, moment, t } from "./i18n.js";
import { pinnedKeys } from "./trust.js";

/**
 * @typedef {import("../verifier/kontor-verify.mjs").Verdict} Verdict
 * @typedef {import("../verifier/tournament.mjs").TournamentVerdict} TournamentVerdict
 * @typedef {import("../verifier/types").Line} Line
 * @typedef {import("../verifier/types").TournamentLine} TournamentLine
 */
/** @typedef {{kind: "proved" | "open" | "wrong", text: string}} Finding */
/**
 * With `foreign`, the problem is a sentence in the user's language.
 * @typedef {{problem: string | null, foreign?: boolean, findings: Finding[]}} Outcome
 */

/** @param {string} text @returns {Finding} */
const proved = (text) => ({ kind: "proved", text });
/** @param {string} text @returns {Finding} */
const open = (text) => ({ kind: "open", text });
/** @param {string} text @returns {Finding} */
const wrong = (text) => ({ kind: "wrong", text });

/** How the first line of an export begins. */
const HEADER = /^\{"[^\n]*"format":"kontor\.(export|tournament)\./;
const HEADER_BYTES = 1024;

/** @param {Uint8Array} content @returns {string | null} why it is no export at all, as a key of the texts */
function foreign(content) {
  if (content.length === 0) return "check.empty";
  return HEADER.test(new TextDecoder().decode(content.subarray(0, HEADER_BYTES))) ? null : "check.not_export";
}

/** @param {Uint8Array} content @returns {Promise<Outcome>} */
export async function check(content) {
  const reason = (await knowsEd25519()) ? foreign(content) : "shell.no_ed25519";
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

/**
 * The first line of the file, as far as it can be read.
 * @param {Uint8Array} content
 * @returns {{match?: unknown, tournament?: unknown, complete?: unknown}}
 */
function headerOf(content) {
  try {
    const [first] = new TextDecoder().decode(content.subarray(0, 65_536)).split("\n");
    return /** @type {ReturnType<typeof headerOf>} */ (parse(first)) ?? {};
  } catch {
    return {};
  }
}

/**
 * Check the record of a finished match against what this browser stored when the user took a seat in it, once.
 * @param {string} match @returns {Promise<"good" | "wrong" | null>} null if there is nothing to compare, or not yet
 */
export async function settle(match) {
  const kept = evidenceOf(match);
  if (!kept) return null;
  if (kept.checked) return "good";
  if (!(await knowsEd25519())) return null;
  const content = await api.bytes(`/v1/matches/${match}/export`);
  const { problem, findings } = await check(content);
  if (problem !== null || findings.some(({ kind }) => kind === "wrong")) return "wrong";
  if (!headerOf(content).complete) return null; // other matches with the same deal are still being played
  keep({ ...kept, checked: linesOf(content).at(-1)?.hash });
  return "good";
}

/**
 * Check the record of a tournament that is over against what this browser stored when its user entered, and then its
 * matches whose deal was secret until now, once.
 * @param {string} tournament @returns {Promise<"good" | "wrong" | null>} null if there is nothing to compare
 */
export async function settleTournament(tournament) {
  const entry = entryOf(tournament);
  if (!entry?.entered) return null;
  if (entry.checked) return "good";
  if (!(await knowsEd25519())) return null;
  const content = await api.bytes(`/v1/tournaments/${tournament}/export`);
  const { problem, findings } = await check(content);
  if (problem !== null || findings.some(({ kind }) => kind === "wrong")) return "wrong";
  for (const match of entry.matches ?? []) if ((await settle(match)) === "wrong") return "wrong";
  keepEntry({ ...entry, checked: linesOf(content).findLast((line) => "fact" in line)?.hash });
  return "good";
}

/** The lines of the facts. @param {Uint8Array} content */
const linesOf = (content) =>
  new TextDecoder()
    .decode(content)
    .trimEnd()
    .split("\n")
    .slice(1, -1)
    .map((line) => /** @type {Line} */ (parse(line)));

/** @param {Uint8Array} content @returns {Promise<Finding[]>} */
async function matchFindings(content) {
  const { match } = headerOf(content);
  const kept = typeof match === "string" ? receiptsOf("match", match) : [];
  const twice = contradicting(kept);
  const receipts = kept.map(({ receipt }) => receipt).filter((one) => !twice.flat().includes(one));
  const verdict = await verifyExport(content, { keys: knownKeys(), receipts });
  return [
    proved(t("check.chain", { facts: verdict.facts })),
    verdict.trusted ? proved(t("check.signatures")) : open(t("check.signatures_own")),
    ...seedFindings(verdict),
    ...playerFindings(verdict),
    ...twice.map((group) =>
      wrong(
        t("check.two_histories", {
          version: group[0].version,
          heads: listed(group.map(({ head, at }) => `${head.slice(0, 16)} (${moment(new Date(at).toISOString())})`)),
        }),
      ),
    ),
    verdict.receipts ? proved(t("check.receipts", { count: verdict.receipts })) : open(t("check.no_receipts")),
    ...evidenceFindings(verdict, linesOf(content)),
    ...(verdict.branch ? [open(t("check.branch"))] : []),
    open(t("check.rules")),
    open(t("check.others")),
  ];
}

/** @param {Verdict} verdict @returns {Finding[]} */
function seedFindings(verdict) {
  const { in_block: inBlock } = verdict; // a tournament fixed the deal
  if (!verdict.complete)
    return [open(t(inBlock && verdict.status === "finished" ? "check.block_running" : "check.running"))];
  const counted = seats(verdict.contributions, (one) => one === "counted");
  const seed = verdict.open_seed ? open(t("check.open_seed")) : proved(t("check.secret"));
  const who = inBlock
    ? [open(t("check.in_block"))]
    : verdict.open_seed || verdict.contributions.length === 0
      ? []
      : [counted.length ? proved(t("check.contributed", { seats: listed(counted) })) : open(t("check.nobody"))];
  const loose = verdict.loose.length ? [open(t("check.loose", { fields: listed(verdict.loose) }))] : [];
  return [
    seed,
    ...who,
    verdict.bound
      ? proved(t("check.draws", { count: verdict.draws }))
      : open(t("check.draws_loose", { count: verdict.draws })),
    ...loose,
  ];
}

/**
 * @param {(string | null)[]} items
 * @param {(one: string | null, place: number) => boolean} condition
 * @returns {string[]}
 */
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

/**
 * Compare with the evidence that this browser stored when it took its seat.
 * @param {Verdict} verdict
 * @param {Line[]} lines
 * @returns {Finding[]}
 */
function evidenceFindings(verdict, lines) {
  const players = allEvidence(verdict.match).map(({ player }) => player);
  const found = contradictions(lines, verdict.match);
  if (found.length) return found.map(({ key, version = 0 }) => wrong(t(key, { version })));
  if (players.length === 0) return [];
  const counts = verdict.players.some(
    (player, seat) => player !== null && players.includes(player) && verdict.contributions[seat] === "counted",
  );
  return [proved(t("check.mine")), ...(counts ? [proved(t("check.mine_counts"))] : [])];
}

/** @param {Uint8Array} content @returns {Promise<Finding[]>} */
async function tournamentFindings(content) {
  const { tournament } = headerOf(content);
  const receipts =
    typeof tournament === "string" ? receiptsOf("tournament", tournament).map(({ receipt }) => receipt) : [];
  const verdict = await verifyTournament(content, { keys: knownKeys(), receipts });
  return [
    proved(t("check.tournament_chain", { facts: verdict.facts })),
    verdict.trusted ? proved(t("check.signatures")) : open(t("check.signatures_own")),
    proved(t("check.tournament_secret")),
    whoChose(verdict),
    ...(verdict.signed_entries
      ? [proved(t("check.tournament_signed", { count: verdict.signed_entries, of: verdict.entrants }))]
      : []),
    ...(verdict.uploaded.length
      ? [open(t("check.tournament_uploaded", { rounds: listed(verdict.uploaded.map(String)) }))]
      : []),
    proved(t("check.tournament_standings")),
    ...(verdict.matches ? [proved(t("check.tournament_matches", { count: verdict.matches }))] : []),
    verdict.receipts ? proved(t("check.receipts", { count: verdict.receipts })) : open(t("check.tournament_receipts")),
    ...entryFindings(verdict, linesOf(content)),
    open(t("check.tournament_rules")),
    open(t("check.others")),
  ];
}

/** Who could have chosen pairings and deals. @param {TournamentVerdict} verdict @returns {Finding} */
function whoChose({ contributions: count, sealed, withheld }) {
  if (!count) return open(t("check.tournament_nobody"));
  if (!sealed) return open(t("check.tournament_unsealed", { count }));
  if (withheld.length)
    return open(
      t("check.tournament_withheld", { count, entrants: listed(withheld.map((number) => `#${number + 1}`)) }),
    );
  return proved(t("check.tournament_contributed", { count }));
}

/**
 * Compare with what this browser stored when its user entered.
 * @param {TournamentVerdict} verdict
 * @param {(Line | TournamentLine)[]} lines of the tournament, and then of its matches
 * @returns {Finding[]}
 */
function entryFindings({ tournament }, lines) {
  const entry = entryOf(tournament);
  const end = lines.findIndex((line) => "export" in line);
  if (!entry) return [];
  const dealt = new Map();
  for (const line of lines)
    if ("match" in line && line.fact?.type === "match_created") dealt.set(line.match, line.fact.commitment);
  const records = /** @type {TournamentLine[]} */ (end < 0 ? lines : lines.slice(0, end));
  return [
    agrees(entry, records, dealt) ? proved(t("check.tournament_mine")) : wrong(t("check.tournament_other_entry")),
  ];
}
