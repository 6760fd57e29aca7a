// Verifies exports of matches: all steps of docs/export.md except the rules. Written from the documentation only; for
// browsers and Node.
//   const verdict = await verifyExport(bytes, { keys, receipts });   // throws Broken with the first error found
//   report(verdict)   // from report.mjs: sentences about what was checked, and what was not
import { fromBase64, fromHex, hex, isSigned, sha256 } from "./crypto.mjs";
import {
  Broken,
  canonical,
  commitmentTo,
  demand,
  Draws,
  hashOf,
  idOfKey,
  linesOf,
  onLine,
  parse,
  pick,
  receiptText,
  same,
  saltOf,
  seedOf,
  without,
} from "./formats.mjs";
import { Binder } from "./bindings.mjs";
import {
  DRAW,
  FOOTER,
  HEADER,
  LINE,
  OPTIONAL,
  RECEIPT,
  RULESET,
  checkForm,
  hash,
  list,
  object,
  whole,
} from "./forms.mjs";
import { Life } from "./life.mjs";
import { keysToUse } from "./service_keys.mjs";

export { Broken, parse };
/**
 * @typedef {import("./formats.mjs").At} At
 * @typedef {import("./types").AnyReceipt} Receipt
 * @typedef {import("./types").Footer} Footer
 * @typedef {import("./types").Header} Header
 * @typedef {import("./types").Line} Line
 * @typedef {import("./types").ServiceKey} ServiceKey
 * @typedef {Awaited<ReturnType<typeof verifyExport>>} Verdict
 */
/** @type {(pair: [number, number]) => boolean} */
const isValue = (pair) =>
  list(pair) && pair.length === 2 && pair.every(whole) && pair[0] >= 1 && pair[1] >= 0 && pair[1] < pair[0];
const RECORD = ["at", "before", "by", "match", "sealed", "sealed_command", "seat", "version"];

/** @param {Uint8Array} content */
function readLines(content) {
  const lines = linesOf(content).map((line, index) => {
    try {
      const data = parse(line);
      demand(object(data), "this is not a JSON object");
      demand(canonical(data) === line, "this is not canonical JSON");
      return data;
    } catch (error) {
      throw new Broken(onLine(index + 1)(/** @type {Error} */ (error).message));
    }
  });
  demand(lines.length >= 3, "the file is truncated");
  return lines;
}

/** Signatures of the service: collected while the lines are read, and checked at the end. */
export class Signatures {
  /** @type {Set<string>} */ used = new Set();
  /** @type {import("./types").OpenSignature[]} */ open = [];

  /** @param {ServiceKey[]} keys */
  constructor(keys) {
    this.keys = keys;
  }
  /** @param {{key?: string, signature?: string}} signed @param {string} message @param {number} time @param {At} at */
  add({ key, signature }, message, time, at) {
    const valid = this.keys.findLast((one) => one.valid_from <= time);
    demand(
      valid !== undefined && valid.id === key,
      at(`signed with the key ${key}, which was not the service's at that moment`),
    );
    this.used.add(valid.id);
    this.open.push([valid.public_key, signature ?? "", message, at("the signature is not right")]);
  }
  async check() {
    const good = await Promise.all(this.open.map(([key, signature, message]) => isSigned(key, signature, message)));
    good.forEach((one, index) => demand(one, this.open[index][3]));
  }
}

// --- one line (steps 1 to 3)
/**
 * @param {Line} line
 * @param {Header} header
 * @param {{number: number, hash: string}} before the line before
 * @param {string | null} secret
 * @param {string | null} salted the match that is part of the salts, null in old matches
 */
