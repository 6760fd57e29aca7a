// The life cycle of a match, without the rules of its game (docs/export.md): who may send which command, which facts
// it causes, who signed it.
import { hex, sha256 } from "./crypto.mjs";
import { commandText, demand, onLine, same } from "./formats.mjs";
import {
  ABOUT_AUTHOR,
  BY_HOUSE,
  COMMANDS,
  FACTS,
  RETRY_MS,
  checkForm,
  hash,
  mayHaveSent,
  text,
  wrongTerms,
} from "./forms.mjs";

/**
 * @typedef {import("./types").Line} Line
 * @typedef {import("./types").Command} Command
 * @typedef {import("./formats.mjs").At} At
 */
/** @template {string} T @typedef {import("./types").MatchFact<T & import("./types").MatchFact["type"]>} Fact */
/**
 * Checks and folds a fact of one type.
 * @template {string} T
 * @typedef {(fact: Fact<T>, by: string, command: Command, at: At, line: Line) => void} Folding
 */

/** What a player who takes a seat says about it. */
const SENT = /** @type {const} */ (["contribution", "bot", "key"]);

export class Life {
  /** The first fact; nothing is asked of it before. @type {Fact<"match_created">} */ created = Object.create(null);
  status = "open";
  /** @type {(Fact<"seat_taken"> | null)[]} */ seats = [];
  /** The contributions that were opened, by seat. @type {Map<number, string>} */ opened = new Map();
  /** @type {Set<number>} */ absent = new Set();
  /** @type {Set<number>} */ declined = new Set();
  /** The time of the previous command. */
  at = 0;
  /** The end of the newest outage, and the times that clocks were given back. */
  returnedUntil = 0;
  /** @type {number[]} */ outages = [];
  /** The deadline for opening contributions. @type {number | null} */ due = null;
  moved = false;
  /** Signatures of players, still to be checked. @type {import("./types").OpenSignature[]} */ signatures = [];
  /** The commands by players with keys that are still hidden from the viewer of this file. */
  unseen = 0;
  inBlock = false;
  secretRevealed = false;
  /** The contribution that came with the request that created the match. @type {string | undefined} */ early;
  /** The contributions that made the seed. @type {string[] | undefined} */ contributions;
  /** @type {import("./types").Result | undefined} */ result;

  get revealed() {
    return this.over && (!this.inBlock || this.secretRevealed);
  }
  get over() {
    return this.status === "finished" || this.status === "aborted";
  }
  /** @param {string} player */
  seatOf(player) {
    return this.seats.findIndex((taken) => taken !== null && taken.player === player && taken.house === null);
  }

  /** Check one command, given as the lines of its facts. @param {Line[]} lines */
  take(lines) {
    const [line] = lines;
    const { command, by } = line;
    const at = onLine(line.version + 1);
    demand(
      (line.version === 1) === (line.fact.type === "match_created"),
      at("the record does not begin with the creation of a match"),
    );
    demand(!this.over || line.fact.type === "secret_revealed", at("the match is already over"));
    const hides = lines.some(({ sealed }) => Object.keys(sealed).length > 0);
    const isPlay = command === undefined || command.type === "play";
    demand(
      "sealed_command" in line === (isPlay && hides),
      at("a command that names what is hidden is not sealed, or one that does not is"),
    );
    if (command === undefined) this.checkHidden(line, at);
    else {
      this.checkCommand(line, command, at);
      this.checkSignature(line, command, by, at);
    }
    lines.forEach((one, index) => this.fold(one, index, command));
    this.at = line.at;
    this.moved ||= line.seat !== null;
  }

  /** @param {Line} line @param {At} at */
  checkHidden({ by, seat: acting, fact }, at) {
    const taken = this.seats[acting ?? -1];
    demand(
      taken && (by === "house" ? taken.house !== null : acting === this.seatOf(by)),
      at("another seat's clock was stopped"),
    );
    demand(
      this.status === "running" && !Object.hasOwn(FACTS, fact.type),
      at("the command does not fit the state of the match"),
    );
    this.unseen += taken.key === undefined ? 0 : 1;
  }

