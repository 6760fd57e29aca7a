// A player: ratings with their history, results, matches and tournaments.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import { lang, t } from "../lib/i18n.js";
import { Conduct } from "./parts/conduct.js";
import { matchRows } from "./parts/match_rows.js";
import { decimal, ratingGraph } from "./parts/rating_graph.js";
import { alert } from "./problem.js";

/**
 * @typedef {import("../types").App} App
 * @typedef {import("../types").MatchSummary} Match
 * @typedef {import("../types").PlayerRating} PlayerRating
 */
const SHOWN = 20;
const REFRESH = 20_000;
const GOING = ["open", "running"];

/** @param {string} id */
const loadPlayer = (id) => api.get(`/v1/players/${encodeURIComponent(id)}`);
/** @param {string} id @param {string | null} cursor */
const loadMatches = (id, cursor) => api.get("/v1/matches", { player: id, limit: SHOWN, cursor });

/** @param {string[]} params @param {URLSearchParams} _query @param {App} app */
export async function open([id], _query, app) {
  const [player, games, page, { tournaments }] = await Promise.all([
    loadPlayer(id),
    api.games(lang()),
    loadMatches(id, null),
    api.get("/v1/tournaments", { player: id, limit: SHOWN }),
  ]);
  return new PlayerPage({ player, games, tournaments, ...page }, app);
}

class PlayerPage {
  /** @type {unknown} */ problem = null;

  /**
   * @param {object} loaded
   * @param {import("../types").PlayerProfile} loaded.player
   * @param {import("../types").GameSummary[]} loaded.games
   * @param {import("../types").TournamentSummary[]} loaded.tournaments
   * @param {Match[]} loaded.matches
   * @param {string | null} loaded.next
   * @param {App} app
   */
  constructor({ player, games, tournaments, matches, next }, app) {
    this.player = player;
    this.titles = new Map(games.map((one) => [one.id, one.title]));
    this.tournaments = tournaments;
    this.matches = matches;
    this.next = next;
    this.app = app;
    this.conduct = new Conduct(app);
    this.timer = setInterval(() => document.visibilityState === "visible" && void this.refresh(), REFRESH);
  }

  /** @param {() => Promise<void>} act */
  async attempt(act) {
    try {
      await act();
      this.problem = null;
    } catch (error) {
      this.problem = error;
    }
    this.app.update();
  }

  refresh() {
    return this.attempt(async () => {
      const { id } = this.player;
      this.player = await loadPlayer(id);
      if (this.matches.length <= SHOWN) ({ matches: this.matches, next: this.next } = await loadMatches(id, null));
    });
  }

  more = () =>
    this.attempt(async () => {
      const { matches, next } = await loadMatches(this.player.id, this.next);
      this.matches = [...this.matches, ...matches];
      this.next = next;
    });

  close() {
    clearInterval(this.timer);
  }

  title = () => this.player.name ?? t("player.erased");

  view() {
    const { player, matches } = this;
    const isGoing = (/** @type {Match} */ { status }) => GOING.includes(status);
    return html`<article class="profile">
      <p class="crumbs"><a href="#/players">${t("players.title")}</a></p>
      ${head(this)} ${this.problem ? alert(this.problem, this.app) : nothing}
      ${
        player.ratings.length
          ? player.ratings.map((one) => rating(one, this.titles.get(one.game) ?? one.game))
          : html`<p class="faint">${t("player.unrated")}</p>`
      }
      ${group(this, "tournaments.running", matches.filter(isGoing))}
      ${group(
        this,
        "lobby.finished",
        matches.filter((match) => !isGoing(match)),
      )}
      ${matches.length === 0 ? html`<p class="faint">${t("player.no_matches")}</p>` : nothing}
      ${
        this.next
          ? html`<p class="row"><button type="button" @click=${this.more}>${t("players.more")}</button></p>`
          : nothing
      }
      ${this.tournaments.length ? entered(this) : nothing} ${this.conduct.about(player)}
    </article>`;
  }
}

/** @param {PlayerPage} page */
const head = ({ player, title }) =>
  html`<header class="title-row">
    <h1 tabindex="-1">${title()}</h1>
    <p class="row">
      ${player.bot ? html`<span class="tag">${t("match.bot")}</span>` : nothing}<span
        class="tag ${player.online ? "here" : ""}"
        >${t(player.online ? "players.here" : "players.away")}</span
      >
      ${
        player.id === api.me()?.id
          ? html`<a class="button" href="#/account">${t("account.title")}</a>`
          : player.name === null
            ? nothing
            : html`<a class="button main" href="#/new?invite=${player.id}">${t("players.invite")}</a>`
      }
    </p>
  </header>`;

/** @param {PlayerRating} one @param {string} title of the game */
function rating(one, title) {
  const ladder = `#/players?show=ratings&game=${one.game}&kind=${one.kind}`;
  const figures = {
    rank: html`<a href=${ladder}>${one.rank}</a>`,
    rating: decimal(one.conservative),
    strength: `${decimal(one.mean)} ± ${decimal(one.deviation)}`,
    matches: one.matches,
    wins: one.history.filter((point) => point.place === 1).length,
  };
  return html`<section>
    <h2>${title}</h2>
    <dl class="figures">
      ${Object.entries(figures).map(
        ([name, figure]) =>
          html`<div>
            <dt>${t(`ratings.${name}`)}</dt>
            <dd>${figure}</dd>
          </div>`,
      )}
    </dl>
    ${ratingGraph(one.history)}
  </section>`;
}

/** @param {PlayerPage} page @param {string} title @param {Match[]} some */
function group({ titles }, title, some) {
  if (some.length === 0) return nothing;
  const rows = matchRows(some, ({ game, status }) => ({
    title: titles.get(game) ?? game,
    action: status === "running" ? "lobby.watch" : "lobby.look",
  }));
  return html`<section class="matches">
    <h2>${t(title)}</h2>
    ${rows}
  </section>`;
}

/** The tournaments that the player has entered. @param {PlayerPage} page */
const entered = ({ tournaments }) =>
  html`<section>
    <h2>${t("tournaments.title")}</h2>
    <ul class="plain-list">
      ${tournaments.map(
        ({ id, title, status }) =>
          html`<li>
            <a href="#/tournament/${id}">${title}</a>
            <span class="tag">${t(`tournament.status.${status}`)}</span>
          </li>`,
      )}
    </ul>
  </section>`;
