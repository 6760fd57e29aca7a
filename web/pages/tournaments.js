// Tournaments: those open for entries, those in progress, and finished ones.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import * as api from "../lib/api.js";
import { lang, moment, t } from "../lib/i18n.js";
import { alert } from "./problem.js";

/** @typedef {import("../types").TournamentSummary} TournamentSummary */
const REFRESH = 15_000;
/** @type {Record<string, string[]>} */
const GROUPS = {
  open: ["open"],
  running: ["running", "provisional"],
  announced: ["announced"],
  over: ["final", "cancelled"],
};
/** What a user does with a tournament; with all others, they look. @type {Record<string, string>} */
const ACTIONS = { open: "tournament.look_enter", running: "lobby.watch" };

/** @param {TournamentSummary} one its progress in words */
const stage = (one) =>
  [
    t(`tournament.format.${one.format}`),
    t("tournament.entrants_count", { count: one.entrants }),
    ...(one.round === 0
      ? []
      : [
          one.format === "arena"
            ? t("tournament.round", { round: one.round })
            : t("tournament.round_of", { round: one.round, rounds: Math.max(one.round, one.rounds) }),
        ]),
  ].join(" · ");

/** @param {string[]} _params @param {URLSearchParams} _query @param {import("../types").App} app */
export async function open(_params, _query, app) {
  const page = new TournamentsPage(app);
  await page.refresh().catch((error) => {
    page.close();
    throw error;
  });
  return page;
}

class TournamentsPage {
  /** @type {TournamentSummary[]} */ all = [];
  /** @type {Record<string, string>} */ titles = {};
  /** @type {unknown} */ problem = null;

  /** @param {import("../types").App} app */
  constructor(app) {
    this.app = app;
    this.timer = setInterval(() => document.visibilityState === "visible" && void this.refresh(), REFRESH);
  }

  async refresh() {
    try {
      const [page, games] = await Promise.all([api.get("/v1/tournaments", { limit: 100 }), api.games(lang())]);
      this.all = page.tournaments;
      this.titles = Object.fromEntries(games.map((game) => [game.id, game.title]));
      this.problem = null;
    } catch (error) {
      if (error instanceof api.Problem && error.status === 401) throw error;
      this.problem = error;
    }
    this.app.update();
  }

  close() {
    clearInterval(this.timer);
  }

  title = () => t("tournaments.title");

  view() {
    const announce = html`<a class="button main" href="#/tournaments/new">${t("announce.title")}</a>`;
    return html`<div class="title-row">
        <h1 tabindex="-1">${t("tournaments.title")}</h1>
        ${announce}
      </div>
      <p class="lead">${t("tournaments.lead")}</p>
      ${this.problem ? alert(this.problem, this.app) : nothing}
      ${
        this.all.length
          ? Object.keys(GROUPS).map((name) => group(this, name))
          : html`<section class="empty">
              <p>${t("tournaments.none")}</p>
              <p class="row">${announce}</p>
            </section>`
      }`;
  }
}

/** @param {TournamentsPage} page @param {string} name */
function group({ all, titles }, name) {
  const found = all.filter((one) => GROUPS[name].includes(one.status));
  if (found.length === 0) return nothing;
  return html`<section class="matches">
    <h2>${t(`tournaments.${name}`)}</h2>
    <ul>
      ${repeat(
        found,
        (one) => one.id,
        (one) => row(one, titles[one.game] ?? one.game),
      )}
    </ul>
  </section>`;
}

/** @param {TournamentSummary} one @param {string} game */
const row = (one, game) =>
  html`<li class="match-row">
    <div>
      <strong>${one.title}</strong> <span class="tag">${t(`tournament.status.${one.status}`)}</span>
      <span class="names">${game} · ${t("tournament.by", { name: one.organiser.name ?? t("player.erased") })}</span>
      <span class="faint">${stage(one)} · ${moment(one.at)}</span>
    </div>
    <div class="row">
      <a class="button ${one.status === "open" ? "main" : ""}" href="#/tournament/${one.id}"
        >${t(ACTIONS[one.status] ?? "lobby.look")}<span class="unseen"> ${one.title}</span></a
      >
    </div>
  </li>`;
