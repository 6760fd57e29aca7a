// A new match: game, seats, clock, who may see it, and the options that the game describes.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import * as api from "../lib/api.js";
import * as commands from "../lib/commands.js";
import { CLOCKS } from "../lib/clocks.js";
import { initial } from "../lib/form.js";
import { account } from "../lib/guest.js";
import { lang, t } from "../lib/i18n.js";
import { clockField, flag, gameField, optionsField } from "./parts/draft_fields.js";
import { PlayerPicker } from "./parts/player_picker.js";
import { Runner } from "./parts/runner.js";

/** @typedef {import("../types").Game} Game */
const ADVANCED = ["rated", "meet_bots", "sealed", "signed", "run_on", "practice"];

/**
 * @param {string[]} _params
 * @param {URLSearchParams} query
 * @param {import("../types").App} app
 * @returns {Promise<import("../types").Page>}
 */
export async function open(_params, query, app) {
  const games = await api.games(lang());
  const runner = new Runner(app);
  /** @type {Game} */ let game, /** @type {any} */ draft;

  const amongFriends = query.get("friends") === "yes"; // private, and without the programs of strangers

  async function choose(/** @type {string} */ id) {
    game = await api.game(id, lang());
    const count = game.seats.includes(3) ? 3 : game.seats[0];
    const seats = Array.from({ length: count }, (_, seat) => (seat === 0 ? "me" : "open"));
    draft = {
      seats,
      clock: "none",
      private: amongFriends,
      options: initial(game.options),
      on_timeout: "bot",
      rated: false,
      meet_bots: !amongFriends,
      sealed: false,
      signed: false,
      run_on: false,
      practice: false,
    };
    app.update();
  }

  const known = games.find((one) => one.id === query.get("game")) ?? games[0];
  await choose(known.id);
  const picker = new PlayerPicker(app);
  const invited = query.get("invite");
  if (invited) {
    picker.choose(1, await api.get(`/v1/players/${encodeURIComponent(invited)}`));
    draft.seats[1] = "invited";
  }

  const change = (/** @type {any} */ changes) => {
    Object.assign(draft, changes);
    app.update();
  };
  const seatSpec = (/** @type {string} */ kind, /** @type {number} */ place) => {
    if (kind === "invited") return { type: "invited", player: picker.chosen.get(place)?.id };
    return kind.startsWith("bot:") ? { type: "bot", bot: kind.slice(4) } : { type: kind };
  };

  function submit(/** @type {SubmitEvent} */ event) {
    event.preventDefault();
    const missing = draft.seats.findIndex(
      (/** @type {string} */ kind, /** @type {number} */ place) => kind === "invited" && !picker.chosen.get(place),
    );
    if (missing >= 0) return void document.getElementById(`player-${missing}`)?.focus();
    void runner.run(
      async () => {
        await account();
        const { seats, clock, run_on: runOn, ...rest } = draft;
        const match = await commands.create({
          game: game.id,
          ...rest,
          ...(runOn ? { max_returned_ms: 0 } : {}),
          seats: seats.map(seatSpec),
          clock: CLOCKS[clock],
        });
        app.go(`#/match/${match.id}`);
      },
      { leaves: true },
    );
  }

  const kinds = () => ["me", "open", "invited", ...game.bots.map((bot) => `bot:${bot}`)];
  const kindName = (/** @type {string} */ kind) =>
    kind.startsWith("bot:")
      ? t("seat.bot", { bot: kind.slice(4) })
      : t(kind === "invited" ? "seat.invite" : `seat.${kind}`);
  const setSeat = (/** @type {number} */ place, /** @type {string} */ kind) =>
    change({
      seats: draft.seats.map((/** @type {string} */ one, /** @type {number} */ index) =>
        index === place ? kind : kind === "me" && one === "me" ? "open" : one,
      ),
    });
  const seat = (/** @type {string} */ chosen, /** @type {number} */ place) =>
    html`<div>
      <label class="field"
        ><span>${t("seat.number", { number: place + 1 })}</span>
        <select .value=${live(chosen)} @change=${(/** @type {any} */ event) => setSeat(place, event.target.value)}>
          ${kinds().map((kind) => html`<option value=${kind} ?selected=${kind === chosen}>${kindName(kind)}</option>`)}
        </select></label
      >${chosen === "invited" ? picker.field(place) : nothing}
    </div>`;
  const check = (/** @type {string} */ name) => flag(draft, name, `create.${name}`, change);

  return {
    title: () => t("create.title"),
    view: () =>
      html`<form class="create" @submit=${submit}>
        <h1 tabindex="-1">${t("create.title")}</h1>
        ${runner.alert} ${gameField(games, game, choose)}
        <fieldset>
          <legend>${t("create.seats")}</legend>
          <div class="grid">${draft.seats.map(seat)}</div>
          <div class="row">
            <button
              type="button"
              ?disabled=${!game.seats.includes(draft.seats.length + 1)}
              @click=${() => change({ seats: [...draft.seats, "open"] })}
            >
              ${t("create.add_seat")}
            </button>
            <button
              type="button"
              ?disabled=${!game.seats.includes(draft.seats.length - 1)}
              @click=${() => change({ seats: draft.seats.slice(0, -1) })}
            >
              ${t("create.remove_seat")}
            </button>
          </div>
        </fieldset>
        ${clockField(draft, change)} ${check("private")} ${optionsField(game, draft, change)}
        <details>
          <summary>${t("create.advanced")}</summary>
          ${ADVANCED.map(check)}
        </details>
        <p class="row">
          <button class="main" ?disabled=${runner.busy}>
            ${runner.busy ? t("landing.starting") : t("create.submit")}
          </button>
        </p>
      </form>`,
  };
}
