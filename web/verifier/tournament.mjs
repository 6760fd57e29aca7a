// Verifies exports of tournaments (docs/tournaments.md): chain, signatures, commitments, the seed, who sent which
// command and which facts it caused,
// standings of every edition, and every match in the file, with its deal. Not checked: that the pairings follow from
// the format and the seed.
//   const verdict = await verifyTournament(bytes, { keys });   // throws Broken with the first error found
import { bytesOf, fromHex, hex, sha256 } from "./crypto.mjs";
import {
  Broken,
  canonical,
  commitmentTo,
  demand,
  Draws,
  hashOf,
  linesOf,
  onLine,
  parse,
  pick,
  same,
  saltOf,
  seedOf,
  shuffledBy,
  tournamentCommandText,
  tournamentReceiptText,
  without,
} from "./formats.mjs";
import { checkForm, hash, list, object, possible, text, TOURNAMENT_COMMANDS, whole } from "./forms.mjs";
import { checkClosing, Signatures, verifyExport } from "./kontor-verify.mjs";
import { keysToUse } from "./service_keys.mjs";
import { advancing, standings } from "./standings.mjs";

/**
 * @typedef {import("./formats.mjs").At} At
 * @typedef {import("./standings.mjs").Finish} Finish
 * @typedef {import("./types").AnyReceipt} Receipt
 * @typedef {import("./types").ServiceKey} ServiceKey
 * @typedef {import("./types").Terms} Terms
 * @typedef {import("./types").TournamentCommand} Command
 * @typedef {import("./types").TournamentFact} AnyFact
 * @typedef {import("./types").TournamentLine} Line
 * @typedef {Awaited<ReturnType<typeof verifyTournament>>} TournamentVerdict
 */
/** @template {string} T @typedef {import("./types").TournamentFactOf<T>} Fact */
/**
 * Checks and folds a fact of one type.
 * @template {string} T
 * @typedef {(fact: Fact<T>, line: Line, at: At, command: Command) => void} Folding
 */
/**
 * @typedef {object} Entrant
 * @property {string} player
 * @property {string} contribution empty until it is opened
 * @property {string} sealed
 * @property {string | null} [key]
 * @property {boolean} active
 * @property {boolean} [withheld]
 */
/**
 * A match of a table: `match` is the one opened for it.
 * @typedef {{entrants: number[], match: string | null, finish: Finish | null}} Planned
 */
/** A match that was opened. @typedef {Fact<"match_opened"> & {planned: Planned, attempt: number}} Slot */
/**
 * The first and the last line of a file.
 * @typedef {{tournament: string, format: string, keys: ServiceKey[]}} Header
 * @typedef {Omit<import("./types").Footer, "result"> & {edition: number}} Footer
 */

const FORMAT = "kontor.tournament.1";
const OPENINGS = 32;
const OPENING_MS = 60_000;
const OVER = ["final", "cancelled"];
const HEADER = {
  complete: (/** @type {unknown} */ value) => value === true,
  exported_at: whole,
  format: text,
  keys: list,
  tournament: text,
};
const LINE = {
  at: whole,
  before: hash,
  by: text,
  fact: object,
  hash,
  sealed: object,
  tournament: text,
  version: whole,
};
const FOOTER = {
  at: whole,
  edition: whole,
  end: text,
  file: hash,
  head: hash,
  key: text,
  signature: text,
  standings: list,
  version: whole,
};

// The state of a tournament, which checks the facts of each command against it.
export class Tournament {
  status = "";
  at = 0;
  edition = 0;
  /** @type {Terms} */ terms = Object.create(null);
  commitment = "";
  /** The seed, once the tournament has started. @type {Uint8Array | null} */ seed = null;
  /** @type {Entrant[]} */ entrants = [];
  /** The contributions that are being opened, and how often some were due. @type {Fact<"contributions_due"> | null} */
  due = null;
  openings = 0;
  /** All seals, and the contributions that made the seed. @type {Set<string>} */ seals = new Set();
  /** @type {string[]} */ counted = [];
  /** Signatures of entrants, still to be checked. @type {import("./types").OpenSignature[]} */ signatures = [];
  /** @type {Fact<"round_paired">[]} */ rounds = [];
  /** The matches of all tables, by round, table and number. @type {Map<string, Planned>} */ planned = new Map();
  /** @type {Map<string, Slot>} */ slots = new Map();
  /** The byes of each entrant; how often each pair met, and who had which seat. @type {Map<number, number>} */
  byes = new Map();
  /** @type {Map<string, number>} */ met = new Map();
  /** @type {Map<string, number>} */ seated = new Map();
  /** @type {Map<string, Fact<"result_recorded" | "no_show_recorded">>} */ outcomes = new Map();
  /** @type {Map<number, number>} */ lots = new Map();
  /** @type {Set<string>} */ began = new Set();
  /** Who agreed with the standings, the tables whose deal was revealed. @type {Set<number>} */ acknowledged =
    new Set();
  /** @type {Set<string>} */ shown = new Set();
  protests = 0;
  /** Until when protests are possible. */
  until = 0;

