// The commands of the organiser of a tournament, and the decisions of arbiters.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import * as api from "../../lib/api.js";
import { t } from "../../lib/i18n.js";
import { send } from "../../lib/tournament.js";

/** @typedef {import("../../types").Tournament} Tournament @typedef {import("../../types").TableMatch} TableMatch */
/**
 * @typedef {{kind: "rule" | "replay" | "cancel" | "withdraw", match?: TableMatch, entrant?: number,
 *   names: string[]}} Form
 */
/** @typedef {(command: () => Promise<Tournament>, sentence: string) => Promise<void>} Act */

export class Organising {
  /**
   * @param {import("../../lib/tournament.js").TournamentFeed} feed
   * @param {import("../../types").App} app
   * @param {Act} act
   * @param {(entrant: number) => string} nameOf
   */
  constructor(feed, app, act, nameOf) {
    this.feed = feed;
    this.app = app;
    this.act = act;
    this.nameOf = nameOf;
    /** @type {Form | null} */ this.form = null;
    /** @type {number[]} */ this.places = [];
    this.why = "";
    this.tables = "";
    this.despite = false;
  }

  get isOrganiser() {
    return this.feed.tournament.organiser.id === api.me()?.id;
  }

  get isArbiter() {
    return this.isOrganiser || this.feed.tournament.terms.arbiters.includes(api.me()?.id);
  }

  /** @param {Form | null} form */
  ask(form) {
    this.form = form;
    this.why = "";
    this.places = form?.match ? (form.match.places ?? form.match.entrants.map((_, seat) => seat + 1)) : [];
    this.app.update();
    queueMicrotask(() =>
      queueMicrotask(() => document.getElementById("deciding")?.scrollIntoView({ block: "nearest" })),
    );
    queueMicrotask(() =>
      queueMicrotask(() =>
        /** @type {HTMLElement | null} */ (document.querySelector("#deciding select, #deciding textarea"))?.focus({
          preventScroll: true,
        }),
      ),
    );
  }

  /**
   * The commands that are possible now, each with its sentence.
   * @returns {{name: string, body?: () => any, main: boolean}[]}
   */
  steps() {
    const { tournament } = this.feed;
    const { status, terms, round, rounds, unfinished, format } = tournament;
    const done = round > 0 && unfinished === 0;
    const last = done && round >= rounds && format !== "arena";
    const pairs = !terms.automatic && status === "running" && unfinished === 0 && !last && format !== "arena";
    return [
      ...(status === "announced" ? [{ name: "open", main: true }] : []),
      ...(status === "open" ? [{ name: "start", main: tournament.entrants >= terms.least_entrants }] : []),
      ...(pairs
        ? [{ name: "pair", body: () => (format === "own" ? { tables: this.ownTables() } : {}), main: true }]
        : []),
      ...(status === "running" && done ? [{ name: "post", main: last }] : []),
      ...(status === "provisional"
        ? [{ name: "sign", body: () => ({ despite_protests: this.despite }), main: true }]
        : []),
    ];
  }

  /** The organiser's own tables: a line for each, entrants by their numbers from 1. @returns {number[][]} */
  ownTables() {
    return this.tables
      .split("\n")
      .map((line) => (line.match(/\d+/g) ?? []).map((one) => Number(one) - 1))
      .filter((table) => table.length);
  }

  /** The part of the page for the organiser; nothing for others. @param {boolean} busy */
  panel(busy) {
    if (!this.isArbiter) return nothing;
    const { tournament } = this.feed;
    const over = ["final", "cancelled"].includes(tournament.status);
    const own = tournament.format === "own" && this.steps().some((one) => one.name === "pair");
    return html`<section class="organising setup">
      <h2>${t("organise.title")}</h2>
      <p>${t(`organise.now.${tournament.status}`)}</p>
      ${
        this.isOrganiser && own
          ? html`<label class="field"
              ><span>${t("organise.tables")}</span
              ><textarea
                rows="4"
                .value=${this.tables}
                @input=${(/** @type {any} */ event) => {
                  this.tables = event.target.value;
                }}
              ></textarea>
            </label>`
          : nothing
      }
      ${
        this.isOrganiser && tournament.status === "provisional" && tournament.protests.length
          ? html`<label class="field check"
              ><input
                type="checkbox"
                .checked=${this.despite}
                @change=${(/** @type {any} */ event) => {
                  this.despite = event.target.checked;
                  this.app.update();
                }}
              /><span>${t("organise.despite")}</span></label
            >`
          : nothing
      }
      ${
        this.isOrganiser
          ? html`<p class="row">
              ${this.steps().map(
                ({ name, body, main }) =>
                  html`<button
                    type="button"
                    class=${main ? "main" : ""}
                    ?disabled=${busy}
                    @click=${() => this.act(() => send(tournament, name, body?.()), t(`organise.done.${name}`))}
                  >
                    ${t(`organise.${name}`)}
                  </button>`,
              )}
              ${
                over
                  ? nothing
                  : html`<button
                      type="button"
                      class="danger"
                      ?disabled=${busy}
                      @click=${() => this.ask({ kind: "cancel", names: [] })}
                    >
                      ${t("organise.cancel")}
                    </button>`
              }
            </p>`
          : nothing
      }
      ${this.form ? this.deciding(this.form, busy) : nothing}
    </section>`;
  }

