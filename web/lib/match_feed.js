// The page's copy of a match: position, facts and connection, updated by one stream.
import * as api from "./api.js";
import { compared } from "./evidence.js";
import { lang } from "./i18n.js";
import { pick } from "../verifier/formats.mjs";
import { eventsOf, withViews } from "./replay.js";
import { follow } from "./stream.js";
import { namesOf, tellQuery, withBotNames } from "./texts.js";

/**
 * @typedef {import("../types").Match} Match
 * @typedef {import("../types").Event} Event
 * @typedef {import("../types").CommandAnswer} CommandAnswer
 * @typedef {import("../types").View} View
 */
/** @typedef {Awaited<ReturnType<typeof load>>} Loaded */
/** @typedef {{change(): void, news(events: Event[]): void, fail(error: unknown): void}} Listener */

const MAX_EVENTS = 300;
const POSITIONS_BACK = 40;
const SOON = 25;
const LATER = 3000;
/** The fields of a match in a `turn` event. */
const TURN = ["status", "version", "at", "you", "to_act", "legal_moves", "labels", "view", "clock", "result", "head"];

/** The facts after which the seats may have changed. */
const OF_SEATS = /^(seat|invitation|match)_/;

/**
 * Note when an answer came: its clock runs from then on.
 * @template T
 * @param {T & {clock?: object}} answer
 * @returns {T}
 */
const received = (answer) => (answer.clock ? { ...answer, clock: { ...answer.clock, received: Date.now() } } : answer);

const isOver = (/** @type {Match} */ { status }) => ["finished", "aborted"].includes(status);

/** @param {string} id @returns {Promise<Match>} */
const loadMatch = async (id) => compared(received(await api.get(`/v1/matches/${id}`, tellQuery())));

/** Load what the page of a match shows first. @param {string} id */
export async function load(id) {
  const match = await loadMatch(id);
  const [game, data, page, since] = await Promise.all([
    api.game(match.game, lang()),
    api.dataSet(match.ruleset.game, match.ruleset.data, lang()).catch(() => null),
    api.get(`/v1/matches/${id}/events`, {
      after: Math.max(0, match.version - MAX_EVENTS),
      limit: MAX_EVENTS,
      ...tellQuery(),
    }),
    loadSince(match),
  ]);
  const events = /** @type {Event[]} */ (page.events).filter(({ version }) => version <= match.version);
  return { match, game, data, events, since };
}

/** The view to compare the first shown position with. @param {Match} match */
async function loadSince({ id, status, version, you }) {
  if (status !== "running") return null;
  const page = await api
    .get(`/v1/matches/${id}/positions`, { from: Math.max(1, version - POSITIONS_BACK), to: version })
    .catch(() => null);
  const positions = page ? withViews(page.positions) : [];
  const place = you === null ? positions.length - 2 : positions.findLastIndex((one) => one.seat === you);
  return positions[Math.max(0, place)]?.view ?? null;
}

export class MatchFeed {
  /** Whether the stream is connected, and whether the last request was answered. */
  streaming = true;
  answered = true;
  closed = false;
  stop = () => {};
  /** @type {Event[]} */ newEvents = [];
  timer = 0;
  refreshing = false;
  /** Whether the seats have changed since they were loaded: a `turn` event does not contain them. */
  outdated = false;
  /** @type {View | null} */ previous = null;

  /** Follow a match. @param {Loaded} loaded @param {Listener} listener */
  constructor({ match, game, data, events, since }, listener) {
    const named = withBotNames(match.seats);
    this.match = named(match);
    this.game = game;
    this.data = data;
    this.events = events.map(named);
    /** The view after the user's last command; for spectators, the one before the last command. */
    this.since = since;
    this.seen = match.version;
    this.listener = listener;
    if (!this.over) this.follow();
  }

  get names() {
    return namesOf(this.match.seats);
  }

  /** Puts the names of house bots in the texts of an answer. */
  get withBotNames() {
    return withBotNames(this.match.seats);
  }

  get over() {
    return isOver(this.match);
  }

  /** Whether the user sees every change; always true once the match is over. */
  get connected() {
    return this.over || (this.streaming && this.answered);
  }

  /** The match as the service shows it now. */
  load() {
    return loadMatch(this.match.id);
  }

  follow() {
    this.stop = follow({
      path: `/v1/matches/${this.match.id}/events`,
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

  /** @param {string} type @param {unknown} data */
  handleEvent(type, data) {
    if (this.closed) return;
    if (type === "fact") this.add([/** @type {Event} */ (data)]);
    if (type === "turn") return this.take(/** @type {Match} */ (pick(/** @type {Match} */ (data), TURN)));
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
    const named = unknown.map(this.withBotNames);
    this.events = [...this.events, ...named].slice(-MAX_EVENTS);
    this.newEvents.push(...named);
    if (unknown.some(({ fact }) => OF_SEATS.test(fact.type))) this.outdated = true;
  }

  /** Reload the position, one request at a time. */
  async refresh() {
    if (this.refreshing || this.closed) return;
    this.refreshing = true;
    try {
      do {
        const position = await this.load();
        this.answered = true;
        this.take(position);
      } while ((this.outdated || this.match.version < this.seen) && !this.closed);
    } catch (error) {
      if (this.closed) return;
      if (!(error instanceof api.Unreachable)) return this.listener.fail(error);
      this.answered = false;
      this.listener.change();
      this.refreshSoon(LATER);
    } finally {
      this.refreshing = false;
    }
  }

  /** @param {Match & Partial<CommandAnswer>} position of this version or later */
  take(position) {
    if (this.closed || position.version < this.match.version) return;
    clearTimeout(this.timer);
    if (position.version > this.match.version) this.previous = this.match.view;
    if (this.match.you === null) this.since = this.previous;
    else if (position.receipt) this.since = position.view ?? null;
    const { facts, texts, first, receipt, ...fields } = position;
    const seats = fields.seats ?? this.match.seats;
    this.match = { ...this.match, ...withBotNames(seats)(received(fields)) };
    if (fields.seats && position.version >= this.seen) this.outdated = false;
    if (facts) this.add(eventsOf({ first: first ?? 0, at: this.match.at, by: "", facts, texts }));
    // Facts that are newer than this position are told with theirs, which may be the end.
    const news = this.newEvents.filter(({ version }) => version <= this.match.version);
    this.newEvents = this.newEvents.filter(({ version }) => version > this.match.version);
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
