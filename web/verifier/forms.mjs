// The forms of commands, facts and terms (docs/export.md, docs/tournaments.md): data of life.mjs and tournament.mjs.
import { isHex } from "./crypto.mjs";
import { demand, same } from "./formats.mjs";

/**
 * Whether a value that was read has the form that it must have.
 * @typedef {(value: unknown) => boolean} Form
 * @typedef {Record<string, Form>} Forms
 * @typedef {Record<string, unknown>} Fields
 */

/** @type {(value: unknown) => value is string} */
export const text = (value) => typeof value === "string";
/** @param {unknown} value @returns {value is number} */
export const whole = (value) => Number.isSafeInteger(value);
/** @type {Form} */
export const flag = (value) => typeof value === "boolean";
/** @type {(value: unknown) => value is unknown[]} */
export const list = Array.isArray;
/** @param {unknown} value @returns {value is Fields} */
export const object = (value) => value !== null && typeof value === "object" && !list(value);
/** @type {Form} */
export const hash = (value) => isHex(value, 64);
/** @param {Form} form @returns {Form} */
export const orNull = (form) => (value) => value === null || form(value);
/** @param {...unknown} values @returns {Form} */
const oneOf =
  (...values) =>
  (value) =>
    values.includes(value);

/**
 * Check the keys of an object and the types of their values.
 * @param {unknown} value
 * @param {Forms} needed
 * @param {import("./formats.mjs").At} at
 * @param {Forms} [optional]
 * @param {boolean} [more] whether other keys are allowed
 */
export function checkForm(value, needed, at, optional = {}, more = false) {
  demand(object(value), at("this is not a JSON object"));
  for (const [key, one] of Object.entries(value)) {
    const known = [needed, optional].find((forms) => Object.hasOwn(forms, key));
    demand(known || more, at(`'${key}' is not allowed here`));
    demand(!known || known[key](one), at(`'${key}' has the wrong type`));
  }
  for (const key of Object.keys(needed)) demand(Object.hasOwn(value, key), at(`'${key}' is missing`));
}

// The lines of the export of a match.
/** @type {Form} */
const keyId = (value) => isHex(value, 16);
/** @param {unknown} wanted @returns {Form} */
const exactly = (wanted) => (value) => value === wanted;
export const RULESET = { game: text, version: whole, data: text, data_hash: hash };
export const KEY = { id: keyId, algorithm: exactly("Ed25519"), public_key: text, valid_from: whole };
export const HEADER = {
  format: text,
  match: text,
  ruleset: object,
  complete: flag,
  viewer: orNull(whole),
  exported_at: whole,
  keys: list,
};
export const LINE = {
  at: whole,
  before: hash,
  by: text,
  fact: object,
  hash,
  match: text,
  sealed: object,
  version: whole,
};
export const OPTIONAL = {
  command: object,
  draws: list,
  key: keyId,
  salts: object,
  sealed_command: hash,
  seat: orNull(whole),
  signature: text,
};
export const FOOTER = {
  at: whole,
  end: text,
  file: hash,
  head: hash,
  key: keyId,
  result: orNull(object),
  signature: text,
  version: whole,
};
export const RECEIPT = { match: text, version: whole, head: hash, at: whole, key: keyId, signature: text };
/** @type {Form} */
const stream = (value) => text(value) && /^[\x21-\x7e]{1,255}$/.test(value);
/** @type {Form} */
const count = (value) => whole(value) && value >= 0;
export const DRAW = { stream, index: count, values: list };

/** @type {Form} */
const seat = (value) => whole(value) && value >= 0;
/** @type {Form} */
const moves = (value) => list(value) && value.length > 0 && value.length <= 1000 && value.every(object);
/**
 * The fields of each command, the facts with which it can begin, and the status of the match before; null: any.
 * @type {Record<string, [Forms, string[] | null, string | null]>}
 */