  /** @param {string} id @param {string} secret */
  constructor(id, secret) {
    this.id = id;
    this.secret = secret;
  }

  /** @param {string} player */
  numberOf(player) {
    return this.entrants.findIndex((one) => one.player === player);
  }
  get active() {
    return this.entrants.flatMap((one, number) => (one.active ? [number] : []));
  }
  get finishes() {
    return [...this.planned.values()].flatMap(({ finish }) => (finish ? [finish] : []));
  }
  standings() {
    return standings(
      this.terms,
      this.entrants.map((_, number) => number),
      this.finishes,
      this.byes,
      this.lots,
    );
  }
  get secretBlocks() {
    return this.terms.rotated && this.terms.secret_blocks === true;
  }
  /** @param {number} round @param {number} table */
  block(round, table) {
    return [...this.planned].filter(([slot]) => slot.startsWith(`${round}.${table}.`)).map(([, planned]) => planned);
  }
  /** @param {{round: number, table: number}} place */
  blockOver({ round, table }) {
    const block = this.block(round, table);
    return block.length > 0 && block.every(({ finish }) => finish);
  }
  /** @param {Slot} slot */
  dealSecret({ round, table, number, attempt }) {
    const again = attempt && this.terms.secret_blocks && !this.terms.rotated ? `.${attempt}` : "";
    return hex(
      sha256("kontor.block.1\n", this.seed ?? "", `${round}.${table}.${this.terms.rotated ? 0 : number}${again}`),
    );
  }

  /** Check one command, given as the lines of its facts. @param {Line[]} lines @param {At} at */
  take(lines, at) {
    const [line] = lines;
    const { command, by } = line;
    demand(
      command !== undefined && Object.hasOwn(TOURNAMENT_COMMANDS, command?.type ?? ""),
      at("no command caused this fact, or the type of the command is unknown"),
    );
    const [author, causes, before] = TOURNAMENT_COMMANDS[command.type];
    demand(
      before === null || before.includes(this.status),
      at(`${command.type} is not possible while the tournament is ${this.status}`),
    );
    const caused = new RegExp(`^(?:${causes.join(") (?:")})$`).test(lines.map(({ fact }) => fact.type).join(" "));
    const { due, openings } = this;
    demand(caused, at(`${command.type} does not cause these facts`));
    if (["enter", "open_contribution"].includes(command.type)) this.checkSignature(command, by, at);
    for (const one of lines) this.fold(one, line, command);
    demand(this.maySend(author, by, command), at(`${by} can't send the command ${command.type}`));
    demand(
      this.due === null || this.unopened.length > 0,
      at("all contributions are opened, but the tournament does not start"),
    );
    if (command.type === "close_opening") {
      const goesOn = lines.at(-1)?.fact.type !== "contribution_withheld";
      const may = this.active.length >= this.terms.least_entrants && openings < OPENINGS;
      demand(this.due !== due && goesOn === may, at("this is not what follows when contributions are withheld"));
    }
    this.at = line.at;
  }

  /** @param {Line} line @param {Line} first of the same command @param {Command} command */
  fold(line, first, command) {
    const { fact, by } = line;
    const at = onLine(line.version + 1);
    demand(
      line.at === first.at && by === first.by && line.at >= this.at,
      at("the time or the author is not that of its command"),
    );
    const said = /** @type {Record<string, unknown>} */ (command);
    for (const [name, value] of Object.entries(fact)) {
      const bound = name !== "type" && name !== "tables" && Object.hasOwn(said, name) && said[name] !== null;
      demand(!bound || same(said[name], value), at(`${name} of ${fact.type} is not what the command says`));
    }
    demand(!("by" in fact) || fact.by === by, at("the author in the fact is not that of the command"));
    const folding = /** @type {Record<string, Folding<string>>} */ (/** @type {unknown} */ (this))[fact.type];
    folding.call(this, /** @type {Fact<string>} */ (/** @type {unknown} */ (fact)), line, at, command);
  }

  /** @param {string} author @param {string} by @param {Command} command */
  maySend(author, by, command) {
    const { organiser, arbiters } = this.terms;
    const house = by === "house";
    if (command.type === "withdraw" && command.entrant !== null) return by === organiser || arbiters.includes(by);
    if (author === "arbiter") return by === organiser || arbiters.includes(by);
    if (author === "entrant") return this.numberOf(by) >= 0;
    return author === "house"
      ? house
      : author === "organiser or house"
        ? house || by === organiser
        : author === "anyone"
          ? !house
          : by === organiser;
  }

