// The element of a board: it draws the context that the page gives it, and remembers a choice in progress.
import { chosenMove } from "./context.js";
import { render } from "./lit.js";
import { boxesOf, glide, markNews, placesOf } from "./motion.js";
import { keepOneTabStop, onArrow } from "./roving.js";

/** @typedef {import("../types").AnyContext} Context */

/**
 * The legal moves as text, to compare them: the page creates a new list whenever it draws.
 * @param {Context} context
 */
const listing = (context) => JSON.stringify(context.moves.map(({ move }) => move));

/**
 * @template {Context} C
 * @template {{asking?: number[] | null}} L the choice in progress
 */
export class BoardElement extends HTMLElement {
  /** @type {C | null} */
  #context = null;

  /** The choice in progress: a tool, a cube, an open dialog. It is reset when the legal moves change. */
  local = /** @type {L} */ ({});

  /**
   * The pieces and places of the views drawn so far, to find new ones.
   * @type {WeakMap<object, Set<string>>}
   */
  #drawn = new WeakMap();

  connectedCallback() {
    this.addEventListener("keydown", onArrow);
    this.#show();
  }

  /** @param {C} context */
  set context(context) {
    const before = this.#context;
    this.#context = context;
    if (!before || before.view !== context.view || listing(before) !== listing(context))
      this.local = this.keepChoice(this.local);
    const chosen = chosenMove(context);
    if (chosen && context.chosen !== before?.chosen) Object.assign(this.local, this.choiceFor(chosen));
    const moves = before && before.view !== context.view && context.previous && !context.reducedMotion;
    const old = moves && this.isConnected ? boxesOf(this) : null;
    this.#show();
    if (old) glide(this, old, this.wayOf(context));
  }

  /** Draw; if the view to compare with has not been drawn yet, draw that one first. */
  #show() {
    const context = this.#context;
    if (context?.since && this.isConnected && !this.#drawn.has(context.since)) {
      this.#context = { ...context, view: context.since, moves: [], chosen: null, interactive: false };
      this.update();
      this.#context = context;
    }
    this.update();
  }

  get context() {
    return /** @type {C} */ (this.#context);
  }

  /**
   * The part of the choice that is kept when the position changes.
   * @param {L} _local
   * @returns {L}
   */
  keepChoice(_local) {
    return /** @type {L} */ ({});
  }

  /**
   * The choice in progress that fits a chosen move, which may have been chosen elsewhere on the page.
   * @param {C["moves"][number]["move"]} _move
   * @returns {Partial<L>}
   */
  choiceFor(_move) {
    return {};
  }

  /**
   * Change the choice in progress and draw again.
   * @param {Partial<L>} changes
   */
  update(changes = {}) {
    Object.assign(this.local, changes);
    if (!this.#context || !this.isConnected) return;
    render(this.template(this.#context), this);
    if (this.#context.interactive) keepOneTabStop(this);
    this.#compare(this.#context);
    this.#markStep(this.#context);
    this.updated();
  }

  /**
   * Mark the pieces that are new since an earlier view, if the page asks for it.
   * @param {C} context
   */
  #compare({ since, view }) {
    if (!since) return markNews(this, null);
    this.#drawn.set(view, placesOf(this));
    markNews(this, this.#drawn.get(since) ?? null);
  }

  /**
   * The way of the piece that moves in the step that is shown, in the coordinates of the piece.
   * @param {C} _context
   * @returns {import("./motion.js").Way | null}
   */
  wayOf(_context) {
    return null;
  }

  /** Mark the places of the step that is shown. @param {C} context */
  #markStep({ step }) {
    for (const element of this.querySelectorAll("[data-told]")) element.removeAttribute("data-told");
    for (const selector of step?.at ?? [])
      for (const element of this.querySelectorAll(selector))
        element.setAttribute("data-told", step?.loss ? "loss" : "");
  }

  /** Called after each drawing. */
  updated() {}

  /** @param {C} _context @returns {unknown} */
  template(_context) {
    throw new Error("a board must implement template()");
  }

  /**
   * Choose the only move, or ask which of several is meant.
   * @param {{index: number}[]} moves
   */
  pick(moves) {
    if (moves.length === 1) {
      this.update(/** @type {Partial<L>} */ ({ asking: null }));
      this.context.choose(moves[0].index);
    } else if (moves.length > 1) {
      this.context.choose(null);
      this.update(/** @type {Partial<L>} */ ({ asking: moves.map(({ index }) => index) }));
      /** @type {HTMLElement | null} */ (this.querySelector(".asking button"))?.focus();
    }
  }
}
