// Players: who is online, search by name, and the ladders of each game.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import * as api from "../lib/api.js";
import { withText } from "../lib/events.js";
import { lang, moment, t } from "../lib/i18n.js";
import { playerLink } from "./parts/player_link.js";
import { decimal } from "./parts/rating_graph.js";
import { alert } from "./problem.js";

/**
 * @typedef {import("../types").App} App
 * @typedef {import("../types").ListedPlayer} ListedPlayer
 * @typedef {import("../types").LadderEntry} LadderEntry
 */
const REFRESH = 20_000;
const PAUSE = 250;
const MOST_REFRESHED = 50;
const KINDS = ["people", "programs"];

/** @param {string[]} _params @param {URLSearchParams} query @param {App} app */
export async function open(_params, query, app) {
  const page = new PlayersPage(await api.games(lang()), query, app);
  await page.load();
  return page;
}

class PlayersPage {
  /** Those who are online, or have the name. @type {ListedPlayer[]} */ players = [];
  /** @type {LadderEntry[]} */ entries = [];
  /** Where the list goes on. @type {string | null} */ next = null;
  /** @type {unknown} */ problem = null;
  ladder = false;
  game = "";
  kind = KINDS[0];
  #number = 0;
  #timer = 0;

  /** @param {import("../types").GameSummary[]} games @param {URLSearchParams} query @param {App} app */
  constructor(games, query, app) {
    this.games = games;
    this.app = app;
    this.text = query.get("q") ?? "";
    this.read(query);
    this.refreshing = setInterval(() => this.refresh(), REFRESH);
  }

  /** @param {URLSearchParams} query */
  read(query) {
    this.ladder = query.get("show") === "ratings";
    this.game = this.games.find((one) => one.id === query.get("game"))?.id ?? this.games[0].id;
    this.kind = KINDS.find((one) => one === query.get("kind")) ?? KINDS[0];
  }

  /** @param {string | null} cursor */
  async ask(cursor) {
    const { game, kind, ladder } = this;
    if (ladder) return { players: [], ...(await api.get("/v1/ratings", { game, kind, cursor })) };
    const wanted = this.text.trim();
    const found = await api.get("/v1/players", { ...(wanted ? { q: wanted } : { online: true }), cursor });
    return { ratings: [], ...found };
  }

