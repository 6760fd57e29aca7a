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

/**
 * @param {string[]} _params
 * @param {URLSearchParams} _query
 * @param {import("../types").App} app
 * @returns {Promise<import("../types").Page>}
 */
export async function open(_params, _query, app) {
  /** @type {TournamentSummary[]} */ let all = [];
  /** @type {Record<string, string>} */ let titles = {};
  /** @type {unknown} */ let problem = null;

  async function refresh() {
    try {
      const [page, games] = await Promise.all([api.get("/v1/tournaments", { limit: 100 }), api.games(lang())]);
      all = page.tournaments;
      titles = Object.fromEntries(games.map((game) => [game.id, game.title]));
      problem = null;
    } catch (error) {
      if (error instanceof api.Problem && error.status === 401) throw error;
      problem = error;
    }
    app.update();
  }
  await refresh();
  const timer = setInterval(() => document.visibilityState === "visible" && void refresh(), REFRESH);

  const row = (/** @type {TournamentSummary} */ one) =>
    html`<li class="match-row">
      <div>
        <strong>${one.title}</strong> <span class="tag">${t(`tournament.status.${one.status}`)}</span>
        <span class="names"
          >${titles[one.game] ?? one.game} ·
          ${t("tournament.by", { name: one.organiser.name ?? t("player.erased") })}</span
        >
        <span class="faint">${stage(one)} · ${moment(one.at)}</span>
      </div>
      <div class="row">
        <a class="button ${one.status === "open" ? "main" : ""}" href="#/tournament/${one.id}"
          >${t(
            one.status === "open" ? "tournament.look_enter" : one.status === "running" ? "lobby.watch" : "lobby.look",
          )}<span class="unseen"> ${one.title}</span></a
        >
      </div>
    </li>`;
  const group = (/** @type {string} */ name) => {
    const found = all.filter((one) => GROUPS[name].includes(one.status));
    return found.length === 0
      ? nothing
      : html`<section class="matches">
          <h2>${t(`tournaments.${name}`)}</h2>
          <ul>
            ${repeat(found, (one) => one.id, row)}
          </ul>
        </section>`;
  };

  return {
    title: () => t("tournaments.title"),
    close() {
      clearInterval(timer);
    },
    view: () =>
      html`<div class="title-row">
          <h1 tabindex="-1">${t("tournaments.title")}</h1>
          <a class="button main" href="#/tournaments/new">${t("announce.title")}</a>
        </div>
        <p class="lead">${t("tournaments.lead")}</p>
        ${problem ? alert(problem, app) : nothing}
        ${
          all.length
            ? Object.keys(GROUPS).map(group)
            : html`<section class="empty">
                <p>${t("tournaments.none")}</p>
                <p class="row"><a class="button main" href="#/tournaments/new">${t("announce.title")}</a></p>
              </section>`
        }`,
  };
}