function checkLine(line, header, before, secret, salted) {
  const at = onLine(before.number + 1);
  checkForm(line, LINE, at, OPTIONAL);
  demand(
    line.version === before.number && line.match === header.match,
    at("facts are missing, duplicated or from another match"),
  );
  demand(line.before === before.hash, at("the hash chain is broken: `before` is not the hash of the previous line"));
  demand(
    "seat" in line === ("command" in line || "sealed_command" in line),
    at("`seat` must be present exactly where a command is"),
  );
  demand("key" in line === "signature" in line, at("`key` and `signature` belong together"));
  /** @type {[string, unknown, unknown][]} */
  const hidden = Object.entries(line.sealed).map(([field, commitment]) => [field, commitment, line.fact[field]]);
  if ("sealed_command" in line) hidden.push(["/command", line.sealed_command, line.command]);
  const shown = hidden.filter(([, , value]) => value !== undefined);
  const salts = secret === null && shown.length > 0;
  demand(secret === null || shown.length === hidden.length, at("a hidden value is missing from a complete export"));
  demand("salts" in line === salts, at("salts are missing, or are not allowed here"));
  const fields = shown.map(([field]) => field).sort();
  demand(
    !salts || (header.viewer !== null && same(Object.keys(line.salts ?? {}).sort(), fields)),
    at("the salts are not exactly those of the values shown"),
  );
  for (const [field, commitment, value] of shown) {
    const given = line.salts?.[field] ?? "";
    demand(hash(commitment) && (!salts || hash(given)), at(`the salt or the commitment of ${field} is malformed`));
    const salt = secret === null ? fromHex(given) : saltOf(secret, line.version, field, salted);
    demand(commitmentTo(value, salt) === commitment, at(`${field} does not match its commitment`));
  }
  const record = {
    ...pick(line, RECORD),
    fact: without(line.fact, Object.keys(line.sealed)),
    ...("command" in line && !("sealed_command" in line) ? { command: line.command } : {}),
  };
  demand(hashOf(record) === line.hash, at("the hash does not match the record: this line was changed"));
}

/**
 * The lines of each command; facts of one command have the same time and author, and times never decrease.
 * @param {Line[]} facts
 */
function commandsOf(facts) {
  /** @type {Line[][]} */ const commands = [];
  facts.forEach((line, index) => {
    const at = onLine(index + 2);
    const previous = facts[index - 1];
    demand(index > 0 || "seat" in line, at("no command caused this fact"));
    demand(index === 0 || line.at >= previous.at, at("its time is earlier than that of the previous command"));
    if ("seat" in line) return void commands.push([line]);
    demand(line.at === previous.at, at("the facts of one command happened at different moments"));
    demand(line.by === previous.by, at("the facts of one command have different authors"));
    demand(!("draws" in line), at("draws belong to the first fact of a command"));
    commands.at(-1)?.push(line);
  });
  return commands;
}

// --- chance (steps 4 and 5)
/** @param {Line[]} command @param {Uint8Array | null} seed @param {Set<string>} taken the addresses of earlier draws */
function checkDraws([{ draws, version }], seed, taken) {
  const at = onLine(version + 1);
  if (draws === undefined) return 0;
  demand(seed !== null && draws.length > 0, at("draws do not belong here"));
  for (const draw of draws) {
    checkForm(draw, DRAW, at);
    const { stream, index, values } = draw;
    const drawn = new Draws(seed, stream, index);
    const address = `draw ${index} of ${stream}`;
    demand(!taken.has(address), at(`${address} was taken twice`));
    taken.add(address);
    demand(values.every(isValue), at(`the values of ${address} are malformed`));
    demand(
      values.every(([bound, value]) => Number(drawn.below(bound)) === value),
      at(`the draws are not those of the seed: ${address}`),
    );
  }
  return draws.length;
}

// --- the whole file
/**
 * The first line describes the match that the first fact creates.
 * @param {Line[]} facts
 * @param {Header} header
 * @param {import("./types").MatchFact<"match_created">} created
 * @param {string | null} secret
 */
function checkCreation([first, second], header, created, secret) {
  const { game, rules_version: version, data, data_hash: dataHash, commitment, branch, seats } = created;
  const { viewer, complete } = header;
  const at = onLine(1);
  const other = "the first line does not describe this match";
  demand(
    same(header.ruleset, { game, version, data, data_hash: dataHash }),
    at(`${other}: it names a different ruleset`),
  );
  demand(viewer === null || (!complete && viewer >= 0 && viewer < seats.length), at(`${other}: no such viewer`));
  demand(!branch || second?.fact.type === "position_set", onLine(2)("the branch has no starting position"));
  demand("server_secret" in first.sealed, onLine(2)("server_secret of match_created is not sealed"));
  demand(
    secret === null || hex(sha256(fromHex(secret))) === commitment,
    onLine(2)("the server's secret does not match its commitment"),
  );
}

