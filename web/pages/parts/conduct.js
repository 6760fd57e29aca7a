// Blocking and reporting a player.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import * as api from "../../lib/api.js";
import { onSubmit, withText } from "../../lib/events.js";
import { t } from "../../lib/i18n.js";
import { playerLink } from "./player_link.js";
import { Runner } from "./runner.js";

/** @typedef {import("../../types").App} App @typedef {import("../../types").SeatHolder} Holder */
const REASONS = /** @type {const} */ (["name", "stalling", "cheating", "other"]);

export class Conduct {
  /** Whom the user has blocked. @type {Holder[]} */ blocked = [];
  /** @type {typeof REASONS[number]} */ reason = "stalling";
  text = "";
  done = "";

  /** @param {App} app */
  constructor(app) {
    this.runner = new Runner(app);
    if (api.me()) void this.load();
  }

  load = () =>
    this.runner.run(async () => {
      this.blocked = (await api.get("/v1/me/blocks")).players;
    });

  /** @param {string} player @param {boolean} on */
  block = (player, on) =>
    this.runner.run(async () => {
      await (on ? api.put(`/v1/me/blocks/${player}`, undefined) : api.remove(`/v1/me/blocks/${player}`));
      this.blocked = (await api.get("/v1/me/blocks")).players;
    });

  /** @param {string} player */
  report = (player) =>
    this.runner.run(async () => {
      await api.post(`/v1/players/${player}/reports`, { reason: this.reason, text: this.text });
      this.text = "";
      this.done = t("conduct.reported");
      this.runner.app.announce(this.done);
    });

  /** What the user can do about a player. @param {Holder} player */
  about({ id }) {
    if (!api.me() || api.me()?.id === id) return nothing;
    const isBlocked = this.blocked.some((one) => one.id === id);
    return html`<details class="more">
      <summary>${t("conduct.title")}</summary>
      ${this.runner.alert} ${this.done ? html`<p class="good" role="status">${this.done}</p>` : nothing}
      <p>${t("conduct.block_text")}</p>
      <p class="row">
        <button type="button" ?disabled=${this.runner.busy} @click=${() => this.block(id, !isBlocked)}>
          ${t(isBlocked ? "conduct.unblock" : "conduct.block")}
        </button>
      </p>
      ${reportForm(this, id)}
    </details>`;
  }

  /** Those whom the user has blocked. */
  list() {
    if (this.blocked.length === 0) return nothing;
    return html`<section>
      <h2>${t("conduct.blocked")}</h2>
      <ul class="plain-list">
        ${this.blocked.map(
          (player) =>
            html`<li>
              ${playerLink(player)}
              <button type="button" @click=${() => this.block(player.id, false)}>${t("conduct.unblock")}</button>
            </li>`,
        )}
      </ul>
    </section>`;
  }
}

/** @param {Conduct} conduct @param {string} player */
const reportForm = (conduct, player) =>
  html`<form @submit=${onSubmit(() => conduct.report(player))}>
    <label class="field"
      ><span>${t("conduct.reason")}</span
      ><select
        @change=${withText((chosen) => {
          conduct.reason = REASONS.find((one) => one === chosen) ?? "other";
        })}
      >
        ${REASONS.map(
          (one) =>
            html`<option value=${one} ?selected=${one === conduct.reason}>${t(`conduct.reason.${one}`)}</option>`,
        )}
      </select></label
    >
    <label class="field"
      ><span>${t("conduct.text")}</span
      ><textarea
        maxlength="500"
        .value=${conduct.text}
        @input=${withText((text) => {
          conduct.text = text;
        })}
      ></textarea>
    </label>
    <p class="row"><button ?disabled=${conduct.runner.busy}>${t("conduct.report")}</button></p>
  </form>`;
