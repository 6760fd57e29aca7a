// A match move by move: slider, speed, jumps, choice of viewer, points over time, continuing from a position.
import * as api from "../lib/api.js";
import { drawingOf } from "../lib/drawing.js";
import { account } from "../lib/guest.js";
import { lang, t } from "../lib/i18n.js";
import { PACES, Queue, stepsOf } from "../lib/queue.js";
import { eventsOf, pointsOf, read } from "../lib/replay.js";
import { reducedMotion } from "../lib/settings.js";
import { eventText, namesOf, tellQuery, withBotNames } from "../lib/texts.js";
import { Analysis } from "./parts/analysis.js";
import { scrollLog } from "./parts/log.js";
import { replayView } from "./parts/replay_view.js";
import { Runner } from "./parts/runner.js";

/**
 * @typedef {import("../types").App} App
 * @typedef {import("../types").Match} Match
 * @typedef {import("../types").Position} Position
 */
const LINK_PAUSE = 300;
const STILL = 100;
const SOON = 50;
/** How many sentences are shown: while the slider is dragged, only those that can be seen without scrolling. */
const SHOWN_FACTS = 60;
const SHOWN_IN_PASSING = 14;
const SEAT = /^\d+$/;

/** @param {string[]} params @param {URLSearchParams} query @param {App} app */
export async function open([id], query, app) {
  const match = /** @type {Match} */ (await api.get(`/v1/matches/${id}`, tellQuery()));
  const [game, data, drawing] = await Promise.all([
    api.game(match.game, lang()),
    api.dataSet(match.ruleset.game, match.ruleset.data, lang()).catch(() => null),
    drawingOf(match.game),
  ]);
  const page = new ReplayPage({ match, game, data, drawing }, query.get("eyes"), app);
  await page.load(Number(query.get("at")) || null);
  if (query.has("analyse") && page.over) void page.analysis.ask();
  setTimeout(scrollLog, SOON);
  return page;
}

export class ReplayPage {
  /** @type {Position[]} */ positions = [];
  /** The points of each seat, and the round, at each position. @type {(number[] | null)[]} */ points = [];
  /** @type {(number | null)[]} */ rounds = [];
  /** The first position of each round. @type {{round: number, place: number}[]} */ starts = [];
  /** The position that is shown, and the one from which pieces glide here. */
  at = 0;
  before = -1;
  /** The version to show, even if it is not loaded yet. @type {number | null} */ goal = null;
  speed = 1;
  /** Whether it goes on by itself. */
  playing = false;
  /** What happened at the position that is shown, while it goes on by itself. */
  queue = new Queue({ unit: () => PACES.normal / this.speed, change: () => this.follow() });
  complete = false;
  copied = false;
  /** Whether the slider is being dragged: then nothing is animated. */
  passing = false;
  #closed = false;
  #reading = 0;
  #timer = 0;
  #pause = 0;
  #moved = 0;

  /**
   * @param {object} loaded
   * @param {Match} loaded.match
   * @param {import("../types").Game} loaded.game
   * @param {import("../types").DataSet | null} loaded.data
   * @param {import("../types").Drawing} loaded.drawing
   * @param {string | null} eyes whose view is shown: a seat, `spectator`, `arbiter`, or null for the user's own
   * @param {App} app
   */
  constructor({ match, game, data, drawing }, eyes, app) {
    this.match = match;
    this.game = game;
    this.data = data;
    this.drawing = drawing;
    this.eyes = eyes;
    this.app = app;
    this.names = namesOf(match.seats);
    this.follower = match.you ?? 0;
    this.runner = new Runner(app);
    this.analysis = new Analysis(this);
  }

  get over() {
    return ["finished", "aborted"].includes(this.match.status);
  }

  get here() {
    return this.positions[this.at];
  }

  get last() {
    return this.positions.length - 1;
  }

  get round() {
    return this.rounds[this.at];
  }

  // --- loading