  /** @param {Line} line @param {Command} command @param {At} at */
  checkCommand({ by, seat: acting, fact, version, at: now }, command, at) {
    const { type } = command;
    demand(Object.hasOwn(COMMANDS, type ?? ""), at("the command is malformed: its type is unknown"));
    const [fields, causes, before] = COMMANDS[type];
    checkForm(command, fields, (sentence) => at(`the command is malformed: ${sentence}`), {}, true);
    demand((type === "create") === (version === 1), at("the record does not begin with the creation of a match"));
    demand(
      causes === null ? !Object.hasOwn(FACTS, fact.type) : causes.includes(fact.type),
      at(`${type} does not cause ${fact.type}`),
    );
    demand(before === null || before === this.status, at("the command does not fit the state of the match"));
    const house = by === "house";
    const own = house ? (command.seat ?? -1) : this.seatOf(by);
    const bot = (this.seats[own]?.house ?? null) !== null;
    demand(house || !BY_HOUSE.includes(type), at("only the service can send this command"));
    // the service creates the matches of tournaments
    const creates = type === "create" || (type === "abort" && this.created.creator === "house");
    demand(
      !house || BY_HOUSE.includes(type) || creates || (type === "play" && bot),
      at("the service acted for a player"),
    );
    demand(house || type !== "play" || !("seat" in command), at("a player can only move for their own seat"));
    demand(
      house || own >= 0 || !(type === "play" || ABOUT_AUTHOR.includes(fact.type)),
      at("the author has no seat in this match"),
    );
    demand(type !== "start" || by === this.created.creator, at("only the creator can start the match"));
    demand(
      type === "resign_erased" || !this.absent.has(own),
      at("the player of this seat has already resigned or forfeited"),
    );
    const stops =
      ["play", "resign", "time_out"].includes(type) || (type === "resign_erased" && this.status === "running");
    demand(acting === (stops ? own : null), at("another seat's clock was stopped"));
    demand(
      type === "expire" || !ABOUT_AUTHOR.includes(fact.type) || fact.seat === own,
      at("the fact names the wrong seat"),
    );
    if (type === "expire") this.checkExpiry(fact, now, at);
  }

  /**
   * After how long without a command a match expires, and who then forfeits (docs/time.md).
   * @param {Line["fact"]} fact
   * @param {number} now
   * @param {At} at
   */
  checkExpiry(fact, now, at) {
    const { open_for_ms: open = 0, idle_ms: idle = 0, clock } = this.created;
    const allowed = this.status === "open" ? open : clock.kind === "none" ? idle : 0;
    demand(allowed > 0 && this.due === null && now >= this.at + allowed, at("the match has not expired"));
    demand(fact.type === "match_aborted" || this.moved, at("nobody can forfeit a match before the first move"));
    demand(fact.type !== "match_aborted" || fact.reason === "expired", at("the reason in match_aborted is wrong"));
  }

  /**
   * A seat that was taken with a key accepts only commands that are signed with it (docs/signatures.md).
   * @param {Line} line
   * @param {Command} command
   * @param {string} by
   * @param {At} at
   */
  checkSignature({ before, match, version }, command, by, at) {
    const key = command.type === "join" ? command.key : this.seats[this.seatOf(by)]?.key;
    const { signature, sent_moves: sent, ...stored } = command;
    demand(mayHaveSent(command), at("the moves that the player signed are not those that were made"));
    demand(
      key === undefined ? signature === undefined : text(signature),
      at(key ? "the player did not sign this command" : "a command is signed although its author has no key"),
    );
    const signed = {
      by,
      command: { ...stored, ...(sent && { moves: sent }) },
      head: before,
      match,
      version: version - 1,
    };
    if (key !== undefined)
      this.signatures.push([
        String(key),
        String(signature),
        commandText(signed),
        at("the signature of the player does not fit this command here"),
      ]);
  }

