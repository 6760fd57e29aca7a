// Checks the export of a tournament in this browser: everything but the rules of the games and of the pairing.
import { Broken, parse } from "../verifier/kontor-verify.mjs";
import { isTournament, verifyTournament } from "../verifier/tournament.mjs";
import { t } from "./i18n.js";
import { pinnedKeys, tournamentReceiptsOf } from "./trust.js";

/** @typedef {import("./verify.js").Outcome} Outcome @typedef {import("./verify.js").Finding} Finding */
/** @typedef {import("../verifier/tournament.mjs").TournamentVerdict} Verdict */
export { isTournament };

/** @param {Uint8Array} content @returns {Promise<Outcome>} */
export async function checkTournament(content) {
  const pinned = pinnedKeys();
  try {
    const verdict = await verifyTournament(content, { keys: pinned.length ? pinned : null });
    return { verdict: null, problem: null, findings: findingsOf(verdict, content), match: null };
  } catch (error) {
    const problem = error instanceof Broken || error instanceof TypeError ? error.message : String(error);
    return { verdict: null, problem, findings: [], match: null };
  }
}

/** @param {Verdict} verdict @param {Uint8Array} content @returns {Finding[]} */
function findingsOf(verdict, content) {
  const proved = (/** @type {string} */ text) => ({ kind: /** @type {const} */ ("proved"), text });
  const open = (/** @type {string} */ text) => ({ kind: /** @type {const} */ ("open"), text });
  const isOver = ["final", "cancelled"].includes(verdict.status);
  return [
    proved(t("check.tournament_chain", { facts: verdict.facts })),
    verdict.trusted ? proved(t("check.signatures")) : open(t("check.signatures_own")),
    isOver ? proved(t("check.tournament_secret")) : open(t("check.tournament_running")),
    verdict.contributions ? proved(t("check.tournament_contributed", { count: verdict.contributions })) : open(t("check.tournament_nobody")),
    proved(t("check.tournament_standings")),
    ...(verdict.matches ? [proved(t("check.tournament_matches", { count: verdict.matches }))] : []),
    receiptFinding(verdict, content),
    open(t("check.tournament_rules")),
    open(t("check.others")),
  ];
}

/** Check that the record contains the commands whose receipts this browser stored. @param {Verdict} verdict @param {Uint8Array} content @returns {Finding} */
function receiptFinding({ tournament }, content) {
  const receipts = tournamentReceiptsOf(tournament), lines = receipts.length ? new TextDecoder().decode(content).split("\n") : [];
  if (receipts.length === 0) return { kind: "open", text: t("check.tournament_receipts") };
  const agree = receipts.every(({ version, head }) => version < lines.length && parse(lines[version]).hash === head);
  return agree ? { kind: "proved", text: t("check.receipts", { count: receipts.length }) } : { kind: "wrong", text: t("check.tournament_other_receipt") };
}
