// A match while it is played: board, players, moves, log. The same page for players and spectators.
import * as api from "../lib/api.js";
import * as commands from "../lib/commands.js";
import { drawingOf } from "../lib/drawing.js";
import { contradicting, evidenceOf, receiptsOf } from "../lib/evidence.js";
import { refresh as lookForCalls } from "../lib/calls.js";
import { account } from "../lib/guest.js";
import { lang, t } from "../lib/i18n.js";
import * as keys from "../lib/keys.js";
import { MatchFeed, load } from "../lib/match_feed.js";
import { ratingChange } from "../lib/ratings.js";
import { reducedMotion } from "../lib/settings.js";
import { play } from "../lib/sounds.js";
import { tableOf } from "../lib/table_of.js";
import { Talk } from "../lib/talk.js";
import { eventText } from "../lib/texts.js";
import { Untrusted } from "../lib/trust.js";
import { placeBeside } from "./parts/beside.js";
import { Choosing } from "./parts/choosing.js";
import { scrollLog } from "./parts/log.js";
import { matchView } from "./parts/match_view.js";
import { keepStageVisible } from "./parts/moves.js";
import { Obstacles } from "./parts/obstacles.js";
import { tick } from "./parts/players.js";
import { endReason, ratingText, winner } from "./parts/result.js";
import { Runner } from "./parts/runner.js";
import { Staging } from "./parts/staging.js";

/** @typedef {import("../types").App} App @typedef {import("../types").Event} Event */
/** @typedef {import("./parts/result.js").More} More */
const TICK = 250;
const SOON = 50;
const STATUS = ".status-line";
const root = () => document.getElementById("main") ?? document;

/** @param {string[]} params @param {URLSearchParams} _query @param {App} app */
export async function open([id], _query, app) {
  const loaded = await load(id);
  return new MatchPage(loaded, await drawingOf(loaded.match.game), app);
}

export class MatchPage {
  copied = false;
  /** Whether the key with which the user's seat signs is not in this browser. */
  keyMissing = false;
  /** How the record of the finished match compares with the evidence in this browser. @type {More["record"]} */
  record = null;
  /** The hints of a guided first match. @type {import("./parts/guide.js").Guide | null} */ guide = null;
  /** How the result has changed the rating of the user. @type {More["rating"]} */ rating = null;
  /** @type {import("../lib/table_of.js").TableOf | null} */ table = null;
  /** Whether the match has ended while the page was open. */
  ended = false;
  #closed = false;
  #settled = false;
  #rated = false;
  #kept = false;
  /** Whether something is shown that others have done, whose end was not said yet. */ #unsaid = false;
  /** @type {string | null} */ #soughtKey = null;

  /**
   * @param {import("../lib/match_feed.js").Loaded} loaded
   * @param {import("../types").Drawing} drawing
   * @param {App} app
   */
  constructor(loaded, drawing, app) {
    this.id = loaded.match.id;
    this.app = app;
    this.drawing = drawing;
    this.runner = new Runner(app);
    if (contradicting(receiptsOf("match", this.id)).length) this.runner.fail(new Untrusted("trust.two_histories"));
    this.feed = new MatchFeed(loaded, this);
    this.choosing = new Choosing(this.feed, this);
    this.stage = new Staging(this.feed, drawing, () => this.shown());
    document.addEventListener("keydown", this.skipByKey);
    this.obstacles = new Obstacles(this.feed, app);
    this.talk = new Talk(this.id, () => this.app.update());
    this.wasRunning = this.isRunning;
    this.lookAround();
    void this.lookForTournament();
    void this.lookForGuide();
    this.clock = setInterval(() => tick(root()), TICK);
    setTimeout(() => this.drawn(), SOON);
  }

  /** Whether the match is running, or its end is still to be shown. */
  get isRunning() {
    return this.stage.match.status === "running";
  }

  /** Whether the user can move, and has seen everything before. */
  get mayAct() {
    const { you, legal_moves: moves } = this.stage.match;
    return this.isRunning && !this.stage.behind && you !== null && moves.length > 0;
  }

  /** Whether the end of the match was shown. */
  get over() {
    return this.feed.over && !this.stage.behind;
  }

  // --- what the feed reports

  change() {
    this.choosing.follow();
    this.lookAround();
    this.stage.follow();
    this.guide?.follow();
    if (this.feed.match.chance.due && !this.runner.busy)
      void this.act(() => commands.openContribution(this.feed.match));
    void this.app.drawn().then(() => this.drawn());
  }