/**
 * The last line of a file, which signs all lines before.
 * @param {Uint8Array} content
 * @param {Omit<Footer, "result">} footer
 * @param {Record<string, unknown>} expected
 * @param {string} format
 * @param {Signatures} signatures
 * @param {At} at
 */
export function checkClosing(content, footer, expected, format, signatures, at) {
  const end = content.lastIndexOf(10, content.length - 2) + 1;
  for (const [key, value] of Object.entries(expected))
    demand(
      same(/** @type {Record<string, unknown>} */ (footer)[key], value),
      at(`the closing line is wrong about '${key}'`),
    );
  demand(hex(sha256(content.subarray(0, end))) === footer.file, at("the lines before are not those that were signed"));
  signatures.add(footer, `${format}\n${canonical(without(footer, ["key", "signature"]))}`, footer.at, at);
}

/**
 * The receipts that a player stored.
 * @param {Receipt[]} receipts
 * @param {Header} header
 * @param {Line[]} facts
 * @param {Signatures} signatures
 */
function addReceipts(receipts, header, facts, signatures) {
  for (const receipt of receipts) {
    checkForm(receipt, RECEIPT, (sentence) => `a kept receipt is malformed: ${sentence}`, {}, true);
    const here = receipt.match === header.match && receipt.version >= 1 && receipt.version <= facts.length;
    demand(here, `a kept receipt is for version ${receipt.version} of match ${receipt.match}, which is not here`);
    signatures.add(
      receipt,
      receiptText(receipt),
      receipt.at,
      (sentence) => `a kept receipt for version ${receipt.version}: ${sentence}`,
    );
  }
}

/** A file whose lines have their forms, with the secret that it reveals. @param {Uint8Array} content */
function readFile(content) {
  const lines = readLines(content);
  const [header] = /** @type {Header[]} */ (/** @type {unknown} */ (lines));
  const footer = /** @type {Footer} */ (/** @type {unknown} */ (lines.at(-1)));
  const facts = /** @type {Line[]} */ (/** @type {unknown} */ (lines.slice(1, -1)));
  const atHeader = onLine(1);
  checkForm(header, HEADER, atHeader);
  demand(header.format === "kontor.export.1", atHeader("this is not a kontor.export.1 file"));
  checkForm(header.ruleset, RULESET, atHeader);
  checkForm(footer, FOOTER, onLine(lines.length));
  return { header, facts, footer };
}

/**
 * Chain and commitments of all lines.
 * @param {Header} header
 * @param {Line[]} facts
 * @returns {string | null} the secret
 */
function checkLines(header, facts) {
  const { server_secret: revealed, salt_version: version } = facts[0].fact ?? {};
  const secret = header.complete ? (revealed ?? "") : null;
  const salted = version === 2 ? header.match : null;
  demand(secret === null || hash(secret), onLine(2)("the server's secret is missing or malformed"));
  facts.forEach((line, index) =>
    checkLine(line, header, { number: index + 1, hash: facts[index - 1]?.hash ?? "0".repeat(64) }, secret, salted),
  );
  return secret;
}

/** The draws of a match, and the facts to which they belong. */
class Chance {
  count = 0;
  /** @type {Binder | null} */ binder = null;
  /** @type {Uint8Array | null} */ #seed = null;
  /** @type {Set<string>} */ #taken = new Set();

  /** @param {Header} header @param {Line[]} facts @param {string | null} secret */
  constructor(header, facts, secret) {
    this.header = header;
    this.facts = facts;
    this.secret = secret;
    this.bound = Binder.knows(header.ruleset);
  }