  // --- entries, and the contributions that entrants seal and open ---
  /** @param {Command} command @param {string} by @param {At} at */
  checkSignature(command, by, at) {
    const key = command.type === "enter" ? command.key : this.entrants[this.numberOf(by)]?.key;
    const { signature } = command;
    demand(
      ((key ?? null) === null) === (signature === undefined),
      at("the entrant did not sign this command, or has no key"),
    );
    const statement = {
      by,
      command: without(command, ["signature"]),
      commitment: this.commitment,
      tournament: this.id,
    };
    if (signature !== undefined)
      this.signatures.push([
        String(key),
        String(signature),
        tournamentCommandText(statement),
        at("the signature of the entrant is not right"),
      ]);
  }
  /** The contribution in an entry. @param {Command} command @param {AnyFact} fact @param {At} at */
  accept({ contribution, sealed = "", key = null }, fact, at) {
    demand(same([fact.sealed ?? "", fact.key ?? null], [sealed, key]), at("the entry is not that of its command"));
    demand(this.due === null, at("contributions are being opened, so no entries are accepted"));
    if (!this.sealed) {
      demand(sealed === "" && key === null, at("contributions to this tournament are not sealed"));
      return;
    }
    const signed = key !== null ? sealed !== "" : !this.terms.signed;
    demand(contribution === "" && signed, at("a contribution is not sealed, or the entry is not signed"));
    demand(
      sealed === "" || (hash(sealed) && !this.seals.has(sealed)),
      at("a sealed contribution is malformed, or was sent before"),
    );
    this.seals.add(sealed);
  }
  get sealed() {
    return (this.terms.seed_version ?? 1) >= 2;
  }
  get toOpen() {
    return this.active.filter((number) => this.entrants[number].sealed);
  }
  get unopened() {
    return (this.due?.entrants ?? []).filter(
      (number) => this.entrants[number].active && !this.entrants[number].contribution,
    );
  }
  /** @type {Folding<"contributions_due">} */
  contributions_due(fact, line, at) {
    const { opening, deadline, entrants, digest } = fact;
    const { no_show_ms: wait, least_entrants: least } = this.terms;
    const sealed = entrants.map((number) => [number, this.entrants[number]?.player, this.entrants[number]?.sealed]);
    demand(this.sealed && this.due === null && this.active.length >= least, at("contributions can't be due now"));
    demand(
      entrants.length > 0 && same(entrants, this.toOpen) && opening === this.openings + 1 && opening <= OPENINGS,
      at("contributions_due does not name those who sealed one"),
    );
    demand(deadline === line.at + Math.max(OPENING_MS, wait), at("the deadline in contributions_due is wrong"));
    demand(
      digest === hashOf({ commitment: this.commitment, opening, sealed }),
      at("the digest in contributions_due is wrong"),
    );
    for (const one of this.entrants) one.contribution = "";
    this.due = fact;
    this.openings = opening;
  }
  /** @type {Folding<"contribution_opened">} */
  contribution_opened({ entrant, contribution }, { by, at: time }, at, { value, digest }) {
    const one = this.entrants[entrant];
    demand(
      this.due !== null &&
        this.unopened.includes(entrant) &&
        entrant === this.numberOf(by) &&
        time < this.due.deadline &&
        digest === this.due.digest,
      at("this contribution is not due"),
    );
    demand(
      hash(contribution) && contribution === value && hex(sha256(contribution)) === one.sealed,
      at("a contribution is not the one that was sealed"),
    );
    Object.assign(one, { contribution, sealed: contribution });
  }
  /** @type {Folding<"contribution_withheld">} */
  contribution_withheld({ entrant }, line, at) {
    demand(
      this.due !== null && entrant === this.unopened[0] && line.at >= this.due.deadline,
      at("this contribution was not withheld"),
    );
    Object.assign(this.entrants[entrant], { active: false, withheld: true });
    if (this.unopened.length === 0) this.due = null;
  }

