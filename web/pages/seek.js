// Find an opponent: choose what to play, wait, and take a seat as soon as a suitable opponent is found.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import { CLOCKS } from "../lib/clocks.js";
import { initial } from "../lib/form.js";
import { account } from "../lib/guest.js";
import { duration, lang, t } from "../lib/i18n.js";
import * as seeking from "../lib/seeking.js";
import { clockField, flag, gameField, optionsField, pills } from "./parts/draft_fields.js";
import { Runner } from "./parts/runner.js";
import { seekRows, seekText } from "./parts/seek_rows.js";

/** @typedef {import("../types").Seek} Seek */
const SECOND = 1000;
const LOOK_AGAIN = 5000;
const ENDED = ["expired", "missed", "declined"];

/**
 * @param {string[]} _params
 * @param {URLSearchParams} query
 * @param {import("../types").App} app
 * @returns {Promise<import("../types").Page>}
 */
export async function open(_params, query, app) {
  const games = await api.games(lang());
  const titles = Object.fromEntries(games.map((one) => [one.id, one.title]));
  /** @type {Seek[]} */ let others = await seeking.others();
  /** @type {import("../types").Game} */ let game, /** @type {any} */ draft;
  const runner = new Runner(app);

  async function choose(/** @type {string} */ id) {
    game = await api.game(id, lang());
    draft = {
      seats: game.seats[0],
      clock: "quick",
      rated: true,
      opponents: "people",
      on_timeout: "bot",
      options: initial(game.options),
    };
    app.update();
  }
  const likeThat = others.find((one) => one.id === query.get("as"));
  await choose(likeThat?.game ?? games.find((one) => one.id === query.get("game"))?.id ?? games[0].id);
  if (likeThat && !seeking.isActive()) void begin({ ...likeThat, opponents: "both" });

  const change = (/** @type {any} */ changes) => {
    Object.assign(draft, changes);
    app.update();
  };

  function submit(/** @type {SubmitEvent} */ event) {
    event.preventDefault();
    return begin({ ...draft, game: game.id, clock: CLOCKS[draft.clock] });
  }

  function begin(
    /** @type {any} */ { game: id, seats, clock: { kind, ms, increment_ms }, rated, opponents, on_timeout, options },
  ) {
    const clock = kind === "none" ? { kind } : { kind, ms, ...(kind === "bank" ? { increment_ms } : {}) };
    return runner.run(async () => {
      await account();
      await seeking.begin({ game: id, seats, clock, rated, opponents, on_timeout, options });
      app.announce(t("seek.waiting"));
    });
  }

  const play = () =>
    runner.run(async () => {
      app.go(`#/match/${(await seeking.accept()).id}`);
    });

  /** A user who waits on this page joins the match immediately; on other pages they are asked first. */
  function arrived() {
    if (seeking.isOffered() && !runner.busy && document.visibilityState === "visible") void play();
    else if (seeking.isOffered()) app.announce(t("seek.found"));
    app.update();
  }

  const stop = seeking.onChange(arrived);
  if (seeking.isOffered()) void play();
  const clock = setInterval(() => {
    if (seeking.isActive()) app.update();
  }, SECOND);
  const looking = setInterval(async () => {
    if (document.visibilityState !== "visible") return;
    others = await seeking.others().catch(() => others);
    app.update();
  }, LOOK_AGAIN);

  const form = () =>
    html`<form class="create" @submit=${submit}>
      ${gameField(games, game, choose)}
      <fieldset>
        <legend>${t("seek.players")}</legend>
        ${pills("seats", game.seats, draft.seats, String, (seats) => change({ seats }))}
      </fieldset>
      ${clockField(draft, change)} ${flag(draft, "rated", "create.rated", change)}
      ${
        draft.rated
          ? nothing
          : html`<fieldset>
              <legend>${t("seek.opponents")}</legend>
              ${pills(
                "opponents",
                ["people", "programs", "both"],
                draft.opponents,
                (name) => t(`seek.opponents.${name}`),
                (opponents) => change({ opponents }),
              )}
            </fieldset>`
      }
      ${optionsField(game, draft, change)}
      <p class="row"><button class="main" ?disabled=${runner.busy}>${t("seek.submit")}</button></p>
    </form>`;

  const isLike = (/** @type {Seek} */ one, /** @type {Seek} */ seek) =>
    one.game === seek.game &&
    one.seats === seek.seats &&
    one.rated === seek.rated &&
    JSON.stringify(one.clock) === JSON.stringify(seek.clock);
  const waiting = (/** @type {Seek} */ seek) =>
    html`<section class="setup seeking">
      <h2>${t(seek.status === "offered" ? "seek.found" : "seek.waiting")}</h2>
      <p><strong>${titles[seek.game] ?? seek.game}</strong> · ${seekText(seek)}</p>
      ${
        seek.status === "offered"
          ? html`<p class="row">
              <button type="button" class="main" ?disabled=${runner.busy} @click=${play}>${t("lobby.play")}</button
              ><button type="button" ?disabled=${runner.busy} @click=${() => runner.run(seeking.decline)}>
                ${t("lobby.decline")}
              </button>
            </p>`
          : html`<p>
                <span class="clock" role="timer" aria-label=${t("seek.elapsed")}
                  >${duration(Math.max(0, Date.now() - Date.parse(seek.created_at)))}</span
                >
              </p>
              ${
                seek.seats > 2
                  ? html`<p>
                      ${t("seek.there", {
                        number: 1 + others.filter((one) => isLike(one, seek)).length,
                        seats: seek.seats,
                      })}
                    </p>`
                  : nothing
              }
              <p class="faint">${t("seek.waiting_text")}</p>
              <p class="row">
                <button type="button" ?disabled=${runner.busy} @click=${() => runner.run(seeking.cancel)}>
                  ${t("seek.cancel")}</button
                ><a class="button" href="#/lobby">${t("seek.look_around")}</a>
              </p>`
      }
    </section>`;

  return {
    title: () => `${seeking.isOffered() ? "● " : ""}${t("seek.title")}`,
    close() {
      stop();
      clearInterval(clock);
      clearInterval(looking);
      seeking.forget();
    },
    view() {
      const seek = seeking.seek();
      return html`<p class="crumbs"><a href="#/lobby">${t("lobby.title")}</a></p>
        <h1 tabindex="-1">${t("seek.title")}</h1>
        ${runner.alert}
        ${
          seek && seeking.isActive()
            ? waiting(seek)
            : html`${
                seek && ENDED.includes(seek.status)
                  ? html`<p class="banner" role="status">${t(`seek.ended.${seek.status}`)}</p>`
                  : html`<p class="lead">${t("seek.lead")}</p>`
              }${form()}`
        }
        ${
          others.length && !seeking.isActive()
            ? html`<section class="matches">
                <h2>${t("seek.others")}</h2>
                ${seekRows(others, titles)}
              </section>`
            : nothing
        }`;
    },
  };
}
