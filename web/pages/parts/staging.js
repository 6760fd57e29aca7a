// The match as its reader sees it: while the moves of others are shown one by one, it is behind the match itself.
import { Queue, PACES, budgetOf, stepsOf } from "../../lib/queue.js";
import { read } from "../../lib/replay.js";
import { reducedMotion, settings } from "../../lib/settings.js";
import { eventText } from "../../lib/texts.js";

/**
 * @typedef {import("../../types").Match} Match
 * @typedef {import("../../types").Position} Position
 * @typedef {import("../../types").Step} Step
 * @typedef {import("../../types").Event} Event
 * @typedef {import("../../lib/match_feed.js").MatchFeed} MatchFeed
 */
/** The most positions that are shown; after a long absence the earlier ones are left out. */
const MOST = 60;
/** The most sentences of the list. */
const MOST_LISTED = 60;

/** The time on the clock of the reader, if it is running. @param {Match} match @param {number} now */
export function timeLeft({ clock, you }, now = Date.now()) {
  const own = you === null ? undefined : clock.seats?.[you];
  return own?.deadline ? own.remaining_ms - (now - (clock.received ?? now)) : null;
}

export class Staging {
  /** What has happened since the reader's last move. @type {Step[]} */ list = [];
  /** The view that was shown before: pieces glide from there. @type {import("../../types").View | null} */
  previous = null;
  #loading = false;
  #closed = false;

  /**
   * @param {MatchFeed} feed
   * @param {import("../../types").Drawing} drawing
   * @param {() => void} change something else is shown
   */
  constructor(feed, drawing, change) {
    this.feed = feed;
    this.drawing = drawing;
    this.change = change;
    /** The match as it was drawn last. */
    this.shown = feed.match;
    /** The version up to which steps are known, and its view. */
    this.reached = feed.match.version;
    this.last = feed.match.view;
    this.queue = new Queue({ unit: () => this.unit, change: () => this.draw() });
  }

  /** How many milliseconds a step of weight 1 takes: nobody waits for what can't be seen, or must not move. */
  get unit() {
    return reducedMotion() || document.visibilityState === "hidden" ? 0 : PACES[settings.pace];
  }

  get step() {
    return this.queue.current;
  }

  /** Whether the match has gone on since what is shown: legal moves wait until everything was shown. */
  get behind() {
    return this.#loading || this.step !== null;
  }

  /** The match as it is shown. @returns {Match} */
  get match() {
    const { match } = this.feed;
    if (!this.step) return this.#loading ? this.shown : match;
    const { view, position } = this.step;
    return { ...match, view, to_act: position.to_act, status: "running", result: null, legal_moves: [] };
  }

  draw() {
    const { view } = this.shown;
    this.shown = this.match;
    if (this.shown.view !== view) this.previous = view;
    this.change();
  }

  /** The match has changed: show what happened before its new position. */
  follow() {
    const { match, events } = this.feed;
    if (match.version > this.reached && match.view && !this.#loading) {
      const fresh = events.filter(({ version }) => version > this.reached && version <= match.version);
      const position = this.oneEntry(fresh);
      if (position) this.take([position]);
      else if (this.unit && fresh.length) void this.load();
      else this.pass(fresh);
    }
    if (!this.behind) this.draw();
  }

  /**
   * Events that a single command of a player has caused, as a position; null if they are more than that.
   * @param {Event[]} events
   */
  oneEntry(events) {
    const { match } = this.feed;
    if (events[0]?.version !== this.reached + 1 || events[events.length - 1].version !== match.version) return null;
    const { at, by } = events[0];
    if (by === "house" || events.some((one) => one.at !== at || one.by !== by)) return null;
    // the answer to the reader's own command does not say who sent it
    const own = by === "" || (match.you !== null && match.seats[match.you].player?.id === by);
    return this.positionOf(events, own ? match.you : null);
  }

  /** @param {Event[]} events @param {number | null} seat @returns {Position} */
  positionOf(events, seat) {
    const { view, version, status, to_act } = this.feed.match;
    const { version: first, at, by } = events[0];
    const texts = events.map(({ text = null }) => text);
    const facts = events.map(({ fact }) => fact);
    return { ...{ version, first, at, by, seat, facts, texts, status, to_act, view }, remaining_ms: null };
  }

  /** Only name what happened: nothing of it is shown. @param {Event[]} events */
  pass(events) {
    const { match } = this.feed;
    Object.assign(this, { reached: match.version, last: match.view });
    if (events.length) this.note(this.stepsOf([this.positionOf(events, null)], null));
  }

  /** Load the positions that the reader has not seen, and show them. */
  async load() {
    const { feed, reached } = this;
    this.#loading = true;
    /** @type {Position[]} */
    let positions = [];
    await read(
      feed.match.id,
      null,
      (part) => (positions = positions.concat(part)),
      () => this.#closed,
      { from: reached + 1, to: feed.match.version },
    ).catch(() => (positions = [])); // no connection: the newest position is shown without those before
    this.#loading = false;
    if (this.#closed) return;
    const unseen = positions.filter(({ version, view }) => version > reached && view).map(feed.withBotNames);
    if (unseen.length) this.take(unseen.slice(-MOST));
    else this.pass(feed.events.filter(({ version }) => version > reached && version <= feed.match.version));
    this.follow();
  }

  /** Show positions after those that are waiting. @param {Position[]} positions */
  take(positions) {
    const steps = this.stepsOf(positions, this.last);
    const { version, view } = positions[positions.length - 1];
    Object.assign(this, { reached: version, last: view });
    this.note(steps);
    this.queue.add(steps, budgetOf(settings.pace, timeLeft(this.feed.match)));
  }

  /** @param {Position[]} positions @param {import("../../types").View | null} before */
  stepsOf(positions, before) {
    const { game, match, names } = this.feed;
    return stepsOf(positions, before, {
      rules: this.drawing.steps,
      you: match.you,
      tell: (event) => eventText(game, event, names),
    });
  }

  /** Add steps to the list, which begins with the reader's last move. @param {Step[]} steps */
  note(steps) {
    const { you } = this.feed.match;
    const own = steps.findLast(({ position: { seat } }) => seat !== null && seat === you);
    const fresh = own ? steps.slice(steps.findIndex(({ position }) => position === own.position)) : steps;
    this.list = [...(own ? [] : this.list), ...fresh.filter(({ text }) => text)].slice(-MOST_LISTED);
  }

  close() {
    this.#closed = true;
    this.queue.close();
  }
}