  /** Everything that happened is said at once: a screen reader has a pace of its own. @param {Event[]} events */
  news(events) {
    const { game, names } = this.feed;
    const sentences = events.map((event) => eventText(game, event, names)).filter(Boolean);
    const byOthers = events.some(({ by }) => by !== "" && by !== api.me()?.id);
    if (this.stage.behind) {
      this.#unsaid ||= byOthers;
      if (byOthers && this.feed.match.you !== null) play("move");
    } else sentences.push(...this.conclusion(byOthers));
    if (sentences.length) this.app.announce(sentences.join(" "));
  }

  /** What follows from everything that happened; it is heard, too, unless the user did it. @param {boolean} byOthers */
  conclusion(byOthers) {
    const { match, names } = this.feed;
    if (this.over) {
      play("end");
      return match.result ? [winner(match, names)] : [t("result.aborted"), this.reason];
    }
    if (byOthers && match.you !== null) {
      play(this.mayAct ? "turn" : "move");
      if (document.visibilityState !== "visible") void lookForCalls();
    }
    return this.mayAct ? [t("match.your_turn")] : [];
  }

  /** The next step of what happened is shown, or everything was. */
  shown() {
    this.ended ||= this.wasRunning && this.over;
    this.wasRunning = this.isRunning;
    if (this.#unsaid && !this.stage.behind) {
      this.#unsaid = false;
      this.app.announce(this.conclusion(true).join(" "));
    }
    this.guide?.follow();
    void this.app.drawn().then(() => this.drawn());
  }

  /** @param {KeyboardEvent} event */
  skipByKey = (event) => {
    if (event.key === "Escape" && this.stage.step) this.stage.queue.skip();
  };

  /** @param {unknown} error */
  fail(error) {
    this.runner.fail(error);
  }

  // --- what the page finds out by itself

  /** Write what templates leave to the page: clocks, and the end of the log. */
  drawn() {
    tick(root());
    scrollLog();
    this.guide?.place();
    placeBeside(root());
  }

  lookAround() {
    void this.lookForKey();
    void this.settle();
    void this.rate();
    void this.keep();
  }