  async load({ more = false } = {}) {
    const mine = ++this.#number;
    try {
      const { players, ratings, next } = await this.ask(more ? this.next : null);
      if (mine !== this.#number) return;
      this.players = more ? [...this.players, ...players] : players;
      this.entries = more ? [...this.entries, ...ratings] : ratings;
      this.next = next;
      this.problem = null;
    } catch (error) {
      if (mine !== this.#number) return;
      this.problem = error;
    }
    this.app.update();
  }

  refresh() {
    const { length } = this.ladder ? this.entries : this.players;
    if (document.visibilityState === "visible" && length <= MOST_REFRESHED) void this.load();
  }

  /** @param {string} text */
  search = (text) => {
    this.text = text;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.load(), PAUSE);
  };

  close() {
    clearInterval(this.refreshing);
    clearTimeout(this.#timer);
  }

  /** @param {URLSearchParams} query */
  revisit(query) {
    this.read(query);
    Object.assign(this, { players: [], entries: [], next: null });
    void this.load();
    return true;
  }

  /** @param {Record<string, string>} changes */
  address(changes) {
    return `#/players?${new URLSearchParams({ show: "ratings", game: this.game, kind: this.kind, ...changes })}`;
  }

  title = () => t(this.ladder ? "ratings.title" : "players.title");

  view() {
    const { ladder, problem } = this;
    return html`<div class="title-row">
        <h1 tabindex="-1">${t("players.title")}</h1>
        <a class="button main" href="#/seek">${t("seek.title")}</a>
      </div>
      <div class="row filters" role="group" aria-label=${t("players.show")}>
        ${pill("#/players", t("players.online"), !ladder)}${pill(this.address({}), t("ratings.title"), ladder)}
      </div>
      ${problem ? alert(problem, this.app) : nothing} ${ladder ? ratings(this) : people(this)}
      ${
        this.next
          ? html`<p class="row">
              <button type="button" @click=${() => this.load({ more: true })}>${t("players.more")}</button>
            </p>`
          : nothing
      }`;
  }
}

/** @param {string} href @param {string} name @param {boolean} current */
const pill = (href, name, current) =>
  html`<a class="pill" href=${href} aria-current=${current ? "true" : nothing}>${name}</a>`;

/** @param {ListedPlayer} one */
const person = (one) =>
  html`<li class="match-row">
    <div>
      <strong>${playerLink(one)}</strong> ${one.bot ? html`<span class="tag">${t("match.bot")}</span>` : nothing}
      ${one.online ? html`<span class="tag here">${t("players.here")}</span>` : nothing}
    </div>
    ${
      one.id === api.me()?.id
        ? html`<span class="tag">${t("match.you")}</span>`
        : html`<div class="row">
            <a class="button" href="#/new?invite=${one.id}"
              >${t("players.invite")}<span class="unseen"> ${one.name}</span></a
            >
          </div>`
    }
  </li>`;

/** @param {PlayersPage} page */
function people({ text, players, problem, search }) {
  const asked = text.trim() !== "";
  const none = html`<div class="empty">
    <p role="status">${t(asked ? "players.none" : "players.nobody")}</p>
  </div>`;
  return html`<form role="search" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label class="field"
        ><span>${t("players.search")}</span
        ><input type="search" autocomplete="off" maxlength="40" .value=${text} @input=${withText(search)}
      /></label>
    </form>
    <section class="matches">
      <h2>${t(asked ? "players.found" : "players.online")}</h2>
      ${
        players.length
          ? html`<ul>
              ${repeat(players, (one) => one.id, person)}
            </ul>`
          : problem
            ? nothing
            : none
      }
    </section>`;
}

/** @param {PlayersPage} page */
function ratings(page) {
  const { games, game, kind, entries, problem } = page;
  const title = games.find((one) => one.id === game)?.title ?? game;
  return html`<div class="row filters" role="group" aria-label=${t("ratings.kind")}>
      ${games.map((one) => pill(page.address({ game: one.id }), one.title, one.id === game))}<span class="gap"></span
      >${KINDS.map((one) => pill(page.address({ kind: one }), t(`ratings.${one}`), one === kind))}
    </div>
    <section class="standings">
      <h2 id="ladder-title">${t("text.labelled", { name: title, value: t(`ratings.${kind}`) })}</h2>
      ${entries.length ? ladder(entries) : problem ? nothing : unrated(game)}
      <p class="faint">${t("ratings.explained")}</p>
    </section>`;
}

/** @param {string} game */
const unrated = (game) =>
  html`<div class="empty">
    <p>${t("ratings.none")}</p>
    <p class="row"><a class="button main" href="#/seek?game=${game}">${t("seek.title")}</a></p>
  </div>`;

/** @param {LadderEntry[]} entries */
const ladder = (entries) =>
  html`<div class="wide" tabindex="0" role="group" aria-labelledby="ladder-title">
    <table>
      <thead>
        <tr>
          <th scope="col" class="number">${t("ratings.rank")}</th>
          <th scope="col">${t("result.player")}</th>
          <th scope="col" class="number">${t("ratings.rating")}</th>
          <th scope="col" class="number">${t("ratings.strength")}</th>
          <th scope="col" class="number">${t("ratings.matches")}</th>
          <th scope="col">${t("ratings.last")}</th>
        </tr>
      </thead>
      <tbody>
        ${entries.map(line)}
      </tbody>
    </table>
  </div>`;

/** @param {LadderEntry} one */
function line(one) {
  const isMe = one.player.id === api.me()?.id;
  return html`<tr class=${isMe ? "mine" : ""}>
    <td class="number">${one.rank}</td>
    <th scope="row">${playerLink(one.player)}${isMe ? html` <span class="tag">${t("match.you")}</span>` : nothing}</th>
    <td class="number"><strong>${decimal(one.conservative)}</strong></td>
    <td class="number">${decimal(one.mean)} ± ${decimal(one.deviation)}</td>
    <td class="number">${one.matches}</td>
    <td class="when">${moment(one.at)}</td>
  </tr>`;
}