  /** @param {Form} form @returns {Promise<Tournament>} */
  send({ kind, match, entrant }) {
    const { tournament } = this.feed;
    const { why, places } = this;
    if (kind === "cancel") return send(tournament, "cancel", { why });
    if (kind === "withdraw") return send(tournament, "withdraw_entrant", { entrant, why });
    if (kind === "replay") return send(tournament, "replay", { match: match?.match, why });
    return send(tournament, tournament.status === "final" ? "correct" : "rule", { match: match?.match, places, why });
  }

  /** @param {Event} event @param {Form} form */
  submit(event, form) {
    event.preventDefault();
    void this.act(
      async () => {
        const answer = await this.send(form);
        this.ask(null);
        return answer;
      },
      t(`organise.done.${form.kind}`),
    );
  }

  /** @param {Form} form @param {boolean} busy */
  deciding(form, busy) {
    const choices = form.names.map((_, place) => place + 1);
    return html`<form id="deciding" @submit=${(/** @type {Event} */ event) => this.submit(event, form)}>
      <h3>${t(`organise.${form.kind}`)}${form.names.length ? `: ${form.names.join(", ")}` : ""}</h3>
      ${
        form.kind === "rule"
          ? html`<div class="grid">
              ${form.names.map(
                (name, seat) =>
                  html`<label class="field"
                    ><span>${t("organise.place_of", { name })}</span
                    ><select
                      @change=${(/** @type {any} */ event) => {
                        this.places = this.places.map((place, other) =>
                          other === seat ? Number(event.target.value) : place,
                        );
                        this.app.update();
                      }}
                    >
                      ${choices.map(
                        (place) =>
                          html`<option value=${place} ?selected=${place === this.places[seat]}>${place}</option>`,
                      )}
                    </select></label
                  >`,
              )}
            </div>`
          : nothing
      }
      <label class="field"
        ><span>${t("organise.why")}</span
        ><textarea
          required
          maxlength="400"
          rows="2"
          .value=${this.why}
          @input=${(/** @type {any} */ event) => {
            this.why = event.target.value;
          }}
        ></textarea>
      </label>
      <p class="row">
        <button class="main" ?disabled=${busy}>${t("moves.confirm")}</button
        ><button type="button" @click=${() => this.ask(null)}>${t("moves.cancel")}</button>
      </p>
    </form>`;
  }

  /** The possible decisions about a match. @param {TableMatch} match */
  decisions(match) {
    const { status } = this.feed.tournament;
    if (!this.isArbiter || !match.match || status === "cancelled" || (status === "final" && !this.isOrganiser))
      return nothing;
    const names = match.entrants.map(this.nameOf);
    const label = html`<span class="unseen"> ${names.join(", ")}</span>`;
    return html`<button type="button" class="quiet" @click=${() => this.ask({ kind: "rule", match, names })}>
        ${t("organise.rule")}${label}
      </button>
      ${
        status === "running"
          ? html`<button type="button" class="quiet" @click=${() => this.ask({ kind: "replay", match, names })}>
              ${t("organise.replay")}${label}
            </button>`
          : nothing
      }`;
  }

  /** @param {number} entrant */
  withdrawal(entrant) {
    if (!this.isArbiter || !["open", "running"].includes(this.feed.tournament.status)) return nothing;
    const name = this.nameOf(entrant);
    return html` <button
      type="button"
      class="quiet"
      @click=${() => this.ask({ kind: "withdraw", entrant, names: [name] })}
    >
      ${t("organise.withdraw")}<span class="unseen"> ${name}</span>
    </button>`;
  }
}
