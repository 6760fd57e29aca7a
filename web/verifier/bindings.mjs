// Which draw belongs to which fact (docs/chance.md, docs/draws.json): every draw is used by a fact, and every field
// has the value that was drawn.
import { demand, onLine, same, shuffledBy } from "./formats.mjs";
import { DRAWS } from "./draws.mjs";

/**
 * @typedef {import("./types").Line} Line
 * @typedef {import("./types").Fact} Fact
 * @typedef {import("./types").Draw["values"]} Values
 * @typedef {import("./formats.mjs").At} At
 * @typedef {Record<string, number>} Counts
 */
/**
 * How a draw belongs to a fact (docs/draws.json).
 * @typedef {object} Bound
 * @property {string} stream
 * @property {string} index
 * @property {string} form
 * @property {string} field
 * @property {string} [branch]
 * @property {string} [when]
 * @property {string} [without]
 * @property {string} [owner]
 * @property {string[][]} [items]
 */
/**
 * Cards that a fact moves.
 * @typedef {Partial<Record<"each" | "from" | "to" | "cards" | "kind" | "count" | "only", string>>} Change
 */
/**
 * @typedef {object} Game
 * @property {number[]} versions
 * @property {Record<string, Bound>} facts
 * @property {Record<string, Record<string, unknown>>} moves
 * @property {{kinds: string[], changes: Record<string, Change[]>}} [hands]
 * @property {{kinds: Counts, played: Record<string, string>, renewed: string}} [pile]
 */
/** @type {Record<string, Game>} */
const GAMES = (({ format, ...games }) => games)(DRAWS);

/**
 * All values of a path such as rolls[].dice[].
 * @param {Record<string, unknown>} fact
 * @param {string} path
 * @returns {unknown[]}
 */
const elements = (fact, path) =>
  path.split(".").reduce((found, step) => {
    const next = found.map((one) => /** @type {Record<string, unknown>} */ (one)[step.replace("[]", "")]);
    return step.endsWith("[]") ? next.flat() : next;
  }, /** @type {unknown[]} */ ([fact]));

/**
 * Whether the field of a fact has the value that was drawn.
 * @type {Record<string, (binder: Binder, bound: Bound, fact: Fact, drawn: Values[]) => boolean>}
 */
const FORMS = {
  die: (binder, bound, fact, [values]) =>
    same(
      values,
      elements(fact, bound.field).map((die) => [6, Number(die) - 1]),
    ),
  seat: (binder, bound, fact, [values]) => same(values, [[binder.seats, fact[bound.field]]]),
  shuffle: (binder, bound, fact, drawn) => {
    const removed = /** @type {string[]} */ (fact[bound.without ?? ""] ?? []);
    const parts = (bound.items ?? []).map((items) => items.filter((item) => !removed.includes(item)));
    const fits = parts.every((items, n) =>
      same(
        drawn[n].map(([limit]) => limit),
        items.slice(1).map((_, i) => items.length - i),
      ),
    );
    return (
      fits &&
      same(
        fact[bound.field],
        parts.flatMap((items, n) => shuffledBy(items, (limit) => drawn[n][items.length - limit][1])),
      )
    );
  },
  hand: (binder, bound, fact, [values]) =>
    binder.nth(
      binder.game.hands?.kinds ?? [],
      binder.hands[/** @type {number} */ (fact[bound.owner ?? ""])],
      fact[bound.field],
      values,
    ),
  pile: (binder, bound, fact, [values]) =>
    binder.nth(Object.keys(binder.game.pile?.kinds ?? {}), binder.pile, fact[bound.field], values),
  // the colour of the hex is not in the file, but in the data set
  token: (binder, bound, fact, [values]) => values.length === 1,
};

export class Binder {
  /** @param {{game: string, version: number}} ruleset */
  static knows({ game, version }) {
    return Object.hasOwn(GAMES, game) && GAMES[game].versions.includes(version);
  }

  /**
   * @param {string} game
   * @param {import("./types").MatchFact<"match_created">} created
   * @param {Record<string, number> | null} position from which a branch starts
   */
  constructor(game, created, position) {
    this.game = GAMES[game];
    /** The fields that can't be compared with the values drawn. @type {Set<string>} */
    this.loose = new Set();
    this.seats = created.seats.length;
    this.branch = created.branch;
    /** @type {Counts} */ this.counts = {};
    for (const { stream, branch = "" } of Object.values(this.game.facts)) this.counts[stream] = position?.[branch] ?? 0;
    /** @type {Counts[]} */ this.hands = created.seats.map(() => ({}));
    /** @type {Counts} */ this.pile = { ...this.game.pile?.kinds };
    /** @type {Counts} */ this.discarded = {};
    /** @type {Set<unknown>} */ this.absent = new Set();
    /** The draws of the command, those of its quiet moves, and whose time was up. @type {import("./types").Draw[]} */
    this.draws = [];
    this.quiet = 0;
    /** @type {unknown} */ this.timedOut = null;
  }