  /** Read all positions, and show the one of a version; null is the first. @param {number | null} version */
  async load(version) {
    const number = ++this.#reading;
    this.goal = version;
    this.complete = false;
    let isFirst = true;
    await read(
      this.match.id,
      this.eyes,
      (part, isLast) => {
        if (isFirst) Object.assign(this, { positions: [], points: [], rounds: [] });
        isFirst = false;
        this.add(part);
        this.complete = isLast;
        if (isLast && this.match.status === "finished")
          void import("../lib/offline.js").then(({ keep }) => keep(this.match.id));
      },
      () => this.#closed || number !== this.#reading,
    );
  }

  /** @param {Position[]} part */
  add(part) {
    this.positions = this.positions.concat(part.map(withBotNames(this.match.seats)));
    this.points = this.points.concat(part.map(({ view }) => pointsOf(view, this.match.seats.length)));
    this.rounds = this.rounds.concat(part.map(({ view }) => /** @type {number | undefined} */ (view?.round) ?? null));
    this.starts = this.rounds.flatMap((round, place) =>
      round !== null && round !== this.rounds[place - 1] ? [{ round, place }] : [],
    );
    this.at = this.goal === null ? this.firstView : this.indexOf(this.goal);
    this.draw();
  }

  get firstView() {
    return Math.max(
      0,
      this.positions.findIndex((one) => one.view),
    );
  }

  /** @param {number} version */
  indexOf(version) {
    return Math.max(
      0,
      this.positions.findLastIndex((one) => one.version <= version),
    );
  }

  /** Draw, and scroll the sentences to the last one. */
  draw() {
    void this.app.drawn().then(scrollLog);
  }

  // --- going to another position

  /** Show a position, and not what happened there. @param {number} index */
  jump = (index) => {
    this.queue.close();
    clearTimeout(this.#pause);
    this.show(index);
    if (this.playing) this.#pause = window.setTimeout(() => this.advance(), PACES.slow);
  };

  /** @param {number} index */
  show(index) {
    const next = Math.max(0, Math.min(this.last, index));
    const now = performance.now();
    this.passing = now - this.#moved < STILL;
    this.before = next === this.at + 1 && !this.passing ? this.at : -1;
    this.#moved = now;
    this.at = next;
    this.goal = this.here.version;
    this.copied = false;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.settle(), LINK_PAUSE);
    this.draw();
  }

  /** Show the whole position once the slider stops. */
  settle() {
    this.showAddress();
    if (!this.passing) return;
    this.passing = false;
    this.draw();
  }

  /** Go to the next position that meets a condition. @param {(place: number) => boolean} condition */
  next(condition) {
    for (let place = this.at + 1; place < this.positions.length; place++) if (condition(place)) return this.jump(place);
  }

  nextRound = () => this.next((place) => this.rounds[place] !== this.round && this.rounds[place] !== null);

  nextDecision = () =>
    this.next(
      (place) =>
        this.positions[place].to_act.includes(this.follower) && this.positions[place + 1]?.seat === this.follower,
    );

  /** @param {string} round as it is chosen from the list */
  toRound = (round) => this.jump(this.starts.find((one) => String(one.round) === round)?.place ?? this.at);

  // --- playing

  play = () => {
    if (this.playing) return this.stop();
    if (this.at >= this.last) this.show(this.firstView);
    this.playing = true;
    this.advance();
  };

  /** Go to the next position, and show step by step what happened there. */
  advance() {
    if (this.at >= this.last) return this.stop();
    this.show(this.at + 1);
    const { game, names, drawing, seat: you } = this;
    const tell = (/** @type {import("../types").Event} */ event) => eventText(game, event, names);
    const steps = stepsOf([this.here], this.positions[this.at - 1].view, {
      ...{ rules: drawing.steps, you, tell },
      watching: true,
    });
    if (steps.some(({ weight }) => weight > 0)) this.queue.add(steps);
    else this.#pause = window.setTimeout(() => this.advance(), PACES.normal / this.speed / 4);
  }

  /** The next step is shown, or all of this position were. */
  follow() {
    if (this.queue.current || !this.playing) this.draw();
    else this.advance();
  }

