// What this browser stores of the user's matches and entries, and how it compares that with what the service says and
// records later.
// `kontor_client` stores and compares the same. Nothing stored is overwritten: the first commitment counts, and
// contradicting receipts are both kept.
import { hex, sha256 } from "../verifier/crypto.mjs";
import { pick, same } from "../verifier/formats.mjs";
import { sameMoves } from "../verifier/forms.mjs";
import * as api from "./api.js";
import * as store from "./store.js";
import { Untrusted, checkCommitment, checkReceipt } from "./trust.js";

/**
 * @typedef {import("../types").Match} Match
 * @typedef {import("../types").Evidence} Evidence
 * @typedef {import("../types").KeptReceipt} KeptReceipt
 * @typedef {import("../types").Entry} Entry
 */
/**
 * The key of its sentence, and the version at which it is found.
 * @typedef {{key: string, version?: number}} Contradiction
 */
/**
 * @typedef {import("../types").Body<"post", "/v1/matches">} Requested
 * @typedef {import("../verifier/types").Line} Line
 * @typedef {import("../verifier/types").Command} Command
 * @typedef {Record<string, unknown>} Settings
 * @typedef {Settings & {game: string, seats: object[], options?: object}} Wanted what a match should be
 */

/** How the names of stored receipts begin. */
const RECEIPT = /** @type {const} */ ({ match: "receipt.", tournament: "tournament-receipt." });

const account = () => api.me()?.id ?? "";

/** @param {string} match @returns {Evidence | null} what this browser stored when the user took a seat in the match */
export const evidenceOf = (match) => allEvidence(match).find(({ player }) => player === account()) ?? null;

/** The evidence of all accounts that this browser has used in a match. @param {string} match @returns {Evidence[]} */
export function allEvidence(match) {
  const earlier = store.get(`match.${match}`);
  return [
    ...(earlier ? [{ ...earlier, keys: earlier.keys ?? [earlier.key] }] : []),
    ...store.all(`evidence.${match}.`),
  ];
}

/** @param {Evidence} evidence */
export function keep(evidence) {
  store.set(`evidence.${evidence.match}.${evidence.player}`, evidence);
  const earlier = store.get(`match.${evidence.match}`);
  if (earlier?.player === evidence.player) store.remove(`match.${evidence.match}`);
}

/** The terms of a match that have the same name in its first fact. */
const TERMS = [
  "autostart",
  "branch",
  "max_returned_ms",
  "meet_bots",
  "on_timeout",
  "options",
  "practice",
  "private",
  "rated",
  "required_witnesses",
  "signed",
  "spectator_delay",
];
/** The values of terms that the first fact of a match leaves out; of all others it is false. @type {Settings} */
const LEFT_OUT = { max_returned_ms: null, required_witnesses: 0, spectator_delay: 0 };

/** @param {Match} data the announced settings of a match, named as in its first fact @returns {Settings} */
const announced = ({ ruleset, chance, clock: { kind, ms, increment_ms }, ...data }) => ({
  game: ruleset.game,
  rules_version: ruleset.version,
  data: ruleset.data,
  data_hash: ruleset.data_hash,
  clock: { kind, ms, increment_ms },
  sealed: chance.sealed,
  open_seed: chance.open_seed,
  in_block: chance.in_block,
  ...pick(data, TERMS),
});

/**
 * Whether settings are those that were stored; earlier versions of the page stored fewer.
 * @param {Settings} kept
 * @param {Settings} now
 */
const asKept = (kept, now) =>
  Object.entries(kept).every(([name, value]) => same(name in now ? now[name] : (LEFT_OUT[name] ?? false), value));

/**
 * Whether a value is the requested one; an object may have more fields, with their defaults.
 * @param {unknown} actual
 * @param {unknown} asked
 * @returns {boolean}
 */
function has(actual, asked) {
  if (!asked || typeof asked !== "object") return actual === asked;
  const found = /** @type {Settings} */ (actual ?? {});
  if (Array.isArray(asked) && found.length !== asked.length) return false;
  return Object.entries(asked).every(([name, value]) => name === "bot" || has(found[name], value));
}

/**
 * Check that a created match is new, and has the terms that were requested.
 * @param {Match} made
 * @param {Requested} body
 */
export function checkCreated(made, body) {
  if (evidenceOf(made.id)) throw new Untrusted("trust.other_terms");
  checkTerms(made, body);
}

/** Seats that anybody may have. @param {number} count @returns {object[]} */
const anySeats = (count) => Array.from({ length: count }, () => ({}));

/**
 * Check that a match that was found has the terms that were sought.
 * @param {Match} found
 * @param {import("../types").Seek | import("../types").Body<"post", "/v1/seeks">} sought
 */
export function checkFound(found, { game, seats, rated, clock, options, on_timeout }) {
  checkTerms(found, { game, rated, clock, options, on_timeout, seats: anySeats(seats) });
  if (found.seats.some(({ type }) => type === "bot")) throw new Untrusted("trust.other_terms");
}

