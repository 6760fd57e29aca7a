// The move that the user has chosen: it is dry-run, confirmed if it costs something, and sent. Moves such as those of
// loading are laid out one after the other, and sent together.
import * as api from "../../lib/api.js";
import * as commands from "../../lib/commands.js";
import { initials } from "../../lib/form.js";
import { settings } from "../../lib/settings.js";
import { moveText, offered, wordFor } from "../../lib/texts.js";
import { Untrusted } from "../../lib/trust.js";

/**
 * @typedef {import("../../types").Move} Move
 * @typedef {import("../../types").Offered} Offered
 */
/**
 * @typedef {object} Choice
 * @property {Offered} offered
 * @property {"asking" | "passes" | "refused" | "sending"} state
 * @property {import("../../types").DryRun} [answer] the answer to the dry run
 * @property {number} [version] the version of the position for which it was asked
 * @property {unknown} [problem]
 * @property {boolean} [quiet] whether it is sent without confirmation if it turns out to cost nothing
 * @property {Move} [filled] the fields of a move that is not listed
 * @property {Choice | null} earlier the choice before it in a sequence
 */
/** @typedef {{name: string, before: number, after: number}} Change a cost or gain of a move */
/**
 * The page around the choice; it moves the focus.
 * @typedef {object} Surroundings
 * @property {import("../../types").App} app
 * @property {import("./runner.js").Runner} runner
 * @property {import("../../types").Drawing} drawing
 * @property {(place: "confirm" | "stage" | "status" | {move: number}) => Promise<void>} show
 * @property {() => boolean} hasFocus whether the focus is nowhere, or in the confirmation
 */

export class Choosing {
  /** @type {Choice | null} */ choice = null;
  #asked = 0;

  /** @param {import("../../lib/match_feed.js").MatchFeed} feed @param {Surroundings} page */
  constructor(feed, page) {
    this.feed = feed;
    this.page = page;
  }

  /** The last choice that was tried and goes on: the board shows the position after it. @returns {Choice | null} */
  get base() {
    const { choice } = this;
    if (!choice) return null;
    const { offered: one, answer, state } = choice;
    const goesOn = one.index >= 0 && this.page.drawing.sequence.includes(one.move.type);
    const isTried = state === "passes" || state === "sending";
    return isTried && goesOn && answer?.legal_moves?.length ? choice : choice.earlier;
  }

  /** What the user would see after the moves that are laid out; null if there are none. */
  get view() {
    return this.base?.answer?.view ?? null;
  }

  get moves() {
    const { legal_moves: moves, labels } = this.base?.answer ?? {};
    return offered(this.feed.game, moves ? { legal_moves: /** @type {Move[]} */ (moves), labels } : this.feed.match);
  }

  /** The choices of a sequence, in order. @returns {Choice[]} */
  get sequence() {
    const found = [];
    for (let one = this.choice; one; one = one.earlier) found.unshift(one);
    return found;
  }

  /** Choose a listed move, or none; moves that are laid out stay. @param {number | null} index */
  choose = (index) => {
    const { base } = this;
    this.page.runner.problem = null;
    if (index !== null) void this.select(this.moves[index]);
    else if (this.choice !== base) this.leave(base);
    this.page.app.update();
  };

  /** Take back the chosen move, or the last one of a sequence. */
  cancel = () => {
    if (this.choice) this.leave(this.choice.earlier);
    this.page.app.update();
  };

  /** @param {Choice | null} to */
  leave(to) {
    const { offered: one } = /** @type {Choice} */ (this.choice);
    this.#asked++;
    this.choice = to;
    void this.page.show({ move: one.index });
  }

  /** Take one move out of a sequence, and those that are not possible without it. @param {number} place */
  remove = (place) => this.lay(this.sequence.filter((_, one) => one !== place));

  /** Lay out moves, as far as they are possible. @param {Choice[]} choices */
  async lay(choices) {
    this.choice = null;
    for (const { offered: one } of choices) {
      const asText = JSON.stringify(one.move);
      const found = this.moves.find(({ move }) => JSON.stringify(move) === asText);
      if (found) await this.select(found, true);
      if (this.choice && this.choice !== this.base) break;
    }
    this.page.app.update();
  }

  /** Choose a move that is not listed, such as an offer. @param {Move} move */
  propose = (move) => {
    const { type } = move;
    // until the dry run names the move
    const label = this.moves.find((one) => one.move.type === type)?.label ?? moveText(this.feed.game.words, move);
    void this.select({ index: -1, move, label });
  };

  /** @param {Offered} one @param {boolean} [again] whether it was in the sequence before */
  async select(one, again = false) {
    const { schema, type } = one.move;
    const { base: earlier } = this;
    const only = this.feed.match.legal_moves.length === 1 && one.index >= 0;
    const asks = again || schema || earlier;
    if (!asks && (settings.confirm === "none" || (settings.confirm === "costs" && only))) return this.send([one.move]);
    const goesOn = this.page.drawing.sequence.includes(type);
    const quiet = settings.confirm === "costs" && one.index >= 0 && !asks && !goesOn;
    this.choice = schema
      ? { offered: one, state: "refused", quiet, filled: { ...initials(schema), type }, earlier }
      : { offered: one, state: "asking", quiet, earlier };
    void this.page.show("stage");
    if (!schema) await this.check();
  }