  /** @type {Folding<"tournament_announced">} */
  tournament_announced(fact, line, at) {
    demand(
      line.version === 1 && object(fact.terms) && list(fact.terms.points) && list(fact.terms.tie_breaks),
      at("the announcement is malformed"),
    );
    demand(
      hex(sha256(fromHex(this.secret))) === fact.commitment,
      at("the revealed secret is not the one that the service was committed to"),
    );
    demand("server_secret" in line.sealed, at("the secret is not sealed"));
    demand(possible(fact.terms), at("these terms are impossible"));
    this.terms = fact.terms;
    this.commitment = fact.commitment;
    this.status = "announced";
  }
  /** @type {Folding<"entry_opened">} */
  entry_opened() {
    this.status = "open";
  }
  /** @type {Folding<"entrant_entered">} */
  entrant_entered(fact, { by }, at, command) {
    const { entrant, player, bot, contribution, sealed = "", key } = fact;
    this.accept(command, fact, at);
    demand(this.status === "open" || this.terms.late_entry, at("the tournament is not open for entries"));
    demand(
      entrant === this.entrants.length && player === by && this.numberOf(by) < 0,
      at("the number or the player is wrong, or entered before"),
    );
    demand(this.active.length < this.terms.most_entrants, at("the tournament was full"));
    demand(this.terms.open_entry || this.terms.invited.includes(by), at("the entrant was not invited"));
    demand(
      this.terms.admits === "both" || bot === (this.terms.admits === "programs"),
      at("the entrant is not admitted"),
    );
    this.entrants.push({ player, contribution, sealed, key, active: true });
  }
  /** @type {Folding<"entrant_returned">} */
  entrant_returned(fact, { by }, at, command) {
    const { entrant, sealed = "", key } = fact;
    const one = this.entrants[entrant];
    this.accept(command, fact, at);
    this.set(entrant, true, entrant === this.numberOf(by) && !(one.withheld && this.status === "open"), at);
    Object.assign(one, { sealed, key });
  }
  /** @type {Folding<"entrant_withdrew">} */
  entrant_withdrew({ entrant }, { by }, at, command) {
    this.set(entrant, false, command.entrant !== null || entrant === this.numberOf(by), at);
  }
  /** @param {number} number @param {boolean} active @param {boolean} allowed @param {At} at */
  set(number, active, allowed, at) {
    demand(
      allowed && this.due === null && this.entrants[number]?.active === !active,
      at("this entrant can't withdraw or return now"),
    );
    this.entrants[number].active = active;
  }
  /** @type {Folding<"tournament_started">} */
  tournament_started({ entrants, ends_at: endsAt }, line, at) {
    const { format, duration_ms: duration, least_entrants: least } = this.terms;
    demand(
      same(entrants, this.active) && entrants.length >= least,
      at("the entrants in tournament_started are not those who entered, or are too few"),
    );
    demand(endsAt === (format === "arena" ? line.at + duration : null), at("the end in tournament_started is wrong"));
    const open = this.due ? this.unopened : this.toOpen;
    demand(!this.sealed || open.length === 0, at("the tournament started before all contributions were opened"));
    this.counted = (this.sealed ? this.active.map((number) => this.entrants[number]) : this.entrants).map(
      ({ contribution }) => contribution,
    );
    this.seed = seedOf(this.secret, this.counted);
    this.status = "running";
    this.due = null;
  }
  /** Draw the lots of all current entrants: the higher one wins. */
  draw() {
    if (!this.seed) return;
    const draws = new Draws(this.seed, "lots", 0);
    const drawn = shuffledBy(
      this.entrants.map((_, number) => number),
      (bound) => Number(draws.below(bound)),
    );
    this.lots = new Map(drawn.map((entrant, place) => [entrant, place + 1]));
  }
  /** @type {Folding<"round_paired">} */
  round_paired(fact, line, at, command) {
    const { round, tables, byes, uploaded } = fact;
    const { format, seats, least_seats: least, rotated } = this.terms;
    demand(
      round === this.rounds.length + 1 && list(tables) && tables.every((one) => list(one.entrants)),
      at("the round is malformed"),
    );
    demand(
      format === "arena" || [...this.planned.values()].every(({ finish }) => finish),
      at("a match of the previous round has no result yet"),
    );
    demand(
      !["swiss", "balanced", "own"].includes(format) || round <= this.terms.rounds,
      at("all announced rounds have already been paired"),
    );
    demand(
      uploaded === (command.tables !== null),
      at("`uploaded` must be true exactly if the command contains tables"),
    );
    demand(
      !uploaded ||
        same(
          tables.map(({ entrants }) => entrants),
          command.tables,
        ),
      at("the tables are not those that were uploaded"),
    );
    const seated = tables.flatMap(({ entrants }) => entrants);
    const everybody = [...seated, ...byes].sort((a, b) => a - b);
    demand(
      new Set(everybody).size === everybody.length && everybody.every((one) => this.entrants[one]?.active),
      at("an entrant appears twice, or is not active"),
    );
    demand(
      ["arena", "knockout"].includes(format) || same(everybody, this.active),
      at("the tables and byes do not contain exactly the active entrants"),
    );
    demand(
      format !== "knockout" || uploaded || same(everybody, this.remaining()),
      at("an eliminated entrant is paired, or a remaining one is not"),
    );
    const points = new Map(this.standings().map((one) => [one.entrant, one.points]));
    tables.forEach((table, index) => {
      demand(
        table.entrants.length >= least && table.entrants.length <= seats,
        at("a table does not have the announced number of seats"),
      );
      this.checkTable(table, points, at);
      const turns = rotated ? table.entrants.length : 1;
      for (let number = 0; number < turns; number++) {
        const entrants = [...table.entrants.slice(number), ...table.entrants.slice(0, number)];
        this.planned.set(`${round}.${index}.${number}`, { entrants, match: null, finish: null });
      }
    });
    for (const table of tables) this.seat(table.entrants);
    for (const entrant of byes) this.byes.set(entrant, (this.byes.get(entrant) ?? 0) + 1);
    this.rounds.push(fact);
  }
  /** The entrants of the next knockout round; if there are too few for a table, the best of the others stay in. */
  remaining() {
    const last = this.rounds.at(-1);
    const { advance, seats, least_seats: least } = this.terms;
    if (!last) return this.active;
    const tables = last.tables.map(({ entrants }, index) => ({
      entrants,
      finishes: this.block(last.round, index).flatMap(({ finish }) => finish ?? []),
    }));
    const going = [...last.byes, ...advancing(tables, advance)];
    const still = going.filter((one) => this.entrants[one].active);
    const others = advancing(tables, seats).filter((one) => this.entrants[one].active && !going.includes(one));
    return [...still, ...others.slice(0, Math.max(0, least - still.length))].sort((a, b) => a - b);
  }
  /** @param {number[]} entrants */
  pairs(entrants) {
    return entrants.flatMap((one, place) =>
      entrants.slice(place + 1).map((other) => (one < other ? `${one} ${other}` : `${other} ${one}`)),
    );
  }
  /** @param {Fact<"round_paired">["tables"][number]} table @param {Map<number, number>} points @param {At} at */
  checkTable(table, points, at) {
    const repeats = this.pairs(table.entrants).filter((pair) => this.met.has(pair)).length;
    const seats = table.entrants.reduce((count, one, seat) => count + (this.seated.get(`${one} ${seat}`) ?? 0), 0);
    const known = {
      entrants: table.entrants,
      points: table.entrants.map((one) => points.get(one) ?? 0),
      repeats,
      seat_repeats: seats,
    };
    demand(same(known, table), at("the figures that explain a table do not follow from the earlier rounds"));
    const forbidden = this.terms.forbidden.map((group) => group.map((player) => this.numberOf(player)));
    const met = forbidden.some((group) => table.entrants.filter((one) => group.includes(one)).length > 1);
    demand(!met, at("two entrants who must not meet are at the same table"));
  }
  /** @param {number[]} entrants */
  seat(entrants) {
    const count = (/** @type {Map<string, number>} */ map, /** @type {string} */ key) =>
      map.set(key, (map.get(key) ?? 0) + 1);
    for (const pair of this.pairs(entrants)) count(this.met, pair);
    entrants.forEach((one, seat) => count(this.seated, `${one} ${seat}`));
  }
  /** @type {Folding<"match_opened">} */
  match_opened(fact, line, at) {
    const planned = this.planned.get(`${fact.round}.${fact.table}.${fact.number}`);
    demand(
      planned && planned.match === null && planned.finish === null && !this.slots.has(fact.match),
      at("no match can be opened for this table now"),
    );
    demand(same(planned.entrants, fact.entrants), at("the entrants in match_opened are not those of its table"));
    const attempt = [...this.slots.values()].filter((one) => one.planned === planned).length;
    planned.match = fact.match;
    this.slots.set(fact.match, { ...fact, planned, attempt });
  }
  /**
   * The planned match for which a match was opened, unless it was voided or replaced.
   * @param {string} match
   * @param {At} at
   */
  counting(match, at) {
    const planned = this.slots.get(match)?.planned;
    demand(
      planned !== undefined && planned.match === match,
      at("the tournament has no match with this id, or the match no longer counts"),
    );
    return planned;
  }
  /** @param {Planned} planned @param {number[] | null} places @param {number[]} scores @param {At} at */
  finish(planned, places, scores, at) {
    const ranked =
      list(places) &&
      same(
        places.map((one) => 1 + places.filter((other) => other < one).length),
        places,
      );
    demand(
      ranked && places.length === planned.entrants.length && scores.length === places.length,
      at("these places are not possible at this table"),
    );
    planned.finish = { entrants: planned.entrants, places, scores };
  }
  /** @type {Folding<"match_began">} */
  match_began({ match }, line, at) {
    demand(
      this.counting(match, at).finish === null && !this.began.has(match),
      at("this match has already started, or already has a result"),
    );
    this.began.add(match);
  }
  /** @type {Folding<"result_recorded">} */
  result_recorded(fact, line, at) {
    const planned = this.counting(fact.match, at);
    demand(planned.finish === null, at("this match already has a result"));
    this.finish(planned, fact.places, fact.scores, at);
    this.outcomes.set(fact.match, fact);
  }
  /** @type {Folding<"no_show_recorded">} */
  no_show_recorded(fact, line, at) {
    const planned = this.counting(fact.match, at);
    const { no_show: rule, least_seats: least, rotated } = this.terms;
    const absent = (/** @type {number} */ one) => fact.absent.includes(one);
    const present = planned.entrants.filter((one) => !absent(one));
    const without = rule === "without" && present.length >= least && !rotated;
    const last = present.length ? present.length + 1 : 1;
    demand(
      planned.finish === null && planned.entrants.some(absent),
      at("no entrant was absent, or this match already has a result"),
    );
    demand(
      same(fact.places, without ? null : planned.entrants.map((one) => (absent(one) ? last : 1))),
      at("this is not the announced result of a no-show"),
    );
    if (without) Object.assign(planned, { entrants: present, match: null });
    else
      this.finish(
        planned,
        fact.places,
        planned.entrants.map(() => 0),
        at,
      );
    this.outcomes.set(fact.match, fact);
  }
  /** @type {Folding<"block_revealed">} */
  block_revealed({ round, table }, line, at) {
    demand(
      this.secretBlocks && this.blockOver({ round, table }) && !this.shown.has(`${round}.${table}`),
      at("the deal of this table can't be revealed now"),
    );
    this.shown.add(`${round}.${table}`);
  }
  /** @type {Folding<"match_voided">} */
  match_voided({ match }, line, at) {
    demand(
      !this.secretBlocks || !this.blockOver(this.slots.get(match) ?? { round: 0, table: 0 }),
      at("all matches of its block are over, so the deal is known"),
    );
    const again = this.terms.format === "arena" || this.slots.get(match)?.round === this.rounds.length;
    demand(again, at("a match of an earlier round can't be played again"));
    Object.assign(this.counting(match, at), { match: null, finish: null });
  }
  /** @type {Folding<"result_ruled">} */
  result_ruled({ match, places }, line, at) {
    const planned = this.counting(match, at);
    this.finish(planned, places, planned.finish?.scores ?? places.map(() => 0), at);
  }
  /** @type {Folding<"standings_posted">} */
  standings_posted({ digest, until }, line, at) {
    demand(
      [...this.planned.values()].every(({ finish }) => finish),
      at("a match has no result yet"),
    );
    const tables = this.rounds.reduce((count, round) => count + round.tables.length, 0);
    demand(!this.secretBlocks || this.shown.size === tables, at("a deal has not been revealed yet"));
    demand(until === line.at + this.terms.correction_ms, at("the time for protests is not the announced one"));
    this.checkDigest(digest, at);
    this.status = "provisional";
    this.until = until;
  }
  /** @type {Folding<"standings_acknowledged">} */
  standings_acknowledged({ entrant }, { by }, at) {
    demand(entrant === this.numberOf(by), at("the acknowledgement is not by this entrant"));
    this.acknowledged.add(entrant);
  }
  /** @type {Folding<"standings_protested">} */
  standings_protested({ entrant }, line, at) {
    demand(
      entrant === this.numberOf(line.by) && line.at <= this.until,
      at("the protest is not by this entrant, or came too late"),
    );
    this.protests++;
  }
  /** @type {Folding<"edition_signed">} */
  edition_signed({ edition, digest, server_secret: secret }, line, at, command) {
    demand(
      edition === this.edition + 1 && secret === this.secret,
      at("the number of the edition or the secret is wrong"),
    );
    demand(
      line.at >= this.until || this.acknowledged.size === this.entrants.length,
      at("the standings were signed before the time for protests was over"),
    );
    demand(
      !this.protests || command.type === "correct" || command.despite_protests === true,
      at("a protest has not been answered"),
    );
    this.checkDigest(digest, at);
    this.status = "final";
    this.edition = edition;
  }
  /** @type {Folding<"tournament_cancelled">} */
  tournament_cancelled({ server_secret: secret }, line, at) {
    demand(secret === this.secret, at("the secret is wrong"));
    this.status = "cancelled";
  }
  /** @param {string} digest @param {At} at */
  checkDigest(digest, at) {
    this.draw();
    demand(digest === hashOf(this.standings()), at("the standings do not follow from the results"));
  }
}

