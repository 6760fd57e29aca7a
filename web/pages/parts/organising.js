// The commands of the organiser of a tournament, and the decisions of arbiters.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import * as api from "../../lib/api.js";
import { onSubmit, withChecked, withText } from "../../lib/events.js";
import { t } from "../../lib/i18n.js";
import { send } from "../../lib/tournament.js";

/**
 * @typedef {import("../../lib/tournament.js").Answer} Answer
 * @typedef {import("../../types").TableMatch} TableMatch
 */
/**
 * @typedef {{kind: "rule" | "replay" | "cancel" | "withdraw", match?: TableMatch, entrant?: number,
 *   names: string[]}} Form
 */
/** @typedef {(command: () => Promise<Answer>, sentence: string) => Promise<void>} Act */

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
    return this.isOrganiser || this.feed.tournament.terms.arbiters.includes(api.me()?.id ?? "");
  }

  /** @param {Form | null} form */
  ask(form) {
    this.form = form;
    this.why = "";
    this.places = form?.match ? (form.match.places ?? form.match.entrants.map((_, seat) => seat + 1)) : [];
    void this.showForm();
  }

  async showForm() {
    await this.app.drawn();
    const form = document.getElementById("deciding");
    form?.scrollIntoView({ block: "nearest" });
    /** @type {HTMLElement | null | undefined} */ (form?.querySelector("select, textarea"))?.focus({
      preventScroll: true,
    });
  }

  /**
   * The commands that are possible now, each with its sentence.
   * @returns {{name: string, body?: () => object, main: boolean}[]}
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

  /** The part of the page for the organiser and arbiters; nothing for others. @param {boolean} busy */
  panel(busy) {
    if (!this.isArbiter) return nothing;
    return html`<section class="organising setup">
      <h2>${t("organise.title")}</h2>
      <p>${t(`organise.now.${this.feed.tournament.status}`)}</p>
      ${this.isOrganiser ? this.commands(busy) : nothing} ${this.form ? this.deciding(this.form, busy) : nothing}
    </section>`;
  }

  /** What the organiser can do now, with what has to be entered first. @param {boolean} busy */
  commands(busy) {
    const { tournament } = this.feed;
    const steps = this.steps();
    const own = tournament.format === "own" && steps.some((one) => one.name === "pair");
    return html`${own ? this.tablesField() : nothing}
      ${tournament.status === "provisional" && tournament.protests.length ? this.despiteField() : nothing}
      <p class="row">
        ${steps.map(
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
          ["final", "cancelled"].includes(tournament.status)
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
      </p>`;
  }

  tablesField() {
    return html`<label class="field"
      ><span>${t("organise.tables")}</span
      ><textarea
        rows="4"
        .value=${this.tables}
        @input=${withText((text) => {
          this.tables = text;
        })}
      ></textarea>
    </label>`;
  }

  despiteField() {
    return html`<label class="field check"
      ><input
        type="checkbox"
        .checked=${this.despite}
        @change=${withChecked((on) => {
          this.despite = on;
          this.app.update();
        })}
      /><span>${t("organise.despite")}</span></label
    >`;
  }

  /** @param {Form} form @returns {Promise<Answer>} */
  send({ kind, match, entrant }) {
    const { tournament } = this.feed;
    const { why, places } = this;
    if (kind === "cancel") return send(tournament, "cancel", { why });
    if (kind === "withdraw") return send(tournament, "withdraw_entrant", { entrant, why });
    if (kind === "replay") return send(tournament, "replay", { match: match?.match, why });
    return send(tournament, tournament.status === "final" ? "correct" : "rule", { match: match?.match, places, why });
  }

  /** @param {Form} form */
  submit(form) {
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
    return html`<form id="deciding" @submit=${onSubmit(() => this.submit(form))}>
      <h3>${t(`organise.${form.kind}`)}${form.names.length ? `: ${form.names.join(", ")}` : ""}</h3>
      ${
        form.kind === "rule"
          ? html`<div class="grid">${form.names.map((name, seat) => this.placeField(form, name, seat))}</div>`
          : nothing
      }
      <label class="field"
        ><span>${t("organise.why")}</span
        ><textarea
          required
          maxlength="400"
          rows="2"
          .value=${this.why}
          @input=${withText((text) => {
            this.why = text;
          })}
        ></textarea>
      </label>
      <p class="row">
        <button class="main" ?disabled=${busy}>${t("moves.confirm")}</button
        ><button type="button" @click=${() => this.ask(null)}>${t("moves.cancel")}</button>
      </p>
    </form>`;
  }

  /** @param {Form} form @param {string} name @param {number} seat */
  placeField({ names }, name, seat) {
    const choose = withText((place) => {
      this.places = this.places.with(seat, Number(place));
      this.app.update();
    });
    return html`<label class="field"
      ><span>${t("organise.place_of", { name })}</span
      ><select @change=${choose}>
        ${names.map(
          (_, place) =>
            html`<option value=${place + 1} ?selected=${place + 1 === this.places[seat]}>${place + 1}</option>`,
        )}
      </select></label
    >`;
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
