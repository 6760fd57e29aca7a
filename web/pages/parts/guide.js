// The guide of a first match: bubbles beside the parts of the board that they speak of. What it says, and when, is
// data of the game (games/<game>/guide): a step is shown once, as soon as the position or a fact gives cause to it, and
// waits until the user has read it.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import * as api from "../../lib/api.js";
import * as commands from "../../lib/commands.js";
import { account } from "../../lib/guest.js";
import { fetchWords, lang, t, translator } from "../../lib/i18n.js";
import * as store from "../../lib/store.js";

/**
 * @typedef {{phase?: string, turn?: boolean, move?: string, fact?: string, mine?: boolean, round?: number,
 *   last?: boolean, over?: boolean}} When all of it must be true
 * @typedef {{id: string, when: When, at?: string}} Step `at` selects the part of the page that it speaks of
 * @typedef {{seed: string, options: Record<string, unknown>, steps: Step[]}} Script
 */

/** The tag of guided matches. */
export const TAG = "guide";
const SEATS = 3;
const GAP = 10;
const SOON = 100;
const SETTLED = 400;
/** The height that the line with the turn covers. */
const TURN_BAR = 120;

/** @param {string} game @returns {Promise<Script>} */
async function scriptOf(game) {
  const answer = await fetch(new URL(`../../games/${game}/guide/script.json`, import.meta.url));
  if (!answer.ok) throw new api.Problem(answer.status, null);
  return answer.json();
}

/**
 * Create a guided match against house bots: private, and with an open seed, so that it counts nowhere.
 * @param {import("../../types").GameSummary} game
 */
export async function createGuided({ id, bots }) {
  await account();
  const { seed, options } = await scriptOf(id);
  const bot = /** @type {const} */ ({ type: "bot", bot: bots.includes("greedy") ? "greedy" : bots[0] });
  const seats = [/** @type {const} */ ({ type: "me" }), ...Array.from({ length: SEATS - 1 }, () => bot)];
  return commands.create({ game: id, seats, seed, options, private: true, tags: [TAG] });
}

/** Where the bubble is at the lower edge: scroll so that the part is above it. @param {Element} part */
function bringUp(part) {
  const { top } = part.getBoundingClientRect();
  if (top < TURN_BAR || top > innerHeight / 2) scrollBy({ top: top - TURN_BAR });
}

/** Bring the bubble into view. */
function reveal() {
  const bubble = document.querySelector(".guide");
  const { top, bottom } = bubble?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
  if (top < 0 || bottom > innerHeight) bubble?.scrollIntoView({ block: "center" });
}

export class Guide {
  /** @type {Step | null} */ step = null;
  /** @type {import("../../types").Translate} */ #text = (key) => key;
  /** @type {Script["steps"]} */ #steps = [];
  /** The step whose bubble was brought into view. @type {Step | null} */ #shown = null;
  /** @param {import("../match.js").MatchPage} page */
  constructor(page) {
    this.page = page;
    this.feed = page.feed;
    this.app = page.app;
    void this.#load();
  }

