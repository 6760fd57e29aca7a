// A new match: game, seats, clock, who may see it, and the options that the game describes.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import * as api from "../lib/api.js";
import * as commands from "../lib/commands.js";
import { CLOCKS, span } from "../lib/clocks.js";
import { stringsOf } from "../lib/drawing.js";
import { onSubmit, withText } from "../lib/events.js";
import { initials } from "../lib/form.js";
import { account } from "../lib/guest.js";
import { lang, t } from "../lib/i18n.js";
import { botName } from "../lib/texts.js";
import { clockField, flag, gameField, optionsField, pills } from "./parts/draft_fields.js";
import { byStrength, levelText } from "./parts/levels.js";
import { PlayerPicker } from "./parts/player_picker.js";
import { Runner } from "./parts/runner.js";

/** @typedef {import("../types").Game} Game @typedef {import("../types").App} App */
/** @typedef {ReturnType<typeof draftOf>} Draft */
const ADVANCED = /** @type {const} */ (["rated", "meet_bots", "sealed", "signed", "run_on", "practice"]);
/** In seconds. */
const DELAYS = [0, 60, 300, 900];

/** @param {string[]} _params @param {URLSearchParams} query @param {App} app */
export async function open(_params, query, app) {
  const games = await api.games(lang());
  const known = games.find((one) => one.id === query.get("game")) ?? games[0];
  const invited = query.get("invite");
  const [loaded, player] = await Promise.all([
    load(known.id),
    invited ? api.get(`/v1/players/${encodeURIComponent(invited)}`) : null,
  ]);
  const page = new CreatePage(games, loaded, query.get("friends") === "yes", app);
  if (player) page.invite(1, player);
  return page;
}

/** A game, and the strings of its folder. @param {string} id */
async function load(id) {
  const [game, strings] = await Promise.all([api.game(id, lang()), stringsOf(id)]);
  return { game, strings };
}

/** @param {Game} game @param {boolean} amongFriends private, and without the programs of strangers */
function draftOf(game, amongFriends) {
  const count = game.seats.includes(3) ? 3 : game.seats[0];
  return {
    seats: Array.from({ length: count }, (_, seat) => String(seat === 0 ? "me" : "open")),
    clock: "none",
    private: amongFriends,
    options: initials(game.options),
    on_timeout: /** @type {"bot" | "forfeit"} */ ("bot"),
    rated: false,
    meet_bots: !amongFriends,
    sealed: false,
    signed: false,
    run_on: false,
    practice: false,
    spectator_delay: 0,
  };
}

class CreatePage {
  /**
   * @param {import("../types").GameSummary[]} games
   * @param {Awaited<ReturnType<typeof load>>} loaded
   * @param {boolean} amongFriends
   * @param {App} app
   */
  constructor(games, { game, strings }, amongFriends, app) {
    this.games = games;
    this.game = game;
    this.strings = strings;
    this.amongFriends = amongFriends;
    this.app = app;
    this.draft = draftOf(game, amongFriends);
    this.picker = new PlayerPicker(app);
    this.runner = new Runner(app);
  }

  /** @param {string} id */
  choose = async (id) => {
    Object.assign(this, await load(id));
    this.draft = draftOf(this.game, this.amongFriends);
    this.app.update();
  };

  /** @param {Partial<Draft>} changes */
  change = (changes) => {
    Object.assign(this.draft, changes);
    this.app.update();
  };

  /** @param {number} place @param {import("../types").SeatHolder} player */
  invite(place, player) {
    this.draft.seats[place] = "invited";
    this.picker.choose(place, player);
  }

  /** Nobody has two seats: who takes another one leaves the first. @param {number} place @param {string} kind */
  setSeat(place, kind) {
    const others = this.draft.seats.map((one) => (kind === "me" && one === "me" ? "open" : one));
    this.change({ seats: others.with(place, kind) });
  }

  /** @param {string} kind @param {number} place @returns {import("../lib/commands.js").Requested["seats"][number]} */
  seatSpec(kind, place) {
    if (kind === "invited") return { type: "invited", player: this.picker.chosen.get(place)?.id };
    if (kind.startsWith("bot:")) return { type: "bot", bot: kind.slice(4) };
    return { type: kind === "me" ? "me" : "open" };
  }

  submit = () => {
    const { seats, clock, run_on: runOn, ...rest } = this.draft;
    const missing = seats.findIndex((kind, place) => kind === "invited" && !this.picker.chosen.get(place));
    if (missing >= 0) return void document.getElementById(`player-${missing}`)?.focus();
    const wanted = seats.map((kind, place) => this.seatSpec(kind, place));
    void this.runner.run(
      async () => {
        await account();
        const match = await commands.create({
          game: this.game.id,
          ...rest,
          ...(runOn ? { max_returned_ms: 0 } : {}),
          seats: wanted,
          clock: CLOCKS[clock],
        });
        this.app.go(`#/match/${match.id}`);
      },
      { leaves: true },
    );
  };

