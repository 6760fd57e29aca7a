// Players: who is online, search by name, and the ladders of each game.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import * as api from "../lib/api.js";
import { lang, moment, t } from "../lib/i18n.js";
import { playerLink } from "./parts/player_link.js";
import { decimal } from "./parts/rating_graph.js";
import { alert } from "./problem.js";

/** @typedef {import("../types").ListedPlayer} ListedPlayer @typedef {import("../types").LadderEntry} LadderEntry */
const REFRESH = 20_000;
const PAUSE = 250;
const KINDS = ["people", "programs"];

/**
 * @param {string[]} _params
 * @param {URLSearchParams} query
 * @param {import("../types").App} app
 * @returns {Promise<import("../types").Page>}
 */
export async function open(_params, query, app) {
  const games = await api.games(lang());
  let ladder = query.get("show") === "ratings";
  let text = query.get("q") ?? "";
  let game = games[0].id;
  let kind = KINDS[0];
  /** @type {{items: any[], next: string | null}} */ let page = { items: [], next: null };
  /** @type {unknown} */ let problem = null;
  let number = 0;
  let timer = 0;

  function read(/** @type {URLSearchParams} */ asked) {
    ladder = asked.get("show") === "ratings";
    game = games.find((one) => one.id === asked.get("game"))?.id ?? games[0].id;
    kind = KINDS.find((one) => one === asked.get("kind")) ?? KINDS[0];
  }

  const ask = async (/** @type {string | null} */ cursor) => {
    if (ladder) {
      const answer = await api.get("/v1/ratings", { game, kind, cursor });
      return { items: answer.ratings, next: answer.next };
    }
    const wanted = text.trim();
    const answer = await api.get("/v1/players", { ...(wanted ? { q: wanted } : { online: true }), cursor });
    return { items: answer.players, next: answer.next };
  };

  async function load({ more = false } = {}) {
    const mine = ++number;
    try {
      const found = await ask(more ? page.next : null);
      if (mine !== number) return;
      page = { items: more ? [...page.items, ...found.items] : found.items, next: found.next };
      problem = null;
    } catch (error) {
      if (mine !== number) return;
      problem = error;
    }
    app.update();
  }

  function search(/** @type {string} */ next) {
    text = next;
    clearTimeout(timer);
    timer = window.setTimeout(() => void load(), PAUSE);
  }

  read(query);
  await load();
  const refreshing = setInterval(() => {
    if (document.visibilityState === "visible" && page.items.length <= 50) void load();
  }, REFRESH);

  const address = (/** @type {Record<string, string>} */ changes) =>
    `#/players?${new URLSearchParams({ show: "ratings", game, kind, ...changes })}`;
  const pill = (/** @type {string} */ href, /** @type {string} */ name, /** @type {boolean} */ current) =>
    html`<a class="pill" href=${href} aria-current=${current ? "true" : nothing}>${name}</a>`;

  const person = (/** @type {ListedPlayer} */ one) =>
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
  const people = () =>
    html`<form role="search" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
        <label class="field"
          ><span>${t("players.search")}</span
          ><input
            type="search"
            autocomplete="off"
            maxlength="40"
            .value=${text}
            @input=${(/** @type {any} */ event) => search(event.target.value)}
        /></label>
      </form>
      <section class="matches">
        <h2>${t(text.trim() ? "players.found" : "players.online")}</h2>
        ${
          page.items.length
            ? html`<ul>
                ${repeat(page.items, (one) => one.id, person)}
              </ul>`
            : problem
              ? nothing
              : html`<div class="empty">
                  <p role="status">${t(text.trim() ? "players.none" : "players.nobody")}</p>
                </div>`
        }
      </section>`;

  const line = (/** @type {LadderEntry} */ one) =>
    html`<tr class=${one.player.id === api.me()?.id ? "mine" : ""}>
      <td class="number">${one.rank}</td>
      <th scope="row">
        ${playerLink(one.player)}${
          one.player.id === api.me()?.id ? html` <span class="tag">${t("match.you")}</span>` : nothing
        }
      </th>
      <td class="number"><strong>${decimal(one.conservative)}</strong></td>
      <td class="number">${decimal(one.mean)} ± ${decimal(one.deviation)}</td>
      <td class="number">${one.matches}</td>
      <td class="when">${moment(one.at)}</td>
    </tr>`;
  const ratings = () =>
    html`<div class="row filters" role="group" aria-label=${t("ratings.kind")}>
        ${games.map((one) => pill(address({ game: one.id }), one.title, one.id === game))}<span class="gap"></span
        >${KINDS.map((one) => pill(address({ kind: one }), t(`ratings.${one}`), one === kind))}
      </div>
      <section class="standings">
        <h2 id="ladder-title">
          ${t("text.labelled", {
            name: games.find((one) => one.id === game)?.title ?? game,
            value: t(`ratings.${kind}`),
          })}
        </h2>
        ${
          page.items.length
            ? html`<div class="wide" tabindex="0" role="group" aria-labelledby="ladder-title">
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
                    ${page.items.map(line)}
                  </tbody>
                </table>
              </div>`
            : problem
              ? nothing
              : html`<div class="empty">
                  <p>${t("ratings.none")}</p>
                  <p class="row"><a class="button main" href="#/seek?game=${game}">${t("seek.title")}</a></p>
                </div>`
        }
        <p class="faint">${t("ratings.explained")}</p>
      </section>`;

  return {
    title: () => t(ladder ? "ratings.title" : "players.title"),
    close() {
      clearInterval(refreshing);
      clearTimeout(timer);
    },
    revisit(asked) {
      read(asked);
      page = { items: [], next: null };
      void load();
      return true;
    },
    view: () =>
      html`<div class="title-row">
          <h1 tabindex="-1">${t("players.title")}</h1>
          <a class="button main" href="#/seek">${t("seek.title")}</a>
        </div>
        <div class="row filters" role="group" aria-label=${t("players.show")}>
          ${pill("#/players", t("players.online"), !ladder)}${pill(address({}), t("ratings.title"), ladder)}
        </div>
        ${problem ? alert(problem, app) : nothing} ${ladder ? ratings() : people()}
        ${
          page.next
            ? html`<p class="row">
                <button type="button" @click=${() => load({ more: true })}>${t("players.more")}</button>
              </p>`
            : nothing
        }`,
  };
}
