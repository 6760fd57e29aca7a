// Find an opponent: choose what to play, wait, and take a seat as soon as a suitable opponent is found.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import { CLOCKS } from "../lib/clocks.js";
import { onSubmit } from "../lib/events.js";
import { initials } from "../lib/form.js";
import { account } from "../lib/guest.js";
import { duration, lang, t } from "../lib/i18n.js";
import * as seeking from "../lib/seeking.js";
import { clockField, flag, gameField, optionsField, pills } from "./parts/draft_fields.js";
import { Recovery } from "./parts/recovery.js";
import { Runner } from "./parts/runner.js";
import { seekRows, seekText } from "./parts/seek_rows.js";

/**
 * @typedef {import("../types").App} App
 * @typedef {import("../types").Game} Game
 * @typedef {import("../types").Seek} Seek
 * @typedef {import("../types").Body<"post", "/v1/seeks">} Wanted
 * @typedef {ReturnType<typeof draftOf>} Draft
 */
const SECOND = 1000;
const LOOK_AGAIN = 5000;
const ENDED = ["expired", "missed", "declined"];
/** @type {NonNullable<Wanted["opponents"]>[]} */
const OPPONENTS = ["people", "programs", "both"];

/** @param {string[]} _params @param {URLSearchParams} query @param {App} app */
export async function open(_params, query, app) {
  const [games, others] = await Promise.all([api.games(lang()), seeking.others()]);
  const like = others.find((one) => one.id === query.get("as"));
  const id = like?.game ?? games.find((one) => one.id === query.get("game"))?.id ?? games[0].id;
  const page = new SeekPage(games, await api.game(id, lang()), others, app);
  if (like && !seeking.isActive()) void page.begin(sameAs(like));
  return page;
}

/** @param {Game} game */
const draftOf = (game) => ({
  seats: game.seats[0],
  clock: "quick",
  rated: true,
  opponents: OPPONENTS[0],
  on_timeout: /** @type {"bot" | "forfeit"} */ ("bot"),
  options: initials(game.options),
});

/** A seek that fits another one. @param {Seek} seek @returns {Wanted} */
function sameAs({ game, seats, clock: { kind, ms, increment_ms }, rated, on_timeout, options }) {
  const clock = kind === "none" ? { kind } : { kind, ms, ...(kind === "bank" ? { increment_ms } : {}) };
  return /** @type {Wanted} */ ({ game, seats, clock, rated, opponents: "both", on_timeout, options });
}

/** @param {Seek} one @param {Seek} other */
const isLike = (one, other) =>
  one.game === other.game &&
  one.seats === other.seats &&
  one.rated === other.rated &&
  JSON.stringify(one.clock) === JSON.stringify(other.clock);

class SeekPage {
  /** @param {import("../types").GameSummary[]} games @param {Game} game @param {Seek[]} others @param {App} app */
  constructor(games, game, others, app) {
    this.games = games;
    this.titles = Object.fromEntries(games.map((one) => [one.id, one.title]));
    this.game = game;
    this.others = others;
    this.app = app;
    this.runner = new Runner(app);
    this.recovery = new Recovery(app);
    this.draft = draftOf(game);
    this.stop = seeking.onChange(() => this.arrived());
    if (seeking.isOffered()) void this.play();
    this.clock = setInterval(() => seeking.isActive() && app.update(), SECOND);
    this.looking = setInterval(() => void this.look(), LOOK_AGAIN);
  }

  /** @param {string} id */
  choose = async (id) => {
    this.game = await api.game(id, lang());
    this.draft = draftOf(this.game);
    this.app.update();
  };

  /** @param {Partial<Draft>} changes */
  change = (changes) => {
    Object.assign(this.draft, changes);
    this.app.update();
  };

  submit = () => this.begin({ ...this.draft, game: this.game.id, clock: CLOCKS[this.draft.clock] });

  /** @param {Wanted} wanted */
  begin = (wanted) =>
    this.runner.run(async () => {
      await account();
      await seeking.begin(wanted);
      this.app.announce(t("seek.waiting"));
    });

  play = () =>
    this.runner.run(async () => {
      this.app.go(`#/match/${(await seeking.accept()).id}`);
    });