  /** @param {Line} line @param {number} index @param {Command | undefined} command */
  fold(line, index, command) {
    const { fact, by, version } = line;
    const { type } = fact;
    const at = onLine(version + 1);
    demand(text(type), at("a fact has no type"));
    if (!Object.hasOwn(FACTS, type)) return demand(this.status === "running", at("the match is not running"));
    checkForm(fact, FACTS[type], (sentence) => at(`${type}: ${sentence}`), {}, true);
    const several =
      (command?.type === "expire" && type === "seat_timed_out") ||
      (command?.type === "decline" && type === "invitation_declined");
    demand(
      index === 0 || several || !(ABOUT_AUTHOR.includes(type) || type === "match_created"),
      at(`no command caused this ${type}`),
    );
    demand(!this.over || type === "secret_revealed", at("the match is already over"));
    demand(fact.seat === undefined || fact.seat < this.seats.length, at("there is no such seat"));
    const folding = /** @type {Partial<Record<string, Folding<string>>>} */ (/** @type {unknown} */ (this))[type];
    folding?.call(this, /** @type {Fact<string>} */ (fact), by, /** @type {Command} */ (command), at, line);
  }

  /** @type {Folding<"match_created">} */
  match_created(fact, by, command, at) {
    demand(fact.creator === by, at("the creator in the fact is not the author of the command"));
    const wrong = wrongTerms(fact);
    demand(wrong === null, at(wrong ?? ""));
    this.created = fact;
    this.inBlock = fact.in_block === true;
    this.early = command.contribution;
    this.seats = fact.seats.map(() => null);
  }
  /** @type {Folding<"position_set">} */
  position_set(fact, by, command, at, { version }) {
    demand(this.created.branch && version === 2, at("only a branch can start in a given position"));
  }
  /** @type {Folding<"contributions_due">} */
  contributions_due(fact, by, command, at, line) {
    demand(this.created.sealed && fact.deadline === line.at + 60_000, at("the deadline in contributions_due is wrong"));
    this.due = fact.deadline;
  }
  /** @type {Folding<"seat_taken">} */
  seat_taken(fact, by, command, at) {
    const plan = this.created.seats[fact.seat];
    const joins = command.type === "join" || (command.type === "create" && command.takes_seat);
    demand(this.status === "open" && this.seats[fact.seat] === null, at("the seat is not free"));
    const { bot, bot_version: version = null } = command.type === "seat_bot" ? command : plan;
    if (command.type === "seat_bot" || plan.kind === "bot") {
      const mayGive = by === this.created.creator && !this.created.rated && fact.seat === command.seat;
      demand(mayGive || command.type !== "seat_bot", at("the creator can't give this seat to a house bot"));
      demand(
        same([fact.player, fact.house, fact.house_version ?? null, fact.contribution], ["house", bot, version, ""]),
        at("seat_taken does not name the house bot of this seat, or another version"),
      );
    } else {
      demand(
        joins && fact.player === by && fact.house === null && this.seatOf(by) < 0,
        at("the player in seat_taken is not the one who joined"),
      );
      const reserved = this.declined.has(fact.seat) ? by : (plan.player ?? by);
      demand(reserved === by && (command.seat ?? fact.seat) === fact.seat, at("the seat is not free for this player"));
      const other = SENT.find((name) => !same(fact[name], command[name]));
      demand(!other, at(`${other} of seat_taken is not that of the command`));
      demand(!this.created.sealed || hash(fact.contribution), at("a contribution is not sealed"));
      demand(
        !this.created.signed || fact.key !== undefined,
        at("the player joined without a key, but in this match every player must sign"),
      );
    }
    this.seats[fact.seat] = fact;
  }
  /** @type {Folding<"seat_left">} */
  seat_left(fact, by, command, at) {
    demand(
      this.seats[fact.seat]?.player === fact.player && this.status === "open",
      at("seat_left names the wrong player"),
    );
    this.seats[fact.seat] = null;
  }
  /** @type {Folding<"invitation_declined">} */
  invitation_declined(fact, by, command, at) {
    const invited = this.created.seats[fact.seat].player;
    demand(
      command.type === "decline" && invited === by && fact.player === by && !this.declined.has(fact.seat),
      at("there is no such invitation"),
    );
    demand(this.seatOf(by) < 0, at("the player already has a seat"));
    this.declined.add(fact.seat);
  }
  /**
   * A period since the last command in which the service could not accept commands (docs/time.md).
   * @type {Folding<"time_returned">}
   */
  time_returned(fact, by, command, at, line) {
    const { since, until } = fact;
    const runs = this.status === "running" && this.created.clock.kind !== "none";
    demand(
      command.type === "return_time" && since === command.since && until === command.until,
      at("time_returned does not match the command"),
    );
    demand(runs || this.due !== null, at("no clock is running in this match"));
    demand(
      Math.max(this.at, this.returnedUntil) <= since && since < until && until <= line.at + RETRY_MS,
      at("this time can't be credited to the players"),
    );
    demand(
      this.outages.reduce((sum, ms) => sum + ms, until - since) <= (this.created.max_returned_ms ?? Infinity),
      at("more time is given back than this match accepts"),
    );
    this.returnedUntil = until;
    this.outages.push(until - since);
  }
  /** @type {Folding<"contribution_opened">} */
  contribution_opened(fact, by, command, at) {
    demand(
      fact.contribution === command.value && !this.opened.has(fact.seat),
      at("contribution_opened does not match the command, or is repeated"),
    );
    demand(
      hex(sha256(fact.contribution)) === this.seats[fact.seat]?.contribution,
      at("a contribution is not the one that was sealed"),
    );
    this.opened.set(fact.seat, fact.contribution);
  }
  /** @type {Folding<"match_started">} */
  match_started(fact, by, command, at) {
    demand(
      this.status === "open" &&
        same(
          fact.players,
          this.seats.map((taken) => taken?.player),
        ),
      at("the players in match_started are not those who hold the seats"),
    );
    const taken = this.seats.filter((one) => one !== null);
    const due = this.created.sealed ? taken.filter(({ house }) => house === null).length : 0;
    demand(this.opened.size === due, at("the match started before all contributions were opened"));
    this.status = "running";
    this.due = null;
    this.contributions = this.inBlock
      ? []
      : taken.map(({ contribution }, place) => this.opened.get(place) ?? contribution);
  }
  /** @type {Folding<"match_finished">} */
  match_finished(fact, by, command, at) {
    demand(
      this.status === "running" && fact.places.length === this.seats.length,
      at("the match is not running, or the number of places is wrong"),
    );
    this.checkSecret(fact, this.inBlock ? "" : this.created.server_secret, at);
    this.status = "finished";
    this.result = {
      places: fact.places,
      scores: /** @type {import("./types").Result["scores"]} */ (fact.scores ?? null),
      reason: fact.reason,
    };
  }
  /** @param {{type: string, server_secret: string}} fact @param {string | undefined} wanted @param {At} at */
  checkSecret({ type, server_secret: secret }, wanted, at) {
    demand((wanted ?? secret) === secret, at(`the secret in ${type} is wrong`));
  }
  /** @type {Folding<"secret_revealed">} */
  secret_revealed(fact, by, command, at) {
    demand(
      (command.type === "reveal_secret" || command.reveal === true) &&
        this.inBlock &&
        this.over &&
        !this.secretRevealed,
      at("no secret can be revealed now"),
    );
    this.checkSecret(fact, this.created.server_secret, at);
    this.secretRevealed = true;
  }
  /** @type {Folding<"match_aborted">} */
  match_aborted({ reason }, by, { type }, at) {
    demand(
      (reason === "organiser") === (type === "call_off") && (type !== "call_off" || this.created.creator === "house"),
      at("the reason in match_aborted is wrong"),
    );
    this.status = "aborted";
  }
  /** @type {Folding<"seat_resigned">} */
  seat_resigned({ seat }) {
    this.absent.add(seat);
  }
  /** @type {Folding<"seat_timed_out">} */
  seat_timed_out({ seat, consequence }) {
    if (consequence === "forfeit") this.absent.add(seat);
  }

  /**
   * Whether the contribution of each seat counts: one that came with the request that created the match was known
   * before the commitment.
   */
  get counted() {
    if (this.contributions === undefined || this.inBlock) return [];
    return this.seats.map((taken, place) => {
      if (this.opened.has(place)) return "counted";
      if (!taken?.contribution) return "none";
      const known = taken.player === this.created.creator && taken.contribution === this.early;
      return known ? "too early" : "counted";
    });
  }
}