  /** @param {Record<string, unknown>} value the fields of a move that is not listed */
  fill = (value) => {
    if (!this.choice) return;
    this.choice.filled = { ...value, type: this.choice.offered.move.type };
    this.page.app.update();
  };

  /**
   * Dry-run the chosen move.
   * @param {{again?: boolean}} [options] whether the position has changed under a chosen move
   */
  async check({ again = false } = {}) {
    const mine = this.choice;
    const number = ++this.#asked;
    if (!mine) return;
    const moveFocus = !again || this.page.hasFocus();
    const { version } = this.feed.match;
    Object.assign(mine, { state: "asking", answer: undefined, problem: undefined, version });
    this.page.app.update();
    const changes = await this.outcome(mine);
    if (number !== this.#asked) return;
    Object.assign(mine, changes);
    const isCurrent = this.choice === mine && version === this.feed.match.version;
    if (isCurrent && mine.state === "passes" && mine.quiet && !again && this.isFree) return this.confirm();
    mine.quiet = false;
    if (this.choice !== mine) return;
    if (!isCurrent) return void this.check({ again });
    await this.page.show(moveFocus ? "confirm" : "stage");
  }

  /** What the dry run of a choice says. @param {Choice} mine @returns {Promise<Partial<Choice>>} */
  async outcome({ offered: one }) {
    try {
      const answer = this.feed.withBotNames(await commands.dryRun(this.feed.match, this.toSend));
      const named = answer.label && one.index < 0 ? { offered: { ...one, label: answer.label } } : {};
      return { answer, state: "passes", ...named };
    } catch (problem) {
      const status = problem instanceof api.Problem ? problem.status : 0;
      if (status === 412) void this.feed.refresh();
      if (status === 401) this.page.runner.fail(problem); // shown with links to continue
      return { problem, state: "refused" };
    }
  }

  /** The moves of the sequence. */
  get toSend() {
    return this.sequence.map(({ filled, offered: { move } }) => filled ?? move);
  }

  /** The costs and gains of the chosen move, or of the whole sequence, for the user. @returns {Change[]} */
  get changes() {
    const { you, view } = this.feed.match;
    const after = this.choice?.answer?.view;
    if (!after || !view || you === null) return [];
    const then = this.holdings(after, you);
    return this.holdings(view, you)
      .map(({ name, count }, place) => ({ name, before: count, after: then[place].count }))
      .filter((one) => one.before !== one.after);
  }

  /** @param {import("../../types").View} view @param {number} seat */
  holdings(view, seat) {
    const { drawing } = this.page;
    return drawing.holdings(view, seat, { t: drawing.t, word: (id) => wordFor(this.feed.game.words, id) });
  }

  /** Whether the chosen move costs nothing, and everything that it does is known. */
  get isFree() {
    const { view, you } = this.feed.match;
    if (!this.choice?.answer?.complete || !view) return false;
    // a game that does not say what a seat has: every move may cost something
    return this.holdings(view, you ?? 0).length > 0 && this.changes.every(({ before, after }) => after >= before);
  }

  confirm = () => {
    if (this.choice?.state !== "passes") return;
    this.choice.state = "sending";
    void this.send(this.toSend);
  };

  /** @param {Move[]} moves */
  send = (moves) =>
    this.page.runner.run(async () => {
      try {
        const answer = await commands.play(this.feed.match, moves);
        this.choice = null;
        this.feed.take(answer);
        void this.page.show("status");
      } catch (error) {
        void this.feed.refresh();
        if (error instanceof Untrusted) this.choice = null;
        if (this.choice) Object.assign(this.choice, { state: "refused", quiet: false, problem: error });
        if (!this.choice || (error instanceof api.Problem && error.status === 401)) throw error;
      }
    });

  /** The position has changed: the chosen move may be gone, or do something else. */
  follow() {
    const { choice } = this;
    if (!choice) return;
    if (choice.earlier) {
      // the answers to the earlier moves of a sequence belong to the position before
      if (choice.state !== "sending" && this.isOutdated(choice)) void this.lay(this.sequence);
    } else if (choice.state !== "sending" && !this.isOffered(choice)) this.choice = null;
    else if (this.isOutdated(choice)) void this.check({ again: true });
  }

  /** Whether the move is still possible, perhaps at another place of the list. @param {Choice} choice */
  isOffered(choice) {
    const asText = JSON.stringify(choice.offered.move);
    const index = this.feed.match.legal_moves.findIndex((move) => JSON.stringify(move) === asText);
    if (index >= 0) choice.offered = { ...choice.offered, index };
    return index >= 0 || choice.offered.index < 0;
  }

  /**
   * Whether the answer to the dry run belongs to an earlier position, or the service could not be reached.
   * @param {Choice} choice
   */
  isOutdated({ state, answer, problem, version }) {
    const isAnswered = ["passes", "refused"].includes(state) && (answer || problem);
    if (!this.feed.connected || !isAnswered) return false;
    return version !== this.feed.match.version || problem instanceof api.Unreachable;
  }
}
