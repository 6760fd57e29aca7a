// Verifies exports of matches: all steps of docs/export.md except the rules. Written from the documentation only; for
// browsers and Node.
//   const verdict = await verifyExport(bytes, { keys, receipts });   // throws Broken with the first error found
//   report(verdict)   // from report.mjs: sentences about what was checked, and what was not
import { fromBase64, fromHex, hex, isHex, isSigned, sha256 } from "./crypto.mjs";
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
import { flag, hash, list, object, orNull, text, whole } from "./forms.mjs";
import { checkForm, Life } from "./life.mjs";

export { Broken, parse };
const keyId = (value) => isHex(value, 16);
const exactly = (wanted) => (value) => value === wanted;
const RULESET = { game: text, version: whole, data: text, data_hash: hash };
const KEY = { id: keyId, algorithm: exactly("Ed25519"), public_key: text, valid_from: whole };
const HEADER = {
  format: text,
  match: text,
  ruleset: object,
  complete: flag,
  viewer: orNull(whole),
  exported_at: whole,
  keys: list,
};
const LINE = { at: whole, before: hash, by: text, fact: object, hash, match: text, sealed: object, version: whole };
const OPTIONAL = {
  command: object,
  draws: list,
  key: keyId,
  salts: object,
  sealed_command: hash,
  seat: orNull(whole),
  signature: text,
};
const FOOTER = {
  at: whole,
  end: text,
  file: hash,
  head: hash,
  key: keyId,
  result: orNull(object),
  signature: text,
  version: whole,
};
const RECEIPT = { match: text, version: whole, head: hash, at: whole, key: keyId, signature: text };
const stream = (value) => text(value) && /^[\x21-\x7e]{1,255}$/.test(value);
const count = (value) => whole(value) && value >= 0;
const DRAW = { stream, index: count, values: list };
const isValue = (pair) =>
  list(pair) && pair.length === 2 && pair.every(whole) && pair[0] >= 1 && pair[1] >= 0 && pair[1] < pair[0];
const RECORD = ["at", "before", "by", "match", "sealed", "sealed_command", "seat", "version"];

function readLines(content) {
  const lines = linesOf(content).map((line, index) => {
    try {
      const data = parse(line);
      demand(object(data), "this is not a JSON object");
      demand(canonical(data) === line, "this is not canonical JSON");
      return data;
    } catch (error) {
      throw new Broken(onLine(index + 1)(error.message));
    }
  });
  demand(lines.length >= 3, "the file is truncated");
  return lines;
}

// --- the service's keys (docs/chain.md)
export function readKeys(keys, at = (sentence) => sentence) {
  demand(list(keys) && keys.length > 0, at("there are no keys"));
  for (const key of keys) {
    checkForm(key, KEY, at);
    const bytes = fromBase64(key.public_key, 32);
    demand(bytes !== null && idOfKey(bytes) === key.id, at("the id of a key is not the hash of the key"));
  }
  return [...keys].sort((a, b) => a.valid_from - b.valid_from || (a.id < b.id ? -1 : 1));
}

export class Signatures {
  // collected while the lines are read, and checked at the end
  constructor(keys) {
    this.keys = keys;
    this.used = new Set();
    this.open = [];
  }
  add({ key, signature }, message, time, at) {
    const valid = this.keys.findLast((one) => one.valid_from <= time);
    demand(valid?.id === key, at(`signed with the key ${key}, which was not the service's at that moment`));
    this.used.add(key);
    this.open.push([valid.public_key, signature, message, at("the signature is not right")]);
  }
  async check() {
    const good = await Promise.all(this.open.map(([key, signature, message]) => isSigned(key, signature, message)));
    good.forEach((one, index) => demand(one, this.open[index][3]));
  }
}

// --- one line (steps 1 to 3)
function checkLine(line, header, before, secret, salted) {
  // `salted`: the match that is part of the salts, null in old matches
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
  const hidden = Object.entries(line.sealed).map(([field, commitment]) => [field, commitment, line.fact[field]]);
  if ("sealed_command" in line) hidden.push(["/command", line.sealed_command, line.command]);
  const shown = hidden.filter(([, , value]) => value !== undefined);
  const salts = secret === null && shown.length > 0;
  demand(secret === null || shown.length === hidden.length, at("a hidden value is missing from a complete export"));
  demand("salts" in line === salts, at("salts are missing, or are not allowed here"));
  const fields = shown.map(([field]) => field).sort();
  demand(
    !salts || (header.viewer !== null && same(Object.keys(line.salts).sort(), fields)),
    at("the salts are not exactly those of the values shown"),
  );
  for (const [field, commitment, value] of shown) {
    demand(
      hash(commitment) && (!salts || hash(line.salts[field])),
      at(`the salt or the commitment of ${field} is malformed`),
    );
    const salt = salts ? fromHex(line.salts[field]) : saltOf(secret, line.version, field, salted);
    demand(commitmentTo(value, salt) === commitment, at(`${field} does not match its commitment`));
  }
  const record = pick(line, RECORD);
  record.fact = without(line.fact, Object.keys(line.sealed));
  if (!("sealed_command" in line) && "command" in line) record.command = line.command;
  demand(hashOf(record) === line.hash, at("the hash does not match the record: this line was changed"));
}

function commandsOf(facts) {
  // the lines of each command; facts of one command have the same time and author, and times never decrease
  const commands = [];
  facts.forEach((line, index) => {
    const at = onLine(index + 2);
    const previous = facts[index - 1];
    demand(index > 0 || "seat" in line, at("no command caused this fact"));
    demand(index === 0 || line.at >= previous.at, at("its time is earlier than that of the previous command"));
    if ("seat" in line) return commands.push([line]);
    demand(line.at === previous.at, at("the facts of one command happened at different moments"));
    demand(line.by === previous.by, at("the facts of one command have different authors"));
    demand(!("draws" in line), at("draws belong to the first fact of a command"));
    commands.at(-1).push(line);
  });
  return commands;
}

