// Fields for choosing players, such as those to invite: people from earlier matches, and players found by name.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import * as api from "../../lib/api.js";
import { withText } from "../../lib/events.js";
import { t } from "../../lib/i18n.js";

/** @typedef {import("../../types").SeatHolder} SeatHolder */
const PAUSE = 250;
const SHOWN = 6;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

export class PlayerPicker {
  /** @param {import("../../types").App} app */
  constructor(app) {
    this.app = app;
    /** Who is invited to each place. @type {Map<string | number, SeatHolder>} */ this.chosen = new Map();
    /** @type {Map<string | number, SeatHolder[]>} */ this.found = new Map();
    /** @type {Promise<SeatHolder[]> | null} */ this.met = null;
    this.timer = 0;
  }

  /** The players in the user's matches, some of them repeatedly. @returns {Promise<SeatHolder[]>} */
  async metPlayers() {
    const me = api.me();
    if (!me) return [];
    const { matches } = await api.get("/v1/matches", { player: me.id, limit: 100 });
    return matches
      .flatMap(({ seats }) => seats.map(({ player }) => player))
      .filter((one) => one !== null)
      .filter(({ id, name }) => name && id !== "house");
  }

  /** @param {string | number} place @param {string} text a part of a name, or the number of a player */
  async search(place, text) {
    const wanted = text.trim().toLowerCase();
    const id = UUID.exec(wanted)?.[0];
    const searches = [
      (this.met ??= this.metPlayers()).then((all) => all.filter((one) => one.name?.toLowerCase().includes(wanted))),
    ];
    if (id) searches.push(api.get(`/v1/players/${id}`).then((one) => [one]));
    else if (wanted) searches.push(api.get("/v1/players", { q: text.trim() }).then((page) => page.players));
    // if the search by name fails, people from earlier matches are still found
    const answers = await Promise.allSettled(searches);
    const all = answers
      .flatMap((one) => (one.status === "fulfilled" ? one.value : []))
      .filter((one) => one.id !== api.me()?.id);
    this.found.set(place, [...new Map(all.map((one) => [one.id, one])).values()].slice(0, SHOWN));
    this.app.update();
  }

  /** @param {string | number} place @param {string} text */
  searchSoon(place, text) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.search(place, text), PAUSE);
  }

  /** @param {number} place @param {SeatHolder | null} player */
  choose(place, player) {
    if (player) this.chosen.set(place, player);
    else this.chosen.delete(place);
    this.found.delete(place);
    this.app.update();
  }

  /** @param {number} place */
  field(place) {
    const chosen = this.chosen.get(place);
    if (chosen)
      return html`<p class="row picked">
        <span class="tag">${chosen.name}</span
        ><button type="button" @click=${() => this.choose(place, null)}>
          ${t("form.remove")}<span class="unseen"> ${chosen.name}</span>
        </button>
      </p>`;
    return this.searchField(place, t("create.invite"), (one) => this.choose(place, one));
  }

  /**
   * A field to find a player.
   * @param {string | number} place
   * @param {string} label
   * @param {(one: SeatHolder) => void} pick
   */
  searchField(place, label, pick) {
    const found = this.found.get(place);
    return html`<label class="field"
        ><span>${label}</span
        ><input
          id="player-${place}"
          type="text"
          autocomplete="off"
          placeholder=${t("create.invite.hint")}
          @focus=${withText((text) => this.search(place, text))}
          @input=${withText((text) => this.searchSoon(place, text))}
      /></label>
      ${
        found
          ? html`<div class="found-players" role="group" aria-label=${t("create.invite.found")}>
              ${
                found.length
                  ? found.map(
                      (one) =>
                        html`<button type="button" @click=${() => pick(one)}>
                          ${one.name ?? t("player.erased")}
                          ${one.bot ? html`<span class="tag">${t("match.bot")}</span>` : nothing}<span class="faint"
                            >${one.id.slice(0, 8)}</span
                          >
                        </button>`,
                    )
                  : html`<p class="faint" role="status">${t("create.invite.none")}</p>`
              }
            </div>`
          : nothing
      }`;
  }

  /**
   * A field to choose several players.
   * @param {string} place
   * @param {string} label
   * @param {SeatHolder[]} chosen
   * @param {(next: SeatHolder[]) => void} change
   */
  several(place, label, chosen, change) {
    const add = (/** @type {SeatHolder} */ one) => {
      this.found.delete(place);
      const input = /** @type {HTMLInputElement | null} */ (document.getElementById(`player-${place}`));
      if (input) input.value = "";
      input?.focus();
      change(chosen.some(({ id }) => id === one.id) ? chosen : [...chosen, one]);
    };
    return html`${this.searchField(place, label, add)}
    ${
      chosen.length
        ? html`<ul class="row chosen-people" aria-label=${label}>
            ${chosen.map(
              (one) =>
                html`<li class="picked">
                  <span class="tag">${one.name ?? t("player.erased")}</span>
                  <button type="button" @click=${() => change(chosen.filter(({ id }) => id !== one.id))}>
                    ${t("form.remove")}<span class="unseen"> ${one.name}</span>
                  </button>
                </li>`,
            )}
          </ul>`
        : nothing
    }`;
  }
}