  /** @param {Line[]} command @param {Life} life after it */
  take(command, life) {
    if (this.#seed === null && this.secret !== null && life.contributions)
      this.begin(this.secret, life.contributions, life);
    this.count += checkDraws(command, this.#seed, this.#taken);
    this.binder?.take(command);
  }

  /** @param {string} secret @param {string[]} contributions @param {Life} life */
  begin(secret, contributions, { created }) {
    this.#seed = created.open_seed === null ? seedOf(secret, contributions) : sha256(created.open_seed);
    if (!this.bound) return;
    const position = created.branch ? /** @type {Record<string, number>} */ (this.facts[1].fact.position) : null;
    this.binder = new Binder(this.header.ruleset.game, created, position);
  }
}

/** Every 32nd command and the last one have a receipt, in their last line. */
const SIGNED_EVERY = 32;

/** @param {Line[]} command @param {boolean} signed @param {Signatures} signatures */
function addSignatures(command, signed, signatures) {
  command.forEach((line, index) => {
    const at = onLine(line.version + 1);
    const wanted = signed && index + 1 === command.length;
    demand("signature" in line === wanted, at("a receipt is missing, or does not belong here"));
    if (wanted) signatures.add(line, receiptText({ ...line, head: line.hash }), line.at, at);
  });
}

/**
 * Verify the export of a match.
 * @param {Uint8Array} content
 * @param {{keys?: ServiceKey[] | null, receipts?: Receipt[]}} [given]
 */
export async function verifyExport(content, { keys = null, receipts = [] } = {}) {
  const { header, facts, footer } = readFile(content);
  const atHeader = onLine(1);
  const { published, unknown } = keysToUse(header.keys, keys, atHeader);
  demand(!unknown, atHeader(`the key ${unknown?.id} is not one that the service publishes`));
  const signatures = new Signatures(published);
  const secret = checkLines(header, facts);
  const commands = commandsOf(facts);
  const life = new Life();
  const chance = new Chance(header, facts, secret);
  commands.forEach((command, number) => {
    life.take(command);
    if (number === 0) checkCreation(facts, header, life.created, secret);
    chance.take(command, life);
    addSignatures(command, number + 1 === commands.length || (number + 1) % SIGNED_EVERY === 0, signatures);
  });
  demand(header.complete || !life.revealed, atHeader("the match is over, but the file is not complete"));
  demand(!header.complete || life.revealed, atHeader("the file is said to be complete, but the match is not over"));
  const { version, hash: head, at } = facts[facts.length - 1];
  const expected = { end: life.status, version, head, at, result: life.result ?? null };
  checkClosing(content, footer, expected, "kontor.export.1", signatures, onLine(facts.length + 2));
  addReceipts(receipts, header, facts, signatures);
  signatures.open.push(...life.signatures);
  await signatures.check();
  // only now: a receipt without a valid signature proves nothing
  const rewritten = receipts.find((receipt) => facts[receipt.version - 1].hash !== receipt.head);
  demand(
    !rewritten,
    onLine((rewritten?.version ?? 0) + 1)(
      "the service has signed another history: a kept receipt names another hash here",
    ),
  );
  return {
    match: header.match,
    game: header.ruleset.game,
    complete: header.complete,
    facts: facts.length,
    commands: commands.length,
    ...found(life, chance),
    keys: [...signatures.used].sort(),
    trusted: keys !== null,
    receipts: receipts.length,
    contributions: header.complete ? life.counted : [],
  };
}

/** What the record of a match says. @param {Life} life @param {Chance} chance */
function found(
  { created, status, result, inBlock, outages, seats, signatures, unseen },
  { count: draws, bound, binder },
) {
  const idOf = (/** @type {typeof seats[number]} */ one) =>
    one?.key ? idOfKey(fromBase64(one.key, 32) ?? new Uint8Array()) : null;
  return {
    ...{ status, draws, bound },
    places: result?.places ?? null,
    loose: [...(binder?.loose ?? [])],
    open_seed: created.open_seed !== null,
    branch: created.branch,
    in_block: inBlock,
    outages: outages.length,
    returned_ms: outages.reduce((sum, ms) => sum + ms, 0),
    players: seats.map((one) => (one?.house === null ? one.player : null)),
    house_bots: seats.map((one) => one?.house ?? null),
    player_keys: seats.map(idOf),
    signed_commands: signatures.length,
    unseen_commands: unseen,
  };
}