// --- the file

/** @param {Uint8Array} content */
export function isTournament(content) {
  const end = content.indexOf(10);
  const first = new TextDecoder().decode(content.subarray(0, end < 0 ? 0 : end));
  return first.includes(`"format":"${FORMAT}"`);
}

/**
 * The parts of a file: the lines of the tournament, and the exports of its matches.
 * @param {Uint8Array} content
 */
function readParts(content) {
  const texts = linesOf(content);
  demand(texts.length >= 3, "the file is truncated");
  const read = (/** @type {number} */ index) => {
    const data = parse(texts[index]);
    demand(object(data) && canonical(data) === texts[index], onLine(index + 1)("this is not canonical JSON"));
    return data;
  };
  /** @type {Line[]} */ const records = [];
  /** @type {Map<string, {first: number, content: Uint8Array}>} */ const matches = new Map();
  for (let index = 1; index < texts.length - 1; index++) {
    const line = read(index);
    const at = onLine(index + 1);
    if (!("export" in line)) {
      demand(matches.size === 0, at("a fact follows the exports of matches"));
      records.push(/** @type {Line} */ (/** @type {unknown} */ (line)));
      continue;
    }
    const { export: match, lines: count } = line;
    demand(
      text(match) && whole(count) && count > 0 && !matches.has(match) && Object.keys(line).length === 2,
      at("a match is announced wrongly or twice"),
    );
    demand(index + 1 + count < texts.length, at("the file is truncated in this match"));
    matches.set(match, {
      first: index + 2,
      content: bytesOf(`${texts.slice(index + 1, index + 1 + count).join("\n")}\n`),
    });
    index += count;
  }
  const header = /** @type {Header} */ (/** @type {unknown} */ (read(0)));
  const footer = /** @type {Footer} */ (/** @type {unknown} */ (read(texts.length - 1)));
  return { header, records, matches, footer, lines: texts.length };
}

