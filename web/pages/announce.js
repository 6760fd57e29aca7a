// Announce a tournament: game, format, clock, who may enter. Terms never change once announced, so the form explains
// each choice.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import * as api from "../lib/api.js";
import { CLOCKS } from "../lib/clocks.js";
import { initial } from "../lib/form.js";
import { account } from "../lib/guest.js";
import { lang, t } from "../lib/i18n.js";
import { announce } from "../lib/tournament.js";
import { clockField, flag, gameField, optionsField, pills } from "./parts/draft_fields.js";
import { PlayerPicker } from "./parts/player_picker.js";
import { Runner } from "./parts/runner.js";
import { POINTS, pointsFields, tieBreakFields } from "./parts/scoring.js";

const MINUTE = 60_000;
const FORMATS = ["swiss", "balanced", "complete", "knockout", "arena", "own"];
const WITH_ROUNDS = ["swiss", "balanced", "own"];
const NO_LATE_ENTRY = ["complete", "knockout"];

/**
 * @param {string[]} _params
 * @param {URLSearchParams} query
 * @param {import("../types").App} app
 * @returns {Promise<import("../types").Page>}
 */
export async function open(_params, query, app) {
  const games = await api.games(lang());
  /** @type {import("../types").Game} */ let game;
  /** @type {any} */ const draft = {
    title: "",
    format: "swiss",
    rounds: 5,
    minutes: 60,
    advance: 1,
    clock: "quick",
    on_timeout: "forfeit",
    admits: "people",
    late_entry: false,
    rotated: false,
    automatic: true,
    rated: false,
    signed: false,
    run_on: false,
    no_show: 5,
    correction: 30,
    most_entrants: 64,
    points: [],
    tie_breaks: ["wins", "score_share", "opponents", "lot"],
    invited_only: false,
    invited: [],
    forbidden: [],
    arbiters: [],
  };
  const picker = new PlayerPicker(app);
  const runner = new Runner(app);

  const change = (/** @type {any} */ changes) => {
    Object.assign(draft, changes);
    if (draft.points.length !== draft.seats) draft.points = POINTS[draft.seats];
    app.update();
  };
  async function choose(/** @type {string} */ id) {
    game = await api.game(id, lang());
    change({ seats: game.seats.includes(draft.seats) ? draft.seats : game.seats[0], options: initial(game.options) });
  }
  await choose(games.find((one) => one.id === query.get("game"))?.id ?? games[0].id);

  const ids = (/** @type {import("../types").SeatHolder[]} */ people) => people.map(({ id }) => id);

  /** The body of the request to the service. */
  const terms = () => ({
    title: draft.title.trim(),
    game: game.id,
    options: draft.options,
    seats: draft.seats,
    format: draft.format,
    clock: CLOCKS[draft.clock],
    on_timeout: draft.on_timeout,
    admits: draft.admits,
    automatic: draft.automatic,
    rated: draft.rated && draft.admits !== "both",
    signed: draft.signed,
    ...(draft.run_on ? { max_returned_ms: 0 } : {}),
    no_show_ms: draft.no_show * MINUTE,
    correction_ms: draft.correction * MINUTE,
    most_entrants: draft.most_entrants,
    rotated: draft.rotated && draft.format !== "arena",
    late_entry: draft.late_entry && !NO_LATE_ENTRY.includes(draft.format),
    points: draft.points,
    tie_breaks: draft.tie_breaks,
    open_entry: !draft.invited_only,
    invited: draft.invited_only ? ids(draft.invited) : [],
    forbidden: draft.forbidden.map(ids).filter((/** @type {string[]} */ group) => group.length > 1),
    arbiters: ids(draft.arbiters),
    ...(WITH_ROUNDS.includes(draft.format) ? { rounds: draft.rounds } : {}),
    ...(draft.format === "arena" ? { duration_ms: draft.minutes * MINUTE } : {}),
    ...(draft.format === "knockout"
      ? {
          advance: Math.min(draft.advance, draft.seats - 1),
          least_seats: Math.min(draft.seats, Math.max(game.seats[0], draft.advance + 1)),
        }
      : {}),
  });

  function submit(/** @type {SubmitEvent} */ event) {
    event.preventDefault();
    void runner.run(
      async () => {
        await account();
        app.go(`#/tournament/${(await announce(terms())).id}`);
      },
      { leaves: true },
    );
  }

  const choice = (
    /** @type {string} */ name,
    /** @type {any[]} */ values,
    /** @type {(value: any) => string} */ text,
  ) => pills(name, values, draft[name], text, (value) => change({ [name]: value }));
  const check = (/** @type {string} */ name) => flag(draft, name, `announce.${name}`, change);
  const number = (/** @type {string} */ name, /** @type {number} */ least, /** @type {number} */ most) =>
    html`<label class="field"
      ><span>${t(`announce.${name}`)}</span
      ><input
        type="number"
        required
        min=${least}
        max=${most}
        .value=${live(String(draft[name]))}
        @change=${(/** @type {any} */ event) => change({ [name]: Number(event.target.value) })}
    /></label>`;

  /** People who must not meet, in groups. */
  const forbiddenGroups = () =>
    html`<fieldset>
      <legend>${t("announce.forbidden")}</legend>
      <p class="faint">${t("announce.forbidden.hint")}</p>
      ${draft.forbidden.map((/** @type {any[]} */ group, /** @type {number} */ place) =>
        picker.several(`forbidden-${place}`, t("announce.group", { number: place + 1 }), group, (next) =>
          change({
            forbidden: draft.forbidden.map((/** @type {any[]} */ one, /** @type {number} */ index) =>
              index === place ? next : one,
            ),
          }),
        ),
      )}
      <div class="row">
        <button type="button" @click=${() => change({ forbidden: [...draft.forbidden, []] })}>
          ${t("announce.group_add")}
        </button>
      </div>
    </fieldset>`;

  return {
    title: () => t("announce.title"),
    view: () =>
      html`<p class="crumbs"><a href="#/tournaments">${t("tournaments.title")}</a></p>
        <form class="create" @submit=${submit}>
          <h1 tabindex="-1">${t("announce.title")}</h1>
          <p class="lead">${t("announce.lead")}</p>
          ${runner.alert}
          <label class="field"
            ><span>${t("announce.name")}</span
            ><input
              type="text"
              required
              maxlength="120"
              .value=${live(draft.title)}
              @input=${(/** @type {any} */ event) => {
                draft.title = event.target.value;
              }}
          /></label>
          ${gameField(games, game, choose)}
          <fieldset>
            <legend>${t("seek.players")}</legend>
            ${choice("seats", game.seats, String)}
          </fieldset>
          <fieldset>
            <legend>${t("terms.format")}</legend>
            ${choice("format", FORMATS, (name) => t(`tournament.format.${name}`))}
            <p class="faint">${t(`announce.format.${draft.format}`)}</p>
            ${
              WITH_ROUNDS.includes(draft.format) ? number("rounds", 1, 200) : nothing
            }${draft.format === "arena" ? number("minutes", 1, 43_200) : nothing}${
              draft.format === "knockout" ? number("advance", 1, Math.max(1, draft.seats - 1)) : nothing
            }
          </fieldset>
          ${clockField(draft, change)}
          <fieldset>
            <legend>${t("terms.admits")}</legend>
            ${choice("admits", ["people", "programs", "both"], (name) =>
              t(`terms.admits.${name}`),
            )}${draft.admits === "both" ? nothing : check("rated")}${
              NO_LATE_ENTRY.includes(draft.format) ? nothing : check("late_entry")
            }
            ${check("invited_only")}${
              draft.invited_only
                ? picker.several("invited", t("announce.invited"), draft.invited, (invited) => change({ invited }))
                : nothing
            }
          </fieldset>
          ${check("automatic")}${draft.format === "arena" ? nothing : check("rotated")}
          ${optionsField(game, draft, change)}
          <details>
            <summary>${t("announce.scoring")}</summary>
            ${pointsFields(draft.points, (points) => change({ points }))}${tieBreakFields(
              draft.tie_breaks,
              (tie_breaks) => change({ tie_breaks }),
            )}
          </details>
          <details>
            <summary>${t("announce.people")}</summary>
            ${forbiddenGroups()}
            <fieldset>
              <legend>${t("announce.arbiters")}</legend>
              <p class="faint">${t("announce.arbiters.hint")}</p>
              ${picker.several("arbiters", t("announce.find"), draft.arbiters, (arbiters) => change({ arbiters }))}
            </fieldset>
          </details>
          <details>
            <summary>${t("create.advanced")}</summary>
            ${check("signed")}${flag(draft, "run_on", "create.run_on", change)}
            <div class="grid">
              ${number("no_show", 1, 43_200)}${number("correction", 0, 43_200)}${number("most_entrants", 2, 10_000)}
            </div>
          </details>
          <p class="row"><button class="main" ?disabled=${runner.busy}>${t("announce.submit")}</button></p>
        </form>`,
  };
}