export const COMMANDS = {
  create: [{ takes_seat: flag, bot: flag, contribution: text }, ["match_created"], "open"],
  join: [{ seat: orNull(seat), bot: flag, contribution: text }, ["seat_taken"], "open"],
  leave: [{}, ["seat_left"], "open"],
  decline: [{}, ["invitation_declined"], "open"],
  seat_bot: [{ seat, bot: text, bot_version: whole }, ["seat_taken"], "open"],
  open: [{ value: text }, ["contribution_opened"], "open"],
  start: [{}, ["match_started", "contributions_due"], "open"],
  play: [{ moves }, null, "running"],
  resign: [{}, ["seat_resigned"], "running"],
  abort: [{}, ["abort_wanted", "match_aborted", "contribution_withheld"], null],
  time_out: [{ seat }, ["seat_timed_out"], "running"],
  return_time: [{ since: whole, until: whole }, ["time_returned"], null],
  expire: [{}, ["match_aborted", "seat_timed_out"], null],
  give_up_waiting: [{}, ["contribution_withheld"], "open"],
  resign_erased: [{ seat }, ["seat_resigned", "seat_left", "match_aborted"], null],
  reveal_secret: [{}, ["secret_revealed"], null],
  call_off: [{ reveal: flag }, ["match_aborted"], null],
};
// docs/signatures.md: whether a move as its player sent it means the stored one. A field that is missing was zero,
// null, false or empty.
/** @type {Record<string, string[]>} */
const UNORDERED = { convert: ["give"], sell_two: ["goods"] }; // lists that are stored in an order of their own
/** @param {unknown} value @returns {boolean} */
const empty = (value) =>
  list(value)
    ? value.length === 0
    : object(value)
      ? Object.values(value).every(empty)
      : value === 0 || value === null || value === false || value === "";
/** @param {unknown} sent @param {unknown} stored @param {string[]} sorted @returns {boolean} */
function means(sent, stored, sorted = []) {
  if (list(sent))
    return list(stored) && sent.length === stored.length && sent.every((one, index) => means(one, stored[index]));
  if (!object(sent)) return sent === stored;
  const inOrder = (/** @type {unknown} */ value, /** @type {string} */ name) =>
    sorted.includes(name) && list(value) ? [...value].sort() : value;
  return (
    object(stored) &&
    Object.keys(sent).every((name) => Object.hasOwn(stored, name)) &&
    Object.entries(stored).every(([name, value]) =>
      Object.hasOwn(sent, name) ? means(inOrder(sent[name], name), inOrder(value, name)) : empty(value),
    )
  );
}
/** @param {unknown} sent @param {unknown} stored */
const sameMove = (sent, stored) =>
  object(sent) &&
  means(sent, stored, text(sent.type) && Object.hasOwn(UNORDERED, sent.type) ? UNORDERED[sent.type] : []);
/** @param {unknown} sent @param {unknown[]} stored */
export const sameMoves = (sent, stored) =>
  list(sent) && sent.length === stored.length && sent.every((one, index) => sameMove(one, stored[index]));
/** Whether moves as they were sent are those of the command. @param {import("./types").Command} command */
export const mayHaveSent = ({ type, moves: made = [], sent_moves: sent, signature }) =>
  sent === undefined || (type === "play" && text(signature) && sameMoves(sent, made) && !same(sent, made));
export const BY_HOUSE = [
  "time_out",
  "return_time",
  "expire",
  "give_up_waiting",
  "resign_erased",
  "reveal_secret",
  "call_off",
];
export const RETRY_MS = 2000; // how long clients are asked to wait after an outage
/** @type {Record<string, Forms>} */
export const FACTS = {
  match_created: {
    game: text,
    rules_version: whole,
    data: text,
    data_hash: hash,
    options: object,
    seats: (seats) => list(seats) && seats.every(object),
    clock: object,
    on_timeout: oneOf("bot", "forfeit"),
    autostart: flag,
    private: flag,
    meet_bots: flag,
    creator: text,
    commitment: hash,
    sealed: flag,
    open_seed: orNull(text),
    practice: flag,
    branch: flag,
  },
  position_set: { source: text, version: whole },
  seat_taken: { seat, player: text, bot: flag, house: orNull(text), contribution: text },
  seat_left: { seat, player: text },
  invitation_declined: { seat, player: text },
  contributions_due: { deadline: whole },
  contribution_opened: { seat, contribution: text },
  contribution_withheld: { seat },
  match_started: { players: list },
  seat_timed_out: { seat, consequence: oneOf("bot", "forfeit") },
  time_returned: { since: whole, until: whole },
  seat_resigned: { seat },
  abort_wanted: { seat },
  match_aborted: { reason: text },
  match_finished: {
    places: list,
    reason: oneOf("played", "forfeit"),
    server_secret: (value) => value === "" || hash(value),
  },
  secret_revealed: { server_secret: hash },
};
/**
 * What is wrong with the terms of a match, apart from their forms; null: nothing.
 * @param {import("./types").MatchFact<"match_created">} created
 */