/** @param {Line[]} records @param {Header} header @param {string} secret */
function checkRecords(records, header, secret) {
  const tournament = new Tournament(header.tournament, secret);
  /** @type {Line[][]} */ const entries = [];
  let before = "0".repeat(64);
  records.forEach((line, index) => {
    const at = onLine(index + 2);
    checkForm(line, LINE, at, { command: object });
    demand(
      line.version === index + 1 && line.tournament === header.tournament,
      at("facts are missing, duplicated or from another tournament"),
    );
    demand(line.before === before, at("the hash chain is broken"));
    demand(
      hashOf(without(line, ["hash"])) === line.hash,
      at("the hash does not match the record: this line was changed"),
    );
    const sealed =
      line.fact.type === "tournament_announced"
        ? { server_secret: commitmentTo(secret, saltOf(secret, line.version, "server_secret")) }
        : {};
    demand(same(line.sealed, sealed), at("a commitment is wrong"));
    demand(index > 0 || "command" in line, at("no command caused this fact"));
    if ("command" in line) entries.push([line]);
    else entries.at(-1)?.push(line);
    before = line.hash;
  });
  for (const lines of entries) tournament.take(lines, onLine(lines[0].version + 1));
  return tournament;
}

/**
 * @param {string} id
 * @param {{first: number, content: Uint8Array}} match
 * @param {Tournament} tournament
 * @param {ServiceKey[] | null} keys
 * @param {Receipt[]} receipts
 */