// --- chance (steps 4 and 5)
function checkDraws([{ draws, version }], seed, taken) {
  const at = onLine(version + 1);
  demand(draws === undefined || (seed !== null && draws.length > 0), at("draws do not belong here"));
  for (const draw of draws ?? []) {
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
  return draws?.length ?? 0;
}

// --- the whole file
function checkCreation([first, second], header, created, secret) {
  // the first line describes the match that the first fact creates
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

export function checkClosing(content, footer, expected, format, signatures, at) {
  // the last line of a file, which signs all lines before
  const end = content.lastIndexOf(10, content.length - 2) + 1;
  for (const [key, value] of Object.entries(expected))
    demand(same(footer[key], value), at(`the closing line is wrong about '${key}'`));
  demand(hex(sha256(content.subarray(0, end))) === footer.file, at("the lines before are not those that were signed"));
  signatures.add(footer, `${format}\n${canonical(without(footer, ["key", "signature"]))}`, footer.at, at);
}

function addReceipts(receipts, header, facts, signatures) {
  // the receipts that a player stored
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

export async function verifyExport(content, { keys = null, receipts = [] } = {}) {
  const lines = readLines(content);
  const [header] = lines;
  const footer = lines.at(-1);
  const facts = lines.slice(1, -1);
  const atHeader = onLine(1);
  const atFooter = onLine(lines.length);
  checkForm(header, HEADER, atHeader);
  demand(header.format === "kontor.export.1", atHeader("this is not a kontor.export.1 file"));
  checkForm(header.ruleset, RULESET, atHeader);
  checkForm(footer, FOOTER, atFooter);
  const named = readKeys(header.keys, atHeader);
  const published = keys === null ? named : readKeys(keys);
  const unknown = named.find((key) => !published.some((one) => same(one, key)));
  demand(!unknown, atHeader(`the key ${unknown?.id} is not one that the service publishes`));
  const signatures = new Signatures(published);
  const created = facts[0].fact;
  const secret = header.complete ? created?.server_secret : null;
  const salted = created?.salt_version === 2 ? header.match : null;
  demand(secret === null || hash(secret), onLine(2)("the server's secret is missing or malformed"));
  facts.forEach((line, index) =>
    checkLine(line, header, { number: index + 1, hash: facts[index - 1]?.hash ?? "0".repeat(64) }, secret, salted),
  );
  const commands = commandsOf(facts);
  const life = new Life();
  const taken = new Set();
  const bound = Binder.knows(header.ruleset);
  let binder;
  let draws = 0;
  let seed = null;
  commands.forEach((command, number) => {
    life.take(command);
    if (number === 0) checkCreation(facts, header, life.created, secret);
    if (seed === null && header.complete && life.contributions) {
      seed = life.created.open_seed === null ? seedOf(secret, life.contributions) : sha256(life.created.open_seed);
      if (bound)
        binder = new Binder(header.ruleset.game, life.created, life.created.branch ? facts[1].fact.position : null);
    }
    draws += checkDraws(command, seed, taken);
    binder?.take(command);
    const signed = number + 1 === commands.length || (number + 1) % 32 === 0;
    command.forEach((line, index) => {
      const at = onLine(line.version + 1);
      const wanted = signed && index + 1 === command.length;
      demand("signature" in line === wanted, at("a receipt is missing, or does not belong here"));
      if (wanted) signatures.add(line, receiptText({ ...line, head: line.hash }), line.at, at);
    });
  });
  demand(header.complete || !life.revealed, atHeader("the match is over, but the file is not complete"));
  demand(!header.complete || life.revealed, atHeader("the file is said to be complete, but the match is not over"));
  const { version, hash: head, at } = facts.at(-1);
  checkClosing(
    content,
    footer,
    { end: life.status, version, head, at, result: life.result ?? null },
    "kontor.export.1",
    signatures,
    atFooter,
  );
  addReceipts(receipts, header, facts, signatures);
  signatures.open.push(...life.signatures);
  await signatures.check();
  // only now: a receipt without a valid signature proves nothing
  const rewritten = receipts.find(({ version, head }) => facts[version - 1].hash !== head);
  demand(
    !rewritten,
    onLine(rewritten?.version + 1)("the service has signed another history: a kept receipt names another hash here"),
  );
  const { open_seed: openSeed, branch } = life.created;
  const idOf = (one) => (one?.key ? idOfKey(fromBase64(one.key, 32) ?? []) : null);
  return {
    match: header.match,
    game: header.ruleset.game,
    complete: header.complete,
    status: life.status,
    places: life.result?.places ?? null,
    facts: facts.length,
    commands: commands.length,
    draws,
    bound,
    loose: [...(binder?.loose ?? [])],
    open_seed: openSeed !== null,
    branch,
    in_block: life.inBlock,
    outages: life.outages.length,
    returned_ms: life.outages.reduce((sum, ms) => sum + ms, 0),
    keys: [...signatures.used].sort(),
    trusted: keys !== null,
    receipts: receipts.length,
    contributions: header.complete ? life.counted : [],
    players: life.seats.map((one) => (one?.house === null ? one.player : null)),
    house_bots: life.seats.map((one) => one?.house ?? null),
    player_keys: life.seats.map(idOf),
    signed_commands: life.signatures.length,
    unseen_commands: life.unseen,
  };
}
