// The page's copy of a match: position, facts and connection, updated by one stream.
import * as api from "./api.js";
import { compared } from "./evidence.js";
import { lang } from "./i18n.js";
import { eventsOf, withViews } from "./replay.js";
import { follow } from "./stream.js";
import { namesOf, tellQuery } from "./texts.js";

/** @typedef {import("../types").Match} Match @typedef {import("../types").Event} Event */

const MAX_EVENTS = 300;
const POSITIONS_BACK = 40;
const SOON = 25;
const LATER = 3000;
/** The fields of a match in a `turn` event. */
const TURN = ["status", "version", "at", "you", "to_act", "legal_moves", "labels", "view", "clock", "result", "head"];

/** The facts after which the seats may have changed. */
const OF_SEATS = /^(seat|invitation|match)_/;

/** Note when an answer came: its clocks run from then on. @template T @param {T & {clock?: any}} answer @returns {T} */
const received = (answer) => (answer.clock ? { ...answer, clock: { ...answer.clock, received: Date.now() } } : answer);

export class MatchFeed {
  /** @param {string} id @param {{change(): void, news(events: Event[]): void, fail(error: Error): void}} listener */
  constructor(id, listener) {
    this.id = id;
    this.listener = listener;
    /** @type {Match} */ this.match = /** @type {any} */ (null);
    /** @type {import("../types").Game} */ this.game = /** @type {any} */ (null);
    /** @type {any} */ this.data = null;
    /** @type {any} */ this.previous = null;
    /**
     * The view after the user's last command; for spectators, the one before the last command.
     * @type {any}
     */
    this.since = null;
    /** @type {Event[]} */ this.events = [];
    /** Whether the stream is connected, and whether the last request was answered. */
    this.streaming = true;
    this.answered = true;
    this.closed = false;
    this.stop = () => {};
    /** @type {Event[]} */ this.newEvents = [];
    this.timer = 0;
    this.refreshing = false;
    this.seen = 0;
    /** Whether the seats have changed since they were loaded: a `turn` event does not contain them. */
    this.outdated = false;
  }

  get names() {
    return namesOf(this.match.seats);
  }

  /** Load the match and follow it. */
  async start() {
    this.match = received(await this.loadMatch());
    [this.game, this.data] = await Promise.all([
      api.game(this.match.game, lang()),
      api.dataSet(this.match.ruleset.game, this.match.ruleset.data, lang()).catch(() => null),
    ]);
    const after = Math.max(0, this.match.version - MAX_EVENTS);
    const [page] = await Promise.all([
      api.get(`/v1/matches/${this.id}/events`, { after, limit: MAX_EVENTS, ...tellQuery() }),
      this.loadSince(),
    ]);
    this.events = page.events.filter((/** @type {Event} */ event) => event.version <= this.match.version);
    this.seen = this.match.version;
    if (!this.over) this.follow();
  }

  /** Load the view to compare the first shown position with. */
  async loadSince() {
    const { status, version, you } = this.match;
    if (status !== "running") return;
    const page = await api
      .get(`/v1/matches/${this.id}/positions`, { from: Math.max(1, version - POSITIONS_BACK), to: version })
      .catch(() => null);
    const positions = page ? withViews(page.positions) : [];
    const place = you === null ? positions.length - 2 : positions.findLastIndex((one) => one.seat === you);
    this.since = positions[Math.max(0, place)]?.view ?? null;
  }

  get over() {
    return ["finished", "aborted"].includes(this.match.status);
  }

  /** Whether the user sees every change; always true once the match is over. */
  get connected() {
    return this.over || (this.streaming && this.answered);
  }

  /** @returns {Promise<Match>} */
  async loadMatch() {
    return compared(await api.get(`/v1/matches/${this.id}`, tellQuery()));
  }

  follow() {
    this.stop = follow({
      path: `/v1/matches/${this.id}/events`,
      query: { turns: this.match.you !== null || null, ...tellQuery() },
      after: this.seen,
      onEvent: (type, data) => this.handleEvent(type, data),
      onState: (connected) => this.connection(connected),
      onRefused: (problem) => this.listener.fail(problem),
    });
  }

  /** @param {boolean} connected */
  connection(connected) {
    if (this.closed || this.streaming === connected) return;
    this.streaming = connected;
    this.listener.change();
    if (connected) void this.refresh();
  }

  /** @param {string} type @param {any} data */
  handleEvent(type, data) {
    if (this.closed) return;
    if (type === "fact") this.add([data]);
    if (type === "turn")
      return this.take(Object.fromEntries(TURN.filter((name) => name in data).map((name) => [name, data[name]])));
    if (type === "fact" || type === "end") this.refreshSoon();
  }

  refreshSoon(pause = SOON) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.refresh(), pause);
  }

  /** @param {Event[]} events the new ones */
  add(events) {
    const unknown = events.filter((event) => event.version > this.seen);
    if (unknown.length === 0) return;
    this.seen = unknown[unknown.length - 1].version;
    this.events = [...this.events, ...unknown].slice(-MAX_EVENTS);
    this.newEvents.push(...unknown);
    if (unknown.some(({ fact }) => OF_SEATS.test(fact.type))) this.outdated = true;
  }

  /** Reload the position, one request at a time. */
  async refresh() {
    if (this.refreshing || this.closed) return;
    this.refreshing = true;
    try {
      do {
        const position = await this.loadMatch();
        this.answered = true;
        this.take(position);
      } while ((this.outdated || this.match.version < this.seen) && !this.closed);
    } catch (error) {
      if (this.closed) return;
      if (!(error instanceof api.Unreachable)) return this.listener.fail(/** @type {Error} */ (error));
      this.answered = false;
      this.listener.change();
      this.refreshSoon(LATER);
    } finally {
      this.refreshing = false;
    }
  }

  /** @param {any} position a match, or the answer to a command, of this version or later */
  take(position) {
    if (this.closed || position.version < this.match.version) return;
    clearTimeout(this.timer);
    if (position.version > this.match.version) this.previous = this.match.view;
    if (this.match.you === null) this.since = this.previous;
    else if (position.receipt) this.since = position.view ?? null;
    const { facts, texts, first, receipt, ...fields } = position;
    this.match = { ...this.match, ...received(fields) };
    if (fields.seats && position.version >= this.seen) this.outdated = false;
    if (facts) this.add(eventsOf({ first, at: this.match.at, by: "", facts, texts }));
    const news = this.newEvents;
    this.newEvents = [];
    if (this.over) this.stop();
    else if (this.outdated || this.match.version < this.seen) this.refreshSoon(); // the stream was ahead of this answer
    this.listener.change();
    if (news.length) this.listener.news(news);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.stop();
  }
}