  stop() {
    clearTimeout(this.#pause);
    this.queue.close();
    this.playing = false;
    this.app.update();
  }

  /** @param {string} speed */
  setSpeed = (speed) => {
    this.speed = Number(speed);
    this.app.update();
  };

  // --- commands

  /** See the match with other eyes. @param {string} eyes */
  look = (eyes) =>
    this.runner.run(async () => {
      this.eyes = eyes === "own" ? null : eyes;
      await this.load(this.here?.version ?? null);
      this.showAddress();
    });

  /** Continue from this position in a match of one's own. */
  playOn = () =>
    this.runner.run(async () => {
      await account();
      const { version, to_act: acting } = this.here;
      const seat = acting[0] ?? this.follower;
      const made = await api.post(`/v1/matches/${this.match.id}/branches`, { version, seat });
      this.app.go(`#/match/${made.id}`);
    });

  copy = async () => {
    this.showAddress();
    await navigator.clipboard.writeText(location.href).catch(() => undefined);
    this.copied = true;
    this.app.announce(t("setup.copied"));
    this.app.update();
  };

  close() {
    this.#closed = true;
    this.analysis.close();
    this.stop();
    clearTimeout(this.#timer);
  }

  /** @param {URLSearchParams} query */
  revisit(query) {
    if ((query.get("eyes") ?? null) !== this.eyes) return false;
    const version = Number(query.get("at"));
    this.jump(version ? this.indexOf(version) : this.firstView);
    return true;
  }

  // --- what it shows

  /** The address of a version. @param {number} version */
  address = (version) =>
    `#/match/${this.match.id}/replay?at=${version}${this.eyes === null ? "" : `&eyes=${this.eyes}`}`;

  /** Put the position into the address, unless the user has gone to another page: its event comes later. */
  showAddress() {
    const { id, private: hidden } = this.match;
    const key = hidden && api.keyFor(id);
    if (!location.hash.startsWith(`#/match/${id}/replay`)) return;
    history.replaceState(null, "", `${this.address(this.here?.version ?? 0)}${key ? `&key=${key}` : ""}`);
  }

  get events() {
    const most = this.passing ? SHOWN_IN_PASSING : SHOWN_FACTS;
    return this.positions
      .slice(Math.max(0, this.at + 1 - most), this.at + 1)
      .flatMap(eventsOf)
      .slice(-most);
  }

  /** What happened at this position, in one sentence. */
  get caption() {
    return (
      this.queue.current?.text ??
      eventsOf(this.here)
        .map((event) => eventText(this.game, event, this.names))
        .find(Boolean) ??
      ""
    );
  }

  get where() {
    const where = t("replay.where", { number: this.at + 1, count_of: this.positions.length });
    return this.round === null ? where : `${where} · ${t("replay.round", { round: String(this.round) })}`;
  }

  /** The match as it was at this position. @returns {Match} */
  get shown() {
    const { match, here, at, last } = this;
    const { view, version, status, to_act } = here;
    const result = at === last ? match.result : null;
    return { ...match, view, version, status, to_act, result, clock: { ...match.clock, seats: undefined } };
  }

  /** The seat whose view is shown; null for a spectator. */
  get seat() {
    return this.eyes !== null && SEAT.test(this.eyes) ? Number(this.eyes) : this.match.you;
  }

  /** What the board draws. @param {import("../types").View} view @returns {import("../types").BoardContext} */
  context(view) {
    const { game, data, names, drawing, positions, at } = this;
    const step = this.queue.current;
    return {
      ...{ game, data, names, step },
      view: step?.view ?? view,
      match: this.shown,
      words: game.words,
      language: lang(),
      t: drawing.t,
      previous: this.before >= 0 ? (positions[this.before]?.view ?? null) : null,
      since: this.passing ? null : (positions[at - 1]?.view ?? null),
      moves: [],
      chosen: null,
      choose() {},
      propose() {},
      you: this.seat,
      interactive: false,
      reducedMotion: reducedMotion() || !this.playing || this.speed > 2,
    };
  }

  title = () => t("text.labelled", { name: t("replay.title"), value: this.game.title });
  view = () => replayView(this);
}