  /** A user who waits on this page joins the match immediately; on other pages they are asked first. */
  arrived() {
    if (seeking.isOffered() && !this.runner.busy && document.visibilityState === "visible") void this.play();
    else if (seeking.isOffered()) this.app.announce(t("seek.found"));
    this.app.update();
  }

  /** See who else looks for a match. */
  async look() {
    if (document.visibilityState !== "visible") return;
    this.others = await seeking.others().catch(() => this.others);
    this.app.update();
  }

  close() {
    this.stop();
    clearInterval(this.clock);
    clearInterval(this.looking);
    seeking.forget();
  }

  title = () => `${seeking.isOffered() ? "● " : ""}${t("seek.title")}`;

  view() {
    const seek = seeking.seek();
    const waits = seek !== null && seeking.isActive();
    return html`<p class="crumbs"><a href="#/lobby">${t("lobby.title")}</a></p>
      <h1 tabindex="-1">${t("seek.title")}</h1>
      ${this.runner.alert} ${waits ? waiting(this, seek) : html`${lead(seek)}${form(this)}`}
      ${
        this.others.length && !waits
          ? html`<section class="matches">
              <h2>${t("seek.others")}</h2>
              ${seekRows(this.others, this.titles)}
            </section>`
          : nothing
      }`;
  }
}

/** @param {Seek | null} seek the last one */
const lead = (seek) =>
  seek && ENDED.includes(seek.status)
    ? html`<p class="banner" role="status">${t(`seek.ended.${seek.status}`)}</p>`
    : html`<p class="lead">${t("seek.lead")}</p>`;

/** @param {SeekPage} page */
const form = ({ games, game, draft, change, choose, submit, runner, recovery }) =>
  html`<form class="create" @submit=${onSubmit(submit)}>
    ${gameField(games, game, choose)}
    <fieldset>
      <legend>${t("seek.players")}</legend>
      ${pills("seats", game.seats, draft.seats, String, (seats) => change({ seats }))}
    </fieldset>
    ${clockField(draft, change)} ${flag(draft, "rated", "create.rated", change)}
    ${draft.rated ? recovery.note() : nothing}
    ${
      draft.rated
        ? nothing
        : html`<fieldset>
            <legend>${t("seek.opponents")}</legend>
            ${pills(
              "opponents",
              OPPONENTS,
              draft.opponents,
              (name) => t(`seek.opponents.${name}`),
              (opponents) => change({ opponents }),
            )}
          </fieldset>`
    }
    ${optionsField(game, draft, change)}
    <p class="row"><button class="main" ?disabled=${runner.busy}>${t("seek.submit")}</button></p>
  </form>`;

/** @param {SeekPage} page @param {Seek} seek */
const waiting = (page, seek) =>
  html`<section class="setup seeking">
    <h2>${t(seek.status === "offered" ? "seek.found" : "seek.waiting")}</h2>
    <p><strong>${page.titles[seek.game] ?? seek.game}</strong> · ${seekText(seek)}</p>
    ${seek.status === "offered" ? offer(page) : patience(page, seek)}
  </section>`;

/** @param {SeekPage} page */
const offer = ({ runner, play }) =>
  html`<p class="row">
    <button type="button" class="main" ?disabled=${runner.busy} @click=${play}>${t("lobby.play")}</button
    ><button type="button" ?disabled=${runner.busy} @click=${() => runner.run(seeking.decline)}>
      ${t("lobby.decline")}
    </button>
  </p>`;

/** @param {SeekPage} page @param {Seek} seek */
function patience({ others, runner }, seek) {
  const number = 1 + others.filter((one) => isLike(one, seek)).length;
  return html`<p>
      <span class="clock" role="timer" aria-label=${t("seek.elapsed")}
        >${duration(Math.max(0, Date.now() - Date.parse(seek.created_at)))}</span
      >
    </p>
    ${seek.seats > 2 ? html`<p>${t("seek.there", { number, seats: seek.seats })}</p>` : nothing}
    <p class="faint">${t("seek.waiting_text")}</p>
    <p class="row">
      <button type="button" ?disabled=${runner.busy} @click=${() => runner.run(seeking.cancel)}>
        ${t("seek.cancel")}</button
      ><a class="button" href="#/lobby">${t("seek.look_around")}</a>
    </p>`;
}
