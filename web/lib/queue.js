// What happened, shown one step after the other at a human pace: in a live match, for spectators and in replays.
import { eventsOf } from "./replay.js";

/**
 * @typedef {import("../types").Position} Position
 * @typedef {import("../types").View} View
 * @typedef {import("../types").StepRule} StepRule
 * @typedef {import("../types").Step} Step
 * @typedef {import("./settings.js").Pace} Pace
 */

/** How long a step of weight 1 is shown, in milliseconds. @type {Record<Pace, number>} */
export const PACES = { slow: 1300, normal: 650, instant: 0 };
/** The longest time that legal moves wait for what is shown. @type {Record<Pace, number>} */
const LONGEST = { slow: 40_000, normal: 20_000, instant: 0 };
/** Which part of the time on the reader's clock may pass meanwhile. */
const SHARE = 1 / 20;
/** Steps that would be shorter than this can't be followed: nothing is shown then. */
const SHORTEST = 60;
/** The weight of the reader's own actions: they are seen, but nobody waits for them. */
const OWN = 0.4;
const WORTH_WAITING = 0.5;
/** A fact that the game has no rule for. @type {StepRule} */
const OTHER = { weight: 1, parts: [] };

/**
 * How many milliseconds may pass until everything is shown.
 * @param {Pace} pace
 * @param {number | null} left the time on the reader's clock; null if there is none, or it stands still
 */
export const budgetOf = (pace, left) => Math.min(LONGEST[pace], left === null ? Infinity : Math.max(0, left) * SHARE);

/**
 * A view with some of its parts as in a later one. `seats.coins` are the coins of all seats.
 * @param {View} before
 * @param {View} after
 * @param {Iterable<string>} parts
 * @returns {View}
 */
export function mixed(before, after, parts) {
  const view = { ...before };
  for (const part of parts) {
    const [name, field] = part.split(".");
    const [old, fresh] = [view[name], after[name]];
    if (field && Array.isArray(old) && Array.isArray(fresh) && old.length === fresh.length)
      view[name] = old.map((one, place) =>
        one[field] === fresh[place][field] ? one : { ...one, [field]: fresh[place][field] },
      );
    else view[name] = fresh;
  }
  return view;
}

/**
 * The steps in which positions are shown. Each shows the parts of the view that its facts changed; the last one of a
 * position shows the whole.
 * @param {Position[]} positions
 * @param {View | null} before the view before them
 * @param {object} reader
 * @param {Record<string, StepRule>} reader.rules what the facts of the game mean for its board
 * @param {number | null} reader.you the seat of the reader
 * @param {boolean} [reader.watching] whether the reader's own acts are news as those of others are, as in a replay
 * @param {(event: import("../types").Event) => string | null} reader.tell
 * @returns {Step[]}
 */
export function stepsOf(positions, before, { rules, you, tell, watching = false }) {
  return positions.flatMap((position) => {
    const events = eventsOf(position);
    const mine = you !== null && position.seat === you;
    const changed = new Set();
    const steps = events.map((event, place) => {
      const { fact } = event;
      const rule = rules[fact.type] ?? OTHER;
      const text = tell(event) ?? "";
      for (const part of rule.parts) changed.add(part);
      const isLast = place === events.length - 1;
      const view = isLast || !before || !position.view ? position.view : mixed(before, position.view, changed);
      const changes = rule.changes?.(fact) ?? [];
      const act = mine && place === 0;
      const isKnown = act && !watching && !rule.chance;
      return {
        ...{ version: event.version, position, fact, text, view, changes },
        weight: !text ? 0 : isKnown ? Math.min(OWN, rule.weight) : rule.weight,
        loss: !act && changes.some(({ seat, by }) => seat === you && by < 0),
        at: rule.at?.(fact) ?? [],
        big: Boolean(rule.big) && !isKnown,
      };
    });
    before = position.view;
    return steps;
  });
}

/** Shows steps one after the other; the last one stays named by whoever draws it. */
export class Queue {
  /** The step that is shown now; null if everything was shown. @type {Step | null} */
  current = null;
  /** @type {Step[]} */ #waiting = [];
  #factor = 1;
  #timer = 0;

  /**
   * @param {object} surroundings
   * @param {() => number} surroundings.unit how many milliseconds a step of weight 1 takes; with 0 nothing is shown
   * @param {(before: Step | null) => void} surroundings.change another step is shown, or everything was
   */
  constructor({ unit, change }) {
    this.unit = unit;
    this.change = change;
  }

  /** How many steps are still to come. */
  get left() {
    return this.#waiting.filter(({ weight }) => weight > 0).length;
  }

  /** Show these steps after the others, all within a time. @param {Step[]} steps @param {number} [budget] */
  add(steps, budget = Infinity) {
    const waiting = [...this.#waiting, ...steps];
    // nobody waits for the end of a queue in which nothing happens
    const end = waiting.findLastIndex(({ weight }) => weight >= WORTH_WAITING) + 1;
    this.#waiting = waiting.slice(0, end);
    const weight = this.#waiting.reduce((sum, one) => sum + one.weight, 0);
    const unit = this.unit();
    this.#factor = Math.min(1, budget / (weight * unit || 1));
    if (unit * this.#factor < SHORTEST) return this.skip();
    if (!this.current) this.#next();
  }

  #next() {
    const before = this.current;
    let step = this.#waiting.shift();
    while (step && step.weight === 0) step = this.#waiting.shift();
    this.current = step ?? null;
    if (step) this.#timer = window.setTimeout(() => this.#next(), this.unit() * this.#factor * step.weight);
    this.change(before);
  }

  /** Show everything at once. */
  skip = () => {
    const before = this.current;
    this.close();
    this.change(before);
  };

  close() {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.current = null;
  }
}