/**
 * Check that a rematch has the terms of the match that was played; only the rules may be newer.
 * @param {Match} made
 * @param {Match} played
 */
export function checkRematch(made, played) {
  const { rules_version, data_hash, autostart, ...terms } = announced(played);
  const chance = { open_seed: null, in_block: false, branch: false };
  checkTerms(made, { ...terms, ...chance, game: played.game, seats: anySeats(played.seats.length) });
}

/**
 * Check that a match has the terms that were requested; what a request leaves out has its default.
 * @param {Match} made
 * @param {Wanted} body
 */
function checkTerms(
  made,
  { game, seed = null, sealed = false, clock = { kind: "none" }, seats, options = {}, ...asked },
) {
  const taken = made.seats.map(({ type, player, invited }) => ({ type, player: (invited ?? player)?.id }));
  const chosen = Object.entries(options).every(([name, value]) =>
    has(name in made.options ? made.options[name] : made.ruleset.data, value),
  ); // the data set is no option of the match
  const wanted = {
    practice: false,
    private: false,
    rated: false,
    signed: false,
    branch: false,
    in_block: false,
    open_seed: seed,
    sealed,
    clock,
    ...asked,
  };
  if (!has({ ...announced(made), tags: made.tags }, wanted) || made.game !== game || !chosen || !has(taken, seats))
    throw new Untrusted("trust.other_terms");
}

/**
 * Check and store what the service is bound to, before a contribution is sent. After a refusal the contribution is
 * already known to
 * the service: it is sent again only to the match that was shown the first time.
 * @param {Match} match @param {string | null} key the key with which the seat is taken @returns {Promise<Evidence>}
 */
export async function begin(match, key) {
  await checkCommitment("match", match);
  if (match.chance.in_block) await checkEntered(match);
  const kept = evidenceOf(match.id);
  const { commitment, signed } = match.chance;
  if (kept && (kept.commitment !== commitment || !asKept(kept.announced, announced(match))))
    throw new Untrusted("trust.other_deal");
  const contribution = kept?.contribution ?? api.randomHex(32);
  const sent = match.chance.sealed ? hex(sha256(contribution)) : contribution;
  const evidence = kept ?? {
    match: match.id,
    player: account(),
    commitment,
    signed,
    announced: announced(match),
    contribution,
    sent,
    keys: [],
    opened: false,
  };
  if (!evidence.keys.includes(key)) evidence.keys.push(key);
  keep(evidence);
  return evidence;
}

/**
 * Where a tournament fixes the deal, a contribution has no effect: this browser must have entered a tournament that
 * has opened the match.
 * @param {Match} match
 */
async function checkEntered({ id }) {
  for (const entry of entriesOf(account())) {
    if (!entry.entered || !entry.rotated || !(await hasOpened(entry.tournament, id))) continue;
    if (!(entry.matches ?? []).includes(id)) keepEntry({ ...entry, matches: [...(entry.matches ?? []), id] });
    return;
  }
  throw new Untrusted("trust.in_block");
}

/** @param {string} tournament @param {string} match */
async function hasOpened(tournament, match) {
  for (let after = 0; ;) {
    const { events } = await api.get(`/v1/tournaments/${tournament}/events`, { after, limit: 1000 });
    if (events.some(({ fact }) => fact.type === "match_opened" && fact.match === match)) return true;
    if (events.length === 0) return false;
    after = events[events.length - 1].version;
  }
}

/**
 * Compare an answer about a match with the evidence.
 * @template {Pick<Match, "id" | "you"> & Partial<Match>} T
 * @param {T} answer
 * @returns {T}
 */
export function compared(answer) {
  const { id, chance, seats, you } = answer;
  const kept = evidenceOf(id);
  if (kept && chance && chance.commitment !== kept.commitment) throw new Untrusted("trust.other_deal");
  if (kept && seats && you !== null && !kept.keys.includes(seats[you].key)) throw new Untrusted("trust.other_key");
  return answer;
}

/** @param {string} player @returns {Entry[]} */
export const entriesOf = (player) => store.all("entry.").filter((entry) => entry.player === player);

/** @param {string} tournament @returns {Entry | null} */
export const entryOf = (tournament) => store.get(`entry.${tournament}.${account()}`);

/** @param {Entry} entry */
export const keepEntry = (entry) => store.set(`entry.${entry.tournament}.${entry.player}`, entry);

/**
 * Check and store the receipt of a command, beside a different one for the same version if there is one.
 * @param {import("./trust.js").Kind} kind
 * @param {string} id
 * @param {import("./trust.js").Receipted} answer
 * @param {Command | null} [command] as it is stored
 */
