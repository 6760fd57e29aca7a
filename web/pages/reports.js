// The reports of players, for the administrators of the service. It needs a token with the scope `admin`, which
// `kontor admin token` makes and which stays in this tab.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import * as api from "../lib/api.js";
import { onSubmit, withText } from "../lib/events.js";
import { moment, t } from "../lib/i18n.js";
import { playerLink } from "./parts/player_link.js";
import { Runner } from "./parts/runner.js";

/** @typedef {Awaited<ReturnType<typeof api.get<"/v1/reports">>>["reports"][number]} Report */
const OUTCOMES = ["dismissed", "warned", "banned"];

/** @param {string[]} _params @param {URLSearchParams} _query @param {import("../types").App} app */
export const open = (_params, _query, app) => new ReportsPage(app);

class ReportsPage {
  token = "";
  /** @type {Report[] | null} */ reports = null;

  /** @param {import("../types").App} app */
  constructor(app) {
    this.runner = new Runner(app);
  }

  get call() {
    return { anonymous: true, headers: { Authorization: `Bearer ${this.token}` } };
  }

  load = () =>
    this.runner.run(async () => {
      this.reports = (await api.get("/v1/reports", {}, this.call)).reports;
    });

  /** @param {string} id @param {string} outcome */
  decide = (id, outcome) =>
    this.runner.run(async () => {
      await api.request("PUT", `/v1/reports/${id}/outcome`, { ...this.call, body: { outcome } });
      this.reports = (await api.get("/v1/reports", {}, this.call)).reports;
    });

  title = () => t("reports.title");

  view() {
    return html`<article class="account">
      <h1 tabindex="-1">${t("reports.title")}</h1>
      ${this.runner.alert}
      ${
        this.reports === null
          ? tokenForm(this)
          : this.reports.length
            ? html`<ul class="plain-list">
                ${this.reports.map((one) => row(this, one))}
              </ul>`
            : html`<p role="status">${t("reports.none")}</p>`
      }
    </article>`;
  }
}

/** @param {ReportsPage} page */
const tokenForm = (page) =>
  html`<form @submit=${onSubmit(page.load)}>
    <label class="field"
      ><span>${t("reports.token")}</span
      ><input
        type="password"
        autocomplete="off"
        required
        .value=${page.token}
        @input=${withText((text) => {
          page.token = text.trim();
        })}
      />
    </label>
    <p class="row"><button ?disabled=${page.runner.busy}>${t("reports.show")}</button></p>
  </form>`;

/** @param {ReportsPage} page @param {Report} report */
const row = ({ decide, runner }, { id, reporter, reported, match, reason, text, at }) =>
  html`<li>
    <p>
      <strong>${reported ? playerLink(reported) : t("player.erased")}</strong>: ${t(`conduct.reason.${reason}`)}
      <span class="faint">${moment(at)}, ${reporter ? playerLink(reporter) : t("player.erased")}</span>
      ${match ? html`<a href="#/match/${match}/replay">${t("replay.title")}</a>` : nothing}
    </p>
    ${text ? html`<blockquote>${text}</blockquote>` : nothing}
    <p class="row">
      ${OUTCOMES.map(
        (outcome) =>
          html`<button
            type="button"
            class=${outcome === "banned" ? "danger" : ""}
            ?disabled=${runner.busy}
            @click=${() => decide(id, outcome)}
          >
            ${t(`reports.${outcome}`)}
          </button>`,
      )}
    </p>
  </li>`;
