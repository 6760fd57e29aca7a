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
  hash,
  object,
  mayHaveSent,
  text,
  wrongTerms,
} from "./forms.mjs";

// Checks the keys of an object and the types of their values; `more` says whether other keys are allowed.
export function checkForm(value, needed, at, optional = {}, more = false) {
  demand(object(value), at("this is not a JSON object"));
  for (const [key, one] of Object.entries(value)) {
    const known = [needed, optional].find((forms) => Object.hasOwn(forms, key));
    demand(known || more, at(`'${key}' is not allowed here`));
    demand(!known || known[key](one), at(`'${key}' has the wrong type`));
  }
  for (const key of Object.keys(needed)) demand(Object.hasOwn(value, key), at(`'${key}' is missing`));
}

export class Life {
  constructor() {
    this.status = "open";
    this.seats = [];
    this.opened = new Map();
    this.absent = new Set();
    this.declined = new Set();
    this.at = 0; // time of the previous command
    // the end of the newest outage, and the times that clocks were given back
    [this.returnedUntil, this.outages] = [0, []];
    this.due = null; // deadline for opening contributions
    this.moved = false;
    this.signatures = []; // of players, still to be checked: [key, signature, text, error message]
    this.unseen = 0; // commands by players with keys that are still hidden from the viewer of this file
  }

  get revealed() {
    return this.over && (!this.inBlock || this.secretRevealed);
  }
  get over() {
    return this.status === "finished" || this.status === "aborted";
  }
  seatOf(player) {
    return this.seats.findIndex((taken) => taken !== null && taken.player === player && taken.house === null);
  }

