// What the players of a match say to each other: phrases from a list, asked for regularly while the page is visible.
import * as api from "./api.js";
import { settings } from "./settings.js";

/** @typedef {import("../types").Body<"post", `/v1/matches/${string}/phrases`>["phrase"]} Phrase */
/** @type {Phrase[]} */
export const PHRASES = [
  "hello",
  "good_luck",
  "nice_move",
  "thanks",
  "sorry",
  "oops",
  "one_moment",
  "your_turn",
  "good_game",
  "like",
  "laugh",
  "wow",
];
const PAUSE = 4000;
const SHOWN = 6;

export class Talk {
  /** @type {{number: number, seat: number, phrase: string}[]} */ said = [];

  /** @param {string} match @param {() => void} changed called when something new was said */
  constructor(match, changed) {
    this.path = /** @type {const} */ (`/v1/matches/${match}/phrases`);
    this.changed = changed;
    this.timer = setInterval(() => void this.listen(), PAUSE);
    void this.listen();
  }

  async listen() {
    if (!settings.phrases || document.visibilityState !== "visible") return;
    const after = this.said.at(-1)?.number ?? 0;
    // no connection, or the match can't be seen: the page says so
    const { phrases } = await api.get(this.path, { after }).catch(() => ({ phrases: [] }));
    this.take(phrases);
  }

  /** @param {Phrase} phrase */
  async say(phrase) {
    await api.post(this.path, { phrase });
    await this.listen();
  }

  /** @param {typeof this.said} phrases */
  take(phrases) {
    const last = this.said.at(-1)?.number ?? 0;
    const news = phrases.filter(({ number }) => number > last);
    if (news.length === 0) return;
    this.said = [...this.said, ...news].slice(-SHOWN);
    this.changed();
  }

  close() {
    clearInterval(this.timer);
  }
}