export function wrongTerms({
  salt_version: salts,
  max_returned_ms: most = 0,
  rated,
  seats,
  open_seed: open,
  practice,
  private: hidden,
}) {
  if (salts !== undefined && salts !== 2) return "the derivation of the salts is unknown";
  if (!whole(most) || most < 0) return "max_returned_ms has the wrong type";
  const unratable = seats.some(({ kind }) => kind === "bot") || open !== null || practice || hidden;
  return rated && unratable ? "a match with house bots, an open seed, practice or private cannot be rated" : null;
}
/** The facts about their author, which only a command causes. */
export const ABOUT_AUTHOR = ["seat_left", "contribution_opened", "seat_timed_out", "seat_resigned", "abort_wanted"];

/**
 * Each command of a tournament: who may send it, the facts that it causes (the parts of a regular expression), and
 * the required status of the tournament; null: any.
 * @type {Record<string, [string, string[], string[] | null]>}
 */
export const TOURNAMENT_COMMANDS = {
  announce: ["organiser", ["tournament_announced"], [""]],
  open_entry: ["organiser", ["entry_opened"], ["announced"]],
  enter: ["anyone", ["entrant_entered|entrant_returned"], ["open", "running"]],
  withdraw: ["anyone", ["entrant_withdrew"], ["open", "running"]],
  start_tournament: ["organiser", ["tournament_started|contributions_due"], ["open"]],
  open_contribution: ["entrant", ["contribution_opened( tournament_started)?"], ["open"]],
  close_opening: [
    "house",
    ["contribution_withheld( contribution_withheld)*( contributions_due| tournament_started)?"],
    ["open"],
  ],
  pair_round: ["organiser or house", ["round_paired"], ["running"]],
  open_match: ["house", ["match_opened"], ["running"]],
  record_start: ["house", ["match_began"], null],
  record_result: ["house", ["result_recorded"], null],
  record_no_show: ["house", ["no_show_recorded"], null],
  reveal_block: ["house", ["block_revealed"], null],
  void_match: ["arbiter", ["match_voided"], ["running"]],
  rule: ["arbiter", ["result_ruled"], ["running", "provisional"]],
  correct: ["organiser", ["result_ruled", "edition_signed"], ["final"]],
  post_standings: ["organiser or house", ["standings_posted"], ["running"]],
  acknowledge: ["entrant", ["standings_acknowledged"], ["provisional"]],
  protest: ["entrant", ["standings_protested"], ["provisional"]],
  sign_off: ["organiser", ["edition_signed"], ["provisional"]],
  cancel: ["organiser", ["tournament_cancelled"], ["announced", "open", "running", "provisional"]],
};

/** The values that terms of a tournament can have. */
const CHOICES = {
  format: ["complete", "balanced", "swiss", "knockout", "arena", "own"],
  no_show: ["walkover", "without"],
  on_timeout: ["bot", "forfeit"],
  admits: ["people", "programs", "both"],
};
const TIE_BREAKS = ["wins", "score_share", "score", "opponents", "median_opponents", "direct", "lot"];
/** Whether terms of a tournament contradict each other. @param {import("./types").Terms} terms */
export function possible(terms) {
  const {
    points,
    seats,
    least_seats: least,
    least_entrants: fewest,
    most_entrants: most,
    tie_breaks: ties,
    format,
  } = terms;
  return (
    Object.entries(CHOICES).every(([name, values]) =>
      values.includes(terms[/** @type {keyof typeof CHOICES} */ (name)]),
    ) &&
    ties.every((one) => TIE_BREAKS.includes(one)) &&
    new Set(ties).size === ties.length &&
    points.length === seats &&
    points.every((one, place) => place === 0 || one <= points[place - 1]) &&
    least <= seats &&
    fewest >= least &&
    most >= fewest &&
    !(format === "knockout" && terms.advance >= least) &&
    !(format === "arena" && (terms.duration_ms < 1000 || terms.rotated)) &&
    !(["complete", "knockout"].includes(format) && terms.late_entry) &&
    !(terms.rated && terms.admits === "both")
  );
}