async function checkMatch(id, { first, content }, tournament, keys, receipts) {
  const at = (/** @type {string} */ sentence) => `match ${id}: ${sentence}`;
  const own = receipts.filter(({ match }) => match === id);
  const verdict = await verifyExport(content, { keys, receipts: own }).catch((error) => {
    throw error instanceof Broken ? new Broken(at(error.message)) : error;
  });
  const opened = tournament.slots.get(id);
  demand(verdict.match === id && opened, onLine(first)(at("it does not belong to this tournament")));
  const lines = new TextDecoder().decode(content).split("\n");
  const created = JSON.parse(lines[1]).fact;
  for (const [name, value] of Object.entries(termsOf(tournament, opened)))
    demand(same(created[name], value), onLine(first + 1)(at(`${name} is not what the tournament announced`)));
  const seats = created.seats.map((/** @type {{player?: string}} */ { player }) => player ?? null);
  const players = opened.entrants.map((number) => tournament.entrants[number].player);
  demand(same(seats, players), onLine(first + 1)(at("its seats are not those of its table")));
  const recorded = tournament.outcomes.get(id);
  if (recorded?.type !== "result_recorded") return;
  demand(
    same(endOf(JSON.parse(lines[lines.length - 2]).result), pick(recorded, ["places", "reason", "scores"])),
    onLine(first)(at("the recorded result is not that of the match")),
  );
}