  /** Take the draws of one command. @param {Line[]} lines those of its facts */
  take(lines) {
    this.draws = [...(lines[0].draws ?? [])];
    this.quiet = 0;
    this.timedOut = null;
    for (const { version, fact } of lines) {
      const at = onLine(version + 1);
      this.takeQuiet(version, fact, at);
      this.takeBound(fact, at);
      this.fold(fact, at);
    }
    const [left] = this.draws;
    demand(
      left === undefined,
      onLine(lines[0].version + 1)(`draw ${left?.index} of ${left?.stream} belongs to no fact`),
    );
  }

  /** @param {number} version @param {Fact} fact @param {At} at */
  takeQuiet(version, fact, at) {
    const [next] = this.draws;
    if (next?.stream === "absent" && next.index === version - 1) {
      const absent = this.absent.size > 0 || this.timedOut !== null;
      demand(next.values.length === 1 && absent, at("a move was drawn although nobody is absent"));
      this.draws.shift();
      this.quiet++;
    }
    const move = this.game.moves[fact.type];
    if (move === undefined || !Object.entries(move).every(([field, value]) => fact[field] === value)) return;
    if (this.absent.has(fact.seat) || this.timedOut === fact.seat)
      demand(this.quiet-- > 0, at("the move of an absent player was not drawn"));
  }

  /** @param {Fact} fact @param {At} at */
  takeBound(fact, at) {
    const bound = this.game.facts[fact.type];
    if (bound === undefined || (bound.when && !fact[bound.when])) return;
    const values = (bound.items ?? [0]).map((_, part) => {
      const index = bound.index === "part" ? part : this.counts[bound.stream]++;
      const draw = this.draws.shift();
      demand(
        draw !== undefined && draw.stream === bound.stream && draw.index === index,
        at(`${fact.type} needs draw ${index} of ${bound.stream}`),
      );
      return draw.values;
    });
    const field = `${bound.field.split("[")[0]} of ${fact.type}`;
    demand(FORMS[bound.form](this, bound, fact, values), at(`the ${field} does not follow from the draw`));
    if (bound.form === "token" || (this.branch && ["hand", "pile"].includes(bound.form))) this.loose.add(field);
  }

  /**
   * Whether one of several kinds was drawn; the position from which a branch starts can't be read without the rules.
   * @param {string[]} kinds
   * @param {Counts | undefined} counts
   * @param {unknown} kind
   * @param {Values} values
   */
  nth(kinds, counts, kind, values) {
    if (values.length !== 1 || counts === undefined || this.branch) return values.length === 1 && this.branch;
    const bound = values[0][0];
    let left = values[0][1];
    const found = kinds.find((one) => (left -= counts[one] ?? 0) < 0);
    return found === kind && bound === kinds.reduce((sum, one) => sum + (counts[one] ?? 0), 0);
  }

  /** @param {Fact} fact @param {At} at */
  fold(fact, at) {
    const { pile, hands } = this.game;
    const timedOut = fact.type === "seat_timed_out";
    if (fact.type === "seat_resigned" || (timedOut && fact.consequence === "forfeit")) this.absent.add(fact.seat);
    else if (timedOut) this.timedOut = fact.seat;
    if (this.game.facts[fact.type]?.form === "pile") this.pile[String(fact.card)]--;
    const played = pile?.played[fact.type];
    if (played) this.discarded[played] = (this.discarded[played] ?? 0) + 1;
    if (pile?.renewed === fact.type) [this.pile, this.discarded] = [this.discarded, {}];
    for (const change of (!this.branch && hands?.changes[fact.type]) || []) {
      const parts = change.each ? fact[change.each] : [fact];
      demand(
        Array.isArray(parts) && parts.every((part) => this.move(change, part)),
        at(`${fact.type} moves cards that their owner does not have`),
      );
    }
  }

  /**
   * Move the cards of a fact, or of a part of it; returns whether their owners had them.
   * @param {Change} change
   * @param {Record<string, unknown>} part
   */
  move({ from, to, cards, kind, count, only }, part) {
    const moved = cards
      ? /** @type {Counts | undefined} */ (part?.[cards])
      : only
        ? /** @type {Counts} */ (part)
        : { [String(part?.[kind ?? ""])]: count ? /** @type {number} */ (part[count]) : 1 };
    const kinds = only ? [only] : (this.game.hands?.kinds ?? []);
    const give = (/** @type {string | undefined} */ owner, /** @type {number} */ sign) =>
      owner === undefined ||
      kinds.every((one) => this.change(/** @type {number} */ (part?.[owner]), one, moved?.[one] ?? 0, sign));
    return give(from, -1) && give(to, 1);
  }

  /** @param {number} owner @param {string} kind @param {number} count @param {number} sign */
  change(owner, kind, count, sign) {
    const hand = this.hands[owner] ?? {};
    hand[kind] = (hand[kind] ?? 0) + sign * count;
    return Number.isSafeInteger(count) && count >= 0 && hand[kind] >= 0 && (count === 0 || this.hands.includes(hand));
  }
}