  // Checks one command, given as the lines of its facts.
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
    else this.checkCommand(line, at);
    if (command !== undefined) this.checkSignature(line, command, by, at);
    lines.forEach((one, index) => this.fold(one, index, command));
    this.at = line.at;
    this.moved ||= line.seat !== null;
  }

  checkHidden({ by, seat: acting, fact }, at) {
    const taken = this.seats[acting];
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

  checkCommand({ command, by, seat: acting, fact, version, at: now }, at) {
    const { type } = command;
    const [fields, causes, before] = Object.hasOwn(COMMANDS, type ?? "") ? COMMANDS[type] : [];
    demand(fields !== undefined, at("the command is malformed: its type is unknown"));
    checkForm(command, fields, (sentence) => at(`the command is malformed: ${sentence}`), {}, true);
    demand((type === "create") === (version === 1), at("the record does not begin with the creation of a match"));
    demand(
      causes === null ? !Object.hasOwn(FACTS, fact.type) : causes.includes(fact.type),
      at(`${type} does not cause ${fact.type}`),
    );
    demand(before === null || before === this.status, at("the command does not fit the state of the match"));
    const house = by === "house";
    const own = house ? command.seat : this.seatOf(by);
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
      house || own >= 0 || !(type === "play" || fact.type in ABOUT_AUTHOR),
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
    demand(type === "expire" || !(fact.type in ABOUT_AUTHOR) || fact.seat === own, at("the fact names the wrong seat"));
    if (type === "expire") this.checkExpiry(fact, now, at);
  }

  // docs/time.md: after how long without a command a match expires, and who then forfeits.
  checkExpiry(fact, now, at) {
    const { open_for_ms: open = 0, idle_ms: idle = 0, clock } = this.created;
    const allowed = this.status === "open" ? open : clock.kind === "none" ? idle : 0;
    demand(allowed > 0 && this.due === null && now >= this.at + allowed, at("the match has not expired"));
    demand(fact.type === "match_aborted" || this.moved, at("nobody can forfeit a match before the first move"));
    demand(fact.type !== "match_aborted" || fact.reason === "expired", at("the reason in match_aborted is wrong"));
  }

  // docs/signatures.md: a seat that was taken with a key accepts only commands that are signed with it.
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
        key,
        signature,
        commandText(signed),
        at("the signature of the player does not fit this command here"),
      ]);
  }

  fold(line, index, command) {
    const { fact, by, version } = line;
    const { type } = fact;
    const at = onLine(version + 1);
    demand(text(type), at("a fact has no type"));
    if (!Object.hasOwn(FACTS, type)) return demand(this.status === "running", at("the match is not running"));
    checkForm(fact, FACTS[type], (sentence) => at(`${type}: ${sentence}`), {}, true);
    const several = { expire: "seat_timed_out", decline: "invitation_declined" }[command?.type] === type;
    demand(
      index === 0 || several || !(type in ABOUT_AUTHOR || type === "match_created"),
      at(`no command caused this ${type}`),
    );
    demand(!this.over || type === "secret_revealed", at("the match is already over"));
    demand(!("seat" in fact) || fact.seat < this.seats.length, at("there is no such seat"));
    this[type]?.(fact, by, command, at, line);
  }

  match_created(fact, by, command, at) {
    demand(fact.creator === by, at("the creator in the fact is not the author of the command"));
    demand(!wrongTerms(fact), at(wrongTerms(fact)));
    const seats = fact.seats.map(() => null);
    Object.assign(this, {
      created: fact,
      inBlock: fact.in_block === true,
      secretRevealed: false,
      early: command.contribution,
      seats,
    });
  }
  position_set(fact, by, command, at, { version }) {
    demand(this.created.branch && version === 2, at("only a branch can start in a given position"));
  }
  contributions_due(fact, by, command, at, line) {
    demand(this.created.sealed && fact.deadline === line.at + 60_000, at("the deadline in contributions_due is wrong"));
    this.due = fact.deadline;
  }
  seat_taken(fact, by, command, at) {
    const plan = this.created.seats[fact.seat];
    const joins = command.type === "join" || (command.type === "create" && command.takes_seat);
    demand(this.status === "open" && this.seats[fact.seat] === null, at("the seat is not free"));
    if (plan.kind === "bot") {
      demand(
        fact.player === "house" &&
          fact.house === plan.bot &&
          fact.house_version === plan.bot_version &&
          fact.contribution === "",
        at("seat_taken does not name the house bot of this seat, or another version"),
      );
    } else {
      demand(
        joins && fact.player === by && fact.house === null && this.seatOf(by) < 0,
        at("the player in seat_taken is not the one who joined"),
      );
      const reserved = this.declined.has(fact.seat) ? by : (plan.player ?? by);
      demand(reserved === by && (command.seat ?? fact.seat) === fact.seat, at("the seat is not free for this player"));
      const other = ["contribution", "bot", "key"].find((name) => !same(fact[name], command[name]));
      demand(!other, at(`${other} of seat_taken is not that of the command`));
      demand(!this.created.sealed || hash(fact.contribution), at("a contribution is not sealed"));
      demand(
        !this.created.signed || fact.key !== undefined,
        at("the player joined without a key, but in this match every player must sign"),
      );
    }
    this.seats[fact.seat] = fact;
  }
  seat_left(fact, by, command, at) {
    demand(
      this.seats[fact.seat]?.player === fact.player && this.status === "open",
      at("seat_left names the wrong player"),
    );
    this.seats[fact.seat] = null;
  }
  invitation_declined(fact, by, command, at) {
    const invited = this.created.seats[fact.seat].player;
    demand(
      command.type === "decline" && invited === by && fact.player === by && !this.declined.has(fact.seat),
      at("there is no such invitation"),
    );
    demand(this.seatOf(by) < 0, at("the player already has a seat"));
    this.declined.add(fact.seat);
  }
  // docs/time.md: a period since the last command in which the service could not accept commands.
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
    [this.returnedUntil, this.outages] = [until, [...this.outages, until - since]];
  }
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
  match_started(fact, by, command, at) {
    demand(
      this.status === "open" &&
        same(
          fact.players,
          this.seats.map((taken) => taken?.player),
        ),
      at("the players in match_started are not those who hold the seats"),
    );
    const due = this.created.sealed ? this.seats.filter(({ house }) => house === null).length : 0;
    demand(this.opened.size === due, at("the match started before all contributions were opened"));
    [this.status, this.due] = ["running", null];
    this.contributions = this.inBlock
      ? []
      : this.seats.map((taken, place) => this.opened.get(place) ?? taken.contribution);
  }
  match_finished(fact, by, command, at) {
    demand(
      this.status === "running" && fact.places.length === this.seats.length,
      at("the match is not running, or the number of places is wrong"),
    );
    this.checkSecret(fact, this.inBlock ? "" : this.created.server_secret, at);
    this.status = "finished";
    this.result = { places: fact.places, scores: fact.scores ?? null, reason: fact.reason };
  }
  checkSecret({ type, server_secret: secret }, wanted, at) {
    demand((wanted ?? secret) === secret, at(`the secret in ${type} is wrong`));
  }
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
  match_aborted({ reason }, by, { type }, at) {
    demand(
      (reason === "organiser") === (type === "call_off") && (type !== "call_off" || this.created.creator === "house"),
      at("the reason in match_aborted is wrong"),
    );
    this.status = "aborted";
  }
  seat_resigned({ seat }) {
    this.absent.add(seat);
  }
  seat_timed_out({ seat, consequence }) {
    if (consequence === "forfeit") this.absent.add(seat);
  }

  // Whether the contribution of each seat counts: one that came with the request that created the match was known
  // before the commitment.
  get counted() {
    return this.contributions === undefined || this.inBlock
      ? []
      : this.seats.map((taken, place) => {
          if (!this.opened.has(place) && taken.contribution === "") return "none";
          const known = taken.player === this.created.creator && taken.contribution === this.early;
          return this.opened.has(place) || !known ? "counted" : "too early";
        });
  }
}
