// The landing page: continue a match, choose a game and play it immediately against house bots, see what is going on.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import * as api from "../lib/api.js";
import * as commands from "../lib/commands.js";
import { coverOf, stringsOf } from "../lib/drawing.js";
import { withText } from "../lib/events.js";
import { account } from "../lib/guest.js";
import { lang, t } from "../lib/i18n.js";
import { botName } from "../lib/texts.js";
import { continued, goingOn, loadNow, readable } from "./parts/going_on.js";
import { byStrength, levelText } from "./parts/levels.js";
import { Runner } from "./parts/runner.js";

/** @typedef {import("../types").App} App @typedef {import("../types").GameSummary} GameSummary */
/** @typedef {import("../lib/commands.js").Requested["seats"][number]} Seat */

/** @param {string[]} _params @param {URLSearchParams} _query @param {App} app */
export async function open(_params, _query, app) {
  const games = await api.games(lang());
  const strings = await Promise.all(games.map(({ id }) => stringsOf(id)));
  return new LandingPage(games, new Map(games.map(({ id }, place) => [id, strings[place]])), app);
}

const REFRESH = 15_000;

/**
 * The seats of a quick match: the user and house bots, three if possible.
 * @param {GameSummary} game
 * @param {string} bot
 * @returns {Seat[]}
 */
function quickSeats({ seats }, bot) {
  const count = seats.includes(3) ? 3 : seats[0];
  return Array.from({ length: count }, (_, seat) => (seat === 0 ? { type: "me" } : { type: "bot", bot }));
}

class LandingPage {
  /** The game of the match that is being created. @type {string | null} */ starting = null;
  /** The finished matches that can be read without a connection. @type {import("../types").MatchSummary[]} */
  kept = [];
  /** @type {import("./parts/going_on.js").Now} */ now = { mine: [], live: [], tournaments: [], people: 0 };

  /** @param {GameSummary[]} games @param {Map<string, Record<string, string>>} strings of each @param {App} app */
  constructor(games, strings, app) {
    this.games = games;
    this.strings = strings;
    /** The house bot to play against, by game. */
    this.levels = new Map(games.map(({ id, bots }) => [id, bots.at(-1) ?? ""]));
    this.app = app;
    this.runner = new Runner(app);
    this.titles = Object.fromEntries(games.map(({ id, title }) => [id, title]));
    void this.look();
    this.timer = setInterval(() => document.visibilityState === "visible" && void this.look(), REFRESH);
  }

  /** Find out what is going on; without a connection, what was going on stays. */
  async look() {
    try {
      this.now = await loadNow();
      this.kept = [];
    } catch {
      this.kept = await (await import("../lib/offline.js")).kept();
    }
    this.app.update();
  }

  close() {
    clearInterval(this.timer);
  }

  /** @param {GameSummary} game @param {() => Promise<import("../types").Match>} create */
  start = (game, create) =>
    this.runner.run(
      async () => {
        this.starting = game.id;
        await account();
        this.app.go(`#/match/${(await create()).id}`);
      },
      { leaves: true },
    );

  /** @param {GameSummary} game */
  play = (game) =>
    this.start(game, () => commands.create({ game: game.id, seats: quickSeats(game, this.levels.get(game.id) ?? "") }));

  /** @param {GameSummary} game */
  learn = (game) => this.start(game, async () => (await import("./parts/guide.js")).createGuided(game));

  /** @param {string} game @param {string} bot */
  setLevel = (game, bot) => {
    this.levels.set(game, bot);
    this.app.update();
  };

  title = () => t("landing.title");

  view() {
    return html`<article class="landing">
      <section class="hero">
        <h1 tabindex="-1">${t("landing.heading")}</h1>
        <p class="lead">${t("landing.lead")}</p>
      </section>
      ${this.runner.alert} ${readable(this.kept, this.titles)} ${continued(this.now, this.titles)}
      <ul class="game-cards" aria-label=${t("landing.games")}>
        ${this.games.map((game) => card(this, game))}
      </ul>
      ${goingOn(this.now, this.titles)}
      <ul class="promises">
        ${["watch", "replay", "check", "bots"].map(
          (name) =>
            html`<li>
              <h2>${t(`landing.${name}.title`)}</h2>
              <p>${t(`landing.${name}.text`)}</p>
            </li>`,
        )}
      </ul>
    </article>`;
  }
}

/** @param {LandingPage} page @param {GameSummary} game */
const card = (page, game) => {
  const { starting, play, learn, runner } = page;
  const { busy } = runner;
  const learning = page.strings.get(game.id)?.["about.guide"];
  return html`<li class="game-card">
    ${
      coverOf(game.id)
        ? html`<img class="cover" src=${coverOf(game.id)} alt="" width="640" height="220" />`
        : html`<div class="cover"></div>`
    }
    <h2>${game.title}</h2>
    ${about(page.strings.get(game.id) ?? {}, game)} ${levelField(page, game)}
    <p class="row">
      <button type="button" class="main" ?disabled=${busy} @click=${() => play(game)}>
        ${busy && starting === game.id ? t("landing.starting") : t("landing.play")}<span class="unseen">
          ${game.title}</span
        >
      </button>
      <a class="button" href="#/new?game=${game.id}&friends=yes"
        >${t("landing.friends")}<span class="unseen"> ${game.title}</span></a
      >
    </p>
    <p class="row">
      ${
        learning
          ? html`<button type="button" ?disabled=${busy} @click=${() => learn(game)}>
              ${learning}<span class="unseen"> ${game.title}</span>
            </button>`
          : nothing
      }
      <a href="#/rules/${game.id}">${t("rules.of", { game: game.title })}</a>
    </p>
  </li>`;
};

/**
 * What it is, for how many, how long it takes and how hard it is.
 * @param {Record<string, string>} strings of the game
 * @param {GameSummary} game
 */
const about = ({ about: sentence, "about.time": time, "about.level": level }, { seats }) =>
  html`${sentence ? html`<p class="about">${sentence}</p>` : nothing}
    <p class="faint">
      ${[t("landing.seats", { from: seats[0], to: seats.at(-1) ?? 0 }), time, level].filter(Boolean).join(" · ")}
    </p>`;

/** How strong the house bots shall be. @param {LandingPage} page @param {GameSummary} game */
function levelField({ levels, strings, setLevel }, { id, title, bots }) {
  const chosen = levels.get(id) ?? "";
  const choose = withText((bot) => setLevel(id, bot));
  const option = (/** @type {string} */ bot) =>
    html`<option value=${bot} ?selected=${bot === chosen}>${botName(bot)}</option>`;
  return html`<div>
    <label class="field"
      ><span>${t("landing.opponents")}<span class="unseen"> ${title}</span></span>
      <select aria-describedby="level-${id}" .value=${live(chosen)} @change=${choose}>
        ${byStrength(bots).map(option)}
      </select></label
    >${levelText(strings.get(id) ?? {}, chosen, `level-${id}`)}
  </div>`;
}
