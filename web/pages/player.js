// A player: ratings with their history, results, matches and tournaments.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import { lang, t } from "../lib/i18n.js";
import { matchRows } from "./parts/match_rows.js";
import { decimal, ratingGraph } from "./parts/rating_graph.js";
import { alert } from "./problem.js";

/** @typedef {import("../types").Match} Match @typedef {import("../types").PlayerRating} PlayerRating */
const SHOWN = 20;
const REFRESH = 20_000;

/**
 * @param {string[]} params
 * @param {URLSearchParams} _query
 * @param {import("../types").App} app
 * @returns {Promise<import("../types").Page>}
 */
export async function open([id], _query, app) {
  const path = `/v1/players/${encodeURIComponent(id)}`;
  /** @type {import("../types").PlayerProfile} */ let player = await api.get(path);
  /** @type {unknown} */ let problem = null;
  const games = await api.games(lang());
  const titleOf = (/** @type {string} */ game) => games.find((one) => one.id === game)?.title ?? game;

  /** @type {(cursor: string | null) => Promise<{matches: Match[], next: string | null}>} */
  const page = (cursor) => api.get("/v1/matches", { player: id, limit: SHOWN, cursor });
  /** @type {Promise<{tournaments: import("../types").TournamentSummary[]}>} */
  const entered = api.get("/v1/tournaments", { player: id, limit: SHOWN });
  const [first, { tournaments }] = await Promise.all([page(null), entered]);
  let { matches, next } = first;

  async function attempt(/** @type {() => Promise<void>} */ act) {
    try {
      await act();
      problem = null;
    } catch (error) {
      problem = error;
    }
    app.update();
  }
  const more = () =>
    attempt(async () => {
      const further = await page(next);
      matches = [...matches, ...further.matches];
      next = further.next;
    });
  const timer = setInterval(
    () =>
      document.visibilityState === "visible" &&
      void attempt(async () => {
        player = await api.get(path);
        if (matches.length <= SHOWN) ({ matches, next } = await page(null));
      }),
    REFRESH,
  );

  const isMe = () => player.id === api.me()?.id;
  const name = () => player.name ?? t("player.erased");
  const rating = (/** @type {PlayerRating} */ one) =>
    html`<section>
      <h2>${titleOf(one.game)}</h2>
      <dl class="figures">
        <div>
          <dt>${t("ratings.rank")}</dt>
          <dd><a href="#/players?show=ratings&game=${one.game}&kind=${one.kind}">${one.rank}</a></dd>
        </div>
        <div>
          <dt>${t("ratings.rating")}</dt>
          <dd>${decimal(one.conservative)}</dd>
        </div>
        <div>
          <dt>${t("ratings.strength")}</dt>
          <dd>${decimal(one.mean)} ± ${decimal(one.deviation)}</dd>
        </div>
        <div>
          <dt>${t("ratings.matches")}</dt>
          <dd>${one.matches}</dd>
        </div>
        <div>
          <dt>${t("ratings.wins")}</dt>
          <dd>${one.history.filter((point) => point.place === 1).length}</dd>
        </div>
      </dl>
      ${ratingGraph(one.history)}
    </section>`;
  const group = (/** @type {string} */ title, /** @type {Match[]} */ some) =>
    some.length === 0
      ? nothing
      : html`<section class="matches">
          <h2>${t(title)}</h2>
          ${matchRows(some, (match) => ({
            title: titleOf(match.game),
            action: match.status === "running" ? "lobby.watch" : "lobby.look",
          }))}
        </section>`;

  return {
    title: name,
    close() {
      clearInterval(timer);
    },
    view: () =>
      html`<article class="profile">
        <p class="crumbs"><a href="#/players">${t("players.title")}</a></p>
        <header class="title-row">
          <h1 tabindex="-1">${name()}</h1>
          <p class="row">
            ${player.bot ? html`<span class="tag">${t("match.bot")}</span>` : nothing}<span
              class="tag ${player.online ? "here" : ""}"
              >${t(player.online ? "players.here" : "players.away")}</span
            >
            ${
              isMe()
                ? html`<a class="button" href="#/account">${t("account.title")}</a>`
                : player.name === null
                  ? nothing
                  : html`<a class="button main" href="#/new?invite=${player.id}">${t("players.invite")}</a>`
            }
          </p>
        </header>
        ${problem ? alert(problem, app) : nothing}
        ${player.ratings.length ? player.ratings.map(rating) : html`<p class="faint">${t("player.unrated")}</p>`}
        ${group(
          "tournaments.running",
          matches.filter((match) => ["open", "running"].includes(match.status)),
        )}
        ${group(
          "lobby.finished",
          matches.filter((match) => !["open", "running"].includes(match.status)),
        )}
        ${matches.length === 0 ? html`<p class="faint">${t("player.no_matches")}</p>` : nothing}
        ${next ? html`<p class="row"><button type="button" @click=${more}>${t("players.more")}</button></p>` : nothing}
        ${
          tournaments.length
            ? html`<section>
                <h2>${t("tournaments.title")}</h2>
                <ul class="plain-list">
                  ${tournaments.map(
                    (one) =>
                      html`<li>
                        <a href="#/tournament/${one.id}">${one.title}</a>
                        <span class="tag">${t(`tournament.status.${one.status}`)}</span>
                      </li>`,
                  )}
                </ul>
              </section>`
            : nothing
        }
      </article>`,
  };
}