  get #name() {
    return /** @type {const} */ (`guide.${this.feed.match.id}`);
  }

  /** The steps that were read, and `*` if the user wants no more. */
  get #read() {
    return store.get(this.#name) ?? [];
  }

  async #load() {
    const { game } = this.feed.match;
    const [script, words] = await Promise.all([
      scriptOf(game),
      fetchWords(`../games/${game}/guide/i18n/${lang()}.json`),
    ]);
    this.#steps = script.steps;
    this.#text = translator(() => words);
    this.follow();
    this.#show();
  }

  #show() {
    void this.app.drawn().then(() => this.place());
  }

  /** Find the step that the position gives cause to, unless one is being read. */
  follow() {
    if (this.step || this.page.stage.behind || !this.feed.match.view || this.#read.includes("*")) return;
    const read = this.#read;
    this.step = this.#steps.find(({ id, when }) => !read.includes(id) && this.#isCause(when)) ?? null;
    // after what has happened, which is said first
    if (this.step) setTimeout(() => this.app.announce(this.text), SOON);
  }

  /** @param {When} when */
  #isCause({ phase, turn, move, fact, mine, round, last, over }) {
    const { match, events } = this.feed;
    const { you, view, legal_moves: moves } = match;
    const at = /** @type {{phase?: string, round?: number, rounds?: number} | null} */ (view) ?? {};
    const happened = () =>
      events.some((one) => one.fact.type === fact && (!mine || /** @type {{seat?: number}} */ (one.fact).seat === you));
    return (
      (!over || match.status === "finished") &&
      (!phase || at.phase === phase) &&
      (!turn || moves.length > 0) &&
      (!move || moves.some(({ type }) => type === move)) &&
      (!round || (at.round ?? 0) >= round) &&
      (!last || at.round === at.rounds) &&
      (!fact || happened())
    );
  }

  get text() {
    const view = /** @type {{rounds?: number} | null} */ (this.feed.match.view);
    const turns = /** @type {{turn_limit?: number}} */ (this.feed.match.options).turn_limit;
    return this.step ? this.#text(this.step.id, { rounds: view?.rounds ?? 0, turns: turns ?? 0 }) : "";
  }

  /** @param {string} mark the step that was read, or `*` for no more */
  #close(mark) {
    store.set(this.#name, [...this.#read, mark]);
    this.step = null;
    this.follow();
    this.#show();
    const rest = document.querySelector(this.step ? ".guide .main" : ".status-line");
    /** @type {HTMLElement | null} */ (rest)?.focus();
  }

  next = () => this.step && this.#close(this.step.id);
  end = () => this.#close("*");

  /** @param {KeyboardEvent} event */
  onKey = (event) => {
    if (event.key === "Escape") this.next();
  };

  view() {
    if (!this.step) return nothing;
    const number = this.#read.length + 1;
    return html`<section class="guide" aria-labelledby="guide-title" @keydown=${this.onKey}>
      <h2 id="guide-title">
        ${t("guide.title")} <small>${t("guide.step", { number, count: this.#steps.length })}</small>
      </h2>
      <p>${this.text}</p>
      <p class="row">
        <button type="button" class="main" @click=${this.next}>${t("guide.next")}</button>
        <button type="button" @click=${this.end}>${t("guide.end")}</button>
      </p>
    </section>`;
  }

  /** Put the bubble beside the part that it speaks of, or below it, and mark that part. */
  place() {
    document.querySelectorAll(".guided").forEach((one) => one.classList.remove("guided"));
    const bubble = /** @type {HTMLElement | null} */ (document.querySelector(".guide"));
    const part = this.step?.at ? document.querySelector(this.step.at) : null;
    if (!bubble) return;
    if (part) this.#anchor(bubble, part);
    if (this.#shown === this.step) return;
    if (part && getComputedStyle(bubble).position === "fixed") bringUp(part);
    this.#shown = this.step;
    reveal();
    setTimeout(reveal, SETTLED); // the board may have moved with the focus
  }

  /** @param {HTMLElement} bubble @param {Element} part */
  #anchor(bubble, part) {
    part.classList.add("guided");
    const frame = /** @type {HTMLElement} */ (bubble.offsetParent ?? document.body).getBoundingClientRect();
    const box = part.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = bubble;
    const beside = box.left - GAP - width >= frame.left;
    const below = Math.min(box.bottom + GAP, Math.max(box.top, innerHeight - height - GAP));
    const left = beside ? box.left - GAP - width : Math.min(box.left, frame.right - width);
    const top = (beside ? box.top : below) - frame.top;
    bubble.style.setProperty("top", `${Math.max(0, top)}px`);
    bubble.style.setProperty("left", `${Math.max(0, left - frame.left)}px`);
  }
}
