// Announce a tournament: game, format, clock, who may enter. Terms never change once announced, so the form explains each choice.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import * as api from "../lib/api.js";
import { CLOCKS, clockChoice, timeoutChoice } from "../lib/clocks.js";
import { fields, initial } from "../lib/form.js";
import { account } from "../lib/guest.js";
import { lang, t } from "../lib/i18n.js";
import { announce } from "../lib/tournament.js";
import { PlayerPicker } from "./parts/player_picker.js";
import { POINTS, pointsFields, tieBreakFields } from "./parts/scoring.js";
import { alert } from "./problem.js";

const MINUTE = 60_000, FORMATS = ["swiss", "balanced", "complete", "knockout", "arena", "own"];
const WITH_ROUNDS = ["swiss", "balanced", "own"], NO_LATE_ENTRY = ["complete", "knockout"];

/** @param {string[]} _params @param {URLSearchParams} query @param {import("../types").App} app @returns {Promise<import("../types").Page>} */
export async function open(_params, query, app) {
  const games = await api.games(lang());
  /** @type {import("../types").Game} */ let game;
  /** @type {any} */ let wish = {
    title: "", format: "swiss", rounds: 5, minutes: 60, advance: 1, clock: "quick", on_timeout: "forfeit", admits: "people", late_entry: false, rotated: false, automatic: true, rated: false, signed: false,
    no_show: 5, correction: 30, most_entrants: 64, points: [], tie_breaks: ["wins", "score_share", "opponents", "lot"],
    invited_only: false, invited: [], forbidden: [], arbiters: [],
  };
  /** @type {unknown} */ let problem = null;
  let busy = false;
  const picker = new PlayerPicker(app);

  const change = (/** @type {any} */ changes) => {
    Object.assign(wish, changes);
    if (wish.points.length !== wish.seats) wish.points = POINTS[wish.seats];
    app.update();
  };
  async function choose(/** @type {string} */ id) {
    game = await api.game(id, lang());
    change({ seats: game.seats.includes(wish.seats) ? wish.seats : game.seats[0], options: initial(game.options) });
  }
  await choose(games.find((one) => one.id === query.get("game"))?.id ?? games[0].id);

  const ids = (/** @type {import("../types").SeatHolder[]} */ people) => people.map(({ id }) => id);

  /** The body of the request to the service. */
  const terms = () => ({
    title: wish.title.trim(), game: game.id, options: wish.options, seats: wish.seats, format: wish.format, clock: CLOCKS[wish.clock], on_timeout: wish.on_timeout, admits: wish.admits,
    automatic: wish.automatic, rated: wish.rated && wish.admits !== "both", signed: wish.signed, no_show_ms: wish.no_show * MINUTE, correction_ms: wish.correction * MINUTE, most_entrants: wish.most_entrants,
    rotated: wish.rotated && wish.format !== "arena", late_entry: wish.late_entry && !NO_LATE_ENTRY.includes(wish.format),
    points: wish.points, tie_breaks: wish.tie_breaks, open_entry: !wish.invited_only, invited: wish.invited_only ? ids(wish.invited) : [],
    forbidden: wish.forbidden.map(ids).filter((/** @type {string[]} */ group) => group.length > 1), arbiters: ids(wish.arbiters),
    ...(WITH_ROUNDS.includes(wish.format) ? { rounds: wish.rounds } : {}), ...(wish.format === "arena" ? { duration_ms: wish.minutes * MINUTE } : {}),
    ...(wish.format === "knockout" ? { advance: Math.min(wish.advance, wish.seats - 1), least_seats: Math.min(wish.seats, Math.max(game.seats[0], wish.advance + 1)) } : {}),
  });

  async function submit(/** @type {SubmitEvent} */ event) {
    event.preventDefault();
    busy = true;
    problem = null;
    app.update();
    try {
      await account();
      app.go(`#/tournament/${(await announce(terms())).id}`);
    } catch (error) {
      problem = error;
      busy = false;
      app.update();
    }
  }

  const pills = (/** @type {string} */ name, /** @type {any[]} */ values, /** @type {(value: any) => string} */ text) => html`<div class="row">${values.map((value) => html`<label class="pill"><input type="radio" name=${name} .checked=${live(wish[name] === value)} @change=${() => change({ [name]: value })}><span>${text(value)}</span></label>`)}</div>`;
  const flag = (/** @type {string} */ name) => html`<label class="field check"><input type="checkbox" .checked=${live(wish[name])} @change=${(/** @type {any} */ event) => change({ [name]: event.target.checked })}><span>${t(`announce.${name}`)}</span><small class="faint">${t(`announce.${name}.hint`)}</small></label>`;
  const number = (/** @type {string} */ name, /** @type {number} */ least, /** @type {number} */ most) => html`<label class="field"><span>${t(`announce.${name}`)}</span><input type="number" required min=${least} max=${most} .value=${live(String(wish[name]))} @change=${(/** @type {any} */ event) => change({ [name]: Number(event.target.value) })}></label>`;

  /** People who must not meet, in groups. */
  const forbiddenGroups = () => html`<fieldset><legend>${t("announce.forbidden")}</legend><p class="faint">${t("announce.forbidden.hint")}</p>
    ${wish.forbidden.map((/** @type {any[]} */ group, /** @type {number} */ place) => picker.several(`forbidden-${place}`, t("announce.group", { number: place + 1 }), group,
      (next) => change({ forbidden: wish.forbidden.map((/** @type {any[]} */ one, /** @type {number} */ index) => (index === place ? next : one)) })))}
    <div class="row"><button type="button" @click=${() => change({ forbidden: [...wish.forbidden, []] })}>${t("announce.group_add")}</button></div></fieldset>`;

  return {
    title: () => t("announce.title"),
    view: () => html`<p class="crumbs"><a href="#/tournaments">${t("tournaments.title")}</a></p><form class="create" @submit=${submit}><h1 tabindex="-1">${t("announce.title")}</h1>
      <p class="lead">${t("announce.lead")}</p>
      ${problem ? alert(problem, app) : nothing}
      <label class="field"><span>${t("announce.name")}</span><input type="text" required maxlength="120" .value=${live(wish.title)} @input=${(/** @type {any} */ event) => { wish.title = event.target.value; }}></label>
      <fieldset><legend>${t("create.game")}</legend><div class="row">${games.map((one) => html`<label class="pill"><input type="radio" name="game" .checked=${live(one.id === game.id)} @change=${() => choose(one.id)}><span>${one.title}</span></label>`)}</div></fieldset>
      <fieldset><legend>${t("seek.players")}</legend>${pills("seats", game.seats, String)}</fieldset>
      <fieldset><legend>${t("terms.format")}</legend>${pills("format", FORMATS, (name) => t(`tournament.format.${name}`))}<p class="faint">${t(`announce.format.${wish.format}`)}</p>
        ${WITH_ROUNDS.includes(wish.format) ? number("rounds", 1, 200) : nothing}${wish.format === "arena" ? number("minutes", 1, 43_200) : nothing}${wish.format === "knockout" ? number("advance", 1, Math.max(1, wish.seats - 1)) : nothing}</fieldset>
      <fieldset><legend>${t("create.clock")}</legend>${clockChoice(wish.clock, (clock) => change({ clock }))}${wish.clock === "none" ? nothing : timeoutChoice(wish.on_timeout, (on_timeout) => change({ on_timeout }))}</fieldset>
      <fieldset><legend>${t("terms.admits")}</legend>${pills("admits", ["people", "programs", "both"], (name) => t(`terms.admits.${name}`))}${wish.admits === "both" ? nothing : flag("rated")}${NO_LATE_ENTRY.includes(wish.format) ? nothing : flag("late_entry")}
        ${flag("invited_only")}${wish.invited_only ? picker.several("invited", t("announce.invited"), wish.invited, (invited) => change({ invited })) : nothing}</fieldset>
      ${flag("automatic")}${wish.format === "arena" ? nothing : flag("rotated")}
      <details><summary>${t("create.options", { game: game.title })}</summary><div class="grid">${fields(game.options, wish.options, game.words, (options) => change({ options }))}</div></details>
      <details><summary>${t("announce.scoring")}</summary>${pointsFields(wish.points, (points) => change({ points }))}${tieBreakFields(wish.tie_breaks, (tie_breaks) => change({ tie_breaks }))}</details>
      <details><summary>${t("announce.people")}</summary>${forbiddenGroups()}
        <fieldset><legend>${t("announce.arbiters")}</legend><p class="faint">${t("announce.arbiters.hint")}</p>${picker.several("arbiters", t("announce.find"), wish.arbiters, (arbiters) => change({ arbiters }))}</fieldset></details>
      <details><summary>${t("create.advanced")}</summary>${flag("signed")}<div class="grid">${number("no_show", 1, 43_200)}${number("correction", 0, 43_200)}${number("most_entrants", 2, 10_000)}</div></details>
      <p class="row"><button class="main" ?disabled=${busy}>${t("announce.submit")}</button></p></form>`,
  };
}