  /** Find out whether this browser has the key with which the user's seat signs: it is said before the first move. */
  async lookForKey() {
    const key = commands.keyOf(this.feed.match);
    if (key === this.#soughtKey || this.feed.over) return;
    this.#soughtKey = key;
    this.keyMissing = key !== null && (await keys.find(key)) === null;
    this.app.update();
  }

  /** When the match is over, compare its record with the evidence in this browser. */
  async settle() {
    if (this.#settled || !this.feed.over || !evidenceOf(this.id)) return;
    this.#settled = true;
    const { settle } = await import("../lib/verify.js");
    this.record = await settle(this.id).catch(() => null); // no connection: the next visit tries again
    this.app.update();
  }

  /** When the match is over, keep it for times without a connection. */
  async keep() {
    if (this.#kept || this.feed.match.status !== "finished") return;
    this.#kept = true;
    await (await import("../lib/offline.js")).keep(this.id);
  }

  /** When a rated match of the user is over, find out how it has changed the rating. */
  async rate() {
    const { rated, result, you } = this.feed.match;
    const me = api.me();
    if (this.#rated || !this.feed.over || !rated || !result || you === null || !me) return;
    this.#rated = true;
    // no connection: the next visit tries again
    this.rating = await ratingChange(this.feed.match, me.id, () => !this.#closed).catch(() => null);
    if (this.rating && !this.#closed) this.app.announce(ratingText(this.rating));
    this.app.update();
  }

  async lookForTournament() {
    this.table = await tableOf(this.feed.match).catch(() => null); // without it the match can still be played
    this.app.update();
  }

  async lookForGuide() {
    const { tags, you } = this.feed.match;
    if (!tags.includes("guide") || you === null) return;
    const { Guide } = await import("./parts/guide.js");
    if (!this.#closed) this.guide = new Guide(this);
  }

  // --- commands

  /** @param {() => Promise<import("../types").CommandAnswer | null>} command */
  act = (command) =>
    this.runner.run(async () => {
      try {
        const answer = await command();
        if (answer) this.feed.take(answer);
        if (this.feed.over) return;
        this.feed.stop();
        this.feed.follow();
      } catch (error) {
        void this.feed.refresh();
        throw error;
      }
    });

  /** @param {number} seat */
  join = (seat) =>
    this.act(async () => {
      await account();
      this.feed.match = await this.feed.load();
      return commands.join(this.feed.match, seat);
    });

  /** @param {"leave" | "start" | "resign" | "abort"} name */
  command = (name) => this.act(() => commands[name](this.feed.match));

  /** @param {number} seat @param {string} bot */
  seatBot = (seat, bot) => this.act(() => commands.seatBot(this.feed.match, seat, bot));

  /** @param {import("../lib/talk.js").Phrase} phrase */
  say = (phrase) => this.runner.run(() => this.talk.say(phrase));

  decline = () =>
    this.runner.run(
      async () => {
        await commands.decline(this.feed.match);
        this.app.go("#/lobby");
      },
      { leaves: true },
    );

  rematch = () =>
    this.runner.run(
      async () => {
        const made = await commands.rematch(this.feed.match);
        this.app.go(`#/match/${made.id}`);
      },
      { leaves: true },
    );

  renewLink = () =>
    this.runner.run(async () => {
      this.feed.match = { ...this.feed.match, link_key: await commands.renewLink(this.feed.match) };
      await this.copy();
    });

  copy = async () => {
    const { address } = this;
    try {
      await navigator.clipboard.writeText(address);
      this.copied = true;
      this.app.announce(t("setup.copied"));
    } catch {
      this.app.announce(address);
    }
    this.app.update();
  };

  /** Put the result back to its place above the board. */
  closeResult = () => {
    this.ended = false;
    void this.show("status");
  };

  close() {
    this.#closed = true;
    this.feed.close();
    this.stage.close();
    document.removeEventListener("keydown", this.skipByKey);
    this.talk.close();
    clearInterval(this.clock);
  }

  // --- the focus

  hasFocus() {
    const { activeElement: active } = document;
    return active === document.body || Boolean(active?.closest(".confirm"));
  }

  /**
   * Draw, and bring a place into view: the confirmation, the part of the board where the move was chosen, or, if the
   * focus was in the moves or nowhere, the button of a move or the line that says whose turn it is.
   * @param {"confirm" | "stage" | "status" | {move: number}} place
   */
  async show(place) {
    await this.app.drawn();
    placeBeside(root());
    if (place === "confirm") document.getElementById("confirm")?.focus({ preventScroll: true });
    if (place === "confirm" || place === "stage") return keepStageVisible(root());
    const { activeElement: active } = document;
    if (active && active !== document.body && !active.closest(".confirm, .moves")) return;
    const target = typeof place === "object" && document.querySelector(`[data-move="${place.move}"]`);
    /** @type {HTMLElement | null} */ (target || document.querySelector(STATUS))?.focus();
  }

  // --- what it shows

  /** The address of the match; for a private match with its key, if the user has it. */
  get address() {
    const key = this.feed.match.link_key ?? api.keyFor(this.id);
    const query = this.feed.match.private && key ? `?key=${key}` : "";
    return `${location.href.split(/[?#]/)[0]}#/match/${this.id}${query}`;
  }

  get reason() {
    return endReason(this.feed.game, this.feed.events, this.feed.names);
  }

  get status() {
    const { match } = this.stage;
    const { names } = this.feed;
    if (match.status === "open") return t("status.open");
    if (match.status === "aborted") return t("result.aborted");
    if (match.status === "finished") return winner(match, names);
    if (match.you !== null && match.to_act.includes(match.you)) return t("match.your_turn");
    const acting = match.to_act.map((seat) => names[seat]).join(", ");
    if (!acting) return t("match.going");
    return t(this.mayAct ? "match.turn_of" : "match.waiting", { names: acting });
  }

  /** What the board draws. @param {import("../types").View} view @returns {import("../types").BoardContext} */
  context(view) {
    const { game, data, since, names } = this.feed;
    const { match, previous, step } = this.stage;
    const { choice, base, moves, choose, propose } = this.choosing;
    return {
      ...{ game, data, match, view, previous, names, moves, choose, propose, step },
      since: base ? match.view : since,
      words: game.words,
      language: lang(),
      t: this.drawing.t,
      obstacles: this.obstacles.found,
      askObstacles: this.obstacles.ask,
      chosen: choice && choice !== base && choice.offered.index >= 0 ? choice.offered.index : null,
      you: match.you,
      interactive: this.mayAct && !this.runner.busy,
      reducedMotion: reducedMotion(),
    };
  }

  title = () => `${this.mayAct ? "● " : ""}${this.feed.game.title}`;
  view = () => matchView(this);
}