  title = () => t(this.amongFriends ? "landing.friends" : "create.title");

  view() {
    return html`<form class="create" @submit=${onSubmit(this.submit)}>
      <h1 tabindex="-1">${this.title()}</h1>
      ${this.runner.alert} ${gameField(this.games, this.game, this.choose)}
      ${this.amongFriends ? this.friendly() : this.whole()}
      <p class="row">
        <button class="main" ?disabled=${this.runner.busy}>
          ${this.runner.busy ? t("landing.starting") : t(this.amongFriends ? "create.link" : "create.submit")}
        </button>
        ${this.amongFriends ? html`<a class="button" href="#/new?game=${this.game.id}">${t("create.more")}</a>` : nothing}
      </p>
    </form>`;
  }

  /** What matters among friends: how many there are, and the time. The rest is as usual. */
  friendly() {
    const { draft, game, change } = this;
    const seats = (/** @type {number} */ count) => ["me", ...Array.from({ length: count - 1 }, () => "open")];
    return html`<fieldset>
        <legend>${t("create.players")}</legend>
        ${pills("players", [...game.seats], draft.seats.length, String, (count) => change({ seats: seats(count) }))}
      </fieldset>
      ${clockField(draft, change)} ${optionsField(game, draft, change)}`;
  }

  whole() {
    const { draft, game, change } = this;
    const check = (/** @type {"private" | typeof ADVANCED[number]} */ name) =>
      flag(draft, name, `create.${name}`, change);
    return html`${seatsField(this)} ${clockField(draft, change)} ${check("private")}
      ${optionsField(game, draft, change)}
      <details>
        <summary>${t("create.advanced")}</summary>
        ${ADVANCED.map(check)} ${delayField(draft, change)}
      </details>`;
  }
}

/**
 * By how much those who don't play are behind.
 * @param {{spectator_delay: number}} draft
 * @param {(changes: {spectator_delay: number}) => void} change
 */
export const delayField = ({ spectator_delay: chosen }, change) =>
  html`<label class="field"
    ><span>${t("create.spectator_delay")}</span
    ><select @change=${withText((seconds) => change({ spectator_delay: Number(seconds) }))}>
      ${DELAYS.map(
        (seconds) =>
          html`<option value=${seconds} ?selected=${seconds === chosen}>
            ${seconds ? span(seconds * 1000) : t("create.spectator_delay.none")}
          </option>`,
      )}
    </select></label
  >`;

/** @param {CreatePage} page */
const seatsField = (page) =>
  html`<fieldset>
    <legend>${t("create.seats")}</legend>
    <div class="grid">${page.draft.seats.map((kind, place) => seatField(page, kind, place))}</div>
    <div class="row">${countButton(page, "create.add_seat", 1)} ${countButton(page, "create.remove_seat", -1)}</div>
  </fieldset>`;

/** @param {CreatePage} page @param {string} label @param {number} more */
function countButton({ draft: { seats }, game, change }, label, more) {
  const next = more > 0 ? [...seats, "open"] : seats.slice(0, more);
  return html`<button
    type="button"
    ?disabled=${!game.seats.includes(next.length)}
    @click=${() => change({ seats: next })}
  >
    ${t(label)}
  </button>`;
}

/** @param {string} kind */
const kindName = (kind) =>
  kind.startsWith("bot:")
    ? t("seat.bot", { bot: botName(kind.slice(4)) })
    : t(kind === "invited" ? "seat.invite" : `seat.${kind}`);

/** @param {CreatePage} page @param {string} chosen @param {number} place */
function seatField(page, chosen, place) {
  const kinds = ["me", "open", "invited", ...byStrength(page.game.bots).map((bot) => `bot:${bot}`)];
  const bot = chosen.startsWith("bot:") ? chosen.slice(4) : null;
  const about = bot === null ? nothing : `about-${place}`;
  return html`<div>
    <label class="field"
      ><span>${t("seat.number", { number: place + 1 })}</span>
      <select aria-describedby=${about} .value=${live(chosen)} @change=${withText((kind) => page.setSeat(place, kind))}>
        ${kinds.map((kind) => html`<option value=${kind} ?selected=${kind === chosen}>${kindName(kind)}</option>`)}
      </select></label
    >${bot === null ? nothing : levelText(page.strings, bot, `about-${place}`)}
    ${chosen === "invited" ? page.picker.field(place) : nothing}
  </div>`;
}