export async function keepReceipt(kind, id, answer, command = null) {
  await checkReceipt(kind, id, answer);
  const { receipt } = answer;
  const place = /** @type {const} */ (`${RECEIPT[kind]}${id}.${String(receipt.version).padStart(9, "0")}`);
  store.set(`${place}.${receipt.head.slice(0, 16)}`, { receipt, command, player: account() });
  if (store.all(place).some((one) => one.receipt.head !== receipt.head)) throw new Untrusted("trust.two_histories");
}

/**
 * @param {import("./trust.js").Kind} kind
 * @param {string} id
 * @returns {KeptReceipt[]} the receipts in this browser, by version
 */
export const receiptsOf = (kind, id) => store.all(`${RECEIPT[kind]}${id}.`);

/**
 * Store a signed command that was refused: the record must not contain it.
 * @param {string} match
 * @param {string} signature
 */
export const keepRefused = (match, signature) => store.set(`refused.${match}.${signature.slice(0, 16)}`, signature);

/**
 * @param {Line[]} lines of a verified export
 * @param {string} match
 * @returns {Contradiction[]} where it is not what this browser did and was shown
 */
export function contradictions(lines, match) {
  const receipts = receiptsOf("match", match);
  const refused = new Set(store.all(`refused.${match}.`));
  for (const { command } of receipts) refused.delete(command?.signature ?? "");
  return [
    ...missing(lines, receipts),
    ...allEvidence(match).flatMap((kept) => [...otherDeal(lines, kept), ...foreign(lines, kept, refused)]),
  ];
}

/** @param {Line[]} lines @param {Evidence} kept @returns {Contradiction[]} */
function otherDeal(lines, kept) {
  const created = lines[0].fact;
  const facts = lines.map(({ fact }) => fact);
  const asAnnounced = asKept(kept.announced, created);
  const seated = facts.findLast((fact) => fact.type === "seat_taken" && fact.player === kept.player);
  const opened = facts.find((fact) => fact.type === "contribution_opened" && fact.seat === seated?.seat);
  return [
    ...(created.commitment === kept.commitment && asAnnounced ? [] : [{ key: "check.other_commitment" }]),
    ...(!seated || seated.contribution === kept.sent ? [] : [{ key: "check.other_contribution" }]),
    ...(!opened || opened.contribution === kept.contribution ? [] : [{ key: "check.other_contribution" }]),
    ...(!seated || kept.keys.includes(seated.key ?? null) ? [] : [{ key: "trust.other_key" }]),
  ];
}

/**
 * The user's commands that are not where their receipts say.
 * @param {Line[]} lines
 * @param {KeptReceipt[]} receipts
 * @returns {Contradiction[]}
 */
function missing(lines, receipts) {
  const commands = lines.filter(isCommand);
  return receipts.flatMap(({ command, player, receipt }) => {
    if (!command) return [];
    const place = commands.findLastIndex((line) => line.version <= receipt.version);
    const [line] = place < 0 ? [] : commands.splice(place, 1);
    const executed = line?.by === player && (line.command === undefined || contains(line.command, command));
    return executed ? [] : [{ key: "check.other_command", version: receipt.version }];
  });
}

const isCommand = (/** @type {Line} */ line) => "command" in line || "sealed_command" in line;

/**
 * Whether a stored command is the one sent: its moves have all their fields, and `sent_moves` those that were sent
 * (docs/signatures.md).
 * @param {Command} stored
 * @param {Command} sent
 */
function contains({ moves: made = [], sent_moves: recorded, ...rest }, { moves: given = [], ...sent }) {
  return same(rest, sent) && sameMoves(given, made) && (recorded === undefined || same(recorded, given));
}

/**
 * Commands of others for the user's seat, and commands that the service had refused.
 * @param {Line[]} lines
 * @param {Evidence} kept
 * @param {Set<string>} refused
 * @returns {Contradiction[]}
 */
function foreign(lines, kept, refused) {
  /** @type {number | null} */ let seat = null;
  return lines.filter(isCommand).flatMap(({ by, command, fact, seat: acting, version }) => {
    const own = by === kept.player;
    if (own && fact.type === "seat_taken") seat = fact.seat ?? null;
    if (own && fact.type === "seat_left") seat = null;
    if (own && refused.has(command?.signature ?? "")) return [{ key: "check.refused_command", version }];
    return seat !== null && acting === seat && !own && command?.type !== "time_out"
      ? [{ key: "check.foreign_command", version }]
      : [];
  });
}

/**
 * The receipts of a match that contradict each other.
 * @param {KeptReceipt[]} receipts
 * @returns {KeptReceipt["receipt"][][]}
 */
export function contradicting(receipts) {
  const versions = [...new Set(receipts.map(({ receipt }) => receipt.version))];
  const groups = versions.map((version) =>
    receipts.map(({ receipt }) => receipt).filter((one) => one.version === version),
  );
  return groups.filter((group) => group.some(({ head }) => head !== group[0].head));
}
