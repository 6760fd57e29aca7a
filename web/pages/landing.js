// The landing page: choose a game and play it immediately against house bots.
import { html } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import * as commands from "../lib/commands.js";
import { coverOf } from "../lib/drawing.js";
import { account } from "../lib/guest.js";
import { lang, t } from "../lib/i18n.js";
import { Runner } from "./parts/runner.js";

/** @typedef {import("../types").GameSummary} GameSummary */

/** @param {GameSummary} game the number of players in a quick match: three if possible */
const quickSeats = (game) => (game.seats.includes(3) ? 3 : game.seats[0]);

/**
 * @param {string[]} _params
 * @param {URLSearchParams} _query
 * @param {import("../types").App} app
 * @returns {Promise<import("../types").Page>}
 */
export async function open(_params, _query, app) {
  const games = await api.games(lang());
  const runner = new Runner(app);
  /** @type {string | null} */ let starting = null;

  const play = (/** @type {GameSummary} */ game) =>
    runner.run(
      async () => {
        starting = game.id;
        await account();
        const bots = Array.from({ length: quickSeats(game) - 1 }, () => ({ type: "bot", bot: game.bots.at(-1) }));
        const match = await commands.create({ game: game.id, seats: [{ type: "me" }, ...bots] });
        app.go(`#/match/${match.id}`);
      },
      { leaves: true },
    );

  const card = (/** @type {GameSummary} */ game) =>
    html`<li class="game-card">
      ${
        coverOf(game.id)
          ? html`<img class="cover" src=${coverOf(game.id)} alt="" width="640" height="220" />`
          : html`<div class="cover"></div>`
      }
      <h2>${game.title}</h2>
      <p class="faint">${t("landing.seats", { from: game.seats[0], to: game.seats.at(-1) ?? 0 })}</p>
      <p class="row">
        <button type="button" class="main" ?disabled=${runner.busy} @click=${() => play(game)}>
          ${runner.busy && starting === game.id ? t("landing.starting") : t("landing.play")}<span class="unseen">
            ${game.title}</span
          >
        </button>
        <a class="button" href="#/new?game=${game.id}&friends=yes"
          >${t("landing.friends")}<span class="unseen"> ${game.title}</span></a
        >
      </p>
      <p><a href="#/rules/${game.id}">${t("rules.of", { game: game.title })}</a></p>
    </li>`;

  return {
    title: () => t("landing.title"),
    view: () =>
      html`<article class="landing">
        <section class="hero">
          <h1 tabindex="-1">${t("landing.heading")}</h1>
          <p class="lead">${t("landing.lead")}</p>
        </section>
        ${runner.alert}
        <ul class="game-cards" aria-label=${t("landing.games")}>
          ${games.map(card)}
        </ul>
        <ul class="promises">
          ${["watch", "replay", "check", "bots"].map(
            (name) =>
              html`<li>
                <h2>${t(`landing.${name}.title`)}</h2>
                <p>${t(`landing.${name}.text`)}</p>
              </li>`,
          )}
        </ul>
      </article>`,
  };
}
