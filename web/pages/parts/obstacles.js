// Why the user can make no move of some kinds now; asked when they want to know, once for each position.
import * as api from "../../lib/api.js";
import { lang } from "../../lib/i18n.js";

/** @typedef {import("../../types").Obstacle} Obstacle */

export class Obstacles {
  /** @type {string | null} */ #asked = null;
  /** @type {Obstacle[] | null} */ #found = null;

  /** @param {import("../../lib/match_feed.js").MatchFeed} feed @param {import("../../types").App} app */
  constructor(feed, app) {
    this.feed = feed;
    this.app = app;
  }

  get #position() {
    return `${this.feed.match.version} ${lang()}`;
  }

  /** What the user lacks; null if it is not known for this position. */
  get found() {
    return this.#asked === this.#position ? this.#found : null;
  }

  ask = async () => {
    const position = this.#position;
    if (this.#asked === position) return;
    this.#asked = position;
    this.#found = null;
    const path = /** @type {const} */ (`/v1/matches/${this.feed.match.id}/obstacles`);
    const answer = await api.get(path, { tell: lang() }).catch(() => null);
    if (this.#asked !== position) return;
    if (answer) this.#found = answer.obstacles;
    else this.#asked = null; // no connection: the next click tries again
    this.app.update();
  };
}