/** What the first fact of a match must say. @param {Tournament} tournament @param {Slot} opened */
function termsOf(tournament, opened) {
  const { terms } = tournament;
  const { game, rules_version, data, data_hash, options, clock, on_timeout, rated, required_witnesses, signed } = terms;
  return {
    ...{ game, rules_version, data, data_hash, options, clock, on_timeout },
    creator: "house",
    commitment: hex(sha256(fromHex(tournament.dealSecret(opened)))),
    open_seed: null,
    in_block: tournament.secretBlocks || null,
    signed: signed || null,
    required_witnesses: required_witnesses || null,
    rated: rated || null,
    spectator_delay: terms.spectator_delay || null,
    ...(tournament.sealed ? { salt_version: 2 } : {}),
    ...(terms.max_returned_ms === undefined ? {} : { max_returned_ms: terms.max_returned_ms }),
  };
}

/** How a match ended, as its tournament records it. @param {import("./types").Result | null} result */
function endOf(result) {
  const scores = (result?.scores ?? []).map(
    (one) => one.total ?? Object.values(one).reduce((sum, score) => sum + score, 0),
  );
  const none = (result?.places ?? []).map(() => 0);
  return { places: result?.places, reason: result?.reason, scores: scores.length ? scores : none };
}

/**
 * The receipts that an entrant kept.
 * @param {Receipt[]} receipts
 * @param {Line[]} records
 * @param {Header} header
 * @param {Map<string, unknown>} matches
 * @param {Signatures} signatures
 */
function addReceipts(receipts, records, { tournament }, matches, signatures) {
  for (const receipt of receipts) {
    const at = (/** @type {string} */ sentence) => `a kept receipt for version ${receipt.version}: ${sentence}`;
    if (receipt.match !== undefined && matches.has(receipt.match)) continue; // checked with the match
    demand(receipt.tournament === tournament && records[receipt.version - 1], at("it belongs to nothing in this file"));
    signatures.add(receipt, tournamentReceiptText(receipt), receipt.at, at);
    demand(records[receipt.version - 1].hash === receipt.head, at("the service has signed another history"));
  }
}

/**
 * Verify the export of a tournament.
 * @param {Uint8Array} content
 * @param {{keys?: ServiceKey[] | null, receipts?: Receipt[]}} [given]
 */
export async function verifyTournament(content, { keys = null, receipts = [] } = {}) {
  const { header, records, matches, footer, lines } = readParts(content);
  const at = onLine(1);
  const atFooter = onLine(lines);
  checkForm(header, HEADER, at);
  checkForm(footer, FOOTER, atFooter);
  demand(header.format === FORMAT && records.length > 0, at("this is not an export of a tournament"));
  const { published, unknown } = keysToUse(header.keys, keys, at);
  demand(!unknown, at("a key of the file is not among the published keys"));
  const last = records.find(({ fact }) => ["edition_signed", "tournament_cancelled"].includes(fact?.type));
  demand(last && hash(last.fact.server_secret), at("the tournament is not over"));
  const tournament = checkRecords(records, header, last.fact.server_secret ?? "");
  demand(OVER.includes(tournament.status), at("the tournament is not over"));
  for (const match of tournament.outcomes.keys())
    demand(matches.has(match), at(`the export of match ${match}, whose result counts, is missing`));
  for (const [id, match] of matches) await checkMatch(id, match, tournament, keys, receipts);
  tournament.draw();
  const { at: time, edition, status } = tournament;
  const signatures = new Signatures(published);
  const expected = {
    at: time,
    edition,
    end: status,
    head: records[records.length - 1].hash,
    standings: tournament.standings(),
    version: records.length,
  };
  checkClosing(content, footer, expected, FORMAT, signatures, atFooter);
  addReceipts(receipts, records, header, matches, signatures);
  signatures.open.push(...tournament.signatures);
  await signatures.check();
  return {
    tournament: header.tournament,
    title: tournament.terms.title,
    game: tournament.terms.game,
    status,
    edition,
    facts: records.length,
    rounds: tournament.rounds.length,
    matches: matches.size,
    entrants: tournament.entrants.length,
    trusted: keys !== null,
    contributions: (tournament.seed ? tournament.counted : []).filter((one) => one !== "").length,
    keys: [...signatures.used].sort(),
    sealed: tournament.sealed,
    withheld: tournament.entrants.flatMap(({ withheld }, number) => (withheld ? [number] : [])),
    signed_entries: tournament.entrants.filter(({ key }) => key).length,
    receipts: receipts.length,
    uploaded: tournament.rounds.filter(({ uploaded }) => uploaded).map(({ round }) => round),
  };
}
